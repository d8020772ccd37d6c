/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/lines/hl-line-raster.h"

G_BEGIN_DECLS

void hl_head_view_fan_draw (cairo_t              *cr,
                            const HlLineGeometry *geometry,
                            const HlLineLayer    *layer,
                            double                top,
                            double                height,
                            double                scale,
                            double                min_alpha);

G_END_DECLS
