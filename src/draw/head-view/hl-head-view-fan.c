/* SPDX-License-Identifier: MIT */
/*
 * The lines of one token, as pixels. Between two frames there is no time for hundreds of strokes, and the raster of all
 * lines is made for many more of them: here each line is followed from column to column.
 */
#include "draw/head-view/hl-head-view-fan.h"

#include <math.h>

#include "draw/paint/hl-cairo.h"

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
          const float until =
            get_ramp (t + half, half_rise, per_2_rise) - get_ramp (t - half, half_rise, per_2_rise);
          *pixel += part * (until - before) * (1 - *pixel);
          before = until;
        }
    }
}

/**
 * hl_head_view_fan_draw:
 * @cr: where to
 * @geometry: where lines run, with one query or one key; in logical pixels of @cr
 * @layer: their weights and colour
 * @top: logical pixels above the part that is in view
 * @height: logical pixels of it
 * @scale: device pixels a logical pixel
 * @min_alpha: fainter lines are left out
 *
 * Draws the part in view of the lines of one token and one head.
 */
void
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

  g_return_if_fail (geometry->n_queries == 1 || geometry->n_keys == 1);
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
