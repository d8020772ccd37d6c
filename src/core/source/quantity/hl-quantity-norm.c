/* SPDX-License-Identifier: MIT */
/* ‖A[i,j] · f(x_j)‖₂ with f(x_j) = v_j·W_O, v with its bias and W_O without: how much of what a head adds to a token comes from a key
 * (Kobayashi et al. 2020). Of heads that are summed, ‖Σ_h A f‖₂: vectors that cancel one another count for nothing. */
#include "core/source/quantity/hl-quantity.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/hl-error.h"
#include "core/source/quantity/hl-layer-norm-source.h"
#include "core/source/quantity/hl-scaled-source.h"
#include "core/source/quantity/hl-transformed-values.h"

static float *
read_norms (const HlLayerTensor *norms,
            guint                head,
            GCancellable        *cancellable,
            GError             **error)
{
  const gsize n = hl_layer_tensor_get_n_columns (norms);
  g_autofree float *numbers = g_try_malloc_n (n, sizeof (float));

  if (numbers == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  return hl_layer_tensor_read (norms, 0, head, 1, 0, n, numbers, cancellable, error) ? g_steal_pointer (&numbers)
                                                                                     : NULL;
}

static float *
make_norms (HlAttention  *attention,
            guint         layer,
            guint         head,
            GCancellable *cancellable,
            GError      **error)
{
  const HlLayerTensor *norms = hl_attention_get_value_norms (attention, layer);

  return norms != NULL ? read_norms (norms, head, cancellable, error)
                       : hl_transformed_values_measure (attention, layer, head, cancellable, error);
}

static gboolean
can (HlAttention *attention)
{
  return hl_attention_get_value_norms (attention, 0) != NULL || hl_transformed_values_are_known (attention);
}

static HlAttentionSource *
make (const HlQuantityParts *parts)
{
  /* Translators: “attention weight × norm of projected value” */
  g_autofree char *quantity =
    g_strdup_printf (_ ("%s × norm of projected value"), hl_attention_source_get_quantity (parts->weights));

  return hl_scaled_source_new (parts->attention, parts->weights, make_norms, quantity);
}

const HlQuantityClass hl_quantity_norm = {
  .label = N_ ("Norm-Weighted"),
  .sentence = N_ ("The weight times the length of the value after the output projection: what the head adds"),
  .needs = N_ ("values and the output projection"),
  .can = can,
  .is_length = TRUE,
  .make = make,
  .can_sum = hl_transformed_values_are_known,
  .sum = hl_layer_norm_source_new,
};
