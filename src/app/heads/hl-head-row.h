/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/hl-head-numbers.h"

G_BEGIN_DECLS

/**
 * HlHeadColumn:
 * @HL_HEAD_COLUMN_LAYER: the layer
 * @HL_HEAD_COLUMN_HEAD: the head
 * @HL_HEAD_COLUMN_WEIGHT: the weight between the words that were asked for
 * @HL_HEAD_COLUMN_RANK: its rank among all heads
 * @HL_HEAD_COLUMN_CHANGE: how far it is from the head it is compared with
 * @HL_HEAD_COLUMN_STATS: the first of the statistics, which follow in the order of #HlHeadStat
 *
 * What the table of heads tells.
 */
typedef enum {
  HL_HEAD_COLUMN_LAYER,
  HL_HEAD_COLUMN_HEAD,
  HL_HEAD_COLUMN_WEIGHT,
  HL_HEAD_COLUMN_RANK,
  HL_HEAD_COLUMN_CHANGE,
  HL_HEAD_COLUMN_STATS,
} HlHeadColumn;

#define HL_N_HEAD_COLUMNS (HL_HEAD_COLUMN_STATS + HL_N_HEAD_STATS)

#define HL_TYPE_HEAD_ROW (hl_head_row_get_type ())
G_DECLARE_FINAL_TYPE (HlHeadRow, hl_head_row, HL, HEAD_ROW, GObject)

HlHeadRow *hl_head_row_new         (guint           layer,
                                    guint           head,
                                    guint           index);
guint      hl_head_row_get_layer   (HlHeadRow      *self);
guint      hl_head_row_get_head    (HlHeadRow      *self);
guint      hl_head_row_get_index   (HlHeadRow      *self);
void       hl_head_row_set_numbers (HlHeadRow      *self,
                                    HlHeadNumbers  *numbers);
double     hl_head_row_get_value   (HlHeadRow      *self,
                                    HlHeadColumn    column);
char      *hl_head_row_dup_text    (HlHeadRow      *self,
                                    HlHeadColumn    column);

G_END_DECLS
