/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-model-call.h"
#include "core/predict/hl-unembedding.h"

G_BEGIN_DECLS

/**
 * HlAttributionPart:
 * @HL_ATTRIBUTION_EMBEDDING: what goes into the first layer
 * @HL_ATTRIBUTION_HEAD: a head of an attention
 * @HL_ATTRIBUTION_FEED_FORWARD: the feed-forward of a layer, with what is added of its own embeddings
 * @HL_ATTRIBUTION_LINEAR: what a layer without a map has in place of attention
 * @HL_ATTRIBUTION_BIAS: all biases: of output projections, feed-forwards, norms and the head that predicts
 *
 * What adds to a logit.
 */
typedef enum {
  HL_ATTRIBUTION_EMBEDDING,
  HL_ATTRIBUTION_HEAD,
  HL_ATTRIBUTION_FEED_FORWARD,
  HL_ATTRIBUTION_LINEAR,
  HL_ATTRIBUTION_BIAS,
} HlAttributionPart;

/**
 * HlAttributionItem:
 * @part: what it is
 * @attention: which attention a head is of
 * @layer: the layer of a head or a feed-forward
 * @head: the head
 * @value: what it adds to the logit
 *
 * One of the terms that a logit is the sum of.
 */
typedef struct
{
  HlAttributionPart part;
  HlAttentionKind   attention;
  guint             layer;
  guint             head;
  double            value;
} HlAttributionItem;

/**
 * HlAttribution:
 * @items: (array length=n_items): the terms, in the order in which the model computes them, biases last
 * @n_items: how many
 * @position: the token of the last stack whose prediction it is
 * @token: whose logit
 * @other: the token whose logit is taken off; −1 for none
 * @logit: what they add up to, before a cap
 * @is_capped: whether the model bounds its logits, so that what it says is not @logit itself
 * @is_frozen: whether norms between the layers, or the activation of a head, are taken as they are: their scales and gates, which
 *   depend on all terms, are those of the pass
 *
 * A logit, or the difference of two, as a sum of what heads and others add.
 */
typedef struct
{
  HlAttributionItem *items;
  gsize              n_items;
  gsize              position;
  guint32            token;
  gint64             other;
  double             logit;
  gboolean           is_capped;
  gboolean           is_frozen;
} HlAttribution;

HlAttribution *hl_attribution_compute (HlModelCall    *call,
                                       HlUnembedding  *unembedding,
                                       gsize           position,
                                       gint64          token,
                                       gint64          other,
                                       GCancellable   *cancellable,
                                       GError        **error);
void           hl_attribution_free    (HlAttribution  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlAttribution, hl_attribution_free)

G_END_DECLS
