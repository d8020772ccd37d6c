/* SPDX-License-Identifier: MIT */
/* Weights of scores that a file holds: the softmax over the keys of each query (Vaswani et al. 2017, 3.2.1). */
#include "core/source/hl-softmax-source.h"

#include "core/source/hl-whole-rows.h"

#include <glib/gi18n-lib.h>
#include <math.h>

struct _HlSoftmaxSource
{
  GObject parent_instance;

  HlAttentionSource *scores;
};

static void hl_softmax_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlSoftmaxSource,
                               hl_softmax_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE,
                                                      hl_softmax_source_iface_init))

static guint
get_n_layers (HlAttentionSource *source)
{
  return hl_attention_source_get_n_layers (HL_SOFTMAX_SOURCE (source)->scores);
}

static guint
get_n_heads (HlAttentionSource *source,
             guint              layer)
{
  return hl_attention_source_get_n_heads (HL_SOFTMAX_SOURCE (source)->scores, layer);
}

static gsize
get_n_queries (HlAttentionSource *source)
{
  return hl_attention_source_get_n_queries (HL_SOFTMAX_SOURCE (source)->scores);
}

static gsize
get_n_keys (HlAttentionSource *source)
{
  return hl_attention_source_get_n_keys (HL_SOFTMAX_SOURCE (source)->scores);
}

static const char *
get_quantity (HlAttentionSource *source)
{
  return _ ("softmax of the scores in the file");
}

static const HlMask *
get_mask (HlAttentionSource *source,
          guint              layer)
{
  return hl_attention_source_get_mask (HL_SOFTMAX_SOURCE (source)->scores, layer);
}

/* In place. Keys outside @first to @end are masked, and so are scores of −∞; a row without any other becomes zeros. A score that is not a
 * number makes the row so, as it does in PyTorch. */
static void
make_weights (float *row,
              gsize  n_keys,
              gsize  first,
              gsize  end)
{
  float greatest = -INFINITY;
  double sum = 0;

  for (gsize key = first; key < end; key++)
    if (!(row[key] <= greatest) && !isnan (greatest))
      greatest = row[key];
  for (gsize key = 0; key < n_keys; key++)
    if (key < first || key >= end || greatest == -INFINITY)
      row[key] = 0;
    else
      {
        row[key] = expf (row[key] - greatest);
        sum += row[key];
      }
  for (gsize key = first; key < end && greatest != -INFINITY; key++)
    row[key] = (float) (row[key] / sum);
}

typedef struct
{
  const HlMask *mask;
  gsize n_queries;
} Rows;

static void
change_row (float    *row,
            gsize     n_keys,
            gsize     query,
            gpointer  data)
{
  const Rows *rows = data;
  gsize first, end;

  hl_mask_get_visible (rows->mask, rows->n_queries, n_keys, query, &first, &end);
  make_weights (row, n_keys, first, end);
}

static gboolean
read_rows (HlAttentionSource *source,
           guint              layer,
           guint              head,
           gsize              first_query,
           gsize              n_queries,
           gsize              first_key,
           gsize              n_keys,
           float             *target,
           GCancellable      *cancellable,
           GError           **error)
{
  Rows rows = { get_mask (source, layer), get_n_queries (source) };

  return hl_whole_rows_read (HL_SOFTMAX_SOURCE (source)->scores, layer, head, first_query, n_queries, first_key,
                             n_keys, change_row, &rows, target, cancellable, error);
}

static void
hl_softmax_source_iface_init (HlAttentionSourceInterface *iface)
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
hl_softmax_source_finalize (GObject *object)
{
  g_clear_object (&HL_SOFTMAX_SOURCE (object)->scores);
  G_OBJECT_CLASS (hl_softmax_source_parent_class)->finalize (object);
}

static void
hl_softmax_source_class_init (HlSoftmaxSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_softmax_source_finalize;
}

static void
hl_softmax_source_init (HlSoftmaxSource *self)
{
}

/**
 * hl_softmax_source_new:
 * @scores: scores before the softmax
 *
 * Returns: (transfer full): the weights that follow from them; keys that the mask of @scores hides have none
 */
HlAttentionSource *
hl_softmax_source_new (HlAttentionSource *scores)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (scores), NULL);

  HlSoftmaxSource *self = g_object_new (HL_TYPE_SOFTMAX_SOURCE, NULL);
  self->scores = g_object_ref (scores);
  return HL_ATTENTION_SOURCE (self);
}
