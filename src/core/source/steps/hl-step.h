/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/base/hl-side.h"

G_BEGIN_DECLS

/**
 * HlStep:
 * @HL_STEP_NONE: none
 * @HL_STEP_INPUT: X, what the queries are made of: [query, feature of the model]
 * @HL_STEP_QUERIES: Q: [query, feature of the head]
 * @HL_STEP_KEYS: K: [key, feature of the head]
 * @HL_STEP_VALUES: V: [key, feature of the head]
 * @HL_STEP_PRODUCTS: S = Q·Kᵀ: [query, key], as all that follow but the last
 * @HL_STEP_SCALED: S times the scale
 * @HL_STEP_CAPPED: after the soft cap
 * @HL_STEP_BIASED: with the bias added
 * @HL_STEP_MASKED: with −∞ where the mask hides a key
 * @HL_STEP_WEIGHTS: the softmax of each row
 * @HL_STEP_OUTPUT: weights times V: [query, feature of the head]
 *
 * The matrices of one head, in the order in which one follows from another (Vaswani et al. 2017, 3.2.1).
 */
typedef enum {
  HL_STEP_NONE,
  HL_STEP_INPUT,
  HL_STEP_QUERIES,
  HL_STEP_KEYS,
  HL_STEP_VALUES,
  HL_STEP_PRODUCTS,
  HL_STEP_SCALED,
  HL_STEP_CAPPED,
  HL_STEP_BIASED,
  HL_STEP_MASKED,
  HL_STEP_WEIGHTS,
  HL_STEP_OUTPUT,
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
 * Returns: what its rows are: keys of %HL_STEP_KEYS and %HL_STEP_VALUES, queries of all others
 */
static inline HlSide
hl_step_get_side (HlStep step)
{
  return step == HL_STEP_KEYS || step == HL_STEP_VALUES ? HL_KEYS : HL_QUERIES;
}

G_END_DECLS
