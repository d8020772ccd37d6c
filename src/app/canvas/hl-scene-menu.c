/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/canvas/hl-scene-menu.h"

#include "app/base/hl-text-scale.h"
#include "app/canvas/hl-scene-choice.h"
#include "draw/scene/hl-scene-describe.h"

#include <glib/gi18n.h>

static HlViewState *
get_state (HlSceneMenu *self)
{
  return hl_scene_get_state (self->pointer->scene);
}

/* What the menu is about, as its heading says it. */
static char *
name_pick (HlSceneMenu  *self,
           const HlPick *pick)
{
  if (pick->kind == HL_PICK_CELL)
    return hl_scene_describe (self->pointer->scene, pick);
  return hl_scene_describe_token (hl_view_state_get_shown (get_state (self)), pick, NULL, (HlRange){ 0, 0 }, 0);
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
create_token_model (HlViewState  *state,
                    const HlPick *pick)
{
  GMenu *menu = g_menu_new ();
  const HlFocus *pin = hl_view_state_get_pin (state);
  HlPick pair;

  append (menu, pin->gathered == NULL && hl_pick_equal (&pin->pick, pick) ? _ ("Free the Pin") : _ ("Pin"),
          "scene.pin");
  if (pin->gathered != NULL && hl_focus_covers (pin, pick))
    append (menu, _ ("Take Out of the Pinned"), "scene.gather");
  else if (hl_pick_is_token (pick) && pin->pick.kind == pick->kind && !hl_pick_equal (&pin->pick, pick))
    append (menu, _ ("Pin as Well"), "scene.gather");
  append (menu, _ ("Hide the Token"), "win.hide-token");
  append (menu, _ ("Mask the Token"), "win.mask-token");
  if (hl_scene_choice_find_pair (state, pick, &pair) && !hl_view_state_get_shown (state)->shows_steps)
    append (menu, _ ("Find Heads That Link a Pair"), "scene.find-heads");
  return G_MENU_MODEL (menu);
}

/* @name is that of a token or cell; NULL elsewhere. */
static GMenuModel *
create_model (HlViewState  *state,
              const HlPick *pick,
              const char   *name)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) tokens = g_menu_new ();
  g_autoptr (GMenu) figure = g_menu_new ();

  if (name != NULL)
    {
      g_autoptr (GMenuModel) token = create_token_model (state, pick);
      g_menu_append_section (menu, name, token);
    }
  append (tokens, _ ("Show All Tokens"), "win.show-all-tokens");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (tokens));
  append (figure, _ ("_Copy Figure"), "win.copy-figure");
  append (figure, _ ("_Export…"), "win.export");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (figure));
  return G_MENU_MODEL (menu);
}

/* What was chosen from the menu was done with the token that it was opened at. */
static void
on_done (gpointer data)
{
  HlSceneMenu *self = data;

  self->closed_id = 0;
  hl_scene_pointer_take_lead (self->pointer);
}

static void
on_closed (HlSceneMenu *self)
{
  const gboolean leads = self->is_by_pointer || hl_scene_pointer_has_moved (self->pointer);

  /* A token that the keyboard came to stays in focus until the pointer is moved from where it is now. */
  hl_scene_pointer_let_keyboard_lead (self->pointer);
  self->pointer->held = FALSE;
  gtk_widget_grab_focus (self->pointer->widget);
  if (leads && self->closed_id == 0)
    self->closed_id = g_idle_add_once (on_done, self);
}

static void
open_menu (HlSceneMenu        *self,
           const HlPick       *pick,
           const GdkRectangle *place,
           gboolean            is_by_pointer)
{
  HlViewState *state = get_state (self);
  g_autofree char *name = hl_scene_choice_is_token_or_cell (pick) ? name_pick (self, pick) : NULL;

  g_clear_handle_id (&self->closed_id, g_source_remove);
  self->is_by_pointer = is_by_pointer;
  hl_scene_pointer_let_keyboard_lead (self->pointer);
  hl_view_state_set_hovered (state, pick);
  g_autoptr (GMenuModel) model = create_model (state, pick, name);
  if (self->popover == NULL)
    {
      self->popover = gtk_popover_menu_new_from_model (model);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
      gtk_widget_set_halign (self->popover, GTK_ALIGN_START);
      gtk_widget_set_parent (self->popover, self->pointer->widget);
      g_signal_connect_swapped (self->popover, "closed", G_CALLBACK (on_closed), self);
    }
  else
    gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (self->popover), model);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->popover), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name != NULL ? name : _ ("Figure"), -1);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), place);
  self->pointer->held = TRUE;
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static void
open_at (HlSceneMenu *self,
         double       x,
         double       y)
{
  const double text_scale = hl_text_scale_get (self->pointer->widget);
  const GdkRectangle place = { (int) x, (int) y, 1, 1 };
  HlPick pick;

  if (self->pointer->scene == NULL)
    return;
  gtk_widget_grab_focus (self->pointer->widget);
  hl_scene_pick (self->pointer->scene, x / text_scale, y / text_scale, &pick);
  open_menu (self, &pick, &place, TRUE);
}

static void
on_pressed (HlSceneMenu *self,
            double       x,
            double       y,
            GtkGesture  *drag)
{
  gtk_gesture_set_state (drag, GTK_EVENT_SEQUENCE_CLAIMED);
}

/* Where it was pressed, however far the hand went meanwhile. A menu that is there before the button is let go of gets only
 * the second half of the click, which GTK warns of. */
static void
on_released (HlSceneMenu    *self,
             double          offset_x,
             double          offset_y,
             GtkGestureDrag *drag)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point (drag, &x, &y))
    open_at (self, x, y);
}

static void
on_long_press (HlSceneMenu *self,
               double       x,
               double       y,
               GtkGesture  *press)
{
  gtk_gesture_set_state (press, GTK_EVENT_SEQUENCE_CLAIMED);
  open_at (self, x, y);
}

/* At the token if it is in view, else at the middle. Returns whether there is a scene to open it in. */
gboolean
hl_scene_menu_open_at_focus (HlSceneMenu *self)
{
  GtkWidget *widget = self->pointer->widget;
  const double text_scale = hl_text_scale_get (widget);
  const GdkRectangle all = { 0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget) };
  GdkRectangle place;
  double x, y, width, height;

  if (self->pointer->scene == NULL)
    return FALSE;
  const HlPick *hovered = hl_view_state_get_hovered (get_state (self));
  /* Who points at a token means that one, whatever else is pinned. A head is in focus by being hovered alone. */
  const gboolean points = (self->pointer->leads && hl_scene_choice_is_token_or_cell (hovered)) ||
                          hovered->kind == HL_PICK_MAP;
  const HlPick pick = points ? *hovered : *hl_view_state_get_focus (get_state (self));
  if (!hl_scene_locate (self->pointer->scene, &pick, &x, &y, &width, &height) ||
      !gdk_rectangle_intersect (&all,
                                &(GdkRectangle){ (int) (x * text_scale), (int) (y * text_scale),
                                                 MAX ((int) (width * text_scale), 1),
                                                 MAX ((int) (height * text_scale), 1) },
                                &place))
    place = (GdkRectangle){ all.width / 2, all.height / 2, 1, 1 };
  open_menu (self, &pick, &place, FALSE);
  return TRUE;
}

/* When the widget got another size. */
void
hl_scene_menu_present (HlSceneMenu *self)
{
  if (self->popover != NULL)
    gtk_popover_present (GTK_POPOVER (self->popover));
}

void
hl_scene_menu_clear (HlSceneMenu *self)
{
  g_clear_pointer (&self->popover, gtk_widget_unparent);
  g_clear_handle_id (&self->closed_id, g_source_remove);
}

/* @pointer is of the widget that the menu opens in. */
void
hl_scene_menu_init (HlSceneMenu    *self,
                    HlScenePointer *pointer)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *press = gtk_gesture_long_press_new ();

  self->pointer = pointer;
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_pressed), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (pointer->widget, GTK_EVENT_CONTROLLER (drag));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect_swapped (press, "pressed", G_CALLBACK (on_long_press), self);
  gtk_widget_add_controller (pointer->widget, GTK_EVENT_CONTROLLER (press));
  gtk_accessible_update_property (GTK_ACCESSIBLE (pointer->widget), GTK_ACCESSIBLE_PROPERTY_HAS_POPUP, TRUE, -1);
}
