/* SPDX-License-Identifier: MIT */
/*
 * Times the tokens that a model writes, beside reading its weights once.
 *
 *   bench-generation FOLDER
 *
 * Prints milliseconds a token, the median of those behind some texts, milliseconds of reading all weights in turn with the same threads,
 * and the one over the other. Both are measured alternately, as what else the machine does changes from second to second.
 */
#include "bench-reading.h"

#include "core/predict/hl-generation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_TOKENS 60
#define TEXT 32

static int
compare (const void *a,
         const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
get_median (double *numbers,
            gsize   n)
{
  qsort (numbers, n, sizeof *numbers, compare);
  return numbers[n / 2];
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError) error = NULL;
  guint32 ids[TEXT];
  double tokens[N_TOKENS], readings[N_TOKENS];
  const HlModelInput input = { .ids = ids, .n_ids = TEXT };
  const HlGenerationOptions options = { .max_tokens = N_TOKENS, .temperature = 2, .seed = 1 };
  guint n = 0;
  guint32 id;

  if (argc != 2)
    {
      fprintf (stderr, "usage: bench-generation FOLDER\n");
      return 2;
    }
  g_autofree char *path = g_build_filename (argv[1], "model.safetensors", NULL);
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, &error);
  g_autoptr (GFile) folder = g_file_new_for_commandline_arg (argv[1]);
  g_autoptr (HlModel) model = file != NULL ? hl_model_load (folder, &error) : NULL;
  g_autoptr (HlUnembedding) head = model != NULL ? hl_unembedding_load (model, &error) : NULL;
  g_autoptr (HlGeneration) generation = NULL;
  for (guint i = 0; i < TEXT; i++)
    ids[i] = 1000 + i * 7919 % 20000;
  if (head != NULL)
    generation = hl_generation_new (head, &input, &options, &error);
  /* The first takes the text through the model. */
  if (generation == NULL || !hl_generation_next (generation, &id, NULL, &error))
    {
      fprintf (stderr, "%s: %s\n", argv[1], error->message);
      return 1;
    }
  for (; n < N_TOKENS; n++)
    {
      const gint64 begin = g_get_monotonic_time ();
      if (!hl_generation_next (generation, &id, NULL, &error))
        break;
      tokens[n] = (double) (g_get_monotonic_time () - begin) / 1000;
      readings[n] = bench_time_reading (g_mapped_file_get_contents (file), g_mapped_file_get_length (file));
    }
  const double token = get_median (tokens, n), reading = get_median (readings, n);
  printf ("generation-token %.3f ms\n", token);
  printf ("generation-reading-the-weights %.3f ms\n", reading);
  printf ("generation-token-over-reading %.3f times\n", token / reading);
  return 0;
}
