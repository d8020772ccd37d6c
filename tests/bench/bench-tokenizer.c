/* SPDX-License-Identifier: MIT */
/*
 * Times the tokenizer of a model folder.
 *
 *   bench-tokenizer FOLDER TEXT
 *
 * Answers each line of its input with the seconds that all lines of the file TEXT take, one after the other.
 */
#include "core/tokenizer/hl-tokenizer.h"

#include <stdio.h>

/* Seconds of all lines. */
static double
time_lines (HlTokenizer *tokenizer,
            char       **lines)
{
  const gint64 begin = g_get_monotonic_time ();

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, lines[i], NULL, 0, &error);

      if (encoding == NULL)
        g_error ("line %u: %s", i + 1, error->message);
    }
  return (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  char line[10];

  if (argc != 3)
    {
      fprintf (stderr, "usage: bench-tokenizer FOLDER TEXT\n");
      return 2;
    }
  g_autoptr (GFile) folder = g_file_new_for_commandline_arg (argv[1]);
  g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_load (folder, &error);
  if (tokenizer == NULL || !g_file_get_contents (argv[2], &text, NULL, &error))
    {
      fprintf (stderr, "bench-tokenizer: %s\n", error->message);
      return 1;
    }
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      printf ("%.6f\n", time_lines (tokenizer, lines));
      fflush (stdout);
    }
  return 0;
}
