/* SPDX-License-Identifier: MIT */
/*
 * The line raster against cairo, and against itself.
 *
 * Coverage: cairo rasterises every line alone into a mask, and what shows through all of them is
 * multiplied up here in doubles. Bounds, in steps of 255: cairo samples 15 lines a pixel, so the
 * coverage of a flat line is off by up to 1/30 at either edge and that of a strong one by up to 8
 * steps; on an average that, the raster's rounding to 8 bits (1/4) and its cells of 1/6 pixel come
 * to 0.6.
 *
 * Strokes: cairo composites them one over the other into 8 bits, and after every stroke rounds;
 * that drifts by up to half a step a line, and lines fainter than half a step never show. So these
 * cases have few lines.
 *
 * cairo ends a stroke at a right angle to the line, the raster upright at the column's edge: half a
 * line width at both sides is not compared.
 */
#include "draw/lines/hl-line-raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EDGE 3

typedef struct
{
  gsize n_queries;
  gsize n_keys;
  double width;     /* user units */
  double height;    /* user units */
  double scale;     /* device scale */
  double row;       /* distance of rows */
  double key_row;   /* distance of rows on the right */
  double offset;    /* from query 0 to key 0 */
  double sharpness; /* of the softmax */
  double line_width;
  double max_mean; /* bounds, in steps of 255 */
  double max_single;
  gboolean curved;
} Case;

static float *
make_weights (const Case *c,
              guint       seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  float *weights = g_new (float, c->n_queries * c->n_keys);

  for (gsize i = 0; i < c->n_queries; i++)
    {
      float *row = weights + i * c->n_keys;
      double sum = 0.0;

      for (gsize j = 0; j < c->n_keys; j++)
        sum += row[j] = (float) exp (g_rand_double_range (random, 0.0, c->sharpness));
      for (gsize j = 0; j < c->n_keys; j++)
        row[j] /= (float) sum;
    }

  return weights;
}

static double *
make_rows (gsize  n,
           double first,
           double distance)
{
  double *rows = g_new (double, n);

  for (gsize i = 0; i < n; i++)
    rows[i] = first + i * distance;

  return rows;
}

static cairo_surface_t *
make_surface (const Case *c)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) ceil (c->width * c->scale),
                                                         (int) ceil (c->height * c->scale));

  cairo_surface_set_device_scale (surface, c->scale, c->scale);

  return surface;
}

static guint32
get_pixel (cairo_surface_t *surface,
           int              x,
           int              y)
{
  const unsigned char *data = cairo_image_surface_get_data (surface);

  return ((const guint32 *) (data + (gsize) y * cairo_image_surface_get_stride (surface)))[x];
}

static void
draw (cairo_surface_t      *surface,
      const HlLineGeometry *geometry,
      const HlLineLayer    *layers,
      gsize                 n_layers)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_line_raster_draw (surface, geometry, layers, n_layers, NULL, &error));
  g_assert_no_error (error);
}

/* What shows through all lines, from cairo's coverage of each. */
static double *
see_through_strokes (const Case           *c,
                     const HlLineGeometry *geometry,
                     const float          *weights,
                     float                 alpha,
                     int                   width,
                     int                   height)
{
  cairo_surface_t *mask = cairo_image_surface_create (CAIRO_FORMAT_A8, width, height);
  int stride = cairo_image_surface_get_stride (mask);
  unsigned char *data = cairo_image_surface_get_data (mask);
  cairo_t *cr = cairo_create (mask);
  double *through = g_new (double, (gsize) width *height);

  cairo_scale (cr, c->scale, c->scale);
  cairo_set_line_width (cr, geometry->line_width);
  for (gsize k = 0; k < (gsize) width * height; k++)
    through[k] = 1.0;

  for (gsize i = 0; i < geometry->n_queries; i++)
    {
      for (gsize j = 0; j < geometry->n_keys; j++)
        {
          double opacity = MIN (1.0, weights[i * geometry->n_keys + j] * alpha);
          double reach = geometry->line_width + 1.0;
          int top, bottom;

          hl_line_geometry_trace (geometry, cr, i, j);
          cairo_stroke (cr);
          cairo_surface_flush (mask);

          top = (int) floor ((MIN (geometry->y_query[i], geometry->y_key[j]) - reach) * c->scale);
          bottom = (int) ceil ((MAX (geometry->y_query[i], geometry->y_key[j]) + reach) * c->scale);
          for (int y = MAX (top, 0); y < MIN (bottom, height); y++)
            {
              for (int x = 0; x < width; x++)
                through[(gsize) y * width + x] *= 1.0 - opacity * data[y * stride + x] / 255.0;
              memset (data + y * stride, 0, width);
            }
          cairo_surface_mark_dirty (mask);
        }
    }
  cairo_destroy (cr);
  cairo_surface_destroy (mask);

  return through;
}

static void
test_coverage (gconstpointer data)
{
  const Case *c = data;
  g_autofree double *y_query = make_rows (c->n_queries, c->row / 2.0, c->row);
  g_autofree double *y_key = make_rows (c->n_keys, c->row / 2.0 + c->offset, c->key_row);
  g_autofree float *weights = make_weights (c, 7);
  g_autofree double *through = NULL;
  HlLineGeometry geometry = { 4.0,   c->width - 4.0, y_query,       c->n_queries,
                              y_key, c->n_keys,      c->line_width, .curved = c->curved };
  HlLineLayer layer = { weights, c->n_keys, { 0.0f, 0.0f, 0.0f, 1.0f } };
  cairo_surface_t *surface = make_surface (c);
  int width = cairo_image_surface_get_width (surface);
  int height = cairo_image_surface_get_height (surface);
  int first = (int) ceil (geometry.x_query * c->scale) + EDGE;
  int end = (int) floor (geometry.x_key * c->scale) - EDGE;
  double sum = 0.0, max = 0.0;

  draw (surface, &geometry, &layer, 1);
  through = see_through_strokes (c, &geometry, weights, 1.0f, width, height);

  for (int y = 0; y < height; y++)
    {
      for (int x = first; x < end; x++)
        {
          double want = 255.0 * (1.0 - through[(gsize) y * width + x]);
          double difference = fabs ((get_pixel (surface, x, y) >> 24) - want);

          sum += difference;
          max = MAX (max, difference);
        }
    }
  sum /= (double) height * (end - first);
  g_test_message ("mean %.3f, largest %.2f steps of 255", sum, max);
  g_assert_cmpfloat (sum, <=, c->max_mean);
  g_assert_cmpfloat (max, <=, c->max_single);
  cairo_surface_destroy (surface);
}

/* A picture to compare with: cairo's strokes, over a surface that may hold something. */
static void
stroke (cairo_surface_t      *surface,
        const HlLineGeometry *geometry,
        const HlLineLayer    *layers,
        gsize                 n_layers)
{
  cairo_t *cr = cairo_create (surface);

  g_assert_true (hl_line_raster_stroke (cr, geometry, layers, n_layers, 0.0, NULL, NULL, NULL));
  cairo_destroy (cr);
  cairo_surface_flush (surface);
}

static guint
get_difference (guint32 a,
                guint32 b)
{
  guint max = 0;

  for (guint shift = 0; shift < 32; shift += 8)
    max = MAX (max, (guint) abs ((int) (a >> shift & 0xff) - (int) (b >> shift & 0xff)));

  return max;
}

/* The largest and mean difference of any channel, but for the ends of the lines. */
static double
compare (cairo_surface_t *a,
         cairo_surface_t *b,
         int              first,
         int              end,
         guint           *max)
{
  int height = cairo_image_surface_get_height (a);
  double sum = 0.0;

  *max = 0;
  for (int y = 0; y < height; y++)
    {
      for (int x = first; x < end; x++)
        {
          guint difference = get_difference (get_pixel (a, x, y), get_pixel (b, x, y));

          sum += difference;
          *max = MAX (*max, difference);
        }
    }

  return sum / ((double) height * (end - first));
}

/* A picture of three heads over a ground that is not empty. */
static void
test_layers (void)
{
  const Case c = { 6, 6, 300, 150, 2.0, 25, 25, 0, 3.0, 1.3 };
  g_autofree double *y = make_rows (6, 12.5, 25);
  g_autofree float *first = make_weights (&c, 1);
  g_autofree float *second = make_weights (&c, 2);
  g_autofree float *third = make_weights (&c, 3);
  HlLineGeometry geometry = { 0.0, 300.0, y, 6, y, 6, 1.3 };
  HlLineLayer layers[3] = {
    { first, 6, { 0.9f, 0.1f, 0.0f, 1.0f } },
    { second, 6, { 0.0f, 0.6f, 0.2f, 1.0f } },
    { third, 6, { 0.1f, 0.2f, 1.0f, 0.5f } },
  };
  cairo_surface_t *drawn = make_surface (&c), *stroked = make_surface (&c);
  cairo_surface_t *surfaces[] = { drawn, stroked };
  double mean;
  guint max;

  for (guint i = 0; i < 2; i++)
    {
      cairo_t *cr = cairo_create (surfaces[i]);

      cairo_set_source_rgba (cr, 1.0, 0.9, 0.5, 0.6);
      cairo_rectangle (cr, 0, 0, 300, 80);
      cairo_fill (cr);
      cairo_destroy (cr);
    }
  draw (drawn, &geometry, layers, 3);
  stroke (stroked, &geometry, layers, 3);

  mean = compare (drawn, stroked, EDGE, 600 - EDGE, &max);
  g_test_message ("mean %.3f, largest %u steps of 255", mean, max);
  g_assert_cmpfloat (mean, <=, 0.75);
  g_assert_cmpuint (max, <=, 14);
  cairo_surface_destroy (drawn);
  cairo_surface_destroy (stroked);
}

/* One line of all angles and opacities against its stroke. */
static void
test_one_line (void)
{
  const double slopes[] = { 0.0, 0.03, 0.5, 1.0, 3.0 };
  const float opacities[] = { 1.0f, 0.7f, 0.2f, 0.03f };

  for (guint s = 0; s < G_N_ELEMENTS (slopes); s++)
    {
      for (guint o = 0; o < G_N_ELEMENTS (opacities); o++)
        {
          const Case c = { 1, 1, 60, 240, 1.0 };
          double y_query = 20.3, y_key = 20.3 + slopes[s] * 52.0;
          HlLineGeometry geometry = { 4.0, 56.0, &y_query, 1, &y_key, 1, 1.2 };
          HlLineLayer layer = { &opacities[o], 1, { 0.2f, 0.4f, 0.8f, 1.0f } };
          cairo_surface_t *drawn = make_surface (&c), *stroked = make_surface (&c);
          guint max;

          draw (drawn, &geometry, &layer, 1);
          stroke (stroked, &geometry, &layer, 1);
          compare (drawn, stroked, 4 + EDGE, 56 - EDGE, &max);
          g_test_message ("slope %g, opacity %g: largest %u", slopes[s], opacities[o], max);
          g_assert_cmpuint (max, <=, 1 + (guint) (12 * opacities[o]));
          g_assert_cmphex (get_pixel (drawn, 30, (int) (20.3 + slopes[s] * 26.0)), !=, 0);
          cairo_surface_destroy (drawn);
          cairo_surface_destroy (stroked);
        }
    }
}

/* Thousands of lines, each far below what 8 bits can show, add up to the haze they are. */
static void
test_haze (void)
{
  enum
  {
    N = 256
  };
  const Case c = { N, N, 300, N * 4.0, 1.0 };
  g_autofree double *y = make_rows (N, 2.0, 4.0);
  g_autofree float *weights = g_new (float, N *N);
  HlLineGeometry geometry = { 0.0, 300.0, y, N, y, N, 1.0 };
  HlLineLayer layer = { weights, N, { 0.0f, 0.0f, 0.0f, 1.0f } };
  cairo_surface_t *surface = make_surface (&c);
  double sum = 0.0, want = 0.0;

  for (guint i = 0; i < N * N; i++)
    weights[i] = 1.0f / 1024.0f;
  draw (surface, &geometry, &layer, 1);

  /* The −log of what shows through, summed over a column, is the sum over lines of opacity ×
   * height. */
  for (int y_pixel = 0; y_pixel < N * 4; y_pixel++)
    sum -= log (1.0 - (get_pixel (surface, 150, y_pixel) >> 24) / 255.0);
  for (guint i = 0; i < N; i++)
    {
      for (guint j = 0; j < N; j++)
        want -= log (1.0 - 1.0 / 1024.0) * hypot (1.0, (y[j] - y[i]) / 300.0);
    }
  g_test_message ("haze %.2f, should be %.2f", sum, want);
  g_assert_cmpfloat (fabs (sum - want), <=, 0.01 * want);
  cairo_surface_destroy (surface);
}

/* Opacity 1 is opaque; NaN, −∞ and less than 0 are nothing; over 1 is 1. */
static void
test_odd_weights (void)
{
  const Case c = { 1, 1, 40, 140, 1.0 };
  const float weights[6 * 6] = {
    [0] = 1.0f, [7] = NAN, [14] = -1.0f, [21] = 7.0f, [28] = -INFINITY, [35] = INFINITY,
  };
  g_autofree double *y = make_rows (6, 10.0, 20.0);
  HlLineGeometry geometry = { 0.0, 40.0, y, 6, y, 6, 3.0 };
  HlLineLayer layer = { weights, 6, { 1.0f, 0.5f, 0.0f, 1.0f } };
  const guint32 want[] = { 0xffff8000, 0, 0, 0xffff8000, 0, 0xffff8000 };
  cairo_surface_t *surfaces[] = { make_surface (&c), make_surface (&c) };

  draw (surfaces[0], &geometry, &layer, 1);
  stroke (surfaces[1], &geometry, &layer, 1);
  for (guint k = 0; k < 2; k++)
    {
      for (guint i = 0; i < 6; i++)
        g_assert_cmpuint (get_difference (get_pixel (surfaces[k], 20, 10 + 20 * (int) i), want[i]), <=, 1);
      cairo_surface_destroy (surfaces[k]);
    }
}

/* What is not drawn on is not touched. */
static void
test_nothing (void)
{
  const Case c = { 8, 8, 60, 80, 1.0 };
  g_autofree double *y = make_rows (8, 5.0, 10.0);
  g_autofree float *weights = g_new0 (float, 64);
  HlLineGeometry geometry = { 10.0, 50.0, y, 8, y, 8, 1.2 };
  HlLineLayer layer = { weights, 8, { 0.0f, 0.0f, 0.0f, 1.0f } };
  cairo_surface_t *surface = make_surface (&c), *before = make_surface (&c);
  cairo_surface_t *both[] = { surface, before };
  guint max;

  for (guint i = 0; i < 2; i++)
    {
      cairo_t *cr = cairo_create (both[i]);

      cairo_set_source_rgba (cr, 0.3, 0.6, 0.1, 0.7);
      cairo_paint (cr);
      cairo_destroy (cr);
    }

  draw (surface, &geometry, &layer, 1);
  draw (surface, &geometry, NULL, 0);
  geometry.n_keys = 0;
  draw (surface, &geometry, &layer, 1);
  geometry.n_keys = 8;
  geometry.x_key = 10.5;
  weights[3] = 1.0f;
  draw (surface, &geometry, &layer, 1);
  compare (surface, before, 0, 60, &max);
  g_assert_cmpuint (max, ==, 0);

  /* Beside the columns, nothing is drawn either. */
  geometry.x_key = 50.0;
  draw (surface, &geometry, &layer, 1);
  compare (surface, before, 0, 10, &max);
  g_assert_cmpuint (max, ==, 0);
  compare (surface, before, 50, 60, &max);
  g_assert_cmpuint (max, ==, 0);
  compare (surface, before, 10, 50, &max);
  g_assert_cmpuint (max, >, 20);
  cairo_surface_destroy (surface);
  cairo_surface_destroy (before);
}

/* Queries and keys in another order are the same lines, and the same picture: also that of even
 * rows as that of rows the raster cannot take for even. */
static void
test_permutation (void)
{
  enum
  {
    N = 40
  };
  const Case c = { N, N, 300, N * 7.0, 1.0, 7, 7, 0, 4.0 };
  g_autofree double *y = make_rows (N, 3.5, 7.0);
  g_autofree double *y_shuffled = g_new (double, N);
  g_autofree float *weights = make_weights (&c, 4);
  g_autofree float *shuffled = g_new (float, N *N);
  HlLineGeometry geometry = { 0.0, 300.0, y, N, y, N, 1.2 };
  HlLineGeometry other = { 0.0, 300.0, y_shuffled, N, y_shuffled, N, 1.2 };
  HlLineLayer layer = { weights, N, { 0.0f, 0.0f, 0.0f, 1.0f } };
  HlLineLayer other_layer = { shuffled, N, { 0.0f, 0.0f, 0.0f, 1.0f } };
  cairo_surface_t *a = make_surface (&c), *b = make_surface (&c);
  double mean;
  guint max;

  for (gsize i = 0; i < N; i++)
    {
      y_shuffled[i] = y[i * 17 % N];
      for (gsize j = 0; j < N; j++)
        shuffled[i * N + j] = weights[i * 17 % N * N + j * 17 % N];
    }
  draw (a, &geometry, &layer, 1);
  draw (b, &other, &other_layer, 1);

  mean = compare (a, b, 0, 300, &max);
  g_test_message ("mean %.3f, largest %u steps of 255", mean, max);
  g_assert_cmpfloat (mean, <=, 0.25);
  g_assert_cmpuint (max, <=, 2);
  cairo_surface_destroy (a);
  cairo_surface_destroy (b);
}

/*
 * Of so many strong lines that most are behind others the picture is that of all of them: the raster draws each where keys are
 * in no order.
 */
static void
test_crowd (void)
{
  enum
  {
    N = 200
  };
  static const struct
  {
    double key_row, least, line_width, part; /* of the keys, how many have strong lines */
    gboolean curved;
  } crowds[] = {
    { 4, 1.0, 1.2, 1.0, FALSE }, { 4, 0.3, 0.5, 1.0, FALSE },  { 4, 0.3, 1.2, 0.7, FALSE },
    { 3, 0.3, 1.2, 1.0, FALSE }, { 25, 0.9, 1.8, 0.8, FALSE }, { 4, 0.3, 1.2, 0.8, TRUE },
  };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (guint k = 0; k < G_N_ELEMENTS (crowds); k++)
    {
      const double row = MAX (crowds[k].key_row, 4.0);
      const Case c = { N, N, 150, 800, 1.0 };
      g_autofree double *y_query = make_rows (N, row / 2.0, row);
      g_autofree double *y_key = make_rows (N, crowds[k].key_row / 2.0, crowds[k].key_row);
      g_autofree double *y_shuffled = g_new (double, N);
      g_autofree float *weights = g_new (float, N *N);
      g_autofree float *shuffled = g_new (float, N *N);
      const HlLineGeometry geometry = {
        2.0, 148.0, y_query, N, y_key, N, crowds[k].line_width, .curved = crowds[k].curved
      };
      HlLineGeometry other = geometry;
      const HlLineLayer layer = { weights, N, { 0.0f, 0.0f, 0.0f, 1.0f } };
      const HlLineLayer other_layer = { shuffled, N, { 0.0f, 0.0f, 0.0f, 1.0f } };
      cairo_surface_t *a = make_surface (&c), *b = make_surface (&c);
      double mean;
      guint max;

      for (gsize i = 0; i < N; i++)
        for (gsize j = 0; j < N; j++)
          weights[i * N + j] =
            (float) (j < crowds[k].part * N ? g_rand_double_range (random, crowds[k].least, 1.01) : 0.01);
      for (gsize i = 0; i < N; i++)
        for (gsize j = 0; j < N; j++)
          shuffled[i * N + j] = weights[i * N + j * 17 % N];
      for (gsize j = 0; j < N; j++)
        y_shuffled[j] = y_key[j * 17 % N];
      other.y_key = y_shuffled;
      draw (a, &geometry, &layer, 1);
      draw (b, &other, &other_layer, 1);
      mean = compare (a, b, 0, 150, &max);
      g_test_message ("%u: mean %.3f, largest %u steps of 255", k, mean, max);
      g_assert_cmpfloat (mean, <=, 0.25);
      g_assert_cmpuint (max, <=, 2);
      cairo_surface_destroy (a);
      cairo_surface_destroy (b);
    }
}

/* With queries and keys exchanged, the picture is mirrored. */
static void
test_mirror (void)
{
  enum
  {
    N = 24
  };
  const Case c = { N, N, 200, N * 8.0, 1.0, 8, 8, 0, 4.0 };
  g_autofree double *y = make_rows (N, 4.0, 8.0);
  g_autofree float *weights = make_weights (&c, 5);
  g_autofree float *transposed = g_new (float, N *N);
  HlLineGeometry geometry = { 0.0, 200.0, y, N, y, N, 1.2 };
  HlLineLayer layer = { weights, N, { 0.0f, 0.0f, 0.0f, 1.0f } };
  HlLineLayer mirrored = { transposed, N, { 0.0f, 0.0f, 0.0f, 1.0f } };
  cairo_surface_t *a = make_surface (&c), *b = make_surface (&c);

  for (gsize i = 0; i < N * N; i++)
    transposed[i] = weights[i % N * N + i / N];
  draw (a, &geometry, &layer, 1);
  draw (b, &geometry, &mirrored, 1);
  for (int pixel_y = 0; pixel_y < N * 8; pixel_y++)
    {
      for (int x = 0; x < 200; x++)
        g_assert_cmpuint (get_difference (get_pixel (a, x, pixel_y), get_pixel (b, 199 - x, pixel_y)), <=, 2);
    }
  cairo_surface_destroy (a);
  cairo_surface_destroy (b);
}

/* A window onto the picture shows the same pixels; a picture of several bands has no seam. */
static void
test_window (void)
{
  enum
  {
    N = 90,
    TALL = N * 200
  };
  const Case c = { N, N, 50, TALL, 1.0, 200, 200, 0, 5.0 };
  g_autofree double *y = make_rows (N, 100.0, 200.0);
  g_autofree float *weights = make_weights (&c, 6);
  HlLineGeometry geometry = { 2.0, 48.0, y, N, y, N, 1.2 };
  HlLineLayer layer = { weights, N, { 0.0f, 0.0f, 0.0f, 1.0f } };
  cairo_surface_t *whole = make_surface (&c);

  draw (whole, &geometry, &layer, 1);
  for (int top = -150; top < TALL; top += 2117)
    {
      cairo_surface_t *window = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 30, 333);

      cairo_surface_set_device_offset (window, -10.0, -top);
      draw (window, &geometry, &layer, 1);
      for (int pixel_y = MAX (0, -top); pixel_y < MIN (333, TALL - top); pixel_y++)
        {
          for (int x = 0; x < 30; x++)
            g_assert_cmpuint (get_difference (get_pixel (window, x, pixel_y), get_pixel (whole, x + 10, top + pixel_y)),
                              <=, 1);
        }
      cairo_surface_destroy (window);
    }
  cairo_surface_destroy (whole);
}

/* The rows of a layer may be parts of longer rows. */
static void
test_stride (void)
{
  const Case c = { 1, 1, 40, 60, 1.0 };
  const float wide[3 * 5] = { 1, 0, 0, 9, 9, 0, 0.5f, 0, 9, 9, 0, 0, 0.2f, 9, 9 };
  const float narrow[3 * 3] = { 1, 0, 0, 0, 0.5f, 0, 0, 0, 0.2f };
  g_autofree double *y = make_rows (3, 10.0, 20.0);
  HlLineGeometry geometry = { 0.0, 40.0, y, 3, y, 3, 2.0 };
  HlLineLayer layers[] = { { wide, 5, { 0, 0, 0, 1 } }, { narrow, 3, { 0, 0, 0, 1 } } };
  cairo_surface_t *a = make_surface (&c), *b = make_surface (&c);
  guint max;

  draw (a, &geometry, &layers[0], 1);
  draw (b, &geometry, &layers[1], 1);
  compare (a, b, 0, 40, &max);
  g_assert_cmpuint (max, ==, 0);
  g_assert_cmphex (get_pixel (a, 20, 10), ==, 0xff000000);
  cairo_surface_destroy (a);
  cairo_surface_destroy (b);
}

static void
test_left_out (void)
{
  const float weights[] = { 0.5f, 0.001f, 0.0f, NAN, 0.003f, 0.0045f };
  g_autofree double *y = make_rows (6, 10.0, 10.0);
  HlLineGeometry geometry = { 0.0, 40.0, y, 1, y, 6, 1.0 };
  HlLineLayer layer = { weights, 6, { 0.0f, 0.0f, 0.0f, 1.0f } };
  const cairo_rectangle_t extents = { 0, 0, 100, 100 };
  cairo_surface_t *surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &extents);
  cairo_t *cr = cairo_create (surface);
  double x, top, width, height;
  gsize n = 0;

  g_assert_true (hl_line_raster_stroke (cr, &geometry, &layer, 1, 0.0, &n, NULL, NULL));
  g_assert_cmpuint (n, ==, 2);
  g_assert_true (hl_line_raster_stroke (cr, &geometry, &layer, 1, 0.01, &n, NULL, NULL));
  g_assert_cmpuint (n, ==, 3);

  /* Those to the first and the last key are there. */
  cairo_recording_surface_ink_extents (surface, &x, &top, &width, &height);
  g_assert_cmpfloat (top, <, 10.0);
  g_assert_cmpfloat (top + height, >, 60.0);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
test_cancel (void)
{
  const Case c = { 1, 1, 40, 60, 1.0 };
  const float weight = 1.0f;
  double y = 30.0;
  HlLineGeometry geometry = { 0.0, 40.0, &y, 1, &y, 1, 2.0 };
  HlLineLayer layer = { &weight, 1, { 0.0f, 0.0f, 0.0f, 1.0f } };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  cairo_surface_t *surface = make_surface (&c);
  cairo_t *cr = cairo_create (surface);

  g_cancellable_cancel (cancellable);
  g_assert_false (hl_line_raster_draw (surface, &geometry, &layer, 1, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_false (hl_line_raster_stroke (cr, &geometry, &layer, 1, 0.0, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (20000);
  g_cancellable_cancel (cancellable);

  return NULL;
}

/* A picture that takes seconds is given up at once; 2 s is for machines that are busy. */
static void
test_cancel_midway (void)
{
  enum
  {
    N = 600
  };
  const Case c = { N, N, 800, 900, 2.0 };
  g_autofree double *y = make_rows (N, 1.0, 1.5);
  g_autofree float *weights = g_new (float, N *N);
  HlLineGeometry geometry = { 0.0, 800.0, y, N, y, N, 1.2 };
  HlLineLayer layers[20];
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  cairo_surface_t *surface = make_surface (&c);
  GThread *thread;
  gint64 begin;

  for (guint i = 0; i < N * N; i++)
    weights[i] = 0.4f;
  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    layers[i] = (HlLineLayer){ weights, N, { 0.0f, 0.0f, 0.0f, 1.0f } };

  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  begin = g_get_monotonic_time ();
  g_assert_false (hl_line_raster_draw (surface, &geometry, layers, G_N_ELEMENTS (layers), cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_test_message ("given up after %.1f ms", (g_get_monotonic_time () - begin) / 1000.0);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 2 * G_USEC_PER_SEC);
  g_thread_join (thread);
  cairo_surface_destroy (surface);
}

static const Case cases[] = {
  { 12, 12, 400, 240, 1.0, 20, 20, 0, 4.0, 1.2, 0.75, 10 },
  { 12, 12, 400, 240, 2.0, 20, 20, 0, 4.0, 1.2, 0.75, 10 },
  { 40, 40, 400, 800, 1.0, 20, 20, 0, 5.0, 1.2, 0.75, 10 },
  { 40, 40, 300, 300, 2.0, 7.3, 7.3, 0, 5.0, 1.0, 0.75, 10 },
  { 128, 128, 200, 200, 1.0, 1.5625, 1.5625, 0, 6.0, 1.2, 0.75, 10 },
  { 30, 50, 300, 400, 1.25, 7.9, 7.9, 11.3, 5.0, 1.5, 0.75, 10 },
  { 30, 50, 300, 400, 1.0, 13.1, 7.9, 0, 5.0, 1.2, 0.75, 10 },
  { 1, 9, 300, 200, 1.0, 20, 20, 0, 2.0, 1.2, 0.75, 10 },
  { 60, 60, 300, 300, 1.0, 5, 5, 0, 5.0, 0.4, 0.75, 10 },
  { 9, 9, 30, 600, 1.0, 66, 66, 0, 2.0, 1.2, 0.75, 10 },
  { 12, 12, 400, 240, 1.0, 20, 20, 0, 4.0, 1.2, 0.75, 30, TRUE },
  { 12, 12, 400, 580, 2.0, 48, 48, 0, 4.0, 1.2, 0.75, 30, TRUE },
  { 40, 40, 300, 300, 2.0, 7.3, 7.3, 0, 5.0, 1.0, 0.75, 30, TRUE },
  { 30, 50, 300, 400, 1.0, 13.1, 7.9, 0, 5.0, 1.2, 0.75, 30, TRUE },
};

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/line-raster/coverage/%u", i);

      g_test_add_data_func (path, &cases[i], test_coverage);
    }

  g_test_add_func ("/line-raster/one-line", test_one_line);
  g_test_add_func ("/line-raster/layers", test_layers);
  g_test_add_func ("/line-raster/haze", test_haze);
  g_test_add_func ("/line-raster/odd-weights", test_odd_weights);
  g_test_add_func ("/line-raster/nothing", test_nothing);
  g_test_add_func ("/line-raster/permutation", test_permutation);
  g_test_add_func ("/line-raster/crowd", test_crowd);
  g_test_add_func ("/line-raster/mirror", test_mirror);
  g_test_add_func ("/line-raster/window", test_window);
  g_test_add_func ("/line-raster/stride", test_stride);
  g_test_add_func ("/line-raster/left-out", test_left_out);
  g_test_add_func ("/line-raster/cancel", test_cancel);
  g_test_add_func ("/line-raster/cancel-midway", test_cancel_midway);

  return g_test_run ();
}
