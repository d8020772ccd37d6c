/* SPDX-License-Identifier: MIT */
/* HlDerivedSource: it is as its origin in all that those who derive from it do not say otherwise. */
#include "core/source/hl-derived-source.h"

#include <string.h>

#include "core/base/hl-error.h"

typedef struct
{
  HlAttentionSource *origin;
  char *quantity; /* NULL: that of the origin */
  HlMask *masks;  /* NULL: those of the origin */
} HlDerivedSourcePrivate;

static void hl_derived_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_ABSTRACT_TYPE_WITH_CODE (HlDerivedSource,
                                  hl_derived_source,
                                  G_TYPE_OBJECT,
                                  G_ADD_PRIVATE (HlDerivedSource)
                                    G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_derived_source_iface_init))

static HlDerivedSourcePrivate *
get_private (HlAttentionSource *source)
{
  return hl_derived_source_get_instance_private (HL_DERIVED_SOURCE (source));
}

static guint
get_n_layers (HlAttentionSource *source)
{
  return hl_attention_source_get_n_layers (get_private (source)->origin);
}

static guint
get_n_heads (HlAttentionSource *source,
             guint              layer)
{
  return hl_attention_source_get_n_heads (get_private (source)->origin, layer);
}

static gsize
get_n (HlAttentionSource *source,
       HlSide             side)
{
  return hl_attention_source_get_n (get_private (source)->origin, side);
}

static const char *
get_quantity (HlAttentionSource *source)
{
  const HlDerivedSourcePrivate *priv = get_private (source);

  return priv->quantity != NULL ? priv->quantity : hl_attention_source_get_quantity (priv->origin);
}

static const HlMask *
get_mask (HlAttentionSource *source,
          guint              layer)
{
  const HlDerivedSourcePrivate *priv = get_private (source);

  return priv->masks != NULL ? &priv->masks[layer] : hl_attention_source_get_mask (priv->origin, layer);
}

static gboolean
is_signed (HlAttentionSource *source)
{
  return hl_attention_source_is_signed (get_private (source)->origin);
}

static void
hl_derived_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_n_layers = get_n_layers;
  iface->get_n_heads = get_n_heads;
  iface->get_n = get_n;
  iface->get_quantity = get_quantity;
  iface->get_mask = get_mask;
  iface->is_signed = is_signed;
}

static void
hl_derived_source_finalize (GObject *object)
{
  HlDerivedSourcePrivate *priv = get_private (HL_ATTENTION_SOURCE (object));

  g_clear_object (&priv->origin);
  g_free (priv->quantity);
  g_free (priv->masks);
  G_OBJECT_CLASS (hl_derived_source_parent_class)->finalize (object);
}

static void
hl_derived_source_class_init (HlDerivedSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_derived_source_finalize;
}

static void
hl_derived_source_init (HlDerivedSource *self)
{
}

HlAttentionSource *
hl_derived_source_get_origin (HlDerivedSource *self)
{
  g_return_val_if_fail (HL_IS_DERIVED_SOURCE (self), NULL);

  return get_private (HL_ATTENTION_SOURCE (self))->origin;
}

/* Gives a source its origin, and makes its quantity and its masks. To be called once. */
HlAttentionSource *
hl_derived_source_derive (gpointer           self,
                          HlAttentionSource *origin)
{
  g_return_val_if_fail (HL_IS_DERIVED_SOURCE (self), NULL);
  g_return_val_if_fail (HL_IS_ATTENTION_SOURCE (origin), NULL);

  const HlDerivedSourceClass *klass = HL_DERIVED_SOURCE_GET_CLASS (self);
  HlDerivedSourcePrivate *priv = get_private (self);

  g_return_val_if_fail (priv->origin == NULL, NULL);

  priv->origin = g_object_ref (origin);
  if (klass->make_quantity != NULL)
    priv->quantity = klass->make_quantity (self, origin);
  if (klass->make_masks != NULL || klass->make_mask != NULL)
    {
      const guint n_layers = hl_attention_source_get_n_layers (self);

      priv->masks = g_new (HlMask, n_layers);
      if (klass->make_masks != NULL)
        klass->make_masks (self, origin, priv->masks);
      for (guint layer = 0; klass->make_masks == NULL && layer < n_layers; layer++)
        priv->masks[layer] = klass->make_mask (self, origin, layer);
    }
  return HL_ATTENTION_SOURCE (self);
}

/* Rows of a source whose numbers depend on all weights of the query, also on those that were not asked for. */

/* Weights are read this many at a time: a source that makes them does so for many queries at once. */
#define BAND_NUMBERS (512u * 1024)

/**
 * hl_whole_rows_read: (skip)
 * @source: whose weights
 * @request: which part is wanted, and pooled to what
 * @change_row: what is made of each row, whole and before it is pooled
 * @data: for @change_row
 * @target: (out caller-allocates): [n_rows, n_columns] of @request
 * @cancellable: (nullable): stops it
 * @error: what reading says, or too little memory
 *
 * Answers a request where a number depends on all weights of its query: reads whole rows in bands, changes them, and pools
 * the part that is wanted. May run in several threads at once if @change_row may.
 *
 * Returns: whether @target was filled
 */
gboolean
hl_whole_rows_read (HlAttentionSource        *source,
                    const HlAttentionRequest *request,
                    HlChangeRow               change_row,
                    gpointer                  data,
                    float                    *target,
                    GCancellable             *cancellable,
                    GError                  **error)
{
  const gsize all_keys = hl_attention_source_get_n (source, HL_KEYS);
  const gsize n_queries = request->n_queries;
  const gsize n_keys = request->n_keys;
  const gsize n_band = CLAMP (BAND_NUMBERS / all_keys, 1, n_queries);
  g_autofree float *band = g_try_malloc_n (n_band * all_keys, sizeof (float));

  if (band == NULL)
    return hl_error_set_no_memory (error);
  for (gsize done = 0; done < n_queries; done += n_band)
    {
      const gsize n = MIN (n_band, n_queries - done);
      HlAttentionRequest whole = hl_attention_request_get_band (request, done, n);

      whole.first_key = 0;
      whole.n_keys = whole.n_columns = all_keys;
      if (!hl_attention_source_read (source, &whole, band, cancellable, error))
        return FALSE;
      for (gsize i = 0; i < n; i++)
        {
          float *row = band + i * all_keys;

          change_row (row, all_keys, whole.first_query + i, data);
          memcpy (target + (done + i) * n_keys, row + request->first_key, n_keys * sizeof (float));
        }
    }
  return TRUE;
}
