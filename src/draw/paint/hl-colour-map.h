/* SPDX-License-Identifier: MIT */
/*
 * Colour maps of heatmaps: a position from 0 to 1 becomes a pixel. All are perceptually uniform:
 * equal steps of position are equal steps of lightness.
 */
#pragma once

#include "view/shown/hl-view-enums.h"

G_BEGIN_DECLS

guint32 hl_colour_map_lookup (HlColourMap map, gboolean dark, double t);
void hl_colour_map_fill_row (HlColourMap map,
                             gboolean dark,
                             const float *t,
                             gsize n,
                             guint32 *pixels);

G_END_DECLS
