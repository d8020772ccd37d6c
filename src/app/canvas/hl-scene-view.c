/* SPDX-License-Identifier: MIT */
/*
 * The widget that hosts scenes. Backdrop and picture are kept and drawn again only when the scene says so; a frame in
 * which only the pointer moved costs the overlay. What takes time is the runner's business.
 *
 * Where the desktop has text written larger, the whole picture is, as one looks at it through a glass: the scene has the less
 * room, and the same picture as elsewhere.
 */
#include "config.h"

#include "app/canvas/hl-scene-view.h"

#include "app/base/hl-text-scale.h"
#include "app/canvas/hl-key-move.h"
#include "app/canvas/hl-scene-choice.h"
#include "app/canvas/hl-scene-layer.h"
#include "app/canvas/hl-scene-menu.h"
#include "app/canvas/hl-scene-pointer.h"
#include "app/canvas/hl-scene-runner.h"
#include "core/base/hl-error.h"
#include "draw/scene/hl-scene-describe.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

struct _HlSceneView
{
  GtkWidget parent_instance;

  gboolean has_no_cards;
  HlViewState *view_state;
  /* One a kind of view, made when first shown, so that each keeps its zoom and scroll. */
  HlSceneRunner *runners[HL_N_VIEW_KINDS];
  HlSceneRunner *runner;
  HlScene *scene;
  HlSceneLayer layers[HL_SCENE_OVERLAY];
  HlScenePointer pointer;
  HlSceneMenu menu;

  /* What has the keyboard in place of the view while something else is seen there; a weak pointer. */
  GtkWidget *stand_in;

  gboolean allocating;
  /* Of the frame clock, while it is realized; adjustments are brought up to date by it. */
  gulong after_layout;
  gboolean adjusts_later;
  GtkAdjustment *hadjustment;
  GtkAdjustment *vadjustment;
  GtkScrollablePolicy hscroll_policy;
  GtkScrollablePolicy vscroll_policy;
  gboolean adjusting;
};

/* The first of the keys that pin. */
#define N_ENTER_KEYS 3

enum
{
  PROP_VIEW_STATE = 1,
  PROP_SCENE,
  PROP_BUSY,
  N_PROPERTIES,
  PROP_HADJUSTMENT = N_PROPERTIES,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
};

enum
{
  FINISHED,
  MOVED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPERTIES];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE_WITH_CODE (HlSceneView,
                               hl_scene_view,
                               GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

/* Who scrolls it counts pixels of the widget. */
static void
configure (GtkAdjustment *adjustment,
           double         value,
           double         upper,
           double         page,
           double         text_scale)
{
  if (adjustment == NULL)
    return;
  page *= text_scale;
  gtk_adjustment_configure (adjustment, value * text_scale, 0, MAX (upper * text_scale, page), page * 0.1, page * 0.9,
                            page);
}

static void
update_adjustments (HlSceneView *self)
{
  double x = 0, y = 0, width = 0, height = 0;
  const double text_scale = hl_text_scale_get (GTK_WIDGET (self));
  double page_width = gtk_widget_get_width (GTK_WIDGET (self)) / text_scale;
  double page_height = gtk_widget_get_height (GTK_WIDGET (self)) / text_scale;

  if (self->adjusting)
    return;
  if (self->allocating && self->after_layout != 0)
    {
      self->adjusts_later = TRUE;
      gdk_frame_clock_request_phase (gtk_widget_get_frame_clock (GTK_WIDGET (self)), GDK_FRAME_CLOCK_PHASE_LAYOUT);
      return;
    }
  if (self->scene != NULL)
    {
      hl_scene_get_viewport (self->scene, &page_width, &page_height, NULL);
      hl_scene_measure (self->scene, &width, &height);
      hl_scene_get_scroll (self->scene, &x, &y);
    }
  self->adjusting = TRUE;
  configure (self->hadjustment, x, width, page_width, text_scale);
  configure (self->vadjustment, y, height, page_height, text_scale);
  self->adjusting = FALSE;
}

static void
on_adjustment_changed (HlSceneView *self)
{
  if (self->adjusting || self->scene == NULL)
    return;

  /* Whole device pixels, or text would swim. The adjustment keeps its fraction, or slow scrolling would stand still. */
  const double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const double x = self->hadjustment != NULL ? gtk_adjustment_get_value (self->hadjustment) : 0;
  const double y = self->vadjustment != NULL ? gtk_adjustment_get_value (self->vadjustment) : 0;
  self->adjusting = TRUE;
  const double all = scale * hl_text_scale_get (GTK_WIDGET (self));
  hl_scene_set_scroll (self->scene, round (x * scale) / all, round (y * scale) / all);
  self->adjusting = FALSE;
  hl_scene_pointer_pick_again (&self->pointer);
}

static void
set_adjustment (HlSceneView    *self,
                GtkAdjustment **slot,
                GtkAdjustment  *adjustment)
{
  if (*slot != NULL)
    g_signal_handlers_disconnect_by_func (*slot, on_adjustment_changed, self);
  g_clear_object (slot);
  if (adjustment == NULL)
    return;
  *slot = g_object_ref_sink (adjustment);
  g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (on_adjustment_changed), self);
  update_adjustments (self);
}

static void
clear_layers (HlSceneView *self)
{
  for (guint part = 0; part < G_N_ELEMENTS (self->layers); part++)
    hl_scene_layer_clear (&self->layers[part]);
}

static void
update_label (HlSceneView *self)
{
  const HlViewTraits *view = hl_view_kind_get_traits (hl_view_state_get_options (self->view_state)->view);
  g_autofree char *shown = hl_view_state_describe_choice (self->view_state);
  /* Translators: the kind of view, then what it shows: "Heatmap: attention weight · layer 3 · head 5" */
  g_autofree char *label = g_strdup_printf (_ ("%s: %s"), _ (view->label), shown);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

/* Whether tokens of two sides are a pair of a head. */
static gboolean
has_pairs (HlSceneView *self)
{
  return hl_view_kind_get_traits (hl_view_state_get_options (self->view_state)->view)->walk != HL_WALK_LAYERS;
}

/* A swatch or a map is never in focus, but the pointer over it is told all the same; so is where a key leads from what is
 * pinned, as a pair where it is one. */
static char *
dup_description (HlSceneView *self)
{
  const HlPick *hovered = hl_view_state_get_hovered (self->view_state);
  HlPick told = *hovered;

  if (hl_pick_is_place (hovered))
    return hl_scene_describe (self->scene, hovered);
  if (self->pointer.leads || !hl_scene_choice_is_token_or_cell (hovered) ||
      hl_view_state_get_pinned (self->view_state)->kind == HL_PICK_NONE ||
      hl_focus_covers (hl_view_state_get_pin (self->view_state), hovered))
    return hl_scene_describe_focus (self->scene);
  if (has_pairs (self))
    hl_scene_choice_find_pair (self->view_state, hovered, &told);
  return hl_scene_describe (self->scene, &told);
}

static void
update_description (HlSceneView *self)
{
  g_autofree char *description = dup_description (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description != NULL ? description : "", -1);
}

static void
on_changed (HlSceneView *self,
            guint        part)
{
  if (part < G_N_ELEMENTS (self->layers))
    hl_scene_layer_clear (&self->layers[part]);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_busy (HlSceneView *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
on_finished (HlSceneView *self)
{
  /* Numbers that were not there yet may be now. */
  hl_scene_pointer_pick_again (&self->pointer);
  update_description (self);
  g_signal_emit (self, signals[FINISHED], 0);
}

static void
allot_viewport (HlSceneView *self)
{
  const int width = gtk_widget_get_width (GTK_WIDGET (self));
  const int height = gtk_widget_get_height (GTK_WIDGET (self));
  const double text_scale = hl_text_scale_get (GTK_WIDGET (self));

  if (self->scene != NULL && width > 0 && height > 0)
    hl_scene_set_viewport (self->scene, width / text_scale, height / text_scale,
                           gtk_widget_get_scale_factor (GTK_WIDGET (self)) * text_scale);
}

static void
on_measured (HlSceneView *self)
{
  update_adjustments (self);
  g_signal_emit (self, signals[MOVED], 0);
}

static void
leave_scene (HlSceneView *self)
{
  if (self->scene == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->scene, self);
  g_signal_handlers_disconnect_by_data (self->runner, self);
  hl_scene_runner_set_active (self->runner, FALSE);
  self->scene = self->pointer.scene = NULL;
  self->runner = NULL;
  clear_layers (self);
}

static void
enter_scene (HlSceneView *self)
{
  const HlViewKind kind = hl_view_state_get_options (self->view_state)->view;

  if (!hl_view_kind_get_traits (kind)->shows_all_heads && !hl_view_kind_get_traits (kind)->shows_charts)
    self->pointer.head_view = kind;
  if (self->runners[kind] == NULL)
    {
      g_autoptr (HlScene) scene = hl_scene_new (kind, self->view_state);
      g_object_bind_property (adw_style_manager_get_default (), "high-contrast", scene, "high-contrast",
                              G_BINDING_SYNC_CREATE);
      self->runners[kind] = hl_scene_runner_new (scene);
    }
  self->runner = self->runners[kind];
  self->scene = self->pointer.scene = hl_scene_runner_get_scene (self->runner);
  hl_scene_set_has_cards (self->scene, !self->has_no_cards);
  hl_scene_set_names_heads (self->scene, TRUE);
  g_signal_connect_swapped (self->scene, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (self->scene, "measured", G_CALLBACK (on_measured), self);
  g_signal_connect_swapped (self->runner, "notify::busy", G_CALLBACK (on_busy), self);
  g_signal_connect_swapped (self->runner, "finished", G_CALLBACK (on_finished), self);
  allot_viewport (self);
  update_adjustments (self);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    hl_scene_runner_set_active (self->runner, TRUE);
  on_busy (self);
  update_label (self);
  update_description (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SCENE]);
}

static void
on_state_changed (HlSceneView *self,
                  HlChanges    changes)
{
  if (changes & HL_CHANGED_VIEW)
    {
      leave_scene (self);
      enter_scene (self);
      return;
    }
  if (changes & ~(HlChanges) (HL_CHANGED_HOVER | HL_CHANGED_PIN))
    update_label (self);
  update_description (self);
}

/*
 * A bar that comes or goes has what scrolls this view ask for room anew. While others give room away, GTK 4.8 can lose that: a
 * child of one that has just got its own is left without, and is not drawn in that frame. After the layout it is heard, and laid
 * out before the frame is drawn.
 */
static void
on_layout_done (HlSceneView *self)
{
  if (!self->adjusts_later)
    return;
  self->adjusts_later = FALSE;
  update_adjustments (self);
}

static void
hl_scene_view_realize (GtkWidget *widget)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);

  GTK_WIDGET_CLASS (hl_scene_view_parent_class)->realize (widget);
  self->after_layout = g_signal_connect_data (gtk_widget_get_frame_clock (widget), "layout",
                                              G_CALLBACK (on_layout_done), self, NULL,
                                              G_CONNECT_AFTER | G_CONNECT_SWAPPED);
}

static void
hl_scene_view_unrealize (GtkWidget *widget)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);

  g_clear_signal_handler (&self->after_layout, gtk_widget_get_frame_clock (widget));
  self->adjusts_later = FALSE;
  GTK_WIDGET_CLASS (hl_scene_view_parent_class)->unrealize (widget);
}

static gboolean
hl_scene_view_grab_focus (GtkWidget *widget)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);

  return self->stand_in != NULL ? gtk_widget_grab_focus (self->stand_in)
                                : GTK_WIDGET_CLASS (hl_scene_view_parent_class)->grab_focus (widget);
}

static void
hl_scene_view_map (GtkWidget *widget)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);

  GTK_WIDGET_CLASS (hl_scene_view_parent_class)->map (widget);
  if (self->runner != NULL)
    hl_scene_runner_set_active (self->runner, TRUE);
}

static void
hl_scene_view_unmap (GtkWidget *widget)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);

  if (self->runner != NULL)
    hl_scene_runner_set_active (self->runner, FALSE);
  GTK_WIDGET_CLASS (hl_scene_view_parent_class)->unmap (widget);
}

static void
hl_scene_view_measure (GtkWidget     *widget,
                       GtkOrientation orientation,
                       int            for_size,
                       int           *minimum,
                       int           *natural,
                       int           *minimum_baseline,
                       int           *natural_baseline)
{
  *minimum = 160;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 640 : 480;
}

static void
hl_scene_view_size_allocate (GtkWidget *widget,
                             int        width,
                             int        height,
                             int        baseline)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);

  self->allocating = TRUE;
  allot_viewport (self);
  update_adjustments (self);
  self->allocating = FALSE;
  hl_scene_menu_present (&self->menu);
}

static void
hl_scene_view_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);
  const float text_scale = (float) hl_text_scale_get (widget);
  const graphene_rect_t bounds =
    GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget) / text_scale, gtk_widget_get_height (widget) / text_scale);

  if (self->scene == NULL || bounds.size.width <= 0 || bounds.size.height <= 0)
    return;
  gtk_snapshot_scale (snapshot, text_scale, text_scale);

  GskRenderer *renderer = gtk_native_get_renderer (gtk_widget_get_native (widget));
  const gboolean in_software = GSK_IS_CAIRO_RENDERER (renderer);
  /* That renderer paints each drawing aside first: there, all parts are one. */
  cairo_t *cr = in_software ? gtk_snapshot_append_cairo (snapshot, &bounds) : NULL;
  for (HlScenePart part = 0; part < G_N_ELEMENTS (self->layers); part++)
    {
      const double opacity = part == HL_SCENE_PICTURE ? hl_scene_get_picture_opacity (self->scene) : 1;
      if (in_software)
        hl_scene_layer_paint (&self->layers[part], self->scene, part, opacity, cr);
      else
        hl_scene_layer_snapshot (&self->layers[part], self->scene, part, opacity, snapshot);
    }
  if (!in_software)
    cr = gtk_snapshot_append_cairo (snapshot, &bounds);
  hl_scene_draw_part (self->scene, cr, HL_SCENE_OVERLAY);
  cairo_destroy (cr);
  hl_scene_pointer_snapshot_link (&self->pointer, snapshot);
}

static gboolean
hl_scene_view_query_tooltip (GtkWidget  *widget,
                             int         x,
                             int         y,
                             gboolean    keyboard,
                             GtkTooltip *tooltip)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);
  HlPick pick;

  if (self->scene == NULL || keyboard)
    return FALSE;
  /* Only swatches need words: tokens and cells are explained by the scene and the panel. */
  hl_scene_pick (self->scene, x / hl_text_scale_get (widget), y / hl_text_scale_get (widget), &pick);
  if (pick.kind != HL_PICK_HEAD)
    return FALSE;
  g_autofree char *text = hl_scene_describe (self->scene, &pick);
  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

/* Looks at what is next in a direction, as the scene has it. */
static void
move_in_scene (HlSceneView *self,
               int          dx,
               int          dy,
               gboolean     to_end)
{
  HlViewState *state = self->view_state;
  const HlPick *hovered = hl_view_state_get_hovered (state);
  HlPick pick = hovered->kind != HL_PICK_NONE ? *hovered : *hl_view_state_get_focus (state);

  hl_scene_move (self->scene, &pick, dx, dy, to_end);
  hl_scene_pointer_let_keyboard_lead (&self->pointer);
  hl_view_state_set_hovered (state, &pick);
  hl_scene_view_scroll_to (self, &pick);
}

/* What becomes of where a key leads: it is pointed at, beside what is pinned, or pinned too. */
enum
{
  POINT,
  EXTEND,
};

static gboolean
move (GtkWidget *widget,
      GVariant  *arguments,
      gpointer   data)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);
  HlPick pick;
  int dx, dy, kind, how;

  g_variant_get (arguments, "(iiii)", &dx, &dy, &kind, &how);
  if (self->scene == NULL)
    return FALSE;
  const HlPick *hovered = hl_view_state_get_hovered (self->view_state);
  if (hl_view_kind_get_traits (hl_view_state_get_options (self->view_state)->view)->walk == HL_WALK_SCENE)
    {
      move_in_scene (self, dx, dy, kind == HL_KEY_MOVE_END);
      return TRUE;
    }
  const HlPick from = *(
    how == POINT && hl_scene_choice_is_token_or_cell (hovered) ? hovered : hl_view_state_get_focus (self->view_state));
  if (!hl_key_move (self->view_state, &from, dx, dy, kind, &pick))
    return TRUE;
  hl_scene_pointer_let_keyboard_lead (&self->pointer);
  /* What the pointer was over is out of mind. */
  hl_view_state_set_hovered (self->view_state, &pick);
  if (how == EXTEND)
    hl_scene_choice_extend_pin (self->view_state, &from, &pick);
  hl_scene_view_scroll_to (self, &pick);
  return TRUE;
}

static gboolean
cancel_link (GtkWidget *widget,
             GVariant  *parameter,
             gpointer   data)
{
  return hl_scene_pointer_cancel_link (&HL_SCENE_VIEW (widget)->pointer);
}

static gboolean
pin_by_key (GtkWidget *widget,
            GVariant  *arguments,
            gpointer   data)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);
  int opens;

  g_variant_get (arguments, "(i)", &opens);
  if (self->scene == NULL)
    return FALSE;
  const HlPick *hovered = hl_view_state_get_hovered (self->view_state);
  if (hovered->kind == HL_PICK_MAP)
    {
      if (opens)
        hl_scene_choice_open_head (self->view_state, hovered, self->pointer.head_view);
      else
        hl_scene_choice_toggle_head (self->view_state, hovered);
      return TRUE;
    }
  /* With nothing in focus, what is chosen is meant. */
  if (opens && hl_view_kind_get_traits (hl_view_state_get_options (self->view_state)->view)->shows_all_heads)
    {
      const HlPick chosen = { HL_PICK_MAP, .head = hl_view_state_get_shown (self->view_state)->head,
                              .layer = hl_view_state_get_shown (self->view_state)->layer };
      hl_scene_choice_open_head (self->view_state, &chosen, self->pointer.head_view);
      return TRUE;
    }
  const HlPick pick =
    *(hl_scene_choice_is_token_or_cell (hovered) ? hovered : hl_view_state_get_focus (self->view_state));
  HlPick pair;
  if (pick.kind == HL_PICK_NONE)
    return FALSE;
  /* Freed by key, it stays in focus. */
  hl_scene_pointer_let_keyboard_lead (&self->pointer);
  hl_view_state_set_hovered (self->view_state, &pick);
  if (opens && has_pairs (self) && hl_view_state_get_pinned (self->view_state)->kind != HL_PICK_CELL &&
      hl_pick_is_token (&pick) && hl_scene_choice_find_pair (self->view_state, &pick, &pair))
    hl_scene_choice_take_pair (widget, self->view_state, &pick);
  else
    hl_scene_choice_toggle_pin (self->view_state, &pick);
  return TRUE;
}

/* The token that is pointed at, or the one in focus. */
static gboolean
gather_by_key (GtkWidget *widget,
               GVariant  *arguments,
               gpointer   data)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);

  if (self->scene == NULL)
    return FALSE;
  const HlPick *hovered = hl_view_state_get_hovered (self->view_state);
  const HlPick pick =
    *(hl_scene_choice_is_token_or_cell (hovered) ? hovered : hl_view_state_get_focus (self->view_state));
  if (!hl_scene_choice_is_token_or_cell (&pick))
    return FALSE;
  hl_scene_pointer_let_keyboard_lead (&self->pointer);
  hl_view_state_gather (self->view_state, &pick);
  return TRUE;
}

static void
bind_move (GtkWidgetClass *widget_class,
           guint           key,
           guint           keypad_key,
           GdkModifierType modifiers,
           int             dx,
           int             dy,
           HlKeyMove       kind,
           int             how)
{
  gtk_widget_class_add_binding (widget_class, key, modifiers, move, "(iiii)", dx, dy, (int) kind, how);
  gtk_widget_class_add_binding (widget_class, keypad_key, modifiers, move, "(iiii)", dx, dy, (int) kind, how);
}

static void
bind_step (GtkWidgetClass *widget_class,
           guint           key,
           guint           keypad_key,
           int             dx,
           int             dy)
{
  bind_move (widget_class, key, keypad_key, 0, dx, dy, HL_KEY_MOVE_STEP, POINT);
  bind_move (widget_class, key, keypad_key, GDK_SHIFT_MASK, dx, dy, HL_KEY_MOVE_STEP, EXTEND);
}

static void
install_keys (GtkWidgetClass *widget_class)
{
  static const guint pin_keys[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter, GDK_KEY_space,
                                    GDK_KEY_KP_Space };

  bind_step (widget_class, GDK_KEY_Up, GDK_KEY_KP_Up, 0, -1);
  bind_step (widget_class, GDK_KEY_Down, GDK_KEY_KP_Down, 0, 1);
  bind_step (widget_class, GDK_KEY_Left, GDK_KEY_KP_Left, -1, 0);
  bind_step (widget_class, GDK_KEY_Right, GDK_KEY_KP_Right, 1, 0);
  bind_move (widget_class, GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, 0, 0, -1, HL_KEY_MOVE_PAGE, POINT);
  bind_move (widget_class, GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, 0, 0, 1, HL_KEY_MOVE_PAGE, POINT);
  bind_move (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, 0, -1, 0, HL_KEY_MOVE_END, POINT);
  bind_move (widget_class, GDK_KEY_End, GDK_KEY_KP_End, 0, 1, 0, HL_KEY_MOVE_END, POINT);
  bind_move (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, GDK_CONTROL_MASK, -1, -1, HL_KEY_MOVE_END, POINT);
  bind_move (widget_class, GDK_KEY_End, GDK_KEY_KP_End, GDK_CONTROL_MASK, 1, 1, HL_KEY_MOVE_END, POINT);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_h, 0, "win.hide-token", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "win.hide-token", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_m, 0, "win.mask-token", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (pin_keys); i++)
    {
      gtk_widget_class_add_binding (widget_class, pin_keys[i], 0, pin_by_key, "(i)", i < N_ENTER_KEYS);
      gtk_widget_class_add_binding (widget_class, pin_keys[i], GDK_CONTROL_MASK, gather_by_key, NULL);
    }
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, cancel_link, NULL);
}

static gboolean
open_menu_by_key (GtkWidget *widget,
                  GVariant  *arguments,
                  gpointer   data)
{
  return hl_scene_menu_open_at_focus (&HL_SCENE_VIEW (widget)->menu);
}

/* What the menu was opened at; the scene may have gone since. */
static gboolean
get_menu_pick (HlSceneView *self,
               HlPick      *pick)
{
  if (self->scene == NULL)
    return FALSE;
  *pick = *hl_view_state_get_hovered (self->view_state);
  return hl_scene_choice_is_token_or_cell (pick);
}

static void
pin (GtkWidget  *widget,
     const char *action,
     GVariant   *parameter)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);
  HlPick pick;

  if (get_menu_pick (self, &pick))
    hl_scene_choice_toggle_pin (self->view_state, &pick);
}

static void
gather (GtkWidget  *widget,
        const char *action,
        GVariant   *parameter)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);
  HlPick pick;

  if (get_menu_pick (self, &pick))
    hl_view_state_gather (self->view_state, &pick);
}

static void
find_heads (GtkWidget  *widget,
            const char *action,
            GVariant   *parameter)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);
  HlPick pick;

  if (get_menu_pick (self, &pick))
    hl_scene_choice_take_pair (widget, self->view_state, &pick);
}

static void
install_menu (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "scene.pin", NULL, pin);
  gtk_widget_class_install_action (widget_class, "scene.gather", NULL, gather);
  gtk_widget_class_install_action (widget_class, "scene.find-heads", NULL, find_heads);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, open_menu_by_key, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, open_menu_by_key, NULL);
}

static void
hl_scene_view_dispose (GObject *object)
{
  HlSceneView *self = HL_SCENE_VIEW (object);

  hl_scene_menu_clear (&self->menu);
  g_clear_weak_pointer (&self->stand_in);
  hl_scene_view_set_view_state (self, NULL);
  set_adjustment (self, &self->hadjustment, NULL);
  set_adjustment (self, &self->vadjustment, NULL);
  G_OBJECT_CLASS (hl_scene_view_parent_class)->dispose (object);
}

static void
hl_scene_view_get_property (GObject    *object,
                            guint       id,
                            GValue     *value,
                            GParamSpec *pspec)
{
  HlSceneView *self = HL_SCENE_VIEW (object);

  switch (id)
    {
    case PROP_VIEW_STATE:
      g_value_set_object (value, self->view_state);
      break;
    case PROP_SCENE:
      g_value_set_object (value, self->scene);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value, hl_scene_view_get_busy (self));
      break;
    case PROP_HADJUSTMENT:
      g_value_set_object (value, self->hadjustment);
      break;
    case PROP_VADJUSTMENT:
      g_value_set_object (value, self->vadjustment);
      break;
    case PROP_HSCROLL_POLICY:
      g_value_set_enum (value, self->hscroll_policy);
      break;
    case PROP_VSCROLL_POLICY:
      g_value_set_enum (value, self->vscroll_policy);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_scene_view_set_property (GObject      *object,
                            guint         id,
                            const GValue *value,
                            GParamSpec   *pspec)
{
  HlSceneView *self = HL_SCENE_VIEW (object);

  switch (id)
    {
    case PROP_VIEW_STATE:
      hl_scene_view_set_view_state (self, g_value_get_object (value));
      break;
    case PROP_HADJUSTMENT:
      set_adjustment (self, &self->hadjustment, g_value_get_object (value));
      break;
    case PROP_VADJUSTMENT:
      set_adjustment (self, &self->vadjustment, g_value_get_object (value));
      break;
    case PROP_HSCROLL_POLICY:
      self->hscroll_policy = g_value_get_enum (value);
      break;
    case PROP_VSCROLL_POLICY:
      self->vscroll_policy = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_scene_view_class_init (HlSceneViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = hl_scene_view_dispose;
  object_class->get_property = hl_scene_view_get_property;
  object_class->set_property = hl_scene_view_set_property;
  widget_class->realize = hl_scene_view_realize;
  widget_class->unrealize = hl_scene_view_unrealize;
  widget_class->grab_focus = hl_scene_view_grab_focus;
  widget_class->map = hl_scene_view_map;
  widget_class->unmap = hl_scene_view_unmap;
  widget_class->measure = hl_scene_view_measure;
  widget_class->size_allocate = hl_scene_view_size_allocate;
  widget_class->snapshot = hl_scene_view_snapshot;
  widget_class->query_tooltip = hl_scene_view_query_tooltip;

  properties[PROP_VIEW_STATE] =
    g_param_spec_object ("view-state", NULL, NULL, HL_TYPE_VIEW_STATE,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SCENE] = g_param_spec_object ("scene", NULL, NULL, HL_TYPE_SCENE, readable);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, readable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");

  /* The scene is complete, or cannot be: see hl_scene_view_get_error(). */
  signals[FINISHED] =
    g_signal_new ("finished", HL_TYPE_SCENE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /* Zoom, scroll or room may be others. */
  signals[MOVED] = g_signal_new ("moved", HL_TYPE_SCENE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  install_keys (widget_class);
  install_menu (widget_class);
  gtk_widget_class_set_css_name (widget_class, "sceneview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
hl_scene_view_init (HlSceneView *self)
{
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_focus_on_click (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (allot_viewport), NULL);
  g_signal_connect_object (gtk_widget_get_settings (GTK_WIDGET (self)), "notify::gtk-xft-dpi",
                           G_CALLBACK (allot_viewport), self, G_CONNECT_SWAPPED);
  hl_scene_pointer_init (&self->pointer, GTK_WIDGET (self));
  hl_scene_menu_init (&self->menu, &self->pointer);
}

HlViewState *
hl_scene_view_get_view_state (HlSceneView *self)
{
  g_return_val_if_fail (HL_IS_SCENE_VIEW (self), NULL);
  return self->view_state;
}

void
hl_scene_view_set_view_state (HlSceneView *self,
                              HlViewState *view_state)
{
  g_return_if_fail (HL_IS_SCENE_VIEW (self));
  g_return_if_fail (view_state == NULL || HL_IS_VIEW_STATE (view_state));

  if (self->view_state == view_state)
    return;
  leave_scene (self);
  for (guint i = 0; i < G_N_ELEMENTS (self->runners); i++)
    g_clear_object (&self->runners[i]);
  if (self->view_state != NULL)
    g_signal_handlers_disconnect_by_data (self->view_state, self);
  g_set_object (&self->view_state, view_state);
  if (view_state != NULL)
    {
      g_signal_connect_swapped (view_state, "changed", G_CALLBACK (on_state_changed), self);
      enter_scene (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VIEW_STATE]);
}

/* While something else is seen in its place, that has the keyboard; NULL where it is seen itself. */
void
hl_scene_view_set_stand_in (HlSceneView *self,
                            GtkWidget   *stand_in)
{
  g_return_if_fail (HL_IS_SCENE_VIEW (self));
  g_return_if_fail (stand_in == NULL || GTK_IS_WIDGET (stand_in));

  if (self->stand_in == stand_in)
    return;
  GtkWidget *before = self->stand_in != NULL ? self->stand_in : GTK_WIDGET (self);
  const gboolean has_focus = gtk_widget_has_focus (before);

  g_set_weak_pointer (&self->stand_in, stand_in);
  gtk_widget_set_focusable (GTK_WIDGET (self), stand_in == NULL);
  if (has_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

/* Whether it is being given its room: scroll bars of others, which may have theirs already, must not be moved then. */
gboolean
hl_scene_view_get_allocating (HlSceneView *self)
{
  g_return_val_if_fail (HL_IS_SCENE_VIEW (self), FALSE);
  return self->allocating;
}

HlScene *
hl_scene_view_get_scene (HlSceneView *self)
{
  g_return_val_if_fail (HL_IS_SCENE_VIEW (self), NULL);
  return self->scene;
}

gboolean
hl_scene_view_get_busy (HlSceneView *self)
{
  g_return_val_if_fail (HL_IS_SCENE_VIEW (self), FALSE);
  return self->runner != NULL && hl_scene_runner_get_busy (self->runner);
}

/* How far the work is that the scene waits for, if it tells; NULL without a scene. */
HlProgress *
hl_scene_view_get_progress (HlSceneView *self)
{
  g_return_val_if_fail (HL_IS_SCENE_VIEW (self), NULL);
  return self->runner != NULL ? hl_scene_runner_get_progress (self->runner) : NULL;
}

const char *
hl_scene_view_get_error (HlSceneView *self)
{
  g_return_val_if_fail (HL_IS_SCENE_VIEW (self), NULL);

  const GError *error = self->runner != NULL ? hl_scene_runner_get_error (self->runner) : NULL;
  /* What waits for a run that was stopped is told elsewhere. */
  return error != NULL && !g_error_matches (error, HL_ERROR, HL_ERROR_NOT_COMPUTED) ? error->message : NULL;
}

/* At the pointer when that is over the view, otherwise at the middle. */
void
hl_scene_view_zoom (HlSceneView *self,
                    double       factor)
{
  g_return_if_fail (HL_IS_SCENE_VIEW (self));

  hl_scene_pointer_zoom (&self->pointer, factor);
}

void
hl_scene_view_fit (HlSceneView *self)
{
  g_return_if_fail (HL_IS_SCENE_VIEW (self));

  if (self->scene == NULL)
    return;
  hl_scene_fit (self->scene);
  hl_scene_pointer_pick_again (&self->pointer);
}

/* How far to scroll along one axis so that a stretch is in view, with some room around it. */
static double
get_correction (double position,
                double size,
                double page)
{
  const double room = MIN (2 * size, page / 4);

  /* A whole row or column is in view from side to side. */
  if (position <= 0 && position + size >= page)
    return 0;
  /* Far away, to the middle, where one sees what is around it. */
  if (position + size < -page / 2 || position > 1.5 * page)
    return position + size / 2 - page / 2;
  if (position - room < 0)
    return position - room;
  if (position + size + room > page)
    return position + size + room - page;
  return 0;
}

void
hl_scene_view_scroll_to (HlSceneView  *self,
                         const HlPick *pick)
{
  cairo_rectangle_t window;
  double x, y, width, height, scroll_x, scroll_y;

  g_return_if_fail (HL_IS_SCENE_VIEW (self));

  if (!hl_scene_locate (self->scene, pick, &x, &y, &width, &height))
    return;
  hl_scene_get_window (self->scene, &window);
  hl_scene_get_scroll (self->scene, &scroll_x, &scroll_y);
  hl_scene_set_scroll (self->scene, round (scroll_x + get_correction (x - window.x, width, window.width)),
                       round (scroll_y + get_correction (y - window.y, height, window.height)));
}

/* Goes back to where a scene of the same view was. */
void
hl_scene_view_go_to (HlSceneView *self,
                     double       zoom,
                     double       scroll_x,
                     double       scroll_y)
{
  g_return_if_fail (HL_IS_SCENE_VIEW (self));
  g_return_if_fail (self->scene != NULL);

  hl_scene_set_zoom (self->scene, zoom);
  hl_scene_set_scroll (self->scene, scroll_x, scroll_y);
}

/* Whether it tells on cards of heads that are pointed at; not where a panel does. */
void
hl_scene_view_set_has_cards (HlSceneView *self,
                             gboolean     has_cards)
{
  g_return_if_fail (HL_IS_SCENE_VIEW (self));

  self->has_no_cards = !has_cards;
  if (self->scene != NULL)
    hl_scene_set_has_cards (self->scene, has_cards);
}
