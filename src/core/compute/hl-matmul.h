/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/tensor/hl-tensor.h"
#include "core/compute/hl-scratch.h"
#include "core/compute/hl-tile.h"

G_BEGIN_DECLS

/**
 * HlFactor:
 * @data: the numbers, of the machine's byte order; %NULL where @tensor has them in the other
 * @tensor: (nullable): who has them then, a matrix or several
 * @first: the first of its numbers, which begins a matrix
 * @dtype: their type, one of floating point; quantised ones only where @transposed, in whole blocks
 * @stride: numbers from one row to the next
 * @transposed: whether it is stored as [n, k], as the weights of linear layers mostly are, and not as [k, n]
 * @panels: (nullable): what hl_factor_new_panels() made of it, which is used instead then
 *
 * The right factor of a product. It may lie in a mapped file.
 */
typedef struct
{
  const void  *data;
  HlTensor    *tensor;
  gsize        first;
  HlDType      dtype;
  gsize        stride;
  gboolean     transposed;
  const float *panels;
} HlFactor;

float   *hl_factor_new_panels (const HlFactor *self,
                               gsize           n,
                               gsize           k);

void hl_matmul (gsize           m,
                gsize           n,
                gsize           k,
                const float    *a,
                gsize           a_stride,
                const HlFactor *b,
                float          *c,
                gsize           c_stride,
                HlScratch      *scratch);

G_END_DECLS
