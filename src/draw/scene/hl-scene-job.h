/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _HlSceneData HlSceneData;

/**
 * HlSceneDataClass:
 * @equal: whether both are of the same numbers, read or not
 * @read: fills in the numbers; what is the same in data that was read earlier, which may be %NULL, need not be read
 *   again
 * @clear: frees what is in it
 *
 * What one kind of data does.
 */
typedef struct
{
  gboolean (*equal) (const HlSceneData  *self,
                     const HlSceneData  *other);
  gboolean (*read)  (HlSceneData        *self,
                     const HlSceneData  *known,
                     GCancellable       *cancellable,
                     GError            **error);
  void     (*clear) (HlSceneData        *self);
} HlSceneDataClass;

/* What a scene reads before it can be drawn: first it only says which numbers, then it has them, and is immutable
 * from then on. The first member of those that derive, who are made with g_atomic_rc_box_new0(); any thread may hold
 * one. */
struct _HlSceneData
{
  const HlSceneDataClass *klass; /* what it does */
};

gpointer hl_scene_data_ref   (gpointer        self);
void     hl_scene_data_unref (gpointer        self);
gboolean hl_scene_data_equal (gconstpointer   self,
                              gconstpointer   other);
gboolean hl_scene_data_read  (gpointer        self,
                              gconstpointer   known,
                              GCancellable   *cancellable,
                              GError        **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlSceneData, hl_scene_data_unref)

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

void        hl_scene_job_set_progress (HlSceneJob    *self,
                                       HlProgress    *progress);
gboolean    hl_scene_job_run          (HlSceneJob    *self,
                                       GCancellable  *cancellable,
                                       GError       **error);

/* For scenes and those who derive. */
void        hl_scene_job_show         (HlSceneJob    *self,
                                       gpointer       data);
void        hl_scene_job_read         (HlSceneJob    *self,
                                       gpointer       data,
                                       gpointer       known);
gpointer    hl_scene_job_get_data     (HlSceneJob    *self);
HlProgress *hl_scene_job_get_progress (HlSceneJob    *self);

G_END_DECLS
