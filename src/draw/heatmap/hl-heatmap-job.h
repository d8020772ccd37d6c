/* SPDX-License-Identifier: MIT */
/* The work of a heatmap between two frames. Filled in by the scene, run anywhere, taken over by the scene. */
#pragma once

#include "draw/heatmap/hl-heatmap-region.h"
#include "draw/heatmap/hl-heatmap-tiles.h"
#include "draw/scene/hl-scene-job.h"

G_BEGIN_DECLS

#define HL_TYPE_HEATMAP_JOB (hl_heatmap_job_get_type ())
G_DECLARE_FINAL_TYPE (HlHeatmapJob, hl_heatmap_job, HL, HEATMAP_JOB, HlSceneJob)

/**
 * HlHeatmapJob:
 * @scale_kind: the kind of scale
 * @beside: what is shown beside, whose scale is the same; of no source if nothing is
 * @beside_source: (nullable): keeps the source of @beside
 * @beside_extremes: its extremes, once it ran; without extent if they could not be read
 * @paint: how weights look; its scale is set when it runs
 * @tile_pixels: which pixels to make tiles of; none if empty
 * @tile_cell: device pixels a cell takes in them
 * @region_pixels: which weights to have at hand; none if empty
 * @region_cell: pixels a cell takes in them
 * @line_pick: a query or key whose weights to have at hand, or nothing
 * @tile_region: the weights behind the tiles
 * @surfaces: the tiles
 * @region: the weights of @region_pixels
 * @line_values: the weights of @line_pick
 *
 * Makes the tiles of the data of the job that are missing, and reads what else must be at hand.
 */
struct _HlHeatmapJob
{
  HlSceneJob parent_instance;

  HlValueScaleKind scale_kind;
  HlHeatmapPart beside;
  HlAttentionSource *beside_source;
  HlHeatmapExtremes beside_extremes;
  HlHeatmapPaint paint;

  /* Any of the three may be absent. */
  HlHeatmapPixels tile_pixels;
  HlHeatmapCell tile_cell;
  HlHeatmapPixels region_pixels;
  HlHeatmapCell region_cell;
  HlPick line_pick;

  HlHeatmapRegion *tile_region;
  GPtrArray *surfaces;
  HlHeatmapRegion *region;
  float *line_values;
};

void hl_heatmap_job_set_scale (HlHeatmapPaint          *paint,
                               HlValueScaleKind         kind,
                               const HlHeatmapData     *data,
                               const HlHeatmapExtremes *beside);

G_END_DECLS
