/* SPDX-License-Identifier: MIT */
/* What is known of the tokens of keys: which are special, which open, end or part texts, which are punctuation, and which are the same. */
#include "core/analysis/number/hl-head-keys.h"

#include "core/base/text/hl-text-hash.h"
#include "core/document/attention/hl-special-token.h"
#include "core/document/tokens/hl-token-text.h"

#include <string.h>

/* Names of special tokens without brackets, bars and lines, in small letters. */
static const char *const openers[] = {
  "cls", "s", "bos", "bot", "beginoftext", "startoftext", "beginofsentence", "sos", "startofsequence"
};
static const char *const ends[] = { "sep",           "/s",    "eos",  "eot", "eotid", "endoftext",
                                    "endofsentence", "imend", "eod",  "eom", "eomid", "endofturn",
                                    "endofsequence", "end",   "/inst" };

static gboolean
is_among (const char        *name,
          const char *const *names,
          guint              n)
{
  for (guint i = 0; i < n; i++)
    if (g_str_equal (name, names[i]))
      return TRUE;
  return FALSE;
}

/* "<|begin_of_text|>" is "beginoftext". */
static guint8
get_special_traits (const char *token)
{
  g_autoptr (GString) name = g_string_new (NULL);

  for (const char *c = token; *c != '\0'; c++)
    if (g_ascii_isalnum (*c) || *c == '/')
      g_string_append_c (name, g_ascii_tolower (*c));
  if (is_among (name->str, openers, G_N_ELEMENTS (openers)))
    return HL_HEAD_KEY_SPECIAL | HL_HEAD_KEY_CLS;
  return is_among (name->str, ends, G_N_ELEMENTS (ends)) ? HL_HEAD_KEY_SPECIAL | HL_HEAD_KEY_SEP : HL_HEAD_KEY_SPECIAL;
}

static gboolean
is_punctuation (gunichar c)
{
  switch (g_unichar_type (c))
    {
    case G_UNICODE_CONNECT_PUNCTUATION:
    case G_UNICODE_DASH_PUNCTUATION:
    case G_UNICODE_CLOSE_PUNCTUATION:
    case G_UNICODE_FINAL_PUNCTUATION:
    case G_UNICODE_INITIAL_PUNCTUATION:
    case G_UNICODE_OTHER_PUNCTUATION:
    case G_UNICODE_OPEN_PUNCTUATION:
      return TRUE;
    default:
      return FALSE;
    }
}

/* White space around it is the tokenizer's. */
static gboolean
is_all_punctuation (const char *text)
{
  gboolean has_any = FALSE;

  if (!g_utf8_validate (text, -1, NULL))
    return FALSE;
  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      const gunichar character = g_utf8_get_char (c);

      if (g_unichar_isspace (character))
        continue;
      if (!is_punctuation (character))
        return FALSE;
      has_any = TRUE;
    }
  return has_any;
}

/**
 * hl_head_keys_list_traits:
 * @attention: an attention
 *
 * Returns: (transfer full): of each key its #HlHeadKeyTraits; free with g_free()
 */
guint8 *
hl_head_keys_list_traits (HlAttention *attention)
{
  const gsize n = hl_attention_get_n (attention, HL_KEYS);
  const char *const *tokens = hl_attention_get_tokens (attention, HL_KEYS);
  guint8 *traits = g_new0 (guint8, MAX (n, 1));
  g_autoptr (GString) text = g_string_new (NULL);

  if (!hl_attention_has_tokens (attention, HL_KEYS))
    return traits;
  const HlTokenSpelling spelling = hl_token_spelling_detect (tokens, n);
  for (gsize key = 0; key < n; key++)
    {
      if (hl_attention_is_special_token (attention, HL_KEYS, key))
        {
          traits[key] = get_special_traits (tokens[key]);
          continue;
        }
      if (hl_special_token_is (tokens[key]))
        continue;
      g_string_truncate (text, 0);
      hl_token_spelling_append (spelling, tokens[key], text);
      if (is_all_punctuation (text->str))
        traits[key] = HL_HEAD_KEY_PUNCTUATION;
    }
  return traits;
}

/* White space around it is the tokenizer's, and the case of its letters that of the sentence. */
static char *
dup_bare (const char *text)
{
  if (!g_utf8_validate (text, -1, NULL))
    return g_strdup (text);
  g_autofree char *folded = g_utf8_casefold (text, -1);
  return g_strdup (g_strstrip (folded));
}

/**
 * hl_head_keys_list_tokens:
 * @attention: an attention
 *
 * Tells which keys are the same token, whatever white space is around it and whatever the case of its letters.
 *
 * Returns: (transfer full): of each key a number that it shares with those that are the same; 0 of a special one, and without tokens. Free with g_free()
 */
guint32 *
hl_head_keys_list_tokens (HlAttention *attention)
{
  const gsize n = hl_attention_get_n (attention, HL_KEYS);
  const char *const *tokens = hl_attention_get_tokens (attention, HL_KEYS);
  guint32 *numbers = g_new0 (guint32, MAX (n, 1));
  g_autoptr (GHashTable) known = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) text = g_string_new (NULL);

  if (!hl_attention_has_tokens (attention, HL_KEYS))
    return numbers;
  const HlTokenSpelling spelling = hl_token_spelling_detect (tokens, n);
  for (gsize key = 0; key < n; key++)
    {
      if (hl_special_token_is (tokens[key]))
        continue;
      g_string_truncate (text, 0);
      hl_token_spelling_append (spelling, tokens[key], text);
      char *bare = dup_bare (text->str);
      gpointer number = g_hash_table_lookup (known, bare);
      if (number == NULL)
        number = GUINT_TO_POINTER (g_hash_table_size (known) + 1);
      numbers[key] = GPOINTER_TO_UINT (number);
      g_hash_table_replace (known, bare, number);
    }
  return numbers;
}
