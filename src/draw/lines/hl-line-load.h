/* SPDX-License-Identifier: MIT */
/*
 * Private to the line raster: the weights of one layer, sorted into lines that must be drawn one by
 * one and faint ones that are summed.
 */
#pragma once

#include "draw/lines/hl-line-grid.h"

G_BEGIN_DECLS

/*
 * The opacity up to which a line is faint. Faint lines are summed as if log (1 − opacity × coverage) were coverage ×
 * log (1 − opacity); for one line that is off by opacity² / 8 at most, 0.03 steps of 255.
 */
#define HL_LINE_FAINT (1.0f / 32.0f)

/*
 * Where a layer has so many lines that it takes long to draw those above HL_LINE_FAINT one by one, the bound is
 * raised up to this: off by 2 steps of 255 at the edge of a line that is alone, by less where lines are crowded,
 * which is what so many do.
 */
#define HL_LINE_MAX_FAINT (1.0f / 4.0f)

/**
 * HlStrongLine:
 * @y_query: pixels
 * @y_key: pixels
 * @height: pixels that it covers at one abscissa
 * @rise: pixels that it climbs or falls in a column of pixels, at least 1/64
 * @strength: its opacity, up to 1, by @rise
 *
 * A line that is drawn by itself.
 */
typedef struct
{
  double y_query;
  double y_key;
  float height;
  float rise;
  float strength;
} HlStrongLine;

/**
 * HlFaintLine:
 * @y_query: cells, less half the extent of the profile: where the profile begins
 * @y_key: likewise
 * @height: cells
 * @rise: cells
 * @unit: what the line adds in each cell of its rise
 *
 * A faint line where rows are not evenly spaced.
 */
typedef struct
{
  float y_query;
  float y_key;
  guint32 height;
  guint32 rise;
  guint32 unit;
} HlFaintLine;

/**
 * HlDiagonal:
 * @first_query: the query of the first line that is not 0
 * @n_lines: lines from the first to the last that is not 0; 0 if there is none
 * @units: (array length=n_lines): what each adds in each cell of its rise
 *
 * The faint lines of a diagonal of the matrix, where rows are evenly spaced.
 */
typedef struct
{
  gsize first_query;
  gsize n_lines;
  guint32 *units;
} HlDiagonal;

/**
 * HlLineLoad:
 * @max_faint: the opacity up to which lines are faint
 * @strong: (element-type HlStrongLine): the strong lines
 * @faint: (element-type HlFaintLine): the faint lines, where rows are not even
 * @diagonals: the faint lines, where rows are even, by the number of the diagonal
 * @units: what the diagonals point into
 * @unit: the −log (1 − opacity) that one unit stands for, summed over the cells of a pixel
 *
 * One layer, ready to be drawn.
 */
typedef struct
{
  float max_faint;
  GArray *strong;
  GArray *faint;
  HlDiagonal *diagonals;
  guint32 *units;
  double unit;
} HlLineLoad;

HlLineLoad *hl_line_load_new (const HlLineGrid *grid, const HlLineLayer *layer);
void hl_line_load_free (HlLineLoad *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLineLoad, hl_line_load_free)

G_END_DECLS
