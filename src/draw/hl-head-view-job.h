/* SPDX-License-Identifier: MIT */
/* The work of a head view between two frames. Filled in by the scene, run anywhere, taken over by the scene. */
#pragma once

#include "draw/hl-head-view-picture.h"
#include "draw/hl-scene-job.h"

G_BEGIN_DECLS

#define HL_TYPE_HEAD_VIEW_JOB (hl_head_view_job_get_type ())
G_DECLARE_FINAL_TYPE (HlHeadViewJob, hl_head_view_job, HL, HEAD_VIEW_JOB, HlSceneJob)

/**
 * HlHeadViewJob:
 * @data: the weights to show
 * @known: (nullable): weights that were shown, of which what is the same is taken
 * @raster: (nullable): the lines to make, %NULL when strokes are wanted
 * @must_read: whether @data is still without numbers
 *
 * Reads what must be read, and makes the lines.
 */
struct _HlHeadViewJob
{
  HlSceneJob parent_instance;

  HlHeadViewData *data;
  HlHeadViewData *known;
  HlHeadViewRaster *raster;
  gboolean must_read;
};

G_END_DECLS
