/* SPDX-License-Identifier: MIT */
/* What the neuron view says about a pick, in words. */
#include "draw/neuron/hl-neuron-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/scene/hl-scene-describe.h"
#include "draw/steps/hl-step-text.h"
#include "draw/text/hl-token-label.h"

/* "time → flies · feature 5: −0.4 × 0.3 = −0.12" */
static char *
describe_term (const HlHeadSteps *steps,
               const HlPick      *pick)
{
  g_autofree char *query = hl_token_text_quote (hl_attention_get_query_texts (steps->attention)[pick->query]);
  g_autofree char *key = hl_token_text_quote (hl_attention_get_key_texts (steps->attention)[pick->key]);
  const float q = hl_head_steps_get_query (steps, pick->query)[pick->feature];
  const float k = hl_head_steps_get_key (steps, pick->key)[pick->feature];
  char texts[3][HL_SCORE_TEXT_SIZE];

  /* Translators: query token, key token, a feature of both, its two numbers and their product */
  return g_strdup_printf (_ ("%s → %s · feature %zu: %s × %s = %s"), query, key, pick->feature,
                          hl_score_text_format (q, texts[0]), hl_score_text_format (k, texts[1]),
                          hl_score_text_format (q * k, texts[2]));
}

static char *
describe_query (HlNeuronScene *self,
                HlNeuronData  *data,
                const HlPick  *pick)
{
  hl_neuron_row_follow (&self->row, data, pick->query);
  return hl_scene_describe_token (hl_scene_get_state (HL_SCENE (self)), pick, self->row.weights + data->keys.first,
                                  data->keys, 1);
}

static char *
describe_key (HlNeuronScene *self,
              HlNeuronData  *data,
              const HlPick  *pick)
{
  g_autofree float *weights = g_new (float, MAX (data->queries.n, 1));

  if (data->lines == NULL)
    return hl_scene_describe_token (hl_scene_get_state (HL_SCENE (self)), pick, NULL, data->queries, 1);
  hl_head_view_data_get_row (data->lines, 0, pick, weights);
  return hl_scene_describe_token (hl_scene_get_state (HL_SCENE (self)), pick, weights, data->queries, 1);
}

/**
 * hl_neuron_scene_describe: (skip)
 * @scene: a neuron view
 * @pick: something picked
 *
 * Returns: (transfer full) (nullable): a line about it, translated
 */
char *
hl_neuron_scene_describe (HlScene      *scene,
                          const HlPick *pick)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  HlNeuronData *data = hl_neuron_scene_get_data (self);
  const HlRange queries = hl_view_state_get_shown_queries (state);
  const HlRange keys = hl_view_state_get_shown_keys (state);
  const gboolean has_query = pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_CELL;
  const gboolean has_key = pick->kind == HL_PICK_KEY || pick->kind == HL_PICK_CELL;

  if (pick->kind == HL_PICK_HEAD)
    return hl_scene_describe_head (state, pick->head);
  if ((has_query && pick->query - queries.first >= queries.n) || (has_key && pick->key - keys.first >= keys.n))
    return NULL;
  if (data == NULL)
    return pick->kind == HL_PICK_CELL ? hl_scene_describe_cell (state, pick, NULL, 1)
                                      : hl_scene_describe_token (state, pick, NULL, has_query ? keys : queries, 1);
  if (pick->step != HL_STEP_NONE && pick->feature >= data->steps->n_features)
    return NULL;
  if (has_query && has_key && pick->step == HL_STEP_PRODUCTS)
    return describe_term (data->steps, pick);
  if (pick->step == HL_STEP_QUERIES || pick->step == HL_STEP_KEYS)
    return hl_step_text_describe_feature (data->steps, pick->step, pick->step == HL_STEP_KEYS ? pick->key : pick->query,
                                          pick->feature);
  if (pick->kind == HL_PICK_CELL)
    return hl_step_text_describe_cell (data->steps, pick->query, pick->key);
  return has_query ? describe_query (self, data, pick) : describe_key (self, data, pick);
}
