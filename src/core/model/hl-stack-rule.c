/* SPDX-License-Identifier: MIT */
/* How the weights of a layer follow from its queries and keys. */
#include "core/model/hl-stack.h"

#include <math.h>

/* Which of T5's biases belongs to a distance: one each for the near ones, then ever wider ranges (Raffel et al. 2020, 2.1). */
static guint
get_bucket (const HlStack *stack,
            gint64         distance)
{
  guint n_buckets = stack->n_buckets;
  guint first = 0;

  if (!stack->causal)
    {
      n_buckets /= 2;
      first = distance > 0 ? n_buckets : 0;
      distance = ABS (distance);
    }
  else
    {
      distance = MAX (-distance, 0);
    }
  const guint n_near = n_buckets / 2;
  if (distance < n_near)
    return first + (guint) distance;
  /* In float32, so that a distance at the border falls where it did in training. */
  const float part = logf ((float) distance / (float) n_near) /
                     (float) log ((double) stack->max_distance / n_near);
  return first + MIN (n_near + (guint) (part * (float) (n_buckets - n_near)), n_buckets - 1);
}

/**
 * hl_stack_new_bias: (skip)
 * @self: a stack
 * @n: tokens it is run on
 *
 * Returns: (transfer full) (nullable): [n_heads, 2·n − 1], what its layers add to scores by distance, as #HlAttentionRule wants it; %NULL if
 *   they add nothing
 */
float *
hl_stack_new_bias (const HlStack *self,
                   gsize          n)
{
  const gsize n_distances = 2 * n - 1;

  if (self->relative_bias == NULL)
    return NULL;
  float *bias = g_new (float, self->n_heads *n_distances);

  for (gsize i = 0; i < n_distances; i++)
    {
      const guint bucket = get_bucket (self, (gint64) i - (gint64) (n - 1));
      for (guint head = 0; head < self->n_heads; head++)
        bias[head * n_distances + i] = self->relative_bias[bucket * self->n_heads + head];
    }
  return bias;
}

/**
 * hl_stack_get_rule: (skip)
 * @self: a stack
 * @layer: a layer
 * @cross: whether it is about the attention to the encoder
 * @bias: (nullable): what hl_stack_new_bias() gives
 *
 * Returns: the rule of the layer's attention, which points to @bias
 */
HlAttentionRule
hl_stack_get_rule (const HlStack *self,
                   guint          layer,
                   gboolean       cross,
                   const float   *bias)
{
  return (HlAttentionRule){
    .scale = self->scales[layer],
    .softcap = self->softcap,
    .mask = { .causal = self->causal && !cross, .window = cross ? 0 : self->windows[layer] },
    .bias = cross ? NULL : bias,
  };
}
