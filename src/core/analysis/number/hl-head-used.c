/* SPDX-License-Identifier: MIT */
/* Which queries and keys are padding by what masks say. Those that are by their tokens hl_attention_get_n_used() knows. */
#include "core/analysis/number/hl-head-used.h"

#include "core/document/attention/hl-attention-text.h"
#include "core/source/hl-derived-source.h"

/* What was made of weights may have lost who is padding, as where each token keeps itself; the weights know. */
static HlAttentionSource *
get_weights (HlAttentionSource *source)
{
  while (HL_IS_DERIVED_SOURCE (source))
    source = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));
  return source;
}

/* The keys that queries see. */
typedef struct
{
  gsize n;
  gsize first;
  gsize end;
} Seen;

static void
seen_add (Seen         *self,
          const HlMask *mask)
{
  self->first = MIN (self->first, mask->first_key);
  self->end = MAX (self->end, mask->end_key > 0 ? MIN (mask->end_key, self->n) : self->n);
}

static HlTokenSpan
seen_get_span (const Seen *self)
{
  return self->end > self->first ? (HlTokenSpan){ self->first, self->end - self->first } : (HlTokenSpan){ 0, self->n };
}

/* Those of a document that queries of some layer see. */
static HlTokenSpan
find_seen (HlAttentionSource *weights)
{
  const gsize n = hl_attention_source_get_n (weights, HL_KEYS);
  Seen seen = { n, n, 0 };

  for (guint layer = 0; layer < hl_attention_source_get_n_layers (weights); layer++)
    seen_add (&seen, hl_attention_source_get_mask (weights, layer));
  return seen_get_span (&seen);
}

/* What is left between two tokens of a document. What is no token of it, as a sink before padding, is passed over. */
static void
cut (HlHeadUsed  *self,
     HlAttention *attention,
     HlSide       side,
     gint64       first,
     gint64       end)
{
  HlTokenMap *map = hl_attention_get_map (attention, side);
  g_autoptr (HlTokenMap) each = map == NULL ? hl_token_map_new_each (self->end[side]) : NULL;
  const HlTokenSpan *spans = hl_token_map_get_spans (map != NULL ? map : each);

  for (gsize i = self->first[side]; i < self->end[side]; i++)
    {
      if (spans[i].n > 0 && (gint64) (spans[i].first + spans[i].n) > first)
        break;
      if (spans[i].n > 0)
        self->first[side] = i + 1;
    }
  while (self->end[side] > self->first[side] && (gint64) spans[self->end[side] - 1].first >= end)
    self->end[side]--;
}

/* Of each side the tokens of a document that are no padding. */
typedef struct
{
  gint64 first[2];
  gint64 end[2];
} Bounds;

static void
bounds_narrow (Bounds *self,
               HlSide  side,
               gint64  first,
               gint64  end)
{
  self->first[side] = MAX (self->first[side], first);
  self->end[side] = MIN (self->end[side], end);
}

static Bounds
find_bounds (HlAttention       *attention,
             HlAttentionSource *source)
{
  Bounds self = { { 0, 0 }, { G_MAXINT64, G_MAXINT64 } };
  /* Of a map whose rows became columns the weights know what it was before. */
  const HlSide keys = hl_attention_is_transposed (attention) ? HL_QUERIES : HL_KEYS;
  const HlSide queries = hl_side_get_other (keys);
  HlAttentionSource *weights = get_weights (source);
  const gsize n_queries = hl_attention_count_tokens (attention, queries);
  const gsize n_keys = hl_attention_count_tokens (attention, keys);
  const HlMask *mask = hl_attention_source_get_mask (weights, 0);

  if (n_queries != hl_attention_source_get_n (weights, HL_QUERIES) ||
      n_keys != hl_attention_source_get_n (weights, HL_KEYS))
    return self;
  const HlTokenSpan seen = find_seen (weights), text = hl_attention_get_text_span (attention, queries);
  if (text.n > 0)
    bounds_narrow (&self, queries, (gint64) text.first, (gint64) (text.first + text.n));
  if (seen.n == n_keys)
    return self;
  bounds_narrow (&self, keys, (gint64) seen.first, (gint64) (seen.first + seen.n));
  if (hl_attention_get_kind (attention) != HL_ATTENTION_CROSS && (mask->causal || n_queries == n_keys))
    {
      const gint64 position = hl_mask_get_position (mask, n_queries, n_keys, 0);

      bounds_narrow (&self, queries, (gint64) seen.first - position, (gint64) (seen.first + seen.n) - position);
    }
  return self;
}

/**
 * hl_head_used_find:
 * @attention: an attention
 * @source: its weights, or what is made of them
 *
 * Keys are padding that no query of any layer sees, before all others or behind them, and so are the queries at their places,
 * where queries have one among the keys; where they have none, those that hl_attention_get_text_span() leaves out. Words are padding
 * of which all pieces are.
 *
 * Returns: what is no padding
 */
HlHeadUsed
hl_head_used_find (HlAttention       *attention,
                   HlAttentionSource *source)
{
  HlHeadUsed self = { { 0, 0 },
                      { hl_attention_get_n (attention, HL_QUERIES), hl_attention_get_n (attention, HL_KEYS) } };
  const Bounds bounds = find_bounds (attention, source);

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (bounds.first[side] > 0 || bounds.end[side] < G_MAXINT64)
      cut (&self, attention, side, bounds.first[side], bounds.end[side]);
  return self;
}

/**
 * hl_head_used_find_tokens:
 * @attention: an attention
 * @source: its weights, or what is made of them
 * @side: queries or keys
 *
 * Returns: what is no padding, see hl_head_used_find(), of the tokens of the document, also of those that were left out
 */
HlTokenSpan
hl_head_used_find_tokens (HlAttention       *attention,
                          HlAttentionSource *source,
                          HlSide             side)
{
  const gint64 n = (gint64) hl_attention_count_tokens (attention, side);
  const Bounds bounds = find_bounds (attention, source);
  const gint64 first = MIN (bounds.first[side], n), end = CLAMP (bounds.end[side], first, n);

  return (HlTokenSpan){ (gsize) first, (gsize) (end - first) };
}

/**
 * hl_head_used_count_keys:
 * @attention: an attention, not transposed
 *
 * Returns: how many of its keys are no padding, by their tokens or by the masks of its rules
 */
gsize
hl_head_used_count_keys (HlAttention *attention)
{
  const gsize n = hl_attention_get_n (attention, HL_KEYS);
  Seen seen = { n, n, 0 };

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    seen_add (&seen, &hl_attention_get_rule (attention, layer)->mask);
  const HlTokenSpan span = seen_get_span (&seen);
  const gsize end = MIN (span.first + span.n, hl_attention_get_n_used (attention, HL_KEYS));
  return end > span.first ? end - span.first : 0;
}

/**
 * hl_head_used_cut_queries:
 * @attention: an attention, not transposed
 * @source: its weights, or what is made of them
 * @first: (inout): the first of some queries
 * @n: (inout): how many
 *
 * Leaves out those that are padding, see hl_head_used_find().
 */
void
hl_head_used_cut_queries (HlAttention       *attention,
                          HlAttentionSource *source,
                          gsize             *first,
                          gsize             *n)
{
  const HlHeadUsed used = hl_head_used_find (attention, source);
  const gsize end = MIN (*first + *n, used.end[HL_QUERIES]);

  *first = MAX (*first, used.first[HL_QUERIES]);
  *n = end > *first ? end - *first : 0;
}
