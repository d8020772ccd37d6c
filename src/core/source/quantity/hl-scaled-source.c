/* SPDX-License-Identifier: MIT */
/* Weights times a number a key. */
#include "core/source/quantity/hl-scaled-source.h"

#include "core/base/hl-kernel.h"
#include "core/base/hl-limits.h"

struct _HlScaledSource
{
  HlDerivedSource parent_instance;

  HlAttention *attention;
  HlKeyFactorsFunc func;
  char *quantity;
  GMutex lock;
  GHashTable *factors; /* by layer and head: [n_keys], guarded by the lock */
};

static void hl_scaled_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlScaledSource,
                               hl_scaled_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_scaled_source_iface_init))

static const float *
find_factors (HlScaledSource *self,
              gpointer        name)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return g_hash_table_lookup (self->factors, name);
}

/* Once made they stay: a number a key. Threads make those of different heads at the same time. */
static const float *
get_factors (HlScaledSource *self,
             guint           layer,
             guint           head,
             GCancellable   *cancellable,
             GError        **error)
{
  const gpointer name = GUINT_TO_POINTER (layer * HL_LIMIT_HEADS + head);
  const float *factors = find_factors (self, name);

  if (factors != NULL)
    return factors;
  g_autofree float *made = self->func (self->attention, layer, head, cancellable, error);
  if (made == NULL)
    return NULL;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  factors = g_hash_table_lookup (self->factors, name);
  if (factors == NULL)
    {
      factors = made;
      g_hash_table_insert (self->factors, name, g_steal_pointer (&made));
    }
  return factors;
}

HL_KERNEL static void
multiply (float       *rows,
          gsize        n_rows,
          gsize        n,
          const float *factors)
{
  for (gsize row = 0; row < n_rows; row++)
    for (gsize key = 0; key < n; key++)
      rows[row * n + key] *= factors[key];
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlScaledSource *self = HL_SCALED_SOURCE (source);
  const float *factors = get_factors (self, request->layer, request->head, cancellable, error);

  if (factors == NULL || !hl_attention_source_read (hl_derived_source_get_origin (HL_DERIVED_SOURCE (source)), request,
                                                    target, cancellable, error))
    return FALSE;
  multiply (target, request->n_queries, request->n_keys, factors + request->first_key);
  return TRUE;
}

static void
hl_scaled_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->read_rows = read_rows;
  iface->read = NULL;
}

static char *
make_quantity (HlDerivedSource   *self,
               HlAttentionSource *origin)
{
  return g_strdup (HL_SCALED_SOURCE (self)->quantity);
}

static void
hl_scaled_source_finalize (GObject *object)
{
  HlScaledSource *self = HL_SCALED_SOURCE (object);

  g_object_unref (self->attention);
  g_free (self->quantity);
  g_hash_table_unref (self->factors);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (hl_scaled_source_parent_class)->finalize (object);
}

static void
hl_scaled_source_class_init (HlScaledSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_scaled_source_finalize;
  HL_DERIVED_SOURCE_CLASS (klass)->make_quantity = make_quantity;
}

static void
hl_scaled_source_init (HlScaledSource *self)
{
  g_mutex_init (&self->lock);
  self->factors = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

/**
 * hl_scaled_source_new:
 * @attention: an attention of a document
 * @weights: a source of its layers, heads and keys
 * @func: makes what its weights are multiplied by
 * @quantity: what the products are, translated
 *
 * Returns: (transfer full): the products
 */
HlAttentionSource *
hl_scaled_source_new (HlAttention       *attention,
                      HlAttentionSource *weights,
                      HlKeyFactorsFunc   func,
                      const char        *quantity)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);

  HlScaledSource *self = g_object_new (HL_TYPE_SCALED_SOURCE, NULL);

  self->attention = g_object_ref (attention);
  self->func = func;
  self->quantity = g_strdup (quantity);
  return hl_derived_source_derive (self, weights);
}
