/* SPDX-License-Identifier: MIT */
/*
 * Times the choice of the head that is seen first.
 *
 *   bench-first-head FILE
 *
 * Milliseconds, of the dump in FILE and of 12 × 12 maps of 512 tokens by chance, which are more than are measured whole.
 */
#include "core/analysis/hl-first-head.h"
#include "core/source/make/hl-source-factory.h"

#include "core/test-attentions.h"

#include <stdio.h>
#include <stdlib.h>

#define RUNS 7

static int
compare (const void *a,
         const void *b)
{
  return *(const double *) a < *(const double *) b ? -1 : *(const double *) a > *(const double *) b;
}

/* The median of several runs, each with a new source. */
static void
report (const char  *name,
        HlAttention *attention)
{
  double times[RUNS];
  HlFirstHead choice;

  for (guint i = 0; i < RUNS; i++)
    {
      g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
      g_autoptr (GError) error = NULL;
      const gint64 begin = g_get_monotonic_time ();

      if (!hl_first_head_choose (attention, source, NULL, &choice, NULL, &error))
        g_error ("%s", error->message);
      times[i] = (double) (g_get_monotonic_time () - begin) / 1000;
    }
  qsort (times, RUNS, sizeof *times, compare);
  printf ("%s %g ms\n", name, times[RUNS / 2]);
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GError) error = NULL;

  if (argc != 2)
    return 2;
  g_autoptr (GFile) file = g_file_new_for_path (argv[1]);
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  if (document == NULL)
    g_error ("%s", error->message);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  if (example == NULL)
    g_error ("%s", error->message);
  report ("first-head-sample", hl_example_get_attention (example, 0));
  g_autofree float *weights = test_make_weights (1, 144, 512, 512);
  g_autoptr (HlAttention) large = test_make_attention (12, 12, 512, 512, weights);
  report ("first-head-12x12x512", large);
  return 0;
}
