/* SPDX-License-Identifier: MIT */
/* What a model view says about a head, in words and numbers. */
#include "draw/model-view/hl-model-view-private.h"

#include "config.h"

#include "view/hl-weight-text.h"

#include <glib/gi18n-lib.h>

/**
 * hl_model_view_scene_describe_pairs: (skip)
 * @self: a model view
 * @pick: a head
 * @label: (out): the words that heads were looked for with
 * @number: (out): how this one links them: "0.92 (1 of 144)"
 *
 * Returns: whether that is known
 */
gboolean
hl_model_view_scene_describe_pairs (HlModelViewScene *self,
                                    const HlPick     *pick,
                                    char            **label,
                                    char            **number)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  HlHeadNumbers *numbers = hl_view_state_get_numbers (state);
  HlPairRanking *ranking = numbers != NULL ? hl_head_numbers_get_ranking (numbers) : NULL;
  char weight[HL_WEIGHT_TEXT_SIZE];

  if (ranking == NULL || hl_view_state_merges_heads (state) || hl_view_state_merges_layers (state))
    return FALSE;
  const guint index = hl_head_numbers_get_index (numbers, pick->layer, pick->head);
  const guint rank = hl_pair_ranking_get_rank (ranking, index);
  /* A weight that is not a number has no place. */
  if (rank == 0)
    return FALSE;
  *label = hl_token_pairs_describe (hl_pair_ranking_get_pairs (ranking));
  hl_weight_text_format (hl_pair_ranking_get_weight (ranking, index), weight);
  /* Translators: a weight, and which place that gives a head among how many: “0.92 (1 of 144)” */
  *number = g_strdup_printf (_ ("%s (%u of %u)"), weight, rank, hl_pair_ranking_get_n (ranking));
  return TRUE;
}

/**
 * hl_model_view_scene_describe: (skip)
 * @scene: a model view
 * @pick: something picked
 *
 * Returns: (transfer full) (nullable): a line about it, translated
 */
char *
hl_model_view_scene_describe (HlScene      *scene,
                              const HlPick *pick)
{
  HlViewState *state = hl_scene_get_state (scene);
  HlAttention *attention = hl_view_state_get_shown_attention (state);

  if (pick->kind != HL_PICK_MAP || pick->layer >= hl_attention_get_n_layers (attention) ||
      pick->head >= hl_attention_get_n_heads (attention, pick->layer))
    return NULL;

  const HlHeadStats *stats = hl_model_view_scene_get_stats (HL_MODEL_VIEW_SCENE (scene), pick);
  g_autofree char *name = hl_view_state_dup_map_name (state, pick->layer, pick->head);
  GString *text = g_string_new (name);
  const char *separator = ": ";
  g_autofree char *pairs = NULL;
  g_autofree char *weight = NULL;

  if (hl_model_view_scene_describe_pairs (HL_MODEL_VIEW_SCENE (scene), pick, &pairs, &weight))
    {
      g_string_append_printf (text, "%s%s %s", separator, pairs, weight);
      separator = ", ";
    }
  for (HlHeadStat stat = 0; stats != NULL && stat < HL_N_HEAD_STATS; stat++)
    {
      if (isnan (stats->values[stat]))
        continue;
      g_autofree char *number = hl_model_view_format_measure (HL_HEAD_MEASURE_STATS + stat, stats->values[stat]);
      g_string_append_printf (text, "%s%s %s", separator, _ (hl_head_number_get (stat)->label), number);
      separator = ", ";
    }
  return g_string_free (text, FALSE);
}
