/* SPDX-License-Identifier: MIT */
/* A number of every head as a coloured cell: a row a layer, a column a head. */
#include "draw/chart/hl-chart.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "draw/chart/hl-chart-axis.h"
#include "draw/chart/hl-chart-legend.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-contrast.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-palette.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-axis-labels.h"
#include "draw/text/hl-export-context.h"

#define MARGIN 16
#define LABEL_ROOM 26
#define TITLE_ROOM 20
#define BAR_GAP 22
#define MIN_BAR 170
#define MAX_BAR 280
#define MIN_STEP 4.0
#define MAX_WIDTH 76.0
#define MAX_HEIGHT 52.0
/* Cells may be wider than high by so much, and higher than wide. */
#define MAX_WIDE 1.9
#define MAX_HIGH 1.25
#define MAX_TICKS 6
#define MAX_CLASSES HL_PALETTE_SAFE_SIZE
/* Less than this around a number in its cell, and it is not written. */
#define PAD 3
#define MIN_NUMBER 8.5
#define MAX_NUMBER 12.0

static guint
get_n_columns (const HlChart *self)
{
  guint n = 0;

  for (guint layer = 0; layer < self->numbers->n_layers; layer++)
    n = MAX (n, hl_chart_numbers_get_n_drawn (self->numbers, layer));
  return n;
}

static gboolean
is_signed (const HlChartNumbers *numbers)
{
  return numbers->is_difference || numbers->min < 0;
}

/* The ends of the colours: as far from zero as one another where numbers have a sign. */
static HlChartAxis
get_axis (const HlChart *self)
{
  const HlChartNumbers *numbers = self->numbers;
  const double limit = MAX (fabs (numbers->min), fabs (numbers->max));
  HlChartAxis axis;

  if (is_signed (numbers))
    hl_chart_axis_init (&axis, -limit, limit, numbers->is_share, MAX_TICKS);
  else
    hl_chart_axis_init (&axis, numbers->min, numbers->max, numbers->is_share, MAX_TICKS);
  if (!hl_chart_numbers_has_any (numbers))
    return axis;
  /* Colours end where numbers do; only ticks are round. */
  axis.begin = is_signed (numbers) ? -limit : axis.min == 0 ? 0 : numbers->min;
  axis.end = is_signed (numbers) ? limit : numbers->max;
  if (!(axis.end - axis.begin > 1e-12))
    {
      axis.begin = axis.min;
      axis.end = axis.max;
    }
  return axis;
}

static double
get_position (const HlChartAxis *axis,
              double             value)
{
  return CLAMP ((value - axis->begin) / (axis->end - axis->begin), 0, 1);
}

static guint32
get_colour (const HlSceneFrame *frame,
            double              position)
{
  return hl_colour_map_lookup (frame->shown->options.colour_map, frame->theme->dark, position);
}

static guint32
get_signed_colour (const HlSceneFrame *frame,
                   double              position)
{
  return hl_diverging_map_lookup (frame->theme->dark, 2 * position - 1);
}

/* Classes are told apart as heads are; there are as many as all eyes tell apart. The last is none of the others. */
static HlColour
get_class_colour (const HlChart *self,
                  guint          class)
{
  return self->numbers->words[class + 1].nick == NULL ? self->frame->theme->hatch
                                                      : hl_palette_get_head_colour (class, self->frame->theme->dark);
}

/* Of a class, in place of the bar. */
static guint
make_samples (const HlChart *self,
              HlChartSample *samples)
{
  guint n = 0;

  for (; self->numbers->words != NULL && n < MAX_CLASSES && self->numbers->words[n].nick != NULL; n++)
    samples[n] = (HlChartSample){ HL_CHART_MARK_AREA, get_class_colour (self, n), _ (self->numbers->words[n].label) };
  return n;
}

/* The room of the bar's numbers and title, to the right of the cells. */
static double
measure_bar (const HlChart     *self,
             const HlChartAxis *axis)
{
  return BAR_GAP + HL_CHART_BAR_WIDTH + hl_chart_axis_measure (axis, self->scene) + 4;
}

static void
lay_out (const HlChart *self,
         HlChartLayout *layout)
{
  const HlChartAxis axis = get_axis (self);
  const guint n_rows = MAX (self->numbers->n_layers, 1);
  const guint n_columns = MAX (get_n_columns (self), 1);
  HlChartSample samples[MAX_CLASSES];
  const guint n_classes = make_samples (self, samples);
  const guint n_lines = hl_chart_legend_draw (self->scene, self->frame, NULL, samples, n_classes, MARGIN,
                                              self->frame->width - 2 * MARGIN, 0);
  const double left = MARGIN + TITLE_ROOM + LABEL_ROOM;
  const double top = layout->top + n_lines * HL_CHART_LEGEND_LINE + TITLE_ROOM + LABEL_ROOM - 8;
  const double right = (n_classes > 0 ? 0 : measure_bar (self, &axis)) + MARGIN;
  const double room_x = MAX (self->frame->width - left - right, 0) / n_columns;
  const double room_y = MAX (self->frame->height - top - MARGIN, 0) / n_rows;

  layout->legend_y = layout->top + HL_CHART_LEGEND_LINE / 2.0 - 4;
  layout->step_x = CLAMP (MIN (room_x, room_y * MAX_WIDE), MIN_STEP, MAX_WIDTH);
  layout->step_y = CLAMP (MIN (room_y, layout->step_x * MAX_HIGH), MIN_STEP, MAX_HEIGHT);
  /* Whole pixels: all cells as large as one another. */
  layout->step_x = floor (layout->step_x * self->frame->scale) / self->frame->scale;
  layout->step_y = floor (layout->step_y * self->frame->scale) / self->frame->scale;
  layout->plot.width = n_columns * layout->step_x;
  layout->plot.height = n_rows * layout->step_y;
  layout->content_width = left + layout->plot.width + right;
  layout->content_height = top + MAX (layout->plot.height, n_classes > 0 ? 0 : MIN_BAR) + MARGIN;
  layout->plot.x = hl_cairo_snap (left + MAX (0, (self->frame->width - layout->content_width) / 2) - self->frame->x,
                                  self->frame->scale);
  layout->plot.y = hl_cairo_snap (top - self->frame->y, self->frame->scale);
}

static void
draw_bar (const HlChart *self,
          cairo_t       *cr)
{
  const HlChartAxis axis = get_axis (self);
  const cairo_rectangle_t *plot = &self->layout->plot;
  const double height = CLAMP (plot->height, MIN_BAR, MAX_BAR);
  const cairo_rectangle_t box = { plot->x + plot->width + BAR_GAP, plot->y + MAX (0, (plot->height - height) / 2),
                                  HL_CHART_BAR_WIDTH, height };
  g_autofree HlChartBarTick *ticks = g_new0 (HlChartBarTick, hl_chart_axis_get_n_ticks (&axis));
  g_autofree char *title = hl_chart_dup_number_title (self);
  guint n_ticks = 0;

  for (guint i = 0; i < hl_chart_axis_get_n_ticks (&axis); i++)
    {
      const double value = hl_chart_axis_get_tick (&axis, i);
      const double slack = axis.step * 1e-6;

      if (value < axis.begin - slack || value > axis.end + slack)
        continue;
      ticks[n_ticks++] = (HlChartBarTick){ get_position (&axis, value), hl_chart_axis_format (&axis, value) };
    }
  hl_chart_bar_draw (self->scene, self->frame, cr, &box, is_signed (self->numbers) ? get_signed_colour : get_colour,
                     ticks, n_ticks, title);
  for (guint i = 0; i < n_ticks; i++)
    g_free (ticks[i].label);
}

static void
draw_label (const HlChart *self,
            cairo_t       *cr,
            gboolean       is_layer,
            guint          index,
            gboolean       in_focus)
{
  const HlChartLayout *layout = self->layout;
  const HlTextStyle style = { .size = HL_CHART_TICK_SIZE, .bold = in_focus };
  g_autofree char *label = g_strdup_printf ("%u", index);
  const double x = is_layer ? layout->plot.x - 8 : layout->plot.x + (index + 0.5) * layout->step_x;
  const double y = is_layer ? layout->plot.y + (index + 0.5) * layout->step_y : layout->plot.y - 12;

  if (in_focus)
    {
      const double width = hl_scene_measure_text (self->scene, label, &style) + 6;
      hl_cairo_set_colour (cr, &self->frame->theme->background, 1);
      cairo_rectangle (cr, is_layer ? x - width + 3 : x - width / 2, y - 8, width, 16);
      cairo_fill (cr);
    }
  hl_scene_write (self->scene, cr, label, &style,
                  in_focus ? &self->frame->theme->accent : &self->frame->theme->foreground, x, y, is_layer ? 1 : 0.5);
}

static void
draw_backdrop (const HlChart *self,
               cairo_t       *cr)
{
  const HlChartLayout *layout = self->layout;
  const HlTextStyle style = { .size = HL_CHART_TITLE_SIZE };
  const guint rows = (guint) hl_axis_labels_get_stride (layout->step_y, HL_CHART_TICK_SIZE * 1.3);
  const guint columns = (guint) hl_axis_labels_get_stride (layout->step_x, HL_CHART_TICK_SIZE * 2);

  for (guint layer = 0; layer < self->numbers->n_layers; layer += rows)
    draw_label (self, cr, TRUE, layer, FALSE);
  for (guint head = 0; !self->numbers->is_of_layer && head < get_n_columns (self); head += columns)
    draw_label (self, cr, FALSE, head, FALSE);
  if (!self->numbers->is_of_layer)
    hl_scene_write (self->scene, cr, _ ("head"), &style, &self->frame->theme->muted,
                    layout->plot.x + layout->plot.width / 2, layout->plot.y - LABEL_ROOM - 4, 0.5);
  hl_scene_write_upwards (self->scene, cr, _ ("layer"), &style, &self->frame->theme->muted,
                          layout->plot.x - LABEL_ROOM - TITLE_ROOM / 2.0, layout->plot.y + layout->plot.height / 2,
                          0.5);
  HlChartSample samples[MAX_CLASSES];
  const guint n_classes = make_samples (self, samples);
  if (n_classes > 0)
    hl_chart_legend_draw (self->scene, self->frame, cr, samples, n_classes, MARGIN, self->frame->width - 2 * MARGIN,
                          layout->legend_y);
  else
    draw_bar (self, cr);
}

static void
get_box (const HlChart     *self,
         guint              layer,
         guint              head,
         cairo_rectangle_t *box)
{
  const HlChartLayout *layout = self->layout;
  const double gap = MIN (layout->step_x, layout->step_y) >= 8 ? 1 : 0;

  *box = (cairo_rectangle_t){ layout->plot.x + head * layout->step_x, layout->plot.y + layer * layout->step_y,
                              layout->step_x - gap, layout->step_y - gap };
}

/* The size of the numbers in the cells; 0 where one does not fit. */
static double
get_number_size (const HlChart *self)
{
  const HlChartLayout *layout = self->layout;
  const HlChartNumbers *numbers = self->numbers;

  for (double size = hl_text_size (layout->step_y * 0.4, MIN_NUMBER, MAX_NUMBER); size >= MIN_NUMBER; size -= 0.5)
    {
      const HlTextStyle style = { .size = size };
      gboolean fits = layout->step_y >= size * 1.3 + 2;

      for (guint i = 0; fits && i < numbers->starts[numbers->n_layers]; i++)
        {
          g_autofree char *text = hl_chart_numbers_format (numbers, numbers->values[i]);
          fits = hl_scene_measure_text (self->scene, text, &style) + 2 * PAD <= layout->step_x;
        }
      if (fits)
        return size;
    }
  return 0;
}

static HlColour
get_cell_colour (const HlChart     *self,
                 const HlChartAxis *axis,
                 double             value)
{
  if (!isfinite (value))
    return self->frame->theme->masked;
  if (self->numbers->words != NULL)
    return get_class_colour (self, (guint) value);
  const double position = get_position (axis, value);
  return hl_chart_colour_of_pixel (is_signed (self->numbers) ? get_signed_colour (self->frame, position)
                                                             : get_colour (self->frame, position));
}

static void
draw_picture (const HlChart *self,
              cairo_t       *cr)
{
  const HlChartAxis axis = get_axis (self);
  const HlTextStyle style = { .size = get_number_size (self) };

  for (guint layer = 0; layer < self->numbers->n_layers; layer++)
    for (guint head = 0; head < hl_chart_numbers_get_n_drawn (self->numbers, layer); head++)
      {
        const double value = hl_chart_numbers_get (self->numbers, layer, head);
        const HlColour colour = get_cell_colour (self, &axis, value);
        cairo_rectangle_t box;

        get_box (self, layer, head, &box);
        hl_cairo_set_colour (cr, &colour, 1);
        cairo_rectangle (cr, box.x, box.y, box.width, box.height);
        cairo_fill (cr);
        if (style.size <= 0 || (!isfinite (value) && !self->numbers->is_complete))
          continue;
        const HlColour ink = hl_contrast_choose_ink (&colour);
        g_autofree char *text = hl_chart_numbers_format (self->numbers, value);
        hl_scene_write (self->scene, cr, text, &style, &ink, box.x + box.width / 2, box.y + box.height / 2, 0.5);
      }
}

static gboolean
locate (const HlChart     *self,
        const HlPick      *pick,
        cairo_rectangle_t *box)
{
  if (pick->kind != (self->numbers->is_of_layer ? HL_PICK_LAYER : HL_PICK_MAP))
    return FALSE;
  get_box (self, pick->layer, pick->head, box);
  return TRUE;
}

static void
pick_at (const HlChart *self,
         double         x,
         double         y,
         HlPick        *pick)
{
  const HlChartLayout *layout = self->layout;
  const double column = floor ((x - layout->plot.x) / layout->step_x);
  const double row = floor ((y - layout->plot.y) / layout->step_y);

  if (row < 0 || column < 0 || row >= self->numbers->n_layers ||
      column >= hl_chart_numbers_get_n_drawn (self->numbers, (guint) row))
    return;
  *pick = self->numbers->is_of_layer ? (HlPick){ HL_PICK_LAYER, .layer = (guint) row }
                                     : (HlPick){ HL_PICK_MAP, .head = (guint) column, .layer = (guint) row };
}

static char *
describe (const HlChart *self,
          const HlPick  *pick)
{
  if (pick->kind == HL_PICK_LAYER && self->numbers->is_of_layer)
    return hl_chart_describe_layer (self, pick->layer);
  return pick->kind == HL_PICK_MAP ? hl_chart_describe_head (self, pick->layer, pick->head) : NULL;
}

static void
draw_overlay (const HlChart *self,
              cairo_t       *cr)
{
  const HlPick *pick = self->frame->hovered;
  const HlHeadSelection *selection = &self->frame->shown->selection;
  cairo_rectangle_t box;

  if (hl_export_context_get (cr) != NULL)
    return;
  get_box (self, selection->layer, self->numbers->is_of_layer ? 0 : selection->head, &box);
  hl_cairo_set_colour (cr, &self->frame->theme->accent, 1);
  cairo_set_line_width (cr, 2);
  cairo_rectangle (cr, box.x - 1, box.y - 1, box.width + 2, box.height + 2);
  cairo_stroke (cr);
  if (!hl_shown_has_pick (self->frame->shown, pick) || !locate (self, pick, &box))
    return;
  hl_callout_outline (cr, &box, 1);
  draw_label (self, cr, TRUE, pick->layer, TRUE);
  if (!self->numbers->is_of_layer)
    draw_label (self, cr, FALSE, pick->head, TRUE);
  hl_chart_draw_bubble (self, cr, pick, &box);
}

static void
move (const HlChart *self,
      HlPick        *pick,
      int            dx,
      int            dy,
      gboolean       to_end)
{
  const HlHeadSelection *selection = &self->frame->shown->selection;

  if (self->numbers->is_of_layer)
    {
      const guint layer = pick->kind != HL_PICK_LAYER
                            ? selection->layer
                            : hl_chart_move_index (pick->layer, self->numbers->n_layers, dy, to_end);
      *pick = (HlPick){ HL_PICK_LAYER, .layer = layer };
      return;
    }
  if (pick->kind != HL_PICK_MAP)
    {
      *pick = (HlPick){ HL_PICK_MAP, .head = selection->head, .layer = selection->layer };
      return;
    }
  pick->layer = hl_chart_move_layer (self, pick->layer, dy, to_end);
  pick->head = hl_chart_move_index (pick->head, hl_chart_numbers_get_n_drawn (self->numbers, pick->layer), dx, to_end);
}

const HlChartClass hl_chart_grid = {
  .lay_out = lay_out,
  .get_notice = hl_chart_get_numbers_notice,
  .draw_backdrop = draw_backdrop,
  .draw_picture = draw_picture,
  .draw_overlay = draw_overlay,
  .pick = pick_at,
  .describe = describe,
  .locate = locate,
  .move = move,
};
