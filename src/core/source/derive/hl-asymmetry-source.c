/* SPDX-License-Identifier: MIT */
/* A − Aᵀ of the maps A of another source: how much more a token looks at another than that one looks back. From −1 to 1, and the opposite
 * number across the diagonal. */
#include "core/source/derive/hl-asymmetry-source.h"

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"
#include "core/source/derive/hl-transpose-source.h"

#include <glib/gi18n-lib.h>

/* Numbers that are held besides the answer. */
#define BAND_NUMBERS ((gsize) 4 * 1024 * 1024)

struct _HlAsymmetrySource
{
  HlDerivedSource parent_instance;

  HlAttentionSource *transposed;
};

static void hl_asymmetry_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlAsymmetrySource,
                               hl_asymmetry_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_asymmetry_source_iface_init))

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
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlAttentionSource *origin = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));
  HlAttentionSource *transposed = HL_ASYMMETRY_SOURCE (source)->transposed;
  const gsize n_keys = request->n_keys;
  const gsize n_band = CLAMP (BAND_NUMBERS / n_keys, 1, request->n_queries);
  g_autofree float *band = g_try_malloc_n (n_band * n_keys, sizeof (float));

  if (band == NULL)
    return hl_error_set_no_memory (error);
  for (gsize query = 0; query < request->n_queries; query += n_band)
    {
      const gsize n = MIN (n_band, request->n_queries - query);
      const HlAttentionRequest part = hl_attention_request_get_band (request, query, n);

      if (!hl_attention_source_read (origin, &part, target + query * n_keys, cancellable, error) ||
          !hl_attention_source_read (transposed, &part, band, cancellable, error))
        return FALSE;
      subtract (target + query * n_keys, band, n * n_keys);
    }
  return TRUE;
}

static char *
make_quantity (HlDerivedSource   *self,
               HlAttentionSource *origin)
{
  /* Translators: A stands for the matrix of what follows, such as “attention weight” */
  return g_strdup_printf (_ ("asymmetry A − Aᵀ, A: %s"), hl_attention_source_get_quantity (origin));
}

/* Two tokens that one of them sees have a difference: a causal mask is gone, a window reaches to both sides. */
static HlMask
make_mask (HlDerivedSource   *self,
           HlAttentionSource *origin,
           guint              layer)
{
  const HlMask *mask = hl_attention_source_get_mask (origin, layer);

  return mask->shift == 0 ? (HlMask){ .window = mask->window, .chunk = mask->chunk } : (HlMask){ 0 };
}

static void
hl_asymmetry_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->is_signed = is_signed;
  iface->read_rows = read_rows;
}

static void
hl_asymmetry_source_finalize (GObject *object)
{
  g_clear_object (&HL_ASYMMETRY_SOURCE (object)->transposed);
  G_OBJECT_CLASS (hl_asymmetry_source_parent_class)->finalize (object);
}

static void
hl_asymmetry_source_class_init (HlAsymmetrySourceClass *klass)
{
  HlDerivedSourceClass *source_class = HL_DERIVED_SOURCE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_asymmetry_source_finalize;
  source_class->make_quantity = make_quantity;
  source_class->make_mask = make_mask;
}

static void
hl_asymmetry_source_init (HlAsymmetrySource *self)
{
}

/* Returns the source whose map of a head is A − Aᵀ where that of @source is A. */
HlAttentionSource *
hl_asymmetry_source_new (HlAttentionSource *source)
{
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (source), NULL);
  g_return_val_if_fail (hl_attention_source_get_n (source, HL_QUERIES) == hl_attention_source_get_n (source, HL_KEYS),
                        NULL);

  HlAsymmetrySource *self = g_object_new (HL_TYPE_ASYMMETRY_SOURCE, NULL);
  self->transposed = hl_transpose_source_new (source);
  return hl_derived_source_derive (self, source);
}
