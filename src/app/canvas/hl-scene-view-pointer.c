/* SPDX-License-Identifier: MIT */
/* What the pointer, the wheel and fingers do in a scene view. */
#include "config.h"

#include "app/canvas/hl-scene-view-private.h"

#include <math.h>

/* One click of the wheel: three of them double. */
#define ZOOM_STEP 1.26

gboolean
hl_scene_view_is_token_or_cell (const HlPick *pick)
{
  return pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_KEY || pick->kind == HL_PICK_CELL;
}

static void
update_cursor (HlSceneView  *self,
               const HlPick *pick)
{
  const char *name = NULL;

  if (self->dragging)
    name = "grabbing";
  else if (pick->kind == HL_PICK_HEAD || pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_KEY ||
           pick->kind == HL_PICK_MAP)
    name = "pointer";
  else if (hl_scene_view_can_pan (self) && pick->kind == HL_PICK_CELL)
    name = "grab";
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), name);
}

static void
hover (HlSceneView *self)
{
  HlPick pick = { HL_PICK_NONE };

  /* What a line is drawn to is in focus then. */
  if (self->scene == NULL || self->linking)
    return;
  if (self->pointer_inside && !self->dragging)
    hl_scene_pick (self->scene, self->pointer_x, self->pointer_y, &pick);
  hl_view_state_set_hovered (self->view_state, &pick);
  update_cursor (self, &pick);
}

/* The content moved under a resting pointer. What the keyboard chose is left alone. */
void
hl_scene_view_pick_again (HlSceneView *self)
{
  if (self->pointer_leads && self->pointer_inside)
    hover (self);
}

static gboolean
get_pointer (HlSceneView *self,
             double      *x,
             double      *y)
{
  GdkSurface *surface = gtk_native_get_surface (gtk_widget_get_native (GTK_WIDGET (self)));
  GdkSeat *seat = gdk_display_get_default_seat (gtk_widget_get_display (GTK_WIDGET (self)));
  GdkDevice *pointer = seat != NULL ? gdk_seat_get_pointer (seat) : NULL;

  return pointer != NULL && gdk_surface_get_device_position (surface, pointer, x, y, NULL);
}

/* What the keyboard chose stays until the pointer is moved from where it is now. */
void
hl_scene_view_let_keyboard_lead (HlSceneView *self)
{
  self->pointer_leads = FALSE;
  if (!get_pointer (self, &self->rest_x, &self->rest_y))
    self->rest_x = self->rest_y = -1;
}

/* Whenever something is laid out, GTK tells what is under the pointer anew, with the last event or none: that is no
 * movement. */
static gboolean
rests (HlSceneView        *self,
       GtkEventController *controller)
{
  GdkEvent *event = gtk_event_controller_get_current_event (controller);
  double x, y;

  if (event == NULL || !gdk_event_get_position (event, &x, &y))
    return TRUE;
  return fabs (x - self->rest_x) < 1 && fabs (y - self->rest_y) < 1;
}

static void
on_motion (HlSceneView        *self,
           double              x,
           double              y,
           GtkEventController *controller)
{
  self->pointer_inside = TRUE;
  self->pointer_x = x;
  self->pointer_y = y;
  if (self->menu_open || (!self->pointer_leads && rests (self, controller)))
    return;
  self->pointer_leads = TRUE;
  hover (self);
}

static void
on_leave (HlSceneView *self)
{
  self->pointer_inside = FALSE;
  if (self->pointer_leads)
    hover (self);
}

static void
on_pressed (HlSceneView     *self,
            int              n_press,
            double           x,
            double           y,
            GtkGestureClick *click)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

/* Twice the same head in the time of a double click. GtkGestureClick (4.8) also counts a click elsewhere just before,
 * and then never comes to two. */
static void
click_head (HlSceneView *self,
            guint        head,
            guint32      time)
{
  const guint n_heads = hl_view_state_get_n_heads (self->view_state);
  int double_click_time;

  /* A guest that is clicked goes, and another stands where it was. */
  if (head >= n_heads)
    {
      HlGuests guests;

      self->clicked_time = 0;
      hl_view_state_get_shown_guests (self->view_state, &guests);
      if (head - n_heads < guests.n)
        hl_view_state_toggle_head_of (self->view_state, guests.heads[head - n_heads].layer,
                                      guests.heads[head - n_heads].head);
      return;
    }
  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-double-click-time", &double_click_time, NULL);
  const gboolean again = self->clicked_time != 0 && head == self->clicked_head &&
                         time - self->clicked_time <= (guint32) double_click_time;
  self->clicked_head = head;
  self->clicked_time = again ? 0 : time;
  if (again)
    hl_view_state_isolate_head (self->view_state, head);
  else
    hl_view_state_toggle_head (self->view_state, head);
}

static void
on_released (HlSceneView     *self,
             int              n_press,
             double           x,
             double           y,
             GtkGestureClick *click)
{
  const GdkModifierType modifiers = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click));
  HlPick pick;

  if (self->scene == NULL)
    return;
  hl_scene_pick (self->scene, x, y, &pick);
  if (pick.kind == HL_PICK_HEAD)
    click_head (self, pick.head, gtk_event_controller_get_current_event_time (GTK_EVENT_CONTROLLER (click)));
  else if (pick.kind == HL_PICK_MAP && (modifiers & GDK_CONTROL_MASK) != 0)
    hl_scene_view_choose_map (self, &pick);
  else if (pick.kind == HL_PICK_MAP)
    hl_scene_view_open_map (self, &pick);
  else if (hl_scene_view_is_token_or_cell (&pick) && (modifiers & GDK_SHIFT_MASK) != 0)
    hl_scene_view_pick_pair (self, &pick);
  else if (hl_scene_view_is_token_or_cell (&pick))
    hl_scene_view_toggle_pin (self, &pick);
}

static void
on_drag_begin (HlSceneView    *self,
               double          x,
               double          y,
               GtkGestureDrag *drag)
{
  if (!hl_scene_view_can_pan (self) || hl_scene_view_can_link (self, x, y))
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  hl_scene_get_scroll (self->scene, &self->drag_x, &self->drag_y);
}

static void
on_drag_update (HlSceneView    *self,
                double          dx,
                double          dy,
                GtkGestureDrag *drag)
{
  if (self->scene == NULL)
    return;
  if (!self->dragging)
    {
      if (!gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
        return;
      self->dragging = TRUE;
      /* From here on it is no click. */
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
      hover (self);
    }
  const double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  hl_scene_set_scroll (self->scene, round ((self->drag_x - dx) * scale) / scale,
                       round ((self->drag_y - dy) * scale) / scale);
}

static void
on_drag_end (HlSceneView *self)
{
  if (!self->dragging)
    return;
  self->dragging = FALSE;
  hover (self);
}

/* What can only be moved to the side moves with the wheel all the same, forth along the text. */
static gboolean
scroll_across (HlSceneView *self,
               double       dy)
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
  hl_scene_view_pick_again (self);
  return TRUE;
}

static gboolean
on_scroll (HlSceneView              *self,
           double                    dx,
           double                    dy,
           GtkEventControllerScroll *scroll)
{
  const GdkModifierType modifiers =
    gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll));

  if ((modifiers & GDK_CONTROL_MASK) == 0)
    return scroll_across (self, dy);
  if (dy != 0)
    hl_scene_view_zoom_at (self, pow (ZOOM_STEP, -dy), self->pointer_x, self->pointer_y);
  return TRUE;
}

static void
on_pinch_begin (HlSceneView *self)
{
  self->pinch_scale = 1;
}

static void
on_pinch (HlSceneView    *self,
          double          scale,
          GtkGestureZoom *pinch)
{
  double x, y;

  if (scale <= 0 || !gtk_gesture_get_bounding_box_center (GTK_GESTURE (pinch), &x, &y))
    return;
  hl_scene_view_zoom_at (self, scale / self->pinch_scale, x, y);
  self->pinch_scale = scale;
}

void
hl_scene_view_init_pointer (HlSceneView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll =
    gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

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
}
