/* SPDX-License-Identifier: MIT */
/* The tokens of an attention: which of the file's lists they are, whether they fit, and what of them is padding. Whatever is
 * wrong with them is odd and not an error, since positions can take their place. */
#include "core/document/read/hl-dump-tokens.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "core/document/read/hl-dump-steps.h"

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

/* As tokenizers spell what fills up a batch. */
static const char *const pad_tokens[] = { "[PAD]", "<pad>", "<PAD>", "<|pad|>", "[pad]", NULL };

void
hl_dump_tokens_clear (HlDumpTokens *self)
{
  g_clear_pointer (&self->queries, g_strfreev);
  g_clear_pointer (&self->keys, g_strfreev);
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

/* The first list that there is, and its path. */
static char **
read_first (const HlDumpContext *context,
            const char *const   *names,
            gboolean            *unusable,
            char               **path)
{
  if (context->options != NULL && context->options->tokens != NULL && g_strv_contains (names, "tokens"))
    {
      *path = g_strdup ("tokens");
      return g_strdupv (context->options->tokens);
    }
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;

      if (hl_dump_context_get_kind (context, names[i]) == HL_MEMBER_NONE)
        continue;
      g_autofree char *candidate = hl_dump_context_get_path (context, names[i]);
      g_auto (GStrv) tokens = hl_archive_read_strings (context->archive, candidate, &error);
      if (tokens == NULL)
        {
          hl_dump_context_add_check (context, HL_SEVERITY_WARNING, _ ("%s; positions take the place of tokens"),
                                     error->message);
          *unusable = TRUE;
          continue;
        }
      if (tokens[0] == NULL)
        continue;
      check_spelling (context, candidate, tokens);
      *path = g_steal_pointer (&candidate);
      return g_steal_pointer (&tokens);
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

/* Makes a list fit an axis of @n positions, and says what did not. */
static gsize
fit (const HlDumpContext *context,
     const char          *path,
     char               **tokens,
     gsize                n)
{
  const gsize n_tokens = g_strv_length (tokens);

  if (n_tokens > n)
    {
      hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                                 _ ("there are more “%s” (%zu) than positions (%zu"
                                    "); those at the end are left out"),
                                 path, n_tokens, n);
      for (gsize i = n; i < n_tokens; i++)
        g_clear_pointer (&tokens[i], g_free);
    }
  if (n_tokens < n)
    hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                               _ ("there are fewer “%s” (%zu) than positions (%zu"
                                  "); the positions after them are taken for padding"),
                               path, n_tokens, n);

  const gsize n_named = MIN (n_tokens, n);
  const gsize n_used = count_without_padding (tokens, n_named);
  if (n_used < n_named)
    hl_dump_context_add_check (context, HL_SEVERITY_INFO, _ ("“%s” ends in padding: %zu × %s"), path, n_named - n_used,
                               tokens[n_named - 1]);
  return n_used;
}

/* One list, `tokens`, for queries and keys of which there are not as many: it belongs to the axis whose length it
 * has. */
static void
share_tokens (HlDumpTokens *self,
              gsize         n_queries,
              gsize         n_keys,
              gboolean      causal)
{
  const gsize n = g_strv_length (self->queries);

  if (n == n_keys && causal && n_queries < n_keys)
    {
      /* Earlier keys came from a cache: the queries are the last of the tokens. */
      char **last = g_strdupv (self->queries + (n_keys - n_queries));
      g_strfreev (self->queries);
      self->queries = last;
    }
  else if (n == n_keys)
    g_clear_pointer (&self->queries, g_strfreev);
  else
    g_clear_pointer (&self->keys, g_strfreev);
}

static char **
name_projected (gsize n)
{
  char **names = g_new (char *, n + 1);

  for (gsize i = 0; i < n; i++)
    names[i] = g_strdup_printf ("p%zu", i);
  names[n] = NULL;
  return names;
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

/* Finds the tokens of an attention. What is odd about them is noted. */
void
hl_dump_tokens_read (HlDumpTokens        *self,
                     const HlDumpContext *context,
                     HlAttentionKind      kind,
                     gsize                n_queries,
                     gsize                n_keys,
                     gboolean             causal,
                     gboolean             projected)
{
  g_autofree char *query_path = NULL;
  g_autofree char *key_path = NULL;
  gboolean unusable = FALSE;

  self->queries = read_first (context, query_names[kind], &unusable, &query_path);
  self->keys = read_first (context, projected ? projected_names : key_names[kind], &unusable, &key_path);
  self->n_used_queries = n_queries;
  self->n_used_keys = n_keys;

  if (n_queries != n_keys && self->queries != NULL && g_strcmp0 (query_path, key_path) == 0)
    share_tokens (self, n_queries, n_keys, causal);
  if (self->queries != NULL)
    self->n_used_queries = fit (context, query_path, self->queries, n_queries);
  if (self->keys != NULL)
    self->n_used_keys = fit (context, key_path, self->keys, n_keys);

  if (projected)
    {
      hl_dump_context_add_check (context, HL_SEVERITY_INFO, _ ("keys are projected positions: %zu tokens become %zu"),
                                 n_queries, n_keys);
      if (self->keys == NULL)
        self->keys = name_projected (n_keys);
    }

  note_missing (self, context, unusable);
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
void
hl_dump_tokens_read_steps (HlDumpTokens        *self,
                           const HlDumpContext *context,
                           HlAttentionKind      kind,
                           gsize                n_queries,
                           gsize                n_keys,
                           gsize                first_query)
{
  g_autofree char *query_path = NULL;
  g_autofree char *key_path = NULL;
  gboolean unusable = FALSE;

  self->queries = read_first (context, query_names[kind], &unusable, &query_path);
  self->keys = read_first (context, key_names[kind], &unusable, &key_path);
  self->n_used_queries = n_queries;
  self->n_used_keys = n_keys;

  const gsize end = first_query + n_queries;
  const gboolean is_part = context->step != HL_DUMP_ALL_STEPS;
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
      self->n_used_queries = fit (context, query_path, self->queries, n_queries);
    }
  if (self->keys != NULL)
    {
      const gsize n = g_strv_length (self->keys);
      for (gsize i = n_keys; kind != HL_ATTENTION_CROSS && i < n && (is_part || n == n_keys + 1); i++)
        g_clear_pointer (&self->keys[i], g_free);
      self->n_used_keys = fit (context, key_path, self->keys, n_keys);
    }
  note_missing (self, context, unusable);
}
