/* SPDX-License-Identifier: MIT */
/* The vectors of a norm, by either of the names that they have had. */
#include "core/model/layer/hl-norm-load.h"

#include "core/model/layer/hl-linear.h"

/* Before 2019, weights were called gamma and biases beta. */
static float *
load_vector (HlWeights  *weights,
             const char *name,
             const char *now,
             const char *then,
             gsize       width,
             GError    **error)
{
  g_autofree char *new_name = g_strconcat (name, now, NULL);
  g_autofree char *old_name = g_strconcat (name, then, NULL);
  const gboolean old = !hl_weights_has (weights, new_name) && hl_weights_has (weights, old_name);

  return hl_weights_get_vector (weights, old ? old_name : new_name, width, error);
}

/* Reads its weights and its bias. */
gboolean
hl_norm_load (HlNorm     *self,
              HlWeights  *weights,
              const char *name,
              gsize       width,
              gboolean    has_bias,
              GError    **error)
{
  self->weight = load_vector (weights, name, ".weight", ".gamma", width, error);
  if (self->weight == NULL)
    return FALSE;
  if (has_bias)
    self->bias = load_vector (weights, name, ".bias", ".beta", width, error);
  return !has_bias || self->bias != NULL;
}
