/* SPDX-License-Identifier: MIT */
/* HlSceneView: larger, smaller, all of it. */
#include "app/canvas/hl-scene-view-private.h"

void
hl_scene_view_zoom_at (HlSceneView *self,
                       double       factor,
                       double       x,
                       double       y)
{
  if (self->scene == NULL || !hl_scene_can_zoom (self->scene))
    return;
  hl_scene_zoom (self->scene, factor, x, y);
  hl_scene_view_pick_again (self);
}

/**
 * hl_scene_view_zoom:
 * @self: a scene view
 * @factor: over 1 enlarges
 *
 * Zooms at the pointer when that is over the view, otherwise at the middle.
 */
void
hl_scene_view_zoom (HlSceneView *self,
                    double       factor)
{
  g_return_if_fail (HL_IS_SCENE_VIEW (self));

  const gboolean at_pointer = self->pointer_inside && self->pointer_leads;
  const double x = at_pointer ? self->pointer_x : gtk_widget_get_width (GTK_WIDGET (self)) / 2.0;
  const double y = at_pointer ? self->pointer_y : gtk_widget_get_height (GTK_WIDGET (self)) / 2.0;
  hl_scene_view_zoom_at (self, factor, x, y);
}

/**
 * hl_scene_view_fit:
 * @self: a scene view
 *
 * Zooms so that everything is in view.
 */
void
hl_scene_view_fit (HlSceneView *self)
{
  g_return_if_fail (HL_IS_SCENE_VIEW (self));

  if (self->scene == NULL)
    return;
  hl_scene_fit (self->scene);
  hl_scene_view_pick_again (self);
}

gboolean
hl_scene_view_can_pan (HlSceneView *self)
{
  double width, height, page_width, page_height;

  if (self->scene == NULL)
    return FALSE;
  hl_scene_measure (self->scene, &width, &height);
  hl_scene_get_viewport (self->scene, &page_width, &page_height, NULL);
  return width > page_width || height > page_height;
}
