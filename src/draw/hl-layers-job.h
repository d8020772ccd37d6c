/* SPDX-License-Identifier: MIT */
/* The work of a view of all layers between two frames. Filled in by the scene, run anywhere, taken over by the scene. */
#pragma once

#include "draw/hl-head-view-picture.h"
#include "draw/hl-layers-data.h"
#include "draw/hl-scene-job.h"

G_BEGIN_DECLS

#define HL_TYPE_LAYERS_JOB (hl_layers_job_get_type ())
G_DECLARE_FINAL_TYPE (HlLayersJob, hl_layers_job, HL, LAYERS_JOB, HlSceneJob)

/**
 * HlLayersJob:
 * @data: the weights to show
 * @known: (nullable): weights that were shown, of which what is the same is taken
 * @rasters: (element-type HlHeadViewRaster): the lines of each layer to make; none when strokes are wanted
 * @must_read: whether @data is still without numbers
 *
 * Reads what must be read, and makes the lines.
 */
struct _HlLayersJob
{
  HlSceneJob parent_instance;

  HlLayersData *data;
  HlLayersData *known;
  GPtrArray *rasters;
  gboolean must_read;
};

G_END_DECLS
