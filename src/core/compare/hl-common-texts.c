/* SPDX-License-Identifier: MIT */
/* Where the second texts of two pairs begin among the tokens of both. */
#include "core/compare/hl-common-texts.h"

/**
 * hl_common_texts_find_sentence_b: (skip)
 * @alignment: of the queries, or of the keys, of two pairs of texts
 * @start_a: the first query or key of the second text of A; as many as there are, if it has none
 * @start_b: likewise of B
 *
 * Returns: the first common query or key of the second texts, as many as there are if these have none; %HL_TOKEN_NONE where not all
 *   before it are of the first texts
 */
gsize
hl_common_texts_find_sentence_b (const HlTokenAlignment *alignment,
                                 gsize                   start_a,
                                 gsize                   start_b)
{
  g_return_val_if_fail (alignment != NULL, HL_TOKEN_NONE);

  const HlAlignedToken *positions = hl_token_alignment_get_positions (alignment);
  const gsize n = hl_token_alignment_get_n (alignment);
  gsize start = n;

  for (gsize i = 0; i < n; i++)
    {
      const gboolean second_a = positions[i].a != HL_TOKEN_NONE && positions[i].a >= start_a;
      const gboolean second_b = positions[i].b != HL_TOKEN_NONE && positions[i].b >= start_b;
      const gboolean in_first = (positions[i].a != HL_TOKEN_NONE && !second_a) ||
                                (positions[i].b != HL_TOKEN_NONE && !second_b);

      if (in_first && (second_a || second_b || start < n))
        return HL_TOKEN_NONE;
      if (!in_first && start == n)
        start = i;
    }
  return start;
}
