/* SPDX-License-Identifier: MIT */
#include "draw/heatmap/hl-heatmap-axis.h"

#include <math.h>

#include "core/document/tokens/hl-token-time.h"
#include "draw/scene/hl-scene-write.h"

#define LABEL_SIZE 10.5
#define TICK 4
/* From the map to the middle of numbers over it. */
#define NUMBER_DISTANCE 12
/* Between numbers side by side, and from the middle of one to the next below it. */
#define MIN_GAP 14
#define MIN_PITCH 24
#define MAX_DECIMALS 3

static double
get_start (const HlShown *shown,
           HlSide         side,
           gsize          index)
{
  double start, end;

  /* That they all are times is what the axis is there for. */
  if (!hl_token_time_parse (hl_attention_get_texts (shown->attention, side)[shown->ranges[side].first + index], &start,
                            &end))
    return 0;
  return start;
}

/* How many tokens stand before a time, the part of the one that it is in with them. */
static double
find_place (const HlShown *shown,
            HlSide         side,
            double         seconds)
{
  const gsize n = shown->ranges[side].n;
  gsize low = 0, high = n - 1;

  /* The last that begins no later. */
  while (low < high)
    {
      const gsize middle = high - (high - low) / 2;
      if (get_start (shown, side, middle) <= seconds + 1e-9)
        low = middle;
      else
        high = middle - 1;
    }
  const gsize next = low + 1 < n ? low : n - 2;
  const double length = get_start (shown, side, next + 1) - get_start (shown, side, next);
  const double part = length > 0 ? (seconds - get_start (shown, side, low)) / length : 0;

  return low + CLAMP (part, 0, 1);
}

/* 1, 2 or 5 times a power of ten, and how many decimals tell its multiples from one another. */
static double
choose_step (double least,
             int   *n_decimals)
{
  static const double digits[] = { 1, 2, 5 };

  for (int exponent = -MAX_DECIMALS; exponent < 9; exponent++)
    for (guint i = 0; i < G_N_ELEMENTS (digits); i++)
      {
        const double step = digits[i] * pow (10, exponent);
        *n_decimals = MAX (-exponent, 0);
        if (step >= least)
          return step;
      }
  return least;
}

static double
measure_number (HlScene *scene,
                double   seconds,
                int      n_decimals)
{
  g_autofree char *number = hl_token_time_format (seconds, NAN, n_decimals);

  return hl_scene_measure_text (scene, number, &(HlTextStyle){ .size = LABEL_SIZE });
}

static void
draw_tick (HlScene            *scene,
           const HlSceneFrame *frame,
           cairo_t            *cr,
           HlSide              side,
           const char         *number,
           double              at)
{
  const HlHeatmapLayout *layout = frame->layout;
  const HlTheme *theme = frame->theme;
  const double line = hl_cairo_snap (at - 0.5, layout->scale);

  hl_cairo_set_colour (cr, &theme->muted, 1);
  if (side == HL_KEYS)
    cairo_rectangle (cr, line, layout->plot.y - 1 - TICK, 1, TICK);
  else
    cairo_rectangle (cr, layout->plot.x - 1 - TICK, line, TICK, 1);
  cairo_fill (cr);
  hl_scene_write (scene, cr, number, &(HlTextStyle){ .size = LABEL_SIZE }, &theme->foreground,
                  side == HL_KEYS ? at : layout->plot.x - TICK - 4,
                  side == HL_KEYS ? layout->plot.y - NUMBER_DISTANCE : at, side == HL_KEYS ? 0.5 : 1);
}

/* @seen: the rows or columns in view; at least one */
void
hl_heatmap_axis_draw (HlScene            *scene,
                      const HlSceneFrame *frame,
                      cairo_t            *cr,
                      HlSide              side,
                      HlRange             seen)
{
  const HlHeatmapLayout *layout = frame->layout;
  const HlShown *shown = frame->shown;
  const gboolean is_row = side == HL_QUERIES;
  const double cell = is_row ? layout->cell.height : layout->cell.width;
  const double origin = is_row ? layout->origin_y : layout->origin_x;
  const double begin = is_row ? layout->plot.y : layout->plot.x;
  const double end = begin + (is_row ? layout->plot.height : layout->plot.width);

  if (seen.n == 0)
    return;
  const gsize last = MIN (seen.first + seen.n, shown->ranges[side].n - 1);
  const double from = get_start (shown, side, seen.first), to = get_start (shown, side, last);
  const double pixels = (last - seen.first) * cell / MAX (to - from, 1e-9);
  const double widest = MAX (measure_number (scene, to, 0), measure_number (scene, from, 0));
  int n_decimals;
  double step = choose_step ((is_row ? MIN_PITCH : widest + MIN_GAP) / pixels, &n_decimals);
  if (!is_row && n_decimals > 0)
    step =
      choose_step ((MAX (measure_number (scene, to, n_decimals), measure_number (scene, from, n_decimals)) + MIN_GAP) /
                     pixels,
                   &n_decimals);
  const double least_gap = is_row ? MIN_PITCH / 2.0 : widest + MIN_GAP / 2.0;
  double before = -INFINITY;
  for (double tick = ceil (from / step - 1e-6); tick * step <= to + step && tick - ceil (from / step - 1e-6) < 1000;
       tick++)
    {
      const double at = origin + find_place (shown, side, tick * step) * cell;
      /* What lasts longer than its neighbours has more room than the numbers in it need, what is shorter has less. */
      if (at < begin - 0.5 || at > end + 0.5 || at - before < least_gap ||
          (tick * step > get_start (shown, side, shown->ranges[side].n - 1) + 1e-6 && at >= end - 0.5))
        continue;
      before = at;
      /* There is no -0. */
      g_autofree char *number = hl_token_time_format (tick * step + 0.0, NAN, n_decimals);
      draw_tick (scene, frame, cr, side, number, !is_row && layout->mirrored ? layout->mirror - at : at);
    }
}

/* Where the middle of a column's own label is, which stands on the axis: over the column, as far as it fits into the viewport. */
void
hl_heatmap_axis_place_label (HlScene            *scene,
                             const HlSceneFrame *frame,
                             gsize               column,
                             double              size,
                             double             *x,
                             double             *y)
{
  const HlHeatmapLayout *layout = frame->layout;
  const double half = frame->room.key_width * size / 12.5 / 2 + 6;

  *x = CLAMP (hl_heatmap_layout_get_column_x (layout, column), MIN (half, layout->width / 2),
              MAX (layout->width - half, layout->width / 2));
  *y = layout->plot.y - NUMBER_DISTANCE;
}
