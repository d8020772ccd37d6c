/* SPDX-License-Identifier: MIT */
/* What a model view says about a head, in words and numbers. */
#include "draw/hl-model-view-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>

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
  HlBlock *block = hl_view_state_get_shown_block (state);

  if (pick->kind != HL_PICK_MAP || pick->layer >= hl_block_get_n_layers (block) ||
      pick->head >= hl_block_get_n_heads (block, pick->layer))
    return NULL;

  const HlHeadStats *stats = hl_model_view_scene_get_stats (HL_MODEL_VIEW_SCENE (scene), pick);
  g_autofree char *name = hl_view_state_dup_map_name (state, pick->layer, pick->head);
  GString *text = g_string_new (name);
  const char *separator = ": ";

  for (HlHeadStat stat = 0; stats != NULL && stat < HL_N_HEAD_STATS; stat++)
    {
      if (isnan (stats->values[stat]))
        continue;
      g_autofree char *number = hl_model_view_format_measure (HL_HEAD_MEASURE_ENTROPY + stat, stats->values[stat]);
      g_string_append_printf (text, "%s%s %s", separator, hl_head_stat_get_label (stat), number);
      separator = ", ";
    }
  return g_string_free (text, FALSE);
}
