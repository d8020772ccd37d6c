/* SPDX-License-Identifier: MIT */
/*
 * The menu of a scene view, by the right button, by a long touch, or by key for the token in focus. While it is open
 * the token stays hovered wherever the pointer goes, for the actions of the window mean the hovered one.
 */
#include "config.h"

#include "app/canvas/hl-scene-view-private.h"

#include "draw/scene/hl-scene-describe.h"

#include <glib/gi18n.h>

/* What the menu is about, as its heading says it. */
static char *
name_pick (HlSceneView  *self,
           const HlPick *pick)
{
  if (pick->kind == HL_PICK_CELL)
    return hl_scene_describe (self->scene, pick);
  return hl_scene_describe_token (self->view_state, pick, NULL, (HlRange){ 0, 0 }, 0);
}

static void
append (GMenu      *menu,
        const char *label,
        const char *action)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);

  /* A menu at the pointer is short: only what can be done. */
  g_menu_item_set_attribute (item, "hidden-when", "s", "action-disabled");
  g_menu_append_item (menu, item);
}

static GMenuModel *
create_model (HlSceneView  *self,
              const HlPick *pick,
              const char   *name)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) token = g_menu_new ();
  g_autoptr (GMenu) tokens = g_menu_new ();
  g_autoptr (GMenu) figure = g_menu_new ();
  HlPick pair;

  if (name != NULL)
    {
      append (token, hl_pick_equal (hl_view_state_get_pinned (self->view_state), pick) ? _ ("Free the Pin") : _ ("Pin"),
              "scene.pin");
      append (token, _ ("Hide the Token"), "win.hide-token");
      if (hl_scene_view_get_pair (self, pick, &pair) && !hl_view_state_shows_steps (self->view_state))
        append (token, _ ("Find Heads That Link a Pair"), "scene.find-heads");
      g_menu_append_section (menu, name, G_MENU_MODEL (token));
    }
  append (tokens, _ ("Show All Tokens"), "win.show-all-tokens");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (tokens));
  append (figure, _ ("_Copy Figure"), "win.copy-figure");
  append (figure, _ ("_Export…"), "win.export");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (figure));
  return G_MENU_MODEL (menu);
}

static void
on_closed (HlSceneView *self)
{
  /* The token stays in focus until the pointer is moved from where it is now. */
  hl_scene_view_let_keyboard_lead (self);
  self->menu_open = FALSE;
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
open_menu (HlSceneView        *self,
           const HlPick       *pick,
           const GdkRectangle *place)
{
  g_autofree char *name = hl_scene_view_is_token_or_cell (pick) ? name_pick (self, pick) : NULL;

  hl_scene_view_let_keyboard_lead (self);
  hl_view_state_set_hovered (self->view_state, pick);
  g_autoptr (GMenuModel) model = create_model (self, pick, name);
  if (self->menu == NULL)
    {
      self->menu = gtk_popover_menu_new_from_model (model);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
      g_signal_connect_swapped (self->menu, "closed", G_CALLBACK (on_closed), self);
    }
  else
    gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (self->menu), model);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->menu), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name != NULL ? name : _ ("Figure"), -1);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), place);
  self->menu_open = TRUE;
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
open_at (HlSceneView *self,
         double       x,
         double       y)
{
  const GdkRectangle place = { (int) x, (int) y, 1, 1 };
  HlPick pick;

  if (self->scene == NULL)
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  hl_scene_pick (self->scene, x, y, &pick);
  open_menu (self, &pick, &place);
}

static void
on_pressed (HlSceneView *self,
            int          n_press,
            double       x,
            double       y,
            GtkGesture  *click)
{
  gtk_gesture_set_state (click, GTK_EVENT_SEQUENCE_CLAIMED);
  open_at (self, x, y);
}

static void
on_long_press (HlSceneView *self,
               double       x,
               double       y,
               GtkGesture  *press)
{
  gtk_gesture_set_state (press, GTK_EVENT_SEQUENCE_CLAIMED);
  open_at (self, x, y);
}

/* At the token if it is in view, else at the middle. */
static gboolean
open_by_key (GtkWidget *widget,
             GVariant  *arguments,
             gpointer   data)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);
  const GdkRectangle all = { 0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget) };
  GdkRectangle place;
  double x, y, width, height;

  if (self->scene == NULL)
    return FALSE;
  const HlPick *hovered = hl_view_state_get_hovered (self->view_state);
  /* Who points at a token means that one, whatever else is pinned. A head is in focus by being hovered alone. */
  const gboolean points = (self->pointer_leads && hl_scene_view_is_token_or_cell (hovered)) ||
                          hovered->kind == HL_PICK_MAP;
  const HlPick pick = points ? *hovered : *hl_view_state_get_focus (self->view_state);
  if (!hl_scene_locate (self->scene, &pick, &x, &y, &width, &height) ||
      !gdk_rectangle_intersect (&all, &(GdkRectangle){ (int) x, (int) y, MAX ((int) width, 1), MAX ((int) height, 1) },
                                &place))
    place = (GdkRectangle){ all.width / 2, all.height / 2, 1, 1 };
  open_menu (self, &pick, &place);
  return TRUE;
}

/* What the menu was opened at; the scene may have gone since. */
static gboolean
get_pick (HlSceneView *self,
          HlPick      *pick)
{
  if (self->scene == NULL)
    return FALSE;
  *pick = *hl_view_state_get_hovered (self->view_state);
  return hl_scene_view_is_token_or_cell (pick);
}

static void
pin (GtkWidget  *widget,
     const char *action,
     GVariant   *parameter)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);
  HlPick pick;

  if (get_pick (self, &pick))
    hl_scene_view_toggle_pin (self, &pick);
}

static void
find_heads (GtkWidget  *widget,
            const char *action,
            GVariant   *parameter)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);
  HlPick pick;

  if (get_pick (self, &pick))
    hl_scene_view_pick_pair (self, &pick);
}

void
hl_scene_view_install_menu (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "scene.pin", NULL, pin);
  gtk_widget_class_install_action (widget_class, "scene.find-heads", NULL, find_heads);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, open_by_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, open_by_key, NULL);
}

void
hl_scene_view_init_menu (HlSceneView *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (on_long_press), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (press));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_HAS_POPUP, TRUE, -1);
}
