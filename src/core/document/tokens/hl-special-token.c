/* SPDX-License-Identifier: MIT */
/* Which tokens stand around a text and are not of it, told by their spelling: a dump says nothing else. */
#include "core/document/tokens/hl-special-token.h"

#include <string.h>

static gboolean
is_name (const char *text,
         gsize       length,
         const char *others)
{
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && strchr (others, text[i]) == NULL)
      return FALSE;
  return length > 0;
}

/**
 * hl_special_token_is:
 * @token: a token as a tokenizer spells it
 *
 * Tokenizers set their special tokens apart by brackets: `[CLS]`, `[/INST]`, `<s>`, `</s>`, `<pad>`, `<|endoftext|>`,
 * `<start_of_turn>`, `<｜User｜>` with bars of full width. Bytes that SentencePiece falls back to, `<0x0A>`, are text.
 *
 * Returns: whether it is spelt like a special token
 */
gboolean
hl_special_token_is (const char *token)
{
  const gsize length = strlen (token);

  if (length < 3)
    return FALSE;
  if (token[0] == '[' && token[length - 1] == ']')
    {
      const gsize slash = token[1] == '/';
      return g_ascii_isupper (token[1 + slash]) && is_name (token + 1 + slash, length - 2 - slash, "_");
    }
  if (length > 8 && g_str_has_prefix (token, "<｜") && g_str_has_suffix (token, "｜>"))
    return memchr (token, ' ', length) == NULL;
  if (token[0] != '<' || token[length - 1] != '>' || (length == 6 && g_str_has_prefix (token, "<0x")))
    return FALSE;
  if (token[1] == '|' && length > 4 && token[length - 2] == '|')
    return is_name (token + 2, length - 4, "_-");
  const gsize slash = token[1] == '/';
  return is_name (token + 1 + slash, length - 2 - slash, "_-");
}
