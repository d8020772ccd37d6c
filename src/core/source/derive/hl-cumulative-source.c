/* SPDX-License-Identifier: MIT */
/* Another source with each weight's place in its row: how much of the row is held by keys that are no stronger. */
#include "core/source/derive/hl-cumulative-source.h"

#include "core/base/hl-error.h"
#include "core/source/hl-derived-source.h"

#include <stdlib.h>

struct _HlCumulativeSource
{
  HlDerivedSource parent_instance;
};

static void hl_cumulative_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlCumulativeSource,
                               hl_cumulative_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_cumulative_source_iface_init))

typedef struct
{
  float weight;
  gsize key;
} Entry;

static int
compare_rising (gconstpointer a,
                gconstpointer b)
{
  const float x = ((const Entry *) a)->weight;
  const float y = ((const Entry *) b)->weight;

  return (x > y) - (x < y);
}

/* In place. Keys of equal weight have the same place. What is not above zero holds nothing; what is not a number stays, and −0, which is
 * masked. */
static void
accumulate (float *row,
            gsize  n,
            Entry *entries)
{
  gsize n_positive = 0;
  double total = 0, sum = 0;

  for (gsize key = 0; key < n; key++)
    {
      if (row[key] > 0)
        {
          entries[n_positive++] = (Entry){ row[key], key };
          total += row[key];
        }
      else if (row[key] < 0)
        row[key] = 0;
    }
  qsort (entries, n_positive, sizeof (Entry), compare_rising);
  for (gsize i = 0, end; i < n_positive; i = end)
    {
      for (end = i; end < n_positive && entries[end].weight == entries[i].weight; end++)
        sum += entries[end].weight;
      for (gsize same = i; same < end; same++)
        row[entries[same].key] = (float) (sum / total);
    }
}

static void
change_row (float   *row,
            gsize    n_keys,
            gsize    query,
            gpointer data)
{
  accumulate (row, n_keys, data);
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlAttentionSource *origin = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));
  g_autofree Entry *entries = g_try_new (Entry, hl_attention_source_get_n (origin, HL_KEYS));

  if (entries == NULL)
    return hl_error_set_no_memory (error);
  return hl_whole_rows_read (origin, request, change_row, entries, target, cancellable, error);
}

static void
hl_cumulative_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->is_signed = NULL; /* whatever the origin's are, shares of a row are not */
  iface->read_rows = read_rows;
}

static void
hl_cumulative_source_class_init (HlCumulativeSourceClass *klass)
{
}

static void
hl_cumulative_source_init (HlCumulativeSource *self)
{
}

/**
 * hl_cumulative_source_new:
 * @source: a source of weights, which have no sign
 *
 * The cumulative mass of a key is the share of its row that is held by keys no stronger than it, itself included:
 * 1 for the strongest key, its own share for the weakest, 0 for a weight of 0. The fewest keys that together hold a
 * share m of the row are those whose cumulative mass is above 1 − m.
 *
 * Returns: (transfer full): the cumulative mass of every weight; of rows without any weight, zeros
 */
HlAttentionSource *
hl_cumulative_source_new (HlAttentionSource *source)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);

  return hl_derived_source_derive (g_object_new (HL_TYPE_CUMULATIVE_SOURCE, NULL), source);
}
