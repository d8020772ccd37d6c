/* SPDX-License-Identifier: MIT */
/* The tokens of an attention: which of the file's lists they are, whether they fit, and what of them is padding. Whatever is
 * wrong with them is odd and not an error, since positions can take their place. */
#include "core/document/read/hl-dump-tokens.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "core/base/hl-limits.h"
#include "core/document/read/base/hl-dump-gathered.h"
#include "core/document/read/base/hl-dump-steps.h"
#include "core/document/read/hl-dump-times.h"
#include "core/document/tokens/hl-token-text.h"

/* Names of the lists, the most particular first. */
static const char *const query_names[][4] = {
  [HL_ATTENTION_SELF] = { "query_tokens", "tokens" },
  [HL_ATTENTION_ENCODER] = { "encoder_tokens", "tokens" },
  [HL_ATTENTION_DECODER] = { "decoder_tokens", "tokens" },
  [HL_ATTENTION_CROSS] = { "decoder_tokens", "query_tokens" },
};
static const char *const key_names[][4] = {
  [HL_ATTENTION_SELF] = { "key_tokens", "tokens" },
  [HL_ATTENTION_ENCODER] = { "encoder_tokens", "tokens" },
  [HL_ATTENTION_DECODER] = { "decoder_tokens", "tokens" },
  [HL_ATTENTION_CROSS] = { "encoder_tokens", "key_tokens" },
};

/* Projected positions are none of the tokens. */
static const char *const projected_names[] = { "key_tokens", NULL };

/* No token is longer; of what is, nobody sees more than the beginning. */
#define ELLIPSIS "…"

/* Between the tokens of a text. */
#define BLANKS " \t\n\v\f\r"

/* As tokenizers spell what fills up a batch. */
static const char *const pad_tokens[] = { "[PAD]", "<pad>", "<PAD>", "<|pad|>", "[pad]", NULL };

void
hl_dump_tokens_clear (HlDumpTokens *self)
{
  g_clear_pointer (&self->queries, g_strfreev);
  g_clear_pointer (&self->keys, g_strfreev);
  g_clear_pointer (&self->times[HL_QUERIES], hl_token_times_unref);
  g_clear_pointer (&self->times[HL_KEYS], hl_token_times_unref);
}

/* Says what is odd about the spelling of tokens. */
static void
check_spelling (const HlDumpContext *context,
                const char          *path,
                char               **tokens)
{
  gboolean has_escape = FALSE;
  gboolean has_text = FALSE;
  gsize n_replaced = 0;

  for (gsize i = 0; tokens[i] != NULL; i++)
    {
      has_text |= *tokens[i] != '\0';
      has_escape |= strstr (tokens[i], "<0x") != NULL;
      n_replaced += strstr (tokens[i], "\xef\xbf\xbd") != NULL;
    }
  if (!has_text)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("all strings of “%s” are empty"), path);
  if (n_replaced > 0)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("“%s” holds the sign � in place of text that was lost when the file was written "
                                  "(in %zu)"),
                               path, n_replaced);
  const gsize n_repaired = has_escape ? hl_archive_count_repaired (context->archive, path) : 0;
  if (n_repaired > 0)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("“%s” holds bytes that are not valid UTF-8 (in %zu); they are shown as <0x9F>"), path,
                               n_repaired);
}

/* Some write one string where a list is meant. */
static char **
split_text (const HlDumpContext *context,
            const char          *name,
            const char          *text)
{
  g_autoptr (GPtrArray) tokens = g_ptr_array_new ();
  const char *at = text + strspn (text, BLANKS);

  for (; *at != '\0' && tokens->len < HL_LIMIT_STRINGS; at += strspn (at, BLANKS))
    {
      const gsize length = strcspn (at, BLANKS);
      g_ptr_array_add (tokens, g_strndup (at, length));
      at += length;
    }
  if (*at != '\0')
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("“%s” is one string in place of a list; split at white space it is more than %u "
                                  "tokens, and those after them are left out"),
                               name, tokens->len);
  else
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("“%s” is one string in place of a list; split at white space it is %u tokens"), name,
                               tokens->len);
  g_ptr_array_add (tokens, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&tokens), FALSE);
}

/* What stands alone is an attribute. */
static char **
read_attribute (const HlDumpContext *context,
                const char          *path)
{
  const char *slash = strrchr (path, '/');
  g_autofree char *group = g_strndup (path, slash != NULL ? (gsize) (slash - path) : 0);
  GVariant *found = hl_archive_get_attribute (context->archive, group, slash != NULL ? slash + 1 : path, NULL);
  g_autoptr (GVariant) value = found != NULL ? g_variant_take_ref (found) : NULL;

  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)
           ? split_text (context, path, g_variant_get_string (value, NULL))
           : NULL;
}

/* The rest of a token that nobody will read would be copied again and again. */
static void
cut_long (const HlDumpContext *context,
          const char          *path,
          char               **tokens)
{
  guint n_cut = 0;

  for (gsize i = 0; tokens[i] != NULL; i++)
    {
      if (strnlen (tokens[i], HL_LIMIT_TOKEN_BYTES + 1) <= HL_LIMIT_TOKEN_BYTES)
        continue;
      char *end = g_utf8_find_prev_char (tokens[i], tokens[i] + HL_LIMIT_TOKEN_BYTES - strlen (ELLIPSIS) + 1);
      memcpy (end, ELLIPSIS, sizeof ELLIPSIS);
      tokens[i] = g_realloc (tokens[i], (gsize) (end - tokens[i]) + sizeof ELLIPSIS);
      n_cut++;
    }
  if (n_cut > 0)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               g_dngettext (GETTEXT_PACKAGE,
                                            "%u of the strings of “%s” is longer than %d KiB and was cut",
                                            "%u of the strings of “%s” are longer than %d KiB and were cut", n_cut),
                               n_cut, path, HL_LIMIT_TOKEN_BYTES >> 10);
}

/* Times of tokens that have a spelling, too. */
static HlTokenTimes *
read_times_beside (const HlDumpContext *context,
                   const char          *name)
{
  g_autoptr (GError) error = NULL;
  HlTokenTimes *times = hl_dump_read_times (context, name, &error);

  if (error != NULL)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("%s; times of tokens are left out"), error->message);
  return times;
}

/* The first list that there is for @n positions, or else of times, its path, and its times where it has some. */
static char **
read_first (const HlDumpContext *context,
            const char *const   *names,
            gsize                n,
            gboolean            *unusable,
            char               **path,
            HlTokenTimes       **times)
{
  if (context->options != NULL && context->options->tokens != NULL && g_strv_contains (names, "tokens"))
    {
      *path = g_strdup ("tokens");
      return g_strdupv (context->options->tokens);
    }
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *candidate = hl_dump_context_get_path (context, names[i]);
      const HlMemberKind kind = hl_archive_get_kind (context->archive, candidate);
      g_auto (GStrv) tokens = kind == HL_MEMBER_NONE || kind == HL_MEMBER_OTHER ? read_attribute (context, candidate)
                                                                                : NULL;

      if (tokens == NULL && kind == HL_MEMBER_NONE)
        continue;
      if (tokens == NULL)
        {
          tokens = hl_archive_read_strings (context->archive, candidate, &error);
          if (tokens == NULL)
            {
              hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("%s; positions take the place of tokens"),
                                         error->message);
              *unusable = TRUE;
              continue;
            }
          if (n > 1 && g_strv_length (tokens) == 1 && strpbrk (tokens[0], BLANKS) != NULL)
            {
              char **parts = split_text (context, candidate, tokens[0]);
              g_strfreev (tokens);
              tokens = parts;
            }
        }
      if (tokens == NULL || tokens[0] == NULL)
        continue;
      cut_long (context, candidate, tokens);
      check_spelling (context, candidate, tokens);
      *path = g_steal_pointer (&candidate);
      *times = read_times_beside (context, names[i]);
      return g_steal_pointer (&tokens);
    }
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;

      *times = hl_dump_read_times (context, names[i], &error);
      if (error != NULL)
        hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("%s; positions take the place of tokens"),
                                   error->message);
      if (*times == NULL)
        continue;
      g_autofree char *stem = g_strndup (names[i], strlen (names[i]) - strlen ("s"));
      g_autofree char *starts = g_strconcat (stem, "_starts", NULL);
      *path = hl_dump_context_get_path (context, starts);
      return hl_token_times_make_labels (*times);
    }
  return NULL;
}

static gsize
count_without_padding (char **tokens,
                       gsize  n)
{
  gsize n_used = n;

  while (n_used > 0 && g_strv_contains (pad_tokens, tokens[n_used - 1]))
    n_used--;
  return n_used > 0 ? n_used : n;
}

static void
note_fewer (const HlDumpContext *context,
            const char          *path,
            gsize                n_tokens,
            gsize                n,
            gsize                n_used)
{
  if (n_used > n_tokens)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("there are fewer “%s” (%zu) than positions (%zu); those after them hold weight and "
                                  "are shown without tokens"),
                               path, n_tokens, n);
  else
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("there are fewer “%s” (%zu) than positions (%zu"
                                  "); the positions after them are taken for padding"),
                               path, n_tokens, n);
}

static void
note_padding (const HlDumpContext *context,
              const char          *path,
              const char          *pad,
              gsize                n,
              gboolean             is_held)
{
  if (is_held)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("“%s” ends in %zu × %s, which hold weight and are not left out as padding"), path, n,
                               pad);
  else
    hl_dump_context_add_check (context, HL_SEVERITY_INFO, _ ("“%s” ends in padding: %zu × %s"), path, n, pad);
}

/* Makes a list fit its axis, or with @is_shared both, says what did not, and finds out what of the axis is not padding: at least all that
 * holds weight. Of @n_queries the weights are looked at. */
static gboolean
fit (const HlDumpContext *context,
     const HlDumpHeld    *held,
     HlSide               side,
     gboolean             is_shared,
     gsize                n_queries,
     const char          *path,
     char               **tokens,
     gsize               *n_used,
     GError             **error)
{
  const gsize n = side == HL_QUERIES ? held->n_queries : held->n_keys;
  const gsize n_tokens = g_strv_length (tokens);
  const gsize n_named = MIN (n_tokens, n);

  if (n_tokens > n)
    {
      hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                                 _ ("there are more “%s” (%zu) than positions (%zu"
                                    "); those at the end are left out"),
                                 path, n_tokens, n);
      for (gsize i = n; i < n_tokens; i++)
        g_clear_pointer (&tokens[i], g_free);
    }

  const gsize n_unpadded = count_without_padding (tokens, n_named);
  gsize end = 0;
  *n_used = n_unpadded;
  if (n_unpadded == n)
    return TRUE;
  if (side == HL_KEYS || is_shared)
    {
      /* Later keys of a causal map are seen by later queries only. */
      const gboolean sees_all = is_shared && held->mask.causal && n_named < n;
      if (!hl_dump_held_find_keys (held, context, sees_all ? n : is_shared ? n_unpadded : n_queries, &end, error))
        return FALSE;
    }
  else if (n_named < n && !hl_dump_held_find_queries (held, context, n_named, &end, error))
    return FALSE;
  *n_used = MAX (n_unpadded, end);

  if (n_tokens < n)
    note_fewer (context, path, n_tokens, n, *n_used);
  if (n_unpadded < n_named)
    note_padding (context, path, tokens[n_named - 1], n_named - n_unpadded, *n_used > n_unpadded);
  return TRUE;
}

/* Some keep the words of a text and leave out what the tokenizer puts around them, [CLS] and [SEP] (Clark et al. 2019). */
static gboolean
frame_words (const HlDumpContext *context,
             const HlDumpHeld    *held,
             const char          *path,
             char              ***words,
             GError             **error)
{
  const gsize n = g_strv_length (*words);
  const char *name = strrchr (path, '/') != NULL ? strrchr (path, '/') + 1 : path;
  gsize end;

  if (n == 0 || n + 2 != held->n_keys || held->mask.causal || hl_special_token_is ((*words)[0]) ||
      hl_special_token_is ((*words)[n - 1]))
    return TRUE;
  if (!hl_dump_held_find_keys (held, context, n, &end, error))
    return FALSE;
  if (end < held->n_keys)
    return TRUE;
  hl_dump_context_add_check (context, g_ascii_strcasecmp (name, "words") == 0 ? HL_SEVERITY_INFO : HL_SEVERITY_WARNING,
                             _ ("there are %zu “%s” and two positions more, which hold weight: they are taken for the "
                                "text between [CLS] and [SEP]"),
                             n, path);

  char **framed = g_new (char *, n + 3);
  framed[0] = g_strdup ("[CLS]");
  for (gsize i = 0; i < n; i++)
    framed[i + 1] = g_steal_pointer (&(*words)[i]);
  framed[n + 1] = g_strdup ("[SEP]");
  framed[n + 2] = NULL;
  g_free (*words);
  *words = framed;
  return TRUE;
}

static gboolean
is_unnamed (const HlDumpContext *context)
{
  return context->layout != NULL && context->layout->are_unnamed &&
         (context->options == NULL || context->options->tokens == NULL);
}

/* Says that strings are not as many as positions, and leaves them out. */
static void
drop_unnamed (HlDumpTokens        *self,
              const HlDumpContext *context,
              const char          *path,
              gsize                n_tokens,
              gsize                n)
{
  hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                             _ ("“%s” has %zu strings and there are %zu positions: they are not taken for tokens"),
                             path, n_tokens, n);
  g_clear_pointer (&self->queries, g_strfreev);
  g_clear_pointer (&self->keys, g_strfreev);
}

/* Strings that say nothing of themselves are tokens only if they are as many as positions, but for those at the end that hold no
 * weight. */
static gboolean
check_unnamed (HlDumpTokens        *self,
               const HlDumpContext *context,
               const HlDumpHeld    *held,
               const char          *path,
               GError             **error)
{
  const gsize n = g_strv_length (self->queries);
  gsize end = n;

  if (n == held->n_queries || n == held->n_keys)
    return TRUE;
  if (n < held->n_keys && held->n_queries == held->n_keys &&
      !hl_dump_held_find_keys (held, context, held->mask.causal ? held->n_queries : n, &end, error))
    return FALSE;
  if (n > held->n_keys || held->n_queries != held->n_keys || end > n)
    drop_unnamed (self, context, path, n, held->n_keys);
  return TRUE;
}

/* One list, `tokens`, for queries and keys of which there are not as many: it belongs to the axis whose length it
 * has. */
static void
share_tokens (HlDumpTokens *self,
              const HlMask *mask,
              gsize         n_queries,
              gsize         n_keys,
              gboolean      causal)
{
  const HlMask own = { .causal = causal, .shift = mask->shift };
  const gsize n = g_strv_length (self->queries);
  const gint64 first = hl_mask_get_position (&own, n_queries, n_keys, 0);

  if (n == n_keys && (causal || first > 0) && first >= 0 && first + n_queries <= n_keys)
    {
      /* Earlier keys came from a cache: the queries are the last of the tokens, or where it is said that they stand. */
      char **part = g_strdupv (self->queries + first);
      g_strfreev (self->queries);
      self->queries = part;
      for (gsize i = n_queries; i < n - first; i++)
        g_clear_pointer (&self->queries[i], g_free);
    }
  else if (n == n_keys)
    g_clear_pointer (&self->queries, g_strfreev);
  else
    g_clear_pointer (&self->keys, g_strfreev);
}

/* Says where positions take the place of tokens, unless why they do has been said. */
static void
note_missing (const HlDumpTokens  *self,
              const HlDumpContext *context,
              gboolean             unusable)
{
  if (unusable)
    return;
  if (self->queries == NULL && self->keys == NULL)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO, _ ("there are no tokens; positions are shown"));
  else if (self->queries == NULL)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("there are no tokens of the queries; positions are shown"));
  else if (self->keys == NULL)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO, _ ("there are no tokens of the keys; positions are shown"));
}

/* Keeps times of as many positions as a side has, of which @first is the first; labels were made of them before. What has too few is said. */
static void
keep_times (HlDumpTokens        *self,
            const HlDumpContext *context,
            HlSide               side,
            gsize                first,
            gsize                n)
{
  g_autoptr (HlTokenTimes) times = g_steal_pointer (&self->times[side]);

  if (times == NULL)
    return;
  if (first > 0 || times->n < n)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                               _ ("times of %zu tokens are not of the %zu positions; they are left out"), times->n, n);
  else
    self->times[side] = hl_token_times_cut (times, n);
}

/* Finds the tokens of an attention. What is odd about them is noted. */
gboolean
hl_dump_tokens_read (HlDumpTokens        *self,
                     const HlDumpContext *context,
                     const HlDumpHeld    *held,
                     HlAttentionKind      kind,
                     gboolean             causal,
                     const HlLayerTensor *projections,
                     guint                n_layers,
                     GError             **error)
{
  const gsize n_queries = held->n_queries, n_keys = held->n_keys;
  const gboolean is_chosen = context->options != NULL && context->options->tokens != NULL;
  g_autofree char *query_path = NULL;
  g_autofree char *key_path = NULL;
  gboolean unusable = FALSE;

  self->queries = read_first (context, query_names[kind], n_queries, &unusable, &query_path, &self->times[HL_QUERIES]);
  self->keys = read_first (context, projections != NULL ? projected_names : key_names[kind], n_keys, &unusable,
                           &key_path, &self->times[HL_KEYS]);
  self->n_used_queries = n_queries;
  self->n_used_keys = n_keys;

  gboolean is_same = self->queries != NULL && g_strcmp0 (query_path, key_path) == 0;
  /* Of a list that is longer than the queries are, those are not the first. */
  const gsize n_before = is_same && n_keys > n_queries && self->times[HL_QUERIES] != NULL
                           ? self->times[HL_QUERIES]->n - MIN (self->times[HL_QUERIES]->n, n_queries)
                           : 0;
  keep_times (self, context, HL_QUERIES, n_before, n_queries);
  keep_times (self, context, HL_KEYS, 0, n_keys);
  if (is_same && n_queries == n_keys && !is_chosen && !frame_words (context, held, query_path, &self->queries, error))
    return FALSE;
  if (is_same && is_unnamed (context))
    {
      if (!check_unnamed (self, context, held, query_path, error))
        return FALSE;
      is_same = self->queries != NULL;
    }
  if (is_same && n_queries == n_keys)
    {
      if (!fit (context, held, HL_QUERIES, TRUE, n_queries, query_path, self->queries, &self->n_used_queries, error))
        return FALSE;
      g_strfreev (self->keys);
      self->keys = g_strdupv (self->queries);
      self->n_used_keys = self->n_used_queries;
    }
  else
    {
      if (is_same)
        share_tokens (self, &held->mask, n_queries, n_keys, causal);
      if (self->queries != NULL &&
          !fit (context, held, HL_QUERIES, FALSE, n_queries, query_path, self->queries, &self->n_used_queries, error))
        return FALSE;
      if (self->keys != NULL &&
          !fit (context, held, HL_KEYS, FALSE, self->n_used_queries, key_path, self->keys, &self->n_used_keys, error))
        return FALSE;
    }

  if (projections != NULL)
    {
      hl_dump_context_add_check (context, HL_SEVERITY_INFO, _ ("keys are projected positions: %zu tokens become %zu"),
                                 n_queries, n_keys);
      if (self->keys == NULL)
        self->keys = hl_dump_name_gathered (context, projections, n_layers, self->queries, error);
      if (self->keys == NULL)
        return FALSE;
    }

  note_missing (self, context, unusable);
  return TRUE;
}

/* The last token that was generated is never read by the model. */
static void
note_unread (const HlDumpContext *context,
             const char          *path)
{
  hl_dump_context_add_check (context, HL_SEVERITY_INFO,
                             _ ("the last of “%s” was generated but not read by the model; it is left out"), path);
}

/* Finds the tokens of a step, or of all steps, in lists that are of the whole generation. What is odd about them is
 * noted. */
gboolean
hl_dump_tokens_read_steps (HlDumpTokens        *self,
                           const HlDumpContext *context,
                           const HlDumpHeld    *held,
                           HlAttentionKind      kind,
                           gsize                first_query,
                           GError             **error)
{
  const gsize n_queries = held->n_queries, n_keys = held->n_keys;
  g_autofree char *query_path = NULL;
  g_autofree char *key_path = NULL;
  gboolean unusable = FALSE;
  const gsize end = first_query + n_queries;

  self->queries = read_first (context, query_names[kind], end, &unusable, &query_path, &self->times[HL_QUERIES]);
  self->keys = read_first (context, key_names[kind], n_keys, &unusable, &key_path, &self->times[HL_KEYS]);
  self->n_used_queries = n_queries;
  self->n_used_keys = n_keys;

  keep_times (self, context, HL_QUERIES, first_query, n_queries);
  keep_times (self, context, HL_KEYS, 0, n_keys);
  const gboolean is_part = context->step != HL_DUMP_ALL_STEPS;
  const gsize n_strings = self->queries != NULL ? g_strv_length (self->queries) : end;
  if (is_unnamed (context) && (n_strings < end || (n_strings > end + 1 && !is_part)))
    drop_unnamed (self, context, query_path, n_strings, end);
  if (self->queries != NULL)
    {
      const gsize n = g_strv_length (self->queries);
      if (n == end + 1 && !is_part)
        note_unread (context, query_path);
      for (gsize i = end; i < n && (is_part || n == end + 1); i++)
        g_clear_pointer (&self->queries[i], g_free);
      char **own = g_strdupv (self->queries + MIN (first_query, n));
      g_strfreev (self->queries);
      self->queries = own;
      if (!fit (context, held, HL_QUERIES, FALSE, n_queries, query_path, self->queries, &self->n_used_queries, error))
        return FALSE;
    }
  if (self->keys != NULL)
    {
      const gsize n = g_strv_length (self->keys);
      for (gsize i = n_keys; kind != HL_ATTENTION_CROSS && i < n && (is_part || n == n_keys + 1); i++)
        g_clear_pointer (&self->keys[i], g_free);
      if (!fit (context, held, HL_KEYS, FALSE, self->n_used_queries, key_path, self->keys, &self->n_used_keys, error))
        return FALSE;
    }
  note_missing (self, context, unusable);
  return TRUE;
}
