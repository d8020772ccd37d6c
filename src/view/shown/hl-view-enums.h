/* SPDX-License-Identifier: MIT */
/* What can be chosen about how attention is shown, where it is one of several things. */
#pragma once

#include "view/shown/hl-view-kind.h"

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * HlThumbnailKind:
 * @HL_THUMBNAIL_HEATMAP: the matrix, each head's colours from 0 to its largest weight
 * @HL_THUMBNAIL_LINES: token lines
 *
 * How the heads of a model view look.
 */
typedef enum {
  HL_THUMBNAIL_HEATMAP,
  HL_THUMBNAIL_LINES,
} HlThumbnailKind;

#define HL_TYPE_THUMBNAIL_KIND (hl_thumbnail_kind_get_type ())
GType hl_thumbnail_kind_get_type (void);

/**
 * HlChartKind:
 * @HL_CHART_LAYERS: a number by layer: the mean over heads with its spread, and the heads
 * @HL_CHART_SHARES: by layer, how much goes to each class of key, or how many heads have each pattern
 * @HL_CHART_GRID: a number of every head, a row a layer
 * @HL_CHART_SCATTER: heads as points, near ones alike
 * @HL_CHART_PLANE: queries and keys of a head as points in their plane
 *
 * The kinds of chart.
 */
typedef enum {
  HL_CHART_LAYERS,
  HL_CHART_SHARES,
  HL_CHART_GRID,
  HL_CHART_SCATTER,
  HL_CHART_PLANE,
} HlChartKind;

#define HL_N_CHART_KINDS (HL_CHART_PLANE + 1)

#define HL_TYPE_CHART_KIND (hl_chart_kind_get_type ())
GType hl_chart_kind_get_type (void);

const char *hl_chart_kind_get_display_name (HlChartKind kind);
const char *hl_chart_kind_get_caption (HlChartKind kind);
gboolean hl_chart_kind_draws_number (HlChartKind kind);

/**
 * HlHeatKind:
 * @HL_HEAT_COLOURS: colours over the image
 * @HL_HEAT_MASK: the image, dark where nothing is attended to
 *
 * How weights look over an image.
 */
typedef enum {
  HL_HEAT_COLOURS,
  HL_HEAT_MASK,
} HlHeatKind;

#define HL_TYPE_HEAT_KIND (hl_heat_kind_get_type ())
GType hl_heat_kind_get_type (void);

/**
 * HlSentences:
 * @HL_SENTENCES_ALL: everything
 * @HL_SENTENCES_A_TO_A: queries and keys of the first text
 * @HL_SENTENCES_B_TO_B: of the second
 * @HL_SENTENCES_A_TO_B: queries of the first, keys of the second
 * @HL_SENTENCES_B_TO_A: queries of the second, keys of the first
 *
 * Which part of the map of a pair of texts is shown. Weights are not renormalised.
 */
typedef enum {
  HL_SENTENCES_ALL,
  HL_SENTENCES_A_TO_A,
  HL_SENTENCES_B_TO_B,
  HL_SENTENCES_A_TO_B,
  HL_SENTENCES_B_TO_A,
} HlSentences;

#define HL_TYPE_SENTENCES (hl_sentences_get_type ())
GType hl_sentences_get_type (void);

/**
 * HlOrientation:
 * @HL_ORIENTATION_VERTICAL: downwards, queries beside keys
 * @HL_ORIENTATION_HORIZONTAL: to the side, queries above keys
 *
 * Which way tokens run where lines join them.
 */
typedef enum {
  HL_ORIENTATION_VERTICAL,
  HL_ORIENTATION_HORIZONTAL,
} HlOrientation;

#define HL_TYPE_ORIENTATION (hl_orientation_get_type ())
GType hl_orientation_get_type (void);

/**
 * HlReading:
 * @HL_READING_AUTO: as most letters of the tokens run
 * @HL_READING_LEFT_TO_RIGHT: from the left
 * @HL_READING_RIGHT_TO_LEFT: from the right
 *
 * From which side a text is read.
 */
typedef enum {
  HL_READING_AUTO,
  HL_READING_LEFT_TO_RIGHT,
  HL_READING_RIGHT_TO_LEFT,
} HlReading;

#define HL_TYPE_READING (hl_reading_get_type ())
GType hl_reading_get_type (void);

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

/**
 * HlValueScaleKind:
 * @HL_VALUE_SCALE_AUTO: as the quantity wants it: %HL_VALUE_SCALE_OFF_DIAGONAL where the residual connection has a part in it, else linear
 * @HL_VALUE_SCALE_LINEAR: equal steps of the value are equal steps of position
 * @HL_VALUE_SCALE_LOG: equal ratios of the value are equal steps of position
 * @HL_VALUE_SCALE_ROW: each row by itself, its largest value at 1
 * @HL_VALUE_SCALE_CUMULATIVE: of each weight its cumulative mass, see hl_cumulative_source_new(), from 0 to 1; values
 *   are that already when they come to a scale
 * @HL_VALUE_SCALE_OFF_DIAGONAL: linear, but up to the greatest number off the diagonal, where a token does not attend to
 *   itself; what is above it has its colour
 *
 * The kinds of scale.
 */
typedef enum
{
  HL_VALUE_SCALE_AUTO,
  HL_VALUE_SCALE_LINEAR,
  HL_VALUE_SCALE_LOG,
  HL_VALUE_SCALE_ROW,
  HL_VALUE_SCALE_CUMULATIVE,
  HL_VALUE_SCALE_OFF_DIAGONAL,
} HlValueScaleKind;

#define HL_TYPE_VALUE_SCALE_KIND (hl_value_scale_kind_get_type ())
GType hl_value_scale_kind_get_type (void) G_GNUC_CONST;

const char *hl_value_scale_kind_get_display_name (HlValueScaleKind kind);

G_END_DECLS
