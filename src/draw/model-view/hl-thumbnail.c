/* SPDX-License-Identifier: MIT */
/* One head as a small picture. */
#include "draw/model-view/hl-thumbnail.h"

#include <string.h>

#include "core/source/hl-pool.h"
#include "draw/lines/hl-line-raster.h"
#include "draw/lines/hl-line-strength.h"
#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-palette.h"
#include "draw/paint/hl-theme.h"
#include "draw/paint/hl-value-cells.h"
#include "draw/text/hl-export-context.h"

/* Device pixels from one line's end to the next, at least. */
#define MIN_LINE_PITCH 3

/* On paper fainter lines of a thumbnail are left out. */
#define MIN_ALPHA (1.0 / 64)

/*
 * On paper a heatmap of up to so many cells is shapes; of more, an image, whose cells are so much finer than logical
 * pixels that no viewer blurs them into one another.
 */
#define MAX_SHAPES 100
#define FINENESS 4

/* Of the first query's and the last key's line, so that they do not end on the frame. */
#define LINE_MARGIN 1

/* Rows and columns that a style has room for: more than pixels cannot be seen. */
static void
get_grid (const HlThumbnail      *self,
          const HlThumbnailStyle *style,
          gsize                  *n_rows,
          gsize                  *n_columns)
{
  const gsize n_lines = MAX (1, style->height / MAX (1, (guint) lround (MIN_LINE_PITCH * style->scale)));
  const gboolean as_lines = style->kind == HL_THUMBNAIL_LINES;

  *n_rows = MIN (self->queries.n, as_lines ? n_lines : MAX (1, style->height));
  *n_columns = MIN (self->keys.n, as_lines ? n_lines : MAX (1, style->width));
}

HlThumbnail *
hl_thumbnail_new (HlAttentionSource      *source,
                  guint                   layer,
                  guint                   head,
                  HlRange                 queries,
                  HlRange                 keys,
                  const HlThumbnailStyle *style)
{
  HlThumbnail *self = g_atomic_rc_box_new0 (HlThumbnail);

  self->source = g_object_ref (source);
  self->layer = layer;
  self->head = head;
  self->queries = queries;
  self->keys = keys;
  self->style = *style;
  get_grid (self, style, &self->n_rows, &self->n_columns);
  return self;
}

HlThumbnail *
hl_thumbnail_ref (HlThumbnail *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  HlThumbnail *self = data;

  g_object_unref (self->source);
  g_free (self->values);
  g_clear_pointer (&self->surface, cairo_surface_destroy);
}

void
hl_thumbnail_unref (HlThumbnail *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

gboolean
hl_thumbnail_looks (const HlThumbnail      *self,
                    const HlThumbnailStyle *style)
{
  gsize n_rows, n_columns;

  if (self->style.kind != style->kind || self->style.dark != style->dark || self->style.mirrored != style->mirrored)
    return FALSE;
  if (style->kind == HL_THUMBNAIL_LINES)
    return self->style.width == style->width && self->style.height == style->height &&
           self->style.scale == style->scale && self->style.relative == style->relative &&
           self->style.least_whole == style->least_whole;
  get_grid (self, style, &n_rows, &n_columns);
  return self->n_rows == n_rows && self->n_columns == n_columns && self->style.map == style->map &&
         self->style.value_scale == style->value_scale;
}

gsize
hl_thumbnail_get_size (const HlThumbnail *self)
{
  const gsize n_values = self->n_rows * self->n_columns;
  const gsize n_pixels = self->style.kind == HL_THUMBNAIL_LINES ? (gsize) self->style.width * self->style.height
                                                                : n_values;

  return n_values * sizeof (float) + n_pixels * 4;
}

static gboolean
read_values (HlThumbnail  *self,
             GCancellable *cancellable,
             GError      **error)
{
  const HlAttentionRequest request = {
    .layer = self->layer,
    .head = self->head,
    .first_query = self->queries.first,
    .n_queries = self->queries.n,
    .first_key = self->keys.first,
    .n_keys = self->keys.n,
    .n_rows = self->n_rows,
    .n_columns = self->n_columns,
    .pooling = HL_POOLING_MAX,
    .marks_masked = TRUE,
  };
  g_autofree float *values = g_new (float, self->n_rows * self->n_columns);

  if (!hl_attention_source_read (self->source, &request, values, cancellable, error))
    return FALSE;
  self->values = g_steal_pointer (&values);
  return TRUE;
}

/* Whether numbers of the diagonal may be among those that a value was pooled of. */
static gboolean
touches_diagonal (const HlThumbnail *self,
                  gsize              row,
                  gsize              column)
{
  const gsize query = self->queries.first + hl_pool_get_bin_start (row, self->n_rows, self->queries.n);
  const gsize query_end = self->queries.first + hl_pool_get_bin_start (row + 1, self->n_rows, self->queries.n);
  const gsize key = self->keys.first + hl_pool_get_bin_start (column, self->n_columns, self->keys.n);
  const gsize key_end = self->keys.first + hl_pool_get_bin_start (column + 1, self->n_columns, self->keys.n);

  return query < key_end && key < query_end;
}

static void
init_scale (const HlThumbnail *self,
            HlValueScale      *scale)
{
  const gboolean is_signed = hl_attention_source_is_signed (self->source);
  double min = 0, min_positive = INFINITY, max = -INFINITY;

  for (gsize i = 0; i < self->n_rows * self->n_columns; i++)
    {
      const double value = self->values[i];
      if (!isfinite (value) || (self->style.value_scale == HL_VALUE_SCALE_OFF_DIAGONAL &&
                                touches_diagonal (self, i / self->n_columns, i % self->n_columns)))
        continue;
      min = MIN (min, value);
      max = MAX (max, value);
      if (value > 0)
        min_positive = MIN (min_positive, value);
    }
  if (is_signed)
    hl_value_scale_init_signed (scale, self->style.value_scale, MAX (fabs (min), fabs (max)));
  else
    hl_value_scale_init (scale, self->style.value_scale,
                         self->style.value_scale == HL_VALUE_SCALE_LOG ? min_positive : min, max);
}

/* The columns that some of the queries of a row see; they are one run, as in HlMask. */
static HlRange
get_visible (const HlThumbnail *self,
             gsize              row)
{
  const HlMask *mask = hl_attention_source_get_mask (self->source, self->layer);
  const gsize n_queries = hl_attention_source_get_n (self->source, HL_QUERIES);
  const gsize n_keys = hl_attention_source_get_n (self->source, HL_KEYS);
  const gsize first_query = self->queries.first + row * self->queries.n / self->n_rows;
  const gsize last_query = self->queries.first + (row + 1) * self->queries.n / self->n_rows - 1;
  gsize first, end, unused;

  hl_mask_get_visible (mask, n_queries, n_keys, first_query, &first, &unused);
  hl_mask_get_visible (mask, n_queries, n_keys, last_query, &unused, &end);
  return (HlRange){ first, end > first ? end - first : 0 };
}

static void
make_heatmap (HlThumbnail *self)
{
  const HlTheme *theme = hl_theme_get (self->style.dark);
  const HlMask *mask = hl_attention_source_get_mask (self->source, self->layer);
  const guint32 masked = hl_colour_to_pixel (&theme->masked);
  HlValueScale scale;

  self->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) self->n_columns, (int) self->n_rows);
  guint8 *target = cairo_image_surface_get_data (self->surface);
  const int stride = cairo_image_surface_get_stride (self->surface);
  g_return_if_fail (target != NULL);

  init_scale (self, &scale);
  /*
   * Where numbers have a sign, most that are none are of tokens that only one text has: they must not drown the rest.
   */
  const guint32 nan = hl_colour_to_pixel (scale.is_signed ? &theme->hatch : &theme->muted);
  for (gsize row = 0; row < self->n_rows; row++)
    {
      const float *values = self->values + row * self->n_columns;
      const HlRange visible = get_visible (self, row);
      guint32 *pixels = (guint32 *) (target + row * (gsize) stride);
      double row_max = 0;

      for (gsize column = 0; column < self->n_columns; column++)
        if (isfinite (values[column]))
          row_max = MAX (row_max, scale.is_signed ? fabsf (values[column]) : values[column]);
      hl_value_cells_colour_row (self->style.map, theme, &scale, values, self->n_columns, row_max, pixels);
      for (gsize column = 0; column < self->n_columns; column++)
        {
          const gsize key = self->keys.first + column * self->keys.n / self->n_columns;
          const gsize key_end = self->keys.first + (column + 1) * self->keys.n / self->n_columns;
          if (key >= visible.first + visible.n || key_end <= visible.first ||
              hl_weight_is_masked (mask, values[column]))
            pixels[column] = masked;
          else if (isnan (values[column]))
            pixels[column] = nan;
        }
    }
  cairo_surface_mark_dirty (self->surface);
}

static double *
make_ordinates (double top,
                double height,
                gsize  n)
{
  double *y = g_new (double, n);

  for (gsize i = 0; i < n; i++)
    y[i] = top + (i + 0.5) * height / n;
  return y;
}

/*
 * The lines of the head; of numbers that have a sign, those above zero and those below, for which @negated gets the
 * numbers.
 */
static guint
get_layers (const HlThumbnail *self,
            HlLineLayer        layers[2],
            float            **negated)
{
  const gsize n = self->n_rows * self->n_columns;

  const float greatest = self->style.relative
                           ? fmaxf (hl_line_strength_find_greatest (self->values, n), (float) self->style.least_whole)
                           : 1;
  guint n_layers = 1;

  layers[0] = (HlLineLayer){ self->values, self->n_columns, hl_palette_get_head_colour (self->head, self->style.dark) };
  if (hl_attention_source_is_signed (self->source))
    {
      *negated = g_new (float, n);
      for (gsize i = 0; i < n; i++)
        (*negated)[i] = -self->values[i];
      layers[0].colour = hl_diverging_map_get_end (self->style.dark, FALSE);
      layers[1] = (HlLineLayer){ *negated, self->n_columns, hl_diverging_map_get_end (self->style.dark, TRUE) };
      n_layers = 2;
    }
  for (guint i = 0; i < n_layers && greatest > 0; i++)
    layers[i].colour.a /= greatest;
  return n_layers;
}

static gboolean
make_lines (HlThumbnail  *self,
            GCancellable *cancellable,
            GError      **error)
{
  const double width = MAX (self->style.width, 4);
  const double height = MAX (self->style.height, 1);
  g_autofree double *y_query = make_ordinates (0, height, self->n_rows);
  g_autofree double *y_key = make_ordinates (0, height, self->n_columns);
  g_autofree float *negated = NULL;
  HlLineLayer layers[2];
  const guint n_layers = get_layers (self, layers, &negated);
  const HlLineGeometry geometry = {
    .x_query = LINE_MARGIN,
    .x_key = width - LINE_MARGIN,
    .y_query = y_query,
    .n_queries = self->n_rows,
    .y_key = y_key,
    .n_keys = self->n_columns,
    .line_width = self->style.scale,
  };

  self->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) width, (int) height);
  return hl_line_raster_draw (self->surface, &geometry, layers, n_layers, cancellable, error);
}

/* Reads the numbers and makes the pixels, on whatever thread. */
gboolean
hl_thumbnail_make (HlThumbnail       *self,
                   const HlThumbnail *known,
                   GCancellable      *cancellable,
                   GError           **error)
{
  if (known != NULL && known->values != NULL && known->n_rows == self->n_rows && known->n_columns == self->n_columns)
    self->values = g_memdup2 (known->values, self->n_rows * self->n_columns * sizeof (float));
  else if (!read_values (self, cancellable, error))
    return FALSE;
  if (self->style.kind == HL_THUMBNAIL_LINES)
    return make_lines (self, cancellable, error);
  make_heatmap (self);
  return TRUE;
}

static void
enter_box (const HlThumbnail       *self,
           const cairo_rectangle_t *box,
           cairo_t                 *cr)
{
  cairo_save (cr);
  if (self->style.mirrored)
    cairo_transform (cr, &(cairo_matrix_t){ .xx = -1, .yy = 1, .x0 = 2 * box->x + box->width });
}

/* Stretched to the box. */
void
hl_thumbnail_paint (const HlThumbnail       *self,
                    const cairo_rectangle_t *box,
                    cairo_t                 *cr)
{
  const int width = cairo_image_surface_get_width (self->surface);
  const int height = cairo_image_surface_get_height (self->surface);
  const gboolean shrinks = width > box->width * self->style.scale + 1 || height > box->height * self->style.scale + 1;
  const gboolean sharp = self->style.kind == HL_THUMBNAIL_HEATMAP ? !shrinks
                                                                  : width == lround (box->width * self->style.scale);

  enter_box (self, box, cr);
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  cairo_clip (cr);
  cairo_translate (cr, box->x, box->y);
  cairo_scale (cr, box->width / width, box->height / height);
  cairo_set_source_surface (cr, self->surface, 0, 0);
  /* Of another size only until the new pixels are there: quick is better than good. */
  cairo_pattern_set_filter (cairo_get_source (cr), sharp ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR);
  cairo_paint (cr);
  cairo_restore (cr);
}

static void
draw_shapes (const HlThumbnail       *self,
             const cairo_rectangle_t *box,
             cairo_t                 *cr)
{
  const guint8 *pixels = cairo_image_surface_get_data (self->surface);
  const gsize stride = (gsize) cairo_image_surface_get_stride (self->surface);
  const double width = box->width / self->n_columns;
  const double height = box->height / self->n_rows;

  for (gsize row = 0; row < self->n_rows; row++)
    for (gsize column = 0; column < self->n_columns; column++)
      {
        const guint32 pixel = ((const guint32 *) (pixels + row * stride))[column];

        cairo_set_source_rgb (cr, (pixel >> 16 & 0xFF) / 255.0, (pixel >> 8 & 0xFF) / 255.0, (pixel & 0xFF) / 255.0);
        /* Under the neighbours that follow, so that no paper shines through the seams. */
        cairo_rectangle (cr, box->x + column * width, box->y + row * height,
                         width * (column + 1 < self->n_columns ? 1.25 : 1),
                         height * (row + 1 < self->n_rows ? 1.25 : 1));
        cairo_fill (cr);
      }
}

static void
draw_image (const HlThumbnail       *self,
            const cairo_rectangle_t *box,
            cairo_t                 *cr)
{
  const int width = (int) ceil (box->width * FINENESS);
  const int height = (int) ceil (box->height * FINENESS);
  g_autoptr (cairo_surface_t) image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  g_autoptr (cairo_t) fine = cairo_create (image);

  cairo_scale (fine, (double) width / self->n_columns, (double) height / self->n_rows);
  cairo_set_source_surface (fine, self->surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (fine), CAIRO_FILTER_NEAREST);
  cairo_paint (fine);

  cairo_save (cr);
  cairo_translate (cr, box->x, box->y);
  cairo_scale (cr, box->width / width, box->height / height);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
stroke_lines (const HlThumbnail       *self,
              const cairo_rectangle_t *box,
              cairo_t                 *cr)
{
  HlExportContext *export = hl_export_context_get (cr);
  g_autofree double *y_query = make_ordinates (box->y, box->height, self->n_rows);
  g_autofree double *y_key = make_ordinates (box->y, box->height, self->n_columns);
  g_autofree float *negated = NULL;
  HlLineLayer layers[2];
  const guint n_layers = get_layers (self, layers, &negated);
  const HlLineGeometry geometry = {
    .x_query = box->x + LINE_MARGIN,
    .x_key = box->x + MAX (box->width, 4) - LINE_MARGIN,
    .y_query = y_query,
    .n_queries = self->n_rows,
    .y_key = y_key,
    .n_keys = self->n_columns,
    .line_width = 1,
  };
  g_autoptr (GError) error = NULL;
  gsize n_left_out = 0;

  if (export != NULL &&
      !hl_export_context_take_lines (export, hl_line_raster_count (&geometry, layers, n_layers, MIN_ALPHA)))
    return;
  hl_line_raster_stroke (cr, &geometry, layers, n_layers, MIN_ALPHA, &n_left_out,
                         export != NULL ? export->cancellable : NULL, &error);
  if (export == NULL)
    return;
  export->n_left_out += n_left_out;
  if (error != NULL && export->error == NULL)
    export->error = g_steal_pointer (&error);
}

/* Draws it for paper: cells as shapes, or an image if they are many; every line that can be seen as a stroke. Lines
 * too faint are counted in the HlExportContext. */
void
hl_thumbnail_draw (const HlThumbnail       *self,
                   const cairo_rectangle_t *box,
                   cairo_t                 *cr)
{
  enter_box (self, box, cr);
  if (self->style.kind == HL_THUMBNAIL_LINES)
    stroke_lines (self, box, cr);
  else if (self->n_rows * self->n_columns <= MAX_SHAPES)
    draw_shapes (self, box, cr);
  else
    draw_image (self, box, cr);
  cairo_restore (cr);
}

void
hl_thumbnail_set_clear (HlThumbnailSet *self)
{
  for (guint i = 0; self->starts != NULL && i < self->starts[self->n_layers]; i++)
    {
      g_clear_pointer (&self->slots[i].thumbnail, hl_thumbnail_unref);
      g_free (self->slots[i].stats);
    }
  g_clear_pointer (&self->preview, hl_thumbnail_unref);
  g_clear_object (&self->source);
  g_free (self->starts);
  g_free (self->slots);
  *self = (HlThumbnailSet){ 0 };
}

gboolean
hl_thumbnail_set_is_of (const HlThumbnailSet *self,
                        HlViewState          *state)
{
  const HlRange queries = hl_view_state_get_shown (state)->queries;
  const HlRange keys = hl_view_state_get_shown (state)->keys;

  return self->source == hl_view_state_get_shown (state)->filtered && hl_range_equal (self->queries, queries) &&
         hl_range_equal (self->keys, keys);
}

/* Makes it one of the weights that the state asks for; unless it is already, everything is forgotten. */
void
hl_thumbnail_set_follow (HlThumbnailSet *self,
                         HlViewState    *state)
{
  if (hl_thumbnail_set_is_of (self, state))
    return;
  hl_thumbnail_set_clear (self);
  self->source = g_object_ref (hl_view_state_get_shown (state)->filtered);
  self->queries = hl_view_state_get_shown (state)->queries;
  self->keys = hl_view_state_get_shown (state)->keys;
  self->n_layers = hl_attention_source_get_n_layers (self->source);
  self->starts = g_new0 (guint, self->n_layers + 1);
  for (guint layer = 0; layer < self->n_layers; layer++)
    self->starts[layer + 1] = self->starts[layer] + hl_attention_source_get_n_heads (self->source, layer);
  self->slots = g_new0 (HlThumbnailSlot, MAX (self->starts[self->n_layers], 1));
}

HlThumbnailSlot *
hl_thumbnail_set_get (HlThumbnailSet *self,
                      guint           layer,
                      guint           head)
{
  g_assert (layer < self->n_layers && self->starts[layer] + head < self->starts[layer + 1]);

  return &self->slots[self->starts[layer] + head];
}
