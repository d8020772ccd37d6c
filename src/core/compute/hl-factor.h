/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-dtype.h"
#include "core/compute/hl-tile.h"

G_BEGIN_DECLS

/**
 * HlFactor:
 * @data: the numbers, of the machine's byte order
 * @dtype: their type, one of floating point
 * @stride: numbers from one row to the next
 * @transposed: whether it is stored as [n, k], as the weights of linear layers mostly are, and not as [k, n]
 * @panels: (nullable): what hl_factor_new_panels() made of it, which is used instead then
 *
 * The right factor of a product. It may lie in a mapped file.
 */
typedef struct
{
  const void  *data;
  HlDType      dtype;
  gsize        stride;
  gboolean     transposed;
  const float *panels;
} HlFactor;

gboolean hl_factor_is_plain   (const HlFactor *self);
void     hl_factor_pack_panel (const HlFactor *self,
                               gsize           n,
                               gsize           k,
                               gsize           first,
                               float          *widened,
                               float          *panel);
float   *hl_factor_new_panels (const HlFactor *self,
                               gsize           n,
                               gsize           k);

G_END_DECLS
