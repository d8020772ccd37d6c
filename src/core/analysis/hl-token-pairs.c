/* SPDX-License-Identifier: MIT */
/* Pairs of words as people write them, “her → Sarah”, found among the tokens of an attention. */
#include "core/analysis/hl-token-pairs.h"

#include "core/base/text/hl-bidi.h"
#include "core/base/hl-utf8.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Of what somebody wrote, in a sentence about it. */
#define MAX_SHOWN 80

struct _HlTokenPairs
{
  gatomicrefcount n_refs;
  GArray *pairs;
};

static void
clear_pair (gpointer data)
{
  g_free (((HlTokenPair *) data)->label);
}

/* Where a number begins that says which of several: “her#2”. */
static const char *
find_number (const char *text)
{
  const char *mark = strrchr (text, '#');

  return mark != NULL && mark[1] != '\0' && strspn (mark + 1, "0123456789") == strlen (mark + 1) ? mark : NULL;
}

static void
set_missing (GError    **error,
             gboolean    is_key,
             const char *text)
{
  g_autofree char *shown = hl_utf8_quote (text, strlen (text), MAX_SHOWN);

  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               is_key ? _ ("there is no “%s” among the keys") : _ ("there is no “%s” among the queries"), shown);
}

/* “#7-9” are the tokens at the indices 7 to 9. */
static gboolean
find_span (const char *text,
           gsize       n_tokens,
           HlTokenRun *run)
{
  guint64 first, last;

  if (*text != '#')
    return FALSE;
  g_auto (GStrv) ends = g_strsplit (text + 1, "-", 3);
  if (g_strv_length (ends) != 2 || !g_ascii_string_to_unsigned (ends[0], 10, 0, G_MAXUINT, &first, NULL) ||
      !g_ascii_string_to_unsigned (ends[1], 10, 0, G_MAXUINT, &last, NULL) || first > last || last >= n_tokens)
    return FALSE;
  *run = (HlTokenRun){ first, last - first + 1 };
  return TRUE;
}

/* “#7” is the token at index 7, “her#2” the second “her”. */
static gboolean
find_numbered (HlTokenMatcher *matcher,
               const char     *text,
               gboolean        is_key,
               gsize           n_tokens,
               HlTokenRun     *run,
               GError        **error)
{
  const char *mark = find_number (text);
  guint64 number;

  if (mark == NULL || !g_ascii_string_to_unsigned (mark + 1, 10, 0, G_MAXUINT, &number, NULL))
    {
      set_missing (error, is_key, text);
      return FALSE;
    }
  if (mark == text)
    {
      *run = (HlTokenRun){ number, 1 };
      if (number < n_tokens)
        return TRUE;
      set_missing (error, is_key, text);
      return FALSE;
    }

  g_autofree char *word = g_strndup (text, (gsize) (mark - text));
  const guint n = hl_token_matcher_find (matcher, word, (guint) number - 1, run);
  if (number >= 1 && number <= n)
    return TRUE;
  if (n == 0)
    {
      set_missing (error, is_key, word);
      return FALSE;
    }
  g_autofree char *shown = hl_utf8_quote (word, strlen (word), MAX_SHOWN);
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING,
               is_key ? g_dngettext (GETTEXT_PACKAGE, "“%s” is there %u time among the keys",
                                     "“%s” is there %u times among the keys", n)
                      : g_dngettext (GETTEXT_PACKAGE, "“%s” is there %u time among the queries",
                                     "“%s” is there %u times among the queries", n),
               shown, n);
  return FALSE;
}

static gboolean
find_any (HlTokenMatcher *matcher,
          const char     *text,
          gboolean        is_key,
          gsize           n_tokens,
          HlTokenRun     *run,
          GError        **error)
{
  const guint n = hl_token_matcher_find (matcher, text, 0, run);

  if (n == 1)
    return TRUE;
  if (n == 0 && find_span (text, n_tokens, run))
    return TRUE;
  if (n == 0)
    return find_numbered (matcher, text, is_key, n_tokens, run, error);
  g_autofree char *shown = hl_utf8_quote (text, strlen (text), MAX_SHOWN);
  g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
               is_key ? _ ("“%s” is there %u times among the keys: write %s#1 to %s#%u")
                      : _ ("“%s” is there %u times among the queries: write %s#1 to %s#%u"),
               shown, n, shown, shown, n);
  return FALSE;
}

static gboolean
find (HlTokenMatcher *matcher,
      const char     *text,
      gboolean        is_key,
      gsize           n_tokens,
      HlTokenRun     *run,
      GError        **error)
{
  g_autoptr (GError) local = NULL;

  find_any (matcher, text, is_key, n_tokens, run, &local);
  if (hl_token_matcher_gave_up (matcher))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is too much text to look for so many words in it"));
      return FALSE;
    }
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* Parts “her → Sarah”. A colon may be a token itself, so that the others come first. */
static gboolean
split (const char *line,
       char      **query,
       char      **key)
{
  static const char *const separators[] = { "→", "->", "\t", ":" };

  for (guint i = 0; i < G_N_ELEMENTS (separators); i++)
    {
      const char *at = strstr (line + 1, separators[i]);
      if (at == NULL)
        continue;
      *query = g_strstrip (g_strndup (line, (gsize) (at - line)));
      *key = g_strstrip (g_strdup (at + strlen (separators[i])));
      if (**query != '\0' && **key != '\0')
        return TRUE;
      g_clear_pointer (query, g_free);
      g_clear_pointer (key, g_free);
    }
  return FALSE;
}

static gboolean
parse_pair (const char     *line,
            HlAttention    *attention,
            HlTokenMatcher *queries,
            HlTokenMatcher *keys,
            HlTokenPair    *pair,
            GError        **error)
{
  g_autofree char *query = NULL;
  g_autofree char *key = NULL;

  g_autofree char *plain = hl_bidi_strip (line);

  if (*plain == '\0' || !split (plain, &query, &key))
    {
      g_autofree char *shown = hl_utf8_quote (line, strlen (line), MAX_SHOWN);
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” is no pair: write “query → key”"), shown);
      return FALSE;
    }
  if (!find (queries, query, FALSE, hl_attention_get_n (attention, HL_QUERIES), &pair->queries, error) ||
      !find (keys, key, TRUE, hl_attention_get_n (attention, HL_KEYS), &pair->keys, error))
    return FALSE;
  pair->label = g_strdup_printf ("%s → %s", query, key);
  return TRUE;
}

/**
 * hl_token_pairs_parse:
 * @attention: whose tokens they are
 * @text: UTF-8, a pair a line: query and key with “→”, “->”, a tabulator or “:” between them
 * @error: %HL_ERROR_MISSING for a word that is not there, %HL_ERROR_VALUE for one that is there several times or a line that is no pair,
 *   %HL_ERROR_TOO_LARGE
 *
 * Finds pairs of words, each with all its pieces. “her#2” is the second “her”, “#7” the token at index 7, “#7-9” those from 7 to 9. Empty lines do not count.
 *
 * Returns: (transfer full) (nullable): the pairs, at least one
 */
HlTokenPairs *
hl_token_pairs_parse (HlAttention *attention,
                      const char  *text,
                      GError     **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);
  g_return_val_if_fail (text != NULL, NULL);

  g_autoptr (HlTokenMatcher) queries =
    hl_token_matcher_new (hl_attention_get_tokens (attention, HL_QUERIES), hl_attention_get_n (attention, HL_QUERIES));
  g_autoptr (HlTokenMatcher)
    keys = hl_token_matcher_new (hl_attention_get_tokens (attention, HL_KEYS), hl_attention_get_n (attention, HL_KEYS));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (HlTokenPairs) self = g_new0 (HlTokenPairs, 1);

  g_atomic_ref_count_init (&self->n_refs);
  self->pairs = g_array_new (FALSE, TRUE, sizeof (HlTokenPair));
  g_array_set_clear_func (self->pairs, clear_pair);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      HlTokenPair pair = { 0 };

      if (*g_strstrip (lines[i]) == '\0')
        continue;
      if (self->pairs->len == HL_LIMIT_PAIRS)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there are more than %d pairs"), HL_LIMIT_PAIRS);
          return NULL;
        }
      if (!parse_pair (lines[i], attention, queries, keys, &pair, error))
        {
          /* Translators: the number of a line, then what is wrong there */
          if (lines[1] != NULL)
            g_prefix_error (error, _ ("line %u: "), i + 1);
          return NULL;
        }
      g_array_append_val (self->pairs, pair);
    }
  if (self->pairs->len > 0)
    return g_steal_pointer (&self);
  g_set_error_literal (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no pair: write “query → key”"));
  return NULL;
}

/**
 * hl_token_run_find:
 * @attention: whose tokens they are
 * @side: queries or keys
 * @text: UTF-8, as in hl_token_pairs_parse(); a number, or two with “-” between them, are indices and no words
 * @run: (out): the tokens
 * @error: %HL_ERROR_MISSING for what is not there, %HL_ERROR_VALUE for what is there several times, %HL_ERROR_TOO_LARGE for too much text
 *   to look through
 *
 * Returns: whether they were found
 */
gboolean
hl_token_run_find (HlAttention *attention,
                   HlSide       side,
                   const char  *text,
                   HlTokenRun  *run,
                   GError     **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  const gsize n = hl_attention_get_n (attention, side);
  /* Whatever is written in the text. */
  if (g_ascii_isdigit (*text) && strspn (text, "0123456789-") == strlen (text))
    {
      g_autofree char *span = strchr (text, '-') != NULL ? g_strconcat ("#", text, NULL)
                                                         : g_strdup_printf ("#%s-%s", text, text);

      if (find_span (span, n, run))
        return TRUE;
      set_missing (error, side == HL_KEYS, text);
      return FALSE;
    }
  g_autoptr (HlTokenMatcher) matcher = hl_token_matcher_new (hl_attention_get_tokens (attention, side), n);
  return find (matcher, text, side == HL_KEYS, n, run, error);
}

/**
 * hl_token_pairs_ref:
 * @self: pairs
 *
 * Returns: (transfer full): the same
 */
HlTokenPairs *
hl_token_pairs_ref (HlTokenPairs *self)
{
  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

/**
 * hl_token_pairs_unref:
 * @self: (transfer full): pairs
 */
void
hl_token_pairs_unref (HlTokenPairs *self)
{
  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  g_array_unref (self->pairs);
  g_free (self);
}

/**
 * hl_token_pairs_get_n:
 * @self: pairs
 *
 * Returns: how many, at least 1
 */
guint
hl_token_pairs_get_n (const HlTokenPairs *self)
{
  return self->pairs->len;
}

/**
 * hl_token_pairs_get:
 * @self: pairs
 * @index: which
 *
 * Returns: (transfer none): a pair
 */
const HlTokenPair *
hl_token_pairs_get (const HlTokenPairs *self,
                    guint               index)
{
  g_return_val_if_fail (index < self->pairs->len, NULL);

  return &g_array_index (self->pairs, HlTokenPair, index);
}

/**
 * hl_token_pairs_equal:
 * @self: pairs
 * @other: others
 *
 * Returns: whether they are the same tokens in the same order, under the same names
 */
gboolean
hl_token_pairs_equal (const HlTokenPairs *self,
                      const HlTokenPairs *other)
{
  if (self->pairs->len != other->pairs->len)
    return FALSE;
  for (guint i = 0; i < self->pairs->len; i++)
    {
      const HlTokenPair *a = hl_token_pairs_get (self, i);
      const HlTokenPair *b = hl_token_pairs_get (other, i);
      if (a->queries.first != b->queries.first || a->queries.n != b->queries.n || a->keys.first != b->keys.first ||
          a->keys.n != b->keys.n || !g_str_equal (a->label, b->label))
        return FALSE;
    }
  return TRUE;
}

/**
 * hl_token_pairs_describe:
 * @self: pairs
 *
 * Returns: (transfer full): "her → Sarah", or "3 pairs", translated; words that run from right to left are isolated
 */
char *
hl_token_pairs_describe (const HlTokenPairs *self)
{
  if (self->pairs->len == 1)
    return hl_token_pairs_isolate (hl_token_pairs_get (self, 0)->label);
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u pair", "%u pairs", self->pairs->len), self->pairs->len);
}

/**
 * hl_token_pairs_isolate:
 * @line: UTF-8, what may be a pair
 *
 * Returns: (transfer full): the pair such that its arrow points from the query to the key, see hl_bidi_isolate(); what is no
 *   pair as it is. hl_token_pairs_parse() finds the same in it
 */
char *
hl_token_pairs_isolate (const char *line)
{
  g_autofree char *query = NULL;
  g_autofree char *key = NULL;

  g_return_val_if_fail (line != NULL, NULL);

  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  if (*line == '\0' || !split (line, &query, &key))
    return g_strdup (line);
  from = hl_bidi_isolate (query);
  to = hl_bidi_isolate (key);
  /* As it was typed, where nothing needs it. */
  return g_str_equal (from, query) && g_str_equal (to, key) ? g_strdup (line) : g_strdup_printf ("%s → %s", from, to);
}

/**
 * hl_token_pairs_spell:
 * @attention: whose tokens they are
 * @query: a query, or the pieces of one
 * @key: likewise of a key
 *
 * Returns: (transfer full): the pair of both, as hl_token_pairs_parse() finds it again
 */
char *
hl_token_pairs_spell (HlAttention *attention,
                      HlTokenRun   query,
                      HlTokenRun   key)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);
  g_return_val_if_fail (query.n > 0 && query.first + query.n <= hl_attention_get_n (attention, HL_QUERIES), NULL);
  g_return_val_if_fail (key.n > 0 && key.first + key.n <= hl_attention_get_n (attention, HL_KEYS), NULL);

  g_autoptr (HlTokenMatcher) queries =
    hl_token_matcher_new (hl_attention_get_tokens (attention, HL_QUERIES), hl_attention_get_n (attention, HL_QUERIES));
  g_autoptr (HlTokenMatcher)
    keys = hl_token_matcher_new (hl_attention_get_tokens (attention, HL_KEYS), hl_attention_get_n (attention, HL_KEYS));
  g_autofree char *from = hl_token_matcher_spell (queries, query);
  g_autofree char *to = hl_token_matcher_spell (keys, key);
  return g_strdup_printf ("%s → %s", from, to);
}
