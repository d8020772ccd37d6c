/* SPDX-License-Identifier: MIT */
/*
 * Times the forward pass of a model folder, with queries and keys of all layers kept, as hl-qk-source needs them.
 *
 *   bench-forward FOLDER
 *
 * Reads numbers of tokens, one a line, and answers each with the milliseconds of one pass, so that who asks can time
 * something else in between; or "product M N K", with GFLOP/s.
 */
#include "core/model/hl-model.h"

#include <stdio.h>
#include <string.h>

#include "bench-product.h"

/* Keeps what attention follows from. */
static void
keep_layer (const HlLayerProjections *layer,
            gpointer                  data)
{
  GPtrArray *kept = data;
  const gsize row = layer->head_size * sizeof (float);

  g_ptr_array_add (kept, g_memdup2 (layer->queries, layer->n_heads * layer->n_queries * row));
  g_ptr_array_add (kept, g_memdup2 (layer->keys, layer->n_key_heads * layer->n_keys * row));
}

/* Milliseconds of one pass. */
static double
time_model (HlModel *model,
            gsize    n)
{
  g_autofree guint32 *ids = g_new (guint32, n);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  const HlModelInput input = { .ids = ids, .n_ids = n };

  for (gsize i = 0; i < n; i++)
    ids[i] = 1000 + (guint32) (i * 7919 % 20000);
  const gint64 begin = g_get_monotonic_time ();
  if (!hl_model_forward (model, &input, keep_layer, kept, NULL, NULL, &error))
    g_error ("%s", error->message);
  return (double) (g_get_monotonic_time () - begin) / 1000;
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError) error = NULL;
  char line[100];

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
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      gsize m, n, k;

      if (sscanf (line, "product %zu %zu %zu", &m, &n, &k) == 3)
        printf ("%.1f\n", bench_rate_product (m, n, k));
      else if (sscanf (line, "%zu", &n) == 1)
        printf ("%.3f\n", time_model (model, n));
      fflush (stdout);
    }
  return 0;
}
