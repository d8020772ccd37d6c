/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-norm.h"
#include "core/model/checkpoint/hl-weights.h"

G_BEGIN_DECLS

gboolean hl_norm_load (HlNorm     *self,
                       HlWeights  *weights,
                       const char *name,
                       gsize       width,
                       gboolean    has_bias,
                       GError    **error);

G_END_DECLS
