/* SPDX-License-Identifier: MIT */
/* A − Aᵀ of the maps A of another source: how much more a token looks at another than that one looks back. From −1 to 1, and the opposite
 * number across the diagonal. */
#include "core/source/hl-asymmetry-source.h"

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"
#include "core/source/hl-transpose-source.h"

#include <glib/gi18n-lib.h>

/* Numbers that are held besides the answer. */
#define BAND_NUMBERS ((gsize) 4 * 1024 * 1024)

struct _HlAsymmetrySource
{
  GObject parent_instance;

  HlAttentionSource *source;
  HlAttentionSource *transposed;
  char *quantity;
  guint n_layers;
  HlMask *masks;
};

static void hl_asymmetry_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlAsymmetrySource, hl_asymmetry_source, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_asymmetry_source_iface_init))

static guint
get_n_layers (HlAttentionSource *source)
{
  return HL_ASYMMETRY_SOURCE (source)->n_layers;
}

static guint
get_n_heads (HlAttentionSource *source,
             guint              layer)
{
  return hl_attention_source_get_n_heads (HL_ASYMMETRY_SOURCE (source)->source, layer);
}

static gsize
get_n_queries (HlAttentionSource *source)
{
  return hl_attention_source_get_n_queries (HL_ASYMMETRY_SOURCE (source)->source);
}

static gsize
get_n_keys (HlAttentionSource *source)
{
  return hl_attention_source_get_n_keys (HL_ASYMMETRY_SOURCE (source)->source);
}

static const char *
get_quantity (HlAttentionSource *source)
{
  return HL_ASYMMETRY_SOURCE (source)->quantity;
}

static const HlMask *
get_mask (HlAttentionSource *source,
          guint              layer)
{
  return &HL_ASYMMETRY_SOURCE (source)->masks[layer];
}

static gboolean
is_signed (HlAttentionSource *source)
{
  return TRUE;
}

HL_KERNEL static void
subtract (float       *target,
          const float *other,
          gsize        n)
{
#pragma omp simd
  for (gsize i = 0; i < n; i++)
    target[i] -= other[i];
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
  HlAsymmetrySource *self = HL_ASYMMETRY_SOURCE (source);
  const gsize n_band = CLAMP (BAND_NUMBERS / n_keys, 1, n_queries);
  g_autofree float *band = g_try_malloc_n (n_band * n_keys, sizeof (float));

  if (band == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory"));
      return FALSE;
    }
  for (gsize query = 0; query < n_queries; query += n_band)
    {
      const gsize n = MIN (n_band, n_queries - query);
      const HlAttentionRequest request = {
        .layer = layer,
        .head = head,
        .first_query = first_query + query,
        .n_queries = n,
        .first_key = first_key,
        .n_keys = n_keys,
        .n_rows = n,
        .n_columns = n_keys,
      };

      if (!hl_attention_source_read (self->source, &request, target + query * n_keys, cancellable, error) ||
          !hl_attention_source_read (self->transposed, &request, band, cancellable, error))
        return FALSE;
      subtract (target + query * n_keys, band, n * n_keys);
    }
  return TRUE;
}

static void
hl_asymmetry_source_iface_init (HlAttentionSourceInterface *iface)
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
hl_asymmetry_source_finalize (GObject *object)
{
  HlAsymmetrySource *self = HL_ASYMMETRY_SOURCE (object);

  g_clear_object (&self->source);
  g_clear_object (&self->transposed);
  g_free (self->quantity);
  g_free (self->masks);
  G_OBJECT_CLASS (hl_asymmetry_source_parent_class)->finalize (object);
}

static void
hl_asymmetry_source_class_init (HlAsymmetrySourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_asymmetry_source_finalize;
}

static void
hl_asymmetry_source_init (HlAsymmetrySource *self)
{
}

/* Two tokens that one of them sees have a difference: a causal mask is gone, a window reaches to both sides. */
static HlMask
get_symmetric (const HlMask *mask)
{
  return mask->causal && mask->window == 0 ? (HlMask){ 0 } : (HlMask){ .window = mask->window };
}

/**
 * hl_asymmetry_source_new:
 * @source: a source with as many queries as keys, which are the same tokens
 *
 * Returns: (transfer full): the source whose map of a head is A − Aᵀ where that of @source is A
 */
HlAttentionSource *
hl_asymmetry_source_new (HlAttentionSource *source)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);
  g_return_val_if_fail (hl_attention_source_get_n_queries (source) == hl_attention_source_get_n_keys (source), NULL);

  HlAsymmetrySource *self = g_object_new (HL_TYPE_ASYMMETRY_SOURCE, NULL);
  self->source = g_object_ref (source);
  self->transposed = hl_transpose_source_new (source);
  /* Translators: A stands for the matrix of what follows, such as “attention weight” */
  self->quantity = g_strdup_printf (_ ("asymmetry A − Aᵀ, A: %s"), hl_attention_source_get_quantity (source));
  self->n_layers = hl_attention_source_get_n_layers (source);
  self->masks = g_new (HlMask, self->n_layers);
  for (guint i = 0; i < self->n_layers; i++)
    self->masks[i] = get_symmetric (hl_attention_source_get_mask (source, i));
  return HL_ATTENTION_SOURCE (self);
}
