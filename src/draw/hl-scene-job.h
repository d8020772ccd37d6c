/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define HL_TYPE_SCENE_JOB (hl_scene_job_get_type ())
G_DECLARE_DERIVABLE_TYPE (HlSceneJob, hl_scene_job, HL, SCENE_JOB, GObject)

/**
 * HlSceneJobClass:
 * @run: reads and computes what a scene needs to be painted; touches nothing but the job itself
 *
 * Work of a scene that must not be done between two frames. Made on the scene's thread with all that it needs, run on any thread,
 * given back to the scene that made it.
 */
struct _HlSceneJobClass
{
  GObjectClass parent_class;

  gboolean (*run) (HlSceneJob    *self,
                   GCancellable  *cancellable,
                   GError       **error);
};

gboolean hl_scene_job_run (HlSceneJob    *self,
                           GCancellable  *cancellable,
                           GError       **error);

G_END_DECLS
