/* SPDX-License-Identifier: MIT */
/* The views, in the order in which they are offered. */
#include "view/hl-view-kind.h"

#include "config.h"

#include <glib/gi18n-lib.h>

static const HlViewTraits views[HL_N_VIEW_KINDS] = {
  { HL_VIEW_HEAD_VIEW, "head-view", N_ ("Head View"), HL_WALK_TOKENS, .mixes_layers = TRUE, .can_turn = TRUE,
    .mirrors = TRUE, .offers_reading = TRUE, .has_minimap = TRUE, .joins_tokens = TRUE, .links_tokens = TRUE },
  { HL_VIEW_HEATMAP, "heatmap", N_ ("Heatmap"), HL_WALK_CELLS, .shows_one_head = TRUE, .has_value_scale = TRUE,
    .crosses_sides = TRUE, .mirrors = TRUE, .offers_reading = TRUE, .has_minimap = TRUE, .keeps_proportions = TRUE },
  { HL_VIEW_MODEL, "model-view", N_ ("Model View"), HL_WALK_SCENE, .shows_all_heads = TRUE },
  { HL_VIEW_STEPS, "steps", N_ ("Steps"), HL_WALK_CELLS, .shows_one_head = TRUE, .shows_steps = TRUE },
  { HL_VIEW_NEURON, "neuron", N_ ("Neuron View"), HL_WALK_ROW, .shows_one_head = TRUE, .shows_steps = TRUE,
    .joins_tokens = TRUE, .has_bars = TRUE },
  { HL_VIEW_LAYERS, "layers", N_ ("All Layers"), HL_WALK_LAYERS, .shows_all_layers = TRUE, .mirrors = TRUE,
    .has_minimap = TRUE, .joins_tokens = TRUE },
  { HL_VIEW_CHART, "chart", N_ ("Chart"), HL_WALK_SCENE, .shows_charts = TRUE },
};

GType
hl_view_kind_get_type (void)
{
  static gsize type;

  if (g_once_init_enter (&type))
    {
      static GEnumValue values[HL_N_VIEW_KINDS + 1];

      for (guint i = 0; i < HL_N_VIEW_KINDS; i++)
        values[i] = (GEnumValue){ views[i].kind, views[i].nick, views[i].nick };
      g_once_init_leave (&type, g_enum_register_static ("HlViewKind", values));
    }
  return type;
}

const HlViewTraits *
hl_view_kind_get_traits (HlViewKind kind)
{
  g_return_val_if_fail (kind < HL_N_VIEW_KINDS, &views[HL_VIEW_DEFAULT]);

  return &views[kind];
}

gboolean
hl_view_kind_from_nick (const char *nick,
                        HlViewKind *kind)
{
  for (guint i = 0; i < HL_N_VIEW_KINDS; i++)
    if (g_strcmp0 (views[i].nick, nick) == 0)
      {
        *kind = views[i].kind;
        return TRUE;
      }
  return FALSE;
}
