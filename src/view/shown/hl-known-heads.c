/* SPDX-License-Identifier: MIT */
/* What is known of heads. Numbers of other heads, of other queries or of other words would be a lie. */
#include "view/shown/hl-known-heads.h"

void
hl_known_heads_clear (HlKnownHeads *self)
{
  g_clear_object (&self->compared);
  g_clear_object (&self->told.attention);
  g_clear_pointer (&self->pairs, g_free);
  g_clear_pointer (&self->found_pairs, hl_token_pairs_unref);
  g_clear_pointer (&self->numbers, hl_head_numbers_unref);
}

/* @attention (nullable) is another than the words were looked for in. */
void
hl_known_heads_find_pairs (HlKnownHeads *self,
                           HlAttention  *attention)
{
  g_clear_pointer (&self->found_pairs, hl_token_pairs_unref);
  if (self->pairs != NULL && attention != NULL)
    self->found_pairs = hl_token_pairs_parse (attention, self->pairs, NULL);
}

/* Returns whether @pairs (nullable; empty is none) are others. */
gboolean
hl_known_heads_set_pairs (HlKnownHeads *self,
                          HlAttention  *attention,
                          const char   *pairs)
{
  if (pairs != NULL && *pairs == '\0')
    pairs = NULL;
  if (g_strcmp0 (self->pairs, pairs) == 0)
    return FALSE;
  g_free (self->pairs);
  self->pairs = g_strdup (pairs);
  hl_known_heads_find_pairs (self, attention);
  return TRUE;
}

/* Returns whether they are others. */
gboolean
hl_known_heads_set_numbers (HlKnownHeads  *self,
                            HlHeadNumbers *numbers)
{
  if (self->numbers == numbers)
    return FALSE;
  g_clear_pointer (&self->numbers, hl_head_numbers_unref);
  if (numbers != NULL)
    self->numbers = hl_head_numbers_ref (numbers);
  return TRUE;
}

/* Other maps are looked at. Returns whether anything was known. */
gboolean
hl_known_heads_forget_maps (HlKnownHeads *self)
{
  if (self->numbers == NULL)
    return FALSE;

  g_autoptr (HlHeadNumbers) numbers = g_steal_pointer (&self->numbers);
  self->numbers = hl_head_numbers_forget_maps (numbers);
  return TRUE;
}

/* Keeps what is true of @queries of @attention, of the words and in the comparison. Returns whether any went. */
gboolean
hl_known_heads_drop_outdated (HlKnownHeads *self,
                              HlAttention  *attention,
                              HlRange       queries)
{
  if (self->numbers == NULL)
    return FALSE;

  g_autoptr (HlHeadNumbers) numbers = g_steal_pointer (&self->numbers);
  HlPairRanking *ranking = hl_head_numbers_get_ranking (numbers);
  if (!hl_head_numbers_is_of (numbers, attention, queries.first, queries.n))
    return TRUE;
  if (ranking == NULL ||
      (self->found_pairs != NULL && hl_token_pairs_equal (hl_pair_ranking_get_pairs (ranking), self->found_pairs)))
    self->numbers = hl_head_numbers_ref (numbers);
  else
    self->numbers = hl_head_numbers_set_ranking (numbers, NULL);
  HlComparison *compared = hl_head_numbers_get_compared (self->numbers);
  if (compared != NULL && compared != self->compared)
    {
      g_autoptr (HlHeadNumbers) outdated = self->numbers;
      self->numbers = hl_head_numbers_set_changes (outdated, NULL, NULL);
    }
  return self->numbers != numbers;
}
