/* SPDX-License-Identifier: MIT */
/*
 * HlViewState: what is known of the heads of the attention, by what they are sorted and framed, and which words they are to
 * link.
 */
#include "view/hl-view-state-private.h"

/* The pairs as this attention has them; none where it does not have all the words. */
static void
find_pairs (HlViewState *self)
{
  g_clear_pointer (&self->found_pairs, hl_token_pairs_unref);
  if (self->pairs != NULL && self->attention != NULL)
    self->found_pairs = hl_token_pairs_parse (self->attention, self->pairs, NULL);
}

/* Numbers of other heads, of other queries or of other words would be a lie. */
void
hl_view_state_drop_numbers (HlViewState *self,
                            gboolean     other_attention)
{
  if (other_attention)
    find_pairs (self);
  if (self->numbers == NULL)
    return;

  const HlRange queries = hl_view_state_get_numbered_queries (self);
  g_autoptr (HlHeadNumbers) numbers = g_steal_pointer (&self->numbers);
  HlPairRanking *ranking = hl_head_numbers_get_ranking (numbers);
  if (hl_head_numbers_is_of (numbers, self->attention, queries.first, queries.n))
    {
      if (ranking == NULL || (self->found_pairs != NULL &&
                              hl_token_pairs_equal (hl_pair_ranking_get_pairs (ranking), self->found_pairs)))
        self->numbers = hl_head_numbers_ref (numbers);
      else
        self->numbers = hl_head_numbers_set_ranking (numbers, NULL);
      HlComparison *compared = hl_head_numbers_get_compared (self->numbers);
      if (compared != NULL && compared != self->compared)
        {
          g_autoptr (HlHeadNumbers) outdated = self->numbers;
          self->numbers = hl_head_numbers_set_changes (outdated, NULL, NULL);
        }
    }
  if (self->numbers != numbers)
    hl_view_state_notify (self, PROP_NUMBERS);
}

/**
 * hl_view_state_get_numbered_queries:
 * @self: a view state
 *
 * Returns: the queries of the attention that the numbers of its heads are of: those that filters of tokens leave
 */
HlRange
hl_view_state_get_numbered_queries (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), ((HlRange){ 0, 0 }));

  const gsize n = self->options.crop_padding ? hl_attention_get_n_used_queries (self->attention)
                                     : hl_attention_get_n_queries (self->attention);
  const gsize b = MIN (hl_attention_get_sentence_b_start (self->attention), n);
  if (self->options.sentences == HL_SENTENCES_ALL || b == 0)
    return (HlRange){ 0, n };
  return self->options.sentences == HL_SENTENCES_A_TO_A || self->options.sentences == HL_SENTENCES_A_TO_B ? (HlRange){ 0, b }
                                                                                          : (HlRange){ b, n - b };
}

/**
 * hl_view_state_get_numbers:
 * @self: a view state
 *
 * Returns: (transfer none) (nullable): what is known of the heads of the attention; %NULL for nothing yet
 */
HlHeadNumbers *
hl_view_state_get_numbers (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->numbers;
}

/**
 * hl_view_state_set_numbers:
 * @self: a view state
 * @numbers: (nullable): what is known of the heads
 *
 * Numbers of another attention or of other queries are dropped, and so is a ranking for other words, and changes in another
 * comparison.
 */
void
hl_view_state_set_numbers (HlViewState   *self,
                           HlHeadNumbers *numbers)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (self->numbers == numbers)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  g_clear_pointer (&self->numbers, hl_head_numbers_unref);
  if (numbers != NULL)
    self->numbers = hl_head_numbers_ref (numbers);
  hl_view_state_notify (self, PROP_NUMBERS);
  hl_view_state_drop_numbers (self, FALSE);
  g_object_thaw_notify (G_OBJECT (self));
}

/* Where maps are combined there are no heads to sort. */
static gboolean
shows_heads (HlViewState *self)
{
  return hl_view_kind_get_traits (self->options.view)->shows_all_heads && !hl_view_state_merges_heads (self) && !hl_view_state_merges_layers (self);
}

/**
 * hl_view_state_wants_stats:
 * @self: a view state
 *
 * Returns: whether the picture needs statistics of heads that are not known yet
 */
gboolean
hl_view_state_wants_stats (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return shows_heads (self) && (hl_head_measure_is_stat (self->options.sort) || hl_head_measure_is_stat (self->options.colour_by)) &&
         (self->numbers == NULL || !hl_head_numbers_knows (self->numbers, HL_HEAD_MEASURE_STATS));
}

/**
 * hl_view_state_wants_ranking:
 * @self: a view state
 *
 * Returns: whether heads are to be ranked by what links some words and are not yet
 */
gboolean
hl_view_state_wants_ranking (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return self->found_pairs != NULL &&
         (self->numbers == NULL || !hl_head_numbers_knows (self->numbers, HL_HEAD_MEASURE_PAIR));
}

/**
 * hl_view_state_complete_numbers:
 * @self: a view state that nobody listens to
 * @cancellable: (nullable): stops it
 * @error: what hl_head_stats_compute_all(), hl_pair_ranking_compute() and hl_head_changes_compute() say
 *
 * Computes what the picture needs to know of heads. Blocks: call it from a worker.
 *
 * Returns: whether all is known
 */
gboolean
hl_view_state_complete_numbers (HlViewState   *self,
                                GCancellable  *cancellable,
                                GError       **error)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  const HlRange queries = hl_view_state_get_numbered_queries (self);
  g_autoptr (HlHeadNumbers) numbers = self->numbers != NULL
                                        ? hl_head_numbers_ref (self->numbers)
                                        : hl_head_numbers_new (self->attention, queries.first, queries.n);

  if (hl_view_state_wants_stats (self))
    {
      const guint first = hl_head_numbers_get_n_known (numbers);
      const guint n = hl_head_numbers_get_n (numbers) - first;
      g_autofree HlHeadStats *stats = g_new (HlHeadStats, MAX (n, 1));
      if (!hl_head_stats_compute_range (self->attention, self->attention_source, queries.first, queries.n, first, n,
                                        stats, cancellable, error))
        return FALSE;
      HlHeadNumbers *more = hl_head_numbers_add_stats (numbers, first, n, stats);
      hl_head_numbers_unref (numbers);
      numbers = more;
    }
  if (hl_view_state_wants_ranking (self))
    {
      g_autoptr (HlPairRanking) ranking =
        hl_pair_ranking_compute (self->attention_source, self->found_pairs, cancellable, error);
      if (ranking == NULL)
        return FALSE;
      HlHeadNumbers *more = hl_head_numbers_set_ranking (numbers, ranking);
      hl_head_numbers_unref (numbers);
      numbers = more;
    }
  if (hl_view_state_wants_changes (self))
    {
      g_autoptr (GArray) changes = hl_head_changes_compute (self->compared, cancellable, error);
      if (changes == NULL)
        return FALSE;
      HlHeadNumbers *more = hl_head_numbers_set_changes (numbers, self->compared, changes);
      hl_head_numbers_unref (numbers);
      numbers = more;
    }
  hl_view_state_set_numbers (self, numbers);
  return TRUE;
}

/**
 * hl_view_state_get_attention_source:
 * @self: a view state
 *
 * Returns: (transfer none): the weights of the attention as they are, whatever is derived of them
 */
HlAttentionSource *
hl_view_state_get_attention_source (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->attention_source;
}

/*
 * Whether heads can be sorted or framed by something now: the words for it are there, or what to compare with, and
 * heads are shown.
 */
static HlHeadMeasure
get_applied (HlViewState   *self,
             HlHeadMeasure  measure)
{
  if (!shows_heads (self) || (measure == HL_HEAD_MEASURE_PAIR && self->found_pairs == NULL) ||
      (measure == HL_HEAD_MEASURE_CHANGE && hl_view_state_get_compared (self) == NULL))
    return HL_HEAD_MEASURE_NONE;
  return measure;
}

/**
 * hl_view_state_get_applied_sort:
 * @self: a view state
 *
 * Returns: by what heads are sorted in the present picture
 */
HlHeadMeasure
hl_view_state_get_applied_sort (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_HEAD_MEASURE_NONE);

  return get_applied (self, self->options.sort);
}

/**
 * hl_view_state_get_applied_colour_by:
 * @self: a view state
 *
 * Returns: what frames tell in the present picture
 */
HlHeadMeasure
hl_view_state_get_applied_colour_by (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_HEAD_MEASURE_NONE);

  return get_applied (self, self->options.colour_by);
}

/**
 * hl_view_state_get_pairs:
 * @self: a view state
 *
 * Returns: (transfer none) (nullable): the pairs of words that heads are ranked by, as somebody wrote them; %NULL for
 *   none
 */
const char *
hl_view_state_get_pairs (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->pairs;
}

/**
 * hl_view_state_set_pairs:
 * @self: a view state
 * @pairs: (nullable): pairs of words, as hl_token_pairs_parse() takes them; empty or %NULL for none
 *
 * The words are looked for in the attention now, and in others that come to be shown.
 */
void
hl_view_state_set_pairs (HlViewState *self,
                         const char  *pairs)
{
  g_return_if_fail (HL_IS_VIEW_STATE (self));

  if (pairs != NULL && *pairs == '\0')
    pairs = NULL;
  if (g_strcmp0 (self->pairs, pairs) == 0)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  g_free (self->pairs);
  self->pairs = g_strdup (pairs);
  hl_view_state_drop_numbers (self, TRUE);
  hl_view_state_notify (self, PROP_PAIRS);
  g_object_thaw_notify (G_OBJECT (self));
}

/**
 * hl_view_state_get_found_pairs:
 * @self: a view state
 *
 * Returns: (transfer none) (nullable): the pairs in the tokens of the attention; %NULL if there are none, or one word is
 *   not there
 */
HlTokenPairs *
hl_view_state_get_found_pairs (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);

  return self->found_pairs;
}
