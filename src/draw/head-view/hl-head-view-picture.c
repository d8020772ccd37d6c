/* SPDX-License-Identifier: MIT */
/* The lines of a head view. */
#include "draw/head-view/hl-head-view-picture.h"

#include <math.h>

#include "draw/lines/hl-line-raster.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-palette.h"
#include "draw/text/hl-export-context.h"

/* Device pixels of a raster with room to scroll: 64 MiB. A larger one is of the viewport alone. */
#define MAX_PIXELS (16 * 1024 * 1024)

/* Of more lines than this, every so manieth column is made first. */
#define MAX_LINES ((gsize) 1 << 20)
#define DRAFT_STEP 8

/*
 * On paper lines fainter than this are left out, and so much fainter the more lines there are: they add up to a haze
 * where they lie over one another, each point under about a tenth of the lines of one token.
 */
#define MIN_ALPHA (1.0 / 512)
#define MIN_ALPHA_OF_ALL 0.1

/* What 8 bits can just show; one token's lines hardly cross, so that fainter ones do not add up. */
#define MIN_FOCUS_ALPHA (1.0 / 510)

/* More strokes than this cost more than pixels made line by line. */
#define MAX_FOCUS_STROKES 24

/* A token's lines are drawn beside one another, head by head, up to so many heads and no thinner than this. */
#define MAX_SIDE_BY_SIDE 8
#define MIN_FOCUS_WIDTH 1.0

G_DEFINE_FINAL_TYPE (HlLinesJob, hl_lines_job, HL_TYPE_SCENE_JOB)

/*
 * How much of what begins at 0 lies before @t, when over the width of a column its beginning moves by @rise around 0.
 * Without branches, which nobody could predict.
 */
static inline float
get_ramp (float t,
          float half_rise,
          float per_2_rise)
{
  const float inside = t + half_rise < 0 ? 0 : t > half_rise ? 2 * half_rise : t + half_rise;
  const float beyond = t > half_rise ? t - half_rise : 0;

  return inside * inside * per_2_rise + beyond;
}

/* One line over what is there. Device pixels from the corner of the picture. */
static void
add_line (float *pixels,
          int    width,
          int    height,
          double x0,
          double y0,
          double x1,
          double y1,
          double line_width,
          float  alpha)
{
  const double slope = (y1 - y0) / (x1 - x0);
  const float rise = (float) fmax (fabs (slope), 1e-3);
  const float half = (float) (line_width / 2 * sqrt (1 + slope * slope));
  const float reach = half + rise / 2;
  const float half_rise = rise / 2;
  const float per_2_rise = 1 / (2 * rise);
  /* The columns in which it is in view. */
  const double enters = slope > 0 ? x0 + (-reach - y0) / slope : slope < 0 ? x0 + (height + reach - y0) / slope : x0;
  const double leaves = slope > 0 ? x0 + (height + reach - y0) / slope : slope < 0 ? x0 + (-reach - y0) / slope : x1;
  const int first = (int) MAX (0, CLAMP (enters, x0, x1) - 1);
  const int last = (int) MIN (width - 1, CLAMP (leaves, x0, x1) + 1);

  for (int x = first; x <= last; x++)
    {
      const float middle = (float) (y0 + (x + 0.5 - x0) * slope);
      const int top = (int) MAX (0, middle - reach);
      const int bottom = (int) MIN (height - 1, middle + reach);
      /* The first and the last column may be covered in part. */
      const float part = alpha * (float) MAX (0, MIN (x1, x + 1) - MAX (x0, x));
      if (bottom < top)
        continue;
      float *pixel = pixels + (gsize) top * width + x;
      float before = get_ramp (top - middle + half, half_rise, per_2_rise) -
                     get_ramp (top - middle - half, half_rise, per_2_rise);

      for (int y = top; y <= bottom; y++, pixel += width)
        {
          const float t = y + 1 - middle;
          const float until = get_ramp (t + half, half_rise, per_2_rise) - get_ramp (t - half, half_rise, per_2_rise);
          *pixel += part * (until - before) * (1 - *pixel);
          before = until;
        }
    }
}

/*
 * Draws the part in view of the lines of a focus and one head. Between two frames there is no time for hundreds of
 * strokes, and the raster of all lines is made for many more of them: here each line is followed from column to
 * column.
 */
static void
hl_head_view_fan_draw (cairo_t              *cr,
                       const HlLineGeometry *geometry,
                       const HlLineLayer    *layer,
                       double                top,
                       double                height,
                       double                scale,
                       double                min_alpha)
{
  /* Between two device pixels, so that the mask is not blurred. */
  const double left = floor (geometry->x_query * scale) / scale;
  const int n_columns = (int) ceil ((geometry->x_key - left) * scale);
  const int n_rows = (int) ceil (height * scale);

  if (n_columns < 1 || n_rows < 1)
    return;

  g_autofree float *pixels = g_new0 (float, (gsize) n_columns *n_rows);
  for (gsize i = 0; i < geometry->n_queries; i++)
    for (gsize j = 0; j < geometry->n_keys; j++)
      {
        const double weight = layer->weights[i * layer->row_stride + j];
        const double alpha = fmin (weight, 1) * layer->colour.a;

        if (!(alpha >= min_alpha))
          continue;
        add_line (pixels, n_columns, n_rows, (geometry->x_query - left) * scale, (geometry->y_query[i] - top) * scale,
                  (geometry->x_key - left) * scale, (geometry->y_key[j] - top) * scale, geometry->line_width * scale,
                  (float) alpha);
      }

  g_autoptr (cairo_surface_t) mask = cairo_image_surface_create (CAIRO_FORMAT_A8, n_columns, n_rows);
  guint8 *target = cairo_image_surface_get_data (mask);
  const int stride = cairo_image_surface_get_stride (mask);
  for (int y = 0; y < n_rows; y++)
    for (int x = 0; x < n_columns; x++)
      target[y * stride + x] = (guint8) (pixels[(gsize) y * n_columns + x] * 255 + 0.5f);
  cairo_surface_mark_dirty (mask);
  cairo_surface_set_device_scale (mask, scale, scale);
  hl_cairo_set_colour (cr, &layer->colour, 1 / layer->colour.a);
  cairo_mask_surface (cr, mask, left, top);
}

static double
get_line_width (double row_height)
{
  return CLAMP (row_height * 0.09, 0.4, 2);
}

/* How many layers of lines a head has: numbers below zero have another colour than those above. */
static guint
get_n_sides (const HlHeadViewData *data)
{
  return data->negated != NULL ? 2 : 1;
}

static HlLineLayer *
make_layers (const HlHeadViewData *data,
             gboolean              dark)
{
  const guint n_sides = get_n_sides (data);
  HlLineLayer *layers = g_new0 (HlLineLayer, MAX (data->n_heads * n_sides, 1));

  for (guint i = 0; i < data->n_heads * n_sides; i++)
    {
      const guint head = i / n_sides;
      const gboolean negative = i % n_sides > 0;
      layers[i].weights = g_bytes_get_data (negative ? data->negated[head] : data->lines[head], NULL);
      layers[i].row_stride = data->keys.n;
      layers[i].colour = data->negated != NULL ? hl_diverging_map_get_end (dark, negative)
                                               : hl_palette_get_head_colour (data->heads[head].colour, dark);
      layers[i].colour.a /= data->n_heads;
    }
  return layers;
}

/* @first: top of the first row */
static double *
make_ordinates (const HlHeadViewData *data,
                HlSide                side,
                double                first,
                double                row_height)
{
  const gsize n = side == HL_QUERIES ? data->queries.n : data->keys.n;
  double *y = g_new (double, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    y[i] = first + (data->lead[side] + i + 0.5) * row_height;
  return y;
}

static gsize
get_n_rows (const HlHeadViewData *data)
{
  return MAX (data->lead[HL_QUERIES] + data->queries.n, data->lead[HL_KEYS] + data->keys.n);
}

static gboolean
is_empty (const HlHeadViewData *data)
{
  return data->n_heads == 0 || data->queries.n == 0 || data->keys.n == 0;
}

static HlHeadViewRaster *
make_raster (HlHeadViewData         *data,
             const HlHeadViewLayout *layout,
             guint                   column_step,
             double                  reserve,
             double                  scale,
             gboolean                dark)
{
  HlHeadViewRaster *self = g_new0 (HlHeadViewRaster, 1);
  const double all = get_n_rows (data) * layout->row_height;

  self->data = hl_scene_data_ref (data);
  self->row_height = layout->row_height;
  self->gap = layout->x_key - layout->x_query;
  self->column_step = column_step;
  self->margin = 2;
  self->scale = scale;
  self->dark = dark;
  self->reserve = reserve;
  const double seen = layout->begin - layout->first_row;
  const double window = layout->end + 2 * reserve;
  self->top = floor (CLAMP (seen - reserve, 0, MAX (0, all - window)));
  self->height = ceil (MIN (all - self->top, window));
  return self;
}

HlHeadViewRaster *
hl_head_view_raster_new (HlHeadViewData         *data,
                         const HlHeadViewLayout *layout,
                         double                  scale,
                         gboolean                dark)
{
  const double gap = layout->x_key - layout->x_query;
  /*
   * A viewport above and one below, so that scrolling does not wait for lines; all of a long text would take longer to
   * make.
   */
  const gboolean has_reserve = 3 * layout->end * (gap + 4) * scale * scale <= MAX_PIXELS;

  return make_raster (data, layout, 1, has_reserve ? layout->end : 0, scale, dark);
}

/* Something to look at while the picture is being made: all lines, where they cross every eighth column. NULL when
 * the lines are made at once. */
HlHeadViewRaster *
hl_head_view_raster_new_draft (HlHeadViewData         *data,
                               const HlHeadViewLayout *layout,
                               double                  scale,
                               gboolean                dark)
{
  if (data->n_heads == 0 || data->queries.n <= MAX_LINES / data->n_heads / MAX (data->keys.n, 1))
    return NULL;
  return make_raster (data, layout, DRAFT_STEP, 0, scale, dark);
}

void
hl_head_view_raster_free (HlHeadViewRaster *self)
{
  hl_scene_data_unref (self->data);
  g_clear_pointer (&self->surface, cairo_surface_destroy);
  g_free (self);
}

/* Makes the pixels, on whatever thread. */
static gboolean
hl_head_view_raster_run (HlHeadViewRaster *self,
                         GCancellable     *cancellable,
                         GError          **error)
{
  g_autofree HlLineLayer *layers = make_layers (self->data, self->dark);
  g_autofree double *y_query = make_ordinates (self->data, HL_QUERIES, -self->top, self->row_height);
  g_autofree double *y_key = make_ordinates (self->data, HL_KEYS, -self->top, self->row_height);
  const HlLineGeometry geometry = {
    .x_query = self->margin,
    .x_key = self->margin + self->gap,
    .y_query = y_query,
    .n_queries = self->data->queries.n,
    .y_key = y_key,
    .n_keys = self->data->keys.n,
    .line_width = get_line_width (self->row_height),
    .column_step = self->column_step,
  };
  const double width = (self->gap + 2 * self->margin) * self->scale / self->column_step;

  self->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, MAX (1, (int) ceil (width)),
                                              MAX (1, (int) ceil (self->height * self->scale)));
  cairo_surface_set_device_scale (self->surface, self->scale, self->scale);
  if (is_empty (self->data))
    return TRUE;
  return hl_line_raster_draw (self->surface, &geometry, layers, self->data->n_heads * get_n_sides (self->data),
                              cancellable, error);
}

gboolean
hl_head_view_raster_serves (const HlHeadViewRaster *self,
                            const HlHeadViewData   *data,
                            const HlHeadViewLayout *layout,
                            double                  scale,
                            gboolean                dark)
{
  /* Half of the reserve is what there is to use up while a new raster is being made. */
  const double seen_top = MAX (0, layout->begin - layout->first_row - self->reserve / 2);
  const double seen_end =
    MIN (layout->end - layout->first_row + self->reserve / 2, get_n_rows (data) * layout->row_height);

  return self->data == data && self->column_step == 1 && self->row_height == layout->row_height &&
         self->gap == layout->x_key - layout->x_query && self->scale == scale && self->dark == dark &&
         self->top <= seen_top && self->top + self->height >= seen_end;
}

void
hl_head_view_raster_paint (const HlHeadViewRaster *self,
                           const HlHeadViewLayout *layout,
                           cairo_t                *cr)
{
  const double stretch_x = (layout->x_key - layout->x_query) / self->gap * self->column_step;
  const double stretch_y = layout->row_height / self->row_height;

  cairo_save (cr);
  hl_head_view_layout_enter (layout, cr);
  cairo_translate (cr, layout->x_query, layout->first_row);
  cairo_scale (cr, stretch_x, stretch_y);
  cairo_set_source_surface (cr, self->surface, -self->margin / self->column_step, self->top);
  if (stretch_x == 1 && stretch_y == 1)
    cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}

static void
stroke (cairo_t              *cr,
        const HlLineGeometry *geometry,
        const HlLineLayer    *layers,
        guint                 n_layers,
        double                min_alpha)
{
  HlExportContext *export = hl_export_context_get (cr);
  g_autoptr (GError) error = NULL;
  gsize n_left_out = 0;

  hl_line_raster_stroke (cr, geometry, layers, n_layers, min_alpha, &n_left_out,
                         export != NULL ? export->cancellable : NULL, &error);
  if (export == NULL)
    return;
  export->n_left_out += n_left_out;
  if (error != NULL && export->error == NULL)
    export->error = g_steal_pointer (&error);
}

/* Lines too faint to be seen are counted in the HlExportContext. */
void
hl_head_view_stroke_all (const HlHeadViewData   *data,
                         const HlHeadViewLayout *layout,
                         gboolean                dark,
                         double                  opacity,
                         cairo_t                *cr)
{
  g_autofree HlLineLayer *layers = make_layers (data, dark);
  g_autofree double *y_query = make_ordinates (data, HL_QUERIES, layout->first_row, layout->row_height);
  g_autofree double *y_key = make_ordinates (data, HL_KEYS, layout->first_row, layout->row_height);
  const HlLineGeometry geometry = {
    .x_query = layout->x_query,
    .x_key = layout->x_key,
    .y_query = y_query,
    .n_queries = data->queries.n,
    .y_key = y_key,
    .n_keys = data->keys.n,
    .line_width = get_line_width (layout->row_height),
  };

  for (guint i = 0; i < data->n_heads; i++)
    layers[i].colour.a *= opacity;
  if (is_empty (data))
    return;
  cairo_save (cr);
  hl_head_view_layout_enter (layout, cr);
  stroke (cr, &geometry, layers, data->n_heads * get_n_sides (data),
          MIN (MIN_ALPHA, MIN_ALPHA_OF_ALL / (get_n_rows (data) * (double) data->n_heads)));
  cairo_restore (cr);
}

static gsize
count_visible (const HlLineLayer *layer,
               gsize              n)
{
  gsize count = 0;

  for (gsize i = 0; i < n; i++)
    count += layer->weights[i] * layer->colour.a >= MIN_FOCUS_ALPHA;
  return count;
}

/* The lines of a focus and one head. */
static void
draw_lines (cairo_t                *cr,
            const HlHeadViewLayout *layout,
            const HlLineGeometry   *geometry,
            const HlLineLayer      *layer,
            double                  scale,
            gboolean                as_strokes)
{
  const gsize n_lines = geometry->n_queries * geometry->n_keys;

  if (as_strokes || count_visible (layer, n_lines) <= MAX_FOCUS_STROKES)
    stroke (cr, geometry, layer, 1, MIN_FOCUS_ALPHA);
  else
    hl_head_view_fan_draw (cr, geometry, layer, layout->begin, layout->end - layout->begin, scale, MIN_FOCUS_ALPHA);
}

/* Few heads have room beside one another, where each shows its own colour. */
static gboolean
run_side_by_side (const HlHeadViewLayout *layout,
                  guint                   n_heads)
{
  return n_heads >= 2 && n_heads <= MAX_SIDE_BY_SIDE && layout->row_height * 0.75 / n_heads >= MIN_FOCUS_WIDTH;
}

/*
 * @y_query and @y_key are moved from head to head, of which each has so many layers; lines do not share the ink, as
 * they do not lie over one another.
 */
static void
draw_side_by_side (const HlHeadViewLayout *layout,
                   HlLineLayer            *layers,
                   guint                   n_heads,
                   guint                   n_sides,
                   double                 *y_query,
                   gsize                   n_queries,
                   double                 *y_key,
                   gsize                   n_keys,
                   double                  scale,
                   gboolean                as_strokes,
                   cairo_t                *cr)
{
  const double step = MIN (layout->row_height * 0.75 / n_heads, 2.5);

  cairo_save (cr);
  hl_head_view_layout_enter (layout, cr);
  for (guint head = 0; head < n_heads; head++)
    {
      const double move = head == 0 ? -step * (n_heads - 1) / 2 : step;
      for (gsize i = 0; i < n_queries; i++)
        y_query[i] += move;
      for (gsize i = 0; i < n_keys; i++)
        y_key[i] += move;
      const HlLineGeometry geometry = {
        .x_query = layout->x_query,
        .x_key = layout->x_key,
        .y_query = y_query,
        .n_queries = n_queries,
        .y_key = y_key,
        .n_keys = n_keys,
        .line_width = CLAMP (step - 0.5, MIN_FOCUS_WIDTH, 2),
      };
      for (guint i = head * n_sides; i < (head + 1) * n_sides; i++)
        {
          layers[i].colour.a *= n_heads;
          draw_lines (cr, layout, &geometry, &layers[i], scale, as_strokes);
        }
    }
  cairo_restore (cr);
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

static double *
make_ordinates_of (const HlHeadViewLayout *layout,
                   HlSide                  side,
                   const gsize            *rows,
                   gsize                   n)
{
  double *y = g_new (double, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    y[i] = hl_head_view_layout_get_row_y (layout, side, rows[i]);
  return y;
}

/*
 * The lines of one token, or the one between two. Those of several do not lie over one another, so that each is as strong
 * as its own weight; where they end, numbers and shades tell what they come to.
 */
void
hl_head_view_draw_focus (const HlHeadViewData   *data,
                         const HlHeadViewLayout *layout,
                         const HlFocus          *focus,
                         double                  scale,
                         gboolean                dark,
                         gboolean                as_strokes,
                         cairo_t                *cr)
{
  gsize n_queries, n_keys;
  g_autofree gsize *queries = list_rows (focus, HL_QUERIES, data->queries, &n_queries);
  g_autofree gsize *keys = list_rows (focus, HL_KEYS, data->keys, &n_keys);
  const gsize n_lines = n_queries * n_keys;
  const guint n_layers = data->n_heads * get_n_sides (data);
  g_autofree HlLineLayer *layers = NULL;
  g_autofree float *weights = NULL;
  g_autofree double *y_query = NULL;
  g_autofree double *y_key = NULL;

  if (is_empty (data))
    return;

  layers = make_layers (data, dark);
  weights = g_new (float, n_lines *n_layers);
  for (guint layer = 0; layer < n_layers; layer++)
    {
      const float *map = layers[layer].weights;
      float *row = weights + layer * n_lines;
      for (gsize i = 0; i < n_queries; i++)
        for (gsize j = 0; j < n_keys; j++)
          row[i * n_keys + j] = map[queries[i] * data->keys.n + keys[j]];
      layers[layer].weights = row;
      layers[layer].row_stride = n_keys;
    }

  y_query = make_ordinates_of (layout, HL_QUERIES, queries, n_queries);
  y_key = make_ordinates_of (layout, HL_KEYS, keys, n_keys);
  if (run_side_by_side (layout, data->n_heads))
    {
      draw_side_by_side (layout, layers, data->n_heads, get_n_sides (data), y_query, n_queries, y_key, n_keys, scale,
                         as_strokes, cr);
      return;
    }

  const HlLineGeometry geometry = {
    .x_query = layout->x_query,
    .x_key = layout->x_key,
    .y_query = y_query,
    .n_queries = n_queries,
    .y_key = y_key,
    .n_keys = n_keys,
    /* Alone, lines may be stronger than among all the others. */
    .line_width = MAX (1.5, get_line_width (layout->row_height)),
  };

  cairo_save (cr);
  hl_head_view_layout_enter (layout, cr);
  for (guint layer = 0; layer < n_layers; layer++)
    draw_lines (cr, layout, &geometry, &layers[layer], scale, as_strokes);
  cairo_restore (cr);
}

static gboolean
hl_lines_job_run (HlSceneJob   *job,
                  GCancellable *cancellable,
                  GError      **error)
{
  HlLinesJob *self = HL_LINES_JOB (job);

  for (guint i = 0; i < self->rasters->len; i++)
    if (!hl_head_view_raster_run (g_ptr_array_index (self->rasters, i), cancellable, error))
      return FALSE;
  return TRUE;
}

static void
hl_lines_job_finalize (GObject *object)
{
  g_ptr_array_unref (HL_LINES_JOB (object)->rasters);
  G_OBJECT_CLASS (hl_lines_job_parent_class)->finalize (object);
}

static void
hl_lines_job_class_init (HlLinesJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_lines_job_finalize;
  HL_SCENE_JOB_CLASS (klass)->run = hl_lines_job_run;
}

static void
hl_lines_job_init (HlLinesJob *self)
{
  self->rasters = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_head_view_raster_free);
}

/* Puts the new lines in place of those that are shown, if there are some and they are of these weights. */
void
hl_lines_job_move_raster (HlLinesJob           *self,
                          const HlHeadViewData *data,
                          HlHeadViewRaster    **raster)
{
  if (self->rasters->len == 0 || ((HlHeadViewRaster *) g_ptr_array_index (self->rasters, 0))->data != data)
    return;
  g_clear_pointer (raster, hl_head_view_raster_free);
  *raster = g_ptr_array_steal_index_fast (self->rasters, 0);
}
