/* SPDX-License-Identifier: MIT */
/* How long what a key brings is: as a file says it, or from values and the output projection. */
#include "core/analysis/number/hl-head-norms.h"

#include "core/base/hl-error.h"
#include "core/source/quantity/hl-transformed-values.h"

/* Whether they are, in all layers. */
gboolean
hl_head_norms_are_known (HlAttention *attention)
{
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    if (hl_attention_get_value_norms (attention, layer) == NULL)
      return hl_transformed_values_are_known (attention);
  return TRUE;
}

static gboolean
read_given (const HlLayerTensor *given,
            guint                head,
            gsize                n,
            float              **norms,
            GCancellable        *cancellable,
            GError             **error)
{
  *norms = g_try_malloc_n (n, sizeof (float));
  if (*norms == NULL)
    return hl_error_set_no_memory (error);
  return hl_layer_tensor_read (given, 0, head, 1, 0, n, *norms, cancellable, error);
}

/* Returns (transfer full) (nullable): ‖f(x_j)‖ of each key; free with g_free(). */
double *
hl_head_norms_read (HlAttention  *attention,
                    guint         layer,
                    guint         head,
                    GCancellable *cancellable,
                    GError      **error)
{
  const gsize n = hl_attention_get_n (attention, HL_KEYS);
  const HlLayerTensor *given = hl_attention_get_value_norms (attention, layer);
  g_autofree double *norms = g_try_malloc_n (n, sizeof (double));
  g_autofree float *lengths = NULL;

  if (norms == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  if (given == NULL)
    lengths = hl_transformed_values_measure (attention, layer, head, cancellable, error);
  else if (!read_given (given, head, n, &lengths, cancellable, error))
    return NULL;
  if (lengths == NULL)
    return NULL;
  for (gsize key = 0; key < n; key++)
    norms[key] = lengths[key];
  return g_steal_pointer (&norms);
}
