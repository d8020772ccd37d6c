/* SPDX-License-Identifier: MIT */
/*
 * Numbers as coloured cells: the small matrices of steps and the strips of neurons whole, in a box; of heatmaps and
 * thumbnails the colours of a row, and what masked cells and those without a number look like in all of them.
 */
#pragma once

#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-theme.h"
#include "draw/paint/hl-value-scale.h"

G_BEGIN_DECLS

/* The numbers. */
typedef struct
{
  const float *values;    /* [n_rows, n_columns]; −∞ is a masked cell */
  gsize        n_rows;    /* how many */
  gsize        n_columns; /* how many */
} HlValueCells;

/* How numbers look. */
typedef struct
{
  const HlTheme *theme;     /* the colours that are not data */
  gboolean       diverging; /* whether numbers have a sign that colours tell */
  HlColourMap    map;       /* the colours if they have not: from 0 to limit */
  double         limit;     /* the size of number at the end of the colours; 0 where all are 0 */
} HlValuePaint;

/* Cells without a colour of their own, as pixels. */
typedef struct
{
  guint32 masked; /* the ground of masked cells, and hatch its stripes */
  guint32 hatch;  /* see masked */
  guint32 ground; /* the ground of cells whose number is NaN, and ink the stripes that cross on it */
  guint32 ink;    /* see ground */
  guint   period; /* pixels from one stripe to the next; 0 for none: then masked cells are all ground, NaN is all ink */
} HlBlankCells;

HlBlankCells     hl_blank_cells_of          (const HlTheme           *theme,
                                             guint                    period);
void             hl_value_cells_colour_row  (HlColourMap              map,
                                             const HlTheme           *theme,
                                             const HlValueScale      *scale,
                                             const float             *values,
                                             gsize                    n,
                                             double                   row_max,
                                             guint32                 *colours);
guint32          hl_value_paint_get_pixel   (const HlValuePaint      *self,
                                             float                    value);
cairo_surface_t *hl_value_cells_make_image  (const HlValueCells      *self,
                                             const HlValuePaint      *paint,
                                             int                      width,
                                             int                      height,
                                             double                   scale);
void             hl_value_cells_draw        (const HlValueCells      *self,
                                             const HlValuePaint      *paint,
                                             const cairo_rectangle_t *box,
                                             cairo_t                 *cr);

static inline guint32
hl_blank_cells_get_masked (const HlBlankCells *self,
                           guint64             x,
                           guint64             y)
{
  return self->period > 0 && (x + y) % self->period < self->period / 6 ? self->hatch : self->masked;
}

static inline guint32
hl_blank_cells_get_nan (const HlBlankCells *self,
                        guint64             x,
                        guint64             y)
{
  return self->period == 0 || (x + y) % self->period < self->period / 6 ||
             (x + self->period * y - y) % self->period < self->period / 6
           ? self->ink
           : self->ground;
}

G_END_DECLS
