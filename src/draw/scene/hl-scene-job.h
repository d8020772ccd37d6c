/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/scene/hl-scene-data.h"

G_BEGIN_DECLS

#define HL_TYPE_SCENE_JOB (hl_scene_job_get_type ())
G_DECLARE_DERIVABLE_TYPE (HlSceneJob, hl_scene_job, HL, SCENE_JOB, GObject)

/**
 * HlSceneJobClass:
 * @read: reads the data, which has no numbers yet; hl_scene_data_read() unless derived types know better
 * @run: (nullable): computes what a scene needs to be painted, once its data is read; touches nothing but the job
 *   itself
 *
 * Work of a scene that must not be done between two frames: data is read, if it must be, and then pixels are made. Made
 * on the scene's thread with all that it needs, run on any thread, given back to the scene that made it.
 */
struct _HlSceneJobClass
{
  GObjectClass parent_class;

  gboolean (*read) (HlSceneJob         *self,
                    HlSceneData        *data,
                    const HlSceneData  *known,
                    GCancellable       *cancellable,
                    GError            **error);
  gboolean (*run)  (HlSceneJob         *self,
                    GCancellable       *cancellable,
                    GError            **error);
};

gboolean hl_scene_job_run       (HlSceneJob    *self,
                                 GCancellable  *cancellable,
                                 GError       **error);

/* For scenes and those who derive. */
void     hl_scene_job_show      (HlSceneJob    *self,
                                 gpointer       data);
void     hl_scene_job_read      (HlSceneJob    *self,
                                 gpointer       data,
                                 gpointer       known);
gpointer hl_scene_job_get_data  (HlSceneJob    *self);

G_END_DECLS
