/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/family/hl-family.h"

G_BEGIN_DECLS

float *hl_resample_grid (HlResampling how,
                         const float *rows,
                         gsize        height,
                         gsize        width,
                         gsize        n_features,
                         gsize        new_height,
                         gsize        new_width);

G_END_DECLS
