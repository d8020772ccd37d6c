/* SPDX-License-Identifier: MIT */
#include "view/shown/hl-hidden-tokens.h"

#include "core/source/make/hl-source-factory.h"

HlHiddenTokens
hl_hidden_tokens_copy (const HlHiddenTokens *self)
{
  return (HlHiddenTokens){ { hl_token_set_ref (self->sets[HL_QUERIES]), hl_token_set_ref (self->sets[HL_KEYS]) } };
}

gboolean
hl_hidden_tokens_equal (const HlHiddenTokens *a,
                        const HlHiddenTokens *b)
{
  return hl_token_set_equal (a->sets[HL_QUERIES], b->sets[HL_QUERIES]) &&
         hl_token_set_equal (a->sets[HL_KEYS], b->sets[HL_KEYS]);
}

/* Whether what was chosen in one means the same in the other: their tokens are the same. */
gboolean
hl_hidden_tokens_can_stay (HlAttention *before,
                           HlAttention *after)
{
  if (before == NULL || after == NULL)
    return before == after;
  return g_strv_equal (hl_attention_get_tokens (before, HL_QUERIES), hl_attention_get_tokens (after, HL_QUERIES)) &&
         g_strv_equal (hl_attention_get_tokens (before, HL_KEYS), hl_attention_get_tokens (after, HL_KEYS));
}

static void
change_one (HlTokenSet **set,
            gsize        token,
            gboolean     is_hidden)
{
  g_autoptr (HlTokenSet) before = g_steal_pointer (set);

  *set = hl_token_set_change (before, token, 1, is_hidden);
}

/* Adds tokens to what is hidden, or takes them away, on both sides on which they stand. */
HlHiddenTokens
hl_hidden_tokens_change (const HlHiddenTokens *self,
                         HlAttention          *attention,
                         HlSide                side,
                         HlTokenSpan           span,
                         gboolean              is_hidden)
{
  HlHiddenTokens changed = hl_hidden_tokens_copy (self);
  const gsize n_before = hl_attention_get_n (attention, HL_KEYS) - hl_attention_get_n (attention, HL_QUERIES);

  for (gsize token = span.first; token < span.first + span.n; token++)
    {
      const gsize key = side == HL_QUERIES ? token + n_before : token;
      gsize query;

      change_one (&changed.sets[side], token, is_hidden);
      if (hl_attention_find_query_of_key (attention, key, &query))
        change_one (&changed.sets[hl_side_get_other (side)], side == HL_QUERIES ? key : query, is_hidden);
    }
  return changed;
}

static HlAlignerText
get_text (HlAttention *attention,
          HlSide       side)
{
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);

  return hl_aligner_get_text (attention, weights, side);
}

static gboolean
translate (const HlTokenSet *hidden,
           HlSide            side,
           HlAttention      *from,
           HlAttention      *to,
           HlAligner        *aligner,
           HlTokenSet      **other)
{
  gsize n_spans;
  const HlTokenSpan *spans = hl_token_set_get_spans (hidden, &n_spans);
  const gsize n_tokens = hl_attention_get_n (from, side);

  if (n_spans == 0)
    return TRUE;
  const HlAlignerText text = get_text (from, side), other_text = get_text (to, side);
  g_autoptr (HlTokenAlignment) alignment = hl_aligner_align (aligner, &text, &other_text);
  if (alignment == NULL)
    return FALSE;
  /* Tokens stand in the same order in both. */
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (gsize));
  for (gsize i = 0; i < n_spans; i++)
    for (gsize token = spans[i].first; token < MIN (spans[i].first + spans[i].n, n_tokens); token++)
      {
        const gsize same = hl_token_alignment_a_to_b (alignment, token);
        if (same != HL_TOKEN_NONE)
          g_array_append_val (found, same);
      }
  *other = hl_token_set_new_sorted ((const gsize *) found->data, found->len);
  return TRUE;
}

/*
 * The tokens of another text that are those which are hidden in one: the second side of a comparison hides what the first
 * does. FALSE while the texts are being aligned.
 */
gboolean
hl_hidden_tokens_translate (const HlHiddenTokens *self,
                            HlAttention          *from,
                            HlAttention          *to,
                            HlAligner            *aligner,
                            HlHiddenTokens       *translated)
{
  *translated = (HlHiddenTokens){ { NULL } };
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (!translate (self->sets[side], side, from, to, aligner, &translated->sets[side]))
      return FALSE;
  return TRUE;
}

static gsize
count (const HlTokenSet *set,
       gsize             n_tokens)
{
  gsize n_spans, n = 0;
  const HlTokenSpan *spans = hl_token_set_get_spans (set, &n_spans);

  for (gsize i = 0; i < n_spans && spans[i].first < n_tokens; i++)
    n += MIN (spans[i].n, n_tokens - spans[i].first);
  return n;
}

/* Those that this attention has; one that is hidden on both sides counts once. */
gsize
hl_hidden_tokens_count (const HlHiddenTokens *self,
                        HlAttention          *attention)
{
  const gsize n_keys = hl_attention_get_n (attention, HL_KEYS);
  gsize n_spans, query;
  const HlTokenSpan *spans = hl_token_set_get_spans (self->sets[HL_KEYS], &n_spans);
  gsize n = count (self->sets[HL_KEYS], n_keys) +
            count (self->sets[HL_QUERIES], hl_attention_get_n (attention, HL_QUERIES));

  for (gsize i = 0; i < n_spans; i++)
    for (gsize key = spans[i].first; key < MIN (spans[i].first + spans[i].n, n_keys); key++)
      n -= hl_attention_find_query_of_key (attention, key, &query) &&
           hl_token_set_contains (self->sets[HL_QUERIES], query);
  return n;
}

void
hl_hidden_tokens_clear (HlHiddenTokens *self)
{
  g_clear_pointer (&self->sets[HL_QUERIES], hl_token_set_unref);
  g_clear_pointer (&self->sets[HL_KEYS], hl_token_set_unref);
}
