/* SPDX-License-Identifier: MIT */
/* HlScene: made complete, and painted part by part. */
#include "draw/scene/hl-scene.h"

/**
 * hl_scene_prepare:
 * @self: a scene
 * @cancellable: (nullable): stops it
 * @error: as hl_scene_job_run()
 *
 * Runs jobs here and now until the scene is complete: for exports, the command line and tests.
 *
 * Returns: whether it is complete
 */
gboolean
hl_scene_prepare (HlScene       *self,
                  GCancellable  *cancellable,
                  GError       **error)
{
  g_return_val_if_fail (HL_IS_SCENE (self), FALSE);

  for (;;)
    {
      g_autoptr (HlSceneJob) job = hl_scene_create_job (self);
      if (job == NULL)
        return TRUE;
      if (!hl_scene_job_run (job, cancellable, error))
        return FALSE;
      hl_scene_accept (self, job);
    }
}

/**
 * hl_scene_draw_part:
 * @self: a scene
 * @cr: where to draw; the viewport's corner is at (0, 0)
 * @part: which part
 *
 * Paints one part, at full opacity.
 */
void
hl_scene_draw_part (HlScene     *self,
                    cairo_t     *cr,
                    HlScenePart  part)
{
  g_return_if_fail (HL_IS_SCENE (self));
  g_return_if_fail (part < HL_SCENE_N_PARTS);

  cairo_save (cr);
  HL_SCENE_GET_CLASS (self)->draw[part] (self, cr);
  cairo_restore (cr);
}

/**
 * hl_scene_get_picture_opacity:
 * @self: a scene
 *
 * Returns: 0 to 1: how strongly %HL_SCENE_PICTURE shows just now
 */
double
hl_scene_get_picture_opacity (HlScene *self)
{
  g_return_val_if_fail (HL_IS_SCENE (self), 1);

  return HL_SCENE_GET_CLASS (self)->get_picture_opacity (self);
}

/**
 * hl_scene_draw:
 * @self: a scene
 * @cr: where to draw; the viewport's corner is at (0, 0)
 *
 * Paints all parts, as they are seen on screen.
 */
void
hl_scene_draw (HlScene *self,
               cairo_t *cr)
{
  const double opacity = hl_scene_get_picture_opacity (self);

  g_return_if_fail (HL_IS_SCENE (self));

  hl_scene_draw_part (self, cr, HL_SCENE_BACKDROP);
  if (opacity >= 1)
    hl_scene_draw_part (self, cr, HL_SCENE_PICTURE);
  else if (opacity > 0)
    {
      cairo_push_group (cr);
      hl_scene_draw_part (self, cr, HL_SCENE_PICTURE);
      cairo_pop_group_to_source (cr);
      cairo_paint_with_alpha (cr, opacity);
    }
  hl_scene_draw_part (self, cr, HL_SCENE_OVERLAY);
}
