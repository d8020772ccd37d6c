/* SPDX-License-Identifier: MIT */
/* The work of a view of all layers between two frames. */
#include "draw/hl-layers-job.h"

G_DEFINE_FINAL_TYPE (HlLayersJob, hl_layers_job, HL_TYPE_SCENE_JOB)

static gboolean
hl_layers_job_run (HlSceneJob    *job,
                   GCancellable  *cancellable,
                   GError       **error)
{
  HlLayersJob *self = HL_LAYERS_JOB (job);

  if (self->must_read && !hl_layers_data_read (self->data, self->known, cancellable, error))
    return FALSE;
  for (guint layer = 0; layer < self->rasters->len; layer++)
    if (!hl_head_view_raster_run (g_ptr_array_index (self->rasters, layer), cancellable, error))
      return FALSE;
  return TRUE;
}

static void
hl_layers_job_finalize (GObject *object)
{
  HlLayersJob *self = HL_LAYERS_JOB (object);

  g_clear_pointer (&self->data, hl_layers_data_unref);
  g_clear_pointer (&self->known, hl_layers_data_unref);
  g_clear_pointer (&self->rasters, g_ptr_array_unref);
  G_OBJECT_CLASS (hl_layers_job_parent_class)->finalize (object);
}

static void
hl_layers_job_class_init (HlLayersJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_layers_job_finalize;
  HL_SCENE_JOB_CLASS (klass)->run = hl_layers_job_run;
}

static void
hl_layers_job_init (HlLayersJob *self)
{
  self->rasters = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_head_view_raster_free);
}
