/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void hl_rotary_fill_table (gsize         first_position,
                           gsize         n_positions,
                           gsize         n_pairs,
                           const float  *frequencies,
                           float         factor,
                           float        *table);
void hl_rotary_apply      (gsize         n_positions,
                           gsize         n_pairs,
                           const float  *table,
                           float        *rows,
                           gsize         stride);
void hl_rotary_apply_pairs
                          (gsize         n_positions,
                           gsize         n_pairs,
                           const float  *table,
                           float        *rows,
                           gsize         stride);

G_END_DECLS
