/* SPDX-License-Identifier: MIT */
/* What can be shown of attention: a row of HL_QUANTITIES and a file each. */
#pragma once

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
  ROW (RESIDUAL, residual)

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
 * HlQuantityClass:
 * @label: where it is chosen, to be translated: "Weight"
 * @sentence: what it tells, likewise
 * @needs: (nullable): what an attention must have for it, likewise: "values"; %NULL when attention is enough
 * @can: (nullable): whether an attention of a document has that
 * @make: (nullable): makes it of the weights of such an attention; without it, it is these
 *
 * A quantity.
 */
typedef struct
{
  const char *label;
  const char *sentence;
  const char *needs;
  gboolean (*can) (HlAttention *attention);
  HlAttentionSource *(*make) (HlAttention       *attention,
                              HlAttentionSource *weights);
} HlQuantityClass;

#define HL_QUANTITY_DECLARE(NAME, nick) extern const HlQuantityClass hl_quantity_##nick;
HL_QUANTITIES (HL_QUANTITY_DECLARE)

const HlQuantityClass *hl_quantity_get   (HlQuantity          self);
gboolean               hl_quantity_check (HlQuantity          self,
                                          HlAttention        *attention,
                                          GError            **error);

G_END_DECLS
