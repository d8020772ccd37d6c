/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * HlStepsPart:
 * @layer: the maps of one step, of one layer
 * @first_row: the row of the whole that its first query is
 * @n_rows: how many of its queries are taken
 * @first_column: the column of the whole that its first key is
 * @n_columns: how many of its keys are taken
 * @items: (nullable) (array): for each item of the whole's batch, which of the part's it is, or -1 if the step has
 *   nothing for it; %NULL if they
 *   are the same
 *
 * Some rows of a map that comes in parts.
 */
typedef struct
{
  HlLayerTensor layer;
  guint64       first_row;
  guint64       n_rows;
  guint64       first_column;
  guint64       n_columns;
  const gint64 *items;
} HlStepsPart;

#define HL_TYPE_STEPS_TENSOR (hl_steps_tensor_get_type ())
/**
 * HlStepsTensor:
 *
 * The maps of a layer over the steps of a generation, each step's rows below those of the step before. What no step
 * says is 0. Put together when
 * it is read.
 */
G_DECLARE_FINAL_TYPE (HlStepsTensor, hl_steps_tensor, HL, STEPS_TENSOR, HlTensor)

HlTensor *hl_steps_tensor_new (const HlStepsPart *parts,
                               guint              n_parts,
                               guint64            n_batch,
                               guint64            n_rows,
                               guint64            n_columns,
                               GBytes            *items);

G_END_DECLS
