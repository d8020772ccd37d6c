/* SPDX-License-Identifier: MIT */
/*
 * Private to the line raster: draws the lines of a layer that are drawn one by one.
 */
#pragma once

#include "draw/lines/hl-line-band.h"
#include "draw/lines/hl-line-load.h"

G_BEGIN_DECLS

/* Lines are multiplied in so many pixels at once. */
#define HL_LINE_STRONG_STEP 16

void hl_line_strong_multiply (const HlStrongLine *lines,
                              guint               n_lines,
                              const HlLineBand   *band,
                              double              t,
                              float               part,
                              float              *through);

G_END_DECLS
