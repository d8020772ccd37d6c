/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HL_TILE_COLUMNS:
 *
 * Columns of a panel: of a strip of the right factor of a product, whose rows lie one after the other.
 */
#define HL_TILE_COLUMNS 32

/**
 * HL_TILE_MAX_ROWS:
 *
 * Rows of the highest tile of any machine.
 */
#define HL_TILE_MAX_ROWS 12

/**
 * HlTile:
 * @name: the instructions
 * @n_rows: rows that it is at most, and best, used for
 * @multiply: c = a · b, for a of [n_rows, k], b of [k, 32] and c of [n_rows, 32], in float32; @fetch when b, and what lies behind it, is
 *   not in the cache yet
 * @pack: makes a panel [k, 32] of up to 32 rows of [n_rows, k]; columns that have no row become 0
 *
 * The loops that all products come down to, made for one instruction set.
 */
typedef struct
{
  const char *name;
  gsize       n_rows;
  void (*multiply) (gsize        n_rows,
                    gboolean     fetch,
                    gsize        k,
                    const float *a,
                    gsize        a_stride,
                    const float *b,
                    gsize        b_stride,
                    float       *c,
                    gsize        c_stride);
  void (*pack)     (gsize        n_rows,
                    gsize        k,
                    const float *source,
                    gsize        stride,
                    float       *panel);
} HlTile;

const HlTile *hl_tile_get (guint rank);

G_END_DECLS
