/* SPDX-License-Identifier: MIT */
/* Which heads of two sides differ most, query by query, read in bands so that no map is ever held as a whole. */
#include "core/analysis/hl-head-changes.h"

#include "core/analysis/number/hl-head-used.h"
#include "core/base/hl-error.h"
#include "core/base/hl-worker.h"

#include <math.h>

/* Weights are read this many at a time, of each side, in each thread. */
#define BAND_SIZE (256 * 1024)

/* The tokens that both sides have, and that are padding on neither. */
typedef struct
{
  HlAlignedToken *queries;
  gsize n_queries;
  HlAlignedToken *keys;
  gsize n_keys;
} Common;

static gboolean
is_used (const HlHeadUsed *used,
         HlSide            side,
         gsize             token)
{
  return token != HL_TOKEN_NONE && token >= used->first[side] && token < used->end[side];
}

static HlAlignedToken *
find_common (HlComparison     *comparison,
             HlSide            side,
             const HlHeadUsed *a,
             const HlHeadUsed *b,
             gsize            *n)
{
  const HlTokenAlignment *alignment = hl_comparison_get_alignment (comparison, side);
  const HlAlignedToken *positions = hl_token_alignment_get_positions (alignment);
  HlAlignedToken *common = g_new (HlAlignedToken, MAX (hl_token_alignment_get_n_common (alignment), 1));

  *n = 0;
  for (gsize i = 0; i < hl_token_alignment_get_n (alignment); i++)
    if (is_used (a, side, positions[i].a) && is_used (b, side, positions[i].b))
      common[(*n)++] = positions[i];
  return common;
}

static void
common_init (Common       *self,
             HlComparison *comparison)
{
  const HlHeadUsed a =
    hl_head_used_find (hl_comparison_get_attention_a (comparison), hl_comparison_get_source_a (comparison));
  const HlHeadUsed b =
    hl_head_used_find (hl_comparison_get_attention_b (comparison), hl_comparison_get_source_b (comparison));

  self->queries = find_common (comparison, HL_QUERIES, &a, &b, &self->n_queries);
  self->keys = find_common (comparison, HL_KEYS, &a, &b, &self->n_keys);
}

static void
common_clear (Common *self)
{
  g_free (self->queries);
  g_free (self->keys);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Common, common_clear)

static gsize
count_used (HlAttention      *attention,
            const HlHeadUsed *used,
            HlSide            side)
{
  const gsize end = MIN (used->end[side], hl_attention_get_n_used (attention, side));

  return end > used->first[side] ? end - used->first[side] : 0;
}

/* Of the queries or keys, those that hl_head_changes_compute() takes. */
HlHeadCommon
hl_head_changes_count (HlComparison *comparison,
                       HlSide        side)
{
  HlAttention *attention_a = hl_comparison_get_attention_a (comparison);
  HlAttention *attention_b = hl_comparison_get_attention_b (comparison);
  const HlHeadUsed a = hl_head_used_find (attention_a, hl_comparison_get_source_a (comparison));
  const HlHeadUsed b = hl_head_used_find (attention_b, hl_comparison_get_source_b (comparison));
  HlHeadCommon counts = { 0, count_used (attention_a, &a, side), count_used (attention_b, &b, side) };
  g_autofree HlAlignedToken *common = find_common (comparison, side, &a, &b, &counts.n_common);

  return counts;
}

/* p log2 (p/m), which is 0 where there is no p. */
static inline double
get_term (double p,
          double m)
{
  return p > 0 ? p * log2 (p / m) : 0;
}

/* NaN for a query that gives nothing to these keys on one side, or something that is no share of a whole. */
static double
get_divergence (const Common *common,
                const float  *a,
                const float  *b)
{
  double sum_a = 0, sum_b = 0, divergence = 0;

  for (gsize i = 0; i < common->n_keys; i++)
    {
      const double p = a[common->keys[i].a];
      const double q = b[common->keys[i].b];

      if (!(p >= 0) || !(q >= 0))
        return NAN;
      sum_a += p;
      sum_b += q;
    }
  if (!(sum_a > 0 && sum_b > 0 && isfinite (sum_a) && isfinite (sum_b)))
    return NAN;
  for (gsize i = 0; i < common->n_keys; i++)
    {
      const double p = a[common->keys[i].a] / sum_a;
      const double q = b[common->keys[i].b] / sum_b;
      const double m = (p + q) / 2;

      divergence += (get_term (p, m) + get_term (q, m)) / 2;
    }
  /* Equal rows may come out a rounding below zero. */
  return CLAMP (divergence, 0, 1);
}

static gboolean
read_rows (HlAttentionSource *source,
           guint              layer,
           guint              head,
           gsize              first,
           gsize              n,
           float             *target,
           GCancellable      *cancellable,
           GError           **error)
{
  const gsize n_keys = hl_attention_source_get_n (source, HL_KEYS);
  const HlAttentionRequest request = {
    .layer = layer,
    .head = head,
    .first_query = first,
    .n_queries = n,
    .n_keys = n_keys,
    .n_rows = n,
    .n_columns = n_keys,
  };

  return hl_attention_source_read (source, &request, target, cancellable, error);
}

static gboolean
compute (const Common *common,
         HlComparison *comparison,
         guint         layer,
         guint         head,
         HlHeadChange *change,
         GCancellable *cancellable,
         GError      **error)
{
  HlAttentionSource *a = hl_comparison_get_source_a (comparison);
  HlAttentionSource *b = hl_comparison_get_source_b (comparison);
  const gsize n_keys_a = hl_attention_source_get_n (a, HL_KEYS);
  const gsize n_keys_b = hl_attention_source_get_n (b, HL_KEYS);
  const gsize n_band = MAX (BAND_SIZE / MAX (MAX (n_keys_a, n_keys_b), 1), 1);
  const HlAlignedToken *queries = common->queries;
  g_autofree float *rows_a = g_try_malloc_n (n_band * MAX (n_keys_a, 1), sizeof (float));
  g_autofree float *rows_b = g_try_malloc_n (n_band * MAX (n_keys_b, 1), sizeof (float));
  double sum = 0;

  *change = (HlHeadChange){ .layer = layer, .head = head };
  hl_comparison_get_partner (comparison, layer, head, &change->other_layer, &change->other_head);
  if (rows_a == NULL || rows_b == NULL)
    return hl_error_set_no_memory (error);
  /* One key holds all of what is compared on either side. */
  for (gsize i = 0; common->n_keys > 1 && i < common->n_queries;)
    {
      const HlAlignedToken first = queries[i];
      gsize end = i + 1;

      while (end < common->n_queries && queries[end].a - first.a < n_band && queries[end].b - first.b < n_band)
        end++;
      if (!read_rows (a, layer, head, first.a, queries[end - 1].a - first.a + 1, rows_a, cancellable, error) ||
          !read_rows (b, change->other_layer, change->other_head, first.b, queries[end - 1].b - first.b + 1, rows_b,
                      cancellable, error))
        return FALSE;
      for (; i < end; i++)
        {
          const double divergence = get_divergence (common, rows_a + (queries[i].a - first.a) * n_keys_a,
                                                    rows_b + (queries[i].b - first.b) * n_keys_b);
          if (isnan (divergence))
            continue;
          sum += divergence;
          change->n_queries++;
        }
    }
  change->divergence = change->n_queries > 0 ? sum / (double) change->n_queries : NAN;
  change->distance = sqrt (change->divergence);
  return TRUE;
}

/* Most changed first; what is no number last; otherwise as heads are counted. */
static int
compare_changes (gconstpointer a,
                 gconstpointer b)
{
  const HlHeadChange *x = a;
  const HlHeadChange *y = b;

  if (isnan (x->divergence) != isnan (y->divergence))
    return isnan (x->divergence) ? 1 : -1;
  if (!isnan (x->divergence) && x->divergence != y->divergence)
    return x->divergence > y->divergence ? -1 : 1;
  if (x->layer != y->layer)
    return x->layer < y->layer ? -1 : 1;
  return (x->head > y->head) - (x->head < y->head);
}

/**
 * hl_head_changes_compute:
 * @comparison: two sides; their weights not filtered
 * @cancellable: (nullable): stops it
 * @error: what reading says, or %G_IO_ERROR_CANCELLED
 *
 * Compares every head that has a partner with it, in threads, over the queries and keys that both sides have and that
 * are padding on neither. A query counts when it gives weight to these keys on both sides, and no weight is negative or
 * no number; none does where there are fewer than two keys. Sums in double.
 *
 * Returns: (transfer full) (nullable) (element-type HlHeadChange): all heads, those that changed most first
 */
GArray *
hl_head_changes_compute (HlComparison *comparison,
                         GCancellable *cancellable,
                         GError      **error)
{
  g_auto (Common) common = { 0 };
  g_autoptr (GArray) changes = g_array_new (FALSE, TRUE, sizeof (HlHeadChange));
  HlSharedError first_error = { NULL };

  g_return_val_if_fail (HL_IS_COMPARISON (comparison), NULL);

  common_init (&common, comparison);
  for (guint layer = 0; layer < hl_comparison_get_n_layers (comparison); layer++)
    for (guint head = 0; head < hl_comparison_get_n_heads (comparison, layer); head++)
      {
        const HlHeadChange change = { .layer = layer, .head = head };
        g_array_append_val (changes, change);
      }

#pragma omp parallel for schedule(dynamic, 1)
  for (guint i = 0; i < changes->len; i++)
    {
      HlHeadChange *change = &g_array_index (changes, HlHeadChange, i);
      GError *own_error = NULL;

      if (!hl_shared_error_is_set (&first_error) &&
          !compute (&common, comparison, change->layer, change->head, change, cancellable, &own_error))
        hl_shared_error_take (&first_error, own_error);
    }

  if (!hl_shared_error_propagate (&first_error, error))
    return NULL;
  g_array_sort (changes, compare_changes);
  return g_steal_pointer (&changes);
}
