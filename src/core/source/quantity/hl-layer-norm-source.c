/* SPDX-License-Identifier: MIT */
/*
 * The norm of a sum over heads, without the sum: ‖Σ_h a_h f_h‖² = Σ_g Σ_h a_g a_h ⟨f_g, f_h⟩. The products of the vectors of a key are made
 * once a layer, and then a cell takes heads² steps, not heads × width. In double, so that what cancels does.
 */
#include "core/source/quantity/hl-layer-norm-source.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-lru-cache.h"
#include "core/source/quantity/hl-transformed-values.h"

/* Products of layers are kept up to this many bytes, and those of the latest whatever they take. */
#define CACHE_BYTES (64u << 20)

/* Numbers of the vectors that are held at a time, and of weights. */
#define BAND_NUMBERS ((gsize) 1 << 20)

struct _HlLayerNormSource
{
  HlDerivedSource parent_instance;

  HlAttention *attention;
  HlHeadSet heads;
  GMutex lock;
  HlLruCache cache; /* by layer: GBytes of double [n_keys, pairs of heads]; guarded by the lock */
};

static void hl_layer_norm_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlLayerNormSource,
                               hl_layer_norm_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_layer_norm_source_iface_init))

static guint
get_n_heads (HlAttentionSource *source,
             guint              layer)
{
  return 1;
}

/* Those of the layer that were chosen; a layer may have none of them. */
static guint
list_heads (HlLayerNormSource *self,
            guint              layer,
            guint              heads[HL_LIMIT_HEADS])
{
  guint n = 0;

  for (guint head = 0; head < hl_attention_get_n_heads (self->attention, layer); head++)
    if (hl_head_set_contains (&self->heads, head))
      heads[n++] = head;
  return n;
}

HL_KERNEL static double
multiply (const float *a,
          const float *b,
          gsize        n)
{
  double sum = 0;

#pragma omp simd reduction(+ : sum)
  for (gsize i = 0; i < n; i++)
    sum += (double) a[i] * b[i];
  return sum;
}

/* ⟨f_g, f_h⟩ of every key and pair of heads; those of two heads count twice in the sum. */
static gboolean
make_products (HlLayerNormSource *self,
               guint              layer,
               const guint       *heads,
               guint              n_heads,
               double            *products,
               GCancellable      *cancellable,
               GError           **error)
{
  const gsize n_keys = hl_attention_get_n (self->attention, HL_KEYS);
  const gsize width = hl_layer_tensor_get_n_columns (hl_attention_get_output (self->attention, layer));
  const gsize n_pairs = (gsize) n_heads * (n_heads + 1) / 2;
  const gsize band = CLAMP (BAND_NUMBERS / (n_heads * width), 1, n_keys);
  g_autofree float *vectors = g_try_malloc_n (n_heads * band * width, sizeof (float));
  HlTransformedValues *values = g_new0 (HlTransformedValues, n_heads);
  gboolean done = vectors != NULL || hl_error_set_no_memory (error);

  for (guint i = 0; done && i < n_heads; i++)
    done = hl_transformed_values_init (&values[i], self->attention, layer, heads[i], cancellable, error);
  for (gsize first = 0; done && first < n_keys; first += band)
    {
      const gsize n = MIN (band, n_keys - first);

      for (guint i = 0; done && i < n_heads; i++)
        done = hl_transformed_values_read (&values[i], first, n, vectors + i * band * width, cancellable, error);
#pragma omp parallel for if (done && n * n_pairs * width > 65536)
      for (gsize key = 0; key < (done ? n : 0); key++)
        {
          double *target = products + (first + key) * n_pairs;

          for (guint g = 0; g < n_heads; g++)
            for (guint h = 0; h <= g; h++)
              *target++ = (g == h ? 1 : 2) *
                          multiply (vectors + (g * band + key) * width, vectors + (h * band + key) * width, width);
        }
    }
  for (guint i = 0; i < n_heads; i++)
    hl_transformed_values_clear (&values[i]);
  g_free (values);
  return done;
}

/* Holding the lock while they are made keeps two requests for one layer from making them twice. */
static GBytes *
get_products (HlLayerNormSource *self,
              guint              layer,
              const guint       *heads,
              guint              n_heads,
              GCancellable      *cancellable,
              GError           **error)
{
  const guint64 n_keys = hl_attention_get_n (self->attention, HL_KEYS);
  const guint64 size = n_keys * n_heads * (n_heads + 1) / 2 * sizeof (double);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  GBytes *bytes = hl_lru_cache_get (&self->cache, layer, 0);

  if (bytes != NULL)
    return g_bytes_ref (bytes);
  if (size > HL_LIMIT_NORM_PRODUCTS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the norm of a sum of %u heads over %" PRIu64 " keys takes %.1f GB; %.1f GB may be used"),
                   n_heads, n_keys, (double) size / 1e9, (double) HL_LIMIT_NORM_PRODUCTS / 1e9);
      return NULL;
    }
  g_autofree double *products = g_try_malloc (size);
  if (products == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  if (!make_products (self, layer, heads, n_heads, products, cancellable, error))
    return NULL;
  bytes = g_bytes_new_take (g_steal_pointer (&products), size);
  hl_lru_cache_add (&self->cache, layer, 0, g_bytes_ref (bytes), size);
  return bytes;
}

/* One cell: @weights of its heads, one after another. */
HL_KERNEL static float
measure (const double *products,
         const double *weights,
         guint         n_heads)
{
  double sum = 0;

  for (guint g = 0; g < n_heads; g++)
    {
      double part = 0;

#pragma omp simd reduction(+ : part)
      for (guint h = 0; h <= g; h++)
        part += weights[h] * products[h];
      sum += weights[g] * part;
      products += g + 1;
    }
  /* What cancels may end a little below zero; NaN stays. */
  return (float) sqrt (sum < 0 ? 0 : sum);
}

/* Some queries: @weights are [heads, queries, keys]. */
static void
measure_band (const double *products,
              const float  *weights,
              guint         n_heads,
              gsize         n_queries,
              gsize         n_keys,
              float        *target)
{
  const gsize n_pairs = (gsize) n_heads * (n_heads + 1) / 2;

#pragma omp parallel for if (n_queries * n_keys * n_pairs > 65536)
  for (gsize query = 0; query < n_queries; query++)
    {
      double cell[HL_LIMIT_HEADS];

      for (gsize key = 0; key < n_keys; key++)
        {
          for (guint i = 0; i < n_heads; i++)
            cell[i] = weights[(i * n_queries + query) * n_keys + key];
          target[query * n_keys + key] = measure (products + key * n_pairs, cell, n_heads);
        }
    }
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlLayerNormSource *self = HL_LAYER_NORM_SOURCE (source);
  HlAttentionSource *origin = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));
  guint heads[HL_LIMIT_HEADS];
  const guint n_heads = list_heads (self, request->layer, heads);
  const gsize n_keys = request->n_keys;
  const gsize n_pairs = (gsize) n_heads * (n_heads + 1) / 2;
  const gsize n_band = CLAMP (BAND_NUMBERS / (MAX (n_heads, 1) * n_keys), 1, request->n_queries);

  /* As in a combination of heads: nothing is no number. */
  for (gsize i = 0; n_heads == 0 && i < request->n_queries * n_keys; i++)
    target[i] = NAN;
  if (n_heads == 0)
    return TRUE;
  g_autoptr (GBytes) products = get_products (self, request->layer, heads, n_heads, cancellable, error);
  g_autofree float *weights = g_try_malloc_n (n_heads * n_band * n_keys, sizeof (float));
  if (products == NULL)
    return FALSE;
  if (weights == NULL)
    return hl_error_set_no_memory (error);

  for (gsize query = 0; query < request->n_queries; query += n_band)
    {
      const gsize n = MIN (n_band, request->n_queries - query);
      HlAttentionRequest band = hl_attention_request_get_band (request, query, n);

      for (guint i = 0; i < n_heads; i++)
        {
          band.head = heads[i];
          if (!hl_attention_source_read (origin, &band, weights + i * n * n_keys, cancellable, error))
            return FALSE;
        }
      measure_band ((const double *) g_bytes_get_data (products, NULL) + request->first_key * n_pairs, weights, n_heads,
                    n, n_keys, target + query * n_keys);
    }
  return TRUE;
}

static void
hl_layer_norm_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_n_heads = get_n_heads;
  iface->read_rows = read_rows;
  iface->read = NULL;
}

static char *
make_quantity (HlDerivedSource   *source,
               HlAttentionSource *origin)
{
  HlLayerNormSource *self = HL_LAYER_NORM_SOURCE (source);
  const guint max_heads = hl_attention_get_max_heads (self->attention);
  HlHeadSet there = self->heads;

  hl_head_set_truncate (&there, max_heads);
  const guint n = hl_head_set_count (&there);
  g_autofree char *list = n > 0 ? hl_bits_format (there.bits, max_heads) : g_strdup ("–");

  if (n == max_heads)
    /* Translators: “norm of the sum over all 12 heads of attention weight × projected value” */
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "norm of the sum over %u head of %s × projected value",
                                         "norm of the sum over all %u heads of %s × projected value", n),
                            n, hl_attention_source_get_quantity (origin));
  /* Translators: “norm of the sum over heads 0, 2 of attention weight × projected value” */
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "norm of the sum over head %s of %s × projected value",
                                       "norm of the sum over heads %s of %s × projected value", n),
                          list, hl_attention_source_get_quantity (origin));
}

static void
hl_layer_norm_source_finalize (GObject *object)
{
  HlLayerNormSource *self = HL_LAYER_NORM_SOURCE (object);

  g_object_unref (self->attention);
  hl_lru_cache_clear (&self->cache);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (hl_layer_norm_source_parent_class)->finalize (object);
}

static void
hl_layer_norm_source_class_init (HlLayerNormSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_layer_norm_source_finalize;
  HL_DERIVED_SOURCE_CLASS (klass)->make_quantity = make_quantity;
}

static void
hl_layer_norm_source_init (HlLayerNormSource *self)
{
  g_mutex_init (&self->lock);
  self->cache = (HlLruCache) HL_LRU_CACHE_INIT (CACHE_BYTES, (GDestroyNotify) g_bytes_unref);
}

/**
 * hl_layer_norm_source_new:
 * @parts: what it is made of; hl_transformed_values_are_known() of the attention
 * @heads: which heads of each layer
 *
 * Where a layer has none of the heads, all of its map is NaN.
 *
 * Returns: (transfer full): a source with one head in each layer
 */
HlAttentionSource *
hl_layer_norm_source_new (const HlQuantityParts *parts,
                          const HlHeadSet       *heads)
{
  HlLayerNormSource *self = g_object_new (HL_TYPE_LAYER_NORM_SOURCE, NULL);

  self->attention = g_object_ref (parts->attention);
  self->heads = *heads;
  return hl_derived_source_derive (self, parts->weights);
}
