/* SPDX-License-Identifier: MIT */
/* A[i,j] · ‖v_j‖₂: weights on keys whose values are small move little (Kobayashi et al. 2020, without the projection).
 * v has its bias; of grouped heads, those of head ⌊h · value heads / heads⌋. */
#include "core/source/quantity/hl-quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/hl-error.h"
#include "core/source/hl-derived-source.h"

#define HL_TYPE_VALUE_SOURCE (hl_value_source_get_type ())
G_DECLARE_FINAL_TYPE (HlValueSource, hl_value_source, HL, VALUE_SOURCE, HlDerivedSource)

struct _HlValueSource
{
  HlDerivedSource parent_instance;

  HlAttention *attention;
  GMutex lock;
  GHashTable *norms; /* by layer and head of values: [n_keys], guarded by the lock */
};

static void hl_value_source_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlValueSource,
                               hl_value_source,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, hl_value_source_iface_init))

static float *
make_norms (const HlLayerTensor *values,
            guint                head,
            GCancellable        *cancellable,
            GError             **error)
{
  const gsize n_keys = hl_layer_tensor_get_n_rows (values);
  const gsize width = hl_layer_tensor_get_n_columns (values);
  g_autofree float *numbers = g_try_malloc_n (n_keys * width, sizeof (float));
  g_autofree float *norms = g_try_malloc_n (n_keys, sizeof (float));

  if (numbers == NULL || norms == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  if (!hl_layer_tensor_read (values, head, 0, n_keys, 0, width, numbers, cancellable, error))
    return NULL;
  for (gsize key = 0; key < n_keys; key++)
    {
      double sum = 0;

      for (gsize i = 0; i < width; i++)
        sum += (double) numbers[key * width + i] * numbers[key * width + i];
      norms[key] = (float) sqrt (sum);
    }
  return g_steal_pointer (&norms);
}

/* Once made they stay: a number a key. */
static const float *
get_norms (HlValueSource *self,
           guint          layer,
           guint          head,
           GCancellable  *cancellable,
           GError       **error)
{
  const HlLayerTensor *values = hl_attention_get_values (self->attention, layer);
  const guint n_heads = hl_attention_get_n_heads (self->attention, layer);
  const guint value_head = (guint) (head * hl_layer_tensor_get_n_heads (values) / n_heads);
  const gpointer name = GUINT_TO_POINTER (layer * HL_MAX_HEADS + value_head);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  float *norms = g_hash_table_lookup (self->norms, name);

  if (norms == NULL)
    {
      norms = make_norms (values, value_head, cancellable, error);
      if (norms != NULL)
        g_hash_table_insert (self->norms, name, norms);
    }
  return norms;
}

static gboolean
read_rows (HlAttentionSource        *source,
           const HlAttentionRequest *request,
           float                    *target,
           GCancellable             *cancellable,
           GError                  **error)
{
  HlValueSource *self = HL_VALUE_SOURCE (source);
  const float *norms = get_norms (self, request->layer, request->head, cancellable, error);

  if (norms == NULL || !hl_attention_source_read (hl_derived_source_get_origin (HL_DERIVED_SOURCE (source)), request,
                                                  target, cancellable, error))
    return FALSE;
  for (gsize row = 0; row < request->n_queries; row++)
    for (gsize key = 0; key < request->n_keys; key++)
      target[row * request->n_keys + key] *= norms[request->first_key + key];
  return TRUE;
}

static void
hl_value_source_iface_init (HlAttentionSourceInterface *iface)
{
  iface->read_rows = read_rows;
  iface->read = NULL;
}

static char *
make_quantity (HlDerivedSource   *self,
               HlAttentionSource *origin)
{
  /* Translators: “attention weight × value norm” */
  return g_strdup_printf (_ ("%s × value norm"), hl_attention_source_get_quantity (origin));
}

static void
hl_value_source_finalize (GObject *object)
{
  HlValueSource *self = HL_VALUE_SOURCE (object);

  g_object_unref (self->attention);
  g_hash_table_unref (self->norms);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (hl_value_source_parent_class)->finalize (object);
}

static void
hl_value_source_class_init (HlValueSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_value_source_finalize;
  HL_DERIVED_SOURCE_CLASS (klass)->make_quantity = make_quantity;
}

static void
hl_value_source_init (HlValueSource *self)
{
  g_mutex_init (&self->lock);
  self->norms = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

static gboolean
can (HlAttention *attention)
{
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    {
      const HlLayerTensor *values = hl_attention_get_values (attention, layer);

      if (values == NULL || hl_layer_tensor_get_n_rows (values) != hl_attention_get_n (attention, HL_KEYS))
        return FALSE;
    }
  return TRUE;
}

static HlAttentionSource *
make (HlAttention       *attention,
      HlAttentionSource *weights)
{
  HlValueSource *self = g_object_new (HL_TYPE_VALUE_SOURCE, NULL);

  self->attention = g_object_ref (attention);
  return hl_derived_source_derive (self, weights);
}

const HlQuantityClass hl_quantity_value = {
  .label = N_ ("Value-Weighted"),
  .sentence = N_ ("The weight times the length of the key's value: what is small there moves little"),
  .needs = N_ ("values"),
  .can = can,
  .make = make,
};
