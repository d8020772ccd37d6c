/* SPDX-License-Identifier: MIT */
/*
 * Lays the cells of a line raster.
 */
#include "draw/lines/hl-line-grid.h"

#include <math.h>

/* Faint lines are placed to half a cell; at 1/6 pixel that is less than a step of 255, and as often
 * up as down. */
#define CELLS_PER_PIXEL 6

/* How far, in pixels, a row may be from its place for the rows still to count as evenly spaced. */
#define EVEN_SLACK 1e-3

static double *
transform (const double *values,
           gsize         n,
           double        scale,
           double        offset)
{
  double *result = g_new (double, n);

  for (gsize i = 0; i < n; i++)
    result[i] = values[i] * scale + offset;

  return result;
}

static gboolean
is_even (const double *y,
         gsize         n,
         double        pitch)
{
  for (gsize i = 1; i < n; i++)
    {
      if (fabs (y[i] - (y[0] + i * pitch)) > EVEN_SLACK)
        return FALSE;
    }

  return TRUE;
}

/* The distance from row to row that both sides have; 0 if there is none. */
static double
find_pitch (const HlLineGrid *self)
{
  double pitch;

  if (self->n_queries > 1)
    pitch = (self->y_query[self->n_queries - 1] - self->y_query[0]) / (self->n_queries - 1);
  else if (self->n_keys > 1)
    pitch = (self->y_key[self->n_keys - 1] - self->y_key[0]) / (self->n_keys - 1);
  else
    return 0.0;

  if (pitch > EVEN_SLACK && is_even (self->y_query, self->n_queries, pitch) &&
      is_even (self->y_key, self->n_keys, pitch))
    return pitch;

  return 0.0;
}

static double
find_margin (const HlLineGrid *self)
{
  double low_query = G_MAXDOUBLE, high_query = -G_MAXDOUBLE;
  double low_key = G_MAXDOUBLE, high_key = -G_MAXDOUBLE;
  double rise;

  for (gsize i = 0; i < self->n_queries; i++)
    {
      low_query = MIN (low_query, self->y_query[i]);
      high_query = MAX (high_query, self->y_query[i]);
    }
  for (gsize j = 0; j < self->n_keys; j++)
    {
      low_key = MIN (low_key, self->y_key[j]);
      high_key = MAX (high_key, self->y_key[j]);
    }
  rise = MAX (high_query - low_key, high_key - low_query);

  /* Two pixels more for what is rounded. */
  return hl_line_grid_get_extent (self, rise / (self->x_key - self->x_query)) + 2.0;
}

/*
 * Within a few columns a curve is straight: it runs as a line does that begins and ends elsewhere, farther away where it is
 * nearly level.
 */
static void
straighten (HlLineGrid *self)
{
  const double gap = self->x_key - self->x_query;
  const double from = hl_line_ease ((self->span.left - self->x_query) / gap);
  const double to = hl_line_ease ((self->span.right - self->x_query) / gap);
  const double pixels = (self->span.right - self->span.left) / MAX (to - from, 1e-9);

  self->x_query = self->span.left - from * pixels;
  self->x_key = self->x_query + pixels;
}

/* Of the columns of a span. */
HlLineGrid *
hl_line_grid_new (const HlLineGeometry *geometry,
                  double                scale,
                  double                x_offset,
                  double                y_offset,
                  const HlLineSpan     *span)
{
  HlLineGrid *self = g_new0 (HlLineGrid, 1);
  double pitch;

  self->x_query = geometry->x_query * scale + x_offset;
  self->x_key = geometry->x_key * scale + x_offset;
  self->span = (HlLineSpan){ MAX (span->left, self->x_query), MIN (span->right, self->x_key) };
  if (geometry->curved)
    straighten (self);
  self->n_queries = geometry->n_queries;
  self->n_keys = geometry->n_keys;
  self->y_query = transform (geometry->y_query, self->n_queries, scale, y_offset);
  self->y_key = transform (geometry->y_key, self->n_keys, scale, y_offset);
  self->line_width = geometry->line_width * scale;
  self->margin = find_margin (self);

  pitch = find_pitch (self);
  self->even = pitch > 0.0;
  if (!self->even)
    {
      self->cells_per_row = HL_LINE_UNEVEN_CELLS_PER_ROW;
      self->cell = 1.0 / CELLS_PER_PIXEL;
      return self;
    }

  self->cells_per_row = (guint) ceil (pitch * CELLS_PER_PIXEL);
  self->cell = pitch / self->cells_per_row;
  self->origin = self->y_query[0];
  self->offset = (self->y_key[0] - self->y_query[0]) / pitch;

  self->shapes = g_new (HlLineShape, self->n_queries + self->n_keys - 1);
  for (gsize i = 0; i < self->n_queries; i++)
    self->shapes[self->n_queries - 1 - i] = hl_line_grid_get_shape (self, hl_line_grid_get_slope (self, i, 0));
  for (gsize j = 1; j < self->n_keys; j++)
    self->shapes[self->n_queries - 1 + j] = hl_line_grid_get_shape (self, hl_line_grid_get_slope (self, 0, j));

  return self;
}

void
hl_line_grid_free (HlLineGrid *self)
{
  g_free (self->y_query);
  g_free (self->y_key);
  g_free (self->shapes);
  g_free (self);
}

static HlCellPlace
get_place (const HlLineGrid *self,
           guint32           cells)
{
  return (HlCellPlace){
    .rows = (gint32) (cells / self->cells_per_row),
    .cells = (gint32) (cells % self->cells_per_row),
  };
}

/* The profile of lines that run so many pixels down a pixel to the right. */
HlLineShape
hl_line_grid_get_shape (const HlLineGrid *self,
                        double            slope)
{
  double height = self->line_width * sqrt (1.0 + slope * slope) / self->cell;
  HlLineShape shape;

  shape.height = (guint32) MAX (1.0, rint (height));
  shape.rise = (guint32) MAX (1.0, rint (fabs (slope) / self->cell));
  shape.height_place = get_place (self, shape.height);
  shape.rise_place = get_place (self, shape.rise);
  shape.gain = (float) (height / shape.height);

  return shape;
}
