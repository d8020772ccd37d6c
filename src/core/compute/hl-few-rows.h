/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-matmul.h"

G_BEGIN_DECLS

/**
 * HL_FEW_ROWS:
 *
 * Rows of a left factor that are few: reading the right one is all that takes time then, and it is read once, where it lies.
 */
#define HL_FEW_ROWS 4

/**
 * HlRowLoops:
 * @name: the instructions
 * @dot: some columns of a · b, for b of [n, k], in float32; at most four rows; by the type of b: float16, bfloat16, float32
 * @add: some columns of one row of a · b, for b of [k, n]; likewise
 *
 * What products with few rows come down to, made for one instruction set.
 */
typedef struct
{
  const char *name;
  void (*dot[HL_DTYPE_F32 + 1]) (gsize        n_rows,
                                 gsize        n,
                                 gsize        k,
                                 const float *a,
                                 gsize        a_stride,
                                 const void  *b,
                                 gsize        b_stride,
                                 float       *c,
                                 gsize        c_stride);
  void (*add[HL_DTYPE_F32 + 1]) (gsize        n,
                                 gsize        k,
                                 const float *a,
                                 const void  *b,
                                 gsize        b_stride,
                                 float       *c);
} HlRowLoops;

const HlRowLoops *hl_row_loops_get (guint rank);

gboolean hl_few_rows_can      (const HlFactor *b);
void     hl_few_rows_multiply (gsize           m,
                               gsize           n,
                               gsize           k,
                               const float    *a,
                               gsize           a_stride,
                               const HlFactor *b,
                               float          *c,
                               gsize           c_stride);

G_END_DECLS
