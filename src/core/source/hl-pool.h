/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HlPool:
 * @pooling: how cells that fall together become one
 * @is_signed: whether the greatest is the one farthest from zero
 * @n_keys: keys of a row that goes in
 * @n_columns: columns of a row that comes out
 * @starts: [n_columns + 1], the key that each column begins with
 * @largest: [n_keys], the largest weights so far; for %HL_POOLING_MAX
 * @sums: [n_columns], for %HL_POOLING_MEAN
 * @counts: [n_columns], likewise
 *
 * Rows of weights on their way to one row of an answer.
 */
typedef struct
{
  HlPooling pooling;
  gboolean  is_signed;
  gsize     n_keys;
  gsize     n_columns;
  gsize    *starts;
  float    *largest;
  double   *sums;
  guint64  *counts;
} HlPool;

gsize    hl_pool_get_bin_start (gsize                     bin,
                                gsize                     n_bins,
                                gsize                     n);
gboolean hl_pool_init          (HlPool                   *self,
                                const HlAttentionRequest *request,
                                gboolean                  is_signed,
                                GError                  **error);
void     hl_pool_clear         (HlPool                   *self);
void     hl_pool_add           (HlPool                   *self,
                                const float              *weights);
void     hl_pool_finish        (HlPool                   *self,
                                float                    *target);
void     hl_pool_fold_row      (const float              *numbers,
                                gsize                     n,
                                float                    *target,
                                gsize                     n_columns);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlPool, hl_pool_clear)

G_END_DECLS
