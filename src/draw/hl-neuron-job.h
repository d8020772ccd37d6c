/* SPDX-License-Identifier: MIT */
/* The work of the neuron view between two frames: numbers, and the lines as pixels. */
#pragma once

#include "draw/hl-head-view-picture.h"
#include "draw/hl-neuron-data.h"
#include "draw/hl-scene-job.h"

G_BEGIN_DECLS

#define HL_TYPE_NEURON_JOB (hl_neuron_job_get_type ())
G_DECLARE_FINAL_TYPE (HlNeuronJob, hl_neuron_job, HL, NEURON_JOB, HlSceneJob)

/**
 * HlNeuronJob:
 * @must_read: whether @data has no numbers yet
 * @data: what is shown
 * @known: (nullable): what was read before
 * @raster: (nullable): lines to make
 */
struct _HlNeuronJob
{
  HlSceneJob parent_instance;

  gboolean must_read;
  HlNeuronData *data;
  HlNeuronData *known;
  HlHeadViewRaster *raster;
};

G_END_DECLS
