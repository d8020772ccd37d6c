/* SPDX-License-Identifier: MIT */
/*
 * Times the ablation of all heads of a model folder.
 *
 *   bench-ablation FOLDER
 *
 * Reads numbers of tokens, one a line, and answers each with the milliseconds of one pass as it is and one for every head, so that who asks
 * can time something else in between; or "product M N K", with GFLOP/s.
 */
#include "core/experiment/hl-ablation.h"

#include <stdio.h>

#include "bench-product.h"

static void
add_effect (const HlHeadEdit       *edit,
            const HlAblationEffect *effect,
            gpointer                data)
{
  double *sum = data;

  *sum += effect->state_change;
}

static double
time_model (HlModel *model,
            gsize    n)
{
  g_autofree guint32 *ids = g_new (guint32, n);
  const HlModelInput input = { .ids = ids, .n_ids = n };
  g_autoptr (GError) error = NULL;
  gsize n_edits;
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    ids[i] = 1000 + (guint32) (i * 7919 % 20000);
  g_autoptr (HlModelCall) call = hl_model_call_new (model, &input);
  const gint64 begin = g_get_monotonic_time ();
  g_autofree HlHeadEdit *edits = hl_ablation_list_heads (call, HL_ATTENTION_SELF, HL_HEAD_ZERO, &n_edits);
  g_autoptr (HlAblation) ablation = hl_ablation_new (call, NULL, NULL, NULL, &error);
  if (ablation == NULL || !hl_ablation_run (ablation, edits, n_edits, add_effect, &sum, NULL, NULL, &error))
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
      fprintf (stderr, "usage: bench-ablation FOLDER\n");
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
