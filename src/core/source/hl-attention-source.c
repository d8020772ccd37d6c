/* SPDX-License-Identifier: MIT */
/* HlAttentionSource: the calls, and the pooling of what a source gives row by row. */
#include "core/source/hl-attention-source.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/hl-error.h"
#include "core/base/hl-fork.h"
#include "core/base/hl-kernel.h"
#include "core/base/hl-limits.h"
#include "core/source/hl-pool.h"

/**
 * hl_row_extremes_find: (skip)
 * @row: [n] numbers
 * @n: how many
 *
 * Returns: their extremes
 */
HL_KERNEL HlRowExtremes
hl_row_extremes_find (const float *row,
                      gsize        n)
{
  float min = INFINITY, min_positive = INFINITY, max = -INFINITY;
  guint n_nan = 0;

#pragma omp simd reduction(min : min, min_positive) reduction(max : max) reduction(+ : n_nan)
  for (gsize i = 0; i < n; i++)
    {
      const float value = row[i];
      const float low = fabsf (value) <= FLT_MAX ? value : INFINITY;
      const float high = fabsf (value) <= FLT_MAX ? value : -INFINITY;
      const float positive = value > 0 ? value : INFINITY;

      min = low < min ? low : min;
      max = high > max ? high : max;
      min_positive = positive < min_positive ? positive : min_positive;
      n_nan += value != value;
    }
  return (HlRowExtremes){ min, min_positive, max, n_nan };
}

/* Exact rows are read this many numbers at a time when they are pooled. */
#define BAND_SIZE (512 * 1024)

G_DEFINE_INTERFACE (HlAttentionSource, hl_attention_source, G_TYPE_OBJECT)

/* Of a class that does not say otherwise, as one of another language, which cannot: there is nothing to ask of it. */

static guint
get_no_layers (HlAttentionSource *self)
{
  return 0;
}

static gsize
get_none (HlAttentionSource *self,
          HlSide             side)
{
  return 0;
}

static const char *
get_no_quantity (HlAttentionSource *self)
{
  return "";
}

/* Other programs come to what computes by a source alone. */
static void
hl_attention_source_default_init (HlAttentionSourceInterface *iface)
{
  hl_fork_mind ();
  iface->get_n_layers = get_no_layers;
  iface->get_n = get_none;
  iface->get_quantity = get_no_quantity;
}

/**
 * HlAttentionSourceInterface::get_n_layers: (skip)
 */
/**
 * HlAttentionSourceInterface::get_n_heads: (skip)
 */
/**
 * HlAttentionSourceInterface::get_n: (skip)
 */
/**
 * HlAttentionSourceInterface::get_quantity: (skip)
 */
/**
 * HlAttentionSourceInterface::get_mask: (skip)
 */
/**
 * HlAttentionSourceInterface::is_signed: (skip)
 */
/**
 * HlAttentionSourceInterface::read_rows: (skip)
 */
/**
 * HlAttentionSourceInterface::read: (skip)
 */

/**
 * hl_attention_request_get_band: (skip)
 * @self: a request
 * @first: the first of its queries that are wanted
 * @n: how many
 *
 * Returns: the request of the exact weights of these queries and of all its keys
 */
HlAttentionRequest
hl_attention_request_get_band (const HlAttentionRequest *self,
                               gsize                     first,
                               gsize                     n)
{
  HlAttentionRequest band = *self;

  band.first_query += first;
  band.n_queries = band.n_rows = n;
  band.n_columns = band.n_keys;
  return band;
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
  g_return_val_if_fail (layer < hl_attention_source_get_n_layers (self), 0);

  return HL_ATTENTION_SOURCE_GET_IFACE (self)->get_n_heads (self, layer);
}

/**
 * hl_attention_source_get_n:
 * @self: a source
 * @side: queries or keys
 *
 * Returns: rows of every map, or its columns
 */
gsize
hl_attention_source_get_n (HlAttentionSource *self,
                           HlSide             side)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (self), 0);

  return HL_ATTENTION_SOURCE_GET_IFACE (self)->get_n (self, side);
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
 * hl_attention_source_get_mask: (skip)
 * @self: a source
 * @layer: a layer
 *
 * Returns: (transfer none): which keys a query cannot see
 */
const HlMask *
hl_attention_source_get_mask (HlAttentionSource *self,
                              guint              layer)
{
  g_return_val_if_fail (layer < hl_attention_source_get_n_layers (self), NULL);

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

static void
find_extremes (const float   *rows,
               gsize          n_rows,
               gsize          n_columns,
               HlRowExtremes *extremes)
{
  for (gsize i = 0; i < n_rows; i++)
    extremes[i] = hl_row_extremes_find (rows + i * n_columns, n_columns);
}

/**
 * hl_attention_source_read_bands: (skip)
 * @self: a source
 * @request: what is wanted
 * @target: (nullable): @request's rows × columns
 * @extremes: (nullable): one for each query
 * @cancellable: (nullable): stops it
 * @error: return location
 *
 * Reads exact rows a band at a time and pools them, looks at them, or both: for sources that know no shorter way.
 *
 * Returns: whether all could be read
 */
gboolean
hl_attention_source_read_bands (HlAttentionSource        *self,
                                const HlAttentionRequest *request,
                                float                    *target,
                                HlRowExtremes            *extremes,
                                GCancellable             *cancellable,
                                GError                  **error)
{
  HlAttentionSourceInterface *iface = HL_ATTENTION_SOURCE_GET_IFACE (self);
  const gsize band_rows = CLAMP (BAND_SIZE / request->n_keys, 1, request->n_queries);
  g_autofree float *band = g_try_malloc_n (band_rows * request->n_keys, sizeof (float));
  g_auto (HlPool) pool = { 0 };
  gsize row = 0;

  if (target != NULL && !hl_pool_init (&pool, request, hl_attention_source_is_signed (self), error))
    return FALSE;
  if (band == NULL)
    return hl_error_set_no_memory (error);

  for (gsize query = 0; query < request->n_queries; query += band_rows)
    {
      const gsize n = MIN (band_rows, request->n_queries - query);
      const HlAttentionRequest part = hl_attention_request_get_band (request, query, n);

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !iface->read_rows (self, &part, band, cancellable, error))
        return FALSE;
      if (extremes != NULL)
        find_extremes (band, n, request->n_keys, extremes + query);
      for (gsize i = 0; target != NULL && i < n; i++)
        {
          hl_pool_add (&pool, band + i * request->n_keys);
          if (query + i + 1 == hl_pool_get_bin_start (row + 1, request->n_rows, request->n_queries))
            hl_pool_finish (&pool, target + request->n_columns * row++);
        }
    }
  return TRUE;
}

static gboolean
is_part (gsize first,
         gsize n,
         gsize all)
{
  return n > 0 && n <= all && first <= all - n;
}

static gboolean
is_askable (HlAttentionSource        *self,
            const HlAttentionRequest *request)
{
  return HL_IS_ATTENTION_SOURCE (self) && request->layer < hl_attention_source_get_n_layers (self) &&
         request->head < hl_attention_source_get_n_heads (self, request->layer) &&
         is_part (request->first_query, request->n_queries, hl_attention_source_get_n (self, HL_QUERIES)) &&
         is_part (request->first_key, request->n_keys, hl_attention_source_get_n (self, HL_KEYS)) &&
         request->n_rows >= 1 && request->n_rows <= request->n_queries && request->n_columns >= 1 &&
         request->n_columns <= request->n_keys;
}

/* The answer, the extremes, or both. */
static gboolean
answer (HlAttentionSource        *self,
        const HlAttentionRequest *request,
        float                    *target,
        HlRowExtremes            *extremes,
        GCancellable             *cancellable,
        GError                  **error)
{
  HlAttentionSourceInterface *iface = HL_ATTENTION_SOURCE_GET_IFACE (self);
  const gboolean is_exact = request->n_rows == request->n_queries && request->n_columns == request->n_keys;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (target != NULL && is_exact)
    {
      if (!iface->read_rows (self, request, target, cancellable, error))
        return FALSE;
      if (extremes != NULL)
        find_extremes (target, request->n_queries, request->n_keys, extremes);
      return TRUE;
    }
  return (iface->read != NULL ? iface->read : hl_attention_source_read_bands) (self, request, target, extremes,
                                                                               cancellable, error);
}

/**
 * hl_attention_source_read: (skip)
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
hl_attention_source_read (HlAttentionSource        *self,
                          const HlAttentionRequest *request,
                          float                    *target,
                          GCancellable             *cancellable,
                          GError                  **error)
{
  g_return_val_if_fail (is_askable (self, request), FALSE);
  g_return_val_if_fail (target != NULL, FALSE);

  return answer (self, request, target, NULL, cancellable, error);
}

/**
 * hl_attention_source_examine: (skip)
 * @self: a source
 * @request: which weights; the rows and columns of the answer, and how it is pooled, count only with @target
 * @target: (out caller-allocates) (optional): as hl_attention_source_read()
 * @extremes: (out caller-allocates): [n_queries] of each query's weights for the keys that are asked for
 * @cancellable: (nullable): stops it
 * @error: as hl_attention_source_read()
 *
 * Looks at every weight without keeping it, and on the way answers the one question, for which weights that are costly to come by are made
 * only once.
 *
 * Returns: whether @extremes and @target were filled
 */
gboolean
hl_attention_source_examine (HlAttentionSource        *self,
                             const HlAttentionRequest *request,
                             float                    *target,
                             HlRowExtremes            *extremes,
                             GCancellable             *cancellable,
                             GError                  **error)
{
  g_return_val_if_fail (is_askable (self, request), FALSE);
  g_return_val_if_fail (extremes != NULL, FALSE);

  return answer (self, request, target, extremes, cancellable, error);
}

/**
 * hl_attention_source_read_head: (skip)
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
hl_attention_source_read_head (HlAttentionSource *self,
                               guint              layer,
                               guint              head,
                               GCancellable      *cancellable,
                               GError           **error)
{
  const gsize n_queries = hl_attention_source_get_n (self, HL_QUERIES);
  const gsize n_keys = hl_attention_source_get_n (self, HL_KEYS);
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

  if (hl_shape_get_n_bytes (&shape, sizeof (float), &n_bytes) && n_bytes <= HL_LIMIT_HEAD_MAP)
    weights = g_try_malloc (n_bytes);
  if (weights == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("a map of %zu × %zu weights is too large to be held at once"), n_queries, n_keys);
      return NULL;
    }
  if (!hl_attention_source_read (self, &request, weights, cancellable, error))
    return NULL;
  return g_steal_pointer (&weights);
}

/**
 * hl_attention_source_read_head_bytes: (rename-to hl_attention_source_read_head)
 * @self: a source
 * @layer: a layer
 * @head: a head of it
 * @cancellable: (nullable): stops it
 * @error: as hl_attention_source_read_head()
 *
 * Reads a whole map, for languages that know no arrays of numbers but bytes.
 *
 * Returns: (transfer full) (nullable): [n_queries, n_keys] weights of 32 bits as this computer has them, keys fastest
 */
GBytes *
hl_attention_source_read_head_bytes (HlAttentionSource *self,
                                     guint              layer,
                                     guint              head,
                                     GCancellable      *cancellable,
                                     GError           **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (self), NULL);
  g_return_val_if_fail (layer < hl_attention_source_get_n_layers (self), NULL);
  g_return_val_if_fail (head < hl_attention_source_get_n_heads (self, layer), NULL);

  float *weights = hl_attention_source_read_head (self, layer, head, cancellable, error);

  if (weights == NULL)
    return NULL;
  return g_bytes_new_take (weights, hl_attention_source_get_n (self, HL_QUERIES) *
                                      hl_attention_source_get_n (self, HL_KEYS) * sizeof (float));
}
