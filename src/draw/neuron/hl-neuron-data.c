/* SPDX-License-Identifier: MIT */
/* What the neuron view shows of a head. */
#include "draw/neuron/hl-neuron-data.h"

#include <float.h>
#include <math.h>

#include "core/base/hl-kernel.h"

/* Lines between more pairs would be a grey area; then a query is shown from the start. */
#define MAX_LINES ((gsize) 1024 * 1024 * 4)

static void
clear (HlSceneData *data)
{
  HlNeuronData *self = (HlNeuronData *) data;

  g_clear_pointer (&self->lines, hl_scene_data_unref);
  hl_head_steps_unref (self->steps);
}

static gboolean
equal (const HlSceneData *self,
       const HlSceneData *other)
{
  const HlNeuronData *a = (const HlNeuronData *) self;
  const HlNeuronData *b = (const HlNeuronData *) other;

  return hl_head_steps_equal (a->steps, b->steps) && hl_range_equal (a->queries, b->queries) &&
         hl_range_equal (a->keys, b->keys);
}

HL_KERNEL static float
find_limit (const float *numbers,
            gsize        n)
{
  float limit = 0;

#pragma omp simd reduction(max : limit)
  for (gsize i = 0; i < n; i++)
    {
      const float size = fabsf (numbers[i]) <= FLT_MAX ? fabsf (numbers[i]) : 0;
      limit = size > limit ? size : limit;
    }
  return limit;
}

HL_KERNEL static float
find_term_limit (const float *query,
                 const float *key,
                 gsize        n)
{
  float limit = 0;

#pragma omp simd reduction(max : limit)
  for (gsize i = 0; i < n; i++)
    {
      const float size = fabsf (query[i] * key[i]);
      limit = size <= FLT_MAX && size > limit ? size : limit;
    }
  return limit;
}

static gboolean
read_numbers (HlSceneData       *data,
              const HlSceneData *known_data,
              GCancellable      *cancellable,
              GError           **error)
{
  HlNeuronData *self = (HlNeuronData *) data;
  const HlNeuronData *known = (const HlNeuronData *) known_data;

  if (!hl_head_steps_read (self->steps, known != NULL ? known->steps : NULL, cancellable, error))
    return FALSE;
  if (self->keys.n > 0)
    self->key_limit = find_limit (hl_head_steps_get_projection (self->steps, HL_KEYS, self->keys.first),
                                  self->keys.n * self->steps->n_features);
  return self->lines == NULL ||
         hl_scene_data_read (self->lines, known != NULL ? known->lines : NULL, cancellable, error);
}

static const HlSceneDataClass data_class = { equal, read_numbers, clear };

HlNeuronData *
hl_neuron_data_new (const HlShown *shown)
{
  HlNeuronData *self = g_atomic_rc_box_new0 (HlNeuronData);

  self->parent.klass = &data_class;
  self->steps = hl_head_steps_new (shown->original, shown->selection.layer, shown->selection.head,
                                   shown->options.score_scale, shown->options.mask);
  self->queries = shown->queries;
  self->keys = shown->keys;
  if (self->queries.n <= MAX_LINES / MAX (self->keys.n, 1))
    self->lines = hl_head_view_data_new_of_head (shown);
  return self;
}

void
hl_neuron_row_follow (HlNeuronRow  *self,
                      HlNeuronData *data,
                      gsize         query)
{
  const HlHeadSteps *steps = data->steps;
  const float *features = hl_head_steps_get_projection (steps, HL_QUERIES, query);

  if (self->data == data && self->query == query)
    return;
  hl_neuron_row_clear (self);
  self->data = hl_scene_data_ref (data);
  self->query = query;
  self->products = g_new (float, MAX (steps->n_keys, 1));
  self->scores = g_new (float, MAX (steps->n_keys, 1));
  self->weights = g_new (float, MAX (steps->n_keys, 1));
  float *rows[HL_N_STEPS] = {
    [HL_STEP_PRODUCTS] = self->products,
    [HL_STEP_BIASED] = self->scores,
    [HL_STEP_WEIGHTS] = self->weights,
  };
  hl_head_steps_follow_query (steps, query, rows, NULL);

  self->query_limit = find_limit (features, steps->n_features);
  for (gsize i = data->keys.first; i < data->keys.first + data->keys.n; i++)
    {
      self->greatest = MAX (self->greatest, self->weights[i]);
      self->term_limit =
        MAX (self->term_limit,
             find_term_limit (features, hl_head_steps_get_projection (steps, HL_KEYS, i), steps->n_features));
    }
}

void
hl_neuron_row_clear (HlNeuronRow *self)
{
  g_clear_pointer (&self->data, hl_scene_data_unref);
  g_free (self->products);
  g_free (self->scores);
  g_free (self->weights);
  *self = (HlNeuronRow){ NULL };
}
