/* SPDX-License-Identifier: MIT */
/* HlHeadGrid: what the pointer is at, and what a click chooses. */
#include "app/heads/hl-head-grid-private.h"

#include "app/heads/hl-head-grid-choice.h"

#include <glib/gi18n.h>

void
hl_head_grid_set_hovered (HlHeadGrid *self,
                          int         layer,
                          int         head)
{
  if (self->hovered_layer == layer && self->hovered_head == head)
    return;
  self->hovered_layer = layer;
  self->hovered_head = head;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_pressed (GtkGestureClick *gesture,
            int              n_press,
            double           x,
            double           y,
            HlHeadGrid      *self)
{
  const GdkModifierType modifiers =
    gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  const gboolean gather = (modifiers & (GDK_CONTROL_MASK | GDK_SHIFT_MASK)) != 0;
  guint layer, head;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->state == NULL)
    return;
  const guint n_layers = hl_attention_get_n_layers (hl_view_state_get_attention (self->state));
  if (n_press == 1 && hl_head_grid_layout_find_layer (&self->layout, x, y, n_layers, &layer))
    hl_head_grid_choose_layer (self->state, layer, gather);
  if (!hl_head_grid_find_cell (self, x, y, &layer, &head))
    return;

  hl_head_grid_choose_head (self->state, layer, head, gather, n_press);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_motion (HlHeadGrid *self,
           double      x,
           double      y)
{
  guint layer, head;

  if (hl_head_grid_find_cell (self, x, y, &layer, &head))
    hl_head_grid_set_hovered (self, (int) layer, (int) head);
  else
    hl_head_grid_set_hovered (self, -1, -1);
}

static void
on_leave (HlHeadGrid *self)
{
  hl_head_grid_set_hovered (self, -1, -1);
}

gboolean
hl_head_grid_query_tooltip (GtkWidget  *widget,
                            int         x,
                            int         y,
                            gboolean    keyboard,
                            GtkTooltip *tooltip)
{
  HlHeadGrid *self = HL_HEAD_GRID (widget);
  guint layer, head;
  graphene_rect_t area;

  if (keyboard || !hl_head_grid_find_cell (self, x, y, &layer, &head) ||
      !hl_head_grid_get_cell_area (self, layer, head, &area))
    return FALSE;

  g_autofree char *text = g_strdup_printf (_ ("Layer %u, head %u"), layer, head);
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip,
                            &(GdkRectangle){ (int) area.origin.x, (int) area.origin.y,
                                             (int) area.size.width, (int) area.size.height });
  return TRUE;
}

void
hl_head_grid_init_pointer (HlHeadGrid *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();

  self->hovered_layer = self->hovered_head = -1;
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (widget, motion);
}
