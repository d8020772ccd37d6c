/* SPDX-License-Identifier: MIT */
#include "view/shown/hl-shown-texts.h"

#include "core/compare/hl-common-texts.h"
#include "core/document/attention/hl-attention-text.h"

/* Where the second text of @original begins in what was derived of it: on either side others may be left out. */
static gsize
count_first_text (HlAttention *derived,
                  HlSide       side,
                  HlAttention *original)
{
  const HlSide own = hl_attention_is_transposed (derived) ? hl_side_get_other (side) : side;
  const gsize b = hl_attention_find_second_text (original, own);
  HlTokenMap *map = hl_attention_get_map (derived, side);

  return map != NULL ? hl_token_map_count_before (map, b) : b;
}

/* The first query or key of the second texts of a difference of pairs, or HL_TOKEN_NONE. */
static gsize
find_second_texts (const HlShown *self,
                   HlSide         side)
{
  HlComparison *comparison = self->comparison;

  return hl_common_texts_find_sentence_b (hl_comparison_get_alignment (comparison, side),
                                          count_first_text (hl_comparison_get_attention_a (comparison), side,
                                                            self->original),
                                          count_first_text (hl_comparison_get_attention_b (comparison), side,
                                                            self->other));
}

/* Whether its tokens are those of two texts, of which either may be shown alone. */
gboolean
hl_shown_tells_texts_apart (const HlShown *self)
{
  if (hl_attention_get_sentence_b_start (self->original) == 0)
    return FALSE;
  /* One side is seen. */
  if (self->other == NULL || self->shows_steps)
    return TRUE;
  if (hl_attention_get_sentence_b_start (self->other) == 0)
    return FALSE;
  return self->comparison == NULL ||
         (find_second_texts (self, HL_QUERIES) != HL_TOKEN_NONE && find_second_texts (self, HL_KEYS) != HL_TOKEN_NONE);
}

/* The first query or key of the second text; 0 where texts are not told apart, or nothing is left of the first. */
gsize
hl_shown_get_sentence_b (const HlShown *self,
                         HlSide         side)
{
  if (hl_attention_get_sentence_b_start (self->original) == 0)
    return 0;
  if (self->comparison == NULL)
    return count_first_text (self->attention, side, self->original);
  if (hl_attention_get_sentence_b_start (self->other) == 0)
    return 0;
  const gsize b = find_second_texts (self, side);
  return b != HL_TOKEN_NONE ? b : 0;
}
