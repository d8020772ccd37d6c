/* SPDX-License-Identifier: MIT */
/* What moves a minimap's frame: a drag, the wheel, keys; and where it is, for who cannot see it. */
#include "config.h"

#include "app/canvas/hl-minimap-private.h"

#include <glib/gi18n.h>

typedef enum
{
  LINE,
  PAGE,
  END,
} MoveKind;

/* Says which tokens are in view. Only where there is a scene. */
void
hl_minimap_update_accessible (HlMinimap *self)
{
  const HlRange range = hl_minimap_is_of_queries (self) ? hl_view_state_get_shown_queries (self->state)
                                                        : hl_view_state_get_shown_keys (self->state);
  const gboolean from_end = !hl_minimap_is_vertical (self) && hl_scene_is_mirrored (self->scene);
  const double begin = from_end ? 1 - self->end : self->begin;
  const double end = from_end ? 1 - self->begin : self->end;
  /* Translators: which tokens are in view, and how many there are */
  g_autofree char *text = g_strdup_printf (_ ("Tokens %zu to %zu of %zu"), (gsize) (begin * range.n) + 1,
                                           MAX ((gsize) (end * range.n), 1), range.n);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, 100.0, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW,
                                  100 * begin, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/* Moves the view so that it begins at a part of the text. */
static void
move_to (HlMinimap *self,
         double     fraction)
{
  double first, last, window, length, x, y;

  if (self->scene == NULL || !hl_minimap_get_extent (self, &first, &last))
    return;
  hl_minimap_get_window (self, &window, &length);
  const double change = round (first + fraction * (last - first) - window);
  hl_scene_get_scroll (self->scene, &x, &y);
  if (hl_minimap_is_vertical (self))
    hl_scene_set_scroll (self->scene, x, y + change);
  else
    hl_scene_set_scroll (self->scene, x + change, y);
}

static void
on_drag_begin (HlMinimap *self,
               double     x,
               double     y)
{
  const double at = (hl_minimap_is_vertical (self) ? y : x) / hl_minimap_get_length (self);

  /* Outside of the frame, its middle comes to where the pointer is. */
  self->grip = at >= self->begin && at <= self->end ? at - self->begin : (self->end - self->begin) / 2;
  move_to (self, at - self->grip);
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
on_drag_update (HlMinimap      *self,
                double          dx,
                double          dy,
                GtkGestureDrag *drag)
{
  double x, y;

  gtk_gesture_drag_get_start_point (drag, &x, &y);
  move_to (self, (hl_minimap_is_vertical (self) ? y + dy : x + dx) / hl_minimap_get_length (self) - self->grip);
}

static gboolean
on_scroll (HlMinimap *self,
           double     dx,
           double     dy)
{
  move_to (self, self->begin + (dx + dy) * (self->end - self->begin) * 0.2);
  return TRUE;
}

static gboolean
move (GtkWidget *widget,
      GVariant  *arguments,
      gpointer   data)
{
  HlMinimap *self = HL_MINIMAP (widget);
  int direction, kind;

  g_variant_get (arguments, "(ii)", &direction, &kind);
  const double page = self->end - self->begin;
  if (kind == END)
    move_to (self, direction < 0 ? 0 : 1);
  else
    move_to (self, self->begin + direction * page * (kind == PAGE ? 0.9 : 0.1));
  return TRUE;
}

static void
bind_move (GtkWidgetClass *widget_class,
           guint           key,
           guint           keypad_key,
           int             direction,
           MoveKind        kind)
{
  gtk_widget_class_add_binding (widget_class, key, 0, move, "(ii)", direction, (int) kind);
  gtk_widget_class_add_binding (widget_class, keypad_key, 0, move, "(ii)", direction, (int) kind);
}

void
hl_minimap_install_keys (GtkWidgetClass *widget_class)
{
  bind_move (widget_class, GDK_KEY_Up, GDK_KEY_KP_Up, -1, LINE);
  bind_move (widget_class, GDK_KEY_Left, GDK_KEY_KP_Left, -1, LINE);
  bind_move (widget_class, GDK_KEY_Down, GDK_KEY_KP_Down, 1, LINE);
  bind_move (widget_class, GDK_KEY_Right, GDK_KEY_KP_Right, 1, LINE);
  bind_move (widget_class, GDK_KEY_Page_Up, GDK_KEY_KP_Page_Up, -1, PAGE);
  bind_move (widget_class, GDK_KEY_Page_Down, GDK_KEY_KP_Page_Down, 1, PAGE);
  bind_move (widget_class, GDK_KEY_Home, GDK_KEY_KP_Home, -1, END);
  bind_move (widget_class, GDK_KEY_End, GDK_KEY_KP_End, 1, END);
}

void
hl_minimap_init_input (HlMinimap *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
}
