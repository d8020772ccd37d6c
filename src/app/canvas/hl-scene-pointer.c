/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/canvas/hl-scene-pointer.h"

#include "app/base/hl-text-scale.h"
#include "app/canvas/hl-scene-choice.h"

#include <math.h>

/* One click of the wheel: three of them double. */
#define ZOOM_STEP 1.26

/* Of the line, and of the dots at its ends. */
#define LINE_WIDTH 2
#define DOT_RADIUS 4

static HlViewState *
get_state (HlScenePointer *self)
{
  return hl_scene_get_state (self->scene);
}

/* A point of the widget as one of the scene, which is seen larger where text is. */
static void
to_scene (HlScenePointer *self,
          double         *x,
          double         *y)
{
  const double text_scale = hl_text_scale_get (self->widget);

  *x /= text_scale;
  *y /= text_scale;
}

static gboolean
can_pan (HlScenePointer *self)
{
  double width, height, page_width, page_height;

  if (self->scene == NULL)
    return FALSE;
  hl_scene_measure (self->scene, &width, &height);
  hl_scene_get_viewport (self->scene, &page_width, &page_height, NULL);
  return width > page_width || height > page_height;
}

static void
update_cursor (HlScenePointer *self,
               const HlPick   *pick)
{
  const char *name = NULL;

  if (self->dragging)
    name = "grabbing";
  else if (pick->kind == HL_PICK_HEAD || pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_KEY ||
           pick->kind == HL_PICK_MAP)
    name = "pointer";
  else if (can_pan (self) && pick->kind == HL_PICK_CELL)
    name = "grab";
  gtk_widget_set_cursor_from_name (self->widget, name);
}

static void
hover (HlScenePointer *self)
{
  HlPick pick = { HL_PICK_NONE };

  /* What a line is drawn to is in focus then. */
  if (self->scene == NULL || self->linking)
    return;
  if (self->inside && !self->dragging)
    hl_scene_pick (self->scene, self->x, self->y, &pick);
  hl_view_state_set_hovered (get_state (self), &pick);
  update_cursor (self, &pick);
}

/* The content moved under a resting pointer. What the keyboard chose is left alone. */
void
hl_scene_pointer_pick_again (HlScenePointer *self)
{
  if (self->leads && self->inside)
    hover (self);
}

static void
zoom_at (HlScenePointer *self,
         double          factor,
         double          x,
         double          y)
{
  if (self->scene == NULL || !hl_scene_can_zoom (self->scene))
    return;
  hl_scene_zoom (self->scene, factor, x, y);
  hl_scene_pointer_pick_again (self);
}

/* Zooms at the pointer when that is over the view, otherwise at the middle. */
void
hl_scene_pointer_zoom (HlScenePointer *self,
                       double          factor)
{
  const gboolean at_pointer = self->inside && self->leads;
  double x = gtk_widget_get_width (self->widget) / 2.0, y = gtk_widget_get_height (self->widget) / 2.0;

  to_scene (self, &x, &y);
  zoom_at (self, factor, at_pointer ? self->x : x, at_pointer ? self->y : y);
}

static gboolean
get_pointer (HlScenePointer *self,
             double         *x,
             double         *y)
{
  GdkSurface *surface = gtk_native_get_surface (gtk_widget_get_native (self->widget));
  GdkSeat *seat = gdk_display_get_default_seat (gtk_widget_get_display (self->widget));
  GdkDevice *pointer = seat != NULL ? gdk_seat_get_pointer (seat) : NULL;

  return pointer != NULL && gdk_surface_get_device_position (surface, pointer, x, y, NULL);
}

/* What the keyboard chose stays until the pointer is moved from where it is now. */
void
hl_scene_pointer_let_keyboard_lead (HlScenePointer *self)
{
  self->leads = FALSE;
  if (!get_pointer (self, &self->rest_x, &self->rest_y))
    self->rest_x = self->rest_y = -1;
}

/* Whether it is elsewhere than when the keyboard took the lead. */
gboolean
hl_scene_pointer_has_moved (HlScenePointer *self)
{
  double x, y;

  return get_pointer (self, &x, &y) && (fabs (x - self->rest_x) >= 1 || fabs (y - self->rest_y) >= 1);
}

/* What it is over counts again, or nothing where it is elsewhere. */
void
hl_scene_pointer_take_lead (HlScenePointer *self)
{
  self->leads = TRUE;
  hover (self);
}

/* Whenever something is laid out, GTK tells what is under the pointer anew, with the last event or none: that is no
 * movement. */
static gboolean
rests (HlScenePointer     *self,
       GtkEventController *controller)
{
  GdkEvent *event = gtk_event_controller_get_current_event (controller);
  double x, y;

  if (event == NULL || !gdk_event_get_position (event, &x, &y))
    return TRUE;
  return fabs (x - self->rest_x) < 1 && fabs (y - self->rest_y) < 1;
}

static void
on_motion (HlScenePointer     *self,
           double              x,
           double              y,
           GtkEventController *controller)
{
  self->inside = TRUE;
  to_scene (self, &x, &y);
  self->x = x;
  self->y = y;
  if (self->held || (!self->leads && rests (self, controller)))
    return;
  self->leads = TRUE;
  hover (self);
}

static void
on_leave (HlScenePointer *self)
{
  self->inside = FALSE;
  if (self->leads)
    hover (self);
}

static void
on_pressed (HlScenePointer  *self,
            int              n_press,
            double           x,
            double           y,
            GtkGestureClick *click)
{
  gtk_widget_grab_focus (self->widget);
}

/* Twice the same head in the time of a double click. GtkGestureClick (4.8) also counts a click elsewhere just before,
 * and then never comes to two. */
static void
click_head (HlScenePointer *self,
            guint           head,
            guint32         time)
{
  const HlShown *shown = hl_view_state_get_shown (get_state (self));
  const guint n_heads = hl_view_state_get_n_heads (get_state (self));
  int double_click_time;

  /* A guest that is clicked goes, and another stands where it was. */
  if (head >= n_heads && !shown->merges_layers)
    {
      self->clicked_time = 0;
      if (head - n_heads < shown->n_others)
        hl_view_state_toggle_head_of (get_state (self), shown->others[head - n_heads].layer,
                                      shown->others[head - n_heads].head);
      return;
    }
  g_object_get (gtk_widget_get_settings (self->widget), "gtk-double-click-time", &double_click_time, NULL);
  const gboolean again = self->clicked_time != 0 && head == self->clicked_head &&
                         time - self->clicked_time <= (guint32) double_click_time;
  self->clicked_head = head;
  self->clicked_time = again ? 0 : time;
  if (again && !shown->merges_heads)
    hl_view_state_go_to_shown (get_state (self), shown->layer, head);
  else if (again)
    hl_view_state_go_to (get_state (self), hl_view_state_get_layer (get_state (self)), head);
  else
    hl_view_state_toggle_head (get_state (self), head);
}

static void
on_released (HlScenePointer  *self,
             int              n_press,
             double           x,
             double           y,
             GtkGestureClick *click)
{
  const GdkModifierType modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click));
  HlPick pick;

  if (self->scene == NULL)
    return;
  to_scene (self, &x, &y);
  hl_scene_pick (self->scene, x, y, &pick);
  if (pick.kind == HL_PICK_HEAD)
    click_head (self, pick.head, gtk_event_controller_get_current_event_time (GTK_EVENT_CONTROLLER (click)));
  else if (pick.kind == HL_PICK_MAP && (modifiers & GDK_CONTROL_MASK) != 0)
    hl_scene_choice_toggle_head (get_state (self), &pick);
  else if (pick.kind == HL_PICK_MAP)
    hl_scene_choice_open_head (get_state (self), &pick, self->head_view);
  else if (hl_scene_choice_is_token_or_cell (&pick) && (modifiers & GDK_SHIFT_MASK) != 0)
    hl_scene_choice_take_pair (self->widget, get_state (self), &pick);
  else if (hl_scene_choice_is_token_or_cell (&pick) && (modifiers & GDK_CONTROL_MASK) != 0)
    hl_view_state_gather (get_state (self), &pick);
  else if (hl_scene_choice_is_token_or_cell (&pick))
    hl_scene_choice_toggle_pin (get_state (self), &pick);
}

/* The token there, of those that have others on another side. */
static gboolean
find_token (HlScenePointer *self,
            double          x,
            double          y,
            HlPick         *pick)
{
  if (self->scene == NULL ||
      !hl_view_kind_get_traits (hl_view_state_get_options (get_state (self))->view)->links_tokens)
    return FALSE;
  hl_scene_pick (self->scene, x, y, pick);
  return hl_pick_is_token (pick);
}

static void
on_drag_begin (HlScenePointer *self,
               double          x,
               double          y,
               GtkGestureDrag *drag)
{
  HlPick pick;

  to_scene (self, &x, &y);
  if (!can_pan (self) || find_token (self, x, y, &pick))
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  hl_scene_get_scroll (self->scene, &self->drag_x, &self->drag_y);
}

static void
on_drag_update (HlScenePointer *self,
                double          dx,
                double          dy,
                GtkGestureDrag *drag)
{
  if (self->scene == NULL)
    return;
  if (!self->dragging)
    {
      if (!gtk_drag_check_threshold (self->widget, 0, 0, (int) dx, (int) dy))
        return;
      self->dragging = TRUE;
      /* From here on it is no click. */
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
      hover (self);
    }
  to_scene (self, &dx, &dy);
  const double scale = gtk_widget_get_scale_factor (self->widget) * hl_text_scale_get (self->widget);
  hl_scene_set_scroll (self->scene, round ((self->drag_x - dx) * scale) / scale,
                       round ((self->drag_y - dy) * scale) / scale);
}

static void
on_drag_end (HlScenePointer *self)
{
  if (!self->dragging)
    return;
  self->dragging = FALSE;
  hover (self);
}

/* What can only be moved to the side moves with the wheel all the same, forth along the text. */
static gboolean
scroll_across (HlScenePointer *self,
               double          dy)
{
  double width, height, page_width, page_height, x, y;

  if (self->scene == NULL)
    return FALSE;
  hl_scene_measure (self->scene, &width, &height);
  hl_scene_get_viewport (self->scene, &page_width, &page_height, NULL);
  if (dy == 0 || height > page_height || width <= page_width)
    return FALSE;
  hl_scene_get_progress (self->scene, &x, &y);
  hl_scene_set_progress (self->scene, round (x + dy * pow (page_width, 2.0 / 3)), y);
  hl_scene_pointer_pick_again (self);
  return TRUE;
}

static gboolean
on_scroll (HlScenePointer           *self,
           double                    dx,
           double                    dy,
           GtkEventControllerScroll *scroll)
{
  const GdkModifierType modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll));

  if ((modifiers & GDK_CONTROL_MASK) == 0)
    return scroll_across (self, dy);
  if (dy != 0)
    zoom_at (self, pow (ZOOM_STEP, -dy), self->x, self->y);
  return TRUE;
}

static void
on_pinch_begin (HlScenePointer *self)
{
  self->pinch_scale = 1;
}

static void
on_pinch (HlScenePointer *self,
          double          scale,
          GtkGestureZoom *pinch)
{
  double x, y;

  if (scale <= 0 || !gtk_gesture_get_bounding_box_center (GTK_GESTURE (pinch), &x, &y))
    return;
  to_scene (self, &x, &y);
  zoom_at (self, scale / self->pinch_scale, x, y);
  self->pinch_scale = scale;
}

/* What is in focus while the line ends there: the pair, or the token that it came from. */
static void
find_link_target (HlScenePointer *self,
                  HlPick         *target)
{
  const HlPick *from = &self->link_from;
  HlPick pick;

  *target = *from;
  if (!find_token (self, self->link_x[1], self->link_y[1], &pick) || pick.kind == from->kind)
    return;
  *target = (HlPick){ HL_PICK_CELL };
  target->tokens[hl_pick_get_side (from)] = from->tokens[hl_pick_get_side (from)];
  target->tokens[hl_pick_get_side (&pick)] = pick.tokens[hl_pick_get_side (&pick)];
}

static void
finish_link (HlScenePointer *self)
{
  self->linking = FALSE;
  gtk_widget_queue_draw (self->widget);
  /* A pointer that left meanwhile has left the token behind, too. */
  if (self->inside)
    hl_scene_pointer_pick_again (self);
  else if (self->scene != NULL)
    hl_view_state_set_hovered (get_state (self), NULL);
}

static void
on_link_begin (HlScenePointer *self,
               double          x,
               double          y,
               GtkGestureDrag *drag)
{
  self->linking = FALSE;
  to_scene (self, &x, &y);
  if (!find_token (self, x, y, &self->link_from))
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  self->link_x[0] = x;
  self->link_y[0] = y;
}

static void
on_link_update (HlScenePointer *self,
                double          dx,
                double          dy,
                GtkGestureDrag *drag)
{
  HlPick target;

  if (self->scene == NULL)
    return;
  if (!self->linking)
    {
      if (!gtk_drag_check_threshold (self->widget, 0, 0, (int) dx, (int) dy))
        return;
      self->linking = TRUE;
      self->leads = TRUE;
      /* From here on it is no click. */
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
    }
  to_scene (self, &dx, &dy);
  self->link_x[1] = self->link_x[0] + dx;
  self->link_y[1] = self->link_y[0] + dy;
  find_link_target (self, &target);
  hl_view_state_set_hovered (get_state (self), &target);
  gtk_widget_queue_draw (self->widget);
}

static void
on_link_end (HlScenePointer *self)
{
  HlPick target;

  if (!self->linking || self->scene == NULL)
    return;
  find_link_target (self, &target);
  finish_link (self);
  if (target.kind == HL_PICK_CELL)
    hl_scene_choice_take_pair (self->widget, get_state (self), &target);
}

static void
on_link_cancel (HlScenePointer *self)
{
  if (self->linking)
    finish_link (self);
}

/* Lets go of a line that is being drawn; the button may still be held. */
gboolean
hl_scene_pointer_cancel_link (HlScenePointer *self)
{
  if (!self->linking)
    return FALSE;
  finish_link (self);
  gtk_event_controller_reset (self->link);
  return TRUE;
}

/* The line as far as it has come, over everything else, in pixels of the scene. */
void
hl_scene_pointer_snapshot_link (HlScenePointer *self,
                                GtkSnapshot    *snapshot)
{
  double width = gtk_widget_get_width (self->widget), height = gtk_widget_get_height (self->widget);
  GdkRGBA colour = { 0, 0, 0, 1 };

  if (!self->linking)
    return;
  gtk_style_context_lookup_color (gtk_widget_get_style_context (self->widget), "accent_color", &colour);
  to_scene (self, &width, &height);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  gdk_cairo_set_source_rgba (cr, &colour);
  cairo_set_line_width (cr, LINE_WIDTH);
  cairo_move_to (cr, self->link_x[0], self->link_y[0]);
  cairo_line_to (cr, self->link_x[1], self->link_y[1]);
  cairo_stroke (cr);
  for (guint i = 0; i < 2; i++)
    {
      cairo_arc (cr, self->link_x[i], self->link_y[i], DOT_RADIUS, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  cairo_destroy (cr);
}

void
hl_scene_pointer_init (HlScenePointer *self,
                       GtkWidget      *widget)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();
  GtkGesture *link = gtk_gesture_drag_new ();

  self->widget = widget;
  self->link = GTK_EVENT_CONTROLLER (link);
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);

  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);

  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect_swapped (click, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));

  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));

  g_signal_connect_swapped (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));

  g_signal_connect_swapped (link, "drag-begin", G_CALLBACK (on_link_begin), self);
  g_signal_connect_swapped (link, "drag-update", G_CALLBACK (on_link_update), self);
  g_signal_connect_swapped (link, "drag-end", G_CALLBACK (on_link_end), self);
  g_signal_connect_swapped (link, "cancel", G_CALLBACK (on_link_cancel), self);
  gtk_widget_add_controller (widget, self->link);
}
