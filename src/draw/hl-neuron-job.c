/* SPDX-License-Identifier: MIT */
/* The work of the neuron view between two frames. */
#include "draw/hl-neuron-job.h"

G_DEFINE_FINAL_TYPE (HlNeuronJob, hl_neuron_job, HL_TYPE_SCENE_JOB)

static gboolean
hl_neuron_job_run (HlSceneJob    *job,
                   GCancellable  *cancellable,
                   GError       **error)
{
  HlNeuronJob *self = HL_NEURON_JOB (job);

  if (self->must_read && !hl_neuron_data_read (self->data, self->known, cancellable, error))
    return FALSE;
  return self->raster == NULL || hl_head_view_raster_run (self->raster, cancellable, error);
}

static void
hl_neuron_job_finalize (GObject *object)
{
  HlNeuronJob *self = HL_NEURON_JOB (object);

  g_clear_pointer (&self->data, hl_neuron_data_unref);
  g_clear_pointer (&self->known, hl_neuron_data_unref);
  g_clear_pointer (&self->raster, hl_head_view_raster_free);
  G_OBJECT_CLASS (hl_neuron_job_parent_class)->finalize (object);
}

static void
hl_neuron_job_class_init (HlNeuronJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_neuron_job_finalize;
  HL_SCENE_JOB_CLASS (klass)->run = hl_neuron_job_run;
}

static void
hl_neuron_job_init (HlNeuronJob *self)
{
}
