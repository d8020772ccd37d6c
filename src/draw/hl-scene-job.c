/* SPDX-License-Identifier: MIT */
/* HlSceneJob: work of a scene that any thread may do. */
#include "draw/hl-scene-job.h"

G_DEFINE_ABSTRACT_TYPE (HlSceneJob, hl_scene_job, G_TYPE_OBJECT)

static void
hl_scene_job_class_init (HlSceneJobClass *klass)
{
}

static void
hl_scene_job_init (HlSceneJob *self)
{
}

/**
 * hl_scene_job_run:
 * @self: a job
 * @cancellable: (nullable): stops it
 * @error: what the source says, or %G_IO_ERROR_CANCELLED
 *
 * Does the work, on whatever thread; once only.
 *
 * Returns: whether it is done and the scene can accept it
 */
gboolean
hl_scene_job_run (HlSceneJob    *self,
                  GCancellable  *cancellable,
                  GError       **error)
{
  g_return_val_if_fail (HL_IS_SCENE_JOB (self), FALSE);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  return HL_SCENE_JOB_GET_CLASS (self)->run (self, cancellable, error);
}
