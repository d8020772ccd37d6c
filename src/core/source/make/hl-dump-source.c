/* SPDX-License-Identifier: MIT */
/* Weights that a file holds. What has to be fetched and decompressed is kept, a head at a time, within a budget. */
#include "core/source/make/hl-dump-source.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-lru-cache.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Of a map whose numbers lie apart, fewer rows than one of so many are read by themselves. */
#define FEW_ROWS 16

struct _HlDumpSource
{
  GObject parent_instance;

  HlAttention *attention;
  GMutex lock;      /* guards what follows */
  HlLruCache cache; /* by layer and head: GBytes of float32 [n_queries, n_keys] */
  guint layer;      /* of which rows were last read by themselves */
  guint head;
  gsize n_rows; /* how many */
};

static void hl_dump_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlDumpSource,
                               hl_dump_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_dump_source_iface_init))

static guint
get_n_layers (HlAttentionSource *source)
{
  return hl_attention_get_n_layers (HL_DUMP_SOURCE (source)->attention);
}

static guint
get_n_heads (HlAttentionSource *source,
             guint              layer)
{
  return hl_attention_get_n_heads (HL_DUMP_SOURCE (source)->attention, layer);
}

static gsize
get_n (HlAttentionSource *source,
       HlSide             side)
{
  return hl_attention_get_n (HL_DUMP_SOURCE (source)->attention, side);
}

static const char *
get_quantity (HlAttentionSource *source)
{
  const char *quantity = hl_attention_get_quantity (HL_DUMP_SOURCE (source)->attention);

  return quantity != NULL ? quantity : _ ("attention weight");
}

static gboolean
is_signed (HlAttentionSource *source)
{
  return hl_attention_is_signed (HL_DUMP_SOURCE (source)->attention);
}

static const HlMask *
get_mask (HlAttentionSource *source,
          guint              layer)
{
  return &hl_attention_get_rule (HL_DUMP_SOURCE (source)->attention, layer)->mask;
}

/* The whole head, from the cache or the file. Holding the lock while reading keeps two requests for one head from reading it twice. */
static GBytes *
get_head (HlDumpSource *self,
          guint         layer,
          guint         head,
          gsize         n_queries,
          gsize         n_keys,
          GCancellable *cancellable,
          GError      **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  GBytes *bytes = hl_lru_cache_get (&self->cache, layer, head);
  if (bytes != NULL)
    return g_bytes_ref (bytes);

  const gsize size = n_queries * n_keys * sizeof (float);
  float *weights = g_try_malloc (size);
  if (weights == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  if (!hl_layer_tensor_read (hl_attention_get_weights (self->attention, layer), head, 0, n_queries, 0, n_keys, weights,
                             cancellable, error))
    {
      g_free (weights);
      return NULL;
    }

  bytes = g_bytes_new_take (weights, size);
  hl_lru_cache_add (&self->cache, layer, head, g_bytes_ref (bytes), size);
  return bytes;
}

/* Whether so few rows of a head have been asked for one after another that they are read without the others. */
static gboolean
reads_by_itself (HlDumpSource             *self,
                 const HlAttentionRequest *request,
                 gsize                     n_queries)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (!hl_tensor_lies_apart (hl_attention_get_weights (self->attention, request->layer)->tensor) ||
      hl_lru_cache_get (&self->cache, request->layer, request->head) != NULL)
    return FALSE;
  if (request->layer != self->layer || request->head != self->head)
    self->n_rows = 0;
  self->layer = request->layer;
  self->head = request->head;
  self->n_rows += MIN (request->n_queries, n_queries);
  return self->n_rows < n_queries / FEW_ROWS;
}

static gboolean
has_nan (const float *numbers,
         gsize        n)
{
  gsize n_nan = 0;

  for (gsize i = 0; i < n; i++)
    n_nan += isnan (numbers[i]) != 0;
  return n_nan > 0;
}

static void
clear_nan (float *numbers,
           gsize  n)
{
  for (gsize i = 0; i < n; i++)
    if (isnan (numbers[i]))
      numbers[i] = 0;
}

/* Some files have no number where a query cannot see: that is 0. */
static void
clear_hidden (HlDumpSource             *self,
              const HlAttentionRequest *request,
              float                    *weights)
{
  const HlMask *mask = &hl_attention_get_rule (self->attention, request->layer)->mask;
  const gsize n_queries = hl_attention_get_n (self->attention, HL_QUERIES);
  const gsize n_keys = hl_attention_get_n (self->attention, HL_KEYS);

  for (gsize i = 0; i < request->n_queries && hl_mask_hides (mask); i++)
    {
      float *row = weights + i * request->n_keys;
      gsize first, end;

      hl_mask_get_visible (mask, n_queries, n_keys, request->first_query + i, &first, &end);
      first = CLAMP (first, request->first_key, request->first_key + request->n_keys) - request->first_key;
      end = CLAMP (end, request->first_key + first, request->first_key + request->n_keys) - request->first_key;
      clear_nan (row, first);
      clear_nan (row + end, request->n_keys - end);
    }
}

/* What a mask of single cells hides is 0, as above, and is told from what the model made small. */
static gboolean
apply_cells (HlDumpSource             *self,
             const HlAttentionRequest *request,
             float                    *weights,
             GCancellable             *cancellable,
             GError                  **error)
{
  HlCellMask *cells = hl_attention_get_cells (self->attention);
  const gsize n = request->n_queries * request->n_keys;
  g_autofree guint8 *seen = NULL;

  if (cells == NULL || !(request->marks_masked || has_nan (weights, n)))
    return TRUE;
  seen = hl_cell_mask_read_new (cells, request->layer, request->first_query, request->n_queries, request->first_key,
                                request->n_keys, cancellable, error);
  if (seen == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (seen[i] == 0 && isnan (weights[i]))
      weights[i] = 0;
  if (request->marks_masked)
    hl_cell_mask_mark (seen, n, weights);
  return TRUE;
}

static gboolean
read_stored (HlAttentionSource        *source,
             const HlAttentionRequest *request,
             float                    *target,
             GCancellable             *cancellable,
             GError                  **error)
{
  HlDumpSource *self = HL_DUMP_SOURCE (source);
  const HlLayerTensor *weights = hl_attention_get_weights (self->attention, request->layer);
  const gsize all_queries = get_n (source, HL_QUERIES);
  const gsize all_keys = get_n (source, HL_KEYS);
  const gsize n_keys = request->n_keys;

  if (hl_tensor_is_in_memory (weights->tensor) ||
      (guint64) all_queries * all_keys * sizeof (float) > HL_LIMIT_KEPT_HEAD ||
      reads_by_itself (self, request, all_queries))
    return hl_layer_tensor_read (weights, request->head, request->first_query, request->n_queries, request->first_key,
                                 n_keys, target, cancellable, error);

  g_autoptr (GBytes) bytes = get_head (self, request->layer, request->head, all_queries, all_keys, cancellable, error);
  if (bytes == NULL)
    return FALSE;

  const float *part = (const float *) g_bytes_get_data (bytes, NULL) + request->first_query * all_keys +
                      request->first_key;
  for (gsize i = 0; i < request->n_queries; i++)
    memcpy (target + i * n_keys, part + i * all_keys, n_keys * sizeof (float));
  return TRUE;
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlDumpSource *self = HL_DUMP_SOURCE (source);

  if (!read_stored (source, request, target, cancellable, error))
    return FALSE;
  clear_hidden (self, request, target);
  return apply_cells (self, request, target, cancellable, error);
}

/* Answers a request about weights that are one number all over, of which there may be far more than can be looked at. */
static void
repeat (const HlAttentionRequest *request,
        float                     value,
        float                    *target,
        HlRowExtremes            *extremes)
{
  HlRowExtremes one = hl_row_extremes_find (&value, 1);

  one.n_nan *= (guint) request->n_keys;
  for (gsize i = 0; target != NULL && i < request->n_rows * request->n_columns; i++)
    target[i] = value;
  for (gsize i = 0; extremes != NULL && i < request->n_queries; i++)
    extremes[i] = one;
}

/* What a file announces and does not hold at all is one number, and there may be far more of it than can be looked at. */
static gboolean
read_pooled (HlAttentionSource        *source,
             const HlAttentionRequest *request,
             float                    *target,
             HlRowExtremes            *extremes,
             GCancellable             *cancellable,
             GError                  **error)
{
  const HlLayerTensor *weights = hl_attention_get_weights (HL_DUMP_SOURCE (source)->attention, request->layer);
  float value;

  if (hl_tensor_get_stored (weights->tensor) > 0)
    return hl_attention_source_read_bands (source, request, target, extremes, cancellable, error);
  if (!hl_layer_tensor_read (weights, request->head, request->first_query, 1, request->first_key, 1, &value,
                             cancellable, error))
    return FALSE;
  repeat (request, value, target, extremes);
  return TRUE;
}

static void
hl_dump_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_n_layers = get_n_layers;
  iface->get_n_heads = get_n_heads;
  iface->get_n = get_n;
  iface->get_quantity = get_quantity;
  iface->get_mask = get_mask;
  iface->is_signed = is_signed;
  iface->read_rows = read_rows;
  iface->read = read_pooled;
}

static void
hl_dump_source_finalize (GObject *object)
{
  HlDumpSource *self = HL_DUMP_SOURCE (object);

  g_clear_object (&self->attention);
  hl_lru_cache_clear (&self->cache);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (hl_dump_source_parent_class)->finalize (object);
}

static void
hl_dump_source_class_init (HlDumpSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_dump_source_finalize;
}

static void
hl_dump_source_init (HlDumpSource *self)
{
  g_mutex_init (&self->lock);
  self->cache = (HlLruCache) HL_LRU_CACHE_INIT (HL_LIMIT_KEPT_HEADS, (GDestroyNotify) g_bytes_unref);
}

/**
 * hl_dump_source_new:
 * @attention: an attention that has weights
 *
 * Returns: (transfer full): those weights
 */
HlAttentionSource *
hl_dump_source_new (HlAttention *attention)
{
  HlDumpSource *self;

  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);
  g_return_val_if_fail (hl_attention_get_weights (attention, 0) != NULL, NULL);

  self = g_object_new (HL_TYPE_DUMP_SOURCE, NULL);
  self->attention = g_object_ref (attention);
  return HL_ATTENTION_SOURCE (self);
}
