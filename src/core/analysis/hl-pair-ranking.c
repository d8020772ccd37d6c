/* SPDX-License-Identifier: MIT */
/* Heads ranked by the weight between given words. Reads only the rows of the queries among them. */
#include "core/analysis/hl-pair-ranking.h"

#include "core/analysis/hl-head-index.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-worker.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

struct _HlPairRanking
{
  gatomicrefcount n_refs;
  HlTokenPairs *pairs;
  guint n;
  double *pair_weights; /* of the first head for each pair, then of the next */
  double *weights;
  guint *ranks;
};

typedef struct
{
  HlAttentionSource *source;
  const HlTokenPairs *pairs;
  guint *order; /* pairs of the same queries stand together */
  GCancellable *cancellable;
} Work;

static int
compare_queries (gconstpointer a,
                 gconstpointer b,
                 gpointer      data)
{
  const HlTokenRun *first = &hl_token_pairs_get (data, *(const guint *) a)->queries;
  const HlTokenRun *second = &hl_token_pairs_get (data, *(const guint *) b)->queries;

  if (first->first != second->first)
    return first->first < second->first ? -1 : 1;
  return first->n < second->n ? -1 : first->n > second->n;
}

static const HlTokenPair *
get_ordered (const Work *work,
             guint       i)
{
  return hl_token_pairs_get (work->pairs, work->order[i]);
}

/* Adds what one query gives to the keys of some pairs, divided by how many queries there are. */
static void
add_row (const Work  *work,
         guint        begin,
         guint        end,
         const float *row,
         gsize        first_key,
         double      *weights)
{
  for (guint i = begin; i < end; i++)
    {
      const HlTokenPair *pair = get_ordered (work, i);
      double sum = 0;

      for (gsize key = pair->keys.first; key < pair->keys.first + pair->keys.n; key++)
        sum += row[key - first_key];
      weights[work->order[i]] += sum / (double) pair->queries.n;
    }
}

/* Pairs of the same queries: their rows are read once, from the first key that is asked for to the last. */
static gboolean
read_group (const Work *work,
            guint       layer,
            guint       head,
            guint       begin,
            guint       end,
            float      *row,
            double     *weights,
            GError    **error)
{
  const HlTokenRun *queries = &get_ordered (work, begin)->queries;
  gsize first_key = G_MAXSIZE, end_key = 0;

  for (guint i = begin; i < end; i++)
    {
      const HlTokenRun *keys = &get_ordered (work, i)->keys;
      first_key = MIN (first_key, keys->first);
      end_key = MAX (end_key, keys->first + keys->n);
    }
  for (gsize query = queries->first; query < queries->first + queries->n; query++)
    {
      const gsize n_keys = end_key - first_key;
      const HlAttentionRequest request = {
        .layer = layer,
        .head = head,
        .first_query = query,
        .n_queries = 1,
        .first_key = first_key,
        .n_keys = n_keys,
        .n_rows = 1,
        .n_columns = n_keys,
      };

      if (!hl_attention_source_read (work->source, &request, row, work->cancellable, error))
        return FALSE;
      add_row (work, begin, end, row, first_key, weights);
    }
  return TRUE;
}

static gboolean
read_head (const Work *work,
           guint       layer,
           guint       head,
           double     *weights,
           GError    **error)
{
  const guint n_pairs = hl_token_pairs_get_n (work->pairs);
  g_autofree float *row = g_try_new (float, MAX (hl_attention_source_get_n (work->source, HL_KEYS), 1));

  if (row == NULL)
    return hl_error_set_no_memory (error);
  for (guint begin = 0, end; begin < n_pairs; begin = end)
    {
      for (end = begin + 1; end < n_pairs; end++)
        if (compare_queries (&work->order[begin], &work->order[end], (gpointer) work->pairs) != 0)
          break;
      if (!read_group (work, layer, head, begin, end, row, weights, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_all (HlPairRanking     *self,
          HlAttentionSource *source,
          const Work        *work,
          GError           **error)
{
  const guint n_pairs = hl_token_pairs_get_n (self->pairs);
  g_auto (HlHeadIndex) index = { 0 };
  HlSharedError first_error = { NULL };

  hl_head_index_init (&index, source);
#pragma omp parallel for schedule(dynamic, 1)
  for (guint i = 0; i < self->n; i++)
    {
      const guint layer = hl_head_index_get_layer (&index, i);
      GError *own_error = NULL;

      if (!hl_shared_error_is_set (&first_error) &&
          !read_head (work, layer, i - index.starts[layer], self->pair_weights + (gsize) i * n_pairs, &own_error))
        hl_shared_error_take (&first_error, own_error);
    }
  return hl_shared_error_propagate (&first_error, error);
}

static int
compare_weights (gconstpointer a,
                 gconstpointer b)
{
  const double first = *(const double *) a;
  const double second = *(const double *) b;

  return first > second ? -1 : first < second;
}

/* Heads with the same weight have the same rank, and the next one counts all before it. */
static void
rank (HlPairRanking *self)
{
  const guint n_pairs = hl_token_pairs_get_n (self->pairs);
  g_autofree double *sorted = g_new (double, MAX (self->n, 1));
  guint n_sorted = 0;

  for (guint i = 0; i < self->n; i++)
    {
      double sum = 0;
      for (guint pair = 0; pair < n_pairs; pair++)
        sum += self->pair_weights[(gsize) i * n_pairs + pair];
      self->weights[i] = sum / n_pairs;
      if (!isnan (self->weights[i]))
        sorted[n_sorted++] = self->weights[i];
    }
  qsort (sorted, n_sorted, sizeof *sorted, compare_weights);
  for (guint i = 0; i < self->n; i++)
    {
      guint begin = 0, end = n_sorted;

      if (isnan (self->weights[i]))
        continue;
      while (begin < end)
        {
          const guint middle = begin + (end - begin) / 2;
          if (sorted[middle] > self->weights[i])
            begin = middle + 1;
          else
            end = middle;
        }
      self->ranks[i] = begin + 1;
    }
}

/* Finds the weight of each pair in each head, in threads. Of words in several pieces: for each piece of the query the
 * sum over the pieces of the key, and of these the mean, as Clark et al. 2019, section 4.1, make attention between
 * words. Sums in double. The weight of a head is the mean over the pairs. */
HlPairRanking *
hl_pair_ranking_compute (HlAttentionSource *source,
                         HlTokenPairs      *pairs,
                         GCancellable      *cancellable,
                         GError           **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);
  g_return_val_if_fail (pairs != NULL, NULL);

  const guint n_pairs = hl_token_pairs_get_n (pairs);
  g_autoptr (HlPairRanking) self = g_new0 (HlPairRanking, 1);
  g_autofree guint *order = g_new (guint, n_pairs);
  const Work work = { source, pairs, order, cancellable };

  g_atomic_ref_count_init (&self->n_refs);
  self->pairs = hl_token_pairs_ref (pairs);
  for (guint layer = 0; layer < hl_attention_source_get_n_layers (source); layer++)
    self->n += hl_attention_source_get_n_heads (source, layer);
  if (self->n <= HL_LIMIT_PAIR_WEIGHTS / n_pairs)
    self->pair_weights = g_try_new0 (double, MAX ((gsize) self->n * n_pairs, 1));
  if (self->pair_weights == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("%u pairs in %u heads are too many"), n_pairs, self->n);
      return NULL;
    }
  self->weights = g_new0 (double, MAX (self->n, 1));
  self->ranks = g_new0 (guint, MAX (self->n, 1));
  for (guint i = 0; i < n_pairs; i++)
    order[i] = i;
  g_qsort_with_data (order, (int) n_pairs, sizeof *order, compare_queries, pairs);
  if (!read_all (self, source, &work, error))
    return NULL;
  rank (self);
  return g_steal_pointer (&self);
}

HlPairRanking *
hl_pair_ranking_ref (HlPairRanking *self)
{
  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

void
hl_pair_ranking_unref (HlPairRanking *self)
{
  if (!g_atomic_ref_count_dec (&self->n_refs))
    return;
  hl_token_pairs_unref (self->pairs);
  g_free (self->pair_weights);
  g_free (self->weights);
  g_free (self->ranks);
  g_free (self);
}

HlTokenPairs *
hl_pair_ranking_get_pairs (const HlPairRanking *self)
{
  return self->pairs;
}

/* Returns how many heads there are in all layers. */
guint
hl_pair_ranking_get_n (const HlPairRanking *self)
{
  return self->n;
}

/* Returns its weight, the mean over the pairs; may be NaN. */
double
hl_pair_ranking_get_weight (const HlPairRanking *self,
                            guint                index)
{
  g_return_val_if_fail (index < self->n, NAN);

  return self->weights[index];
}

/* Returns its weight between these words; may be NaN. */
double
hl_pair_ranking_get_pair_weight (const HlPairRanking *self,
                                 guint                index,
                                 guint                pair)
{
  g_return_val_if_fail (index < self->n && pair < hl_token_pairs_get_n (self->pairs), NAN);

  return self->pair_weights[(gsize) index * hl_token_pairs_get_n (self->pairs) + pair];
}

/* Returns how many heads have a greater weight, and 1; 0 for a weight that is no number. */
guint
hl_pair_ranking_get_rank (const HlPairRanking *self,
                          guint                index)
{
  g_return_val_if_fail (index < self->n, 0);

  return self->ranks[index];
}
