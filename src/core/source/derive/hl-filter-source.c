/* SPDX-License-Identifier: MIT */
/* Another source with faint weights at 0; of numbers that have a sign, those near zero. What is left keeps its value: nothing is renormalised. */
#include "core/source/derive/hl-filter-source.h"

#include "core/base/hl-error.h"
#include "core/source/hl-derived-source.h"

#include <math.h>

struct _HlFilterSource
{
  HlDerivedSource parent_instance;

  float threshold;
  double top_mass;
};

static void hl_filter_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlFilterSource,
                               hl_filter_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_filter_source_iface_init))

static int
compare_falling (gconstpointer a,
                 gconstpointer b)
{
  const float x = *(const float *) a;
  const float y = *(const float *) b;

  return (x < y) - (x > y);
}

/* The least weight among the fewest keys that hold @share of what the row holds, signs apart. Keys of equal weight stay or go together. */
static float
find_cut (const float *row,
          gsize        n,
          double       share,
          float       *sorted)
{
  gsize n_positive = 0, n_kept = 0;
  double total = 0;
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    if (fabsf (row[i]) > 0)
      {
        sorted[n_positive++] = fabsf (row[i]);
        total += fabsf (row[i]);
      }
  if (n_positive == 0)
    return 0;
  qsort (sorted, n_positive, sizeof (float), compare_falling);
  /* Float32 sums to 1 only nearly: a share of 0.9 that is reached but for rounding is reached. Of a share of 0 one key stays. */
  do
    sum += sorted[n_kept++];
  while (n_kept < n_positive && sum < share * total * (1 - 1e-6));
  return sorted[n_kept - 1];
}

/* Weights below the cut, signs apart; what is no number stays, and so does −0, which is masked. */
static void
cut_row (float *row,
         gsize  n,
         float  cut)
{
  for (gsize i = 0; i < n; i++)
    if (row[i] != 0 && fabsf (row[i]) < cut)
      row[i] = 0;
}

typedef struct
{
  float threshold;
  double top_mass;
  float *sorted;
} Cut;

static void
change_row (float   *row,
            gsize    n_keys,
            gsize    query,
            gpointer data)
{
  const Cut *cut = data;

  cut_row (row, n_keys, MAX (find_cut (row, n_keys, cut->top_mass, cut->sorted), cut->threshold));
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlFilterSource *self = HL_FILTER_SOURCE (source);
  HlAttentionSource *origin = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));

  if (self->top_mass >= 1)
    {
      if (!hl_attention_source_read (origin, request, target, cancellable, error))
        return FALSE;
      cut_row (target, request->n_queries * request->n_keys, self->threshold);
      return TRUE;
    }

  g_autofree float *sorted = g_try_new (float, hl_attention_source_get_n (origin, HL_KEYS));
  Cut cut = { self->threshold, self->top_mass, sorted };
  if (sorted == NULL)
    return hl_error_set_no_memory (error);
  return hl_whole_rows_read (origin, request, change_row, &cut, target, cancellable, error);
}

static void
hl_filter_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->read_rows = read_rows;
}

static void
hl_filter_source_class_init (HlFilterSourceClass *klass)
{
}

static void
hl_filter_source_init (HlFilterSource *self)
{
}

/**
 * hl_filter_source_new:
 * @source: what to filter
 * @threshold: weights below this, signs apart, become 0
 * @top_mass: 0 to 1: of each query, only the fewest keys that together hold this share of the row stay; 1 for all
 *
 * Returns: (transfer full): the filtered source. Weights that are not numbers stay what they are.
 */
HlAttentionSource *
hl_filter_source_new (HlAttentionSource *source,
                      double             threshold,
                      double             top_mass)
{
  HlFilterSource *self;

  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);

  self = g_object_new (HL_TYPE_FILTER_SOURCE, NULL);
  self->threshold = (float) threshold;
  self->top_mass = top_mass;
  return hl_derived_source_derive (self, source);
}
