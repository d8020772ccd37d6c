/* SPDX-License-Identifier: MIT */
/* Tokens as the text they stand for. */
#include "core/document/tokens/hl-token-text.h"

#include "core/document/tokens/hl-special-token.h"
#include "core/document/tokens/hl-token-spelling.h"

#include <string.h>

/* The space before a word says nothing that its place does not say; a token of nothing else is one. */
static const char *
skip_space (const GString *text)
{
  const char *start = text->str;

  while (*start == ' ')
    start++;
  return *start != '\0' && !g_ascii_isspace (*start) ? start : text->str;
}

/* Characters as they are, bytes that are none as ‹E2›‹80›. */
static char *
make_readable (const char *bytes,
               gsize       length)
{
  GString *text = g_string_sized_new (length + 8);
  const char *end = bytes + length;

  while (bytes < end)
    {
      const gunichar c = g_utf8_get_char_validated (bytes, end - bytes);

      if ((gint32) c >= 0 && c != 0)
        {
          g_string_append_unichar (text, c);
          bytes += g_utf8_skip[(guchar) *bytes];
          continue;
        }
      if (*bytes == '\0')
        g_string_append (text, "␀");
      else
        g_string_append_printf (text, "‹%02X›", (guchar) *bytes);
      bytes++;
    }
  return g_string_free (text, FALSE);
}

static char *
make_label (HlTokenSpelling spelling,
            const char     *token,
            GString        *scratch)
{
  const char *start;

  /* Marks of what does not stand for a space are how one sees that a word goes on. */
  if (hl_special_token_is (token) || spelling == HL_TOKEN_SPELLING_WORD_PIECE ||
      spelling == HL_TOKEN_SPELLING_CONTINUED)
    return g_strdup (token);
  g_string_truncate (scratch, 0);
  hl_token_spelling_append (spelling, token, scratch);
  start = skip_space (scratch);
  return make_readable (start, scratch->len - (gsize) (start - scratch->str));
}

/**
 * hl_token_text_make_labels:
 * @tokens: (array length=n): the tokens of a text, in order, as the tokenizer spells them
 * @n: how many
 *
 * Writes each token as the text it stands for, so that pieces of byte-level vocabularies can be read in every script.
 * Space before a text is left out, as others do. Bytes that are a part of a character only are written as numbers,
 * ‹E2›‹80›. `##ing` and special tokens stay as they are.
 *
 * Returns: (transfer full) (array zero-terminated=1): @n texts, valid UTF-8
 */
char **
hl_token_text_make_labels (const char *const *tokens,
                           gsize              n)
{
  const HlTokenSpelling spelling = hl_token_spelling_detect (tokens, n);
  g_autoptr (GString) scratch = g_string_new (NULL);
  char **labels = g_new0 (char *, n + 1);

  for (gsize i = 0; i < n; i++)
    labels[i] = make_label (spelling, tokens[i], scratch);
  return labels;
}

/**
 * hl_token_text_make_words:
 * @tokens: (array): the tokens of a text, in order, as the tokenizer spells them; as many as @map has
 * @map: which of them are shown as one
 *
 * Writes each span of a map as the text that it stands for, without marks.
 *
 * Returns: (transfer full) (array zero-terminated=1): a text for each span, valid UTF-8
 */
char **
hl_token_text_make_words (const char *const *tokens,
                          const HlTokenMap  *map)
{
  const HlTokenSpelling spelling =
    hl_token_spelling_detect (tokens, hl_token_map_get_n_tokens (map));
  const HlTokenSpan *spans = hl_token_map_get_spans (map);
  const gsize n = hl_token_map_get_n (map);
  g_autoptr (GString) scratch = g_string_new (NULL);
  char **words = g_new0 (char *, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      const char *start;

      if (spans[i].n == 1)
        {
          words[i] = make_label (spelling, tokens[spans[i].first], scratch);
          continue;
        }
      g_string_truncate (scratch, 0);
      for (gsize token = spans[i].first; token < spans[i].first + spans[i].n; token++)
        hl_token_spelling_append (spelling, tokens[token], scratch);
      start = skip_space (scratch);
      words[i] = make_readable (start, scratch->len - (gsize) (start - scratch->str));
    }
  return words;
}
