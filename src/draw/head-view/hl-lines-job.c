/* SPDX-License-Identifier: MIT */
/* The work of a view of lines between two frames. */
#include "draw/head-view/hl-lines-job.h"

G_DEFINE_FINAL_TYPE (HlLinesJob, hl_lines_job, HL_TYPE_SCENE_JOB)

static gboolean
hl_lines_job_run (HlSceneJob    *job,
                  GCancellable  *cancellable,
                  GError       **error)
{
  HlLinesJob *self = HL_LINES_JOB (job);

  for (guint i = 0; i < self->rasters->len; i++)
    if (!hl_head_view_raster_run (g_ptr_array_index (self->rasters, i), cancellable, error))
      return FALSE;
  return TRUE;
}

static void
hl_lines_job_finalize (GObject *object)
{
  g_ptr_array_unref (HL_LINES_JOB (object)->rasters);
  G_OBJECT_CLASS (hl_lines_job_parent_class)->finalize (object);
}

static void
hl_lines_job_class_init (HlLinesJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_lines_job_finalize;
  HL_SCENE_JOB_CLASS (klass)->run = hl_lines_job_run;
}

static void
hl_lines_job_init (HlLinesJob *self)
{
  self->rasters = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_head_view_raster_free);
}

/**
 * hl_lines_job_move_raster: (skip)
 * @self: a job that ran, of one raster at most
 * @data: the weights that are shown
 * @raster: (inout) (nullable): the lines that are shown
 *
 * Puts the new lines in place of those that are shown, if there are some and they are of these weights.
 */
void
hl_lines_job_move_raster (HlLinesJob           *self,
                          const HlHeadViewData *data,
                          HlHeadViewRaster    **raster)
{
  if (self->rasters->len == 0 || ((HlHeadViewRaster *) g_ptr_array_index (self->rasters, 0))->data != data)
    return;
  g_clear_pointer (raster, hl_head_view_raster_free);
  *raster = g_ptr_array_steal_index_fast (self->rasters, 0);
}
