/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-matmul.h"

G_BEGIN_DECLS

gboolean hl_block_product_can      (gsize           m,
                                    gsize           n,
                                    const HlFactor *b);
void     hl_block_product_multiply (gsize           m,
                                    gsize           n,
                                    gsize           k,
                                    const float    *a,
                                    gsize           a_stride,
                                    const HlFactor *b,
                                    float          *c,
                                    gsize           c_stride,
                                    HlScratch      *scratch);

G_END_DECLS
