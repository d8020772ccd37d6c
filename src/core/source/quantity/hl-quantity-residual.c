/* SPDX-License-Identifier: MIT */
/* (A + I)[i,j] / Σ_k (A + I)[i,k]: beside what it takes in of others, a token keeps itself (Abnar and Zuidema 2020). Of
 * several heads, A is their mean. */
#include "core/source/quantity/hl-quantity.h"

#include <glib/gi18n-lib.h>

#include "core/source/quantity/hl-residual-source.h"

static HlAttentionSource *
make (const HlQuantityParts *parts)
{
  return hl_residual_source_new (parts->weights);
}

const HlQuantityClass hl_quantity_residual = {
  .label = N_ ("With Residual"),
  .sentence = N_ ("What a token takes in beside what it keeps by the residual connection: A + I, rows sum to 1"),
  .needs = N_ ("queries and keys that are the same tokens"),
  .can = hl_residual_source_can,
  .heads = HL_QUANTITY_OF_MEAN,
  .keeps_itself = TRUE,
  .make = make,
};
