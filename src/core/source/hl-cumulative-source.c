/* SPDX-License-Identifier: MIT */
/* Another source with each weight's place in its row: how much of the row is held by keys that are no stronger. */
#include "core/source/hl-cumulative-source.h"

#include "core/base/hl-error.h"
#include "core/source/hl-whole-rows.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

struct _HlCumulativeSource
{
  GObject parent_instance;

  HlAttentionSource *source;
};

static void hl_cumulative_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlCumulativeSource, hl_cumulative_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_cumulative_source_iface_init))

static guint
get_n_layers (HlAttentionSource *source)
{
  return hl_attention_source_get_n_layers (HL_CUMULATIVE_SOURCE (source)->source);
}

static guint
get_n_heads (HlAttentionSource *source,
             guint              layer)
{
  return hl_attention_source_get_n_heads (HL_CUMULATIVE_SOURCE (source)->source, layer);
}

static gsize
get_n_queries (HlAttentionSource *source)
{
  return hl_attention_source_get_n_queries (HL_CUMULATIVE_SOURCE (source)->source);
}

static gsize
get_n_keys (HlAttentionSource *source)
{
  return hl_attention_source_get_n_keys (HL_CUMULATIVE_SOURCE (source)->source);
}

static const char *
get_quantity (HlAttentionSource *source)
{
  return hl_attention_source_get_quantity (HL_CUMULATIVE_SOURCE (source)->source);
}

static const HlMask *
get_mask (HlAttentionSource *source,
          guint              layer)
{
  return hl_attention_source_get_mask (HL_CUMULATIVE_SOURCE (source)->source, layer);
}

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

/* In place. Keys of equal weight have the same place. What is not above zero holds nothing; what is not a number stays. */
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
      else if (row[key] <= 0)
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
change_row (float    *row,
            gsize     n_keys,
            gsize     query,
            gpointer  data)
{
  accumulate (row, n_keys, data);
}

static gboolean
read_rows (HlAttentionSource  *source,
           guint               layer,
           guint               head,
           gsize               first_query,
           gsize               n_queries,
           gsize               first_key,
           gsize               n_keys,
           float              *target,
           GCancellable       *cancellable,
           GError            **error)
{
  g_autofree Entry *entries = g_try_new (Entry, get_n_keys (source));

  if (entries == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory"));
      return FALSE;
    }
  return hl_whole_rows_read (HL_CUMULATIVE_SOURCE (source)->source, layer, head, first_query, n_queries, first_key,
                             n_keys, change_row, entries, target, cancellable, error);
}

static void
hl_cumulative_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_n_layers = get_n_layers;
  iface->get_n_heads = get_n_heads;
  iface->get_n_queries = get_n_queries;
  iface->get_n_keys = get_n_keys;
  iface->get_quantity = get_quantity;
  iface->get_mask = get_mask;
  iface->read_rows = read_rows;
}

static void
hl_cumulative_source_finalize (GObject *object)
{
  g_clear_object (&HL_CUMULATIVE_SOURCE (object)->source);
  G_OBJECT_CLASS (hl_cumulative_source_parent_class)->finalize (object);
}

static void
hl_cumulative_source_class_init (HlCumulativeSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_cumulative_source_finalize;
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

  HlCumulativeSource *self = g_object_new (HL_TYPE_CUMULATIVE_SOURCE, NULL);
  self->source = g_object_ref (source);
  return HL_ATTENTION_SOURCE (self);
}
