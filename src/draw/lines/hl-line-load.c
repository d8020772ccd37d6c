/* SPDX-License-Identifier: MIT */
/*
 * Sorts the weights of a layer. Sums of faint lines are kept in whole numbers that wrap around,
 * because they are made by running sums, twice and three times over, of what begins and ends: only
 * whole numbers come out at exactly nothing where a line has ended.
 */
#include "draw/lines/hl-line-load.h"

#include <math.h>
#include <string.h>

/* The most that HlLineShape.gain comes to: heights are rounded to at least 1. */
#define MAX_GAIN 1.5

/* Lines a row that are worth to be drawn one by one, on an average. */
#define STRONG_PER_ROW 16

/* Strong lines a row of which most are behind others, and the least part of all lines that they are. */
#define CROWD_PER_ROW 64
#define CROWD_PART 16

/* The least sum of a pixel's cells that must not occur. */
#define MAX_SUM 4294967296.0

/* −log (1 − x) for x up to HL_LINE_MAX_FAINT, to 1 part in 10⁴. */
static inline float
faint_log (float x)
{
  return x * (1.0f +
              x * (1.0f / 2.0f +
                   x * (1.0f / 3.0f + x * (1.0f / 4.0f + x * (1.0f / 5.0f + x * (1.0f / 6.0f + x * (1.0f / 7.0f)))))));
}

static gboolean
are_sorted (const double *y,
            gsize         n)
{
  for (gsize i = 1; i < n; i++)
    if (y[i] < y[i - 1])
      return FALSE;
  return TRUE;
}

/* Sets up to which opacity the lines of a layer are faint: the least for which there are not too many more. */
static void
find_faint (HlLineLoad        *self,
            const HlLineGrid  *grid,
            const HlLineLayer *layer)
{
  const gsize n_rows = grid->n_queries + grid->n_keys;
  gsize n_strong;

  for (self->max_faint = HL_LINE_FAINT;; self->max_faint *= 2.0f)
    {
      n_strong = 0;
      for (gsize i = 0; i < grid->n_queries; i++)
        {
          const float *weights = layer->weights + i * layer->row_stride;

          for (gsize j = 0; j < grid->n_keys; j++)
            n_strong += hl_line_load_get_opacity (weights[j], layer->colour.a) > self->max_faint;
        }
      if (n_strong <= STRONG_PER_ROW * n_rows || self->max_faint >= HL_LINE_MAX_FAINT)
        break;
    }
  /* Few of many are found sooner in a list than among all. */
  if (n_strong > CROWD_PER_ROW * n_rows && n_strong > grid->n_queries * grid->n_keys / CROWD_PART &&
      are_sorted (grid->y_key, grid->n_keys))
    self->crowd = layer;
}

static void
append_strong (HlLineLoad       *self,
               const HlLineGrid *grid,
               gsize             query,
               gsize             key,
               float             opacity)
{
  if (self->crowd != NULL)
    return;
  const HlStrongLine line = hl_line_load_make_strong (grid, query, key, opacity);
  g_array_append_val (self->strong, line);
}

/* Takes as many units as fit and carries the rest to the next line, so that the sum of many is
 * right. */
static inline guint32
take_units (double  exact,
            double *carry)
{
  double units = floor (exact + *carry);

  *carry += exact - units;

  return (guint32) units;
}

/* Sets what a unit is, given the largest sum of −log (1 − opacity) that a cell can come to. */
static double
set_unit (HlLineLoad       *self,
          const HlLineGrid *grid,
          double            bound)
{
  double cells_per_pixel = 1.0 / grid->cell + 2.0;
  double units = MAX_SUM / (cells_per_pixel * MAX (bound, HL_LINE_FAINT) * 1.0625);

  self->unit = grid->cell / units;

  return units;
}

/* Lines of one diagonal are cells_per_row apart, so so many of them can cover a cell. */
static double
get_overlap (const HlLineGrid  *grid,
             const HlLineShape *shape)
{
  return floor ((double) (shape->height + shape->rise) / grid->cells_per_row) + 1.0;
}

/* The faint lines of each diagonal, one diagonal after the other, as −log (1 − opacity). */
static float *
collect_diagonals (HlLineLoad        *self,
                   const HlLineGrid  *grid,
                   const HlLineLayer *layer)
{
  gsize n_queries = grid->n_queries, n_keys = grid->n_keys;
  gsize n_diagonals = n_queries + n_keys - 1;
  gsize n_lines = n_queries * n_keys;
  float *logs = g_new (float, n_lines);
  gsize *starts = g_new (gsize, n_diagonals);
  gsize end = 0;

  self->diagonals = g_new0 (HlDiagonal, n_diagonals);
  for (gsize d = 0; d < n_diagonals; d++)
    {
      gsize first = d < n_queries ? n_queries - 1 - d : 0;
      gsize first_key = d < n_queries ? 0 : d - (n_queries - 1);

      starts[d] = end;
      self->diagonals[d].first_query = first;
      self->diagonals[d].n_lines = MIN (n_queries - first, n_keys - first_key);
      end += self->diagonals[d].n_lines;
    }

  for (gsize i = 0; i < n_queries; i++)
    {
      const float *weights = layer->weights + i * layer->row_stride;

      for (gsize j = 0; j < n_keys; j++)
        {
          gsize d = j + n_queries - 1 - i;
          float opacity = hl_line_load_get_opacity (weights[j], layer->colour.a);

          if (opacity > self->max_faint)
            {
              append_strong (self, grid, i, j, opacity);
              opacity = 0.0f;
            }
          logs[starts[d] + i - self->diagonals[d].first_query] = faint_log (opacity);
        }
    }
  g_free (starts);

  return logs;
}

/* Cuts the zeros from both ends of a diagonal; gives the largest log that is left. */
static float
trim (HlDiagonal   *diagonal,
      const float **logs)
{
  float max = 0.0f;

  while (diagonal->n_lines > 0 && (*logs)[diagonal->n_lines - 1] == 0.0f)
    diagonal->n_lines--;
  while (diagonal->n_lines > 0 && **logs == 0.0f)
    {
      (*logs)++;
      diagonal->first_query++;
      diagonal->n_lines--;
    }
  for (gsize k = 0; k < diagonal->n_lines; k++)
    max = MAX (max, (*logs)[k]);

  return max;
}

static void
load_even (HlLineLoad        *self,
           const HlLineGrid  *grid,
           const HlLineLayer *layer)
{
  g_autofree float *logs = collect_diagonals (self, grid, layer);
  gsize n_diagonals = grid->n_queries + grid->n_keys - 1;
  g_autofree const float **begins = g_new (const float *, n_diagonals);
  const float *begin = logs;
  double bound = 0.0, units;
  guint32 *next;

  for (gsize d = 0; d < n_diagonals; d++)
    {
      const HlLineShape *shape = &grid->shapes[d];
      gsize n_lines = self->diagonals[d].n_lines;

      begins[d] = begin;
      bound += trim (&self->diagonals[d], &begins[d]) * shape->gain * get_overlap (grid, shape);
      begin += n_lines;
    }
  units = set_unit (self, grid, bound);

  self->units = next = g_new (guint32, grid->n_queries * grid->n_keys + (n_diagonals + 1) * HL_LINE_PAD);
  memset (next, 0, HL_LINE_PAD * sizeof *next);
  next += HL_LINE_PAD;
  for (gsize d = 0; d < n_diagonals; d++)
    {
      HlDiagonal *diagonal = &self->diagonals[d];
      double factor = units * grid->shapes[d].gain / grid->shapes[d].rise;
      double carry = 0.5;

      diagonal->units = next;
      for (gsize k = 0; k < diagonal->n_lines; k++)
        next[k] = take_units (begins[d][k] * factor, &carry);
      memset (next + diagonal->n_lines, 0, HL_LINE_PAD * sizeof *next);
      next += diagonal->n_lines + HL_LINE_PAD;
    }
}

G_STATIC_ASSERT (sizeof (HlFaintLine) == HL_LINE_RASTER_UNEVEN_BYTES);

static void
load_uneven (HlLineLoad        *self,
             const HlLineGrid  *grid,
             const HlLineLayer *layer)
{
  double bound = 0.0, units;

  /* However rows are placed, a cell cannot be covered by more than all lines. */
  for (gsize i = 0; i < grid->n_queries; i++)
    {
      const float *weights = layer->weights + i * layer->row_stride;

      for (gsize j = 0; j < grid->n_keys; j++)
        {
          float opacity = hl_line_load_get_opacity (weights[j], layer->colour.a);

          if (opacity <= self->max_faint)
            bound += faint_log (opacity);
        }
    }
  units = set_unit (self, grid, bound * MAX_GAIN);

  self->faint = g_array_new (FALSE, FALSE, sizeof (HlFaintLine));
  for (gsize i = 0; i < grid->n_queries; i++)
    {
      const float *weights = layer->weights + i * layer->row_stride;
      double carry = 0.5;

      for (gsize j = 0; j < grid->n_keys; j++)
        {
          float opacity = hl_line_load_get_opacity (weights[j], layer->colour.a);
          HlLineShape shape;
          HlFaintLine line;
          double half;

          if (opacity > self->max_faint)
            append_strong (self, grid, i, j, opacity);
          if (opacity > self->max_faint || opacity == 0.0f)
            continue;

          shape = hl_line_grid_get_shape (grid, hl_line_grid_get_slope (grid, i, j));
          half = (shape.height + shape.rise - 1) / 2.0;
          line.y_query = (float) (grid->y_query[i] / grid->cell - half);
          line.y_key = (float) (grid->y_key[j] / grid->cell - half);
          line.height = shape.height;
          line.rise = shape.rise;
          line.unit = take_units (faint_log (opacity) * units * shape.gain / shape.rise, &carry);
          g_array_append_val (self->faint, line);
        }
    }
}

/* Sorts the weights of a layer, which may be referred to. */
HlLineLoad *
hl_line_load_new (const HlLineGrid  *grid,
                  const HlLineLayer *layer)
{
  HlLineLoad *self = g_new0 (HlLineLoad, 1);

  find_faint (self, grid, layer);
  self->strong = g_array_new (FALSE, FALSE, sizeof (HlStrongLine));
  if (grid->even)
    load_even (self, grid, layer);
  else
    load_uneven (self, grid, layer);

  return self;
}

void
hl_line_load_free (HlLineLoad *self)
{
  g_array_unref (self->strong);
  g_clear_pointer (&self->faint, g_array_unref);
  g_free (self->diagonals);
  g_free (self->units);
  g_free (self);
}
