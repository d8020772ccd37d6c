/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-factor.h"
#include "core/compute/hl-scratch.h"

G_BEGIN_DECLS

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
