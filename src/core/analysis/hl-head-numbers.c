/* SPDX-License-Identifier: MIT */
/* What is known of all heads of an attention: one thing that tables, views and files tell numbers of heads from. */
#include "core/analysis/hl-head-numbers.h"

#include "core/analysis/hl-head-index.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* In how many parts all heads are read, and how few heads are none: threads share those of a part. */
#define N_PARTS 8u
#define LEAST_PART 32u

struct _HlHeadNumbers
{
  gatomicrefcount n_refs;
  HlAttention *attention;
  gsize first_query;
  gsize n_queries;
  guint n_layers;
  guint *starts;                  /* as in HlHeadIndex */
  guint n_known[HL_N_HEAD_STATS]; /* of the first so many heads there is this number */
  HlHeadStats *stats;
  HlPairRanking *ranking;
  HlComparison *compared;
  double *changes;       /* of each head, NaN without a partner; as long as there is something compared */
  guint n_texts;         /* that these numbers are the means over; 0 for those of the attention itself */
  HlHeadSpread *spreads; /* [head, stat], an atomic box; as long as there are such texts */
  char *relation;        /* which annotated words those are of that are told of such; a GRefString, NULL for all */
  guint n_annotated[HL_N_HEAD_STATS]; /* over how many annotated texts those are that are told of such; 0 of others */
  HlHeadDistances *distances;         /* over the texts of the means, where they are known */
  double *shares[HL_N_HEAD_STATS];    /* [head, word], atomic boxes; of classes, over texts, where they are known */
};

static GEnumValue
make_value (HlHeadMeasure measure,
            const char   *nick)
{
  return (GEnumValue){ (int) measure, nick, nick };
}

/* A number that has two names can be spelled by either; the first is the one that is written. */
GType
hl_head_measure_get_type (void)
{
  static gsize type;
  static GEnumValue values[HL_N_HEAD_MEASURES + HL_N_HEAD_STATS + 1];

  if (g_once_init_enter (&type))
    {
      guint n = 0;

      values[n++] = make_value (HL_HEAD_MEASURE_NONE, "none");
      for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
        values[n++] = make_value (HL_HEAD_MEASURE_STATS + stat, hl_head_number_get (stat)->nick);
      values[n++] = make_value (HL_HEAD_MEASURE_PAIR, "pair");
      values[n++] = make_value (HL_HEAD_MEASURE_CHANGE, "change");
      for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
        if (hl_head_number_get (stat)->other_nick != NULL)
          values[n++] = make_value (HL_HEAD_MEASURE_STATS + stat, hl_head_number_get (stat)->other_nick);
      g_once_init_leave (&type, g_enum_register_static ("HlHeadMeasure", values));
    }
  return type;
}

/**
 * hl_head_measure_is_stat:
 * @measure: a measure
 *
 * Returns: whether it is one of #HlHeadStat
 */
gboolean
hl_head_measure_is_stat (HlHeadMeasure measure)
{
  return measure >= HL_HEAD_MEASURE_STATS && measure < HL_HEAD_MEASURE_PAIR;
}

/**
 * hl_head_measure_get_set:
 * @measure: a measure
 *
 * Returns: the number that must be known for it, if it is one of #HlHeadStat
 */
HlHeadNumberSet
hl_head_measure_get_set (HlHeadMeasure measure)
{
  return hl_head_measure_is_stat (measure) ? HL_HEAD_NUMBER_BIT (measure - HL_HEAD_MEASURE_STATS) : 0;
}

/**
 * hl_head_measure_get_label:
 * @measure: a measure
 *
 * Returns: (transfer none): its name for people, translated: "mean distance"
 */
const char *
hl_head_measure_get_label (HlHeadMeasure measure)
{
  g_return_val_if_fail (measure < HL_N_HEAD_MEASURES, NULL);

  if (hl_head_measure_is_stat (measure))
    return _ (hl_head_number_get (measure - HL_HEAD_MEASURE_STATS)->caption);
  if (measure == HL_HEAD_MEASURE_NONE)
    return _ ("none");
  return measure == HL_HEAD_MEASURE_PAIR ? _ ("weight of the pair") : _ ("change (Jensen–Shannon)");
}

/* A copy that knows as much. */
static HlHeadNumbers *
copy (const HlHeadNumbers *self)
{
  HlHeadNumbers *other = g_new (HlHeadNumbers, 1);

  *other = *self;
  g_atomic_ref_count_init (&other->n_refs);
  g_object_ref (other->attention);
  other->starts = g_memdup2 (self->starts, (self->n_layers + 1) * sizeof *self->starts);
  other->stats = g_memdup2 (self->stats, MAX (hl_head_numbers_get_n (self), 1) * sizeof *self->stats);
  if (other->ranking != NULL)
    hl_pair_ranking_ref (other->ranking);
  if (other->compared != NULL)
    {
      g_object_ref (other->compared);
      other->changes = g_memdup2 (self->changes, MAX (hl_head_numbers_get_n (self), 1) * sizeof *self->changes);
    }
  if (other->spreads != NULL)
    g_atomic_rc_box_acquire (other->spreads);
  if (other->relation != NULL)
    g_ref_string_acquire (other->relation);
  if (other->distances != NULL)
    hl_head_distances_ref (other->distances);
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (other->shares[stat] != NULL)
      g_atomic_rc_box_acquire (other->shares[stat]);
  return other;
}

static void
clear_texts (HlHeadNumbers *self)
{
  self->n_texts = 0;
  memset (self->n_annotated, 0, sizeof self->n_annotated);
  g_clear_pointer (&self->spreads, g_atomic_rc_box_release);
  g_clear_pointer (&self->relation, g_ref_string_release);
  g_clear_pointer (&self->distances, hl_head_distances_unref);
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    g_clear_pointer (&self->shares[stat], g_atomic_rc_box_release);
}

/**
 * hl_head_numbers_new:
 * @attention: whose heads
 * @first_query: the first query that counts
 * @n_queries: how many
 *
 * Returns: (transfer full): numbers of which none is known yet
 */
HlHeadNumbers *
hl_head_numbers_new (HlAttention *attention,
                     gsize        first_query,
                     gsize        n_queries)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);

  HlHeadNumbers *self = g_new0 (HlHeadNumbers, 1);
  g_atomic_ref_count_init (&self->n_refs);
  self->attention = g_object_ref (attention);
  self->first_query = first_query;
  self->n_queries = n_queries;
  self->n_layers = hl_attention_get_n_layers (attention);
  self->starts = g_new0 (guint, self->n_layers + 1);
  for (guint layer = 0; layer < self->n_layers; layer++)
    self->starts[layer + 1] = self->starts[layer] + hl_attention_get_n_heads (attention, layer);
  self->stats = g_new0 (HlHeadStats, MAX (hl_head_numbers_get_n (self), 1));
  return self;
}

/**
 * hl_head_numbers_add_stats:
 * @self: numbers
 * @first: a head: the first of which none of @set is known
 * @n: of how many they become known
 * @set: which numbers
 * @stats: (array length=n): these
 *
 * Returns: (transfer full): numbers that know more
 */
HlHeadNumbers *
hl_head_numbers_add_stats (HlHeadNumbers     *self,
                           guint              first,
                           guint              n,
                           HlHeadNumberSet    set,
                           const HlHeadStats *stats)
{
  g_return_val_if_fail (n <= hl_head_numbers_get_n (self) && first <= hl_head_numbers_get_n (self) - n,
                        hl_head_numbers_ref (self));

  HlHeadNumbers *other = copy (self);
  for (guint i = 0; i < n; i++)
    other->stats[first + i].n_unknown = MAX (other->stats[first + i].n_unknown, stats[i].n_unknown);
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      if (!(set & HL_HEAD_NUMBER_BIT (stat)) || self->n_known[stat] != first)
        continue;
      for (guint i = 0; i < n; i++)
        other->stats[first + i].values[stat] = stats[i].values[stat];
      other->n_known[stat] = first + n;
    }
  return other;
}

/**
 * hl_head_numbers_give:
 * @self: numbers
 * @stat: which
 * @values: (nullable): that of every head, NaN where it is not defined; %NULL when it is of none
 *
 * Returns: (transfer full): numbers that know it
 */
HlHeadNumbers *
hl_head_numbers_give (HlHeadNumbers *self,
                      HlHeadStat     stat,
                      const double  *values)
{
  g_return_val_if_fail (stat < HL_N_HEAD_STATS, hl_head_numbers_ref (self));

  HlHeadNumbers *other = copy (self);
  other->n_known[stat] = hl_head_numbers_get_n (self);
  for (guint i = 0; i < other->n_known[stat]; i++)
    other->stats[i].values[stat] = values != NULL ? values[i] : NAN;
  return other;
}

/**
 * hl_head_numbers_set_texts:
 * @self: numbers
 * @n_texts: over how many texts, at least 1
 * @spreads: (array): of each head the spread of each #HlHeadStat over these
 * @values: (nullable) (array): of each head the value of each #HlHeadStat that is a class; others do not matter
 *
 * In place of the numbers of the attention itself, the means over texts that have the same heads. What was not taken over them is not defined.
 *
 * Returns: (transfer full): numbers over these texts
 */
HlHeadNumbers *
hl_head_numbers_set_texts (HlHeadNumbers      *self,
                           guint               n_texts,
                           const HlHeadSpread *spreads,
                           const HlHeadStats  *values)
{
  g_return_val_if_fail (n_texts > 0 && spreads != NULL, hl_head_numbers_ref (self));

  HlHeadNumbers *other = copy (self);
  const guint n = hl_head_numbers_get_n (self);
  clear_texts (other);
  other->spreads = g_atomic_rc_box_dup (MAX ((gsize) n * HL_N_HEAD_STATS, 1) * sizeof *spreads, (gpointer) spreads);
  other->n_texts = n_texts;
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      const gboolean is_class = hl_head_number_get (stat)->words != NULL;

      other->n_known[stat] = n;
      for (guint i = 0; i < n; i++)
        other->stats[i].values[stat] = !is_class
                                         ? hl_head_spread_get_mean (&spreads[(gsize) i * HL_N_HEAD_STATS + stat])
                                       : values != NULL ? values[i].values[stat]
                                                        : NAN;
    }
  return other;
}

/**
 * hl_head_numbers_give_annotated:
 * @self: numbers
 * @stat: one that annotated texts tell
 * @n_texts: over how many of these
 * @values: (array): that of every head, NaN where it is not defined
 *
 * Returns: (transfer full): numbers that know it, and whose label says over how many texts it is
 */
HlHeadNumbers *
hl_head_numbers_give_annotated (HlHeadNumbers *self,
                                HlHeadStat     stat,
                                guint          n_texts,
                                const double  *values)
{
  HlHeadNumbers *other = hl_head_numbers_give (self, stat, values);

  g_return_val_if_fail (stat < HL_N_HEAD_STATS, other);

  other->n_annotated[stat] = n_texts;
  return other;
}

/**
 * hl_head_numbers_name_relation:
 * @self: numbers
 * @relation: (nullable): of which annotated words those are that hl_head_numbers_give_annotated() was told; %NULL for all
 *
 * Returns: (transfer full): numbers whose label says so
 */
HlHeadNumbers *
hl_head_numbers_name_relation (HlHeadNumbers *self,
                               const char    *relation)
{
  HlHeadNumbers *other = copy (self);

  g_clear_pointer (&other->relation, g_ref_string_release);
  other->relation = relation != NULL ? g_ref_string_new (relation) : NULL;
  return other;
}

/**
 * hl_head_numbers_give_shares:
 * @self: numbers over texts
 * @stat: a number that is a class
 * @shares: (array): of each head in which part of the texts it has each value, %HL_HEAD_NUMBER_MAX_WORDS a head; NaN of what is not known
 *
 * Returns: (transfer full): numbers that know these
 */
HlHeadNumbers *
hl_head_numbers_give_shares (HlHeadNumbers *self,
                             HlHeadStat     stat,
                             const double  *shares)
{
  g_return_val_if_fail (stat < HL_N_HEAD_STATS && self->n_texts > 0, hl_head_numbers_ref (self));

  HlHeadNumbers *other = copy (self);
  const gsize n = MAX ((gsize) hl_head_numbers_get_n (self) * HL_HEAD_NUMBER_MAX_WORDS, 1);
  g_clear_pointer (&other->shares[stat], g_atomic_rc_box_release);
  other->shares[stat] = g_atomic_rc_box_dup (n * sizeof *shares, (gpointer) shares);
  return other;
}

/**
 * hl_head_numbers_get_share:
 * @self: numbers
 * @stat: a number that is a class
 * @index: a head of all
 * @word: one of its values
 *
 * Returns: how much of what the numbers are of has that value: of texts a part; of the attention itself 1 or 0. NaN where it is not known
 */
double
hl_head_numbers_get_share (const HlHeadNumbers *self,
                           HlHeadStat           stat,
                           guint                index,
                           guint                word)
{
  g_return_val_if_fail (stat < HL_N_HEAD_STATS && word < HL_HEAD_NUMBER_MAX_WORDS, NAN);

  if (self->shares[stat] != NULL)
    return self->shares[stat][(gsize) index * HL_HEAD_NUMBER_MAX_WORDS + word];
  const double value = hl_head_numbers_get (self, HL_HEAD_MEASURE_STATS + stat, index);
  return isnan (value) ? NAN : value == word;
}

/**
 * hl_head_numbers_give_distances:
 * @self: numbers over texts
 * @distances: (nullable): how far apart the heads are over the same texts
 *
 * Returns: (transfer full): numbers that know these
 */
HlHeadNumbers *
hl_head_numbers_give_distances (HlHeadNumbers   *self,
                                HlHeadDistances *distances)
{
  g_return_val_if_fail (self->n_texts > 0, hl_head_numbers_ref (self));

  HlHeadNumbers *other = copy (self);
  g_clear_pointer (&other->distances, hl_head_distances_unref);
  other->distances = distances != NULL ? hl_head_distances_ref (distances) : NULL;
  return other;
}

/**
 * hl_head_numbers_get_distances:
 * @self: numbers
 *
 * Returns: (transfer none) (nullable): how far apart the heads are over the texts; %NULL where that is not known, or the numbers are of no texts
 */
HlHeadDistances *
hl_head_numbers_get_distances (const HlHeadNumbers *self)
{
  return self->distances;
}

/**
 * hl_head_numbers_forget_maps:
 * @self: numbers
 *
 * Where something else is made of the weights than before, what is of these themselves stays true, and how heads link words and how far they changed.
 * Means over texts do not.
 *
 * Returns: (transfer full): numbers that know no more than that
 */
HlHeadNumbers *
hl_head_numbers_forget_maps (HlHeadNumbers *self)
{
  HlHeadNumbers *other = copy (self);

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (self->n_texts > 0 || !hl_head_number_get (stat)->of_weights)
      other->n_known[stat] = 0;
  for (guint i = 0; i < hl_head_numbers_get_n (self); i++)
    other->stats[i].n_unknown = 0;
  clear_texts (other);
  return other;
}

/**
 * hl_head_numbers_get_n_texts:
 * @self: numbers
 *
 * Returns: over how many texts they are means; 0 when they are of the attention itself
 */
guint
hl_head_numbers_get_n_texts (const HlHeadNumbers *self)
{
  return self->n_texts;
}

/**
 * hl_head_numbers_dup_label:
 * @self: numbers
 * @measure: a measure
 *
 * Returns: (transfer full): its name for people, translated, and over how many texts it is a mean, or of a class the most frequent: "entropy, mean over 100 texts"
 */
char *
hl_head_numbers_dup_label (const HlHeadNumbers *self,
                           HlHeadMeasure        measure)
{
  const char *label = hl_head_measure_get_label (measure);

  if (!hl_head_measure_is_stat (measure))
    return g_strdup (label);
  const gboolean is_told = !(hl_head_number_get_computable () & hl_head_measure_get_set (measure));
  const guint n_texts = is_told ? self->n_annotated[measure - HL_HEAD_MEASURE_STATS] : self->n_texts;
  if (n_texts == 0)
    return g_strdup (label);
  if (is_told)
    {
      /* Translators: “words whose head is found” and the relation that they have to it, “obj” */
      g_autofree char *whole = measure == HL_HEAD_MEASURE_STATS + HL_HEAD_STAT_DEPENDENCY && self->relation != NULL
                                 ? g_strdup_printf (_ ("%s, %s"), label, self->relation)
                                 : g_strdup (label);
      /* Translators: a number that is counted: “words whose head is found, over 16 texts” */
      return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s, over %u text", "%s, over %u texts", n_texts), whole,
                              n_texts);
    }
  if (hl_head_number_get (measure - HL_HEAD_MEASURE_STATS)->words != NULL)
    /* Translators: a class of heads: “pattern, most frequent over 100 texts” */
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s, most frequent over %u text",
                                         "%s, most frequent over %u texts", n_texts),
                            label, n_texts);
  /* Translators: “entropy, mean over 100 texts” */
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s, mean over %u text", "%s, mean over %u texts", n_texts),
                          label, n_texts);
}

/**
 * hl_head_numbers_get_spread:
 * @self: numbers
 * @measure: a measure
 * @index: a head of all
 *
 * Returns: (transfer none) (nullable): how the head's number differs over texts; %NULL when it is that of the attention itself, or a class
 */
const HlHeadSpread *
hl_head_numbers_get_spread (const HlHeadNumbers *self,
                            HlHeadMeasure        measure,
                            guint                index)
{
  g_return_val_if_fail (index < hl_head_numbers_get_n (self), NULL);

  if (self->spreads == NULL || !hl_head_measure_is_stat (measure) ||
      hl_head_number_get (measure - HL_HEAD_MEASURE_STATS)->words != NULL)
    return NULL;
  return &self->spreads[(gsize) index * HL_N_HEAD_STATS + measure - HL_HEAD_MEASURE_STATS];
}

/**
 * hl_head_numbers_set_ranking:
 * @self: numbers
 * @ranking: (nullable): how the heads link pairs of words; %NULL when nobody asks any more
 *
 * Returns: (transfer full): numbers with that ranking
 */
HlHeadNumbers *
hl_head_numbers_set_ranking (HlHeadNumbers *self,
                             HlPairRanking *ranking)
{
  g_return_val_if_fail (ranking == NULL || hl_pair_ranking_get_n (ranking) == hl_head_numbers_get_n (self),
                        hl_head_numbers_ref (self));

  HlHeadNumbers *other = copy (self);
  g_clear_pointer (&other->ranking, hl_pair_ranking_unref);
  if (ranking != NULL)
    other->ranking = hl_pair_ranking_ref (ranking);
  return other;
}

/**
 * hl_head_numbers_set_changes:
 * @self: numbers
 * @compared: (nullable): the attention and what it is compared with; %NULL when nobody compares any more
 * @changes: (nullable) (element-type HlHeadChange): what hl_head_changes_compute() says of them
 *
 * Returns: (transfer full): numbers with these changes
 */
HlHeadNumbers *
hl_head_numbers_set_changes (HlHeadNumbers *self,
                             HlComparison  *compared,
                             const GArray  *changes)
{
  g_return_val_if_fail ((compared == NULL) == (changes == NULL), hl_head_numbers_ref (self));
  g_return_val_if_fail (compared == NULL || hl_comparison_get_attention_a (compared) == self->attention,
                        hl_head_numbers_ref (self));

  HlHeadNumbers *other = copy (self);
  g_set_object (&other->compared, compared);
  g_clear_pointer (&other->changes, g_free);
  if (compared == NULL)
    return other;
  other->changes = g_new (double, MAX (hl_head_numbers_get_n (self), 1));
  for (guint i = 0; i < hl_head_numbers_get_n (self); i++)
    other->changes[i] = NAN;
  for (guint i = 0; i < changes->len; i++)
    {
      const HlHeadChange *change = &g_array_index (changes, HlHeadChange, i);
      other->changes[hl_head_numbers_get_index (self, change->layer, change->head)] = change->divergence;
    }
  return other;
}

/**
 * hl_head_numbers_ref:
 * @self: numbers
 *
 * Returns: (transfer full): the same
 */
HlHeadNumbers *
hl_head_numbers_ref (HlHeadNumbers *self)
{
  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

/**
 * hl_head_numbers_unref:
 * @self: (transfer full): numbers
 */
void
hl_head_numbers_unref (HlHeadNumbers *self)
{
  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  g_object_unref (self->attention);
  g_free (self->starts);
  g_free (self->stats);
  g_clear_pointer (&self->ranking, hl_pair_ranking_unref);
  g_clear_object (&self->compared);
  g_free (self->changes);
  clear_texts (self);
  g_free (self);
}

/**
 * hl_head_numbers_is_of:
 * @self: numbers
 * @attention: an attention
 * @first_query: the first query that counts
 * @n_queries: how many
 *
 * Returns: whether they are the numbers of these
 */
gboolean
hl_head_numbers_is_of (const HlHeadNumbers *self,
                       HlAttention         *attention,
                       gsize                first_query,
                       gsize                n_queries)
{
  return self->attention == attention && self->first_query == first_query && self->n_queries == n_queries;
}

/**
 * hl_head_numbers_get_attention:
 * @self: numbers
 *
 * Returns: (transfer none): whose heads they are of
 */
HlAttention *
hl_head_numbers_get_attention (const HlHeadNumbers *self)
{
  return self->attention;
}

/**
 * hl_head_numbers_get_n:
 * @self: numbers
 *
 * Returns: how many heads there are in all layers
 */
guint
hl_head_numbers_get_n (const HlHeadNumbers *self)
{
  return self->starts[self->n_layers];
}

/**
 * hl_head_numbers_get_n_known:
 * @self: numbers
 * @set: which are asked for
 *
 * Returns: of how many heads, from the first on, all of these are known
 */
guint
hl_head_numbers_get_n_known (const HlHeadNumbers *self,
                             HlHeadNumberSet      set)
{
  guint n = hl_head_numbers_get_n (self);

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (set & HL_HEAD_NUMBER_BIT (stat))
      n = MIN (n, self->n_known[stat]);
  return n;
}

/**
 * hl_head_numbers_find_next:
 * @self: numbers
 * @wanted: which are asked for
 * @first: (out): the first head of which some of these are not known
 * @n: (out): of how many heads from there on just the same are not known; at least 1 unless none is returned
 *
 * Which numbers to find out next, so that as many as can be are found in one reading of a map.
 *
 * Returns: those that are not known of the first; none when all are known of all heads
 */
HlHeadNumberSet
hl_head_numbers_find_next (const HlHeadNumbers *self,
                           HlHeadNumberSet      wanted,
                           guint               *first,
                           guint               *n)
{
  guint end = hl_head_numbers_get_n (self);
  HlHeadNumberSet set = 0;

  *first = hl_head_numbers_get_n_known (self, wanted);
  for (HlHeadStat stat = 0; *first < end && stat < HL_N_HEAD_STATS; stat++)
    {
      if (!(wanted & HL_HEAD_NUMBER_BIT (stat)))
        continue;
      if (self->n_known[stat] == *first)
        set |= HL_HEAD_NUMBER_BIT (stat);
      else
        end = MIN (end, self->n_known[stat]);
    }
  *n = end - *first;
  return set;
}

/**
 * hl_head_numbers_get_layer:
 * @self: numbers
 * @index: a head: those of layer 0 come first, then those of layer 1 …
 *
 * Returns: its layer
 */
guint
hl_head_numbers_get_layer (const HlHeadNumbers *self,
                           guint                index)
{
  const HlHeadIndex heads = { self->n_layers, self->starts };

  g_return_val_if_fail (index < hl_head_numbers_get_n (self), 0);

  return hl_head_index_get_layer (&heads, index);
}

/**
 * hl_head_numbers_get_head:
 * @self: numbers
 * @index: a head of all
 *
 * Returns: which head of its layer it is
 */
guint
hl_head_numbers_get_head (const HlHeadNumbers *self,
                          guint                index)
{
  return index - self->starts[hl_head_numbers_get_layer (self, index)];
}

/**
 * hl_head_numbers_get_index:
 * @self: numbers
 * @layer: a layer
 * @head: a head of it
 *
 * Returns: which of all heads it is
 */
guint
hl_head_numbers_get_index (const HlHeadNumbers *self,
                           guint                layer,
                           guint                head)
{
  g_return_val_if_fail (layer < self->n_layers && head < self->starts[layer + 1] - self->starts[layer], 0);

  return self->starts[layer] + head;
}

/**
 * hl_head_numbers_get_set:
 * @self: numbers
 * @index: a head of all
 *
 * Returns: which numbers of #HlHeadStat are known of it
 */
HlHeadNumberSet
hl_head_numbers_get_set (const HlHeadNumbers *self,
                         guint                index)
{
  HlHeadNumberSet set = 0;

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (index < self->n_known[stat])
      set |= HL_HEAD_NUMBER_BIT (stat);
  return set;
}

/**
 * hl_head_numbers_get_n_unknown:
 * @self: numbers that hl_head_numbers_complete() found
 * @index: a head of all
 *
 * Returns: how many queries they leave out because not all of their weights are numbers; where they were read of several maps, in one of these at most
 */
gsize
hl_head_numbers_get_n_unknown (const HlHeadNumbers *self,
                               guint                index)
{
  g_return_val_if_fail (index < hl_head_numbers_get_n (self), 0);

  return self->stats[index].n_unknown;
}

/**
 * hl_head_numbers_get_ranking:
 * @self: numbers
 *
 * Returns: (transfer none) (nullable): how the heads link pairs of words
 */
HlPairRanking *
hl_head_numbers_get_ranking (const HlHeadNumbers *self)
{
  return self->ranking;
}

/**
 * hl_head_numbers_get_compared:
 * @self: numbers
 *
 * Returns: (transfer none) (nullable): what the changes are of; %NULL while they are not known
 */
HlComparison *
hl_head_numbers_get_compared (const HlHeadNumbers *self)
{
  return self->compared;
}

/* Takes the place of what knows less. */
static void
replace (HlHeadNumbers **self,
         HlHeadNumbers  *more)
{
  hl_head_numbers_unref (*self);
  *self = more;
}

/* Those that are read off maps, some heads at a time, so that it can be told how far it is. */
static gboolean
read_maps (HlHeadNumbers            **self,
           const HlHeadNumberRequest *request,
           HlHeadNumberSet            wanted,
           HlProgress                *progress,
           GCancellable              *cancellable,
           GError                   **error)
{
  const guint n_heads = hl_head_numbers_get_n (*self);
  guint first, n;

  for (HlHeadNumberSet set; (set = hl_head_numbers_find_next (*self, wanted, &first, &n)) != 0;)
    {
      n = MIN (n, MAX (n_heads / N_PARTS, LEAST_PART));
      g_autofree HlHeadStats *stats = g_new (HlHeadStats, n);

      if (!hl_head_stats_compute_range (request->attention, request->source, request->first_query, request->n_queries,
                                        first, n, set, stats, cancellable, error))
        return FALSE;
      replace (self, hl_head_numbers_add_stats (*self, first, n, set, stats));
      hl_progress_set (progress, (double) (first + n) / n_heads, NULL);
    }
  return TRUE;
}

static gboolean
compute (HlHeadNumbers            **self,
         const HlHeadNumberRequest *request,
         HlHeadStat                 stat,
         HlProgress                *progress,
         GCancellable              *cancellable,
         GError                   **error)
{
  g_autofree double *values = NULL;

  if (hl_head_number_check (stat, request, NULL))
    {
      values = g_new (double, MAX (hl_head_numbers_get_n (*self), 1));
      if (!hl_head_number_get (stat)->compute (request, values, progress, cancellable, error))
        return FALSE;
    }
  replace (self, hl_head_numbers_give (*self, stat, values));
  return TRUE;
}

/**
 * hl_head_numbers_complete:
 * @self: (inout): numbers; in their place come those that know more
 * @request: what they are of
 * @wanted: which numbers are to be known of all heads
 * @progress: (nullable): told how far it is: with those that are read off maps, then with each that costs
 * @cancellable: (nullable): stops it
 * @error: what reading and running say, or %G_IO_ERROR_CANCELLED
 *
 * Finds out what is not known yet. What nobody can compute, hl_head_numbers_give(), stays as it is. Blocks: call it from a worker.
 *
 * Returns: whether all went well
 */
gboolean
hl_head_numbers_complete (HlHeadNumbers            **self,
                          const HlHeadNumberRequest *request,
                          HlHeadNumberSet            wanted,
                          HlProgress                *progress,
                          GCancellable              *cancellable,
                          GError                   **error)
{
  const HlHeadNumberRequest own = hl_head_number_get_own_request (request);
  /* A map is read once where it has all of them. */
  const HlHeadNumberSet of_weights = own.source != request->source ? hl_head_number_get_of_weights () : 0;
  HlHeadNumberSet read = 0;

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if (hl_head_number_is_read (stat))
      read |= wanted & HL_HEAD_NUMBER_BIT (stat);
  if (!read_maps (self, request, read & ~of_weights, progress, cancellable, error) ||
      !read_maps (self, &own, read & of_weights, progress, cancellable, error))
    return FALSE;
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if ((wanted & HL_HEAD_NUMBER_BIT (stat)) && hl_head_number_get (stat)->compute != NULL &&
        !hl_head_numbers_knows (*self, HL_HEAD_MEASURE_STATS + stat) &&
        !compute (self, of_weights & HL_HEAD_NUMBER_BIT (stat) ? &own : request, stat, progress, cancellable, error))
      return FALSE;
  return TRUE;
}

/**
 * hl_head_numbers_knows:
 * @self: numbers
 * @measure: a measure
 *
 * Returns: whether it is known of every head
 */
gboolean
hl_head_numbers_knows (const HlHeadNumbers *self,
                       HlHeadMeasure        measure)
{
  if (hl_head_measure_is_stat (measure))
    return self->n_known[measure - HL_HEAD_MEASURE_STATS] == hl_head_numbers_get_n (self);
  return (measure == HL_HEAD_MEASURE_PAIR && self->ranking != NULL) ||
         (measure == HL_HEAD_MEASURE_CHANGE && self->compared != NULL);
}

/**
 * hl_head_numbers_get:
 * @self: numbers
 * @measure: a measure
 * @index: a head of all
 *
 * Returns: the head's number; NaN if it is not known, or not defined, or there is no such head
 */
double
hl_head_numbers_get (const HlHeadNumbers *self,
                     HlHeadMeasure        measure,
                     guint                index)
{
  if (hl_head_measure_is_stat (measure))
    {
      const HlHeadStat stat = measure - HL_HEAD_MEASURE_STATS;

      return index < self->n_known[stat] ? self->stats[index].values[stat] : NAN;
    }
  if (index >= hl_head_numbers_get_n (self))
    return NAN;
  if (measure == HL_HEAD_MEASURE_CHANGE && self->compared != NULL)
    return self->changes[index];
  return measure == HL_HEAD_MEASURE_PAIR && self->ranking != NULL ? hl_pair_ranking_get_weight (self->ranking, index)
                                                                  : NAN;
}

typedef struct
{
  double value;
  guint index;
} Entry;

static int
compare_entries (gconstpointer a,
                 gconstpointer b)
{
  const Entry *first = a;
  const Entry *second = b;

  if (isnan (first->value) != isnan (second->value))
    return isnan (first->value) ? 1 : -1;
  if (first->value != second->value && !isnan (first->value))
    return first->value > second->value ? -1 : 1;
  return first->index < second->index ? -1 : 1;
}

/**
 * hl_head_numbers_sort:
 * @self: numbers
 * @measure: a measure
 *
 * Sorts heads, the greatest number first. What is not known or not defined comes last; heads with the same number stay in their order.
 *
 * Returns: (transfer full): the indices of all heads; free with g_free()
 */
guint *
hl_head_numbers_sort (const HlHeadNumbers *self,
                      HlHeadMeasure        measure)
{
  const guint n = hl_head_numbers_get_n (self);
  g_autofree Entry *entries = g_new (Entry, MAX (n, 1));
  guint *order = g_new (guint, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    entries[i] = (Entry){ hl_head_numbers_get (self, measure, i), i };
  qsort (entries, n, sizeof *entries, compare_entries);
  for (guint i = 0; i < n; i++)
    order[i] = entries[i].index;
  return order;
}
