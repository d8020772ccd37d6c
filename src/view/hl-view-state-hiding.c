/* SPDX-License-Identifier: MIT */
/* HlViewState: whether pieces are shown as words, and which tokens are left out. */
#include "view/hl-view-state-private.h"

#include "config.h"
#include "core/compare/hl-token-alignment.h"

#include <glib/gi18n-lib.h>

static void
change (HlViewState *self,
        guint        property)
{
  g_object_freeze_notify (G_OBJECT (self));
  hl_view_state_notify (self, property);
  hl_view_state_update_source (self);
  g_object_thaw_notify (G_OBJECT (self));
}

/* Takes over @queries and @keys. */
static void
set_hidden (HlViewState *self,
            HlTokenSet  *queries,
            HlTokenSet  *keys)
{
  HlHiddenTokens *hidden = &self->hidden[hl_attention_get_kind (self->attention)];
  const gboolean same = hl_token_set_equal (hidden->queries, queries) &&
                        hl_token_set_equal (hidden->keys, keys);

  hl_token_set_unref (hidden->queries);
  hl_token_set_unref (hidden->keys);
  *hidden = (HlHiddenTokens){ queries, keys };
  if (!same)
    change (self, PROP_HIDDEN);
}

static gboolean
has_same_tokens (HlAttention *a,
                 HlAttention *b)
{
  return a == b || (a != NULL && b != NULL &&
                    g_strv_equal (hl_attention_get_query_tokens (a), hl_attention_get_query_tokens (b)) &&
                    g_strv_equal (hl_attention_get_key_tokens (a), hl_attention_get_key_tokens (b)));
}

/* Before another example takes the place of one: what was chosen in a text means nothing in another. */
void
hl_view_state_forget_hidden (HlViewState *self,
                             HlExample   *before,
                             HlExample   *after)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (self->hidden); kind++)
    if (before == NULL || !has_same_tokens (hl_example_find_attention (before, kind),
                                            hl_example_find_attention (after, kind)))
      {
        g_clear_pointer (&self->hidden[kind].queries, hl_token_set_unref);
        g_clear_pointer (&self->hidden[kind].keys, hl_token_set_unref);
      }
  hl_view_state_notify (self, PROP_HIDDEN);
}

/**
 * hl_view_state_dup_hidden:
 * @self: a view state
 *
 * Returns: (transfer full): the tokens of the attention that were chosen to be hidden, as hl_token_sets_parse() reads them
 */
char *
hl_view_state_dup_hidden (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  const HlHiddenTokens *hidden = &self->hidden[hl_attention_get_kind (self->attention)];
  return hl_token_sets_format (hidden->queries, hidden->keys);
}

/**
 * hl_view_state_set_hidden:
 * @self: a view state
 * @hidden: (nullable): tokens of the attention to hide, as hl_token_sets_parse() reads them; what it does not understand
 *   changes nothing
 *
 * Positions that the attention does not have mean nothing in it.
 */
void
hl_view_state_set_hidden (HlViewState *self,
                          const char  *hidden)
{
  HlTokenSet *queries, *keys;

  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (hl_token_sets_parse (hidden != NULL ? hidden : "", &queries, &keys))
    set_hidden (self, queries, keys);
}

/**
 * hl_view_state_get_hidden_queries:
 * @self: a view state
 *
 * Returns: (transfer none) (nullable): the queries of the attention that were chosen to be hidden
 */
HlTokenSet *
hl_view_state_get_hidden_queries (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->hidden[hl_attention_get_kind (self->attention)].queries;
}

/**
 * hl_view_state_get_hidden_keys:
 * @self: a view state
 *
 * Returns: (transfer none) (nullable): the keys of the attention that were chosen to be hidden
 */
HlTokenSet *
hl_view_state_get_hidden_keys (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->hidden[hl_attention_get_kind (self->attention)].keys;
}

/* The tokens of the attention that a row or column stands for. */
static HlTokenSpan
get_span (HlTokenMap *map,
          gsize       index)
{
  return map != NULL ? hl_token_map_get_spans (map)[index] : (HlTokenSpan){ index, 1 };
}

/**
 * hl_view_state_can_hide:
 * @self: a view state
 * @pick: what is to be hidden
 *
 * Returns: whether hl_view_state_hide() has an effect: it is a token or a cell, and not the last token that is shown
 */
gboolean
hl_view_state_can_hide (HlViewState  *self,
                        const HlPick *pick)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  if (hl_view_state_shows_steps (self))
    return FALSE;
  /* Only the second side of a comparison has some tokens; what is hidden is of the first. */
  if (pick->kind == HL_PICK_QUERY)
    return hl_view_state_get_shown_queries (self).n > 1 &&
           get_span (hl_attention_get_query_map (self->shown_attention), pick->query).n > 0;
  return (pick->kind == HL_PICK_KEY || pick->kind == HL_PICK_CELL) &&
         hl_view_state_get_shown_keys (self).n > 1 &&
         get_span (hl_attention_get_key_map (self->shown_attention), pick->key).n > 0;
}

/* Adds tokens to what is hidden, or takes them away, on both sides on which they stand. */
static void
change_tokens (HlViewState *self,
               gboolean     is_query,
               HlTokenSpan  span,
               gboolean     is_hidden)
{
  const HlHiddenTokens *hidden = &self->hidden[hl_attention_get_kind (self->attention)];
  HlTokenSet *queries = hl_token_set_ref (hidden->queries);
  HlTokenSet *keys = hl_token_set_ref (hidden->keys);
  const gsize n_queries = hl_attention_get_n_queries (self->attention);
  const gsize n_keys = hl_attention_get_n_keys (self->attention);

  for (gsize token = span.first; token < span.first + span.n; token++)
    {
      HlTokenSet *before = is_query ? queries : keys;
      const gsize key = is_query ? token + n_keys - n_queries : token;
      gsize query;

      if (is_query)
        queries = hl_token_set_change (before, token, 1, is_hidden);
      else
        keys = hl_token_set_change (before, token, 1, is_hidden);
      hl_token_set_unref (before);
      if (!hl_attention_find_query_of_key (self->attention, key, &query))
        continue;
      before = is_query ? keys : queries;
      if (is_query)
        keys = hl_token_set_change (before, key, 1, is_hidden);
      else
        queries = hl_token_set_change (before, query, 1, is_hidden);
      hl_token_set_unref (before);
    }
  set_hidden (self, queries, keys);
}

/**
 * hl_view_state_hide:
 * @self: a view state
 * @pick: a query or a key that is shown, or a cell, which stands for its key
 *
 * Hides a token, or all pieces of a word. In self-attention it is left out as a query and as a key.
 */
void
hl_view_state_hide (HlViewState  *self,
                    const HlPick *pick)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (!hl_view_state_can_hide (self, pick))
    return;
  const gboolean is_row = pick->kind == HL_PICK_QUERY;
  const HlTokenSpan span = is_row
                             ? get_span (hl_attention_get_query_map (self->shown_attention), pick->query)
                             : get_span (hl_attention_get_key_map (self->shown_attention), pick->key);
  change_tokens (self, is_row != hl_attention_is_transposed (self->shown_attention), span, TRUE);
}

/**
 * hl_view_state_unhide:
 * @self: a view state
 * @is_query: whether it is a query
 * @token: its position in the attention
 *
 * Shows a token again that was chosen to be hidden.
 */
void
hl_view_state_unhide (HlViewState *self,
                      gboolean     is_query,
                      gsize        token)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  change_tokens (self, is_query, (HlTokenSpan){ token, 1 }, FALSE);
}

/**
 * hl_view_state_hides:
 * @self: a view state
 *
 * Returns: whether tokens are to be hidden, if there are such
 */
gboolean
hl_view_state_hides (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return self->options.hide_special || self->options.hide_first ||
         hl_view_state_get_hidden_queries (self) != NULL ||
         hl_view_state_get_hidden_keys (self) != NULL;
}

/**
 * hl_view_state_show_all_tokens:
 * @self: a view state
 *
 * Hides nothing any more.
 */
void
hl_view_state_show_all_tokens (HlViewState *self)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  g_object_freeze_notify (G_OBJECT (self));
  hl_view_state_set_option (self, hide_special, FALSE);
  hl_view_state_set_option (self, hide_first, FALSE);
  set_hidden (self, NULL, NULL);
  g_object_thaw_notify (G_OBJECT (self));
}

/* The tokens of another text that are those which are hidden in one; the second side of a comparison hides what the
 * first does. Fails while the texts are being aligned. */
gboolean
hl_view_state_translate_hidden (HlViewState       *self,
                                const HlTokenSet  *hidden,
                                HlTokenStrings    *tokens,
                                HlTokenStrings    *other_tokens,
                                HlTokenSet       **other)
{
  gsize n_spans;
  const HlTokenSpan *spans = hl_token_set_get_spans (hidden, &n_spans);
  const gsize n_tokens = g_strv_length ((char **) hl_token_strings_get (tokens));

  *other = NULL;
  if (n_spans == 0)
    return TRUE;
  g_autoptr (HlTokenAlignment) alignment = hl_aligner_align (
    self->aligner, tokens, n_tokens, other_tokens, g_strv_length ((char **) hl_token_strings_get (other_tokens)));
  if (alignment == NULL)
    return FALSE;
  for (gsize i = 0; i < n_spans; i++)
    for (gsize token = spans[i].first; token < MIN (spans[i].first + spans[i].n, n_tokens); token++)
      {
        const gsize same = hl_token_alignment_a_to_b (alignment, token);
        HlTokenSet *before = *other;
        if (same == HL_TOKEN_NONE)
          continue;
        *other = hl_token_set_change (before, same, 1, TRUE);
        hl_token_set_unref (before);
      }
  return TRUE;
}

/* The tokens that this attention hides of those that were chosen in it. */
static gsize
count_hidden (const HlTokenSet *set,
              gsize             n_tokens)
{
  gsize n_spans, n = 0;
  const HlTokenSpan *spans = hl_token_set_get_spans (set, &n_spans);

  for (gsize i = 0; i < n_spans && spans[i].first < n_tokens; i++)
    n += MIN (spans[i].n, n_tokens - spans[i].first);
  return n;
}

/* "whole words · special tokens hidden", NULL where everything is shown as it is. */
char *
hl_view_state_describe_hiding (HlViewState *self)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  const HlLens *lens = &self->applied_lens;

  if (lens->words)
    g_ptr_array_add (parts, g_strdup (_ ("whole words")));
  if (lens->hide_special)
    g_ptr_array_add (parts, g_strdup (_ ("special tokens hidden")));
  if (lens->hide_first)
    g_ptr_array_add (parts, g_strdup (_ ("first token hidden")));

  gsize n = count_hidden (lens->hidden_keys, hl_attention_get_n_keys (self->attention));
  /* Those of self-attention stand on both sides. */
  if (hl_attention_get_kind (self->attention) == HL_ATTENTION_CROSS || n == 0)
    n += count_hidden (lens->hidden_queries, hl_attention_get_n_queries (self->attention));
  if (n > 0)
    g_ptr_array_add (parts, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%zu token hidden",
                                                          "%zu tokens hidden", n),
                                             n));
  if (parts->len == 0)
    return NULL;
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (" · ", (char **) parts->pdata);
}
