/* SPDX-License-Identifier: MIT */
/* One head, step by step: what is between its queries and its output. Rows are made when they are asked for, by the code that makes the
 * weights of HlQkSource. */
#include "core/source/steps/hl-head-steps.h"

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"
#include "core/compute/hl-attend.h"
#include "core/compute/hl-vector-math.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/**
 * hl_head_steps_are_known:
 * @attention: an attention
 *
 * Returns: whether the attention has queries and keys, of which the steps are made
 */
gboolean
hl_head_steps_are_known (HlAttention *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  return hl_attention_get_projection (attention, HL_QUERIES, 0) != NULL &&
         hl_attention_get_projection (attention, HL_KEYS, 0) != NULL;
}

/**
 * hl_head_steps_check:
 * @attention: an attention
 * @error: %HL_ERROR_MISSING
 *
 * Returns: as hl_head_steps_are_known(), and says what is lacking
 */
gboolean
hl_head_steps_check (HlAttention *attention,
                     GError     **error)
{
  if (hl_head_steps_are_known (attention))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("this view needs queries and keys, which the file does not have"));
  return FALSE;
}

/* The head of a tensor of fewer heads that a query head uses; neighbours share one (Ainslie et al. 2023). */
static guint
get_shared_head (const HlHeadSteps   *self,
                 const HlLayerTensor *shared)
{
  const guint64 n_heads =
    hl_layer_tensor_get_n_heads (hl_attention_get_projection (self->attention, HL_QUERIES, self->layer));

  return (guint) (self->head / MAX (n_heads / hl_layer_tensor_get_n_heads (shared), 1));
}

static const HlLayerTensor *
get_inputs (const HlHeadSteps *self)
{
  const HlLayerTensor *inputs = hl_attention_get_inputs (self->attention, self->layer);

  return inputs != NULL && hl_layer_tensor_get_n_rows (inputs) == self->n_queries ? inputs : NULL;
}

/* What a step is a look at, of what the attention knows; %NULL for those that are computed. */
static const HlLayerTensor *
get_known (const HlHeadSteps *self,
           HlStep             step)
{
  static const HlIngredient ingredients[] = {
    [HL_STEP_QUERY_WEIGHTS] = HL_INGREDIENT_QUERY_WEIGHTS,
    [HL_STEP_KEY_WEIGHTS] = HL_INGREDIENT_KEY_WEIGHTS,
    [HL_STEP_VALUE_WEIGHTS] = HL_INGREDIENT_VALUE_WEIGHTS,
    [HL_STEP_TOKEN_KEYS] = HL_INGREDIENT_TOKEN_KEYS,
    [HL_STEP_TOKEN_VALUES] = HL_INGREDIENT_TOKEN_VALUES,
    [HL_STEP_KEY_PROJECTION] = HL_INGREDIENT_KEY_PROJECTION,
    [HL_STEP_VALUE_PROJECTION] = HL_INGREDIENT_VALUE_PROJECTION,
  };

  switch (step)
    {
    case HL_STEP_INPUT:
      return get_inputs (self);
    case HL_STEP_OUTPUT_WEIGHTS:
      return self->n_value_features > 0 ? hl_attention_get_output (self->attention, self->layer) : NULL;
    case HL_STEP_QUERY_WEIGHTS:
    case HL_STEP_KEY_WEIGHTS:
    case HL_STEP_VALUE_WEIGHTS:
    case HL_STEP_TOKEN_KEYS:
    case HL_STEP_KEY_PROJECTION:
    case HL_STEP_TOKEN_VALUES:
    case HL_STEP_VALUE_PROJECTION:
      {
        const HlLayerTensor *known = hl_attention_get_ingredient (self->attention, ingredients[step], self->layer);
        const gboolean fits = known == NULL || hl_step_is_weights (step) ||
                              (hl_step_is_projection (step)
                                 ? hl_layer_tensor_get_n_columns (known) == self->n_queries &&
                                     hl_layer_tensor_get_n_rows (known) == self->n_keys
                                 : hl_layer_tensor_get_n_rows (known) == self->n_queries);
        return fits ? known : NULL;
      }
    default:
      return NULL;
    }
}

static const HlLayerTensor *
get_values (const HlHeadSteps *self)
{
  const HlLayerTensor *values = hl_attention_get_values (self->attention, self->layer);

  return values != NULL && hl_layer_tensor_get_n_rows (values) == self->n_keys ? values : NULL;
}

/**
 * hl_head_steps_new:
 * @attention: an attention with queries and keys
 * @layer: a layer
 * @head: a head of it
 * @score_scale: what the scale of the layer's rule is multiplied by, greater than 0
 * @masked: whether the rule's mask is in force
 *
 * Returns: (transfer full): the steps, for hl_head_steps_read()
 */
HlHeadSteps *
hl_head_steps_new (HlAttention *attention,
                   guint        layer,
                   guint        head,
                   double       score_scale,
                   gboolean     masked)
{
  g_return_val_if_fail (hl_head_steps_are_known (attention), NULL);
  g_return_val_if_fail (layer < hl_attention_get_n_layers (attention), NULL);
  g_return_val_if_fail (head < hl_attention_get_n_heads (attention, layer), NULL);
  g_return_val_if_fail (score_scale > 0, NULL);

  HlHeadSteps *self = g_atomic_rc_box_new0 (HlHeadSteps);
  self->attention = g_object_ref (attention);
  self->layer = layer;
  self->head = head;
  self->score_scale = score_scale;
  self->masked = masked;
  self->rule = *hl_attention_get_rule (attention, layer);
  self->rule.scale *= score_scale;
  if (!masked)
    self->rule.mask = (HlMask){ FALSE, 0 };
  self->n_queries = hl_attention_get_n (attention, HL_QUERIES);
  self->n_keys = hl_attention_get_n (attention, HL_KEYS);
  self->n_features = hl_layer_tensor_get_n_columns (hl_attention_get_projection (attention, HL_QUERIES, layer));
  if (self->rule.sinks != NULL)
    self->rule.sinks += head;
  if (self->rule.bias != NULL)
    self->rule.bias += head * (self->n_queries + self->n_keys - 1);
  if (get_values (self) != NULL)
    self->n_value_features = hl_layer_tensor_get_n_columns (get_values (self));
  if (get_inputs (self) != NULL)
    self->n_input_features = hl_layer_tensor_get_n_columns (get_inputs (self));
  if (get_known (self, HL_STEP_OUTPUT_WEIGHTS) != NULL)
    self->n_output_features = hl_layer_tensor_get_n_columns (get_known (self, HL_STEP_OUTPUT_WEIGHTS));
  return self;
}

static void
clear (gpointer data)
{
  HlHeadSteps *self = data;

  g_object_unref (self->attention);
  g_clear_pointer (&self->projections[HL_QUERIES], g_bytes_unref);
  g_clear_pointer (&self->projections[HL_KEYS], g_bytes_unref);
  g_clear_pointer (&self->panels, g_bytes_unref);
  g_clear_pointer (&self->distances[HL_QUERIES], g_bytes_unref);
  g_clear_pointer (&self->distances[HL_KEYS], g_bytes_unref);
  g_clear_pointer (&self->bias, g_bytes_unref);
  g_clear_pointer (&self->values, g_bytes_unref);
  g_clear_pointer (&self->output_weights, g_bytes_unref);
}

/**
 * hl_head_steps_unref:
 * @self: (transfer full): steps
 */
void
hl_head_steps_unref (HlHeadSteps *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

static gboolean
is_same_head (const HlHeadSteps *a,
              const HlHeadSteps *b)
{
  return a->attention == b->attention && a->layer == b->layer && a->head == b->head;
}

/**
 * hl_head_steps_equal:
 * @self: steps
 * @other: steps
 *
 * Returns: whether both are the same numbers, read or not
 */
gboolean
hl_head_steps_equal (const HlHeadSteps *self,
                     const HlHeadSteps *other)
{
  return is_same_head (self, other) && self->score_scale == other->score_scale && self->masked == other->masked;
}

/**
 * hl_head_steps_has:
 * @self: steps
 * @step: one of them
 *
 * Returns: whether the head has this step: input and values may be unknown, and not every rule has a cap, a bias or a mask. The mask
 *   remains a step when it is not in force
 */
gboolean
hl_head_steps_has (const HlHeadSteps *self,
                   HlStep             step)
{
  const HlMask *mask = &hl_attention_get_rule (self->attention, self->layer)->mask;

  switch (step)
    {
    case HL_STEP_NONE:
    case HL_N_STEPS:
      return FALSE;
    case HL_STEP_INPUT:
      return self->n_input_features > 0;
    case HL_STEP_VALUES:
    case HL_STEP_OUTPUT:
      return self->n_value_features > 0;
    case HL_STEP_CAPPED:
      return self->rule.softcap > 0;
    case HL_STEP_BIASED:
      return hl_attention_has_bias (self->attention, self->layer) || self->rule.distances != NULL;
    case HL_STEP_MASKED:
      return hl_mask_hides (mask) || hl_attention_get_cells (self->attention) != NULL;
    case HL_STEP_QUERY_WEIGHTS:
    case HL_STEP_KEY_WEIGHTS:
    case HL_STEP_VALUE_WEIGHTS:
    case HL_STEP_TOKEN_KEYS:
    case HL_STEP_KEY_PROJECTION:
    case HL_STEP_TOKEN_VALUES:
    case HL_STEP_VALUE_PROJECTION:
      return get_known (self, step) != NULL;
    case HL_STEP_OUTPUT_WEIGHTS:
    case HL_STEP_RESULT:
      return self->n_output_features > 0;
    default:
      return TRUE;
    }
}

/**
 * hl_head_steps_get_n_rows:
 * @self: steps
 * @step: one of them
 *
 * Returns: rows of its matrix
 */
gsize
hl_head_steps_get_n_rows (const HlHeadSteps *self,
                          HlStep             step)
{
  return hl_step_is_weights (step) ? hl_layer_tensor_get_n_rows (get_known (self, step))
                                   : hl_attention_get_n (self->attention, hl_step_get_side (step));
}

/**
 * hl_head_steps_get_n_columns:
 * @self: steps
 * @step: one of them
 *
 * Returns: columns of its matrix
 */
gsize
hl_head_steps_get_n_columns (const HlHeadSteps *self,
                             HlStep             step)
{
  switch (step)
    {
    case HL_STEP_INPUT:
      return self->n_input_features;
    case HL_STEP_QUERIES:
    case HL_STEP_KEYS:
      return self->n_features;
    case HL_STEP_RESULT:
      return self->n_output_features;
    case HL_STEP_QUERY_WEIGHTS:
    case HL_STEP_KEY_WEIGHTS:
    case HL_STEP_VALUE_WEIGHTS:
    case HL_STEP_TOKEN_KEYS:
    case HL_STEP_KEY_PROJECTION:
    case HL_STEP_TOKEN_VALUES:
    case HL_STEP_VALUE_PROJECTION:
    case HL_STEP_OUTPUT_WEIGHTS:
      return hl_layer_tensor_get_n_columns (get_known (self, step));
    case HL_STEP_VALUES:
    case HL_STEP_OUTPUT:
      return self->n_value_features;
    default:
      return self->n_keys;
    }
}

static GBytes *
read_all (const HlLayerTensor *tensor,
          guint                head,
          GCancellable        *cancellable,
          GError             **error)
{
  const HlShape shape = { 2, { hl_layer_tensor_get_n_rows (tensor), hl_layer_tensor_get_n_columns (tensor) } };
  g_autofree float *numbers = NULL;
  guint64 size;

  if (hl_shape_get_n_bytes (&shape, sizeof (float), &size))
    numbers = g_try_malloc (MAX (size, 1));
  if (numbers == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  if (!hl_layer_tensor_read (tensor, head, 0, shape.dims[0], 0, shape.dims[1], numbers, cancellable, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&numbers), size);
}

/* What is added to the scores of the head by distance, where it is not in memory. */
static gboolean
read_bias (HlHeadSteps  *self,
           GCancellable *cancellable,
           GError      **error)
{
  if (self->rule.bias != NULL || !hl_attention_has_bias (self->attention, self->layer))
    return TRUE;
  float *bias = hl_attention_read_bias (self->attention, self->layer, self->head, cancellable, error);
  if (bias == NULL)
    return FALSE;
  self->bias = g_bytes_new_take (bias, (self->n_queries + self->n_keys - 1) * sizeof *bias);
  self->rule.bias = bias;
  return TRUE;
}

/**
 * hl_head_steps_read:
 * @self: steps without numbers
 * @known: (nullable): steps read earlier, whose numbers are taken if they are of the same head
 * @cancellable: (nullable): stops it
 * @error: what the file says, %HL_ERROR_TOO_LARGE, or %G_IO_ERROR_CANCELLED
 *
 * Reads queries, keys and values. All else follows from them.
 *
 * Returns: whether they are there
 */
gboolean
hl_head_steps_read (HlHeadSteps       *self,
                    const HlHeadSteps *known,
                    GCancellable      *cancellable,
                    GError           **error)
{
  const HlLayerTensor *values = get_values (self);

  if (known != NULL && known->panels != NULL && is_same_head (self, known))
    {
      self->projections[HL_QUERIES] = g_bytes_ref (known->projections[HL_QUERIES]);
      self->projections[HL_KEYS] = g_bytes_ref (known->projections[HL_KEYS]);
      self->panels = g_bytes_ref (known->panels);
      for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
        self->distances[side] = known->distances[side] != NULL ? g_bytes_ref (known->distances[side]) : NULL;
      self->bias = known->bias != NULL ? g_bytes_ref (known->bias) : NULL;
      self->rule.bias = known->rule.bias;
      self->values = known->values != NULL ? g_bytes_ref (known->values) : NULL;
      self->output_weights = known->output_weights != NULL ? g_bytes_ref (known->output_weights) : NULL;
      return TRUE;
    }
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      const HlLayerTensor *tensor = hl_attention_get_projection (self->attention, side, self->layer);
      self->projections[side] = read_all (tensor, get_shared_head (self, tensor), cancellable, error);
      if (self->projections[side] == NULL)
        return FALSE;
      const HlLayerTensor *distances = hl_attention_get_distances (self->attention, side, self->layer);
      self->distances[side] = distances != NULL ? read_all (distances, self->head, cancellable, error) : NULL;
      if (distances != NULL && self->distances[side] == NULL)
        return FALSE;
    }
  if (!read_bias (self, cancellable, error))
    return FALSE;
  self->panels =
    hl_attend_make_panels (hl_head_steps_get_projection (self, HL_KEYS, 0), self->n_keys, self->n_features);
  if (self->panels == NULL)
    return hl_error_set_no_memory (error);
  if (values == NULL)
    return TRUE;
  self->values = read_all (values, get_shared_head (self, values), cancellable, error);
  if (self->values == NULL)
    return FALSE;
  if (self->n_output_features == 0)
    return TRUE;
  self->output_weights = read_all (get_known (self, HL_STEP_OUTPUT_WEIGHTS), self->head, cancellable, error);
  return self->output_weights != NULL;
}

/**
 * hl_head_steps_get_projection:
 * @self: steps that were read
 * @side: queries or keys
 * @token: one of them
 *
 * Returns: (transfer none) (array): its features
 */
const float *
hl_head_steps_get_projection (const HlHeadSteps *self,
                              HlSide             side,
                              gsize              token)
{
  return (const float *) g_bytes_get_data (self->projections[side], NULL) + token * self->n_features;
}

/**
 * hl_head_steps_get_value:
 * @self: steps that were read and have values
 * @key: a key
 *
 * Returns: (transfer none) (array): the features of its value
 */
const float *
hl_head_steps_get_value (const HlHeadSteps *self,
                         gsize              key)
{
  return (const float *) g_bytes_get_data (self->values, NULL) + key * self->n_value_features;
}

HL_KERNEL static void
scale_row (const float *from,
           gsize        n,
           float        scale,
           float       *to)
{
  for (gsize i = 0; i < n; i++)
    to[i] = from[i] * scale;
}

HL_KERNEL static void
cap_row (float *row,
         gsize  n,
         float  softcap)
{
  for (gsize i = 0; i < n; i++)
    row[i] = softcap * hl_tanh (row[i] / softcap);
}

HL_KERNEL static void
add_row (float       *target,
         const float *row,
         gsize        n,
         float        factor)
{
  for (gsize i = 0; i < n; i++)
    target[i] += factor * row[i];
}

static double
multiply (const float *a,
          const float *b,
          gsize        n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += (double) a[i] * b[i];
  return sum;
}

/* What a query and the keys give with the distances between them, scaled. */
static void
add_distances (const HlHeadSteps *self,
               gsize              query,
               float             *scores)
{
  const HlDistances *distances = self->rule.distances;
  const gsize n = self->n_features;
  const float *own = hl_head_steps_get_projection (self, HL_QUERIES, query);

  if (distances == NULL)
    return;
  for (gsize key = 0; key < self->n_keys; key++)
    {
      const gsize row = distances->rows[key + self->n_queries - 1 - query];
      double sum = 0;

      if (self->distances[HL_KEYS] != NULL)
        sum += multiply (own, (const float *) g_bytes_get_data (self->distances[HL_KEYS], NULL) + row * n, n);
      if (self->distances[HL_QUERIES] != NULL)
        sum += multiply (hl_head_steps_get_projection (self, HL_KEYS, key),
                         (const float *) g_bytes_get_data (self->distances[HL_QUERIES], NULL) + row * n, n);
      scores[key] += (float) (sum * self->rule.scale);
    }
}

static void
hand_on (float       *row,
         const float *values,
         gsize        n)
{
  if (row != NULL)
    memcpy (row, values, n * sizeof (float));
}

static void
attend (const HlHeadSteps *self,
        const float       *weights,
        gsize              first,
        gsize              end,
        float             *output)
{
  memset (output, 0, self->n_value_features * sizeof (float));
  for (gsize key = first; key < end; key++)
    add_row (output, hl_head_steps_get_value (self, key), self->n_value_features, weights[key]);
}

/* What a head adds to the stream. */
static void
project_output (const HlHeadSteps *self,
                const float       *output,
                float             *result)
{
  const float *weights = g_bytes_get_data (self->output_weights, NULL);

  memset (result, 0, self->n_output_features * sizeof (float));
  for (gsize i = 0; i < self->n_value_features; i++)
    add_row (result, weights + i * self->n_output_features, self->n_output_features, output[i]);
}

/**
 * hl_head_steps_follow_query:
 * @self: steps that were read
 * @query: a query
 * @rows: (inout): a buffer for each step from %HL_STEP_PRODUCTS on whose row is wanted, %NULL for the others
 *
 * @error: what the file says about what single cells are masked
 *
 * Makes the rows of one query. A step that the head does not have is as the one before it. Weights of masked keys are 0; where a mask of single
 * cells hides them, −0.
 *
 * Returns: whether they are made; if not, they are not numbers
 */
gboolean
hl_head_steps_follow_query (const HlHeadSteps *self,
                            gsize              query,
                            float             *rows[HL_N_STEPS],
                            GError           **error)
{
  const gsize n = self->n_keys;
  const gsize stride = hl_attend_tile_get_stride (n);
  const HlAttendHead head = { .n_keys = n,
                              .n_features = self->n_features,
                              .panels = g_bytes_get_data (self->panels, NULL) };
  g_autofree float *scores = g_new (float, stride);
  g_autofree float *weights = NULL;
  HlCellMask *cells = self->masked ? hl_attention_get_cells (self->attention) : NULL;
  g_autofree guint8 *seen = cells != NULL ? hl_cell_mask_read_new (cells, self->layer, query, 1, 0, n, NULL, error)
                                          : NULL;
  gsize first, end;

  if (cells != NULL && seen == NULL)
    {
      for (HlStep step = 0; step < HL_N_STEPS; step++)
        for (gsize i = 0; rows[step] != NULL && i < hl_head_steps_get_n_columns (self, step); i++)
          rows[step][i] = NAN;
      return FALSE;
    }
  hl_mask_get_visible (&self->rule.mask, self->n_queries, n, query, &first, &end);
  hl_attend_tile_multiply (&head, hl_head_steps_get_projection (self, HL_QUERIES, query), 1, 0, n, scores, stride);
  hand_on (rows[HL_STEP_PRODUCTS], scores, n);
  scale_row (scores, n, (float) self->rule.scale, scores);
  hand_on (rows[HL_STEP_SCALED], scores, n);

  if (rows[HL_STEP_WEIGHTS] != NULL || rows[HL_STEP_OUTPUT] != NULL || rows[HL_STEP_RESULT] != NULL)
    {
      g_autofree float *made =
        rows[HL_STEP_OUTPUT] == NULL && rows[HL_STEP_RESULT] != NULL ? g_new (float, self->n_value_features) : NULL;
      float *output = made != NULL ? made : rows[HL_STEP_OUTPUT];

      weights = g_memdup2 (scores, n * sizeof (float));
      add_distances (self, query, weights);
      hl_attend_rule_finish_row (&self->rule, 0, self->n_queries, n, query, seen, weights);
      hand_on (rows[HL_STEP_WEIGHTS], weights, n);
      if (output != NULL)
        attend (self, weights, first, end, output);
      if (rows[HL_STEP_RESULT] != NULL)
        project_output (self, output, rows[HL_STEP_RESULT]);
    }

  if (self->rule.softcap > 0)
    cap_row (scores, n, (float) self->rule.softcap);
  hand_on (rows[HL_STEP_CAPPED], scores, n);
  add_distances (self, query, scores);
  if (self->rule.bias != NULL)
    add_row (scores, self->rule.bias + (self->n_queries - 1 - query), n, 1);
  hand_on (rows[HL_STEP_BIASED], scores, n);
  for (gsize key = 0; key < n; key++)
    if (key < first || key >= end || (seen != NULL && seen[key] == 0))
      scores[key] = -INFINITY;
  hand_on (rows[HL_STEP_MASKED], scores, n);
  return TRUE;
}

/**
 * hl_head_steps_get_row:
 * @self: steps that were read
 * @step: one that the head has
 * @row: a row of its matrix
 * @target: (out caller-allocates) (array): as many numbers as the matrix has columns
 * @error: what the file says about the input
 *
 * Returns: whether @target is filled
 */
gboolean
hl_head_steps_get_row (const HlHeadSteps *self,
                       HlStep             step,
                       gsize              row,
                       float             *target,
                       GError           **error)
{
  float *rows[HL_N_STEPS] = { NULL };

  g_return_val_if_fail (hl_head_steps_has (self, step), FALSE);
  g_return_val_if_fail (row < hl_head_steps_get_n_rows (self, step), FALSE);

  switch (step)
    {
    case HL_STEP_INPUT:
      return hl_layer_tensor_read (get_inputs (self), 0, row, 1, 0, self->n_input_features, target, NULL, error);
    case HL_STEP_QUERY_WEIGHTS:
    case HL_STEP_KEY_WEIGHTS:
    case HL_STEP_VALUE_WEIGHTS:
    case HL_STEP_TOKEN_KEYS:
    case HL_STEP_KEY_PROJECTION:
    case HL_STEP_TOKEN_VALUES:
    case HL_STEP_VALUE_PROJECTION:
    case HL_STEP_OUTPUT_WEIGHTS:
      {
        const HlLayerTensor *known = get_known (self, step);
        return hl_layer_tensor_read (known, get_shared_head (self, known), row, 1, 0,
                                     hl_layer_tensor_get_n_columns (known), target, NULL, error);
      }
    case HL_STEP_QUERIES:
      memcpy (target, hl_head_steps_get_projection (self, HL_QUERIES, row), self->n_features * sizeof (float));
      return TRUE;
    case HL_STEP_KEYS:
      memcpy (target, hl_head_steps_get_projection (self, HL_KEYS, row), self->n_features * sizeof (float));
      return TRUE;
    case HL_STEP_VALUES:
      memcpy (target, hl_head_steps_get_value (self, row), self->n_value_features * sizeof (float));
      return TRUE;
    default:
      rows[step] = target;
      return hl_head_steps_follow_query (self, row, rows, error);
    }
}

/* The query that is the same token as a key, whose row of X the key is made of. */
static gboolean
find_input_of_key (const HlHeadSteps *self,
                   gsize              key,
                   gsize             *row)
{
  return hl_attention_find_query_of_key (self->attention, key, row);
}

/**
 * hl_head_steps_find_factors:
 * @self: steps
 * @step: one that the head has
 * @row: a row of its matrix
 * @sum: (out): which two matrices the row is made of, and of which row of the first; without terms
 *
 * Returns: whether it is made of two others
 */
gboolean
hl_head_steps_find_factors (const HlHeadSteps *self,
                            HlStep             step,
                            gsize              row,
                            HlStepSum         *sum)
{
  const gboolean is_projected = hl_head_steps_has (self, HL_STEP_KEY_PROJECTION);

  *sum = (HlStepSum){ .first_row = row };
  switch (step)
    {
    case HL_STEP_QUERIES:
      sum->first = HL_STEP_INPUT;
      sum->second = HL_STEP_QUERY_WEIGHTS;
      break;
    case HL_STEP_KEYS:
      sum->first = is_projected ? HL_STEP_KEY_PROJECTION : HL_STEP_INPUT;
      sum->second = is_projected ? HL_STEP_TOKEN_KEYS : HL_STEP_KEY_WEIGHTS;
      if (!is_projected && !find_input_of_key (self, row, &sum->first_row))
        return FALSE;
      break;
    case HL_STEP_VALUES:
      sum->first = hl_head_steps_has (self, HL_STEP_VALUE_PROJECTION) ? HL_STEP_VALUE_PROJECTION : HL_STEP_INPUT;
      sum->second = sum->first == HL_STEP_VALUE_PROJECTION ? HL_STEP_TOKEN_VALUES : HL_STEP_VALUE_WEIGHTS;
      if (sum->first == HL_STEP_INPUT && !find_input_of_key (self, row, &sum->first_row))
        return FALSE;
      break;
    case HL_STEP_OUTPUT:
      sum->first = HL_STEP_WEIGHTS;
      sum->second = HL_STEP_VALUES;
      break;
    case HL_STEP_RESULT:
      sum->first = HL_STEP_OUTPUT;
      sum->second = HL_STEP_OUTPUT_WEIGHTS;
      break;
    default:
      return FALSE;
    }
  return hl_head_steps_has (self, sum->first) && hl_head_steps_has (self, sum->second) &&
         hl_head_steps_get_n_columns (self, sum->first) == hl_head_steps_get_n_rows (self, sum->second);
}

/* The column of a matrix that the head has, whole. */
static gboolean
get_column (const HlHeadSteps *self,
            HlStep             step,
            gsize              column,
            float             *target,
            GError           **error)
{
  const HlLayerTensor *known = get_known (self, step);
  const gsize n = hl_head_steps_get_n_rows (self, step);

  if (known != NULL)
    return hl_layer_tensor_read (known, get_shared_head (self, known), 0, n, column, 1, target, NULL, error);
  for (gsize row = 0; row < n; row++)
    target[row] = hl_head_steps_get_value (self, row)[column];
  return TRUE;
}

/**
 * hl_head_steps_get_sum:
 * @self: steps that were read
 * @step: one that the head has
 * @row: a row of its matrix
 * @column: a column of it
 * @sum: (out): how that number is made; free its terms
 *
 * With the terms goes what hl_attention_get_finish() says of queries and keys. Reads little more than it tells.
 *
 * Returns: whether it is a sum of products, and could be read
 */
gboolean
hl_head_steps_get_sum (const HlHeadSteps *self,
                       HlStep             step,
                       gsize              row,
                       gsize              column,
                       HlStepSum         *sum)
{
  if (!hl_head_steps_find_factors (self, step, row, sum))
    return FALSE;
  sum->n = hl_head_steps_get_n_columns (self, sum->first);
  g_autofree float *terms = g_new (float, MAX (sum->n, 1));
  g_autofree float *factors = g_new (float, MAX (sum->n, 1));
  if (!hl_head_steps_get_row (self, sum->first, sum->first_row, terms, NULL) ||
      !get_column (self, sum->second, column, factors, NULL))
    return FALSE;
  for (gsize i = 0; i < sum->n; i++)
    terms[i] *= factors[i];

  if (sum->first == HL_STEP_INPUT)
    {
      const HlIngredient which = step == HL_STEP_QUERIES ? HL_INGREDIENT_QUERY_BIAS
                                 : step == HL_STEP_KEYS  ? HL_INGREDIENT_KEY_BIAS
                                                         : HL_INGREDIENT_VALUE_BIAS;
      const HlLayerTensor *bias = hl_attention_get_ingredient (self->attention, which, self->layer);
      if (bias != NULL &&
          !hl_layer_tensor_read (bias, get_shared_head (self, bias), 0, 1, column, 1, &sum->bias, NULL, NULL))
        return FALSE;
    }
  sum->terms = g_steal_pointer (&terms);
  return TRUE;
}
