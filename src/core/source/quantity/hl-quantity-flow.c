/* SPDX-License-Identifier: MIT */
/*
 * The greatest flow from a layer's token down to each input token, where an edge from query to key takes Ã[i,j] at most, à = rownorm (A + I),
 * A the mean of heads; each row divided by its sum (Abnar and Zuidema 2020, section 3.2). From a later layer on, what goes in is what that
 * layer gets. A row is made when it is looked at.
 */
#include "core/source/quantity/hl-quantity.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <omp.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-lru-cache.h"
#include "core/source/quantity/hl-max-flow.h"
#include "core/source/quantity/hl-residual-source.h"

/* Rows are kept up to this many bytes: all of 12 layers of 512 tokens, say. */
#define CACHE_BYTES (16u << 20)

#define HL_TYPE_FLOW_SOURCE (hl_flow_source_get_type ())
G_DECLARE_FINAL_TYPE (HlFlowSource, hl_flow_source, HL, FLOW_SOURCE, HlDerivedSource)

/* Ã of some levels from the first layer on. What a row is being made of does not change. */
typedef struct
{
  gatomicrefcount n_refs;
  guint n_levels;
  guint8 *lost; /* [n_levels, n], behind the values: tokens that take something in of one of which nothing is known */
  gint32 values[]; /* [n_levels, n, n] */
} Capacities;

struct _HlFlowSource
{
  HlDerivedSource parent_instance;

  HlAttentionSource *residual;
  HlSeenKeys *seen; /* by layer: the keys that it has something of */
  guint first_layer;

  /* All that follows is guarded by the lock, which is not held while a row is made. */
  GMutex lock;
  HlLruCache rows;        /* by layer and query: float32 [n] */
  Capacities *capacities; /* NULL before the first row */
};

static void hl_flow_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlFlowSource,
                               hl_flow_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_flow_source_iface_init))

static Capacities *
capacities_ref (Capacities *self)
{
  g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

static void
capacities_unref (Capacities *self)
{
  if (g_atomic_ref_count_dec (&self->n_refs))
    g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Capacities, capacities_unref)

static gboolean
read_level (HlFlowSource *self,
            Capacities   *capacities,
            guint         level,
            gsize         n,
            GCancellable *cancellable,
            GError      **error)
{
  gint32 *target = capacities->values + level * n * n;
  guint8 *lost = capacities->lost + level * n;
  g_autofree float *weights =
    hl_attention_source_read_head (self->residual, self->first_layer + level, 0, cancellable, error);

  if (weights == NULL)
    return FALSE;
  /* What is not a number, infinite, or below 0 where there are scores, lets nothing through. Where it is what a token keeps of itself, nothing is
   * known of the token, nor of what takes something in of it. */
  for (gsize i = 0; i < n * n; i++)
    target[i] = weights[i] > 0 && isfinite (weights[i]) ? (gint32) lround (MIN (weights[i], 1.0) * HL_FLOW_UNIT) : 0;
  for (gsize row = 0; row < n; row++)
    {
      lost[row] = !isfinite (weights[row * n + row]);
      for (gsize token = 0; level > 0 && token < n; token++)
        lost[row] |= (lost - n)[token] && target[row * n + token] > 0;
    }
  return TRUE;
}

/* Those of as many levels as are needed. Who uses fewer has them for itself from then on. */
static Capacities *
fetch_capacities (HlFlowSource *self,
                  guint         n_levels,
                  gsize         n,
                  guint         n_threads,
                  GCancellable *cancellable,
                  GError      **error)
{
  const guint64 size = (guint64) n_levels * n * n * sizeof (gint32);
  const guint64 all = size * (1 + 2 * n_threads);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  const guint n_known = self->capacities != NULL ? self->capacities->n_levels : 0;

  if (all > HL_LIMIT_FLOW_MEMORY)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("flow through %u layers of %zu tokens takes %.1f GB; %.1f GB may be used"), n_levels, n,
                   (double) all / 1e9, (double) HL_LIMIT_FLOW_MEMORY / 1e9);
      return NULL;
    }
  if (n_levels <= n_known)
    return capacities_ref (self->capacities);
  g_autoptr (Capacities) capacities = g_try_malloc (sizeof *capacities + size + n_levels * n);
  if (capacities == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  g_atomic_ref_count_init (&capacities->n_refs);
  capacities->n_levels = n_levels;
  capacities->lost = (guint8 *) (capacities->values + n_levels * n * n);
  if (n_known > 0)
    {
      memcpy (capacities->values, self->capacities->values, n_known * n * n * sizeof (gint32));
      memcpy (capacities->lost, self->capacities->lost, n_known * n);
    }
  for (guint level = n_known; level < n_levels; level++)
    if (!read_level (self, capacities, level, n, cancellable, error))
      return NULL;
  g_clear_pointer (&self->capacities, capacities_unref);
  self->capacities = capacities_ref (capacities);
  return g_steal_pointer (&capacities);
}

/* Threads take the sinks of one row after another, so that a single row is there soon. */
static gboolean
make_row (HlMaxFlow   **networks,
          guint         n_threads,
          gsize         n,
          gsize         query,
          float        *target,
          GCancellable *cancellable,
          GError      **error)
{
  double sum = 0;

#pragma omp parallel for schedule(dynamic) num_threads(n_threads) reduction(+ : sum) if (n_threads > 1)
  for (gsize key = 0; key < n; key++)
    {
      const gint64 flow = g_cancellable_is_cancelled (cancellable)
                            ? 0
                            : hl_max_flow_measure (networks[omp_get_thread_num ()], query, key);

      target[key] = (float) ((double) flow / HL_FLOW_UNIT);
      sum += (double) flow / HL_FLOW_UNIT;
    }
  for (gsize key = 0; sum > 0 && key < n; key++)
    target[key] = (float) (target[key] / sum);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

static gboolean
find_kept (HlFlowSource *self,
           guint         layer,
           gsize         query,
           gsize         n,
           float        *row)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  const float *kept = hl_lru_cache_get (&self->rows, layer, query);

  if (kept != NULL)
    memcpy (row, kept, n * sizeof *row);
  return kept != NULL;
}

static void
keep (HlFlowSource *self,
      guint         layer,
      gsize         query,
      gsize         n,
      const float  *row)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  hl_lru_cache_add (&self->rows, layer, query, g_memdup2 (row, n * sizeof *row), n * sizeof *row);
}

/* Makes what is missing of some rows, and keeps it as long as there is room. Two that ask for the same at once both make it. */
static gboolean
fill_rows (HlFlowSource *self,
           guint         layer,
           gsize         first,
           gsize         n_rows,
           gsize         n,
           float        *target,
           GCancellable *cancellable,
           GError      **error)
{
  const guint n_levels = layer - self->first_layer + 1;
  const guint n_threads = omp_in_parallel () ? 1 : (guint) omp_get_max_threads ();
  g_autofree HlMaxFlow **networks = g_new0 (HlMaxFlow *, n_threads);
  const HlMask *mask = hl_attention_source_get_mask (HL_ATTENTION_SOURCE (self), layer);
  g_autoptr (Capacities) capacities = NULL;
  gboolean done = TRUE;

  for (gsize i = 0; done && i < n_rows; i++)
    {
      float *row = target + i * n;

      if (find_kept (self, layer, first + i, n, row))
        continue;
      if (capacities == NULL)
        capacities = fetch_capacities (self, n_levels, n, n_threads, cancellable, error);
      done = capacities != NULL;
      if (done && capacities->lost[(n_levels - 1) * n + first + i])
        {
          hl_residual_lose_row (mask, n, first + i, 0, n, row);
          continue;
        }
      for (guint thread = 0; done && thread < n_threads && networks[thread] == NULL; thread++)
        {
          networks[thread] = hl_max_flow_new (capacities->values, n, n_levels);
          done = networks[thread] != NULL || hl_error_set_no_memory (error);
        }
      done = done && make_row (networks, n_threads, n, first + i, row, cancellable, error);
      if (done)
        keep (self, layer, first + i, n, row);
    }
  for (guint thread = 0; thread < n_threads; thread++)
    g_clear_pointer (&networks[thread], hl_max_flow_free);
  return done;
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlFlowSource *self = HL_FLOW_SOURCE (source);
  const gsize n = hl_attention_source_get_n (source, HL_KEYS), n_keys = request->n_keys;
  g_autofree float *rows = g_try_malloc_n (request->n_queries * n, sizeof (float));

  if (rows == NULL)
    return hl_error_set_no_memory (error);
  if (request->layer < self->first_layer)
    for (gsize i = 0; i < request->n_queries * n; i++)
      rows[i] = i % n == request->first_query + i / n;
  else if (!fill_rows (self, request->layer, request->first_query, request->n_queries, n, rows, cancellable, error))
    return FALSE;
  for (gsize i = 0; i < request->n_queries; i++)
    memcpy (target + i * n_keys, rows + i * n + request->first_key, n_keys * sizeof *target);
  hl_residual_mark_padding (self->seen[request->layer], request, target);
  return TRUE;
}

static void
hl_flow_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->read_rows = read_rows;
}

static char *
make_quantity (HlDerivedSource   *source,
               HlAttentionSource *origin)
{
  const guint first_layer = HL_FLOW_SOURCE (source)->first_layer;
  const char *weights = hl_attention_source_get_quantity (origin);

  if (first_layer == 0)
    /* Translators: “flow · mean of all 12 heads · attention weight” */
    return g_strdup_printf (_ ("flow · %s"), weights);
  return g_strdup_printf (_ ("flow from layer %u on · %s"), first_layer, weights);
}

static void
make_masks (HlDerivedSource   *source,
            HlAttentionSource *origin,
            HlMask            *masks)
{
  hl_residual_mix_masks (origin, HL_FLOW_SOURCE (source)->seen, masks);
}

static void
hl_flow_source_finalize (GObject *object)
{
  HlFlowSource *self = HL_FLOW_SOURCE (object);

  g_clear_object (&self->residual);
  g_clear_pointer (&self->seen, g_free);
  hl_lru_cache_clear (&self->rows);
  g_clear_pointer (&self->capacities, capacities_unref);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (hl_flow_source_parent_class)->finalize (object);
}

static void
hl_flow_source_class_init (HlFlowSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_flow_source_finalize;
  HL_DERIVED_SOURCE_CLASS (klass)->make_quantity = make_quantity;
  HL_DERIVED_SOURCE_CLASS (klass)->make_masks = make_masks;
}

static void
hl_flow_source_init (HlFlowSource *self)
{
  g_mutex_init (&self->lock);
  self->rows = (HlLruCache) HL_LRU_CACHE_INIT (CACHE_BYTES, g_free);
}

static HlAttentionSource *
make (const HlQuantityParts *parts)
{
  HlFlowSource *self = g_object_new (HL_TYPE_FLOW_SOURCE, NULL);

  self->residual = hl_residual_source_new (parts->weights);
  self->seen = hl_residual_list_seen (parts->weights);
  self->first_layer = parts->first_layer;
  return hl_derived_source_derive (self, parts->weights);
}

const HlQuantityClass hl_quantity_flow = {
  .label = N_ ("Flow"),
  .sentence = N_ ("How much can flow from an input token up to a layer's token, if no edge takes more than its weight"),
  .needs = N_ ("queries and keys that are the same tokens"),
  .can = hl_residual_source_can,
  .max_tokens = HL_LIMIT_FLOW_TOKENS,
  .heads = HL_QUANTITY_OF_LAYER,
  .keeps_itself = TRUE,
  .make = make,
};
