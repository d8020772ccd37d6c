/* SPDX-License-Identifier: MIT */
/*
 * Cells are squares, so that what is symmetric looks it and a diagonal is one. They are rectangles where there are so many more of one
 * side's tokens than of the other's that squares would leave the shorter side a strip: 30 words over 1,500 frames of sound are 0.6 pixels
 * each, and none of the words can be read. Height and width are chosen apart then, and the map fills its room.
 */
#include "draw/heatmap/hl-heatmap-cell.h"

#include <math.h>

/* From this size on, cells are whole pixels: all as large as one another, with sharp edges. */
#define MIN_WHOLE_CELL 4

/* The cells with which all are in view, in room of so many pixels. */
HlHeatmapCell
hl_heatmap_cell_fit (gsize  n_rows,
                     gsize  n_columns,
                     double width,
                     double height)
{
  const HlHeatmapCell apart = { MIN (width / n_columns, HL_HEATMAP_MAX_FIT_CELL),
                                MIN (height / n_rows, HL_HEATMAP_MAX_FIT_CELL) };
  const double square = MIN (apart.width, apart.height);
  const gsize least = MIN (n_rows, n_columns), most = MAX (n_rows, n_columns);
  const double part = n_rows < n_columns ? n_rows * square / height : n_columns * square / width;

  return most / HL_HEATMAP_LEAST_RATIO >= least && part < HL_HEATMAP_LEAST_PART ? apart
                                                                                : (HlHeatmapCell){ square, square };
}

static double
make_whole (double side)
{
  return side >= MIN_WHOLE_CELL ? floor (side + 1e-9) : side;
}

/*
 * @zoom: how long the shorter side is; 0 for as long as it fits. The longer one grows when the shorter one has become as long: one reads
 * along the side that is pressed together, and all of the other stays in view.
 */
HlHeatmapCell
hl_heatmap_cell_zoom (const HlHeatmapCell *fit,
                      double               zoom)
{
  const double least = MIN (zoom, HL_HEATMAP_MAX_CELL);

  return (HlHeatmapCell){ make_whole (MAX (fit->width, least)), make_whole (MAX (fit->height, least)) };
}

double
hl_heatmap_cell_get_least (const HlHeatmapCell *self)
{
  return MIN (self->width, self->height);
}

gboolean
hl_heatmap_cell_equal (const HlHeatmapCell *a,
                       const HlHeatmapCell *b)
{
  return a->width == b->width && a->height == b->height;
}
