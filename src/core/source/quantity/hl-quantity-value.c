/* SPDX-License-Identifier: MIT */
/* A[i,j] · ‖v_j‖₂: weights on keys whose values are small move little (Kobayashi et al. 2020, without the projection).
 * v has its bias; of grouped heads, those of head ⌊h · value heads / heads⌋. */
#include "core/source/quantity/hl-quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/hl-error.h"
#include "core/source/quantity/hl-scaled-source.h"

static float *
make_norms (HlAttention  *attention,
            guint         layer,
            guint         head,
            GCancellable *cancellable,
            GError      **error)
{
  const HlLayerTensor *values = hl_attention_get_values (attention, layer);
  const guint64 value_head = head * hl_layer_tensor_get_n_heads (values) / hl_attention_get_n_heads (attention, layer);
  const gsize n_keys = hl_layer_tensor_get_n_rows (values);
  const gsize width = hl_layer_tensor_get_n_columns (values);
  g_autofree float *numbers = g_try_malloc_n (n_keys * width, sizeof (float));
  g_autofree float *norms = g_try_malloc_n (n_keys, sizeof (float));

  if (numbers == NULL || norms == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  if (!hl_layer_tensor_read (values, value_head, 0, n_keys, 0, width, numbers, cancellable, error))
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
make (const HlQuantityParts *parts)
{
  /* Translators: “attention weight × value norm” */
  g_autofree char *quantity =
    g_strdup_printf (_ ("%s × value norm"), hl_attention_source_get_quantity (parts->weights));

  return hl_scaled_source_new (parts->attention, parts->weights, make_norms, quantity);
}

const HlQuantityClass hl_quantity_value = {
  .label = N_ ("Value-Weighted"),
  .sentence = N_ ("The weight times the length of the key's value: what is small there moves little"),
  .needs = N_ ("values"),
  .can = can,
  .is_length = TRUE,
  .make = make,
};
