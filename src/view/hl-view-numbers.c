/* SPDX-License-Identifier: MIT */
/* What a picture needs to know of heads: by what they are sorted and framed in it, and what of that is not known yet. */
#include "view/hl-view-state.h"

/* Where maps are combined there are no heads to sort. */
static gboolean
shows_heads (HlViewState *self)
{
  const HlShown *shown = hl_view_state_get_shown (self);

  return hl_view_kind_get_traits (shown->options.view)->shows_all_heads && !shown->merges_heads &&
         !shown->merges_layers;
}

static gboolean
knows (HlViewState  *self,
       HlHeadMeasure measure)
{
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self);

  return numbers != NULL && hl_head_numbers_knows (numbers, measure);
}

/*
 * Whether heads can be sorted or framed by something now: the words for it are there, or what to compare with, and
 * heads are shown.
 */
static HlHeadMeasure
get_applied (HlViewState  *self,
             HlHeadMeasure measure)
{
  if (!shows_heads (self) || (measure == HL_HEAD_MEASURE_PAIR && hl_view_state_get_found_pairs (self) == NULL) ||
      (measure == HL_HEAD_MEASURE_CHANGE && hl_view_state_get_compared (self) == NULL))
    return HL_HEAD_MEASURE_NONE;
  return measure;
}

/* By what heads are sorted in the present picture. */
HlHeadMeasure
hl_view_state_get_applied_sort (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_HEAD_MEASURE_NONE);

  return get_applied (self, hl_view_state_get_options (self)->sort);
}

/* What frames tell in it. */
HlHeadMeasure
hl_view_state_get_applied_colour_by (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_HEAD_MEASURE_NONE);

  return get_applied (self, hl_view_state_get_options (self)->colour_by);
}

gboolean
hl_view_state_wants_stats (HlViewState *self)
{
  const HlViewOptions *options = hl_view_state_get_options (self);

  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return shows_heads (self) &&
         (hl_head_measure_is_stat (options->sort) || hl_head_measure_is_stat (options->colour_by)) &&
         !knows (self, HL_HEAD_MEASURE_STATS);
}

gboolean
hl_view_state_wants_ranking (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return hl_view_state_get_found_pairs (self) != NULL && !knows (self, HL_HEAD_MEASURE_PAIR);
}

gboolean
hl_view_state_knows_changes (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return knows (self, HL_HEAD_MEASURE_CHANGE);
}

gboolean
hl_view_state_wants_changes (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return (hl_view_state_get_applied_sort (self) == HL_HEAD_MEASURE_CHANGE ||
          hl_view_state_get_applied_colour_by (self) == HL_HEAD_MEASURE_CHANGE) &&
         !hl_view_state_knows_changes (self);
}

/* Computes what the picture needs to know of heads, for a state that nobody listens to. Blocks: call it from a worker. */
gboolean
hl_view_state_complete_numbers (HlViewState  *self,
                                GCancellable *cancellable,
                                GError      **error)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  const HlRange queries = hl_shown_get_numbered_queries (hl_view_state_get_shown (self));
  HlAttention *attention = hl_view_state_get_attention (self);
  HlAttentionSource *source = hl_view_state_get_attention_source (self);
  HlComparison *compared = hl_view_state_get_compared (self);
  g_autoptr (HlHeadNumbers) numbers = hl_view_state_get_numbers (self) != NULL
                                        ? hl_head_numbers_ref (hl_view_state_get_numbers (self))
                                        : hl_head_numbers_new (attention, queries.first, queries.n);

  if (hl_view_state_wants_stats (self))
    {
      const guint first = hl_head_numbers_get_n_known (numbers);
      const guint n = hl_head_numbers_get_n (numbers) - first;
      g_autofree HlHeadStats *stats = g_new (HlHeadStats, MAX (n, 1));
      if (!hl_head_stats_compute_range (attention, source, queries.first, queries.n, first, n, stats, cancellable,
                                        error))
        return FALSE;
      HlHeadNumbers *more = hl_head_numbers_add_stats (numbers, first, n, stats);
      hl_head_numbers_unref (numbers);
      numbers = more;
    }
  if (hl_view_state_wants_ranking (self))
    {
      g_autoptr (HlPairRanking)
        ranking = hl_pair_ranking_compute (source, hl_view_state_get_found_pairs (self), cancellable, error);
      if (ranking == NULL)
        return FALSE;
      HlHeadNumbers *more = hl_head_numbers_set_ranking (numbers, ranking);
      hl_head_numbers_unref (numbers);
      numbers = more;
    }
  if (hl_view_state_wants_changes (self))
    {
      g_autoptr (GArray) changes = hl_head_changes_compute (compared, cancellable, error);
      if (changes == NULL)
        return FALSE;
      HlHeadNumbers *more = hl_head_numbers_set_changes (numbers, compared, changes);
      hl_head_numbers_unref (numbers);
      numbers = more;
    }
  hl_view_state_set_numbers (self, numbers);
  return TRUE;
}
