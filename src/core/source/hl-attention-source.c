/* SPDX-License-Identifier: MIT */
/* HlAttentionSource: the calls, and the pooling of what a source gives row by row. */
#include "core/source/hl-attention-source.h"

#include "core/base/hl-error.h"
#include "core/source/hl-dump-source.h"
#include "core/source/hl-pool.h"
#include "core/source/hl-qk-source.h"
#include "core/source/hl-softmax-source.h"

#include <glib/gi18n-lib.h>

G_DEFINE_INTERFACE (HlAttentionSource, hl_attention_source, G_TYPE_OBJECT)

/* Exact rows are read this many numbers at a time when they are pooled. */
#define BAND_SIZE (512 * 1024)

/* A head that is asked for as a whole may take this much. */
#define MAX_HEAD_BYTES (G_GUINT64_CONSTANT (2) << 30)

static void
hl_attention_source_default_init (HlAttentionSourceInterface *iface)
{
}

/**
 * hl_attention_source_new_for_block:
 * @block: a block of a document
 *
 * Does not read anything yet.
 *
 * Returns: (transfer full): the block's weights: those in the file, or the softmax of its scores, or else softmax(Q·Kᵀ)
 */
HlAttentionSource *
hl_attention_source_new_for_block (HlBlock *block)
{
  g_return_val_if_fail (HL_IS_BLOCK (block), NULL);

  if (hl_block_get_weights (block, 0) == NULL)
    return hl_qk_source_new (block);
  g_autoptr (HlAttentionSource) stored = hl_dump_source_new (block);
  return hl_block_has_scores (block) ? hl_softmax_source_new (stored) : g_steal_pointer (&stored);
}

/**
 * hl_attention_source_get_n_layers:
 * @self: a source
 *
 * Returns: how many layers
 */
guint
hl_attention_source_get_n_layers (HlAttentionSource *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (self), 0);

  return HL_ATTENTION_SOURCE_GET_IFACE (self)->get_n_layers (self);
}

/**
 * hl_attention_source_get_n_heads:
 * @self: a source
 * @layer: a layer
 *
 * Returns: how many heads that layer has
 */
guint
hl_attention_source_get_n_heads (HlAttentionSource *self,
                                 guint              layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (self), 0);

  return HL_ATTENTION_SOURCE_GET_IFACE (self)->get_n_heads (self, layer);
}

/**
 * hl_attention_source_get_n_queries:
 * @self: a source
 *
 * Returns: rows of every map
 */
gsize
hl_attention_source_get_n_queries (HlAttentionSource *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (self), 0);

  return HL_ATTENTION_SOURCE_GET_IFACE (self)->get_n_queries (self);
}

/**
 * hl_attention_source_get_n_keys:
 * @self: a source
 *
 * Returns: columns of every map
 */
gsize
hl_attention_source_get_n_keys (HlAttentionSource *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (self), 0);

  return HL_ATTENTION_SOURCE_GET_IFACE (self)->get_n_keys (self);
}

/**
 * hl_attention_source_get_quantity:
 * @self: a source
 *
 * Returns: (transfer none): what the numbers are, translated
 */
const char *
hl_attention_source_get_quantity (HlAttentionSource *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (self), NULL);

  return HL_ATTENTION_SOURCE_GET_IFACE (self)->get_quantity (self);
}

/**
 * hl_attention_source_get_mask:
 * @self: a source
 * @layer: a layer
 *
 * Returns: (transfer none): which keys a query cannot see
 */
const HlMask *
hl_attention_source_get_mask (HlAttentionSource *self,
                              guint              layer)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (self), NULL);

  return HL_ATTENTION_SOURCE_GET_IFACE (self)->get_mask (self, layer);
}

/**
 * hl_attention_source_is_signed:
 * @self: a source
 *
 * Returns: whether the numbers may lie on both sides of zero, as differences do; weights do not
 */
gboolean
hl_attention_source_is_signed (HlAttentionSource *self)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (self), FALSE);

  HlAttentionSourceInterface *iface = HL_ATTENTION_SOURCE_GET_IFACE (self);
  return iface->is_signed != NULL && iface->is_signed (self);
}

/* Reads exact rows a band at a time and pools them: for sources that know no shorter way. */
static gboolean
read_pooled (HlAttentionSource         *self,
             const HlAttentionRequest  *request,
             float                     *target,
             GCancellable              *cancellable,
             GError                   **error)
{
  HlAttentionSourceInterface *iface = HL_ATTENTION_SOURCE_GET_IFACE (self);
  const gsize band_rows = CLAMP (BAND_SIZE / request->n_keys, 1, request->n_queries);
  g_autofree float *band = g_try_malloc_n (band_rows * request->n_keys, sizeof (float));
  g_auto (HlPool) pool = { 0 };
  gsize row = 0;

  if (!hl_pool_init (&pool, request, hl_attention_source_is_signed (self), error))
    return FALSE;
  if (band == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory"));
      return FALSE;
    }

  for (gsize query = 0; query < request->n_queries; query += band_rows)
    {
      const gsize n = MIN (band_rows, request->n_queries - query);

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !iface->read_rows (self, request->layer, request->head, request->first_query + query, n, request->first_key,
                             request->n_keys, band, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        {
          hl_pool_add (&pool, band + i * request->n_keys);
          if (query + i + 1 == hl_pool_get_bin_start (row + 1, request->n_rows, request->n_queries))
            hl_pool_finish (&pool, target + request->n_columns * row++);
        }
    }
  return TRUE;
}

/**
 * hl_attention_source_read:
 * @self: a source
 * @request: which weights, pooled to how many rows and columns
 * @target: (out caller-allocates): [n_rows, n_columns], columns fastest
 * @cancellable: (nullable): stops it
 * @error: what reading the file says, or %G_IO_ERROR_CANCELLED
 *
 * Answers the one question. Weights that are not numbers do not count in a pool; where there is nothing else, the answer is NaN.
 * May be called from any thread.
 *
 * Returns: whether @target was filled
 */
gboolean
hl_attention_source_read (HlAttentionSource         *self,
                          const HlAttentionRequest  *request,
                          float                     *target,
                          GCancellable              *cancellable,
                          GError                   **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (self), FALSE);
  g_return_val_if_fail (request->layer < hl_attention_source_get_n_layers (self), FALSE);
  g_return_val_if_fail (request->head < hl_attention_source_get_n_heads (self, request->layer), FALSE);
  g_return_val_if_fail (request->n_queries > 0 && request->n_keys > 0, FALSE);
  g_return_val_if_fail (request->first_query + request->n_queries <= hl_attention_source_get_n_queries (self), FALSE);
  g_return_val_if_fail (request->first_key + request->n_keys <= hl_attention_source_get_n_keys (self), FALSE);
  g_return_val_if_fail (request->n_rows >= 1 && request->n_rows <= request->n_queries, FALSE);
  g_return_val_if_fail (request->n_columns >= 1 && request->n_columns <= request->n_keys, FALSE);

  HlAttentionSourceInterface *iface = HL_ATTENTION_SOURCE_GET_IFACE (self);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (request->n_rows == request->n_queries && request->n_columns == request->n_keys)
    return iface->read_rows (self, request->layer, request->head, request->first_query, request->n_queries,
                             request->first_key, request->n_keys, target, cancellable, error);
  if (iface->read != NULL)
    return iface->read (self, request, target, cancellable, error);
  return read_pooled (self, request, target, cancellable, error);
}

/**
 * hl_attention_source_read_extremes:
 * @self: a source
 * @layer: a layer
 * @head: a head of it
 * @first_query: the first query
 * @n_queries: how many, at least 1
 * @first_key: the first key
 * @n_keys: how many, at least 1
 * @target: (out caller-allocates): [n_queries] of each query's weights for these keys
 * @cancellable: (nullable): stops it
 * @error: as hl_attention_source_read()
 *
 * Looks at every weight without keeping it.
 *
 * Returns: whether @target was filled
 */
gboolean
hl_attention_source_read_extremes (HlAttentionSource  *self,
                                   guint               layer,
                                   guint               head,
                                   gsize               first_query,
                                   gsize               n_queries,
                                   gsize               first_key,
                                   gsize               n_keys,
                                   HlRowExtremes      *target,
                                   GCancellable       *cancellable,
                                   GError            **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (self), FALSE);
  g_return_val_if_fail (n_queries > 0 && n_keys > 0, FALSE);

  HlAttentionSourceInterface *iface = HL_ATTENTION_SOURCE_GET_IFACE (self);
  if (iface->read_extremes != NULL)
    return iface->read_extremes (self, layer, head, first_query, n_queries, first_key, n_keys, target, cancellable,
                                 error);

  const gsize band_rows = CLAMP (BAND_SIZE / n_keys, 1, n_queries);
  g_autofree float *band = g_try_malloc_n (band_rows * n_keys, sizeof (float));
  if (band == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory"));
      return FALSE;
    }
  for (gsize query = 0; query < n_queries; query += band_rows)
    {
      const gsize n = MIN (band_rows, n_queries - query);

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !iface->read_rows (self, layer, head, first_query + query, n, first_key, n_keys, band, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        target[query + i] = hl_row_extremes_find (band + i * n_keys, n_keys);
    }
  return TRUE;
}

/**
 * hl_attention_source_read_head:
 * @self: a source
 * @layer: a layer
 * @head: a head of it
 * @cancellable: (nullable): stops it
 * @error: as hl_attention_source_read(), and %HL_ERROR_TOO_LARGE for a map of more than 2 GiB
 *
 * Reads a whole map.
 *
 * Returns: (transfer full) (nullable): [n_queries, n_keys] weights, keys fastest; free with g_free()
 */
float *
hl_attention_source_read_head (HlAttentionSource  *self,
                               guint               layer,
                               guint               head,
                               GCancellable       *cancellable,
                               GError            **error)
{
  const gsize n_queries = hl_attention_source_get_n_queries (self);
  const gsize n_keys = hl_attention_source_get_n_keys (self);
  const HlAttentionRequest request = {
    .layer = layer,
    .head = head,
    .n_queries = n_queries,
    .n_keys = n_keys,
    .n_rows = n_queries,
    .n_columns = n_keys,
  };
  const HlShape shape = { 2, { n_queries, n_keys } };
  guint64 n_bytes;
  g_autofree float *weights = NULL;

  if (hl_shape_get_n_bytes (&shape, sizeof (float), &n_bytes) && n_bytes <= MAX_HEAD_BYTES)
    weights = g_try_malloc (n_bytes);
  if (weights == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("a map of %zu × %zu weights is too large to be held at once"),
                   n_queries, n_keys);
      return NULL;
    }
  if (!hl_attention_source_read (self, &request, weights, cancellable, error))
    return NULL;
  return g_steal_pointer (&weights);
}
