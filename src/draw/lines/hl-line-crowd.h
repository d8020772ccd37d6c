/* SPDX-License-Identifier: MIT */
/*
 * Private to the line raster: draws the strong lines of a layer that has so many that most are behind others.
 */
#pragma once

#include "draw/lines/hl-line-band.h"
#include "draw/lines/hl-line-load.h"

G_BEGIN_DECLS

void hl_line_crowd_multiply (const HlLineGrid *grid,
                             const HlLineLoad *load,
                             const HlLineBand *band,
                             double            t,
                             float             part,
                             float            *through);

G_END_DECLS
