/* SPDX-License-Identifier: MIT */
#include "draw/picture/hl-picture-view-heat.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-value-cells.h"
#include "draw/scene/hl-scene-write.h"
#include "view/hl-weight-text.h"
#include "view/shown/hl-shown-mask.h"

/* On paper, a patch is a shape of its own up to so many; more are an image. */
#define MAX_SHAPES 8192

/* On paper, pixels of a side of an image whose patches run into one another. */
#define SMOOTH_SIDE 512

/* Of all that is seen: what has less of it does not get its full colour. */
#define LEAST_PART 0.01

#define BLACK 0xff000000u

/* From one stripe over what is no number to the next. */
#define STRIPE 7

/* Whether it has no number, and why. */
static gboolean
is_blank (const HlPictureViewHeat *self,
          gsize                    token,
          HlBlank                 *blank)
{
  const gsize i = token - self->range.first;

  *blank = self->hidden[i] || hl_shown_is_masked_weight (self->frame->shown, self->weights[i]) ? HL_BLANK_MASKED
                                                                                               : HL_BLANK_NAN;
  return *blank == HL_BLANK_MASKED || isnan (self->weights[i]);
}

/* The ends of what is seen of one focus: of patches, where that side has any. Words and registers may be beyond. */
static void
find_ends (const HlPictureViewHeat *self,
           const HlFocus           *focus,
           HlPictureViewEnds       *ends,
           HlPictureViewEnds       *all)
{
  const HlShown *shown = self->frame->shown;
  /* What the residual connection keeps of a token would outshine all that it takes in. */
  const gboolean drops_itself =
    self->parts->is_one && focus != NULL &&
    (shown->value_scale == HL_VALUE_SCALE_OFF_DIAGONAL ||
     (shown->options.value_scale == HL_VALUE_SCALE_AUTO && hl_quantity_get (shown->lens.quantity)->keeps_itself));

  hl_picture_view_ends_init (ends);
  hl_picture_view_ends_init (all);
  for (gsize i = self->range.first; i < self->range.first + self->range.n; i++)
    {
      const float value = self->weights[i - self->range.first];
      hl_picture_view_ends_take (all, value);
      if (drops_itself && focus->pick.tokens[hl_pick_get_side (&focus->pick)] == i)
        continue;
      if (self->is_patch[i - self->range.first])
        hl_picture_view_ends_take (ends, value);
    }
  if (!isfinite (ends->max))
    *ends = *all;
}

static double
get_limit (const HlPictureViewEnds *ends)
{
  return isfinite (ends->max) ? MAX (fabs (ends->min), fabs (ends->max)) : 0;
}

/*
 * What the end of the colours stands for at least, as lines at full strength do: next to nothing must not look like much. Where patches are many,
 * each has little, and what it had if all had the same is enough. Where there is no 1 that numbers are parts of, all that is seen is the whole.
 */
static double
get_least (const HlPictureViewHeat *self)
{
  const HlShown *shown = self->frame->shown;
  const double least = MIN (LEAST_PART, 1.0 / (double) MAX (shown->keys.n, 1));
  double whole = 0;

  if (hl_shown_get_least_whole (shown) > 0)
    return MIN (hl_shown_get_least_whole (shown), least);
  for (gsize i = 0; i < self->range.n; i++)
    whole += isfinite (self->weights[i]) ? fabs ((double) self->weights[i]) : 0;
  return whole * least;
}

static void
set_scale (HlPictureViewHeat       *self,
           const HlPictureViewData *data,
           const HlFocus           *focus)
{
  const HlValueScaleKind kind = self->frame->shown->value_scale;
  const gboolean of_row = kind == HL_VALUE_SCALE_ROW || focus == NULL;
  HlPictureViewEnds own, all;

  find_ends (self, focus, &own, &all);
  const HlPictureViewEnds *ends = of_row ? &own : kind == HL_VALUE_SCALE_OFF_DIAGONAL ? &data->off_ends : &data->ends;
  const double least = get_least (self), max = isfinite (ends->max) ? MAX (ends->max, least) : ends->max;
  if (data->is_signed)
    hl_value_scale_init_signed (&self->scale, HL_VALUE_SCALE_LINEAR, MAX (get_limit (ends), least));
  else if (self->frame->shown->is_cumulative)
    hl_value_scale_init (&self->scale, HL_VALUE_SCALE_CUMULATIVE, 0, 1);
  else if (kind == HL_VALUE_SCALE_LOG)
    hl_value_scale_init (&self->scale, kind, ends->min_positive, max);
  else
    hl_value_scale_init (&self->scale, HL_VALUE_SCALE_LINEAR, MIN (ends->min, 0), max);
  self->row_max = own.max;
  self->scale.is_open = !data->is_signed && all.max > self->scale.max;
}

/* @focus: (nullable): a token, several, or a pair, whose query it is; %NULL for what keys get on average */
void
hl_picture_view_heat_init (HlPictureViewHeat       *self,
                           const HlSceneFrame      *frame,
                           const HlPictureParts    *parts,
                           const HlPictureViewData *data,
                           const HlFocus           *focus)
{
  *self = (HlPictureViewHeat){ .frame = frame, .parts = parts };
  self->side = focus != NULL ? hl_side_get_other (hl_pick_get_side (&focus->pick)) : data->receivers;
  self->range = data->ranges[self->side];
  self->weights = g_new (float, MAX (self->range.n, 1));
  self->hidden = g_new0 (gboolean, MAX (self->range.n, 1));
  self->is_patch = g_new0 (gboolean, MAX (self->range.n, 1));
  if (focus != NULL)
    hl_picture_view_data_get_row (data, focus, self->weights);
  else
    memcpy (self->weights, data->received, self->range.n * sizeof (float));
  for (gsize i = 0; focus != NULL && hl_pick_is_token (&focus->pick) && focus->gathered == NULL && i < self->range.n;
       i++)
    {
      /* What a rule hides is 0 in the numbers, and not by its weight. */
      const gsize own = focus->pick.tokens[hl_pick_get_side (&focus->pick)], other = self->range.first + i;
      if (!hl_shown_is_visible (frame->shown, self->side == HL_KEYS ? own : other, self->side == HL_KEYS ? other : own))
        {
          self->weights[i] = NAN;
          self->hidden[i] = TRUE;
        }
    }
  for (gsize i = 0; i < self->range.n; i++)
    {
      const gsize token = self->range.first + i;
      HlPicturePatch patch;
      HlBlank blank;
      self->is_patch[i] = hl_attention_find_patch (parts->attention, self->side, token, &patch);
      if (self->is_patch[i] && is_blank (self, token, &blank))
        self->has[blank] = TRUE;
    }
  set_scale (self, data, focus);
}

void
hl_picture_view_heat_clear (HlPictureViewHeat *self)
{
  g_clear_pointer (&self->weights, g_free);
  g_clear_pointer (&self->hidden, g_free);
  g_clear_pointer (&self->is_patch, g_free);
}

/*
 * How much of what a query gives its keys goes to patches: of the 1 that its weights are parts of, or, where there is none, of all that is seen
 * of the row. NaN where nothing else than patches has a part, and where numbers are no parts of anything.
 */
double
hl_picture_view_heat_get_share (const HlPictureViewHeat *self)
{
  const HlShown *shown = self->frame->shown;
  const gboolean is_turned = hl_attention_is_transposed (shown->attention);
  double sum = 0, of_patches = 0;
  gboolean has_others = FALSE;

  /* What a filter hides would be missing. */
  if (self->scale.is_signed || shown->filtered != shown->source || self->side != (is_turned ? HL_QUERIES : HL_KEYS))
    return NAN;
  for (gsize i = 0; i < self->range.n; i++)
    {
      const double weight = isfinite (self->weights[i]) ? self->weights[i] : 0;
      sum += weight;
      of_patches += self->is_patch[i] ? weight : 0;
      has_others |= !self->is_patch[i];
    }
  const gboolean has_whole = hl_shown_get_least_whole (shown) > 0 && shown->lens.combine <= HL_COMBINE_MEAN;
  return !has_others || !(sum > 0) ? NAN : of_patches / (has_whole ? 1 : sum);
}

/* Whether tokens of that side have weights. */
gboolean
hl_picture_view_heat_is_on (const HlPictureViewHeat *self,
                            HlSide                   side)
{
  return self->parts->is_one || side == self->side;
}

/* 0 to 1; of numbers with a sign their size. */
static double
get_strength (const HlPictureViewHeat *self,
              float                    weight)
{
  const double position = hl_value_scale_map (&self->scale, weight, self->row_max);

  return self->scale.is_signed ? fabs (2 * position - 1) : position;
}

static void
colour_row (const HlPictureViewHeat *self,
            const float             *weights,
            gsize                    n,
            guint32                 *colours)
{
  hl_value_cells_colour_row (self->frame->shown->options.colour_map, self->frame->theme, &self->scale, weights, n,
                             self->row_max, colours);
}

/* What is weak lets the image through, what is strong has nearly the colour that the bar has; of a difference, what is 0 is the image. */
static double
get_alpha (const HlPictureViewHeat *self,
           float                    weight)
{
  const double strength = get_strength (self, weight);

  return self->frame->shown->options.opacity * (self->scale.is_signed ? 1.5 * strength : 0.5 + strength);
}

static guint32
premultiply (guint32 colour,
             double  alpha)
{
  const guint a = (guint) lround (255 * CLAMP (alpha, 0, 1));
  const guint red = (colour >> 16 & 0xff) * a / 255, green = (colour >> 8 & 0xff) * a / 255;
  const guint blue = (colour & 0xff) * a / 255;

  return a << 24 | red << 16 | green << 8 | blue;
}

/* One pixel for each patch of a grid; of what is no number, nothing of the image is hidden in colours, and all of it in a mask. */
static cairo_surface_t *
make_cells (const HlPictureViewHeat *self,
            const HlPicturePane     *pane,
            const HlPictureGrid     *grid)
{
  const HlViewOptions *options = &self->frame->shown->options;
  const gboolean darkens = options->heat == HL_HEAT_MASK;
  cairo_surface_t *surface =
    cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) grid->n_columns, (int) grid->n_rows);
  g_autofree float *weights = g_new (float, grid->n_columns);
  g_autofree guint32 *colours = g_new (guint32, grid->n_columns);

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    return surface;
  guint8 *data = cairo_image_surface_get_data (surface);
  const gsize stride = (gsize) cairo_image_surface_get_stride (surface);
  for (gsize row = 0; row < grid->n_rows; row++)
    {
      guint32 *to = (guint32 *) (gpointer) (data + row * stride);
      for (gsize i = 0; i < grid->n_columns; i++)
        {
          gsize token;
          HlBlank blank;
          const gsize position = grid->first_token + row * grid->stride + i;
          weights[i] = hl_picture_parts_find_token (self->parts, pane, position, &token) &&
                           !is_blank (self, token, &blank)
                         ? self->weights[token - self->range.first]
                         : NAN;
        }
      colour_row (self, weights, grid->n_columns, colours);
      for (gsize i = 0; i < grid->n_columns; i++)
        if (darkens)
          to[i] =
            premultiply (BLACK, options->opacity * (isnan (weights[i]) ? 1 : 1 - get_strength (self, weights[i])));
        else
          to[i] = isnan (weights[i]) ? 0 : premultiply (colours[i], get_alpha (self, weights[i]));
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}

static void
fill_shapes (cairo_surface_t         *cells,
             const HlPictureGrid     *grid,
             const cairo_rectangle_t *box,
             cairo_t                 *cr)
{
  const guint8 *data = cairo_image_surface_get_data (cells);
  const gsize stride = (gsize) cairo_image_surface_get_stride (cells);
  const double width = box->width / (double) grid->n_columns, height = box->height / (double) grid->n_rows;

  cairo_save (cr);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  for (gsize row = 0; row < grid->n_rows; row++)
    for (gsize i = 0; i < grid->n_columns; i++)
      {
        const guint32 pixel = ((const guint32 *) (gconstpointer) (data + row * stride))[i];
        const double alpha = pixel >> 24;
        if (alpha == 0)
          continue;
        cairo_set_source_rgba (cr, (pixel >> 16 & 0xff) / alpha, (pixel >> 8 & 0xff) / alpha, (pixel & 0xff) / alpha,
                               alpha / 255);
        cairo_rectangle (cr, box->x + (double) i * width, box->y + (double) row * height, width, height);
        cairo_fill (cr);
      }
  cairo_restore (cr);
}

static void
paint_scaled (cairo_surface_t         *surface,
              const cairo_rectangle_t *box,
              cairo_filter_t           filter,
              cairo_t                 *cr)
{
  cairo_save (cr);
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  cairo_clip (cr);
  cairo_translate (cr, box->x, box->y);
  cairo_scale (cr, box->width / cairo_image_surface_get_width (surface),
               box->height / cairo_image_surface_get_height (surface));
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), filter);
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_paint (cr);
  cairo_restore (cr);
}

/* Viewers of paper each have their own way to make pixels larger: they are given so many that none shows. */
static cairo_surface_t *
enlarge (cairo_surface_t *cells)
{
  const int width = cairo_image_surface_get_width (cells), height = cairo_image_surface_get_height (cells);
  const double scale = MAX (1, SMOOTH_SIDE / (double) MAX (width, height));
  cairo_surface_t *large =
    cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) lround (width * scale), (int) lround (height * scale));
  g_autoptr (cairo_t) cr = cairo_create (large);
  const cairo_rectangle_t box = { 0, 0, cairo_image_surface_get_width (large), cairo_image_surface_get_height (large) };

  paint_scaled (cells, &box, CAIRO_FILTER_BILINEAR, cr);
  return large;
}

/* Which patch of a row is the first from one on that is shown so; how many follow it. */
static HlRange
find_run (const HlPictureViewHeat *self,
          const HlPicturePane     *pane,
          const HlPictureGrid     *grid,
          gsize                    row,
          gsize                    from,
          HlBlank                  wanted)
{
  HlRange run = { from, 0 };

  for (gsize i = from; i < grid->n_columns; i++)
    {
      const gsize position = grid->first_token + row * grid->stride + i;
      gsize token;
      HlBlank blank;
      if (hl_picture_parts_find_token (self->parts, pane, position, &token) && is_blank (self, token, &blank) &&
          blank == wanted)
        run.n++;
      else if (run.n > 0)
        break;
      else
        run.first = i + 1;
    }
  return run;
}

/* What is masked or no number cannot be taken for what has little weight. */
static void
draw_blanks (const HlPictureViewHeat *self,
             const HlPicturePane     *pane,
             const HlPictureGrid     *grid,
             HlBlank                  blank,
             cairo_t                 *cr)
{
  const cairo_rectangle_t box = hl_picture_pane_place (pane, &grid->box);
  const double width = box.width / (double) grid->n_columns, height = box.height / (double) grid->n_rows;

  cairo_save (cr);
  /* Edges between patches would be seen as lines. */
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  for (gsize row = 0; row < grid->n_rows; row++)
    for (HlRange run = find_run (self, pane, grid, row, 0, blank); run.n > 0;
         run = find_run (self, pane, grid, row, run.first + run.n, blank))
      cairo_rectangle (cr, box.x + (double) run.first * width, box.y + (double) row * height, (double) run.n * width,
                       height);
  cairo_clip (cr);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
  /* Where the image is dark but for what is attended to, it stays so. */
  const HlViewOptions *options = &self->frame->shown->options;
  hl_blank_draw (blank, self->frame->theme, cr, &box, STRIPE, options->heat == HL_HEAT_MASK ? 0 : options->opacity);
  cairo_restore (cr);
}

void
hl_picture_view_heat_draw_pane (const HlPictureViewHeat *self,
                                const HlPicturePane     *pane,
                                cairo_t                 *cr)
{
  const gboolean is_smooth = self->frame->shown->options.smooth_heat;
  guint n_grids;
  const HlPictureGrid *grids = hl_picture_get_grids (pane->picture, &n_grids);

  for (guint i = 0; i < pane->grids->len; i++)
    {
      const HlPictureGrid *grid = &grids[g_array_index (pane->grids, guint, i)];
      const cairo_rectangle_t box = hl_picture_pane_place (pane, &grid->box);
      g_autoptr (cairo_surface_t) cells = make_cells (self, pane, grid);
      if (cairo_surface_status (cells) != CAIRO_STATUS_SUCCESS)
        continue;
      if (is_smooth && self->frame->vector)
        {
          g_autoptr (cairo_surface_t) large = enlarge (cells);
          paint_scaled (large, &box, CAIRO_FILTER_BILINEAR, cr);
        }
      else if (!is_smooth && self->frame->vector && grid->n_rows * grid->n_columns <= MAX_SHAPES)
        fill_shapes (cells, grid, &box, cr);
      else
        paint_scaled (cells, &box, is_smooth ? CAIRO_FILTER_BILINEAR : CAIRO_FILTER_NEAREST, cr);
      for (HlBlank blank = 0; blank < HL_N_BLANKS; blank++)
        if (self->has[blank])
          draw_blanks (self, pane, grid, blank, cr);
    }
}

/* What a mask leaves of white. */
static double
get_light (const HlPictureViewHeat *self,
           double                   strength)
{
  return 1 - self->frame->shown->options.opacity * (1 - strength);
}

/* Of a token beside the images, as the bar has it; whether it has a number. */
gboolean
hl_picture_view_heat_get_colour (const HlPictureViewHeat *self,
                                 gsize                    token,
                                 HlColour                *colour)
{
  const float weight = self->weights[token - self->range.first];
  guint32 pixel;
  HlBlank blank;

  if (is_blank (self, token, &blank))
    return FALSE;
  if (self->frame->shown->options.heat == HL_HEAT_MASK)
    {
      const double light = get_light (self, get_strength (self, weight));
      *colour = (HlColour){ light, light, light, 1 };
      return TRUE;
    }
  colour_row (self, &weight, 1, &pixel);
  *colour = (HlColour){ (pixel >> 16 & 0xff) / 255.0, (pixel >> 8 & 0xff) / 255.0, (pixel & 0xff) / 255.0, 1 };
  return TRUE;
}

static void
fill_bar (const HlPictureViewHeat   *self,
          const HlPictureViewLayout *layout,
          cairo_t                   *cr)
{
  const cairo_rectangle_t *bar = &layout->bar;
  g_autoptr (cairo_pattern_t) gradient = layout->bar_is_flat
                                           ? cairo_pattern_create_linear (bar->x, 0, bar->x + bar->width, 0)
                                           : cairo_pattern_create_linear (0, bar->y + bar->height, 0, bar->y);
  const HlViewOptions *options = &self->frame->shown->options;

  for (guint i = 0; i <= 64; i++)
    {
      const double at = i / 64.0;
      if (options->heat == HL_HEAT_MASK)
        {
          const double light = get_light (self, self->scale.is_signed ? fabs (2 * at - 1) : at);
          cairo_pattern_add_color_stop_rgb (gradient, at, light, light, light);
          continue;
        }
      const guint32 pixel = self->scale.is_signed
                              ? hl_diverging_map_lookup (self->frame->theme->dark, 2 * at - 1)
                              : hl_colour_map_lookup (options->colour_map, self->frame->theme->dark, at);
      cairo_pattern_add_color_stop_rgb (gradient, at, (pixel >> 16 & 0xff) / 255.0, (pixel >> 8 & 0xff) / 255.0,
                                        (pixel & 0xff) / 255.0);
    }
  cairo_set_source (cr, gradient);
  cairo_rectangle (cr, bar->x, bar->y, bar->width, bar->height);
  cairo_fill (cr);
  hl_cairo_set_colour (cr, &self->frame->theme->grid, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, bar->x - 0.5, bar->y - 0.5, bar->width + 1, bar->height + 1);
  cairo_stroke (cr);
}

/* What has no place on the bar: below it, or before its title where the bar lies; returns what that leaves of the title's line. */
static double
draw_blank_legend (const HlPictureViewHeat   *self,
                   HlScene                   *scene,
                   const HlPictureViewLayout *layout,
                   cairo_t                   *cr)
{
  const cairo_rectangle_t *bar = &layout->bar;
  double x = bar->x, y = bar->y + bar->height + (layout->bar_is_flat ? 28 - HL_BLANK_SWATCH / 2.0 : 16);

  for (HlBlank blank = 0; blank < HL_N_BLANKS; blank++)
    {
      if (!self->has[blank])
        continue;
      const double width = hl_blank_draw_legend (blank, scene, self->frame, cr, x, y);
      if (layout->bar_is_flat)
        x += width + 16;
      else
        y += HL_BLANK_SWATCH + 8;
    }
  return bar->x + bar->width - x;
}

/* What the colours mean. */
void
hl_picture_view_heat_draw_bar (const HlPictureViewHeat   *self,
                               HlScene                   *scene,
                               const HlPictureViewLayout *layout,
                               cairo_t                   *cr)
{
  const HlTheme *theme = self->frame->theme;
  const cairo_rectangle_t *bar = &layout->bar;
  const HlTextStyle tick_style = { .size = 10.5 };
  const guint n_ticks = layout->bar_is_flat ? CLAMP ((guint) (bar->width / 64), 2, 6)
                                            : CLAMP ((guint) (bar->height / 32), 2, 6);
  g_autoptr (GArray) ticks = hl_value_scale_make_ticks (&self->scale, n_ticks);
  const HlShown *shown = self->frame->shown;
  const gboolean transposed = hl_attention_is_transposed (shown->attention);
  const char *title = !shown->is_cumulative ? hl_attention_source_get_quantity (shown->source)
                      : transposed          ? _ ("share of the row held by queries no stronger")
                                            : _ ("share of the row held by keys no stronger");
  double widest = 0;

  fill_bar (self, layout, cr);
  for (guint i = 0; i < ticks->len; i++)
    {
      const HlValueTick *tick = &g_array_index (ticks, HlValueTick, i);
      hl_cairo_set_colour (cr, &theme->muted, 1);
      if (layout->bar_is_flat)
        {
          const double x = bar->x + bar->width * tick->position;
          cairo_rectangle (cr, hl_cairo_snap (x - 0.5, self->frame->scale), bar->y + bar->height + 1, 1, 4);
          cairo_fill (cr);
          hl_scene_write (scene, cr, tick->label, &tick_style, &theme->muted, x, bar->y + bar->height + 12,
                          tick->position < 0.05   ? 0
                          : tick->position > 0.95 ? 1
                                                  : 0.5);
          continue;
        }
      const double y = bar->y + bar->height * (1 - tick->position);
      cairo_rectangle (cr, bar->x + bar->width + 1, hl_cairo_snap (y - 0.5, self->frame->scale), 4, 1);
      cairo_fill (cr);
      hl_scene_write (scene, cr, tick->label, &tick_style, &theme->muted, bar->x + bar->width + 8, y, 0);
      widest = MAX (widest, hl_scene_measure_text (scene, tick->label, &tick_style));
    }
  const double left = draw_blank_legend (self, scene, layout, cr);
  const gboolean is_alone = !self->has[HL_BLANK_MASKED] && !self->has[HL_BLANK_NAN];
  /* What is longer than the bar goes on below it, where nothing stands. */
  const double room = layout->bar_is_flat ? left
                      : is_alone          ? layout->window.y + layout->window.height - bar->y - 12
                                          : bar->height;
  const HlTextStyle whole_title = { .size = 11, .max_width = MAX (room, 24) };
  const HlTextStyle title_style = hl_scene_fit_text (scene, title, &whole_title);
  const double length = MIN (hl_scene_measure_text (scene, title, &title_style), title_style.max_width);
  if (layout->bar_is_flat)
    hl_scene_write (scene, cr, title, &title_style, &theme->muted, bar->x + bar->width - left / 2,
                    bar->y + bar->height + 28, 0.5);
  else
    hl_scene_write_upwards (scene, cr, title, &title_style, &theme->muted, bar->x + bar->width + 20 + widest,
                            bar->y + MAX (bar->height, length) / 2, 0.5);
}
