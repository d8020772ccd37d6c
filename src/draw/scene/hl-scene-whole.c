/* SPDX-License-Identifier: MIT */
/* A scene as a whole, here and now: for figures and tests. The window has its jobs run and its parts painted one by one. */
#include "draw/scene/hl-scene-whole.h"

/* Runs jobs here and now until the scene is complete: for exports, the command line and tests. */
gboolean
hl_scene_prepare (HlScene      *self,
                  GCancellable *cancellable,
                  GError      **error)
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

/* As it is seen on screen: as opaque as the scene has it just now. */
void
hl_scene_draw_part_as_seen (HlScene    *self,
                            cairo_t    *cr,
                            HlScenePart part)
{
  g_return_if_fail (HL_IS_SCENE (self));

  const double opacity = part == HL_SCENE_PICTURE ? hl_scene_get_picture_opacity (self) : 1;
  if (opacity >= 1)
    hl_scene_draw_part (self, cr, part);
  else if (opacity > 0)
    {
      cairo_push_group (cr);
      hl_scene_draw_part (self, cr, part);
      cairo_pop_group_to_source (cr);
      cairo_paint_with_alpha (cr, opacity);
    }
}

void
hl_scene_draw (HlScene *self,
               cairo_t *cr)
{
  for (HlScenePart part = 0; part < HL_SCENE_N_PARTS; part++)
    hl_scene_draw_part_as_seen (self, cr, part);
}
