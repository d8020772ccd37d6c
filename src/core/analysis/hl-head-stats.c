/* SPDX-License-Identifier: MIT */
/* Numbers that tell heads apart, summed up over bands of rows so that no map is ever held as a whole. */
#include "core/analysis/hl-head-stats.h"

#include "core/analysis/hl-head-index.h"
#include "core/analysis/number/hl-head-keys.h"
#include "core/analysis/number/hl-head-norms.h"
#include "core/analysis/number/hl-head-used.h"
#include "core/base/hl-error.h"
#include "core/base/hl-worker.h"
#include "core/source/hl-derived-source.h"

#include <float.h>
#include <math.h>

/* Weights are read this many at a time, in each thread. */
#define BAND_SIZE (256 * 1024)

/* Of fewer weights the work is not shared out. */
#define LEAST_SHARED (64 * 1024)

/* What the sums need to know of keys and queries. */
typedef struct
{
  gsize n_keys;
  gsize n_used;
  gsize first_key;              /* that is no padding */
  gsize first_query, end_query; /* those that are none */
  gint64 shift;                 /* the key at the position of query 0 */
  gboolean has_positions;
  gboolean has_tokens;
  const guint8 *traits;
  const guint32 *tokens;
  const HlMask *mask;
  gsize n_queries;
  gsize sentence_b;     /* the first key of the second sentence, 0 without one */
  gboolean are_derived; /* their maps, from others, here or by who wrote the file */
  gboolean have_sink;
} Keys;

static void
keys_init (Keys              *self,
           HlAttention       *attention,
           HlAttentionSource *source,
           const guint8      *traits,
           const guint32     *tokens,
           const HlHeadUsed  *used,
           guint              layer)
{
  const gsize n_queries = hl_attention_source_get_n (source, HL_QUERIES);
  const HlMask *mask = hl_attention_source_get_mask (source, layer);
  const gsize sentence_b = hl_attention_get_sentence_b_start (attention);

  self->n_keys = hl_attention_source_get_n (source, HL_KEYS);
  self->n_used = MIN (hl_attention_get_n_used (attention, HL_KEYS), used->end[HL_KEYS]);
  self->first_key = used->first[HL_KEYS] < self->n_keys ? used->first[HL_KEYS] : 0;
  self->first_query = used->first[HL_QUERIES];
  self->end_query = used->end[HL_QUERIES];
  self->are_derived = HL_IS_DERIVED_SOURCE (source) || hl_attention_get_quantity (attention) != NULL;
  self->have_sink = !self->are_derived && hl_attention_get_rule (attention, layer)->sinks != NULL;
  self->shift = hl_mask_get_position (mask, n_queries, self->n_keys, 0);
  self->has_positions = hl_head_attention_has_positions (attention, source, layer);
  self->has_tokens = hl_attention_has_tokens (attention, HL_KEYS);
  self->sentence_b = self->has_positions && sentence_b < self->n_keys ? sentence_b : 0;
  self->traits = traits;
  self->tokens = tokens;
  self->mask = mask;
  self->n_queries = n_queries;
}

/* What is summed up over the rows of a map. */
typedef struct
{
  HlHeadStat stats[HL_N_HEAD_STATS]; /* those that rows are measured for */
  guint n_stats;
  double values[HL_N_HEAD_STATS];
  gsize n_counted[HL_N_HEAD_STATS]; /* rows that values are sums over */
  gsize n_unknown;                  /* rows that are left out, for what is no number */
  gboolean is_signed;               /* whether a number in place of a weight lies below zero */
  HlHeadMap map;
  double *keys;  /* of the map; NULL while nothing asks for it */
  double *norms; /* likewise */
} Sums;

static gboolean
sums_init (Sums           *self,
           const Keys     *keys,
           HlHeadNumberSet wanted,
           GError        **error)
{
  gboolean wants_map = FALSE;

  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    {
      if (!(wanted & HL_HEAD_NUMBER_BIT (stat)))
        continue;
      if (hl_head_number_get (stat)->measure != NULL)
        self->stats[self->n_stats++] = stat;
      wants_map |= hl_head_number_get (stat)->measure_map != NULL;
    }
  if (!wants_map)
    return TRUE;
  self->keys = g_try_new0 (double, MAX (keys->n_keys, 1));
  if (self->keys == NULL)
    return hl_error_set_no_memory (error);
  self->map.n_keys = keys->n_keys;
  self->map.first_key = keys->first_key;
  self->map.n_used = keys->n_used;
  self->map.is_derived = keys->are_derived;
  self->map.keys = self->keys;
  self->map.traits = keys->traits;
  self->map.has_two_sentences = keys->sentence_b > 0;
  return TRUE;
}

static void
sums_clear (Sums *self)
{
  g_free (self->keys);
  g_free (self->norms);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sums, sums_clear)

static gboolean
wants_norms (HlHeadNumberSet wanted)
{
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    if ((wanted & HL_HEAD_NUMBER_BIT (stat)) && hl_head_number_is_read (stat) &&
        (hl_head_number_get (stat)->needs & HL_HEAD_NUMBER_NEEDS_NORMS))
      return TRUE;
  return FALSE;
}

/* Where they are not known, numbers that need them are not defined. */
static gboolean
sums_read_norms (Sums         *self,
                 HlAttention  *attention,
                 guint         layer,
                 guint         head,
                 GCancellable *cancellable,
                 GError      **error)
{
  if (!hl_head_norms_are_known (attention))
    return TRUE;
  self->norms = hl_head_norms_read (attention, layer, head, cancellable, error);
  self->map.norms = self->norms;
  return self->norms != NULL;
}

static void
add_to_map (Sums        *self,
            const Keys  *keys,
            const float *row,
            gint64       position)
{
  double own = 0;

  for (gsize key = 0; key < keys->n_keys; key++)
    self->keys[key] += row[key];
  if (!keys->has_positions)
    return;
  for (int offset = -HL_HEAD_MAP_REACH; offset <= HL_HEAD_MAP_REACH; offset++)
    {
      const gint64 key = position + offset;

      if (key < 0 || key >= (gint64) keys->n_keys)
        continue;
      self->map.diagonals[offset + HL_HEAD_MAP_REACH] += row[key];
      if (self->norms != NULL)
        self->map.norm_diagonals[offset + HL_HEAD_MAP_REACH] += row[key] * self->norms[key];
    }
  if (keys->sentence_b == 0)
    return;
  const gboolean is_in_b = position >= (gint64) keys->sentence_b;
  for (gsize key = is_in_b ? keys->sentence_b : 0; key < (is_in_b ? keys->n_keys : keys->sentence_b); key++)
    own += row[key];
  self->map.own_sentence += own;
}

/* Adds a query to the sums. One that is padding, or attends to nothing, or to what is no number, does not count. */
static void
add_row (Sums        *self,
         const Keys  *keys,
         const float *row,
         gsize        index)
{
  const gint64 position = keys->shift + (gint64) index;
  HlHeadQuery query = {
    .weights = row,
    .n_keys = keys->n_keys,
    .first_key = keys->first_key,
    .position = position,
    .traits = keys->traits,
    .tokens = keys->tokens,
    .mask = keys->mask,
    .is_derived = keys->are_derived,
  };
  double sum = 0;

  if (index < keys->first_query || index >= keys->end_query)
    return;
  for (gsize key = 0; key < keys->n_keys; key++)
    {
      sum += row[key];
      self->is_signed |= keys->are_derived && row[key] < 0;
    }
  self->n_unknown += !isfinite (sum);
  if (!isfinite (sum) || sum == 0)
    return;
  /* A sink takes something of each row, though perhaps less than what rounding leaves to be seen. */
  query.sunk = keys->have_sink ? CLAMP (1 - sum, DBL_MIN, 1) : 0;
  hl_mask_get_visible (keys->mask, keys->n_queries, keys->n_keys, index, &query.first_visible, &query.end_visible);
  query.end_visible = CLAMP (query.end_visible, query.first_visible, MAX (query.first_visible, keys->n_used));
  self->map.n_queries++;
  for (guint i = 0; i < self->n_stats; i++)
    {
      const HlHeadStat stat = self->stats[i];
      const double value = hl_head_number_get (stat)->measure (&query);

      if (isnan (value))
        continue;
      self->values[stat] += value;
      self->n_counted[stat]++;
    }
  if (self->keys != NULL)
    add_to_map (self, keys, row, position);
}

/* Whether a number is defined where keys are what they are. */
static gboolean
is_defined (const Sums *sums,
            const Keys *keys,
            HlHeadStat  stat)
{
  const HlHeadNumberNeeds needs = hl_head_number_get (stat)->needs;

  return (sums->norms != NULL || !(needs & HL_HEAD_NUMBER_NEEDS_NORMS)) &&
         (keys->has_tokens || !(needs & HL_HEAD_NUMBER_NEEDS_TOKENS)) &&
         (keys->has_positions || !(needs & HL_HEAD_NUMBER_NEEDS_POSITIONS));
}

static void
sums_finish (const Sums     *self,
             const Keys     *keys,
             HlHeadNumberSet wanted,
             HlHeadStats    *stats)
{
  const gsize n = self->map.n_queries;

  stats->n_unknown = self->n_unknown;
  /* Shares of what cancels out are none, whether or not the file says that it does. */
  for (HlHeadStat stat = 0; n > 0 && !self->is_signed && stat < HL_N_HEAD_STATS; stat++)
    {
      const HlHeadNumber *number = hl_head_number_get (stat);

      if (!(wanted & HL_HEAD_NUMBER_BIT (stat)) || !is_defined (self, keys, stat))
        continue;
      if (number->measure != NULL)
        stats->values[stat] = self->n_counted[stat] >= MAX (number->least_queries, 1)
                                ? self->values[stat] / (double) self->n_counted[stat]
                                : NAN;
      else if (number->measure_map != NULL)
        stats->values[stat] = number->measure_map (&self->map);
    }
}

/* Adds neighbouring queries, a part of them at a time. */
static gboolean
add_rows (Sums              *self,
          const Keys        *keys,
          HlAttentionSource *source,
          HlAttentionRequest request,
          float             *band,
          gsize              n_band,
          GCancellable      *cancellable,
          GError           **error)
{
  const gsize n_queries = request.n_queries, first_query = request.first_query;

  for (gsize done = 0; keys->n_keys > 0 && done < n_queries; done += n_band)
    {
      request.first_query = first_query + done;
      request.n_queries = request.n_rows = MIN (n_band, n_queries - done);
      if (!hl_attention_source_read (source, &request, band, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < request.n_queries; i++)
        add_row (self, keys, band + i * keys->n_keys, request.first_query + i);
    }
  return TRUE;
}

static gboolean
compute (HlAttention        *attention,
         HlAttentionSource  *source,
         const guint8       *traits,
         const guint32      *tokens,
         const HlHeadUsed   *used,
         guint               layer,
         guint               head,
         const HlQueryBands *queries,
         HlHeadNumberSet     wanted,
         HlHeadStats        *stats,
         GCancellable       *cancellable,
         GError            **error)
{
  Keys keys;
  g_auto (Sums) sums = { .n_stats = 0 };

  stats->n_unknown = 0;
  for (HlHeadStat stat = 0; stat < HL_N_HEAD_STATS; stat++)
    stats->values[stat] = NAN;
  /* What is no weight of a query on its keys has none of these numbers. */
  if (hl_attention_is_transposed (attention) || hl_attention_source_is_signed (source))
    return TRUE;
  keys_init (&keys, attention, source, traits, tokens, used, layer);
  if (!sums_init (&sums, &keys, wanted, error) ||
      (wants_norms (wanted) && !sums_read_norms (&sums, attention, layer, head, cancellable, error)))
    return FALSE;
  const gsize n_band = CLAMP (BAND_SIZE / MAX (keys.n_keys, 1), 1, MAX (queries->n, 1));
  g_autofree float *band = g_try_malloc_n (n_band * MAX (keys.n_keys, 1), sizeof (float));
  if (band == NULL)
    return hl_error_set_no_memory (error);
  for (guint i = 0; i < queries->n_bands; i++)
    {
      const HlAttentionRequest request = {
        .layer = layer,
        .head = head,
        .first_query = queries->first + i * queries->step,
        .n_queries = queries->n,
        .n_keys = keys.n_keys,
        .n_columns = keys.n_keys,
        .marks_masked = keys.mask->scattered,
      };

      if (!add_rows (&sums, &keys, source, request, band, n_band, cancellable, error))
        return FALSE;
    }
  sums_finish (&sums, &keys, wanted, stats);
  return TRUE;
}

/**
 * hl_head_stats_compute:
 * @attention: an attention
 * @source: its weights, not filtered
 * @layer: a layer
 * @head: a head of it
 * @first_query: the first query that counts
 * @n_queries: how many
 * @wanted: which numbers
 * @stats: (out): these; NaN in place of others
 * @cancellable: (nullable): stops it
 * @error: what reading says, or %G_IO_ERROR_CANCELLED
 *
 * Those of the wanted numbers that are read off rows, hl_head_number_is_read(): the map is read once, band by band. A row of
 * padding, hl_head_used_find(), one of zeros, or with a weight that is no number, is left out; with no row left, all are NaN, and
 * so they are of a difference: of maps that say so, and of derived ones with a number below zero. What
 * speaks of positions is NaN where keys are not the queries' own text, what speaks of tokens where keys have none. Sums in double.
 *
 * Returns: whether @stats was filled
 */
gboolean
hl_head_stats_compute (HlAttention       *attention,
                       HlAttentionSource *source,
                       guint              layer,
                       guint              head,
                       gsize              first_query,
                       gsize              n_queries,
                       HlHeadNumberSet    wanted,
                       HlHeadStats       *stats,
                       GCancellable      *cancellable,
                       GError           **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), FALSE);
  g_return_val_if_fail (stats != NULL, FALSE);

  g_autofree guint8 *traits = hl_head_keys_list_traits (attention);
  g_autofree guint32 *tokens = hl_head_keys_list_tokens (attention);
  const HlHeadUsed used = hl_head_used_find (attention, source);
  const HlQueryBands queries = { first_query, n_queries, 1, 0 };
  return compute (attention, source, traits, tokens, &used, layer, head, &queries, wanted, stats, cancellable, error);
}

/**
 * hl_head_stats_compute_heads:
 * @attention: an attention
 * @source: its weights, not filtered
 * @queries: the queries that count
 * @heads: (array length=n): heads, each its place among all heads of layer 0, then of layer 1 …
 * @n: how many heads
 * @wanted: which numbers
 * @stats: (out caller-allocates) (array length=n): their numbers
 * @cancellable: (nullable): stops it
 * @error: as hl_head_stats_compute()
 *
 * hl_head_stats_compute() of some heads, in threads.
 *
 * Returns: whether @stats was filled
 */
gboolean
hl_head_stats_compute_heads (HlAttention        *attention,
                             HlAttentionSource  *source,
                             const HlQueryBands *queries,
                             const guint        *heads,
                             guint               n,
                             HlHeadNumberSet     wanted,
                             HlHeadStats        *stats,
                             GCancellable       *cancellable,
                             GError            **error)
{
  g_auto (HlHeadIndex) index = { 0 };
  HlSharedError first_error = { NULL };

  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), FALSE);
  g_return_val_if_fail (queries != NULL, FALSE);

  hl_head_index_init (&index, source);
  for (guint i = 0; i < n; i++)
    g_return_val_if_fail (heads[i] < hl_head_index_get_n (&index), FALSE);
  g_autofree guint8 *traits = hl_head_keys_list_traits (attention);
  g_autofree guint32 *tokens = hl_head_keys_list_tokens (attention);
  const HlHeadUsed used = hl_head_used_find (attention, source);

  /* Small maps are done before other threads have woken up. */
  const double n_weights = (double) n * (double) queries->n_bands * (double) queries->n *
                           (double) hl_attention_source_get_n (source, HL_KEYS);

#pragma omp parallel for schedule(dynamic, 1) if (n_weights >= LEAST_SHARED)
  for (guint i = 0; i < n; i++)
    {
      const guint layer = hl_head_index_get_layer (&index, heads[i]);
      GError *own_error = NULL;

      if (!hl_shared_error_is_set (&first_error) &&
          !compute (attention, source, traits, tokens, &used, layer, heads[i] - index.starts[layer], queries, wanted,
                    &stats[i], cancellable, &own_error))
        hl_shared_error_take (&first_error, own_error);
    }
  return hl_shared_error_propagate (&first_error, error);
}

/**
 * hl_head_stats_compute_range:
 * @attention: an attention
 * @source: its weights, not filtered
 * @first_query: the first query that counts
 * @n_queries: how many
 * @first: the first head, of all heads of layer 0, then of layer 1 …
 * @n: how many heads
 * @wanted: which numbers
 * @stats: (out caller-allocates) (array length=n): their numbers
 * @cancellable: (nullable): stops it
 * @error: as hl_head_stats_compute()
 *
 * hl_head_stats_compute_heads() of heads that follow one another.
 *
 * Returns: whether @stats was filled
 */
gboolean
hl_head_stats_compute_range (HlAttention       *attention,
                             HlAttentionSource *source,
                             gsize              first_query,
                             gsize              n_queries,
                             guint              first,
                             guint              n,
                             HlHeadNumberSet    wanted,
                             HlHeadStats       *stats,
                             GCancellable      *cancellable,
                             GError           **error)
{
  const HlQueryBands queries = { first_query, n_queries, 1, 0 };
  g_autofree guint *heads = g_new (guint, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    heads[i] = first + i;
  return hl_head_stats_compute_heads (attention, source, &queries, heads, n, wanted, stats, cancellable, error);
}
