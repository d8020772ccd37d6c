/* SPDX-License-Identifier: MIT */
/* Another source with faint weights at 0; of numbers that have a sign, those near zero. What is left keeps its value: nothing is renormalised. */
#include "core/source/hl-filter-source.h"

#include "core/base/hl-error.h"
#include "core/source/hl-whole-rows.h"

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

/* Weights below the cut, signs apart; what is no number stays. */
static void
cut_row (float *row,
         gsize  n,
         float  cut)
{
  for (gsize i = 0; i < n; i++)
    if (fabsf (row[i]) < cut)
      row[i] = 0;
}

typedef struct
{
  float threshold;
  double top_mass;
  float *sorted;
} Cut;

static void
change_row (float    *row,
            gsize     n_keys,
            gsize     query,
            gpointer  data)
{
  const Cut *cut = data;

  cut_row (row, n_keys, MAX (find_cut (row, n_keys, cut->top_mass, cut->sorted), cut->threshold));
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

  if (self->top_mass >= 1)
    {
      const HlAttentionRequest request = {
        .layer = layer,
        .head = head,
        .first_query = first_query,
        .n_queries = n_queries,
        .first_key = first_key,
        .n_keys = n_keys,
        .n_rows = n_queries,
        .n_columns = n_keys,
      };

      if (!hl_attention_source_read (self->source, &request, target, cancellable, error))
        return FALSE;
      cut_row (target, n_queries * n_keys, self->threshold);
      return TRUE;
    }

  g_autofree float *sorted = g_try_new (float, get_n_keys (source));
  Cut cut = { self->threshold, self->top_mass, sorted };
  if (sorted == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory"));
      return FALSE;
    }
  return hl_whole_rows_read (self->source, layer, head, first_query, n_queries, first_key, n_keys, change_row, &cut,
                             target, cancellable, error);
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
