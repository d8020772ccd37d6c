/* SPDX-License-Identifier: MIT */
/* A line that is drawn from a token to one of the other side: a pair, as two tokens that are picked one after the
 * other. */
#include "config.h"

#include "app/canvas/hl-scene-view-private.h"

#include <adwaita.h>

/* Of the line, and of the dots at its ends. */
#define LINE_WIDTH 2
#define DOT_RADIUS 4

/* The token there, of those that have others on another side. */
static gboolean
find_token (HlSceneView *self,
            double       x,
            double       y,
            HlPick      *pick)
{
  if (self->scene == NULL || hl_view_state_get_view (self->view_state) != HL_VIEW_HEAD_VIEW)
    return FALSE;
  hl_scene_pick (self->scene, x, y, pick);
  return pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_KEY;
}

/* Whether a line can begin there, which the picture then does not move with. */
gboolean
hl_scene_view_can_link (HlSceneView *self,
                        double       x,
                        double       y)
{
  HlPick pick;

  return find_token (self, x, y, &pick);
}

/* What is in focus while the line ends there: the pair, or the token that it came from. */
static void
find_target (HlSceneView *self,
             HlPick      *target)
{
  const HlPick *from = &self->link_from;
  HlPick pick;

  *target = *from;
  if (!find_token (self, self->link_x[1], self->link_y[1], &pick) || pick.kind == from->kind)
    return;
  *target = (HlPick){ HL_PICK_CELL, .query = from->kind == HL_PICK_QUERY ? from->query : pick.query,
                      .key = from->kind == HL_PICK_KEY ? from->key : pick.key };
}

static void
finish (HlSceneView *self)
{
  self->linking = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  /* A pointer that left meanwhile has left the token behind, too. */
  if (self->pointer_inside)
    hl_scene_view_pick_again (self);
  else
    hl_view_state_set_hovered (self->view_state, NULL);
}

static void
on_begin (HlSceneView    *self,
          double          x,
          double          y,
          GtkGestureDrag *drag)
{
  self->linking = FALSE;
  if (!find_token (self, x, y, &self->link_from))
    {
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  self->link_x[0] = x;
  self->link_y[0] = y;
}

static void
on_update (HlSceneView    *self,
           double          dx,
           double          dy,
           GtkGestureDrag *drag)
{
  HlPick target;

  if (!self->linking)
    {
      if (!gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
        return;
      self->linking = TRUE;
      self->pointer_leads = TRUE;
      /* From here on it is no click. */
      gtk_gesture_set_state (GTK_GESTURE (drag), GTK_EVENT_SEQUENCE_CLAIMED);
    }
  self->link_x[1] = self->link_x[0] + dx;
  self->link_y[1] = self->link_y[0] + dy;
  find_target (self, &target);
  hl_view_state_set_hovered (self->view_state, &target);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_end (HlSceneView *self)
{
  HlPick target;

  if (!self->linking)
    return;
  find_target (self, &target);
  finish (self);
  if (target.kind == HL_PICK_CELL)
    hl_scene_view_pick_pair (self, &target);
}

static void
on_cancel (HlSceneView *self)
{
  if (self->linking)
    finish (self);
}

/* Lets go of a line that is being drawn; the button may still be held. */
static gboolean
cancel_link (GtkWidget *widget,
             GVariant  *parameter,
             gpointer   data)
{
  HlSceneView *self = HL_SCENE_VIEW (widget);

  if (!self->linking)
    return FALSE;
  finish (self);
  gtk_event_controller_reset (self->link);
  return TRUE;
}

/* The line as far as it has come, over everything else. */
void
hl_scene_view_snapshot_link (HlSceneView *self,
                             GtkSnapshot *snapshot)
{
  const graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                                                     gtk_widget_get_height (GTK_WIDGET (self)));
  GdkRGBA colour = { 0, 0, 0, 1 };

  if (!self->linking)
    return;
  gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)), "accent_color", &colour);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);
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
hl_scene_view_install_link (GtkWidgetClass *widget_class)
{
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, cancel_link, NULL);
}

void
hl_scene_view_init_link (HlSceneView *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->link = GTK_EVENT_CONTROLLER (drag);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_update), self);
  g_signal_connect_swapped (drag, "drag-end", G_CALLBACK (on_end), self);
  g_signal_connect_swapped (drag, "cancel", G_CALLBACK (on_cancel), self);
  gtk_widget_add_controller (GTK_WIDGET (self), self->link);
}
