/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/tokens/hl-token-set.h"
#include "core/source/derive/hl-combine-source.h"
#include "core/source/quantity/hl-quantity.h"

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
 * @quantity: what is made of weights, where the attention has what that needs
 * @first_layer: of what goes through layers, the one that it begins with
 * @sinks: whether weights have one key more where heads have learned sinks, before the others: see #HlSinkSource
 * @combine: how several maps become one
 * @combine_over: which; of no effect without @combine
 * @heads: which heads are combined, or of which a quantity of layers is made; none stand for the first
 * @layers: which layers are combined
 * @words: whether pieces of words are put together, see hl_token_words_find()
 * @hide_special: whether special tokens are left out, those that hl_attention_is_special_token() tells
 * @hide_first: whether the first key is left out, and the query that is the same token
 * @hidden: (nullable): of each side others to leave out
 * @renormalise: whether rows of which keys are left out are divided by what is left, unless their numbers are signed
 * @direction: which way round maps are read
 *
 * What is derived from the maps of an attention before they are shown. All zeros derive nothing. A value: copy it by assignment; who made it
 * keeps the sets.
 */
typedef struct
{
  HlQuantity    quantity;
  guint         first_layer;
  gboolean      sinks;
  HlCombine     combine;
  HlCombineOver combine_over;
  HlHeadSet     heads;
  HlLayerSet    layers;
  gboolean      words;
  gboolean      hide_special;
  gboolean      hide_first;
  HlTokenSet   *hidden[2];
  gboolean      renormalise;
  HlDirection   direction;
} HlLens;

gboolean hl_lens_equal         (const HlLens       *a,
                                const HlLens       *b);
gboolean hl_lens_check         (const HlLens       *self,
                                HlAttention        *attention,
                                GError            **error);
gboolean hl_lens_merges_heads  (const HlLens       *self);
gboolean hl_lens_merges_layers (const HlLens       *self);
gboolean hl_lens_has_asymmetry (HlAttention        *attention);
gboolean hl_lens_hides         (const HlLens       *self);
gboolean hl_lens_hides_all     (const HlLens       *self,
                                HlAttention        *attention,
                                HlSide              side);
void     hl_lens_apply         (const HlLens       *self,
                                HlAttention        *attention,
                                HlAttentionSource  *source,
                                HlAttention       **shown_attention,
                                HlAttentionSource **shown_source);

G_END_DECLS
