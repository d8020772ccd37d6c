/* SPDX-License-Identifier: MIT */
/* Any bytes as a model of SentencePiece, for each family: its tokenizer, and what that makes of two texts. */
#include "fuzz.h"

#include "core/tokenizer/pieces/hl-piece-tokenizer.h"

#include <string.h>

static const char text[] = "Hello  ab aab 123\n\n<mask></s> über ▁\342\200\203汉A\314\201";
static const char *const families[] = { "xlm-roberta", "camembert", "t5", "albert", "deberta-v2", "llama", "gemma" };

static void
check (const GError *error)
{
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL) && strchr (error->message, '\n') == NULL);
}

static void
encode (const HlPieceFile    *file,
        const char           *family,
        const HlPieceOptions *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_new_from_pieces (file, hl_piece_kind_find (family), options, &error);

  g_assert ((tokenizer == NULL) == (error != NULL));
  check (error);
  if (tokenizer == NULL)
    return;
  g_autoptr (GError) local = NULL;
  g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, text, text + 7, 40, &local);
  g_assert ((encoding == NULL) == (local != NULL));
  check (local);
  for (guint i = 0; encoding != NULL && i < encoding->n_tokens; i++)
    g_assert (encoding->ids[i] < hl_tokenizer_get_n_tokens (tokenizer));
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  static const HlPieceOptions options[] = {
    { .begin = TRUE, .end = TRUE },
    { .lower = TRUE, .split_punctuation = TRUE, .prefix = HL_PIECE_PREFIX_ALWAYS },
    { .keep_accents = TRUE, .prefix = HL_PIECE_PREFIX_FIRST },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (HlPieceFile) file = hl_piece_file_parse (g_memdup2 (bytes, MAX (size, 1)), size, &error);

  g_assert ((file == NULL) == (error != NULL));
  check (error);
  for (guint i = 0; file != NULL && i < G_N_ELEMENTS (families) * G_N_ELEMENTS (options); i++)
    encode (file, families[i / G_N_ELEMENTS (options)], &options[i % G_N_ELEMENTS (options)]);
  return 0;
}
