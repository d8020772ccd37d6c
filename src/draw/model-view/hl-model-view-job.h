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

/* One thumbnail of a batch. */
typedef struct
{
  HlThumbnail *thumbnail; /* the one to make */
  HlThumbnail *known;     /* the same head in another style; may be NULL */
  gboolean     done;      /* whether it was made */
} HlModelViewItem;

/* Makes the preview and its numbers, then as many thumbnails as can be made in the time between two frames of a
 * film, one at least. */
struct _HlModelViewJob
{
  HlSceneJob parent_instance;

  GArray *items;             /* the thumbnails, what is most wanted first */
  HlThumbnail *preview;      /* the enlarged thumbnail of the head in focus; may be NULL */
  HlAttention *attention;    /* what the numbers are computed of */
  HlAttentionSource *source; /* its weights, not filtered */
  HlHeadStats *stats;        /* the numbers of preview's head, if they are wanted; may be NULL */
};

void hl_model_view_job_add (HlModelViewJob *self,
                            HlThumbnail    *thumbnail,
                            HlThumbnail    *known);

G_END_DECLS
