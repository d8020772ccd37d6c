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

/* A line that is drawn by itself. */
typedef struct
{
  double y_query; /* pixels */
  double y_key;   /* pixels */
  float height;   /* pixels that it covers at one abscissa */
  float rise;     /* pixels that it climbs or falls in a column of pixels, at least 1/64 */
  float strength; /* its opacity, up to 1, by rise */
} HlStrongLine;

/* A faint line where rows are not evenly spaced. */
typedef struct
{
  float y_query;  /* cells, less half the extent of the profile: where the profile begins */
  float y_key;    /* likewise */
  guint32 height; /* cells */
  guint32 rise;   /* cells */
  guint32 unit;   /* what the line adds in each cell of its rise */
} HlFaintLine;

/* The faint lines of a diagonal of the matrix, where rows are evenly spaced. */
typedef struct
{
  gsize first_query; /* the query of the first line that is not 0 */
  gsize n_lines;     /* lines from the first to the last that is not 0; 0 if there is none */
  guint32 *units;    /* what each adds in each cell of its rise */
} HlDiagonal;

/* One layer, ready to be drawn. */
typedef struct
{
  float max_faint;       /* the opacity up to which lines are faint */
  GArray *strong;        /* the strong lines, but those of a crowd */
  /* (unowned): whose strong lines are so many that they are not listed; NULL where they are */
  const HlLineLayer *crowd;
  GArray *faint;         /* the faint lines, where rows are not even */
  HlDiagonal *diagonals; /* the faint lines, where rows are even, by the number of the diagonal */
  guint32 *units;        /* what the diagonals point into */
  double unit;           /* the −log (1 − opacity) that one unit stands for, summed over the cells of a pixel */
} HlLineLoad;

/* Below, a line counts as climbing this much a column: it keeps the profile's edges finite. */
#define HL_LINE_MIN_RISE (1.0f / 64.0f)

static inline float
hl_line_load_get_opacity (float weight, float alpha)
{
  float opacity = weight * alpha;

  /* Written so that NaN becomes 0. */
  return opacity > 0.0f ? MIN (opacity, 1.0f) : 0.0f;
}

static inline HlStrongLine
hl_line_load_make_strong (const HlLineGrid *grid, gsize query, gsize key, float opacity)
{
  double slope = hl_line_grid_get_slope (grid, query, key);
  float rise = MAX ((float) fabs (slope), HL_LINE_MIN_RISE);

  return (HlStrongLine){
    .y_query = grid->y_query[query],
    .y_key = grid->y_key[key],
    .height = (float) (grid->line_width * sqrt (1.0 + slope * slope)),
    .rise = rise,
    .strength = opacity / rise,
  };
}

HlLineLoad *hl_line_load_new (const HlLineGrid *grid, const HlLineLayer *layer);
void hl_line_load_free (HlLineLoad *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLineLoad, hl_line_load_free)

G_END_DECLS
