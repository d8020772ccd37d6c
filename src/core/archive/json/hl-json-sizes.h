/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-limits.h"
#include "core/base/tensor/hl-shape.h"

G_BEGIN_DECLS

/**
 * HlJsonSizes:
 * @rank: the depth at which numbers are; 0 until known
 * @known: whether the size of an axis is known
 * @dims: the sizes
 * @heads_known: whether the heads of the present layer have been counted
 * @heads: how many there are
 * @layer_heads: (nullable) (element-type guint64): where layers differ in heads, the heads of each layer; their axis
 *   is the third from last
 * @parts: (nullable) (element-type HlShape): where elements of the first axis differ in queries and keys, as steps of
 *   a generation do, the sizes of
 *   each
 * @first_row: where each row of a map is longer by one than the row before, as below the diagonal, the length of the
 *   first; else 0
 *
 * The sizes of lists in lists, as far as they have been read. Lists of different sizes are ragged, with the three
 * exceptions above.
 */
typedef struct
{
  guint    rank;
  gboolean known[HL_LIMIT_RANK];
  guint64  dims[HL_LIMIT_RANK];
  gboolean heads_known;
  guint64  heads;
  GArray  *layer_heads;
  GArray  *parts;
  guint64  first_row;
} HlJsonSizes;

gboolean hl_json_sizes_close    (HlJsonSizes   *self,
                                 guint          depth,
                                 const guint64 *counts,
                                 guint64       *expected);
gboolean hl_json_sizes_ends_map (HlJsonSizes   *self,
                                 guint          depth);
void     hl_json_sizes_pad_map  (HlJsonSizes   *self,
                                 float         *numbers);
void     hl_json_sizes_clear    (HlJsonSizes   *self);

G_END_DECLS
