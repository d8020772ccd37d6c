/* SPDX-License-Identifier: MIT */
/*
 * Times hl_model_forward() on a model folder for several lengths of text, and the products of matrices that make up most of
 * it, beside the rate of one of 2048³.
 *
 *   bench-forward FOLDER
 */
#include "core/compute/hl-matmul.h"
#include "core/model/hl-model.h"

#include <stdio.h>

#define N_RUNS 15

static void
ignore_layer (const HlLayerProjections *layer,
              gpointer                  data)
{
}

/* Milliseconds of the fastest of several runs. */
static double
time_model (HlModel *model,
            gsize    n)
{
  g_autofree guint32 *ids = g_new (guint32, n);
  const HlModelInput input = { .ids = ids, .n_ids = n };
  double best = G_MAXDOUBLE;

  for (gsize i = 0; i < n; i++)
    ids[i] = 1000 + (guint32) (i * 7919 % 20000);
  for (guint run = 0; run < N_RUNS; run++)
    {
      g_autoptr (GError) error = NULL;
      const gint64 begin = g_get_monotonic_time ();

      if (!hl_model_forward (model, &input, ignore_layer, NULL, NULL, NULL, &error))
        g_error ("%s", error->message);
      best = MIN (best, (double) (g_get_monotonic_time () - begin) / 1000);
    }
  return best;
}

/* GFLOP/s of the fastest of several products. */
static double
rate_product (gsize m,
              gsize n,
              gsize k)
{
  g_autofree float *a = g_new0 (float, m *k);
  g_autofree float *b = g_new0 (float, n *k);
  g_autofree float *c = g_new (float, m *n);
  double best = 0;

  for (guint run = 0; run < N_RUNS; run++)
    {
      const gint64 begin = g_get_monotonic_time ();
      const guint n_times = m * n * k < (1u << 28) ? 10 : 1;

      for (guint i = 0; i < n_times; i++)
        hl_matmul (TRUE, m, n, k, 1, a, k, b, k, 0, c, n);
      best = MAX (best, 2e-3 * (double) (m * n * k) * n_times / (double) MAX (g_get_monotonic_time () - begin, 1));
    }
  return best;
}

int
main (int    argc,
      char **argv)
{
  static const gsize lengths[] = { 16, 128, 512 };
  g_autoptr (GError) error = NULL;

  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-forward FOLDER\n");
      return 2;
    }
  g_autoptr (GFile) folder = g_file_new_for_commandline_arg (argv[1]);
  g_autoptr (HlModel) model = hl_model_load (folder, &error);
  if (model == NULL)
    {
      fprintf (stderr, "%s: %s\n", argv[1], error->message);
      return 1;
    }
  printf ("2048 x 2048 x 2048: %.0f GFLOP/s\n", rate_product (2048, 2048, 2048));
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      const gsize n = MIN (lengths[i], hl_model_get_max_length (model));

      printf ("%4zu tokens: %7.2f ms; 384 x 384: %.0f, 1536 x 384: %.0f, 384 x 1536: %.0f GFLOP/s\n", n,
              time_model (model, n), rate_product (n, 384, 384), rate_product (n, 1536, 384),
              rate_product (n, 384, 1536));
    }
  return 0;
}
