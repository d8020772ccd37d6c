/* SPDX-License-Identifier: MIT */
/*
 * A crowd of strong lines: query after query, those that pass where something still shows through. A pixel is done after a few
 * lines, so that what is drawn depends on how many pixels there are, not on how many lines.
 */
#include "draw/lines/hl-line-crowd.h"

#include <math.h>

#include "draw/lines/hl-line-strong.h"

/* Where less shows through, what lines still hide is less than a quarter of a step of 255. */
#define MIN_THROUGH (1.0f / 1024.0f)

/* Lines that are drawn at once. */
#define BATCH 64

/* What shows through is looked at again after so many pixels a line, on an average. */
#define PIXELS_PER_LINE 8

/* Pixels of a column where something shows through, one after another. */
typedef struct
{
  double first;
  double end;
} Gap;

/* The lines of a query, where they cross a column. */
typedef struct
{
  const HlLineGrid *grid;
  gsize query;
  double t;
  double top; /* where the band begins */
} Fan;

static void
find_gaps (const float *through,
           guint        height,
           GArray      *gaps)
{
  g_array_set_size (gaps, 0);
  for (guint k = 0; k < height; k++)
    {
      if (through[k] <= MIN_THROUGH)
        continue;
      const guint first = k;
      while (k < height && through[k] > MIN_THROUGH)
        k++;
      const Gap gap = { first, k };
      g_array_append_val (gaps, gap);
    }
}

/* Where the line to a key begins, or, with @sign 1, ends: pixels of the band. */
static double
get_edge (const Fan *fan,
          gsize      key,
          int        sign)
{
  const HlLineGrid *grid = fan->grid;
  const double slope = hl_line_grid_get_slope (grid, fan->query, key);
  const double y = grid->y_query[fan->query] + fan->t * (grid->y_key[key] - grid->y_query[fan->query]) - fan->top;

  return y + sign * hl_line_grid_get_extent (grid, slope) / 2;
}

/* The first key from @first on whose line begins, or ends, behind a place. */
static gsize
find_key (const Fan *fan,
          gsize      first,
          double     place,
          int        sign)
{
  gsize end = fan->grid->n_keys;

  while (first < end)
    {
      const gsize middle = first + (end - first) / 2;

      if (get_edge (fan, middle, sign) > place)
        end = middle;
      else
        first = middle + 1;
    }
  return first;
}

/* Draws the strong ones of some lines of a query; tells how many. */
static guint
draw_lines (const HlLineGrid *grid,
            const HlLineLoad *load,
            const HlLineBand *band,
            const Fan        *fan,
            gsize             first,
            gsize             end,
            float             part,
            float            *through)
{
  const float *weights = load->crowd->weights + fan->query * load->crowd->row_stride;
  HlStrongLine lines[BATCH];
  guint n = 0, n_drawn = 0;

  for (gsize j = first; j < end; j++)
    {
      const float opacity = hl_line_load_get_opacity (weights[j], load->crowd->colour.a);

      if (opacity <= load->max_faint)
        continue;
      lines[n++] = hl_line_load_make_strong (grid, fan->query, j, opacity);
      n_drawn++;
      if (n < BATCH)
        continue;
      hl_line_strong_multiply (lines, n, band, fan->t, part, through);
      n = 0;
    }
  hl_line_strong_multiply (lines, n, band, fan->t, part, through);
  return n_drawn;
}

/* Those of a query that pass through gaps; tells how many. */
static guint
draw_fan (const HlLineGrid *grid,
          const HlLineLoad *load,
          const HlLineBand *band,
          const Fan        *fan,
          const GArray     *gaps,
          float             part,
          float            *through)
{
  const gsize last = grid->n_keys - 1;
  const double top = MIN (get_edge (fan, 0, -1), get_edge (fan, last, -1));
  const double bottom = MAX (get_edge (fan, 0, 1), get_edge (fan, last, 1));
  /* Next to the queries, where lines are higher than they are apart, they begin in no order. */
  const gboolean is_ordered = fan->t * (grid->x_key - grid->x_query) > 0.5 * (1 + grid->line_width);
  gsize done = 0;
  guint n_drawn = 0, i = 0, end = gaps->len;

  while (i < end)
    {
      const guint middle = i + (end - i) / 2;

      if (g_array_index (gaps, Gap, middle).end > top)
        end = middle;
      else
        i = middle + 1;
    }
  for (; i < gaps->len && g_array_index (gaps, Gap, i).first < bottom && done < grid->n_keys; i++)
    {
      const Gap *gap = &g_array_index (gaps, Gap, i);
      const gsize first = is_ordered ? find_key (fan, done, gap->first, 1) : 0;

      done = is_ordered ? find_key (fan, first, gap->end, -1) : grid->n_keys;
      n_drawn += draw_lines (grid, load, band, fan, first, done, part, through);
    }
  return n_drawn;
}

/* Multiplies what shows through a column as hl_line_strong_multiply() does. */
void
hl_line_crowd_multiply (const HlLineGrid *grid,
                        const HlLineLoad *load,
                        const HlLineBand *band,
                        double            t,
                        float             part,
                        float            *through)
{
  g_autoptr (GArray) gaps = g_array_new (FALSE, FALSE, sizeof (Gap));
  guint n_drawn = 0;

  find_gaps (through, band->height, gaps);
  for (gsize i = 0; i < grid->n_queries && gaps->len > 0; i++)
    {
      const Fan fan = { grid, i, t, band->y };

      n_drawn += draw_fan (grid, load, band, &fan, gaps, part, through);
      if (n_drawn < band->height / PIXELS_PER_LINE)
        continue;
      find_gaps (through, band->height, gaps);
      n_drawn = 0;
    }
}
