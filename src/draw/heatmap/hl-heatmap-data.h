/* SPDX-License-Identifier: MIT */
/* What a heatmap knows of the head it shows: its extremes, and its weights as long as they fit. Immutable once read. */
#pragma once

#include "draw/scene/hl-scene-job.h"
#include "view/shown/hl-shown.h"

#include <math.h>

G_BEGIN_DECLS

/* A head, or the part of it that is shown. A plain value; whoever keeps it longer than the source lives must hold
 * that. */
typedef struct
{
  HlAttentionSource *source;  /* whose weights; NULL for none at all */
  guint              layer;   /* of which layer */
  guint              head;    /* of which head */
  HlRange            queries; /* of which queries */
  HlRange            keys;    /* of which keys */
  gboolean           off_diagonal; /* whether only what is off the diagonal counts for its ends */
} HlHeatmapPart;

/* Between which numbers weights lie. */
typedef struct
{
  double min;          /* the smallest finite weight; ∞ when there is none */
  double min_positive; /* the smallest weight over 0; ∞ when there is none */
  double max;          /* the largest finite weight; −∞ when there is none */
  double whole_min;    /* as min, the diagonal too where the others are without it */
  double whole_max;    /* as max, likewise */
} HlHeatmapExtremes;

#define HL_HEATMAP_EXTREMES_INIT { INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY }

HlHeatmapPart hl_heatmap_part_of    (const HlShown       *shown);
gboolean      hl_heatmap_part_equal (const HlHeatmapPart *a,
                                     const HlHeatmapPart *b);

void     hl_heatmap_extremes_join     (HlHeatmapExtremes       *self,
                                       const HlHeatmapExtremes *other);
gboolean hl_heatmap_extremes_find     (const HlHeatmapPart     *part,
                                       HlHeatmapExtremes       *extremes,
                                       GCancellable            *cancellable,
                                       GError                 **error);

/* A head, or the part of it that is shown. */
typedef struct
{
  HlSceneData        parent;    /* how it is read and compared */
  HlAttentionSource *source;    /* whose weights */
  HlAttentionSource *whole;     /* where these are filtered, what of; NULL where they are all */
  guint              layer;     /* of which layer */
  guint              head;      /* of which head */
  HlRange            queries;   /* of which queries */
  HlRange            keys;      /* of which keys */
  gboolean           off_diagonal; /* whether extremes are of what is off the diagonal */
  float             *weights;   /* queries.n × keys.n floats, keys fastest; NULL when they are too many to be kept */
  float             *unfiltered; /* as many of what they are filtered of; NULL where they are not, or not kept */
  gboolean           is_signed; /* whether they lie on both sides of zero */
  /* the largest finite weight of each query, 0 where there is none; of numbers that have a sign, the largest
   * distance from zero */
  float             *row_max;
  HlHeatmapExtremes  extremes; /* between which numbers they lie */
  gboolean           has_nan;  /* whether there are weights that are no numbers */
  gboolean           has_masked; /* whether single cells are masked, as far as is known */
} HlHeatmapData;

HlHeatmapData *hl_heatmap_data_new   (const HlShown        *shown);
gboolean       hl_heatmap_data_read  (HlHeatmapData        *self,
                                      gsize                 n_rows,
                                      gsize                 n_columns,
                                      float                *pooled,
                                      GCancellable         *cancellable,
                                      GError              **error);
gboolean       hl_heatmap_data_pool  (const HlHeatmapData  *self,
                                      HlRange               rows,
                                      HlRange               columns,
                                      gsize                 n_rows,
                                      gsize                 n_columns,
                                      float                *target,
                                      GCancellable         *cancellable,
                                      GError              **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHeatmapData, hl_scene_data_unref)

G_END_DECLS
