/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-head-set.h"
#include "core/source/hl-derived-source.h"

G_BEGIN_DECLS

/**
 * HlCombine:
 * @HL_COMBINE_NONE: every head for itself
 * @HL_COMBINE_MEAN: the mean of several maps, cell by cell
 * @HL_COMBINE_MAX: the largest of each cell
 * @HL_COMBINE_SUM: the sum of each cell
 *
 * How several maps become one.
 */
typedef enum {
  HL_COMBINE_NONE,
  HL_COMBINE_MEAN,
  HL_COMBINE_MAX,
  HL_COMBINE_SUM,
} HlCombine;

#define HL_TYPE_COMBINE (hl_combine_get_type ())
GType hl_combine_get_type (void);

/**
 * HlCombineOver:
 * @HL_COMBINE_OVER_HEADS: in each layer, the chosen heads: one map a layer
 * @HL_COMBINE_OVER_LAYERS: for each head, the chosen layers: one map a head
 * @HL_COMBINE_OVER_ALL: the chosen heads of the chosen layers: one map
 *
 * Which maps become one.
 */
typedef enum {
  HL_COMBINE_OVER_HEADS,
  HL_COMBINE_OVER_LAYERS,
  HL_COMBINE_OVER_ALL,
} HlCombineOver;

#define HL_TYPE_COMBINE_OVER (hl_combine_over_get_type ())
GType hl_combine_over_get_type (void);

const char *hl_combine_get_name (HlCombine         self);
char *hl_combine_describe (const HlHeadSet  *heads,
                           const HlLayerSet *layers,
                           const guint      *n_heads,
                           guint             n_layers,
                           HlCombine         combine,
                           HlCombineOver     over);

#define HL_TYPE_COMBINE_SOURCE (hl_combine_source_get_type ())
G_DECLARE_FINAL_TYPE (HlCombineSource, hl_combine_source, HL, COMBINE_SOURCE, HlDerivedSource)

HlAttentionSource *hl_combine_source_new (HlAttentionSource *source,
                                          HlCombine          combine,
                                          HlCombineOver      over,
                                          const HlHeadSet   *heads,
                                          const HlLayerSet  *layers);

G_END_DECLS
