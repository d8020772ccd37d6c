/* SPDX-License-Identifier: MIT */
/* Any bytes as a tokenizer.json: what its tokenizer makes of two texts, and its tokens. */
#include "fuzz.h"

#include "core/tokenizer/hl-tokenizer.h"

#include <string.h>

static const char text[] = "Hello  ab aab 123\n\n<mask></s>[MASK] über ▁\342\200\203汉A\314\201";

static void
check (const GError *error)
{
  if (error != NULL)
    g_assert (g_utf8_validate (error->message, -1, NULL) && strchr (error->message, '\n') == NULL);
}

static void
encode (HlTokenizer *tokenizer,
        const char  *second,
        guint        max_length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlEncoding) encoding = hl_tokenizer_encode (tokenizer, text, second, max_length, &error);

  g_assert ((encoding == NULL) == (error != NULL));
  check (error);
  for (guint i = 0; encoding != NULL && i < encoding->n_tokens; i++)
    {
      const char *token = hl_tokenizer_get_token (tokenizer, encoding->ids[i]);

      g_assert (token == NULL || g_utf8_validate (token, -1, NULL));
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTokenizer) tokenizer = hl_tokenizer_new_from_json ((const char *) bytes, size, &error);

  g_assert ((tokenizer == NULL) == (error != NULL));
  check (error);
  if (tokenizer != NULL)
    {
      encode (tokenizer, NULL, G_MAXUINT);
      encode (tokenizer, text + 7, 12);
    }
  return 0;
}
