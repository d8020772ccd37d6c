/* SPDX-License-Identifier: MIT */
/* The lines of a head view that are in focus: how they are drawn, and which of them a point is on. */
#include "draw/head-view/hl-head-view-lines.h"

#include <math.h>

#include "draw/lines/hl-line-bundle.h"
#include "draw/lines/hl-line-raster.h"
#include "draw/lines/hl-line-strength.h"
#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-palette.h"
#include "draw/text/hl-export-context.h"

/* What 8 bits can just show; one token's lines hardly cross, so that fainter ones do not add up. */
#define MIN_ALPHA (1.0 / 510)

/* More strokes than this cost more than pixels made line by line. */
#define MAX_STROKES 24

/* Lines are drawn beside one another, head by head, up to so many heads and no thinner than this. */
#define MAX_SIDE_BY_SIDE 8
#define MIN_SIDE_WIDTH 1.0

/* The width of the faintest line. */
#define MIN_WIDTH 0.75

/* Lines of other heads than the one that is pointed at. */
#define DIMMED 0.12

/* How far a point may be from the line that it is on, logical pixels. */
#define REACH 4.0

/* How strong a line must be to be pointed at: among those of a token, and among all. */
#define MIN_STRENGTH 0.02
#define MIN_STRENGTH_OF_ALL 0.2

/* The lines of a focus. */
typedef struct
{
  gsize n[2];     /* how many queries, and how many keys */
  gsize *rows[2]; /* which, counted from the first that is shown */
  guint n_heads;
  float **weights; /* of each head, n queries × n keys, keys fastest */
  float greatest;  /* the greatest magnitude of all of these */
} Lines;

/* Those of one head, as they are drawn. */
typedef struct
{
  const float *weights;
  gboolean below_zero; /* whether those below zero, rather than above */
  double gain;         /* what a weight is multiplied by to be a strength */
  HlColour colour;
  double opacity; /* of the strongest */
  double width;   /* of the strongest */
  double move;    /* how much lower than the middles of its tokens it is */
} Fan;

/* How strong a line is, 0 to 1. */
static inline double
get_strength (const Fan *fan,
              gsize      line)
{
  const double strength = (fan->below_zero ? -fan->weights[line] : fan->weights[line]) * fan->gain;

  /* Written so that NaN becomes 0. */
  return strength > 0 ? MIN (strength, 1) : 0;
}

static inline double
get_width (const Fan *fan,
           double     strength)
{
  return MIN (MIN_WIDTH, fan->width) + (fan->width - MIN (MIN_WIDTH, fan->width)) * strength;
}

/* Of an export; the first error counts. */
static gboolean
is_cancelled (HlExportContext *export)
{
  return export != NULL &&
         g_cancellable_set_error_if_cancelled (export->cancellable, export->error == NULL ? &export->error : NULL);
}

/* The rows of those in focus, or of all on a side that has none. */
static gsize *
list_rows (const HlFocus *focus,
           HlSide         side,
           HlRange        range,
           gsize         *n)
{
  gsize *rows;

  if (hl_pick_has (&focus->pick, side))
    {
      rows = hl_focus_list_tokens (focus, side, n);
      for (gsize i = 0; i < *n; i++)
        rows[i] -= range.first;
      return rows;
    }
  *n = range.n;
  rows = g_new (gsize, MAX (range.n, 1));
  for (gsize i = 0; i < range.n; i++)
    rows[i] = i;
  return rows;
}

static void
lines_init (Lines                *self,
            const HlHeadViewData *data,
            const HlFocus        *focus)
{
  *self = (Lines){ .n_heads = data->n_heads };
  self->rows[HL_QUERIES] = list_rows (focus, HL_QUERIES, data->queries, &self->n[HL_QUERIES]);
  self->rows[HL_KEYS] = list_rows (focus, HL_KEYS, data->keys, &self->n[HL_KEYS]);
  const gsize n_queries = self->n[HL_QUERIES], n_keys = self->n[HL_KEYS];

  self->weights = g_new (float *, MAX (data->n_heads, 1));
  for (guint head = 0; head < data->n_heads; head++)
    {
      const float *map = hl_head_view_data_get_map (data, head);

      self->weights[head] = g_new (float, MAX (n_queries * n_keys, 1));
      for (gsize i = 0; i < n_queries; i++)
        for (gsize j = 0; j < n_keys; j++)
          self->weights[head][i * n_keys + j] = map[self->rows[HL_QUERIES][i] * data->keys.n + self->rows[HL_KEYS][j]];
      self->greatest = fmaxf (self->greatest, hl_line_strength_find_greatest (self->weights[head], n_queries * n_keys));
    }
}

static void
lines_clear (Lines *self)
{
  for (guint head = 0; head < self->n_heads; head++)
    g_free (self->weights[head]);
  g_free (self->weights);
  g_free (self->rows[HL_QUERIES]);
  g_free (self->rows[HL_KEYS]);
}

/* Each pair keeps the line of its strongest head. */
static void
lines_keep_strongest (Lines *self)
{
  const gsize n = self->n[HL_QUERIES] * self->n[HL_KEYS];
  g_autofree float **kept = g_new (float *, MAX (self->n_heads, 1));

  for (guint head = 0; head < self->n_heads; head++)
    kept[head] = g_new (float, MAX (n, 1));
  hl_line_strength_keep_strongest ((const float *const *) self->weights, self->n_heads, n, kept);
  for (guint head = 0; head < self->n_heads; head++)
    {
      g_free (self->weights[head]);
      self->weights[head] = kept[head];
    }
}

/* What the strongest line of a focus has, and of nothing the strongest of all; 0 where there is none. */
float
hl_head_view_find_strongest (const HlHeadViewData *data,
                             const HlFocus        *focus)
{
  Lines lines;

  if (focus->pick.kind == HL_PICK_NONE)
    return data->greatest;
  lines_init (&lines, data, focus);
  lines_clear (&lines);
  return lines.greatest;
}

static double *
make_ordinates (const HlHeadViewLayout *layout,
                const Lines            *lines,
                HlSide                  side,
                double                  move)
{
  double *y = g_new (double, MAX (lines->n[side], 1));

  for (gsize i = 0; i < lines->n[side]; i++)
    y[i] = hl_head_view_layout_get_row_y (layout, side, lines->rows[side][i]) + move;
  return y;
}

static void
draw_strokes (const HlHeadViewLayout *layout,
              const Lines            *lines,
              const Fan              *fan,
              cairo_t                *cr)
{
  HlExportContext *export = hl_export_context_get (cr);
  g_autofree double *y_query = make_ordinates (layout, lines, HL_QUERIES, fan->move);
  g_autofree double *y_key = make_ordinates (layout, lines, HL_KEYS, fan->move);
  const HlLineGeometry geometry = {
    .x_query = layout->x_query,
    .x_key = layout->x_key,
    .y_query = y_query,
    .n_queries = lines->n[HL_QUERIES],
    .y_key = y_key,
    .n_keys = lines->n[HL_KEYS],
    .curved = layout->curved,
  };

  cairo_save (cr);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  for (gsize i = 0; i < geometry.n_queries; i++)
    for (gsize j = 0; j < geometry.n_keys && !is_cancelled (export); j++)
      {
        const double strength = get_strength (fan, i * geometry.n_keys + j);

        if (strength * fan->opacity < MIN_ALPHA)
          {
            if (export != NULL && strength > 0)
              export->n_left_out++;
            continue;
          }
        if (export != NULL && hl_cairo_is_vector (cr) && !hl_export_context_take_lines (export, 1))
          break;
        hl_cairo_set_colour (cr, &fan->colour, strength * fan->opacity);
        cairo_set_line_width (cr, get_width (fan, strength));
        hl_line_geometry_trace (&geometry, cr, i, j);
        cairo_stroke (cr);
      }
  cairo_restore (cr);
}

/* Those in sight, of all fans at once: between two frames there is no time for hundreds of strokes, or a picture a head. */
static void
draw_pixels (const HlHeadViewLayout *layout,
             const Lines            *lines,
             const Fan              *fans,
             guint                   n_fans,
             double                  scale,
             cairo_t                *cr)
{
  g_autoptr (HlLineBundle) bundle = hl_line_bundle_new (layout->x_query, layout->x_key, layout->begin,
                                                        layout->end - layout->begin, scale, layout->curved);

  for (guint k = 0; k < n_fans; k++)
    {
      const Fan *fan = &fans[k];

      for (gsize i = 0; i < lines->n[HL_QUERIES]; i++)
        for (gsize j = 0; j < lines->n[HL_KEYS]; j++)
          {
            const double strength = get_strength (fan, i * lines->n[HL_KEYS] + j);
            HlColour colour = fan->colour;

            if (strength * fan->opacity < MIN_ALPHA)
              continue;
            colour.a = (float) (strength * fan->opacity);
            hl_line_bundle_add (bundle,
                                hl_head_view_layout_get_row_y (layout, HL_QUERIES, lines->rows[HL_QUERIES][i]) +
                                  fan->move,
                                hl_head_view_layout_get_row_y (layout, HL_KEYS, lines->rows[HL_KEYS][j]) + fan->move,
                                get_width (fan, strength), &colour);
          }
    }
  hl_line_bundle_paint (bundle, cr);
}

/* Whether there are so few lines that strokes are done sooner than pixels. */
static gboolean
are_few (const Lines *lines,
         const Fan   *fans,
         guint        n_fans)
{
  const gsize n = lines->n[HL_QUERIES] * lines->n[HL_KEYS];
  gsize count = 0;

  for (guint k = 0; k < n_fans; k++)
    for (gsize i = 0; i < n && count <= MAX_STROKES; i++)
      count += get_strength (&fans[k], i) * fans[k].opacity >= MIN_ALPHA;
  return count <= MAX_STROKES;
}

/*
 * How wide the strongest line is. Alone, lines may be wider than among all the others, and the farther apart rows are.
 */
static double
get_strongest_width (const HlHeadViewLayout *layout)
{
  return CLAMP (layout->row_height * 0.12, 2, 4);
}

/*
 * The lines of one token, or the one between two: the strongest that is seen in full, others as their part of it, or all
 * as their weights. Those of several tokens do not lie over one another, so that each is as strong as its own weight;
 * where they end, numbers and shades tell what they come to. Few heads have room beside one another, where each shows its
 * own colour; of more, each pair has that of its strongest head. @head, unless it is G_MAXUINT, is the only one that is
 * not dimmed.
 */
void
hl_head_view_draw_focus (const HlHeadViewData   *data,
                         const HlHeadViewLayout *layout,
                         const HlFocus          *focus,
                         guint                   head,
                         double                  scale,
                         gboolean                dark,
                         gboolean                as_strokes,
                         cairo_t                *cr)
{
  const guint n_heads = data->n_heads;
  const gboolean run_side_by_side = n_heads >= 2 && n_heads <= MAX_SIDE_BY_SIDE &&
                                    layout->row_height * 0.75 / n_heads >= MIN_SIDE_WIDTH;
  const double step = run_side_by_side ? MIN (layout->row_height * 0.75 / n_heads, 3.5) : 0;
  Lines lines;

  if (n_heads == 0 || data->queries.n == 0 || data->keys.n == 0)
    return;
  lines_init (&lines, data, focus);
  if (!run_side_by_side && n_heads > 1 && head == G_MAXUINT)
    lines_keep_strongest (&lines);

  const guint n_signs = data->negated != NULL ? 2 : 1;
  g_autofree Fan *fans = g_new (Fan, n_heads * n_signs);
  for (guint k = 0; k < n_heads * n_signs; k++)
    {
      const guint place = k / n_signs;
      const gboolean below_zero = k % n_signs > 0;
      /* The head that is pointed at comes last, over the others. */
      const guint i = head == G_MAXUINT ? place : place == n_heads - 1 ? head : place < head ? place : place + 1;

      fans[k] = (Fan){
        .weights = lines.weights[i],
        .below_zero = below_zero,
        .gain = hl_head_view_data_get_gain (data, lines.greatest),
        .colour = data->negated != NULL ? hl_diverging_map_get_end (dark, below_zero)
                                        : hl_palette_get_head_colour (data->heads[i].colour, dark),
        .opacity = head == G_MAXUINT || head == i ? 1 : DIMMED,
        .width = run_side_by_side ? MAX (step - 0.5, MIN_SIDE_WIDTH) : get_strongest_width (layout),
        .move = step * (i - (n_heads - 1) / 2.0),
      };
    }
  cairo_save (cr);
  hl_head_view_layout_enter (layout, cr);
  if (as_strokes || are_few (&lines, fans, n_heads * n_signs))
    for (guint k = 0; k < n_heads * n_signs; k++)
      draw_strokes (layout, &lines, &fans[k], cr);
  else
    draw_pixels (layout, &lines, fans, n_heads * n_signs, scale, cr);
  cairo_restore (cr);
  lines_clear (&lines);
}

/* Whether the line of a pair is one of those in focus. */
static gboolean
has_line (const HlFocus *focus,
          const HlPick  *pair)
{
  if (focus->pick.kind == HL_PICK_CELL)
    return focus->pick.query == pair->query && focus->pick.key == pair->key;
  const HlSide side = hl_pick_get_side (&focus->pick);
  const HlPick token = hl_pick_of (side, pair->tokens[side]);
  return hl_focus_covers (focus, &token);
}

/* The greatest magnitude of a pair's weights. */
static float
get_pair (const HlHeadViewData *data,
          gsize                 query,
          gsize                 key)
{
  float greatest = 0;

  for (guint head = 0; head < data->n_heads; head++)
    greatest = fmaxf (greatest, fabsf (hl_head_view_data_get_map (data, head)[query * data->keys.n + key]));
  return greatest;
}

/* Rows of a side that are @first or more and before @end, as far as there are such. */
static void
clamp_rows (double first,
            double end,
            gsize  n,
            gsize *from,
            gsize *to)
{
  *from = (gsize) CLAMP (ceil (first), 0, (double) n);
  *to = (gsize) CLAMP (floor (end) + 1, (double) *from, (double) n);
}

/*
 * The strongest line that runs close to a point, given in coordinates of tokens: of those in focus, or, where nothing is,
 * of all that can be told from others. From each row of the side that is farther away lines come by at few places.
 */
gboolean
hl_head_view_pick_line (const HlHeadViewData   *data,
                        const HlHeadViewLayout *layout,
                        const HlFocus          *focus,
                        double                  x,
                        double                  y,
                        HlPick                 *pick)
{
  const double gap = layout->x_key - layout->x_query;
  const double t = (x - layout->x_query) / gap;
  const HlSide near = t > 0.5 ? HL_KEYS : HL_QUERIES;
  const HlSide far = hl_side_get_other (near);
  const double along = layout->curved ? hl_line_ease (t) : t;
  const double part = near == HL_KEYS ? along : 1 - along;
  /* How much steeper a line is here than on the whole. */
  const double bend = layout->curved ? 6 * t * (1 - t) : 1;
  const HlRange ranges[2] = { data->queries, data->keys };
  const gboolean of_all = focus->pick.kind == HL_PICK_NONE;
  const float strongest = hl_head_view_find_strongest (data, focus);
  float best = fmaxf (strongest, (float) data->least_whole) * (of_all ? MIN_STRENGTH_OF_ALL : MIN_STRENGTH);
  double best_distance = 0;

  if (!(t >= 0 && t <= 1) || !(best > 0))
    return FALSE;
  for (gsize i = 0; i < ranges[far].n; i++)
    {
      const double y_far = hl_head_view_layout_get_row_y (layout, far, i);
      /* Where lines from here through the point arrive, and how steep they are. */
      const double y_near = y_far + (y - y_far) / part;
      const double reach = REACH * hypot (1, bend * (y_near - y_far) / gap) / part + layout->pitches[near];
      const double zero = hl_head_view_layout_get_row_y (layout, near, 0);
      gsize from, to;

      clamp_rows ((y_near - reach - zero) / layout->pitches[near], (y_near + reach - zero) / layout->pitches[near],
                  ranges[near].n, &from, &to);
      for (gsize j = from; j < to; j++)
        {
          const double rise = zero + j * layout->pitches[near] - y_far;
          const double distance = fabs (y_far + rise * part - y) / hypot (1, bend * rise / gap);
          const gsize query = near == HL_KEYS ? i : j, key = near == HL_KEYS ? j : i;
          const HlPick line = { HL_PICK_CELL, .query = ranges[HL_QUERIES].first + query,
                                .key = ranges[HL_KEYS].first + key };

          if (distance > REACH || (!of_all && !has_line (focus, &line)))
            continue;
          const float weight = get_pair (data, query, key);
          if (weight < best || (weight == best && pick->kind == HL_PICK_CELL && distance >= best_distance))
            continue;
          best = weight;
          best_distance = distance;
          *pick = line;
        }
    }
  return pick->kind == HL_PICK_CELL;
}
