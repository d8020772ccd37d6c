/* SPDX-License-Identifier: MIT */
#include "draw/chart/hl-chart-data.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/analysis/number/hl-head-used.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/source/make/hl-source-factory.h"

/* Lines between more pairs, or weaker ones, hide the points. */
#define MAX_PAIRS 160
#define MAX_PAIRS_OF_QUERY 3
#define MIN_WEIGHT 0.05f

static void
clear (HlSceneData *data)
{
  HlChartData *self = (HlChartData *) data;

  g_clear_object (&self->others.attention);
  g_clear_object (&self->others.other);
  g_clear_object (&self->others.weights);
  g_clear_object (&self->others.source);
  g_clear_object (&self->others.call);
  g_free (self->others.pairs);
  g_free (self->others.values);
  g_free (self->others.lacking);
  g_clear_object (&self->heads.source);
  g_clear_pointer (&self->heads.over_texts, hl_head_distances_unref);
  g_clear_pointer (&self->heads.distances, hl_head_distances_unref);
  g_free (self->heads.places);
  g_clear_pointer (&self->tokens.steps, hl_head_steps_unref);
  hl_plane_clear (&self->tokens.plane);
  g_free (self->tokens.weights);
  g_free (self->tokens.pairs);
}

static gboolean
have_equal_tokens (const HlChartTokens *a,
                   const HlChartTokens *b)
{
  if (a->steps == NULL || b->steps == NULL)
    return a->steps == b->steps;
  return hl_head_steps_equal (a->steps, b->steps) && hl_range_equal (a->ranges[HL_QUERIES], b->ranges[HL_QUERIES]) &&
         hl_range_equal (a->ranges[HL_KEYS], b->ranges[HL_KEYS]);
}

static gboolean
equal (const HlSceneData *self,
       const HlSceneData *other)
{
  const HlChartData *a = (const HlChartData *) self;
  const HlChartData *b = (const HlChartData *) other;

  return a->kind == b->kind && a->others.attention == b->others.attention && a->others.other == b->others.other &&
         a->others.call == b->others.call && a->others.measure == b->others.measure &&
         g_strcmp0 (a->others.pairs, b->others.pairs) == 0 && a->others.quantity == b->others.quantity &&
         hl_head_pairing_equal (&a->others.pairing, &b->others.pairing) &&
         hl_range_equal (a->others.queries, b->others.queries) && a->heads.source == b->heads.source &&
         a->heads.over_texts == b->heads.over_texts && hl_range_equal (a->heads.queries, b->heads.queries) &&
         have_equal_tokens (&a->tokens, &b->tokens);
}

/* The weights of the pairs in place of numbers of heads, as far as the second side has the words. */
static gboolean
rank_pairs (HlChartOthers  *self,
            HlHeadNumbers **numbers,
            GCancellable   *cancellable,
            GError        **error)
{
  g_autoptr (GError) lacking = NULL;
  g_autoptr (HlTokenPairs) pairs = hl_token_pairs_parse (self->other, self->pairs, &lacking);

  if (pairs == NULL)
    {
      self->lacking = g_strdup (lacking->message);
      return TRUE;
    }
  g_autoptr (HlPairRanking) ranking = hl_pair_ranking_compute (self->weights, pairs, cancellable, error);
  if (ranking == NULL)
    return FALSE;
  g_autoptr (HlHeadNumbers) before = *numbers;
  *numbers = hl_head_numbers_set_ranking (before, ranking);
  return TRUE;
}

static gboolean
count_numbers (HlChartOthers  *self,
               HlHeadNumbers **numbers,
               HlProgress     *progress,
               GCancellable   *cancellable,
               GError        **error)
{
  const HlHeadNumberRequest request = {
    .attention = self->other,
    .source = self->source,
    .own = self->other,
    .weights = self->weights,
    .first_query = self->queries.first,
    .n_queries = self->queries.n,
    .call = self->call,
  };
  g_autoptr (GError) lacking = NULL;

  if (!hl_head_number_check (self->measure - HL_HEAD_MEASURE_STATS, &request, &lacking))
    self->lacking = g_strdup (lacking->message);
  return hl_head_numbers_complete (numbers, &request, hl_head_measure_get_set (self->measure), progress, cancellable,
                                   error);
}

/* The numbers of the heads of the second side, in the order of the first. */
static gboolean
read_others (HlChartOthers *self,
             HlProgress    *progress,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (HlHeadNumbers) numbers = hl_head_numbers_new (self->other, self->queries.first, self->queries.n);
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

  if (self->measure == HL_HEAD_MEASURE_PAIR ? !rank_pairs (self, &numbers, cancellable, error)
                                            : !count_numbers (self, &numbers, progress, cancellable, error))
    return FALSE;
  for (guint layer = 0; layer < hl_attention_get_n_layers (self->attention); layer++)
    for (guint head = 0; head < hl_attention_get_n_heads (self->attention, layer); head++)
      {
        const guint there = self->pairing.layer >= 0 ? (guint) self->pairing.layer : layer;
        const guint partner = self->pairing.head >= 0 ? (guint) self->pairing.head : head;
        double value = NAN;

        if (there < hl_attention_get_n_layers (self->other) && partner < hl_attention_get_n_heads (self->other, there))
          value = hl_head_numbers_get (numbers, self->measure, hl_head_numbers_get_index (numbers, there, partner));
        g_array_append_val (values, value);
      }
  self->values = (double *) g_array_free (g_steal_pointer (&values), FALSE);
  return TRUE;
}

static gboolean
read_heads (HlChartHeads *self,
            HlProgress   *progress,
            GCancellable *cancellable,
            GError      **error)
{
  self->distances = self->over_texts != NULL ? hl_head_distances_ref (self->over_texts) : hl_head_distances_new ();
  if (self->over_texts == NULL && !hl_head_distances_add (self->distances, self->source, self->queries.first,
                                                          self->queries.n, progress, cancellable, error))
    return FALSE;
  self->n = hl_head_distances_get_n (self->distances);
  self->places = hl_head_distances_arrange (self->distances, cancellable, error);
  return self->places != NULL;
}

static int
compare_pairs (gconstpointer a,
               gconstpointer b)
{
  const HlChartPair *first = a;
  const HlChartPair *second = b;

  if (first->weight != second->weight)
    return first->weight > second->weight ? -1 : 1;
  if (first->query != second->query)
    return first->query < second->query ? -1 : 1;
  return first->key < second->key ? -1 : first->key > second->key;
}

/* The few strongest of a query, whose weights are on the keys that are shown. */
static void
add_pairs (const HlChartTokens *self,
           gsize                query,
           const float         *weights,
           GArray              *pairs)
{
  HlChartPair best[MAX_PAIRS_OF_QUERY];
  guint n = 0;

  for (gsize key = 0; key < self->ranges[HL_KEYS].n; key++)
    {
      guint place = n < MAX_PAIRS_OF_QUERY ? n : MAX_PAIRS_OF_QUERY - 1;

      if (!(weights[key] >= MIN_WEIGHT) || (n == MAX_PAIRS_OF_QUERY && weights[key] <= best[place].weight))
        continue;
      n = MIN (n + 1, MAX_PAIRS_OF_QUERY);
      for (; place > 0 && best[place - 1].weight < weights[key]; place--)
        best[place] = best[place - 1];
      best[place] = (HlChartPair){ query, self->ranges[HL_KEYS].first + key, weights[key] };
    }
  g_array_append_vals (pairs, best, n);
}

static gboolean
find_pairs (HlChartTokens *self,
            GCancellable  *cancellable,
            GError       **error)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (HlChartPair));
  g_autofree float *weights = g_new (float, MAX (self->steps->n_keys, 1));
  const HlRange *queries = &self->ranges[HL_QUERIES];
  const HlRange *keys = &self->ranges[HL_KEYS];

  self->weights = g_new (float, MAX (queries->n, 1) * MAX (keys->n, 1));
  for (gsize query = queries->first; query < queries->first + queries->n; query++)
    {
      float *rows[HL_N_STEPS] = { [HL_STEP_WEIGHTS] = weights };

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!hl_head_steps_follow_query (self->steps, query, rows, error))
        return FALSE;
      float *own = self->weights + (query - queries->first) * keys->n;
      memcpy (own, weights + keys->first, keys->n * sizeof *own);
      add_pairs (self, query, own, pairs);
    }
  g_array_sort (pairs, compare_pairs);
  g_array_set_size (pairs, MIN (pairs->len, MAX_PAIRS));
  self->n_pairs = pairs->len;
  self->pairs = (HlChartPair *) g_array_free (g_steal_pointer (&pairs), FALSE);
  return TRUE;
}

static gboolean
read_tokens (HlChartTokens       *self,
             const HlChartTokens *known,
             GCancellable        *cancellable,
             GError             **error)
{
  const float *vectors[2] = { NULL };
  const gsize n[2] = { self->ranges[HL_QUERIES].n, self->ranges[HL_KEYS].n };

  if (MAX (n[HL_QUERIES], n[HL_KEYS]) > HL_LIMIT_PLANE_TOKENS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("a plane shows %d queries and keys at most; these are %zu and %zu"), HL_LIMIT_PLANE_TOKENS,
                   n[HL_QUERIES], n[HL_KEYS]);
      return FALSE;
    }
  if (!hl_head_steps_read (self->steps, known != NULL ? known->steps : NULL, cancellable, error))
    return FALSE;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (n[side] > 0)
      vectors[side] = hl_head_steps_get_projection (self->steps, side, self->ranges[side].first);
  return hl_plane_compute (&self->plane, vectors, n, self->steps->n_features, cancellable, error) &&
         find_pairs (self, cancellable, error);
}

/* As hl_scene_data_read(), and tells how far it is. */
gboolean
hl_chart_data_read (HlChartData       *self,
                    const HlChartData *known,
                    HlProgress        *progress,
                    GCancellable      *cancellable,
                    GError           **error)
{
  if (self->others.attention != NULL)
    return read_others (&self->others, progress, cancellable, error);
  if (self->heads.source != NULL)
    return read_heads (&self->heads, progress, cancellable, error);
  return self->tokens.steps == NULL ||
         read_tokens (&self->tokens, known != NULL ? &known->tokens : NULL, cancellable, error);
}

static gboolean
read_numbers (HlSceneData       *data,
              const HlSceneData *known,
              GCancellable      *cancellable,
              GError           **error)
{
  return hl_chart_data_read ((HlChartData *) data, (const HlChartData *) known, NULL, cancellable, error);
}

static const HlSceneDataClass data_class = { equal, read_numbers, clear };

/* Not a class, nor what is of both sides. */
static gboolean
can_subtract (HlHeadMeasure measure,
              const char   *pairs)
{
  return measure == HL_HEAD_MEASURE_PAIR
           ? pairs != NULL
           : hl_head_measure_is_stat (measure) && hl_head_number_get (measure - HL_HEAD_MEASURE_STATS)->words == NULL;
}

/* Of numbers over texts, if there are some, a scatter has the distances over these. @pairs (nullable) are words that may be
 * looked for, @other_call (nullable) computed the second side of a difference. */
HlChartData *
hl_chart_data_new (const HlShown *shown,
                   HlHeadNumbers *numbers,
                   const char    *pairs,
                   HlModelCall   *other_call)
{
  HlChartData *self = g_atomic_rc_box_new0 (HlChartData);

  self->parent.klass = &data_class;
  self->kind = shown->options.chart;
  if (hl_chart_kind_draws_number (self->kind) && shown->other != NULL && can_subtract (shown->options.number, pairs))
    {
      self->others.measure = shown->options.number;
      if (self->others.measure == HL_HEAD_MEASURE_PAIR)
        self->others.pairs = g_strdup (pairs);
      g_set_object (&self->others.attention, shown->original);
      g_set_object (&self->others.other, shown->other);
      self->others.weights = hl_attention_make_source (shown->other);
      self->others.source = hl_shown_number (shown, shown->other, self->others.weights);
      g_set_object (&self->others.call, other_call);
      self->others.quantity = shown->numbered;
      self->others.pairing = shown->pairing;
      self->others.queries = hl_shown_get_numbered_queries_of (shown, shown->other);
    }
  if (self->kind == HL_CHART_SCATTER && shown->other == NULL)
    {
      g_set_object (&self->heads.source, shown->numbered_source);
      self->heads.queries = hl_shown_get_numbered_queries (shown);
      hl_head_used_cut_queries (shown->original, shown->numbered_source, &self->heads.queries.first,
                                &self->heads.queries.n);
      HlHeadDistances *over_texts = numbers != NULL ? hl_head_numbers_get_distances (numbers) : NULL;
      self->heads.over_texts = over_texts != NULL ? hl_head_distances_ref (over_texts) : NULL;
    }
  if (self->kind == HL_CHART_PLANE && hl_head_steps_are_known (shown->original) && shown->queries.n > 0 &&
      shown->keys.n > 0)
    {
      self->tokens.steps = hl_head_steps_new (shown->original, shown->selection.layer, shown->selection.head, 1, TRUE);
      self->tokens.ranges[HL_QUERIES] = shown->queries;
      self->tokens.ranges[HL_KEYS] = shown->keys;
    }
  return self;
}
