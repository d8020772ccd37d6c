/* SPDX-License-Identifier: MIT */
/* HlSceneView: what scroll bars say of the scene, and tell it. */
#include "app/canvas/hl-scene-view-private.h"

#include <math.h>

static void
configure (GtkAdjustment *adjustment,
           double         value,
           double         upper,
           double         page)
{
  if (adjustment == NULL)
    return;
  gtk_adjustment_configure (adjustment, value, 0, MAX (upper, page), page * 0.1, page * 0.9, page);
}

void
hl_scene_view_update_adjustments (HlSceneView *self)
{
  double x = 0, y = 0, width = 0, height = 0;
  double page_width = gtk_widget_get_width (GTK_WIDGET (self));
  double page_height = gtk_widget_get_height (GTK_WIDGET (self));

  if (self->adjusting)
    return;
  if (self->scene != NULL)
    {
      hl_scene_get_viewport (self->scene, &page_width, &page_height, NULL);
      hl_scene_measure (self->scene, &width, &height);
      hl_scene_get_scroll (self->scene, &x, &y);
    }
  self->adjusting = TRUE;
  configure (self->hadjustment, x, width, page_width);
  configure (self->vadjustment, y, height, page_height);
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
  hl_scene_set_scroll (self->scene, round (x * scale) / scale, round (y * scale) / scale);
  self->adjusting = FALSE;
  hl_scene_view_pick_again (self);
}

void
hl_scene_view_set_adjustment (HlSceneView    *self,
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
  hl_scene_view_update_adjustments (self);
}
