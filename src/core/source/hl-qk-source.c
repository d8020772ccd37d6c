/* SPDX-License-Identifier: MIT */
/* Weights that follow from queries and keys by the rule of their layer: softmax(scale · Q·Kᵀ + mask), made row by row when they are asked for. Exact, and the only way to
 * look at a head of 32,768 tokens. */
#include "core/source/hl-qk-source.h"

#include "core/base/hl-error.h"
#include "core/compute/hl-attend-rule.h"
#include "core/compute/hl-attend.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Key projections of a head are kept up to this many bytes. */
#define CACHE_BYTES (32u << 20)

typedef struct
{
  guint layer;
  guint head;
  GBytes *keys; /* float32 [n_keys, n_features] */
} CachedKeys;

/* Products of a read that are worth more than one thread. */
#define MIN_PARALLEL ((gsize) 1 << 18)

struct _HlQkSource
{
  GObject parent_instance;

  HlBlock *block;
  double score_scale;
  gboolean masked;
  HlMask no_mask;
  GMutex lock;
  GQueue cache; /* of CachedKeys, the latest used first */
};

static void hl_qk_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlQkSource, hl_qk_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_qk_source_iface_init))

static void
free_cached_keys (gpointer data)
{
  CachedKeys *cached = data;

  g_bytes_unref (cached->keys);
  g_free (cached);
}

static guint
get_n_layers (HlAttentionSource *source)
{
  return hl_block_get_n_layers (HL_QK_SOURCE (source)->block);
}

static guint
get_n_heads (HlAttentionSource *source,
             guint              layer)
{
  return hl_block_get_n_heads (HL_QK_SOURCE (source)->block, layer);
}

static gsize
get_n_queries (HlAttentionSource *source)
{
  return hl_block_get_n_queries (HL_QK_SOURCE (source)->block);
}

static gsize
get_n_keys (HlAttentionSource *source)
{
  return hl_block_get_n_keys (HL_QK_SOURCE (source)->block);
}

static const char *
get_quantity (HlAttentionSource *source)
{
  return _ ("attention weight");
}

static const HlMask *
get_mask (HlAttentionSource *source,
          guint              layer)
{
  HlQkSource *self = HL_QK_SOURCE (source);

  return self->masked ? &hl_block_get_rule (self->block, layer)->mask : &self->no_mask;
}

/* All keys of the key head that a query head uses. */
static GBytes *
get_keys (HlQkSource           *self,
          const HlLayerTensor  *keys,
          guint                 layer,
          guint                 head,
          GCancellable         *cancellable,
          GError              **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  for (GList *link = self->cache.head; link != NULL; link = link->next)
    {
      CachedKeys *cached = link->data;
      if (cached->layer == layer && cached->head == head)
        {
          g_queue_unlink (&self->cache, link);
          g_queue_push_head_link (&self->cache, link);
          return g_bytes_ref (cached->keys);
        }
    }

  const guint64 n_rows = hl_layer_tensor_get_n_rows (keys);
  const guint64 n_features = hl_layer_tensor_get_n_columns (keys);
  const HlShape shape = { 2, { n_rows, n_features } };
  guint64 size;
  float *numbers = NULL;
  if (hl_shape_get_n_bytes (&shape, sizeof (float), &size))
    numbers = g_try_malloc (size);
  if (numbers == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory"));
      return NULL;
    }
  if (!hl_layer_tensor_read (keys, head, 0, n_rows, 0, n_features, numbers, cancellable, error))
    {
      g_free (numbers);
      return NULL;
    }

  CachedKeys *cached = g_new (CachedKeys, 1);
  *cached = (CachedKeys){ layer, head, g_bytes_new_take (numbers, size) };
  while (!g_queue_is_empty (&self->cache) && (g_queue_get_length (&self->cache) + 1) * size > CACHE_BYTES)
    free_cached_keys (g_queue_pop_tail (&self->cache));
  g_queue_push_head (&self->cache, cached);
  return g_bytes_ref (cached->keys);
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
  HlQkSource *self = HL_QK_SOURCE (source);
  const HlLayerTensor *queries = hl_block_get_queries (self->block, layer);
  const HlLayerTensor *keys = hl_block_get_keys (self->block, layer);
  HlAttentionRule rule = *hl_block_get_rule (self->block, layer);
  const gsize all_queries = get_n_queries (source);
  const gsize all_keys = get_n_keys (source);
  const gsize n_features = hl_layer_tensor_get_n_columns (queries);

  rule.scale *= self->score_scale;
  rule.mask = *get_mask (source, layer);
  /* Grouped-query attention: neighbouring query heads share a key head (Ainslie et al. 2023). */
  const guint group = (guint) (hl_layer_tensor_get_n_heads (queries) / hl_layer_tensor_get_n_heads (keys));
  g_autoptr (GBytes) key_bytes = get_keys (self, keys, layer, head / group, cancellable, error);
  if (key_bytes == NULL)
    return FALSE;
  const float *key_rows = g_bytes_get_data (key_bytes, NULL);

  g_autofree float *query_rows = g_try_malloc_n (n_queries * n_features, sizeof (float));
  if (query_rows == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory"));
      return FALSE;
    }
  if (!hl_layer_tensor_read (queries, head, first_query, n_queries, 0, n_features, query_rows, cancellable, error))
    return FALSE;

  /* A few short rows are done before other threads have woken up, and much later when the machine is busy. */
#pragma omp parallel if (n_queries * all_keys * n_features >= MIN_PARALLEL)
  {
    g_autofree float *scores = g_new (float, all_keys);
#pragma omp for schedule(dynamic, 16)
    for (gsize i = 0; i < n_queries; i++)
      {
        gsize first, end;
        float *row = target + i * n_keys;

        if (g_cancellable_is_cancelled (cancellable))
          continue;
        /* What the mask hides is left out of the softmax: the same as −∞ in it, and no time is spent on it. */
        hl_mask_get_visible (&rule.mask, all_queries, all_keys, first_query + i, &first, &end);
        hl_attend_scores (query_rows + i * n_features, key_rows + first * n_features, end - first, n_features,
                          (float) rule.scale, scores + first);
        hl_attend_rule_finish_row (&rule, head, all_queries, all_keys, first_query + i, scores);
        memcpy (row, scores + first_key, n_keys * sizeof (float));
      }
  }
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

static void
hl_qk_source_iface_init (HlAttentionSourceInterface *iface)
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
hl_qk_source_finalize (GObject *object)
{
  HlQkSource *self = HL_QK_SOURCE (object);

  g_clear_object (&self->block);
  g_queue_clear_full (&self->cache, free_cached_keys);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (hl_qk_source_parent_class)->finalize (object);
}

static void
hl_qk_source_class_init (HlQkSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_qk_source_finalize;
}

static void
hl_qk_source_init (HlQkSource *self)
{
  g_mutex_init (&self->lock);
  g_queue_init (&self->cache);
}

/**
 * hl_qk_source_new:
 * @block: a block that has queries and keys, of as many features and of fitting numbers of heads
 *
 * Returns: (transfer full): the weights that follow from them
 */
HlAttentionSource *
hl_qk_source_new (HlBlock *block)
{
  return hl_qk_source_new_altered (block, 1, TRUE);
}

/**
 * hl_qk_source_new_altered:
 * @block: as hl_qk_source_new()
 * @score_scale: what the scale of each layer's rule is multiplied by, greater than 0
 * @masked: whether the rules' masks are in force
 *
 * Returns: (transfer full): the weights as they would be with another scale, or without a mask
 */
HlAttentionSource *
hl_qk_source_new_altered (HlBlock  *block,
                          double    score_scale,
                          gboolean  masked)
{
  HlQkSource *self;

  g_return_val_if_fail (HL_IS_BLOCK (block), NULL);
  g_return_val_if_fail (score_scale > 0, NULL);
  g_return_val_if_fail (hl_block_get_queries (block, 0) != NULL && hl_block_get_keys (block, 0) != NULL, NULL);

  self = g_object_new (HL_TYPE_QK_SOURCE, NULL);
  self->block = g_object_ref (block);
  self->score_scale = score_scale;
  self->masked = masked;
  return HL_ATTENTION_SOURCE (self);
}
