/* SPDX-License-Identifier: MIT */
/* Weights that follow from queries and keys by the rule of their layer: softmax(scale · Q·Kᵀ + mask), made row by row when they are asked for. Exact, and the only way to
 * look at a head of 32,768 tokens. */
#include "core/source/make/hl-qk-source.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-lru-cache.h"
#include "core/base/hl-worker.h"
#include "core/compute/hl-attend.h"
#include "core/document/attention/hl-attention.h"
#include "core/source/hl-pool.h"

/**
 * HlQkHead:
 * @panels: its keys, as hl_attend_make_panels() makes them
 * @distances: what distances add to its scores; of rules that have such
 * @bias: (nullable): what is added to its scores by distance alone, where the rule does not have it
 *
 * What is kept of a head: its keys, and of each query whose weights were made, what makes some of them again without the rest. Shared by
 * threads.
 */
typedef struct
{
  GBytes *panels;
  HlAttendDistances distances;
  float *bias;

  /*< private >*/
  gsize n_queries;
  HlSoftmaxNorm *norms;
  GMutex lock;
} HlQkHead;

/**
 * HlQkCache:
 *
 * The heads that were looked at last. Shared by threads.
 */
typedef struct _HlQkCache HlQkCache;

struct _HlQkCache
{
  HlAttention *attention;
  GMutex lock;
  HlLruCache heads; /* of HlQkHead; a group is a layer and a head of keys */
};

static void
clear_head (gpointer data)
{
  HlQkHead *self = data;

  g_bytes_unref (self->panels);
  hl_attend_distances_clear (&self->distances);
  g_free (self->bias);
  g_free (self->norms);
  g_mutex_clear (&self->lock);
}

static void
hl_qk_head_unref (HlQkHead *self)
{
  g_atomic_rc_box_release_full (self, clear_head);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlQkHead, hl_qk_head_unref)

/* Of these, no weights were made yet. A score of +∞ has no weights anyway. */
static gboolean
is_known (const HlSoftmaxNorm *norm)
{
  return norm->greatest != INFINITY;
}

/**
 * hl_qk_head_get_norms:
 * @self: a head
 * @first_query: the first query
 * @n_queries: how many
 * @norms: (out caller-allocates): [n_queries]
 *
 * Returns: whether weights of all these queries have been made before, and @norms is filled
 */
static gboolean
hl_qk_head_get_norms (HlQkHead      *self,
                      gsize          first_query,
                      gsize          n_queries,
                      HlSoftmaxNorm *norms)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  for (gsize i = 0; i < n_queries; i++)
    {
      norms[i] = self->norms[first_query + i];
      if (!is_known (&norms[i]))
        return FALSE;
    }
  return TRUE;
}

/**
 * hl_qk_head_set_norms:
 * @self: a head
 * @first_query: the first query
 * @n_queries: how many
 * @norms: [n_queries] what hl_attend_tile() said of them
 *
 * Makes it known for another time.
 */
static void
hl_qk_head_set_norms (HlQkHead            *self,
                      gsize                first_query,
                      gsize                n_queries,
                      const HlSoftmaxNorm *norms)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  memcpy (self->norms + first_query, norms, n_queries * sizeof *norms);
}

static HlQkCache *
hl_qk_cache_new (HlAttention *attention)
{
  HlQkCache *self = g_new0 (HlQkCache, 1);

  self->attention = g_object_ref (attention);
  g_mutex_init (&self->lock);
  self->heads = (HlLruCache) HL_LRU_CACHE_INIT (HL_LIMIT_COMPUTED_HEADS, (GDestroyNotify) hl_qk_head_unref);
  return self;
}

static void
hl_qk_cache_free (HlQkCache *self)
{
  g_object_unref (self->attention);
  hl_lru_cache_clear (&self->heads);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static GBytes *
read_panels (const HlLayerTensor *keys,
             guint                key_head,
             GCancellable        *cancellable,
             GError             **error)
{
  const gsize n_keys = hl_layer_tensor_get_n_rows (keys);
  const gsize n_features = hl_layer_tensor_get_n_columns (keys);
  gsize n_numbers, size;
  g_autofree float *numbers = NULL;
  GBytes *panels = NULL;

  if (g_size_checked_mul (&n_numbers, n_keys, n_features) && g_size_checked_mul (&size, n_numbers, sizeof (float)))
    numbers = g_try_malloc (MAX (size, 1));
  if (numbers != NULL)
    {
      if (!hl_layer_tensor_read (keys, key_head, 0, n_keys, 0, n_features, numbers, cancellable, error))
        return NULL;
      panels = hl_attend_make_panels (numbers, n_keys, n_features);
    }
  if (panels == NULL)
    hl_error_set_no_memory (error);
  return panels;
}

/* All numbers of a head; %NULL with an error, or without a tensor. */
static float *
read_all (const HlLayerTensor *tensor,
          guint                head,
          GCancellable        *cancellable,
          GError             **error)
{
  if (tensor == NULL)
    return NULL;
  const gsize n_rows = hl_layer_tensor_get_n_rows (tensor), n_columns = hl_layer_tensor_get_n_columns (tensor);
  g_autofree float *numbers = g_try_new (float, MAX (n_rows * n_columns, 1));

  if (numbers == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  if (!hl_layer_tensor_read (tensor, head, 0, n_rows, 0, n_columns, numbers, cancellable, error))
    return NULL;
  return g_steal_pointer (&numbers);
}

/* Makes ready what distances add to the scores of a head. */
static gboolean
read_distances (HlQkHead     *self,
                HlAttention  *attention,
                guint         layer,
                guint         head,
                guint         key_head,
                GCancellable *cancellable,
                GError      **error)
{
  const HlDistances *distances = hl_attention_get_rule (attention, layer)->distances;
  const HlLayerTensor *keys = hl_attention_get_projection (attention, HL_KEYS, layer);
  const HlLayerTensor *tables[2];
  float *numbers[2] = { NULL, NULL };
  g_autofree float *own = NULL;
  gboolean read = TRUE;

  if (distances == NULL || hl_attention_get_n_heads (attention, layer) == 0)
    return TRUE;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      tables[side] = hl_attention_get_distances (attention, side, layer);
      numbers[side] = read ? read_all (tables[side], head, cancellable, error) : NULL;
      read = read && (tables[side] == NULL || numbers[side] != NULL);
    }
  own = read ? read_all (keys, key_head, cancellable, error) : NULL;
  if (own != NULL)
    hl_attend_distances_init (&self->distances, distances, hl_layer_tensor_get_n_columns (keys), numbers[HL_KEYS],
                              numbers[HL_QUERIES], own, hl_layer_tensor_get_n_rows (keys));
  g_free (numbers[HL_QUERIES]);
  g_free (numbers[HL_KEYS]);
  return own != NULL;
}

/* What is added to its scores by distance alone, where it lies in a file. */
static gboolean
read_bias (HlQkHead     *self,
           HlAttention  *attention,
           guint         layer,
           guint         head,
           GCancellable *cancellable,
           GError      **error)
{
  if (hl_attention_get_rule (attention, layer)->bias != NULL || !hl_attention_has_bias (attention, layer))
    return TRUE;
  self->bias = hl_attention_read_bias (attention, layer, head, cancellable, error);
  return self->bias != NULL;
}

static HlQkHead *
make_head (gsize    n_queries,
           GBytes  *panels,
           GError **error)
{
  HlSoftmaxNorm *norms = g_try_new (HlSoftmaxNorm, MAX (n_queries, 1));

  if (norms == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  for (gsize i = 0; i < n_queries; i++)
    norms[i].greatest = INFINITY;

  HlQkHead *self = g_atomic_rc_box_new0 (HlQkHead);
  self->panels = g_bytes_ref (panels);
  self->n_queries = n_queries;
  self->norms = norms;
  g_mutex_init (&self->lock);
  return self;
}

static HlQkHead *
hl_qk_cache_get (HlQkCache    *self,
                 guint         layer,
                 guint         head,
                 GCancellable *cancellable,
                 GError      **error)
{
  const HlLayerTensor *queries = hl_attention_get_projection (self->attention, HL_QUERIES, layer);
  const HlLayerTensor *keys = hl_attention_get_projection (self->attention, HL_KEYS, layer);
  /* Grouped-query attention: neighbouring query heads share a key head (Ainslie et al. 2023). */
  const guint key_head = head / (guint) (hl_layer_tensor_get_n_heads (queries) / hl_layer_tensor_get_n_heads (keys));
  const guint64 group = (guint64) layer << 32 | key_head;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  HlQkHead *known = hl_lru_cache_get (&self->heads, group, head);
  if (known != NULL)
    return g_atomic_rc_box_acquire (known);

  known = hl_lru_cache_get_any (&self->heads, group);
  g_autoptr (GBytes) panels = known != NULL ? g_bytes_ref (known->panels)
                                            : read_panels (keys, key_head, cancellable, error);
  const gsize n_queries = hl_attention_get_n (self->attention, HL_QUERIES);
  g_autoptr (HlQkHead) made = panels != NULL ? make_head (n_queries, panels, error) : NULL;
  if (made == NULL || !read_distances (made, self->attention, layer, head, key_head, cancellable, error) ||
      !read_bias (made, self->attention, layer, head, cancellable, error))
    return NULL;
  HlQkHead *found = g_steal_pointer (&made);
  const gsize n_keys = hl_layer_tensor_get_n_rows (keys);
  const gsize n_distances = hl_attend_distances_get_size (&found->distances, n_keys) +
                            (found->bias != NULL ? (n_queries + n_keys) * sizeof (float) : 0);
  hl_lru_cache_add (&self->heads, group, head, g_atomic_rc_box_acquire (found),
                    g_bytes_get_size (panels) + n_queries * sizeof (HlSoftmaxNorm) + n_distances);
  return found;
}

/* Rows that a thread makes at a time, of as many queries as make good use of a key that was fetched. */
#define BAND_ROWS 48

/* Products of a read that are worth more than one thread. */
#define MIN_PARALLEL ((gsize) 1 << 18)

struct _HlQkSource
{
  GObject parent_instance;

  HlAttention *attention;
  double score_scale;
  gboolean masked;
  HlMask no_mask;
  HlQkCache *cache;
};

static void hl_qk_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlQkSource,
                               hl_qk_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_qk_source_iface_init))

static guint
get_n_layers (HlAttentionSource *source)
{
  return hl_attention_get_n_layers (HL_QK_SOURCE (source)->attention);
}

static guint
get_n_heads (HlAttentionSource *source,
             guint              layer)
{
  return hl_attention_get_n_heads (HL_QK_SOURCE (source)->attention, layer);
}

static gsize
get_n (HlAttentionSource *source,
       HlSide             side)
{
  return hl_attention_get_n (HL_QK_SOURCE (source)->attention, side);
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

  return self->masked ? &hl_attention_get_rule (self->attention, layer)->mask : &self->no_mask;
}

static float *
try_malloc_numbers (gsize    n,
                    gsize    width,
                    GError **error)
{
  const HlShape shape = { 2, { n, width } };
  guint64 size;
  float *numbers = NULL;

  if (hl_shape_get_n_bytes (&shape, sizeof (float), &size))
    numbers = g_try_malloc (size);
  if (numbers == NULL)
    hl_error_set_no_memory (error);
  return numbers;
}

/* A part of a head, about to be read. */
typedef struct
{
  HlQkHead *head;
  HlAttendHead attend;
  HlAttentionRule rule; /* of this head alone */
  guint layer;
  guint head_index;
  HlCellMask *cells; /* those that are in force */
  gboolean marks_masked;
  const HlLayerTensor *queries;
  gsize first_key;
  gsize n_keys;
  GCancellable *cancellable;
} Reading;

static void
reading_clear (Reading *self)
{
  g_clear_pointer (&self->head, hl_qk_head_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static gboolean
start_reading (HlQkSource               *self,
               const HlAttentionRequest *request,
               GCancellable             *cancellable,
               Reading                  *reading,
               GError                  **error)
{
  const guint layer = request->layer;

  reading->head = hl_qk_cache_get (self->cache, layer, request->head, cancellable, error);
  if (reading->head == NULL)
    return FALSE;
  reading->rule = *hl_attention_get_rule (self->attention, layer);
  reading->rule.scale *= self->score_scale;
  reading->rule.mask = *get_mask (HL_ATTENTION_SOURCE (self), layer);
  if (reading->rule.sinks != NULL)
    reading->rule.sinks += request->head;
  if (reading->rule.bias != NULL)
    reading->rule.bias += request->head * (hl_attention_get_n (self->attention, HL_QUERIES) +
                                           hl_attention_get_n (self->attention, HL_KEYS) - 1);
  else
    reading->rule.bias = reading->head->bias;
  reading->layer = layer;
  reading->head_index = request->head;
  reading->cells = self->masked ? hl_attention_get_cells (self->attention) : NULL;
  reading->marks_masked = request->marks_masked;
  reading->queries = hl_attention_get_projection (self->attention, HL_QUERIES, layer);
  reading->first_key = request->first_key;
  reading->n_keys = request->n_keys;
  reading->cancellable = cancellable;
  reading->attend = (HlAttendHead){
    .rule = &reading->rule,
    .head = 0,
    .n_queries = hl_attention_get_n (self->attention, HL_QUERIES),
    .n_keys = hl_attention_get_n (self->attention, HL_KEYS),
    .n_features = hl_layer_tensor_get_n_columns (reading->queries),
    .panels = g_bytes_get_data (reading->head->panels, NULL),
    .scale = (float) reading->rule.scale,
    .distances = reading->rule.distances != NULL ? &reading->head->distances : NULL,
  };
  return TRUE;
}

/* Numbers that a thread needs to make a band of rows. */
static gsize
get_room_size (const Reading *reading)
{
  return BAND_ROWS * (hl_attend_tile_get_stride (reading->attend.n_keys) + reading->attend.n_features);
}

/* Which cells of a band are seen besides what the rule says; only of keys that it does not hide. Rows are of all keys. */
static gboolean
read_cells (const Reading *reading,
            gsize          first_query,
            gsize          n_rows,
            guint8       **seen,
            GError       **error)
{
  const gsize n_keys = reading->attend.n_keys;
  g_autofree guint8 *cells = g_try_malloc_n (n_rows, n_keys);
  gsize first, end, unused;

  *seen = NULL;
  if (cells == NULL)
    return hl_error_set_no_memory (error);
  hl_mask_get_visible (&reading->rule.mask, reading->attend.n_queries, n_keys, first_query, &first, &unused);
  hl_mask_get_visible (&reading->rule.mask, reading->attend.n_queries, n_keys, first_query + n_rows - 1, &unused, &end);
  end = MAX (end, first);
  /* The rows that are read are packed, and spread from the last on. */
  if (!hl_cell_mask_read (reading->cells, reading->layer, first_query, n_rows, first, end - first, cells,
                          reading->cancellable, error))
    return FALSE;
  for (gsize i = n_rows; i-- > 0;)
    memmove (cells + i * n_keys + first, cells + i * (end - first), end - first);
  *seen = g_steal_pointer (&cells);
  return TRUE;
}

/* Where nobody wants to know of −0, there is none. */
static void
unmark (const Reading *reading,
        gsize          n_rows,
        gsize          stride,
        float         *weights)
{
  for (gsize i = 0; i < n_rows && !reading->marks_masked; i++)
    for (gsize key = reading->first_key; key < reading->first_key + reading->n_keys; key++)
      if (weights[i * stride + key] == 0)
        weights[i * stride + key] = 0;
}

/* Weights of at most BAND_ROWS queries for the keys that are asked for, in the room; the rows are hl_attend_tile_get_stride() apart. When
 * weights of these queries were made before, nothing is done for other keys. */
static gboolean
read_band (const Reading *reading,
           gsize          first_query,
           gsize          n_rows,
           float         *room,
           GError       **error)
{
  const gsize n_features = reading->attend.n_features;
  const gsize stride = hl_attend_tile_get_stride (reading->attend.n_keys);
  float *queries = room + BAND_ROWS * stride;
  HlSoftmaxNorm norms[BAND_ROWS];
  HlAttendHead attend = reading->attend;
  g_autofree guint8 *seen = NULL;
  gsize first_key, end_key;

  if (g_cancellable_set_error_if_cancelled (reading->cancellable, error) ||
      !hl_layer_tensor_read (reading->queries, reading->head_index, first_query, n_rows, 0, n_features, queries,
                             reading->cancellable, error) ||
      (reading->cells != NULL && !read_cells (reading, first_query, n_rows, &seen, error)))
    return FALSE;
  attend.seen = seen;

  if (hl_qk_head_get_norms (reading->head, first_query, n_rows, norms))
    {
      hl_attend_tile_part (&attend, queries, first_query, n_rows, reading->first_key,
                           reading->first_key + reading->n_keys, norms, room, stride);
    }
  else
    {
      hl_attend_tile (&attend, queries, first_query, n_rows, room, stride, &first_key, &end_key, norms);
      hl_qk_head_set_norms (reading->head, first_query, n_rows, norms);
    }
  if (seen != NULL)
    unmark (reading, n_rows, stride, room);
  return TRUE;
}

/* A few short rows are done before other threads have woken up, and much later when the machine is busy. */
static gsize
get_n_threads (const Reading *reading,
               gsize          n_queries)
{
  return n_queries * reading->attend.n_keys * reading->attend.n_features < MIN_PARALLEL
           ? 1
           : (gsize) omp_get_max_threads ();
}

/* What becomes of the weights of a query: a row of the keys that were asked for. */
typedef void (*TakeRow) (const Reading *reading, gsize query, const float *row, gpointer target);

/* Hands the rows of some queries on, in any order and from any thread. */
static gboolean
read_queries (const Reading            *reading,
              const HlAttentionRequest *request,
              TakeRow                   take_row,
              gpointer                  target,
              GError                  **error)
{
  const gsize n_queries = request->n_queries;
  const gsize n_threads = MIN (get_n_threads (reading, n_queries), n_queries);
  const gsize n_rounds = (n_queries + n_threads * BAND_ROWS - 1) / (n_threads * BAND_ROWS);
  const gsize n_bands = MIN (n_rounds * n_threads, n_queries);
  const gsize stride = hl_attend_tile_get_stride (reading->attend.n_keys);
  const gsize room_size = get_room_size (reading);
  g_autofree float *rooms = try_malloc_numbers (n_threads, room_size, error);
  HlSharedError shared = { NULL };

  if (rooms == NULL)
    return FALSE;

#pragma omp parallel for schedule(dynamic) num_threads(n_threads) if (n_threads > 1)
  for (gsize band = 0; band < n_bands; band++)
    {
      const gsize first = n_queries * band / n_bands, end = n_queries * (band + 1) / n_bands;
      float *room = rooms + (gsize) omp_get_thread_num () * room_size;
      GError *here = NULL;

      if (!read_band (reading, request->first_query + first, end - first, room, &here))
        hl_shared_error_take (&shared, here);
      else
        for (gsize i = first; i < end; i++)
          take_row (reading, i, room + (i - first) * stride + reading->first_key, target);
    }
  return hl_shared_error_propagate (&shared, error);
}

static void
copy_row (const Reading *reading,
          gsize          query,
          const float   *row,
          gpointer       target)
{
  memcpy ((float *) target + query * reading->n_keys, row, reading->n_keys * sizeof (float));
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  g_auto (Reading) reading = { 0 };

  return start_reading (HL_QK_SOURCE (source), request, cancellable, &reading, error) &&
         read_queries (&reading, request, copy_row, target, error);
}

static void
examine_row (const Reading *reading,
             gsize          query,
             const float   *row,
             gpointer       target)
{
  ((HlRowExtremes *) target)[query] = hl_row_extremes_find (row, reading->n_keys);
}

/* One row of an answer: the weights go no further than the cache. */
static gboolean
pool_row (const Reading            *reading,
          const HlAttentionRequest *request,
          gsize                     row,
          HlPool                   *pool,
          float                    *room,
          float                    *target,
          HlRowExtremes            *extremes,
          GError                  **error)
{
  const gsize stride = hl_attend_tile_get_stride (reading->attend.n_keys);
  const gsize end = hl_pool_get_bin_start (row + 1, request->n_rows, request->n_queries);

  for (gsize query = hl_pool_get_bin_start (row, request->n_rows, request->n_queries), n; query < end; query += n)
    {
      n = MIN (end - query, BAND_ROWS);
      if (!read_band (reading, request->first_query + query, n, room, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        {
          const float *weights = room + i * stride + request->first_key;

          if (extremes != NULL)
            extremes[query + i] = hl_row_extremes_find (weights, request->n_keys);
          hl_pool_add (pool, weights);
        }
    }
  hl_pool_finish (pool, target);
  return TRUE;
}

static gboolean
read_pooled (HlAttentionSource        *source,
             const HlAttentionRequest *request,
             float                    *target,
             HlRowExtremes            *extremes,
             GCancellable             *cancellable,
             GError                  **error)
{
  g_auto (Reading) reading = { 0 };
  HlSharedError shared = { NULL };

  if (!start_reading (HL_QK_SOURCE (source), request, cancellable, &reading, error))
    return FALSE;
  if (target == NULL)
    return read_queries (&reading, request, examine_row, extremes, error);

  const gsize n_threads = MIN (get_n_threads (&reading, request->n_queries), request->n_rows);
  const gsize room_size = get_room_size (&reading);
  g_autofree float *rooms = try_malloc_numbers (n_threads, room_size, error);
  if (rooms == NULL)
    return FALSE;

#pragma omp parallel num_threads(n_threads) if (n_threads > 1)
  {
    float *room = rooms + (gsize) omp_get_thread_num () * room_size;
    g_auto (HlPool) pool = { 0 };
    GError *here = NULL;
    gboolean fine = hl_pool_init (&pool, request, FALSE, &here);

#pragma omp for schedule(dynamic)
    for (gsize row = 0; row < request->n_rows; row++)
      fine = fine && pool_row (&reading, request, row, &pool, room, target + row * request->n_columns, extremes, &here);
    if (!fine)
      hl_shared_error_take (&shared, here);
  }
  return hl_shared_error_propagate (&shared, error);
}

static void
hl_qk_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_n_layers = get_n_layers;
  iface->get_n_heads = get_n_heads;
  iface->get_n = get_n;
  iface->get_quantity = get_quantity;
  iface->get_mask = get_mask;
  iface->read_rows = read_rows;
  iface->read = read_pooled;
}

static void
hl_qk_source_finalize (GObject *object)
{
  HlQkSource *self = HL_QK_SOURCE (object);

  g_clear_object (&self->attention);
  g_clear_pointer (&self->cache, hl_qk_cache_free);
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
}

/**
 * hl_qk_source_new:
 * @attention: an attention that has queries and keys, of as many features and of fitting numbers of heads
 *
 * Returns: (transfer full): the weights that follow from them
 */
HlAttentionSource *
hl_qk_source_new (HlAttention *attention)
{
  return hl_qk_source_new_altered (attention, 1, TRUE);
}

/**
 * hl_qk_source_new_altered:
 * @attention: as hl_qk_source_new()
 * @score_scale: what the scale of each layer's rule is multiplied by, greater than 0
 * @masked: whether the rules' masks are in force
 *
 * Returns: (transfer full): the weights as they would be with another scale, or without a mask
 */
HlAttentionSource *
hl_qk_source_new_altered (HlAttention *attention,
                          double       score_scale,
                          gboolean     masked)
{
  HlQkSource *self;

  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);
  g_return_val_if_fail (score_scale > 0, NULL);
  g_return_val_if_fail (hl_attention_get_projection (attention, HL_QUERIES, 0) != NULL &&
                          hl_attention_get_projection (attention, HL_KEYS, 0) != NULL,
                        NULL);

  self = g_object_new (HL_TYPE_QK_SOURCE, NULL);
  self->attention = g_object_ref (attention);
  self->cache = hl_qk_cache_new (attention);
  self->score_scale = score_scale;
  self->masked = masked;
  return HL_ATTENTION_SOURCE (self);
}
