/* SPDX-License-Identifier: MIT */
/* Where what is pinned on one side of a comparison is on the other, and in their difference. */
#include "view/pick/hl-pick-sides.h"

/* Sets what is left of a pick of which a token was not found. */
static void
set_found (HlPick     *pick,
           const gsize found[2])
{
  const gboolean has_query = found[HL_QUERIES] != HL_TOKEN_NONE, has_key = found[HL_KEYS] != HL_TOKEN_NONE;

  if (!has_query && !has_key)
    {
      *pick = (HlPick){ HL_PICK_NONE };
      return;
    }
  pick->kind = has_query && has_key ? HL_PICK_CELL : hl_pick_kind_of (has_key ? HL_KEYS : HL_QUERIES);
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    pick->tokens[side] = found[side] != HL_TOKEN_NONE ? found[side] : 0;
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

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (hl_pick_has (pick, side))
      {
        mapped.tokens[side] = map_index (hl_comparison_get_alignment (comparison, side), pick->tokens[side], to_b);
        if (mapped.tokens[side] == HL_TOKEN_NONE)
          return (HlPick){ HL_PICK_NONE };
      }
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

typedef struct
{
  HlComparison *comparison;
  gboolean of_b;
} Side;

/* As much of a pick as the side has: of a cell perhaps only the query or the key; nothing, if that is no token. */
static HlPick
pick_on_side (const HlPick *common,
              gconstpointer data)
{
  const Side *side_of = data;
  HlPick pick = *common;
  gsize found[2] = { HL_TOKEN_NONE, HL_TOKEN_NONE };

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (hl_pick_has (common, side))
      found[side] =
        find_on_side (hl_comparison_get_alignment (side_of->comparison, side), common->tokens[side], side_of->of_b);
  set_found (&pick, found);
  return pick;
}

/* Returns as much of it as the side has. */
HlFocus
hl_focus_on_side (HlComparison  *comparison,
                  const HlFocus *common,
                  gboolean       of_b)
{
  return hl_focus_map (common, pick_on_side, &(Side){ comparison, of_b });
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

/* The tokens of both in the difference, as positions in the common lists; of two queries or two keys those of A. */
static HlPick
pick_in_common (HlComparison *comparison,
                const HlPick *a,
                const HlPick *b)
{
  gsize found[2];

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    found[side] = find_position (hl_comparison_get_alignment (comparison, side),
                                 hl_pick_has (a, side) ? a->tokens[side] : HL_TOKEN_NONE,
                                 hl_pick_has (b, side) ? b->tokens[side] : HL_TOKEN_NONE);
  HlPick pick = a->kind != HL_PICK_NONE ? *a : *b;
  set_found (&pick, found);
  return pick;
}

static HlPick
from_a (const HlPick *pick,
        gconstpointer comparison)
{
  return pick_in_common ((HlComparison *) comparison, pick, &(HlPick){ HL_PICK_NONE });
}

static HlPick
from_b (const HlPick *pick,
        gconstpointer comparison)
{
  return pick_in_common ((HlComparison *) comparison, &(HlPick){ HL_PICK_NONE }, pick);
}

/*
 * Returns what is pinned on both sides (nullable) as the difference has it: a query of the one and a key of the other as
 * a cell, of two queries or two keys that of A, and of several all.
 */
HlFocus
hl_focus_in_common (HlComparison  *comparison,
                    const HlFocus *a,
                    const HlFocus *b)
{
  const HlFocus nothing = { { HL_PICK_NONE }, NULL };

  a = a != NULL ? a : &nothing;
  b = b != NULL ? b : &nothing;
  if (a->gathered == NULL && b->gathered == NULL)
    return (HlFocus){ pick_in_common (comparison, &a->pick, &b->pick), NULL };
  g_auto (HlFocus) of_a = hl_focus_map (a, from_a, comparison);
  g_auto (HlFocus) of_b = hl_focus_map (b, from_b, comparison);
  return hl_focus_join (&of_a, &of_b);
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
  HlPick carried = *pick;

  if (pick->kind == HL_PICK_HEAD)
    return carried;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      const HlSide now = turned ? hl_side_get_other (side) : side;
      carried.tokens[now] = pick->tokens[side];
      if (hl_pick_has (pick, side) &&
          !carry_token (hl_attention_get_map (before, side), hl_attention_get_map (after, now), &carried.tokens[now]))
        return (HlPick){ HL_PICK_NONE };
    }
  if (turned && hl_pick_is_token (pick))
    carried.kind = hl_pick_kind_of (hl_side_get_other (hl_pick_get_side (pick)));
  return carried;
}

typedef struct
{
  HlAttention *before;
  HlAttention *after;
} Move;

static HlPick
carry (const HlPick *pick,
       gconstpointer data)
{
  const Move *move = data;

  return hl_pick_carried (pick, move->before, move->after);
}

/* All that is in focus, see hl_pick_carried(). */
HlFocus
hl_focus_carried (const HlFocus *focus,
                  HlAttention   *before,
                  HlAttention   *after)
{
  return hl_focus_map (focus, carry, &(Move){ before, after });
}
