/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void hl_matmul (gboolean     transpose_b,
                gsize        m,
                gsize        n,
                gsize        k,
                float        alpha,
                const float *a,
                gsize        a_stride,
                const float *b,
                gsize        b_stride,
                float        beta,
                float       *c,
                gsize        c_stride);

G_END_DECLS
