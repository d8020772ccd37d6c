/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-combine-source.h"

G_BEGIN_DECLS

/**
 * HlDirection:
 * @HL_DIRECTION_AS_IS: rows are queries, columns are keys
 * @HL_DIRECTION_TRANSPOSED: rows are keys
 * @HL_DIRECTION_ASYMMETRY: A − Aᵀ of self-attention; of other maps, as they are
 *
 * Which way round maps are read.
 */
typedef enum {
  HL_DIRECTION_AS_IS,
  HL_DIRECTION_TRANSPOSED,
  HL_DIRECTION_ASYMMETRY,
} HlDirection;

#define HL_TYPE_DIRECTION (hl_direction_get_type ())
GType hl_direction_get_type (void);

/**
 * HlLens:
 * @combine: how several maps become one
 * @combine_over: which; of no effect without @combine
 * @heads: which heads are combined; none stand for the first
 * @layers: which layers are combined
 * @direction: which way round maps are read
 *
 * What is derived from the maps of a block before they are shown. All zeros derive nothing. A value: copy it by assignment.
 */
typedef struct
{
  HlCombine     combine;
  HlCombineOver combine_over;
  HlHeadSet     heads;
  HlLayerSet    layers;
  HlDirection   direction;
} HlLens;

gboolean hl_lens_equal          (const HlLens       *a,
                                 const HlLens       *b);
gboolean hl_lens_merges_heads   (const HlLens       *self);
gboolean hl_lens_merges_layers  (const HlLens       *self);
gboolean hl_lens_has_asymmetry  (HlBlock            *block);
void     hl_lens_apply          (const HlLens       *self,
                                 HlBlock            *block,
                                 HlAttentionSource  *source,
                                 HlBlock           **shown_block,
                                 HlAttentionSource **shown_source);

G_END_DECLS
