/* SPDX-License-Identifier: MIT */
/* Which tokens each annotated word is made of: by where they come from in the text, or, of tokens that somebody saved, by how they are spelled. */
#include "core/analysis/corpus/hl-word-runs.h"

#include "core/base/hl-error.h"
#include "core/base/hl-utf8.h"
#include "core/document/tokens/hl-token-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Bytes of the longest character of UTF-8. */
#define MAX_CHARACTER 4

/**
 * hl_word_runs_find_by_offsets:
 * @annotation: words
 * @starts: (array): where each begins in the text that hl_annotation_make_text() makes of them
 * @encoding: the tokens of that text
 * @n_positions: how many tokens there are in the attention, if it has fewer
 *
 * A token belongs to the first word that it comes from, and a space to the word behind it. A word may have none: one that shares its token with the word before it, or that was cut
 * off.
 *
 * Returns: (transfer full): the tokens of each word; free with g_free()
 */
HlTokenSpan *
hl_word_runs_find_by_offsets (const HlAnnotation *annotation,
                              const gsize        *starts,
                              const HlEncoding   *encoding,
                              gsize               n_positions)
{
  const guint n_words = hl_annotation_get_n (annotation);
  HlTokenSpan *runs = g_new0 (HlTokenSpan, MAX (n_words, 1));
  gsize first = 0; /* of the tokens that no word has yet */
  guint word = 0;

  for (gsize i = 0; i < MIN (encoding->n_tokens, n_positions); i++)
    {
      const HlOffsets *offsets = &encoding->offsets[i];

      if (encoding->special[i])
        first = i + 1;
      /* Tokens come in the order of the text; one may have been trimmed to nothing. */
      const gsize end = MAX (offsets->end, offsets->start + 1u);
      while (word < n_words &&
             starts[word] + strlen (hl_annotation_get_word (annotation, word)->form) <= offsets->start)
        word++;
      if (encoding->special[i] || word == n_words || starts[word] >= end)
        continue;
      if (runs[word].n == 0)
        runs[word].first = first;
      runs[word].n = i + 1 - runs[word].first;
      first = i + 1;
    }
  return runs;
}

/* Letters without case, accents and spaces: how vocabularies without case spell them. NULL for what is no whole text. */
static char *
fold (const char *text,
      gsize       size)
{
  if (!g_utf8_validate_len (text, size, NULL))
    return NULL;
  g_autofree char *copy = g_strndup (text, size);
  g_autofree char *without_case = g_utf8_casefold (copy, -1);
  g_autofree char *apart = g_utf8_normalize (without_case, -1, G_NORMALIZE_ALL);
  GString *folded = g_string_new (NULL);

  for (const char *c = apart; *c != '\0'; c = g_utf8_next_char (c))
    {
      const gunichar unicode = g_utf8_get_char (c);
      if (!g_unichar_ismark (unicode) && !g_unichar_isspace (unicode))
        g_string_append_unichar (folded, unicode);
    }
  return g_string_free (folded, FALSE);
}

static gboolean
is_unknown (const char *token)
{
  return g_ascii_strcasecmp (token, "[UNK]") == 0 || g_ascii_strcasecmp (token, "<unk>") == 0;
}

static gboolean
fail (GError            **error,
      const HlAnnotation *annotation,
      guint               word,
      const char *const  *tokens,
      gsize               n,
      gsize               at)
{
  g_autofree char *form = hl_utf8_shorten (hl_annotation_get_word (annotation, word)->form, 40);

  if (at < n)
    {
      g_autofree char *token = hl_utf8_shorten (tokens[at], 40);
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("the annotations do not fit: word %u is “%s”, and token %zu is “%s”"), word + 1, form, at, token);
    }
  else
    g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("the annotations do not fit: there is no token for word %u, “%s”"),
                 word + 1, form);
  return FALSE;
}

/* Whether a token spells nothing by itself: a space, an accent of the letter before it. */
static gboolean
is_nothing (const char     *token,
            HlTokenSpelling spelling)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (hl_special_token_is (token))
    return FALSE;
  hl_token_spelling_append (spelling, token, text);
  g_autofree char *folded = fold (text->str, text->len);
  return folded != NULL && *folded == '\0';
}

/* Takes the characters that are whole from @text, and what they spell from the beginning of @wanted. A character may be in several tokens. */
static gboolean
consume (GString     *text,
         const char **wanted)
{
  const char *end;

  g_utf8_validate_len (text->str, text->len, &end);
  const gsize whole = (gsize) (end - text->str);
  g_autofree char *folded = fold (text->str, whole);
  if (!g_str_has_prefix (*wanted, folded))
    return FALSE;
  *wanted += strlen (folded);
  g_string_erase (text, 0, (gssize) whole);
  return text->len < MAX_CHARACTER;
}

/* The tokens from @first on that spell @form. */
static gboolean
find_run (const char *const *tokens,
          gsize              n,
          HlTokenSpelling    spelling,
          gsize              first,
          const char        *form,
          HlTokenSpan       *run)
{
  g_autofree char *folded = fold (form, strlen (form));
  g_autoptr (GString) text = g_string_new (NULL);
  const char *wanted = folded;

  *run = (HlTokenSpan){ first, 1 };
  if (is_unknown (tokens[first]) || strcmp (tokens[first], form) == 0)
    return TRUE;
  for (gsize i = first; i < n; i++)
    {
      if (hl_special_token_is (tokens[i]))
        return FALSE;
      hl_token_spelling_append (spelling, tokens[i], text);
      run->n = i + 1 - first;
      if (!consume (text, &wanted))
        return FALSE;
      if (*wanted == '\0' && text->len == 0)
        return TRUE;
    }
  return FALSE;
}

/**
 * hl_word_runs_find_by_text:
 * @annotation: words
 * @tokens: (array length=n): tokens as a tokenizer spells them
 * @n: how many
 * @error: %HL_ERROR_VALUE for the first word that is not where it should be
 *
 * Case, accents and spaces do not count; a token for what is unknown stands for a word. Special tokens are none of the words.
 *
 * Returns: (transfer full) (nullable): the tokens of each word, at least one each; free with g_free()
 */
HlTokenSpan *
hl_word_runs_find_by_text (const HlAnnotation *annotation,
                           const char *const  *tokens,
                           gsize               n,
                           GError            **error)
{
  const guint n_words = hl_annotation_get_n (annotation);
  const HlTokenSpelling spelling = hl_token_spelling_detect (tokens, n);
  g_autofree HlTokenSpan *runs = g_new0 (HlTokenSpan, MAX (n_words, 1));
  gsize at = 0;

  for (guint word = 0; word < n_words; word++)
    {
      const char *form = hl_annotation_get_word (annotation, word)->form;

      while (at < n && hl_special_token_is (tokens[at]) && !is_unknown (tokens[at]) && strcmp (tokens[at], form) != 0)
        at++;
      if (at == n || !find_run (tokens, n, spelling, at, form, &runs[word]))
        {
          fail (error, annotation, word, tokens, n, at);
          return NULL;
        }
      while (at + runs[word].n < n && is_nothing (tokens[at + runs[word].n], spelling))
        runs[word].n++;
      at += runs[word].n;
    }
  for (; at < n; at++)
    if (!hl_special_token_is (tokens[at]))
      {
        g_autofree char *token = hl_utf8_shorten (tokens[at], 40);
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                     _ ("the annotations do not fit: behind the last of %u words there is token %zu, “%s”"), n_words,
                     at, token);
        return NULL;
      }
  return g_steal_pointer (&runs);
}
