/* SPDX-License-Identifier: MIT */
/* What a tokenizer makes of the corpus: the MD5 sum of the ids of each hundred cases, a line each. */
#include "core/tokenizer/gguf/hl-gguf-tokenizer.h"

#include "test-tokenizer-corpus.h"

#include <stdio.h>

static void
add_number (GChecksum *sum,
            guint32    number)
{
  number = GUINT32_TO_LE (number);
  g_checksum_update (sum, (const guchar *) &number, sizeof number);
}

int
main (int   argc,
      char *argv[])
{
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (argv[1]);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_open (file, &error);
  const guint n_cases = test_corpus_get_n_cases ();
  TestCorpus corpus;

  if (tokenizer == NULL)
    g_error ("%s", error->message);
  g_test_init (&argc, &argv, NULL);
  test_corpus_init (&corpus);
  for (guint first = 0; first < n_cases; first += TEST_CORPUS_BLOCK)
    {
      g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);
      for (guint i = first; i < MIN (first + TEST_CORPUS_BLOCK, n_cases); i++)
        {
          g_autofree char *text = NULL;
          g_autofree char *pair = NULL;
          guint max_length;
          test_corpus_get_case (&corpus, i, &text, &pair, &max_length);
          g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, text, NULL, 0, &error);
          if (encoding == NULL)
            g_error ("%s", error->message);
          add_number (sum, encoding->n_tokens);
          for (guint j = 0; j < encoding->n_tokens; j++)
            add_number (sum, encoding->ids[j]);
        }
      printf ("sum %.16s\n", g_checksum_get_string (sum));
    }
  test_corpus_clear (&corpus);
  return 0;
}
