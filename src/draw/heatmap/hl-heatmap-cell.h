/* SPDX-License-Identifier: MIT */
/* How wide and how high cells are: the one rule of it. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Counts of rows and columns less far apart are alike: their cells are squares. */
#define HL_HEATMAP_LEAST_RATIO 3
/* Of its room, what the shorter side of squares takes at least. */
#define HL_HEATMAP_LEAST_PART 0.5
/* The greatest size of a cell that nobody made larger. */
#define HL_HEATMAP_MAX_FIT_CELL 48.0

/* The greatest size of a cell, in logical pixels. */
#define HL_HEATMAP_MAX_CELL 64.0

typedef struct
{
  double width;
  double height;
} HlHeatmapCell;

HlHeatmapCell hl_heatmap_cell_fit       (gsize                n_rows,
                                         gsize                n_columns,
                                         double               width,
                                         double               height);
HlHeatmapCell hl_heatmap_cell_zoom      (const HlHeatmapCell *fit,
                                         double               zoom);
double        hl_heatmap_cell_get_least (const HlHeatmapCell *self);
gboolean      hl_heatmap_cell_equal     (const HlHeatmapCell *a,
                                         const HlHeatmapCell *b);

G_END_DECLS
