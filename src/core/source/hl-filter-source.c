/* SPDX-License-Identifier: MIT */
/* Another source with faint weights at 0; of numbers that have a sign, those near zero. What is left keeps its value: nothing is renormalised. */
#include "core/source/hl-filter-source.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <math.h>

struct _HlFilterSource
{
  GObject parent_instance;

  HlAttentionSource *source;
  float threshold;
  double top_mass;
};

static void hl_filter_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlFilterSource, hl_filter_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_filter_source_iface_init))

static guint
get_n_layers (HlAttentionSource *source)
{
  return hl_attention_source_get_n_layers (HL_FILTER_SOURCE (source)->source);
}

static guint
get_n_heads (HlAttentionSource *source,
             guint              layer)
{
  return hl_attention_source_get_n_heads (HL_FILTER_SOURCE (source)->source, layer);
}

static gsize
get_n_queries (HlAttentionSource *source)
{
  return hl_attention_source_get_n_queries (HL_FILTER_SOURCE (source)->source);
}

static gsize
get_n_keys (HlAttentionSource *source)
{
  return hl_attention_source_get_n_keys (HL_FILTER_SOURCE (source)->source);
}

static const char *
get_quantity (HlAttentionSource *source)
{
  return hl_attention_source_get_quantity (HL_FILTER_SOURCE (source)->source);
}

static const HlMask *
get_mask (HlAttentionSource *source,
          guint              layer)
{
  return hl_attention_source_get_mask (HL_FILTER_SOURCE (source)->source, layer);
}

static gboolean
is_signed (HlAttentionSource *source)
{
  return hl_attention_source_is_signed (HL_FILTER_SOURCE (source)->source);
}

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
  gsize n_positive = 0;
  double total = 0;
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    if (fabsf (row[i]) > 0)
      {
        sorted[n_positive++] = fabsf (row[i]);
        total += fabsf (row[i]);
      }
  qsort (sorted, n_positive, sizeof (float), compare_falling);
  for (gsize i = 0; i < n_positive; i++)
    {
      /* Float32 sums to 1 only nearly: a share of 0.9 that is reached but for rounding is reached. */
      if (sum >= share * total * (1 - 1e-6))
        return sorted[i - 1];
      sum += sorted[i];
    }
  return 0;
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
  HlFilterSource *self = HL_FILTER_SOURCE (source);
  const gboolean by_mass = self->top_mass < 1;
  const gsize all_keys = get_n_keys (source);
  HlAttentionRequest request = {
    .layer = layer,
    .head = head,
    .first_query = first_query,
    .n_queries = n_queries,
    .first_key = first_key,
    .n_keys = n_keys,
    .n_rows = n_queries,
    .n_columns = n_keys,
  };

  if (!by_mass)
    {
      if (!hl_attention_source_read (self->source, &request, target, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < n_queries * n_keys; i++)
        if (fabsf (target[i]) < self->threshold)
          target[i] = 0;
      return TRUE;
    }

  /* A row's mass is that of all its keys, also of those that were not asked for. */
  g_autofree float *row = g_try_new (float, all_keys);
  g_autofree float *sorted = g_try_new (float, all_keys);
  if (row == NULL || sorted == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory"));
      return FALSE;
    }
  request.first_key = 0;
  request.n_keys = request.n_columns = all_keys;
  request.n_queries = request.n_rows = 1;
  for (gsize i = 0; i < n_queries; i++)
    {
      request.first_query = first_query + i;
      if (!hl_attention_source_read (self->source, &request, row, cancellable, error))
        return FALSE;
      const float cut = MAX (find_cut (row, all_keys, self->top_mass, sorted), self->threshold);
      for (gsize key = 0; key < n_keys; key++)
        target[i * n_keys + key] = fabsf (row[first_key + key]) < cut ? 0 : row[first_key + key];
    }
  return TRUE;
}

static void
hl_filter_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_n_layers = get_n_layers;
  iface->get_n_heads = get_n_heads;
  iface->get_n_queries = get_n_queries;
  iface->get_n_keys = get_n_keys;
  iface->get_quantity = get_quantity;
  iface->get_mask = get_mask;
  iface->is_signed = is_signed;
  iface->read_rows = read_rows;
}

static void
hl_filter_source_finalize (GObject *object)
{
  g_clear_object (&HL_FILTER_SOURCE (object)->source);
  G_OBJECT_CLASS (hl_filter_source_parent_class)->finalize (object);
}

static void
hl_filter_source_class_init (HlFilterSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_filter_source_finalize;
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
  self->source = g_object_ref (source);
  self->threshold = (float) threshold;
  self->top_mass = top_mass;
  return HL_ATTENTION_SOURCE (self);
}
