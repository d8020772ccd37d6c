/* SPDX-License-Identifier: MIT */
/*
 * The work of a model view between two frames: a batch of thumbnails. Filled in by the scene, run anywhere, taken over
 * by the scene.
 */
#pragma once

#include "core/analysis/hl-head-stats.h"
#include "draw/model-view/hl-thumbnail.h"
#include "draw/scene/hl-scene-job.h"

G_BEGIN_DECLS

#define HL_TYPE_MODEL_VIEW_JOB (hl_model_view_job_get_type ())
G_DECLARE_FINAL_TYPE (HlModelViewJob, hl_model_view_job, HL, MODEL_VIEW_JOB, HlSceneJob)

/**
 * HlModelViewItem:
 * @thumbnail: the one to make
 * @known: (nullable): the same head in another style
 * @done: whether it was made
 *
 * One thumbnail of a batch.
 */
typedef struct
{
  HlThumbnail *thumbnail;
  HlThumbnail *known;
  gboolean     done;
} HlModelViewItem;

/**
 * HlModelViewJob:
 * @items: (element-type HlModelViewItem): the thumbnails, what is most wanted first
 * @preview: (nullable): the enlarged thumbnail of the head in focus
 * @attention: what the numbers are computed of
 * @source: its weights, not filtered
 * @stats: (nullable): the numbers of @preview's head, if they are wanted
 *
 * Makes the preview and its numbers, then as many thumbnails as can be made in the time between two frames of a film,
 * one at least.
 */
struct _HlModelViewJob
{
  HlSceneJob parent_instance;

  GArray *items;
  HlThumbnail *preview;
  HlAttention *attention;
  HlAttentionSource *source;
  HlHeadStats *stats;
};

void hl_model_view_job_add (HlModelViewJob *self,
                            HlThumbnail    *thumbnail,
                            HlThumbnail    *known);

G_END_DECLS
