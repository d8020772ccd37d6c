/* SPDX-License-Identifier: MIT */
/* The lines of a head view. */
#include "draw/head-view/hl-head-view-picture.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-limits.h"
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

G_DEFINE_FINAL_TYPE (HlLinesJob, hl_lines_job, HL_TYPE_SCENE_JOB)

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

static HlLineLayer
make_layer (const HlHeadViewData *data,
            guint                 head,
            gboolean              negative,
            const float          *weights,
            gboolean              dark)
{
  HlLineLayer layer = { weights, data->keys.n };

  layer.colour = data->negated != NULL ? hl_diverging_map_get_end (dark, negative)
                                       : hl_palette_get_head_colour (data->heads[head].colour, dark);
  layer.colour.a = (float) hl_head_view_data_get_gain (data, data->greatest);
  return layer;
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
      const float *weights = g_bytes_get_data (negative ? data->negated[head] : data->lines[head], NULL);
      layers[i] = make_layer (data, head, negative, weights, dark);
    }
  return layers;
}

/* All lines of one head, those too that another has stronger ones over. @negated: (out): what must outlive them */
static HlLineLayer *
make_layers_of_head (const HlHeadViewData *data,
                     guint                 head,
                     gboolean              dark,
                     float               **negated)
{
  const float *weights = hl_head_view_data_get_map (data, head);
  const gsize n = data->queries.n * data->keys.n;
  HlLineLayer *layers = g_new0 (HlLineLayer, get_n_sides (data));

  layers[0] = make_layer (data, head, FALSE, weights, dark);
  if (data->negated == NULL)
    return layers;
  *negated = g_new (float, MAX (n, 1));
  for (gsize i = 0; i < n; i++)
    (*negated)[i] = -weights[i];
  layers[1] = make_layer (data, head, TRUE, *negated, dark);
  return layers;
}

/* @first: top of the first row */
static double *
make_ordinates (const HlHeadViewData *data,
                HlSide                side,
                double                first,
                const double          pitches[2])
{
  const gsize n = side == HL_QUERIES ? data->queries.n : data->keys.n;
  double *y = g_new (double, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    y[i] = first + (data->lead[side] + i + 0.5) * pitches[side];
  return y;
}

static gsize
get_n_rows (const HlHeadViewData *data)
{
  return MAX (data->lead[HL_QUERIES] + data->queries.n, data->lead[HL_KEYS] + data->keys.n);
}

/* Of the longer side. */
static double
get_length (const HlHeadViewData *data,
            const double          pitches[2])
{
  return MAX ((data->lead[HL_QUERIES] + data->queries.n) * pitches[HL_QUERIES],
              (data->lead[HL_KEYS] + data->keys.n) * pitches[HL_KEYS]);
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
  const double all = get_length (data, layout->pitches);

  self->data = hl_scene_data_ref (data);
  self->head = G_MAXUINT;
  self->row_height = layout->row_height;
  memcpy (self->pitches, layout->pitches, sizeof self->pitches);
  self->gap = layout->x_key - layout->x_query;
  self->column_step = column_step;
  self->curved = layout->curved;
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
   * make, and no surface is as high.
   */
  const double height = 3 * layout->end * scale;
  const gboolean has_reserve = height <= HL_LIMIT_FIGURE_SIDE && height * (gap + 4) * scale <= MAX_PIXELS;

  return make_raster (data, layout, 1, has_reserve ? layout->end : 0, scale, dark);
}

/* The lines of one of the heads alone, as they are in the viewport. */
HlHeadViewRaster *
hl_head_view_raster_new_of_head (HlHeadViewData         *data,
                                 guint                   head,
                                 const HlHeadViewLayout *layout,
                                 double                  scale,
                                 gboolean                dark)
{
  HlHeadViewRaster *self = make_raster (data, layout, 1, 0, scale, dark);

  self->head = head;
  return self;
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

/*
 * Columns of pixels are cut off where lines end, and a steep line is many pixels high there: of lines between narrow columns
 * peaks stood out above the first row and below the last, where nothing is.
 */
static void
clear_beyond_rows (HlHeadViewRaster *self)
{
  const double half = get_line_width (self->row_height) / 2 + 1 / self->scale;
  const double least = MIN (self->pitches[HL_QUERIES], self->pitches[HL_KEYS]) / 2;
  const double first = least - half - self->top;
  const double last = get_length (self->data, self->pitches) - least + half - self->top;
  g_autoptr (cairo_t) cr = cairo_create (self->surface);
  const double width = cairo_image_surface_get_width (self->surface);

  cairo_set_operator (cr, CAIRO_OPERATOR_CLEAR);
  if (first > 0)
    cairo_rectangle (cr, 0, 0, width, first);
  if (last < self->height)
    cairo_rectangle (cr, 0, last, width, self->height + 1 - last);
  cairo_fill (cr);
}

/* Makes the pixels, on whatever thread. */
static gboolean
hl_head_view_raster_run (HlHeadViewRaster *self,
                         GCancellable     *cancellable,
                         GError          **error)
{
  const gboolean of_all = self->head == G_MAXUINT;
  g_autofree float *negated = NULL;
  g_autofree HlLineLayer *layers = of_all ? make_layers (self->data, self->dark)
                                          : make_layers_of_head (self->data, self->head, self->dark, &negated);
  g_autofree double *y_query = make_ordinates (self->data, HL_QUERIES, -self->top, self->pitches);
  g_autofree double *y_key = make_ordinates (self->data, HL_KEYS, -self->top, self->pitches);
  const HlLineGeometry geometry = {
    .x_query = self->margin,
    .x_key = self->margin + self->gap,
    .y_query = y_query,
    .n_queries = self->data->queries.n,
    .y_key = y_key,
    .n_keys = self->data->keys.n,
    .line_width = get_line_width (self->row_height),
    .column_step = self->column_step,
    .curved = self->curved,
  };
  const double width = (self->gap + 2 * self->margin) * self->scale / self->column_step;

  self->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, MAX (1, (int) ceil (width)),
                                              (int) CLAMP (ceil (self->height * self->scale), 1, HL_LIMIT_FIGURE_SIDE));
  cairo_surface_set_device_scale (self->surface, self->scale, self->scale);
  if (is_empty (self->data))
    return TRUE;
  if (!hl_line_raster_draw (self->surface, &geometry, layers,
                            (of_all ? self->data->n_heads : 1) * get_n_sides (self->data), cancellable, error))
    return FALSE;
  clear_beyond_rows (self);
  return TRUE;
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
  const double seen_end = MIN (layout->end - layout->first_row + self->reserve / 2, get_length (data, layout->pitches));

  return self->data == data && self->column_step == 1 && self->row_height == layout->row_height &&
         memcmp (self->pitches, layout->pitches, sizeof self->pitches) == 0 &&
         self->gap == layout->x_key - layout->x_query && self->scale == scale && self->dark == dark &&
         self->curved == layout->curved && self->top <= seen_top && self->top + self->height >= seen_end;
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

/* Lines too faint to be seen are counted in the HlExportContext. */
void
hl_head_view_stroke_all (const HlHeadViewData   *data,
                         const HlHeadViewLayout *layout,
                         gboolean                dark,
                         double                  opacity,
                         cairo_t                *cr)
{
  HlExportContext *export = hl_export_context_get (cr);
  g_autoptr (GError) error = NULL;
  gsize n_left_out = 0;
  g_autofree HlLineLayer *layers = make_layers (data, dark);
  g_autofree double *y_query = make_ordinates (data, HL_QUERIES, layout->first_row, layout->pitches);
  g_autofree double *y_key = make_ordinates (data, HL_KEYS, layout->first_row, layout->pitches);
  const HlLineGeometry geometry = {
    .x_query = layout->x_query,
    .x_key = layout->x_key,
    .y_query = y_query,
    .n_queries = data->queries.n,
    .y_key = y_key,
    .n_keys = data->keys.n,
    .line_width = get_line_width (layout->row_height),
    .curved = layout->curved,
  };

  for (guint i = 0; i < data->n_heads * get_n_sides (data); i++)
    layers[i].colour.a *= (float) opacity;
  const gsize n_layers = data->n_heads * get_n_sides (data);
  const double min_alpha = MIN (MIN_ALPHA, MIN_ALPHA_OF_ALL / (double) get_n_rows (data));
  if (is_empty (data) ||
      (export != NULL &&
       !hl_export_context_take_lines (export, hl_line_raster_count (&geometry, layers, n_layers, min_alpha))))
    return;
  cairo_save (cr);
  hl_head_view_layout_enter (layout, cr);
  hl_line_raster_stroke (cr, &geometry, layers, n_layers, min_alpha, &n_left_out,
                         export != NULL ? export->cancellable : NULL, &error);
  cairo_restore (cr);
  if (export == NULL)
    return;
  export->n_left_out += n_left_out;
  if (error != NULL && export->error == NULL)
    export->error = g_steal_pointer (&error);
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

/* Puts the new lines in place of those that are shown, if there are some and they are of these weights. Those of one head have a place of their own. */
void
hl_lines_job_move_raster (HlLinesJob           *self,
                          const HlHeadViewData *data,
                          HlHeadViewRaster    **raster,
                          HlHeadViewRaster    **of_head)
{
  if (self->rasters->len == 0)
    return;
  const HlHeadViewRaster *made = g_ptr_array_index (self->rasters, 0);
  HlHeadViewRaster **place = made->head == G_MAXUINT ? raster : of_head;
  if (made->data != data || place == NULL)
    return;
  g_clear_pointer (place, hl_head_view_raster_free);
  *place = g_ptr_array_steal_index_fast (self->rasters, 0);
}
