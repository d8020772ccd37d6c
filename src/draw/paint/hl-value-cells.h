/* SPDX-License-Identifier: MIT */
/*
 * Numbers as coloured cells in a box, whatever their sign: how the small matrices of steps and the strips of neurons
 * are painted.
 */
#pragma once

#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-theme.h"

G_BEGIN_DECLS

/**
 * HlValueCells:
 * @values: (array): [n_rows, n_columns]; −∞ is a masked cell
 * @n_rows: how many
 * @n_columns: how many
 *
 * The numbers.
 */
typedef struct
{
  const float *values;
  gsize        n_rows;
  gsize        n_columns;
} HlValueCells;

/**
 * HlValuePaint:
 * @theme: the colours that are not data
 * @diverging: whether numbers have a sign that colours tell
 * @map: the colours if they have not: from 0 to @limit
 * @limit: the size of number at the end of the colours; 0 where all are 0
 *
 * How numbers look.
 */
typedef struct
{
  const HlTheme *theme;
  gboolean       diverging;
  HlColourMap    map;
  double         limit;
} HlValuePaint;

guint32          hl_value_paint_get_pixel   (const HlValuePaint      *self,
                                             float                    value);
float            hl_value_cells_pool        (float                    a,
                                             float                    b);
cairo_surface_t *hl_value_cells_make_image  (const HlValueCells      *self,
                                             const HlValuePaint      *paint,
                                             int                      width,
                                             int                      height,
                                             double                   scale);
void             hl_value_cells_draw        (const HlValueCells      *self,
                                             const HlValuePaint      *paint,
                                             const cairo_rectangle_t *box,
                                             cairo_t                 *cr);

G_END_DECLS
