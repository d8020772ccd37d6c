/* SPDX-License-Identifier: MIT */
/* What can be shown of attention: a row of HL_QUANTITIES and a file each. */
#pragma once

#include "core/document/attention/hl-head-set.h"
#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HL_QUANTITIES:
 *
 * All quantities, in the order of choices. What follows from a row: an item of the window, a value of `--quantity`, of session files.
 */
#define HL_QUANTITIES(ROW) \
  ROW (WEIGHT, weight)     \
  ROW (VALUE, value)       \
  ROW (NORM, norm)         \
  ROW (RESIDUAL, residual) \
  ROW (ROLLOUT, rollout)   \
  ROW (FLOW, flow)

#define HL_QUANTITY_VALUE(NAME, nick) HL_QUANTITY_##NAME,

/**
 * HlQuantity:
 * @HL_N_QUANTITIES: how many there are
 *
 * Which quantity: what each is stands in its file.
 */
typedef enum {
  HL_QUANTITIES (HL_QUANTITY_VALUE)
  HL_N_QUANTITIES,
} HlQuantity;

#define HL_TYPE_QUANTITY (hl_quantity_get_type ())
GType hl_quantity_get_type (void);

/**
 * HlQuantityHeads:
 * @HL_QUANTITY_OF_HEADS: each head has a map, of its own weights
 * @HL_QUANTITY_OF_MEAN: likewise; where the mean of heads is shown, it is made of the mean of their weights
 * @HL_QUANTITY_OF_LAYER: each layer has one map, made of the mean of the weights of the heads that are chosen
 *
 * Of which heads a map is.
 */
typedef enum {
  HL_QUANTITY_OF_HEADS,
  HL_QUANTITY_OF_MEAN,
  HL_QUANTITY_OF_LAYER,
} HlQuantityHeads;

/**
 * HlQuantityParts:
 * @attention: an attention of a document
 * @weights: its weights, or of %HL_QUANTITY_OF_LAYER those of one head a layer, the mean of heads
 * @first_layer: of what goes through layers, the one that it begins with
 *
 * What a quantity is made of.
 */
typedef struct
{
  HlAttention       *attention;
  HlAttentionSource *weights;
  guint              first_layer;
} HlQuantityParts;

/**
 * HlQuantityClass:
 * @label: where it is chosen, to be translated: "Weight"
 * @sentence: what it tells, likewise
 * @needs: (nullable): what an attention must have for it, likewise: "values"; %NULL when attention is enough
 * @can: (nullable): whether an attention of a document has that
 * @max_tokens: of how many tokens it can be made; 0 for any number
 * @heads: of which heads a map is
 * @keeps_itself: whether a token keeps itself by the residual connection, so that the diagonal outweighs all else
 * @is_length: whether numbers are lengths, which have no greatest, and not parts of a whole
 * @make: (nullable): makes it of the weights of such an attention; without it, it is these
 * @can_sum: (nullable): whether an attention has what @sum needs, which is what @needs says
 * @sum: (nullable): makes one map a layer where heads are summed, if that is more than the sum of their maps
 *
 * A quantity.
 */
typedef struct
{
  const char *label;
  const char *sentence;
  const char *needs;
  gboolean (*can) (HlAttention *attention);
  gsize max_tokens;
  HlQuantityHeads heads;
  gboolean keeps_itself;
  gboolean is_length;
  HlAttentionSource *(*make) (const HlQuantityParts *parts);
  gboolean (*can_sum) (HlAttention *attention);
  HlAttentionSource *(*sum) (const HlQuantityParts *parts,
                             const HlHeadSet       *heads);
} HlQuantityClass;

#define HL_QUANTITY_DECLARE(NAME, nick) extern const HlQuantityClass hl_quantity_##nick;
HL_QUANTITIES (HL_QUANTITY_DECLARE)

const HlQuantityClass *hl_quantity_get   (HlQuantity          self);
gboolean               hl_quantity_check (HlQuantity          self,
                                          HlAttention        *attention,
                                          GError            **error);
gboolean               hl_quantity_check_sum (HlQuantity      self,
                                          HlAttention        *attention,
                                          GError            **error);

G_END_DECLS
