/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/**
 * HlStep:
 * @HL_STEP_NONE: none
 * @HL_STEP_INPUT: X, what the queries are made of: [query, feature of the model]
 * @HL_STEP_QUERY_WEIGHTS: W_Q of the head: [feature of the model, feature of the head]
 * @HL_STEP_QUERIES: Q: [query, feature of the head]
 * @HL_STEP_KEY_WEIGHTS: W_K, as @HL_STEP_QUERY_WEIGHTS
 * @HL_STEP_TOKEN_KEYS: of a Linformer, the keys of tokens: [query, feature of the head]
 * @HL_STEP_KEY_PROJECTION: E, which makes its keys of those of tokens: [key, query]
 * @HL_STEP_KEYS: K: [key, feature of the head]
 * @HL_STEP_VALUE_WEIGHTS: W_V, as @HL_STEP_QUERY_WEIGHTS
 * @HL_STEP_TOKEN_VALUES: as @HL_STEP_TOKEN_KEYS
 * @HL_STEP_VALUE_PROJECTION: F, as @HL_STEP_KEY_PROJECTION
 * @HL_STEP_VALUES: V: [key, feature of the head]
 * @HL_STEP_PRODUCTS: S = Q·Kᵀ: [query, key], as all that follow but the last
 * @HL_STEP_SCALED: S times the scale
 * @HL_STEP_CAPPED: after the soft cap
 * @HL_STEP_BIASED: with the bias added
 * @HL_STEP_MASKED: with −∞ where the mask hides a key
 * @HL_STEP_WEIGHTS: the softmax of each row
 * @HL_STEP_OUTPUT: weights times V: [query, feature of the head]
 * @HL_STEP_OUTPUT_WEIGHTS: the head's rows of W_O: [feature of the head, feature of the model]
 * @HL_STEP_RESULT: the output times these: [query, feature of the model]
 *
 * The matrices of one head, in the order in which one follows from another (Vaswani et al. 2017, 3.2.1).
 */
typedef enum {
  HL_STEP_NONE,
  HL_STEP_INPUT,
  HL_STEP_QUERY_WEIGHTS,
  HL_STEP_QUERIES,
  HL_STEP_KEY_WEIGHTS,
  HL_STEP_TOKEN_KEYS,
  HL_STEP_KEY_PROJECTION,
  HL_STEP_KEYS,
  HL_STEP_VALUE_WEIGHTS,
  HL_STEP_TOKEN_VALUES,
  HL_STEP_VALUE_PROJECTION,
  HL_STEP_VALUES,
  HL_STEP_PRODUCTS,
  HL_STEP_SCALED,
  HL_STEP_CAPPED,
  HL_STEP_BIASED,
  HL_STEP_MASKED,
  HL_STEP_WEIGHTS,
  HL_STEP_OUTPUT,
  HL_STEP_OUTPUT_WEIGHTS,
  HL_STEP_RESULT,
  HL_N_STEPS,
} HlStep;

/**
 * hl_step_is_map:
 * @step: a step
 *
 * Returns: whether it is a matrix of queries and keys
 */
static inline gboolean
hl_step_is_map (HlStep step)
{
  return step >= HL_STEP_PRODUCTS && step <= HL_STEP_WEIGHTS;
}

/**
 * hl_step_get_side:
 * @step: a step
 *
 * Returns: what its rows are: keys of keys, values and what projects to them, queries of all others but weights, whose rows are features
 */
static inline HlSide
hl_step_get_side (HlStep step)
{
  return step == HL_STEP_KEYS || step == HL_STEP_VALUES || step == HL_STEP_KEY_PROJECTION ||
             step == HL_STEP_VALUE_PROJECTION
           ? HL_KEYS
           : HL_QUERIES;
}

/**
 * hl_step_is_weights:
 * @step: a step
 *
 * Returns: whether it belongs to the model, so that no row of it is a token
 */
static inline gboolean
hl_step_is_weights (HlStep step)
{
  return step == HL_STEP_QUERY_WEIGHTS || step == HL_STEP_KEY_WEIGHTS || step == HL_STEP_VALUE_WEIGHTS ||
         step == HL_STEP_OUTPUT_WEIGHTS;
}

/**
 * hl_step_is_projection:
 * @step: a step
 *
 * Returns: whether it makes fewer positions of tokens: its columns are tokens
 */
static inline gboolean
hl_step_is_projection (HlStep step)
{
  return step == HL_STEP_KEY_PROJECTION || step == HL_STEP_VALUE_PROJECTION;
}

/**
 * hl_step_follows_query:
 * @step: a step
 *
 * Returns: whether a row of it is made by hl_head_steps_follow_query()
 */
static inline gboolean
hl_step_follows_query (HlStep step)
{
  return (step >= HL_STEP_PRODUCTS && step <= HL_STEP_OUTPUT) || step == HL_STEP_RESULT;
}

/**
 * HL_MIN_SCORE_SCALE:
 *
 * The smallest number that the scale of scores can be multiplied by.
 */
#define HL_MIN_SCORE_SCALE 0.1

/**
 * HL_MAX_SCORE_SCALE:
 *
 * The greatest number that the scale of scores can be multiplied by.
 */
#define HL_MAX_SCORE_SCALE 100.0

/**
 * HlHeadSteps:
 * @attention: whose head
 * @layer: its layer
 * @head: the head
 * @score_scale: what the scale is multiplied by
 * @masked: whether the mask is in force
 * @rule: how weights follow from scores, with both in it; its sinks and its bias are those of this head alone
 * @n_queries: how many queries
 * @n_keys: how many keys
 * @n_features: features of a query and of a key
 * @n_value_features: features of a value; 0 if there are none
 * @n_input_features: features of the input; 0 if it is not known
 * @n_output_features: features of what the head adds to the stream; 0 if W_O is not known
 * @projections: (nullable): of each side [token, n_features] float32 once read; the keys are those of the head's group
 * @output_weights: (nullable): [n_value_features, n_output_features] likewise
 * @bias: (nullable): what @rule points to, where it was read
 * @panels: (nullable): the keys as hl_attend_make_panels() makes them
 * @values: (nullable): [n_keys, n_value_features] likewise
 *
 * One head on its way from queries and keys to its output. Immutable once read.
 */
typedef struct
{
  HlAttention     *attention;
  guint            layer;
  guint            head;
  double           score_scale;
  gboolean         masked;
  HlAttentionRule  rule;
  gsize            n_queries;
  gsize            n_keys;
  gsize            n_features;
  gsize            n_value_features;
  gsize            n_input_features;
  gsize            n_output_features;
  GBytes          *projections[2];
  GBytes          *distances[2];
  GBytes          *bias;
  GBytes          *panels;
  GBytes          *values;
  GBytes          *output_weights;
} HlHeadSteps;

/**
 * HlStepSum:
 * @terms: (array length=n): what is added, in the order of @first's columns
 * @n: how many
 * @bias: what is added to them
 * @first: the matrix whose row the terms have a factor of
 * @second: that whose column they have the other of
 * @first_row: which row it is
 *
 * How a number of a matrix is made of two others.
 */
typedef struct
{
  float *terms;
  gsize  n;
  float  bias;
  HlStep first;
  HlStep second;
  gsize  first_row;
} HlStepSum;

gboolean     hl_head_steps_are_known      (HlAttention       *attention);
gboolean     hl_head_steps_check          (HlAttention       *attention,
                                           GError           **error);
HlHeadSteps *hl_head_steps_new            (HlAttention       *attention,
                                           guint              layer,
                                           guint              head,
                                           double             score_scale,
                                           gboolean           masked);
void         hl_head_steps_unref          (HlHeadSteps       *self);
gboolean     hl_head_steps_equal          (const HlHeadSteps *self,
                                           const HlHeadSteps *other);
gboolean     hl_head_steps_has            (const HlHeadSteps *self,
                                           HlStep             step);
gsize        hl_head_steps_get_n_rows     (const HlHeadSteps *self,
                                           HlStep             step);
gsize        hl_head_steps_get_n_columns  (const HlHeadSteps *self,
                                           HlStep             step);
gboolean     hl_head_steps_read           (HlHeadSteps       *self,
                                           const HlHeadSteps *known,
                                           GCancellable      *cancellable,
                                           GError           **error);
const float *hl_head_steps_get_projection (const HlHeadSteps *self,
                                           HlSide             side,
                                           gsize              token);
const float *hl_head_steps_get_value      (const HlHeadSteps *self,
                                           gsize              key);
gboolean     hl_head_steps_follow_query   (const HlHeadSteps *self,
                                           gsize              query,
                                           float             *rows[HL_N_STEPS],
                                           GError           **error);
gboolean     hl_head_steps_get_row        (const HlHeadSteps *self,
                                           HlStep             step,
                                           gsize              row,
                                           float             *target,
                                           GError           **error);

gboolean     hl_head_steps_find_factors   (const HlHeadSteps *self,
                                           HlStep             step,
                                           gsize              row,
                                           HlStepSum         *sum);
gboolean     hl_head_steps_get_sum        (const HlHeadSteps *self,
                                           HlStep             step,
                                           gsize              row,
                                           gsize              column,
                                           HlStepSum         *sum);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHeadSteps, hl_head_steps_unref)

G_END_DECLS
