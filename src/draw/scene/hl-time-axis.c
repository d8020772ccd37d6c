/* SPDX-License-Identifier: MIT */
#include "draw/scene/hl-time-axis.h"

#include <math.h>

#include "core/document/tokens/hl-token-time.h"
#include "draw/paint/hl-cairo.h"
#include "draw/scene/hl-scene-write.h"

#define TICK 4
/* Between numbers side by side, and from the middle of one to the next below it. */
#define MIN_GAP 14
#define MIN_PITCH 24
#define MAX_DECIMALS 3
#define MAX_TICKS 1000

static double
read_start (HlAttention *attention,
            HlSide       side,
            gsize        token)
{
  double start, end;

  /* That they all are times is what the axis is there for. */
  return hl_token_time_parse (hl_attention_get_texts (attention, side)[token], &start, &end) ? start : 0;
}

static double
get_start (const HlTimeAxis *axis,
           gsize             index)
{
  return read_start (axis->attention, axis->side, axis->range.first + index);
}

/* How many tokens stand before a time, the part of the one that it is in with them. */
static double
find_place (const HlTimeAxis *axis,
            double            seconds)
{
  const gsize n = axis->range.n;
  gsize low = 0, high = n - 1;

  /* The last that begins no later. */
  while (low < high)
    {
      const gsize middle = high - (high - low) / 2;
      if (get_start (axis, middle) <= seconds + 1e-9)
        low = middle;
      else
        high = middle - 1;
    }
  const gsize next = low + 1 < n ? low : n - 2;
  const double length = get_start (axis, next + 1) - get_start (axis, next);
  const double part = length > 0 ? (seconds - get_start (axis, low)) / length : 0;

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
measure_number (HlScene          *scene,
                const HlTimeAxis *axis,
                double            seconds,
                int               n_decimals)
{
  g_autofree char *number = hl_token_time_format (seconds, NAN, n_decimals);

  return hl_scene_measure_text (scene, number, &(HlTextStyle){ .size = axis->size });
}

static void
draw_tick (HlScene            *scene,
           const HlSceneFrame *frame,
           cairo_t            *cr,
           const HlTimeAxis   *axis,
           const char         *number,
           double              at)
{
  const HlTextStyle style = { .size = axis->size };
  const double line = hl_cairo_snap (at - 0.5, frame->scale), begin = axis->edge - 1 - TICK;

  hl_cairo_set_colour (cr, &frame->theme->muted, 1);
  if (axis->is_down)
    cairo_rectangle (cr, begin, line, TICK, 1);
  else
    cairo_rectangle (cr, line, begin, 1, TICK);
  cairo_fill (cr);
  if (axis->is_down)
    hl_scene_write (scene, cr, number, &style, axis->colour, axis->edge - TICK - 4, at, 1);
  else
    hl_scene_write (scene, cr, number, &style, axis->colour, at, axis->edge - HL_TIME_AXIS_DISTANCE, 0.5);
}

typedef struct
{
  double at;
  double seconds;
} Tick;

static GArray *
list_ticks (HlScene          *scene,
            const HlTimeAxis *axis,
            HlRange           seen,
            int              *decimals)
{
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (Tick));

  if (seen.n == 0 || axis->range.n < 2)
    return ticks;
  const gsize last = MIN (seen.first + seen.n, axis->range.n - 1);
  const double from = get_start (axis, seen.first), to = get_start (axis, last);
  const double pixels = (last - seen.first) * axis->cell / MAX (to - from, 1e-9);
  const double widest = MAX (measure_number (scene, axis, to, 0), measure_number (scene, axis, from, 0));
  int n_decimals;
  double step = choose_step ((axis->is_down ? MIN_PITCH : widest + MIN_GAP) / pixels, &n_decimals);
  if (!axis->is_down && n_decimals > 0)
    {
      const double longest =
        MAX (measure_number (scene, axis, to, n_decimals), measure_number (scene, axis, from, n_decimals));
      step = choose_step ((longest + MIN_GAP) / pixels, &n_decimals);
    }
  const double least_gap = axis->is_down ? MIN_PITCH / 2.0 : widest + MIN_GAP / 2.0;
  const double first = ceil (from / step - 1e-6), last_start = get_start (axis, axis->range.n - 1);
  double before = -INFINITY;
  for (double tick = first; tick * step <= to + step && tick - first < MAX_TICKS; tick++)
    {
      const double at = axis->origin + find_place (axis, tick * step) * axis->cell;
      /* What lasts longer than its neighbours has more room than the numbers in it need, what is shorter has less. */
      if (at < axis->begin - 0.5 || at > axis->end + 0.5 || at - before < least_gap ||
          (tick * step > last_start + 1e-6 && at >= axis->end - 0.5))
        continue;
      before = at;
      /* There is no -0. */
      const Tick made = { axis->is_mirrored ? axis->mirror - at : at, tick * step + 0.0 };
      g_array_append_val (ticks, made);
    }
  *decimals = n_decimals;
  return ticks;
}

/* @seen: of its tokens those in view */
void
hl_time_axis_draw (HlScene            *scene,
                   const HlSceneFrame *frame,
                   cairo_t            *cr,
                   const HlTimeAxis   *axis,
                   HlRange             seen)
{
  int n_decimals = 0;
  g_autoptr (GArray) ticks = list_ticks (scene, axis, seen, &n_decimals);

  for (guint i = 0; i < ticks->len; i++)
    {
      const Tick *tick = &g_array_index (ticks, Tick, i);
      g_autofree char *number = hl_token_time_format (tick->seconds, NAN, n_decimals);
      draw_tick (scene, frame, cr, axis, number, tick->at);
    }
}

/* The axis was drawn before it was known what is in focus: half of a number beside its box would be another one. @begin and @end: of the box,
 * along the axis. */
void
hl_time_axis_erase (HlScene            *scene,
                    const HlSceneFrame *frame,
                    cairo_t            *cr,
                    const HlTimeAxis   *axis,
                    HlRange             seen,
                    double              begin,
                    double              end)
{
  int n_decimals = 0;
  g_autoptr (GArray) ticks = list_ticks (scene, axis, seen, &n_decimals);

  /* What a figure without a ground stands on is not known. */
  if (!frame->paints_background)
    return;
  hl_cairo_set_colour (cr, &frame->theme->background, 1);
  for (guint i = 0; i < ticks->len; i++)
    {
      const Tick *tick = &g_array_index (ticks, Tick, i);
      const double width = measure_number (scene, axis, tick->seconds, n_decimals) + 2, height = axis->size * 1.5;
      const double half = (axis->is_down ? axis->size : width) / 2;
      if (tick->at + half < begin || tick->at - half > end)
        continue;
      if (axis->is_down)
        cairo_rectangle (cr, axis->edge - TICK - 3 - width, tick->at - height / 2, width, height);
      else
        cairo_rectangle (cr, tick->at - half, axis->edge - HL_TIME_AXIS_DISTANCE - height / 2, width,
                         MIN (height, height / 2 + HL_TIME_AXIS_DISTANCE - TICK - 1));
      cairo_fill (cr);
    }
}

/**
 * hl_time_axis_choose_step:
 * @attention: an attention
 * @side: one whose tokens of @range all are times that rise
 * @range: two tokens at least
 * @stride: so many of them take the room of a label, at least
 *
 * Returns: the round seconds from one label to the next, where there is no room for an axis with ticks
 */
double
hl_time_axis_choose_step (HlAttention *attention,
                          HlSide       side,
                          HlRange      range,
                          gsize        stride)
{
  const double length = read_start (attention, side, range.first + range.n - 1) -
                        read_start (attention, side, range.first);
  int n_decimals;

  return choose_step (stride * length / (range.n - 1), &n_decimals);
}

/* Whether a multiple of @step begins in a token. */
gboolean
hl_time_axis_is_at_step (HlAttention *attention,
                         HlSide       side,
                         HlRange      range,
                         gsize        index,
                         double       step)
{
  const double start = read_start (attention, side, range.first + index);
  const double before = index > 0 ? read_start (attention, side, range.first + index - 1) : start - step / 1000;

  return floor (start / step + 1e-6) > floor (before / step + 1e-6);
}
