/* SPDX-License-Identifier: MIT */
/* A line of a list of pairs: the two tokens, parts of an image before their names where they stand for such, and the weight. */
#pragma once

#include "app/details/hl-fact-row.h"
#include "app/details/hl-head-facts.h"

G_BEGIN_DECLS

#define HL_TYPE_PAIR_ROW (hl_pair_row_get_type ())
G_DECLARE_FINAL_TYPE (HlPairRow, hl_pair_row, HL, PAIR_ROW, HlFactRow)

GtkWidget *hl_pair_row_new            (void);
gboolean   hl_pair_row_need_two_lines (const HlShown      *shown,
                                       const HlStrongPair *pairs,
                                       guint               n);
void       hl_pair_row_set_pair       (HlPairRow          *self,
                                       const HlShown      *shown,
                                       const HlStrongPair *pair,
                                       gboolean            two_lines);

G_END_DECLS
