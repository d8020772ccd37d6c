/* SPDX-License-Identifier: MIT */
/* The work of a head view between two frames. */
#include "draw/hl-head-view-job.h"

G_DEFINE_FINAL_TYPE (HlHeadViewJob, hl_head_view_job, HL_TYPE_SCENE_JOB)

static gboolean
hl_head_view_job_run (HlSceneJob    *job,
                      GCancellable  *cancellable,
                      GError       **error)
{
  HlHeadViewJob *self = HL_HEAD_VIEW_JOB (job);

  if (self->must_read && !hl_head_view_data_read (self->data, self->known, cancellable, error))
    return FALSE;
  return self->raster == NULL || hl_head_view_raster_run (self->raster, cancellable, error);
}

static void
hl_head_view_job_finalize (GObject *object)
{
  HlHeadViewJob *self = HL_HEAD_VIEW_JOB (object);

  g_clear_pointer (&self->data, hl_head_view_data_unref);
  g_clear_pointer (&self->known, hl_head_view_data_unref);
  g_clear_pointer (&self->raster, hl_head_view_raster_free);
  G_OBJECT_CLASS (hl_head_view_job_parent_class)->finalize (object);
}

static void
hl_head_view_job_class_init (HlHeadViewJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_head_view_job_finalize;
  HL_SCENE_JOB_CLASS (klass)->run = hl_head_view_job_run;
}

static void
hl_head_view_job_init (HlHeadViewJob *self)
{
}
