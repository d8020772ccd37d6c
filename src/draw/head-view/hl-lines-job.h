/* SPDX-License-Identifier: MIT */
/* The work of a view of lines between two frames. Filled in by the scene, run anywhere, taken over by the scene. */
#pragma once

#include "draw/head-view/hl-head-view-picture.h"
#include "draw/scene/hl-scene-job.h"

G_BEGIN_DECLS

#define HL_TYPE_LINES_JOB (hl_lines_job_get_type ())
G_DECLARE_FINAL_TYPE (HlLinesJob, hl_lines_job, HL, LINES_JOB, HlSceneJob)

/**
 * HlLinesJob:
 * @rasters: (element-type HlHeadViewRaster): the lines to make, none when strokes are wanted
 *
 * Makes lines of the data of the job.
 */
struct _HlLinesJob
{
  HlSceneJob parent_instance;

  GPtrArray *rasters;
};

void hl_lines_job_move_raster (HlLinesJob           *self,
                               const HlHeadViewData *data,
                               HlHeadViewRaster    **raster);

G_END_DECLS
