/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/checkpoint/hl-model-config.h"
#include "core/model/family/hl-family.h"

G_BEGIN_DECLS

/**
 * HlLayerRope:
 * @HL_LAYER_ROPE_NONE: queries and keys are not turned by position
 * @HL_LAYER_ROPE_GLOBAL: they are, as in layers that see all keys
 * @HL_LAYER_ROPE_LOCAL: they are, as in layers with a window, in models whose windows have a base of their own
 *
 * Which rotary embedding a layer has.
 */
typedef enum {
  HL_LAYER_ROPE_NONE,
  HL_LAYER_ROPE_GLOBAL,
  HL_LAYER_ROPE_LOCAL,
  HL_N_LAYER_ROPES,
} HlLayerRope;

/**
 * HlLayerKind:
 * @HL_LAYER_ATTENTION: attention
 * @HL_LAYER_DELTA: a gated delta net, which has no map: the layer has no heads
 *
 * What a layer has before its feed-forward.
 */
typedef enum {
  HL_LAYER_ATTENTION,
  HL_LAYER_DELTA,
} HlLayerKind;

/**
 * HlLayerShape:
 * @kind: what it has
 * @n_heads: query heads; 0 in a layer without a map
 * @n_key_heads: heads of keys and values
 * @head_size: features of a query and a key
 * @value_size: features of a value, and of what a head gives
 * @inner_width: features between the two products of its feed-forward
 * @first_turned: the feature of a query and a key that those which are turned by position begin with
 * @source: the layer whose keys and values it uses, mostly itself
 * @borrows: whether that is another
 * @keys_are_values: whether values are made by the weights of keys
 * @gated: whether each query has a gate beside it
 * @window: see #HlMask
 * @chunk: likewise
 * @rope: which rotary embedding
 * @scale: what scores are multiplied by
 * @heat: how much queries grow with their position; 0 where they do not
 * @heat_length: after how many positions they begin to
 * @heat_offset: what is added to a position before
 *
 * What config.json says of the attention of a layer.
 */
typedef struct
{
  HlLayerKind kind;
  guint       n_heads;
  guint       n_key_heads;
  gsize       head_size;
  gsize       value_size;
  gsize       inner_width;
  gsize       first_turned;
  guint       source;
  gboolean    borrows;
  gboolean    keys_are_values;
  gboolean    gated;
  guint64     window;
  guint64     chunk;
  HlLayerRope rope;
  float       scale;
  double      heat;
  double      heat_length;
  guint       heat_offset;
} HlLayerShape;

HlLayerShape *hl_layer_shapes_read (const HlLayerShape *base,
                                    guint               n_layers,
                                    const HlFamily     *family,
                                    gboolean            causal,
                                    HlModelConfig      *config,
                                    GError            **error);
gsize         hl_layer_shape_get_products
                                   (const HlLayerShape *self);

gboolean      hl_layer_shape_read_turned
                                   (const HlFamily     *family,
                                    HlModelConfig      *config,
                                    gboolean           *turned,
                                    GError            **error);

G_END_DECLS
