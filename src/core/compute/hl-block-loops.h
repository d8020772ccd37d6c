/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tensor/hl-dtype.h"

G_BEGIN_DECLS

/**
 * HL_BLOCK_MAX_ROWS:
 *
 * Rows of a left factor that the loops of any machine take at most.
 */
#define HL_BLOCK_MAX_ROWS 16

/**
 * HL_BLOCK_MAX_LANES:
 *
 * Rows of the weights that the loops of any machine take at a time at most.
 */
#define HL_BLOCK_MAX_LANES 16

/**
 * HlBlockLoop:
 * @dtype: a quantised type
 * @pack: makes a panel [k, 32] of 32 rows of @n_blocks blocks, as widening and then #HlTile.pack() would, bit by bit
 * @multiply: @c = @a · as many rows of blocks as a vector has lanes, for @a of [k, @n_rows] and @c of [@n_rows, lanes], in float32; see
 *   hl_block_loops_round_rows()
 *
 * What products with one type of quantised weights come down to. Rows begin @row_size bytes apart.
 */
typedef struct
{
  HlDType dtype;
  void (*pack)     (gsize         n_blocks,
                    const guint8 *rows,
                    gsize         row_size,
                    float        *panel);
  void (*multiply) (gsize         n_rows,
                    gsize         n_blocks,
                    const float  *a,
                    const guint8 *rows,
                    gsize         row_size,
                    float        *c,
                    gsize         c_stride);
} HlBlockLoop;

/**
 * HlBlockLoops:
 * @name: the instructions
 * @n_lanes: rows of the weights that are taken at a time
 * @n_rows: the most rows of a left factor
 * @types: the types that are commonest in files; others are widened row by row
 *
 * The loops for one instruction set.
 */
typedef struct
{
  const char *name;
  gsize       n_lanes;
  gsize       n_rows;
  HlBlockLoop types[8];
} HlBlockLoops;

const HlBlockLoops *hl_block_loops_get        (guint               rank);
const HlBlockLoop  *hl_block_loops_find       (const HlBlockLoops *self,
                                               HlDType             dtype);
gsize               hl_block_loops_round_rows (gsize               n_rows);

G_END_DECLS
