/* SPDX-License-Identifier: MIT */
/*
 * Colour maps of heatmaps: a position from 0 to 1 becomes a pixel. All are perceptually uniform:
 * equal steps of position are equal steps of lightness.
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * HlColourMap:
 * @HL_COLOUR_MAP_PAPER: one hue from the theme's background to its ink, for print: white to dark
 *   blue in the light theme, dark grey to light blue in the dark one
 * @HL_COLOUR_MAP_VIRIDIS: violet, green, yellow
 * @HL_COLOUR_MAP_CIVIDIS: blue to yellow, nearly the same to colour-blind eyes
 * @HL_COLOUR_MAP_MAGMA: black, purple, cream
 * @HL_COLOUR_MAP_INFERNO: black, red, yellow
 *
 * The colour maps. Only @HL_COLOUR_MAP_PAPER depends on the theme.
 */
typedef enum
{
  HL_COLOUR_MAP_PAPER,
  HL_COLOUR_MAP_VIRIDIS,
  HL_COLOUR_MAP_CIVIDIS,
  HL_COLOUR_MAP_MAGMA,
  HL_COLOUR_MAP_INFERNO,
} HlColourMap;

#define HL_N_COLOUR_MAPS (HL_COLOUR_MAP_INFERNO + 1)

#define HL_TYPE_COLOUR_MAP (hl_colour_map_get_type ())
GType hl_colour_map_get_type (void) G_GNUC_CONST;

const char *hl_colour_map_get_id (HlColourMap map);
const char *hl_colour_map_get_display_name (HlColourMap map);
gboolean hl_colour_map_from_id (const char *id, HlColourMap *map);

guint32 hl_colour_map_lookup (HlColourMap map, gboolean dark, double t);
void hl_colour_map_fill_row (HlColourMap map,
                             gboolean dark,
                             const float *t,
                             gsize n,
                             guint32 *pixels);

G_END_DECLS
