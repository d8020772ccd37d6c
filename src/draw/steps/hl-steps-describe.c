/* SPDX-License-Identifier: MIT */
/* What the view of steps says about a pick, in words. */
#include "draw/steps/hl-steps-private.h"

#include "draw/scene/hl-scene-describe.h"
#include "draw/steps/hl-step-text.h"

static char *
describe_token (HlViewState       *state,
                const HlStepsData *data,
                const HlPick      *pick)
{
  if (pick->kind == HL_PICK_KEY || data == NULL)
    return hl_scene_describe_token (state, pick, NULL, data != NULL ? data->queries : (HlRange){ 0, 0 }, 1);

  g_autofree float *weights = g_new (float, MAX (data->steps->n_keys, 1));
  hl_head_steps_get_row (data->steps, HL_STEP_WEIGHTS, pick->query, weights, NULL);
  return hl_scene_describe_token (state, pick, weights + data->keys.first, data->keys, 1);
}

/**
 * hl_steps_scene_describe: (skip)
 * @scene: a view of steps
 * @pick: something picked
 *
 * Returns: (transfer full) (nullable): a line about it, translated
 */
char *
hl_steps_scene_describe (HlScene      *scene,
                         const HlPick *pick)
{
  HlStepsScene *self = HL_STEPS_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  const HlStepsData *data = hl_steps_scene_get_data (self);
  const HlRange queries = hl_view_state_get_shown_queries (state);
  const HlRange keys = hl_view_state_get_shown_keys (state);
  const gboolean has_query = pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_CELL;
  const gboolean has_key = pick->kind == HL_PICK_KEY || pick->kind == HL_PICK_CELL;

  if (pick->kind == HL_PICK_HEAD)
    return hl_scene_describe_head (state, pick->head);
  if ((has_query && pick->query - queries.first >= queries.n) || (has_key && pick->key - keys.first >= keys.n))
    return NULL;
  if (pick->kind == HL_PICK_CELL)
    return data != NULL ? hl_step_text_describe_cell (data->steps, pick->query, pick->key)
                        : hl_scene_describe_cell (state, pick, NULL, 1);
  if (data == NULL || pick->step == HL_STEP_NONE || !hl_head_steps_has (data->steps, pick->step) ||
      pick->feature >= hl_head_steps_get_n_columns (data->steps, pick->step))
    return describe_token (state, data, pick);
  return hl_step_text_describe_feature (data->steps, pick->step, has_key ? pick->key : pick->query, pick->feature);
}
