/* SPDX-License-Identifier: MIT */
/*
 * Times hl_line_raster_draw(): milliseconds for token counts and head counts, with weights that are
 * softmaxes of random scores, on a surface as tall as its rows (20 pixels each) and on one of 800
 * pixels.
 */
#include "draw/lines/hl-line-raster.h"
#include "draw/paint/hl-palette.h"

#include <math.h>
#include <stdio.h>

#define WIDTH 800
#define ROW 20.0
#define N_RUNS 3

static float *
make_weights (gsize  n,
              GRand *random)
{
  float *weights = g_new (float, n *n);

  for (gsize i = 0; i < n; i++)
    {
      double sum = 0.0;

      for (gsize j = 0; j < n; j++)
        sum += weights[i * n + j] = (float) exp (g_rand_double_range (random, 0.0, 8.0));
      for (gsize j = 0; j < n; j++)
        weights[i * n + j] /= (float) sum;
    }

  return weights;
}

/* The least of several runs. */
static double
measure (gsize n,
         gsize n_heads,
         int   height)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autofree double *y = g_new (double, n);
  g_autofree HlLineLayer *layers = g_new (HlLineLayer, n_heads);
  HlLineGeometry geometry = { 0.0, WIDTH, y, n, y, n, 1.2 };
  double best = G_MAXDOUBLE;

  for (gsize i = 0; i < n; i++)
    y[i] = (i + 0.5) * height / n;
  for (gsize head = 0; head < n_heads; head++)
    {
      layers[head] = (HlLineLayer){
        .weights = make_weights (n, random),
        .row_stride = n,
        .colour = hl_palette_get_head_colour ((guint) head, FALSE),
      };
      layers[head].colour.a = 1.0f / n_heads;
    }

  for (guint run = 0; run < N_RUNS; run++)
    {
      cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, height);
      g_autoptr (GError) error = NULL;
      gint64 begin = g_get_monotonic_time ();

      if (!hl_line_raster_draw (surface, &geometry, layers, n_heads, NULL, &error))
        g_error ("%s", error->message);
      best = MIN (best, (g_get_monotonic_time () - begin) / 1000.0);
      cairo_surface_destroy (surface);
    }

  for (gsize head = 0; head < n_heads; head++)
    g_free ((float *) layers[head].weights);

  return best;
}

int
main (void)
{
  static const gsize tokens[] = { 128, 256, 512 };
  static const gsize heads[] = { 1, 12, 16 };

  printf ("line raster, %d pixels wide, all lines, ms\n", WIDTH);
  printf ("%8s %8s %14s %14s\n", "tokens", "heads", "20 px a row", "800 px tall");
  for (guint t = 0; t < G_N_ELEMENTS (tokens); t++)
    {
      for (guint h = 0; h < G_N_ELEMENTS (heads); h++)
        printf ("%8zu %8zu %14.1f %14.1f\n", tokens[t], heads[h],
                measure (tokens[t], heads[h], (int) (tokens[t] * ROW)), measure (tokens[t], heads[h], 800));
    }

  return 0;
}
