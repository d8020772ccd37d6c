/* SPDX-License-Identifier: MIT */
/* How the weights of a layer follow from its queries and keys. */
#include "core/model/hl-stack-rule.h"

#include <math.h>

#include "core/base/hl-error.h"

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
  const float part = logf ((float) distance / (float) n_near) / (float) log ((double) stack->max_distance / n_near);
  return first + MIN (n_near + (guint) (part * (float) (n_buckets - n_near)), n_buckets - 1);
}

static gsize
count_biases (const HlStack *self)
{
  return self->relative_bias == NULL && self->slopes == NULL ? 0 : MAX (self->n_biases, 1) * self->shapes[0].n_heads;
}

/* Returns the bytes that hl_stack_new_bias() takes; in double, which does not overflow. */
double
hl_stack_measure_bias (const HlStack *self,
                       gsize          n_distances)
{
  return (double) count_biases (self) * (double) n_distances * sizeof (float);
}

/* Makes [n_heads, n_distances] for each layer that has its own, or for all: what is added to scores by distance, as #HlAttentionRule
 * wants it; %NULL if nothing is. @n_distances is one less than queries and keys, the last of which stand at one another. */
gboolean
hl_stack_new_bias (const HlStack *self,
                   gsize          n_distances,
                   gsize          n_keys,
                   float        **numbers,
                   gsize         *n_numbers,
                   GError       **error)
{
  const gsize n_rows = count_biases (self);
  const guint n_heads = self->shapes[0].n_heads;

  *n_numbers = n_rows * n_distances;
  *numbers = NULL;
  if (*n_numbers == 0)
    return TRUE;
  float *bias = *numbers = g_try_new (float, *n_numbers);
  if (bias == NULL)
    return hl_error_set_no_memory (error);

  for (gsize i = 0; i < n_distances; i++)
    {
      const gint64 distance = (gint64) i - (gint64) (n_keys - 1);
      const guint bucket = self->relative_bias != NULL ? get_bucket (self, distance) : 0;

      for (gsize row = 0; row < n_rows; row++)
        {
          const gsize head = row % n_heads;
          bias[row * n_distances + i] =
            self->relative_bias != NULL
              ? self->relative_bias[(row / n_heads * self->n_buckets + bucket) * n_heads + head]
              : self->slopes[head] * (float) distance;
        }
    }
  return TRUE;
}

/* @bias and @n_distances are as in hl_stack_new_bias(). */
HlAttentionRule
hl_stack_get_rule (const HlStack *self,
                   guint          layer,
                   gboolean       cross,
                   const float   *bias,
                   gsize          n_distances)
{
  if (bias != NULL && self->n_biases > 1)
    bias += (gsize) layer * self->shapes[0].n_heads * n_distances;
  return (HlAttentionRule){
    .scale = self->shapes[layer].scale,
    .softcap = self->softcap,
    .mask = {
      .causal = self->causal && !cross,
      .window = cross ? 0 : self->shapes[layer].window,
      .chunk = cross ? 0 : self->shapes[layer].chunk,
    },
    .bias = cross ? NULL : bias,
    .sinks = cross ? NULL : hl_stack_get_layer (self, layer)->attention.sinks,
  };
}
