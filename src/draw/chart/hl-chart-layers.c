/* SPDX-License-Identifier: MIT */
/* A number by layer: a line for the mean over heads, a band for their standard deviation, and a point for each head. */
#include "draw/chart/hl-chart.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "draw/chart/hl-chart-axis.h"
#include "draw/chart/hl-chart-legend.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-export-context.h"

#define MARGIN 16
#define BAND_ALPHA 0.2
#define POINT_ALPHA 0.55
#define RADIUS 2.75
/* As far from a point it is still meant. */
#define REACH 8
/* Points of a layer stand beside one another, in a part of its slot. */
#define SPREAD 0.5
#define MAX_SPREAD 40
#define MAX_STEPS 6
/* Plots that are higher tell no more. */
#define MAX_SHAPE 1.0
#define MAX_SAMPLES 3

static HlChartAxis
get_axis (const HlChart *self)
{
  const HlChartNumbers *numbers = self->numbers;
  double min = numbers->band_min, max = numbers->band_max;
  HlChartAxis axis;

  /* What cannot be below zero has no axis below it. */
  if (numbers->min >= 0)
    min = MAX (min, 0);
  if (numbers->is_share && numbers->max <= 1)
    max = MIN (max, 1);
  hl_chart_axis_init (&axis, min, max, numbers->is_share, MAX_STEPS);
  axis.begin = self->layout->plot.y + self->layout->plot.height;
  axis.end = self->layout->plot.y;
  return axis;
}

/* What a layer has itself is neither a mean over heads nor has any spread but that over texts. */
static guint
make_samples (const HlChart *self,
              HlChartSample *samples)
{
  const HlChartNumbers *numbers = self->numbers;
  const HlTheme *theme = self->frame->theme;
  const char *band = numbers->spreads == NULL ? _ ("standard deviation over heads")
                     : numbers->is_of_layer   ? _ ("standard deviation over texts")
                                              : _ ("standard deviation over texts, mean over heads");
  guint n = 0;

  samples[n++] = (HlChartSample){ HL_CHART_MARK_LINE, theme->accent,
                                  numbers->is_of_layer ? _ ("the layer") : _ ("mean over heads") };
  if (numbers->spreads != NULL || !numbers->is_of_layer)
    {
      samples[n] = (HlChartSample){ HL_CHART_MARK_AREA, theme->accent, band };
      samples[n++].colour.a = BAND_ALPHA;
    }
  if (!numbers->is_of_layer)
    samples[n++] = (HlChartSample){ HL_CHART_MARK_DOT, theme->muted, _ ("a head") };
  return n;
}

static void
lay_out (const HlChart *self,
         HlChartLayout *layout)
{
  const HlChartAxis axis = get_axis (self);
  HlChartSample samples[MAX_SAMPLES];
  const guint n_samples = make_samples (self, samples);
  const double left = MARGIN + hl_chart_axis_measure (&axis, self->scene);
  const double width = MAX (self->frame->width - left - MARGIN, 60);
  const guint n_lines = hl_chart_legend_draw (self->scene, self->frame, NULL, samples, n_samples, left, width, 0);
  const double top = layout->top + n_lines * HL_CHART_LEGEND_LINE + 8;

  layout->legend_y = layout->top + HL_CHART_LEGEND_LINE / 2.0;
  layout->plot =
    (cairo_rectangle_t){ left - self->frame->x, top - self->frame->y, width,
                         CLAMP (self->frame->height - top - HL_CHART_LAYERS_ROOM, 60, MAX (width * MAX_SHAPE, 60)) };
  layout->content_width = left + width + MARGIN;
  layout->content_height = top + layout->plot.height + HL_CHART_LAYERS_ROOM;
}

static void
draw_backdrop (const HlChart *self,
               cairo_t       *cr)
{
  const HlChartAxis axis = get_axis (self);
  const cairo_rectangle_t *plot = &self->layout->plot;
  HlChartSample samples[MAX_SAMPLES];
  g_autofree char *title = hl_chart_dup_number_title (self);

  hl_chart_legend_draw (self->scene, self->frame, cr, samples, make_samples (self, samples), plot->x, plot->width,
                        self->layout->legend_y);
  hl_chart_axis_draw_values (&axis, self->scene, self->frame, cr, plot, title);
  hl_chart_draw_layers (self->scene, self->frame, cr, plot, self->numbers->n_layers, TRUE);
}

/* Where a head's point is; FALSE where its number is not known, or is the layer's. */
static gboolean
get_point (const HlChart     *self,
           const HlChartAxis *axis,
           guint              layer,
           guint              head,
           double            *x,
           double            *y)
{
  const double value = hl_chart_numbers_get (self->numbers, layer, head);
  const guint n_heads = hl_chart_numbers_get_n_drawn (self->numbers, layer);
  const double slot = hl_chart_get_slot (&self->layout->plot, self->numbers->n_layers);
  const double spread = n_heads > 1 ? MIN (slot * SPREAD, MAX_SPREAD) / (n_heads - 1) : 0;

  *x = hl_chart_get_layer_x (&self->layout->plot, self->numbers->n_layers, layer) +
       (head - (n_heads - 1) / 2.0) * spread;
  *y = hl_chart_axis_map (axis, value);
  return isfinite (value) && !self->numbers->is_of_layer;
}

/* Adds the means, or these with so many spreads off, to the path, from the first layer of a run to the last or back. */
static void
add_means (const HlChart     *self,
           const HlChartAxis *axis,
           cairo_t           *cr,
           guint              first,
           guint              end,
           double             off)
{
  for (guint i = first; i < end; i++)
    {
      const guint layer = off < 0 ? first + end - 1 - i : i;
      const HlChartLayer *found = &self->numbers->layers[layer];

      cairo_line_to (cr, hl_chart_get_layer_x (&self->layout->plot, self->numbers->n_layers, layer),
                     hl_chart_axis_map (axis, CLAMP (found->mean + off * found->spread, axis->min, axis->max)));
    }
}

/* Layers without numbers are not passed over by a line. */
static gboolean
find_run (const HlChartNumbers *numbers,
          guint                *first,
          guint                *end)
{
  for (*first = *end; *first < numbers->n_layers && numbers->layers[*first].n == 0;)
    ++*first;
  for (*end = *first; *end < numbers->n_layers && numbers->layers[*end].n > 0;)
    ++*end;
  return *first < *end;
}

static void
draw_points (const HlChart     *self,
             const HlChartAxis *axis,
             cairo_t           *cr)
{
  hl_cairo_set_colour (cr, &self->frame->theme->muted, POINT_ALPHA);
  for (guint layer = 0; layer < self->numbers->n_layers; layer++)
    for (guint head = 0; head < hl_chart_numbers_get_n_drawn (self->numbers, layer); head++)
      {
        double x, y;

        if (!get_point (self, axis, layer, head, &x, &y))
          continue;
        cairo_new_sub_path (cr);
        cairo_arc (cr, x, y, RADIUS, 0, 2 * G_PI);
        cairo_fill (cr);
        if (self->numbers->spreads == NULL)
          continue;
        const double value = hl_chart_numbers_get (self->numbers, layer, head);
        const double spread = self->numbers->spreads[self->numbers->starts[layer] + head];
        cairo_set_line_width (cr, 1);
        cairo_move_to (cr, x, hl_chart_axis_map (axis, MAX (value - spread, axis->min)));
        cairo_line_to (cr, x, hl_chart_axis_map (axis, MIN (value + spread, axis->max)));
        cairo_stroke (cr);
      }
}

/* A class has no mean. */
static char *
get_notice (const HlChart *self)
{
  return self->numbers->words != NULL
           ? g_strdup (_ ("A class has no mean; its shares by layer are a chart of their own"))
           : hl_chart_get_numbers_notice (self);
}

static void
draw_picture (const HlChart *self,
              cairo_t       *cr)
{
  const HlChartAxis axis = get_axis (self);
  const HlColour *accent = &self->frame->theme->accent;
  guint first, end = 0;

  while (find_run (self->numbers, &first, &end))
    {
      add_means (self, &axis, cr, first, end, 1);
      add_means (self, &axis, cr, first, end, -1);
      cairo_close_path (cr);
      hl_cairo_set_colour (cr, accent, BAND_ALPHA);
      cairo_fill (cr);
    }
  draw_points (self, &axis, cr);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  for (end = 0; find_run (self->numbers, &first, &end);)
    {
      add_means (self, &axis, cr, first, end, 0);
      hl_cairo_set_colour (cr, accent, 1);
      cairo_set_line_width (cr, 2);
      cairo_stroke (cr);
      for (guint layer = first; layer < end; layer++)
        hl_chart_mark_draw (cr, HL_CHART_MARK_DOT, accent,
                            hl_chart_get_layer_x (&self->layout->plot, self->numbers->n_layers, layer),
                            hl_chart_axis_map (&axis, self->numbers->layers[layer].mean), 3.5);
    }
}

static gboolean
locate (const HlChart     *self,
        const HlPick      *pick,
        cairo_rectangle_t *box)
{
  const HlChartAxis axis = get_axis (self);
  const cairo_rectangle_t *plot = &self->layout->plot;
  const double slot = hl_chart_get_slot (plot, self->numbers->n_layers);
  double x, y;

  if (pick->kind == HL_PICK_LAYER)
    {
      *box = (cairo_rectangle_t){ plot->x + pick->layer * slot, plot->y, slot, plot->height };
      return TRUE;
    }
  if (pick->kind != HL_PICK_MAP || !get_point (self, &axis, pick->layer, pick->head, &x, &y))
    return FALSE;
  *box = (cairo_rectangle_t){ x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS };
  return TRUE;
}

/* The nearest point that is near enough, else the layer. */
static void
pick_at (const HlChart *self,
         double         x,
         double         y,
         HlPick        *pick)
{
  const HlChartAxis axis = get_axis (self);
  const cairo_rectangle_t *plot = &self->layout->plot;
  double nearest = REACH * REACH;

  if (x < plot->x || x >= plot->x + plot->width || y < plot->y - REACH || y >= plot->y + plot->height + REACH)
    return;
  const guint layer =
    MIN ((guint) ((x - plot->x) / hl_chart_get_slot (plot, self->numbers->n_layers)), self->numbers->n_layers - 1);
  *pick = (HlPick){ HL_PICK_LAYER, .layer = layer };
  for (guint head = 0; head < hl_chart_numbers_get_n_drawn (self->numbers, layer); head++)
    {
      double at_x, at_y;

      if (!get_point (self, &axis, layer, head, &at_x, &at_y))
        continue;
      const double distance = (at_x - x) * (at_x - x) + (at_y - y) * (at_y - y);
      if (distance >= nearest)
        continue;
      nearest = distance;
      *pick = (HlPick){ HL_PICK_MAP, .head = head, .layer = layer };
    }
}

static char *
describe (const HlChart *self,
          const HlPick  *pick)
{
  if (pick->kind == HL_PICK_LAYER)
    return hl_chart_describe_layer (self, pick->layer);
  return pick->kind == HL_PICK_MAP ? hl_chart_describe_head (self, pick->layer, pick->head) : NULL;
}

static void
draw_ring (const HlChart  *self,
           cairo_t        *cr,
           const HlPick   *pick,
           const HlColour *colour)
{
  cairo_rectangle_t box;

  if (locate (self, pick, &box))
    hl_chart_ring_draw (cr, colour, &box);
}

static void
draw_overlay (const HlChart *self,
              cairo_t       *cr)
{
  const HlTheme *theme = self->frame->theme;
  const HlPick *pick = self->frame->hovered;
  const HlPick chosen = { HL_PICK_MAP, .head = self->frame->shown->selection.head,
                          .layer = self->frame->shown->selection.layer };
  cairo_rectangle_t box;

  if (hl_export_context_get (cr) != NULL)
    return;
  draw_ring (self, cr, &chosen, &theme->accent);
  if (!hl_pick_is_place (pick) || !locate (self, pick, &box))
    return;
  if (pick->kind == HL_PICK_MAP)
    draw_ring (self, cr, pick, &theme->foreground);
  else
    {
      hl_cairo_set_colour (cr, &theme->foreground, 0.06);
      cairo_rectangle (cr, box.x, box.y, box.width, box.height);
      cairo_fill (cr);
      const HlChartAxis axis = get_axis (self);
      box.x += box.width / 2;
      box.y = hl_chart_axis_map (&axis, self->numbers->layers[pick->layer].n > 0
                                          ? self->numbers->layers[pick->layer].mean
                                          : axis.min);
      box.width = box.height = 0;
    }
  hl_chart_draw_bubble (self, cr, pick, &box);
}

/* The head of a layer whose number is next to that of another, above or below; the last one where there is none. */
static guint
find_next (const HlChartNumbers *numbers,
           guint                 layer,
           guint                 head,
           int                   dy,
           gboolean              to_end)
{
  const double from = hl_chart_numbers_get (numbers, layer, head);
  guint best = head;

  for (guint other = 0; other < hl_chart_numbers_get_n_drawn (numbers, layer); other++)
    {
      const double value = hl_chart_numbers_get (numbers, layer, other);
      const double far = dy < 0 ? value - from : from - value;
      const double best_far = dy < 0 ? hl_chart_numbers_get (numbers, layer, best) - from
                                     : from - hl_chart_numbers_get (numbers, layer, best);

      /* Of numbers that are the same, heads follow in their order. */
      const gboolean is_beyond = far > 0 || (far == 0 && (dy < 0 ? other > head : other < head));
      const gboolean is_better = best == head || (to_end ? far > best_far : far < best_far);
      if (other != head && is_beyond && is_better)
        best = other;
    }
  return best;
}

/* To the side from layer to layer; up and down from head to head by their numbers. */
static void
move (const HlChart *self,
      HlPick        *pick,
      int            dx,
      int            dy,
      gboolean       to_end)
{
  const HlChartNumbers *numbers = self->numbers;

  if (!hl_pick_is_place (pick) || pick->kind == HL_PICK_HEAD)
    {
      *pick = (HlPick){ HL_PICK_LAYER, .layer = self->frame->shown->selection.layer };
      return;
    }
  pick->layer = pick->kind == HL_PICK_MAP ? hl_chart_move_layer (self, pick->layer, dx, to_end)
                                          : hl_chart_move_index (pick->layer, numbers->n_layers, dx, to_end);
  if (pick->kind == HL_PICK_MAP && dx != 0)
    pick->head = MIN (pick->head, hl_chart_numbers_get_n_drawn (numbers, pick->layer) - 1);
  if (dy == 0 || numbers->layers[pick->layer].n == 0 || numbers->is_of_layer)
    return;
  /* From the layer, in among its heads from outside. */
  if (pick->kind == HL_PICK_LAYER)
    *pick = (HlPick){ HL_PICK_MAP, .layer = pick->layer,
                      .head = dy < 0 ? numbers->layers[pick->layer].least : numbers->layers[pick->layer].most };
  else
    pick->head = find_next (numbers, pick->layer, pick->head, dy, to_end);
}

const HlChartClass hl_chart_layers = {
  .lay_out = lay_out,
  .get_notice = get_notice,
  .draw_backdrop = draw_backdrop,
  .draw_picture = draw_picture,
  .draw_overlay = draw_overlay,
  .pick = pick_at,
  .describe = describe,
  .locate = locate,
  .move = move,
};
