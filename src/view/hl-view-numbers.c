/* SPDX-License-Identifier: MIT */
/* What a picture needs to know of heads: by what they are sorted and framed in it, and what of that is not known yet. */
#include "view/hl-view-state.h"

#include "core/document/hl-expansion.h"

#include <math.h>

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

/* Whether the words for it are there, or what to compare with. */
static gboolean
can_tell (HlViewState  *self,
          HlHeadMeasure measure)
{
  return (measure != HL_HEAD_MEASURE_PAIR || hl_view_state_get_found_pairs (self) != NULL) &&
         (measure != HL_HEAD_MEASURE_CHANGE || hl_view_state_get_compared (self) != NULL);
}

/* By what heads are sorted or framed now, where they are shown. */
static HlHeadMeasure
get_applied (HlViewState  *self,
             HlHeadMeasure measure)
{
  return shows_heads (self) && can_tell (self, measure) ? measure : HL_HEAD_MEASURE_NONE;
}

/* By what heads are sorted in the present picture. */
HlHeadMeasure
hl_view_state_get_applied_sort (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_HEAD_MEASURE_NONE);

  return get_applied (self, hl_view_state_get_options (self)->sort);
}

/* Of which number of heads a chart is; none of charts of something else. */
HlHeadMeasure
hl_view_state_get_charted (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_HEAD_MEASURE_NONE);

  const HlViewOptions *options = hl_view_state_get_options (self);
  const gboolean draws_number = hl_view_kind_get_traits (options->view)->shows_charts &&
                                hl_chart_kind_draws_number (options->chart);
  return draws_number && can_tell (self, options->number) ? options->number : HL_HEAD_MEASURE_NONE;
}

/* Whether the chart places heads by how far apart they are. */
gboolean
hl_view_state_draws_distances (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  const HlViewOptions *options = hl_view_state_get_options (self);
  return hl_view_kind_get_traits (options->view)->shows_charts && options->chart == HL_CHART_SCATTER;
}

/* What frames tell in it. */
HlHeadMeasure
hl_view_state_get_applied_colour_by (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), HL_HEAD_MEASURE_NONE);

  return get_applied (self, hl_view_state_get_options (self)->colour_by);
}

/* What the chart of shares needs, as far as the attention has it. */
static HlHeadNumberSet
get_shares (HlViewState *self)
{
  static const HlHeadStat masses[] = {
    HL_HEAD_STAT_MASS_CLS,
    HL_HEAD_STAT_MASS_SEP,
    HL_HEAD_STAT_MASS_BARE_FIRST,
    HL_HEAD_STAT_MASS_PUNCTUATION,
    HL_HEAD_STAT_MASS_OTHER,
    HL_HEAD_STAT_NORM_SHARE_CLS,
    HL_HEAD_STAT_NORM_SHARE_SEP,
    HL_HEAD_STAT_NORM_SHARE_BARE_FIRST,
    HL_HEAD_STAT_NORM_SHARE_PUNCTUATION,
    HL_HEAD_STAT_NORM_SHARE_OTHER,
  };
  static const HlHeadStat patterns[] = { HL_HEAD_STAT_PATTERN };
  const HlViewOptions *options = hl_view_state_get_options (self);
  const gboolean is_pattern = options->number == HL_HEAD_MEASURE_PATTERN;
  const HlHeadStat *stats = is_pattern ? patterns : masses;
  HlHeadNumberSet set = 0;

  if (!hl_view_kind_get_traits (options->view)->shows_charts || options->chart != HL_CHART_SHARES)
    return 0;
  const HlHeadNumberRequest request = hl_view_state_get_number_request (self);
  for (guint i = 0; i < (is_pattern ? G_N_ELEMENTS (patterns) : G_N_ELEMENTS (masses)); i++)
    if (hl_head_number_check (stats[i], &request, NULL))
      set |= HL_HEAD_NUMBER_BIT (stats[i]);
  return set;
}

/* The numbers of heads that a chart is made of. */
HlHeadNumberSet
hl_view_state_get_charted_numbers (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  return hl_head_measure_get_set (hl_view_state_get_charted (self)) | get_shares (self);
}

/* Numbers of heads that the picture needs and that are not known of all. */
HlHeadNumberSet
hl_view_state_get_wanted_numbers (HlViewState *self)
{
  const HlViewOptions *options = hl_view_state_get_options (self);
  HlHeadNumberSet set = 0;

  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  const HlHeadNumberSet charted = hl_view_state_get_charted_numbers (self);
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if ((charted & HL_HEAD_NUMBER_BIT (stat)) && !knows (self, HL_HEAD_MEASURE_STATS + stat))
      set |= HL_HEAD_NUMBER_BIT (stat);
  if (!shows_heads (self))
    return set;
  if (!knows (self, options->sort))
    set |= hl_head_measure_get_set (options->sort);
  if (!knows (self, options->colour_by))
    set |= hl_head_measure_get_set (options->colour_by);
  return set & hl_head_number_get_computable ();
}

/* What numbers of its heads are told of. It holds no references. */
HlHeadNumberRequest
hl_view_state_get_number_request (HlViewState *self)
{
  HlHeadNumberRequest request = { NULL };

  g_return_val_if_fail (HL_IS_VIEW_STATE (self), request);

  const HlRange queries = hl_shown_get_numbered_queries (hl_view_state_get_shown (self));
  request.attention = hl_view_state_get_attention (self);
  request.source = hl_view_state_get_shown (self)->numbered_source;
  if (request.source != hl_view_state_get_attention_source (self))
    {
      request.own = request.attention;
      request.weights = hl_view_state_get_attention_source (self);
    }
  request.first_query = queries.first;
  request.n_queries = queries.n;
  request.call = hl_view_state_get_call (self);
  return request;
}

/* What is known of its heads, of which perhaps nothing is. */
HlHeadNumbers *
hl_view_state_ref_numbers (HlViewState *self)
{
  HlHeadNumbers *numbers = hl_view_state_get_numbers (self);
  const HlRange queries = hl_shown_get_numbered_queries (hl_view_state_get_shown (self));

  return numbers != NULL ? hl_head_numbers_ref (numbers)
                         : hl_head_numbers_new (hl_view_state_get_attention (self), queries.first, queries.n);
}

/* Whether heads have names: these are of weights, and tell nothing of what was made of them, here or by who wrote the file. */
gboolean
hl_view_state_names_heads (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return hl_view_state_get_shown (self)->numbered_source == hl_view_state_get_attention_source (self) &&
         hl_attention_get_quantity (hl_view_state_get_attention (self)) == NULL;
}

static const HlHeadName *
find_told_name (HlViewState *self,
                guint        layer,
                guint        head,
                double      *value)
{
  const HlToldName *told = hl_view_state_get_told_name (self);

  if (told->attention != hl_view_state_get_attention (self) || told->layer != layer || told->head != head ||
      !hl_range_equal (told->queries, hl_shown_get_numbered_queries (hl_view_state_get_shown (self))))
    return NULL;
  *value = told->value;
  return told->name;
}

/* What one of its heads is called, by its weights; nothing where these are not what the numbers are of, or not known yet. */
const HlHeadName *
hl_view_state_find_head_name (HlViewState *self,
                              guint        layer,
                              guint        head,
                              double      *value)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), NULL);
  g_return_val_if_fail (value != NULL, NULL);

  HlHeadNumbers *numbers = hl_view_state_get_numbers (self);
  *value = NAN;
  if (!hl_view_state_names_heads (self))
    return NULL;
  const HlHeadName *name =
    numbers != NULL ? hl_head_name_find (numbers, hl_head_numbers_get_index (numbers, layer, head), value) : NULL;
  return name != NULL ? name : find_told_name (self, layer, head, value);
}

/* With the number that tells it: “previous token 0.92”; NULL without a name. */
char *
hl_view_state_dup_head_name (HlViewState *self,
                             guint        layer,
                             guint        head)
{
  double value;
  const HlHeadName *name = hl_view_state_find_head_name (self, layer, head, &value);

  return name != NULL ? hl_head_name_dup_text (name, value) : NULL;
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

  return (hl_view_state_get_charted (self) == HL_HEAD_MEASURE_CHANGE ||
          hl_view_state_get_applied_sort (self) == HL_HEAD_MEASURE_CHANGE ||
          hl_view_state_get_applied_colour_by (self) == HL_HEAD_MEASURE_CHANGE) &&
         !hl_view_state_knows_changes (self);
}

/* How many maps the attention has, at the most. */
guint
hl_view_state_count_maps (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  HlAttention *attention = hl_view_state_get_attention (self);
  return hl_attention_get_n_layers (attention) * hl_attention_get_max_heads (attention);
}

/* How many maps of the attention are read for the picture, and for what it needs to know of heads, at the most. */
guint
hl_view_state_count_maps_read (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), 0);

  if (hl_view_state_get_wanted_numbers (self) != 0 || hl_view_state_wants_ranking (self) ||
      hl_view_state_wants_changes (self))
    return hl_view_state_count_maps (self);
  return hl_shown_count_maps_read (hl_view_state_get_shown (self));
}

/* Whether the picture takes the numbers of what the attention is compared with, too. */
gboolean
hl_view_state_reads_both (HlViewState *self)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  return hl_view_state_get_counterpart (self)->attention != NULL || hl_view_state_wants_changes (self);
}

/*
 * Whether so many maps may be read, or of both sides of a comparison so many each. If not, the error is a sentence for who can allow it
 * with hl_view_state_allow_expansion().
 */
gboolean
hl_view_state_check_reading (HlViewState *self,
                             guint64      n_maps,
                             gboolean     of_both,
                             GError     **error)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  HlViewState *partner = of_both ? hl_view_state_get_partner (self) : NULL;
  return (hl_view_state_get_allows_expansion (self) ||
          hl_expansion_ask_maps (hl_view_state_get_example (self), hl_view_state_get_attention (self), n_maps,
                                 error)) &&
         (partner == NULL || hl_view_state_check_reading (partner, n_maps, FALSE, error));
}

/* The same of what the picture reads on screen. Heads are ranked beside it, unless it sorts them by that, and then it reads all of them. */
gboolean
hl_view_state_check_picture (HlViewState *self,
                             GError     **error)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  const gboolean takes_all = hl_view_state_get_wanted_numbers (self) != 0 || hl_view_state_wants_changes (self);
  return hl_view_state_check_reading (self,
                                      takes_all ? hl_view_state_count_maps (self)
                                                : hl_shown_count_maps_read (hl_view_state_get_shown (self)),
                                      hl_view_state_reads_both (self), error);
}

/* Computes what the picture needs to know of heads, for a state that nobody listens to. Blocks: call it from a worker. */
gboolean
hl_view_state_complete_numbers (HlViewState  *self,
                                GCancellable *cancellable,
                                GError      **error)
{
  g_return_val_if_fail (HL_IS_VIEW_STATE (self), FALSE);

  HlAttentionSource *source = hl_view_state_get_attention_source (self);
  HlComparison *compared = hl_view_state_get_compared (self);
  const HlHeadNumberRequest request = hl_view_state_get_number_request (self);
  g_autoptr (HlHeadNumbers) numbers = hl_view_state_ref_numbers (self);

  if (!hl_head_numbers_complete (&numbers, &request, hl_view_state_get_wanted_numbers (self), NULL, cancellable, error))
    return FALSE;
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
