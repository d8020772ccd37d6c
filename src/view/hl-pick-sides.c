/* SPDX-License-Identifier: MIT */
/* Where what is pinned on one side of a comparison is on the other, and in their difference. */
#include "view/hl-pick-sides.h"

static gboolean
has_query (const HlPick *pick)
{
  return pick != NULL && hl_pick_has (pick, HL_QUERIES);
}

static gboolean
has_key (const HlPick *pick)
{
  return pick != NULL && hl_pick_has (pick, HL_KEYS);
}

/* Sets what is left of a pick of which a token was not found. */
static void
set_found (HlPick *pick,
           gsize   query,
           gsize   key)
{
  if (query == HL_TOKEN_NONE && key == HL_TOKEN_NONE)
    {
      *pick = (HlPick){ HL_PICK_NONE };
      return;
    }
  pick->kind = key == HL_TOKEN_NONE ? HL_PICK_QUERY : query == HL_TOKEN_NONE ? HL_PICK_KEY : HL_PICK_CELL;
  pick->query = query != HL_TOKEN_NONE ? query : 0;
  pick->key = key != HL_TOKEN_NONE ? key : 0;
}

static gsize
map_index (const HlTokenAlignment *alignment,
           gsize                   index,
           gboolean                to_b)
{
  return to_b ? hl_token_alignment_a_to_b (alignment, index) : hl_token_alignment_b_to_a (alignment, index);
}

/* Returns the same on the other side; nothing, where that lacks a token of it. What is no token stays as it is. */
HlPick
hl_pick_on_other_side (HlComparison *comparison,
                       const HlPick *pick,
                       gboolean      to_b)
{
  HlPick mapped = *pick;

  if (has_query (pick))
    mapped.query = map_index (hl_comparison_get_alignment (comparison, HL_QUERIES), pick->query, to_b);
  if (has_key (pick))
    mapped.key = map_index (hl_comparison_get_alignment (comparison, HL_KEYS), pick->key, to_b);
  if ((has_query (pick) && mapped.query == HL_TOKEN_NONE) || (has_key (pick) && mapped.key == HL_TOKEN_NONE))
    return (HlPick){ HL_PICK_NONE };
  return mapped;
}

static gsize
find_on_side (const HlTokenAlignment *alignment,
              gsize                   position,
              gboolean                of_b)
{
  if (position >= hl_token_alignment_get_n (alignment))
    return HL_TOKEN_NONE;
  const HlAlignedToken *token = &hl_token_alignment_get_positions (alignment)[position];
  return of_b ? token->b : token->a;
}

/* Returns as much of it as the side has: of a cell perhaps only the query or the key; nothing, if that is no token. */
HlPick
hl_pick_on_side (HlComparison *comparison,
                 const HlPick *common,
                 gboolean      of_b)
{
  HlPick pick = *common;
  gsize query = HL_TOKEN_NONE, key = HL_TOKEN_NONE;

  if (has_query (common))
    query = find_on_side (hl_comparison_get_alignment (comparison, HL_QUERIES), common->query, of_b);
  if (has_key (common))
    key = find_on_side (hl_comparison_get_alignment (comparison, HL_KEYS), common->key, of_b);
  set_found (&pick, query, key);
  return pick;
}

static gsize
find_position (const HlTokenAlignment *alignment,
               gsize                   a,
               gsize                   b)
{
  if (a != HL_TOKEN_NONE)
    return hl_token_alignment_find_a (alignment, a);
  return b != HL_TOKEN_NONE ? hl_token_alignment_find_b (alignment, b) : HL_TOKEN_NONE;
}

/* Returns the tokens of both in the difference, as positions in the common lists; of two queries or two keys those of
 * A. */
HlPick
hl_pick_in_common (HlComparison *comparison,
                   const HlPick *a,
                   const HlPick *b)
{
  HlPick pick = a != NULL && a->kind != HL_PICK_NONE ? *a : b != NULL ? *b : (HlPick){ HL_PICK_NONE };

  set_found (&pick,
             find_position (hl_comparison_get_alignment (comparison, HL_QUERIES),
                            has_query (a) ? a->query : HL_TOKEN_NONE, has_query (b) ? b->query : HL_TOKEN_NONE),
             find_position (hl_comparison_get_alignment (comparison, HL_KEYS), has_key (a) ? a->key : HL_TOKEN_NONE,
                            has_key (b) ? b->key : HL_TOKEN_NONE));
  return pick;
}

/* The place of a token that was at another place in the maps before. */
static gboolean
carry_token (HlTokenMap *before,
             HlTokenMap *after,
             gsize      *index)
{
  const HlTokenSpan span = before != NULL ? hl_token_map_get_spans (before)[*index] : (HlTokenSpan){ *index, 1 };

  *index = span.first;
  return span.n > 0 && (after == NULL || hl_token_map_find (after, span.first, index));
}

/*
 * A token that is picked stays so where it is still there when other maps are shown: as a part of a word, or where rows
 * and columns have changed over.
 */
HlPick
hl_pick_carried (const HlPick *pick,
                 HlAttention  *before,
                 HlAttention  *after)
{
  const gboolean turned = hl_attention_is_transposed (before) != hl_attention_is_transposed (after);
  HlTokenMap *query_map = hl_attention_get_map (after, HL_QUERIES), *key_map = hl_attention_get_map (after, HL_KEYS);
  HlPick carried = *pick;

  if (pick->kind == HL_PICK_HEAD)
    return carried;
  if ((has_query (pick) &&
       !carry_token (hl_attention_get_map (before, HL_QUERIES), turned ? key_map : query_map, &carried.query)) ||
      (has_key (pick) &&
       !carry_token (hl_attention_get_map (before, HL_KEYS), turned ? query_map : key_map, &carried.key)))
    return (HlPick){ HL_PICK_NONE };
  if (!turned)
    return carried;
  const gsize query = carried.query;
  carried.query = carried.key;
  carried.key = query;
  if (pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_KEY)
    carried.kind = pick->kind == HL_PICK_QUERY ? HL_PICK_KEY : HL_PICK_QUERY;
  return carried;
}
