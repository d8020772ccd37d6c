/* SPDX-License-Identifier: MIT */
/*
 * R_0 = Ã_0, R_l = Ã_l·R_{l−1} with à = rownorm (A + I), A the mean of heads: how a token of layer l is mixed of the tokens that went in
 * (Abnar and Zuidema 2020, section 3.1). From a later layer on, what goes in is what that layer gets; before it, a token is itself.
 */
#include "core/source/quantity/hl-quantity.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-lru-cache.h"
#include "core/compute/hl-matmul.h"
#include "core/source/quantity/hl-residual-source.h"

/* Rows that a thread reads at a time. */
#define READ_ROWS 128

/* Rows that are multiplied at a time: it can be stopped between them, and what they do not see is left out. Fewer take longer. */
#define BLOCK_ROWS 512

#define HL_TYPE_ROLLOUT_SOURCE (hl_rollout_source_get_type ())
G_DECLARE_FINAL_TYPE (HlRolloutSource, hl_rollout_source, HL, ROLLOUT_SOURCE, HlDerivedSource)

struct _HlRolloutSource
{
  HlDerivedSource parent_instance;

  HlAttentionSource *residual;
  HlSeenKeys *seen; /* by layer: the keys that it has something of */
  guint first_layer;
  GMutex lock;
  HlLruCache cache; /* by layer: GBytes of float32 [n, n] and [n] bytes, see find_lost(); guarded by the lock */
};

static void hl_rollout_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlRolloutSource,
                               hl_rollout_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_rollout_source_iface_init))

HL_KERNEL static void
clear_odd (float *numbers,
           gsize  n)
{
  for (gsize i = 0; i < n; i++)
    numbers[i] = fabsf (numbers[i]) <= FLT_MAX ? numbers[i] : 0;
}

/* Of a map, behind its numbers: for each row whether it is not known, and zeros stand for it. */
static guint8 *
find_lost (float *map,
           gsize  n)
{
  return (guint8 *) (map + n * n);
}

/* Some rows of Ã. What is not a number, where some files have it, or infinite, is nothing that flows; unless it is what a token keeps of itself: then
 * nothing is known of the row. */
static gboolean
read_block (HlAttentionSource *residual,
            guint              layer,
            gsize              first,
            gsize              n_rows,
            gsize              n,
            float             *target,
            guint8            *lost,
            GCancellable      *cancellable,
            GError           **error)
{
  const HlAttentionRequest request = {
    .layer = layer, .first_query = first, .n_queries = n_rows, .n_keys = n, .n_rows = n_rows, .n_columns = n
  };

  if (!hl_attention_source_read (residual, &request, target, cancellable, error))
    return FALSE;
  for (gsize row = 0; row < n_rows; row++)
    {
      lost[row] = !isfinite (target[row * n + first + row]);
      if (lost[row])
        memset (target + row * n, 0, n * sizeof *target);
    }
  clear_odd (target, n_rows * n);
  return TRUE;
}

static gboolean
read_map (HlAttentionSource *residual,
          guint              layer,
          gsize              n,
          float             *target,
          GCancellable      *cancellable,
          GError           **error)
{
  const gsize n_blocks = (n + READ_ROWS - 1) / READ_ROWS;
  g_autofree GError **errors = g_new0 (GError *, n_blocks);
  gboolean done = TRUE;

#pragma omp parallel for schedule(dynamic) if (n_blocks > 1)
  for (gsize block = 0; block < n_blocks; block++)
    {
      const gsize first = block * READ_ROWS;
      read_block (residual, layer, first, MIN (READ_ROWS, n - first), n, target + first * n,
                  find_lost (target, n) + first, cancellable, &errors[block]);
    }
  for (gsize block = 0; block < n_blocks; block++)
    if (errors[block] != NULL && done)
      {
        done = FALSE;
        g_propagate_error (error, errors[block]);
      }
    else
      g_clear_error (&errors[block]);
  return done;
}

typedef struct
{
  gsize first;
  gsize end;
} Span;

/* The columns that some rows have numbers in: where a mask hides keys, most of a map is zero. */
static Span
find_columns (const float *rows,
              gsize        n_rows,
              gsize        n)
{
  gsize first = n, end = 0;

  for (gsize row = 0; row < n_rows; row++)
    {
      const float *numbers = rows + row * n;
      gsize low = 0, high = n;

      while (low < first && numbers[low] == 0)
        low++;
      while (high > end && numbers[high - 1] == 0)
        high--;
      first = MIN (first, low);
      end = MAX (end, high);
    }
  return (Span){ MIN (first, end), end };
}

/* The product of two maps, of rows that are zero where nothing can come from. */
static gboolean
multiply (const float  *a,
          const float  *b,
          gsize         n,
          float        *product,
          GCancellable *cancellable,
          GError      **error)
{
  const gsize n_blocks = (n + BLOCK_ROWS - 1) / BLOCK_ROWS;
  g_autofree gsize *ends = g_new (gsize, n_blocks);
  g_auto (HlScratch) scratch = { 0 };

  for (gsize block = 0; block < n_blocks; block++)
    {
      const gsize first = block * BLOCK_ROWS;
      ends[block] = find_columns (b + first * n, MIN (BLOCK_ROWS, n - first), n).end;
    }
  for (gsize block = 0; block < n_blocks; block++)
    {
      const gsize first = block * BLOCK_ROWS, n_rows = MIN (BLOCK_ROWS, n - first);
      const Span seen = find_columns (a + first * n, n_rows, n);
      const HlFactor factor = { .data = b + seen.first * n, .dtype = HL_DTYPE_F32, .stride = n };
      gsize end = 0;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (gsize i = seen.first / BLOCK_ROWS; i * BLOCK_ROWS < seen.end; i++)
        end = MAX (end, ends[i]);
      hl_matmul (n_rows, end, seen.end - seen.first, a + first * n + seen.first, n, &factor, product + first * n, n,
                 &scratch);
      for (gsize row = 0; end < n && row < n_rows; row++)
        memset (product + (first + row) * n + end, 0, (n - end) * sizeof *product);
    }
  return TRUE;
}

/* What takes something in of a token of which nothing is known is not known itself. */
static void
spread_lost (const float  *residual,
             const guint8 *lost_before,
             gsize         n,
             guint8       *lost)
{
  for (gsize token = 0; token < n; token++)
    for (gsize row = 0; lost_before[token] && row < n; row++)
      lost[row] |= residual[row * n + token] != 0;
}

/* The map of a layer of that of the one before it. */
static GBytes *
go_on (HlRolloutSource *self,
       guint            layer,
       GBytes          *before,
       gsize            n,
       GCancellable    *cancellable,
       GError         **error)
{
  const gsize size = n * n * sizeof (float) + n;
  g_autofree float *residual = g_try_malloc (size);
  g_autofree float *product = before != NULL ? g_try_malloc (size) : NULL;

  if (residual == NULL || (before != NULL && product == NULL))
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  if (!read_map (self->residual, layer, n, residual, cancellable, error))
    return NULL;
  if (before == NULL)
    return g_bytes_new_take (g_steal_pointer (&residual), size);
  float *known = (float *) g_bytes_get_data (before, NULL);
  if (!multiply (residual, known, n, product, cancellable, error))
    return NULL;
  memcpy (find_lost (product, n), find_lost (residual, n), n);
  spread_lost (residual, find_lost (known, n), n, find_lost (product, n));
  return g_bytes_new_take (g_steal_pointer (&product), size);
}

/* Holding the lock while maps are made keeps two requests from making them twice. A request that is cancelled leaves those of the layers
 * that it has come through. */
static GBytes *
get_map (HlRolloutSource *self,
         guint            layer,
         gsize            n,
         GCancellable    *cancellable,
         GError         **error)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  g_autoptr (GBytes) map = NULL;
  guint next = layer + 1;

  while (next > self->first_layer && map == NULL)
    {
      GBytes *kept = hl_lru_cache_get (&self->cache, next - 1, 0);
      if (kept != NULL)
        map = g_bytes_ref (kept);
      else
        next--;
    }
  for (; next <= layer; next++)
    {
      GBytes *made = go_on (self, next, map, n, cancellable, error);
      if (made == NULL)
        return NULL;
      g_clear_pointer (&map, g_bytes_unref);
      map = made;
      hl_lru_cache_add (&self->cache, next, 0, g_bytes_ref (map), g_bytes_get_size (map));
    }
  return g_steal_pointer (&map);
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlRolloutSource *self = HL_ROLLOUT_SOURCE (source);
  const gsize n = hl_attention_source_get_n (source, HL_KEYS), n_keys = request->n_keys;

  if (request->layer < self->first_layer)
    {
      for (gsize row = 0; row < request->n_queries; row++)
        for (gsize key = 0; key < n_keys; key++)
          target[row * n_keys + key] = request->first_query + row == request->first_key + key;
      return TRUE;
    }
  g_autoptr (GBytes) map = get_map (self, request->layer, n, cancellable, error);
  if (map == NULL)
    return FALSE;
  const HlMask *mask = hl_attention_source_get_mask (source, request->layer);
  float *numbers = (float *) g_bytes_get_data (map, NULL);
  const float *part = numbers + request->first_query * n + request->first_key;
  const guint8 *lost = find_lost (numbers, n) + request->first_query;
  for (gsize row = 0; row < request->n_queries; row++)
    if (lost[row])
      hl_residual_lose_row (mask, n, request->first_query + row, request->first_key, n_keys, target + row * n_keys);
    else
      memcpy (target + row * n_keys, part + row * n, n_keys * sizeof *target);
  hl_residual_mark_padding (self->seen[request->layer], request, target);
  return TRUE;
}

static void
hl_rollout_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->read_rows = read_rows;
}

static char *
make_quantity (HlDerivedSource   *source,
               HlAttentionSource *origin)
{
  const guint first_layer = HL_ROLLOUT_SOURCE (source)->first_layer;
  const char *weights = hl_attention_source_get_quantity (origin);

  if (first_layer == 0)
    /* Translators: “rollout · mean of all 12 heads · attention weight” */
    return g_strdup_printf (_ ("rollout · %s"), weights);
  return g_strdup_printf (_ ("rollout from layer %u on · %s"), first_layer, weights);
}

static void
make_masks (HlDerivedSource   *source,
            HlAttentionSource *origin,
            HlMask            *masks)
{
  hl_residual_mix_masks (origin, HL_ROLLOUT_SOURCE (source)->seen, masks);
}

static void
hl_rollout_source_finalize (GObject *object)
{
  HlRolloutSource *self = HL_ROLLOUT_SOURCE (object);

  g_clear_object (&self->residual);
  g_clear_pointer (&self->seen, g_free);
  hl_lru_cache_clear (&self->cache);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (hl_rollout_source_parent_class)->finalize (object);
}

static void
hl_rollout_source_class_init (HlRolloutSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_rollout_source_finalize;
  HL_DERIVED_SOURCE_CLASS (klass)->make_quantity = make_quantity;
  HL_DERIVED_SOURCE_CLASS (klass)->make_masks = make_masks;
}

static void
hl_rollout_source_init (HlRolloutSource *self)
{
  g_mutex_init (&self->lock);
  self->cache = (HlLruCache) HL_LRU_CACHE_INIT (HL_LIMIT_ROLLOUT_MAPS, (GDestroyNotify) g_bytes_unref);
}

static HlAttentionSource *
make (const HlQuantityParts *parts)
{
  HlRolloutSource *self = g_object_new (HL_TYPE_ROLLOUT_SOURCE, NULL);

  self->residual = hl_residual_source_new (parts->weights);
  self->seen = hl_residual_list_seen (parts->weights);
  self->first_layer = parts->first_layer;
  return hl_derived_source_derive (self, parts->weights);
}

const HlQuantityClass hl_quantity_rollout = {
  .label = N_ ("Rollout"),
  .sentence = N_ ("How a layer's token is mixed of the input tokens, through all layers below with their residuals"),
  .needs = N_ ("queries and keys that are the same tokens"),
  .can = hl_residual_source_can,
  .max_tokens = HL_LIMIT_ROLLOUT_TOKENS,
  .heads = HL_QUANTITY_OF_LAYER,
  .keeps_itself = TRUE,
  .make = make,
};
