/* SPDX-License-Identifier: MIT */
/* The views, in the order in which they are offered. */
#include "view/shown/hl-view-kind.h"

#include "config.h"

#include "core/source/steps/hl-head-steps.h"

#include <glib/gi18n-lib.h>

static const HlViewTraits views[HL_N_VIEW_KINDS] = {
  { HL_VIEW_HEAD_VIEW,
    "head-view",
    N_ ("Head View"),
    N_ ("Lines from each token to those that it attends to"),
    { [HL_HINT_IDLE] = N_ ("Point at a token to see what it attends to"),
      [HL_HINT_TOKEN] = N_ ("Click pins it · drag to another word finds the heads that link them"),
      [HL_HINT_CELL] = N_ ("Click pins the pair · Shift+click finds the heads that link it"),
      [HL_HINT_PLACE] = N_ ("Click shows or hides the head · double-click shows it alone"),
      [HL_HINT_PINNED] = N_ ("Escape frees the pin · Shift+click on another word finds the heads that link them") },
    HL_WALK_TOKENS,
    .mixes_layers = TRUE,
    .can_turn = TRUE,
    .mirrors = TRUE,
    .offers_reading = TRUE,
    .has_minimap = TRUE,
    .joins_tokens = TRUE,
    .links_tokens = TRUE },
  { HL_VIEW_HEATMAP,
    "heatmap",
    N_ ("Heatmap"),
    N_ ("All weights of a head, as a matrix"),
    { [HL_HINT_IDLE] = N_ ("Point at a cell to read its weight"),
      [HL_HINT_TOKEN] = N_ ("Click pins it · Ctrl+click pins several"),
      [HL_HINT_CELL] = N_ ("Click pins the pair · Shift+click finds the heads that link it"),
      [HL_HINT_PINNED] = N_ ("Escape frees the pin · Ctrl+Shift+F finds the heads that link the pair") },
    HL_WALK_CELLS,
    .shows_one_head = TRUE,
    .has_value_scale = TRUE,
    .crosses_sides = TRUE,
    .mirrors = TRUE,
    .offers_reading = TRUE,
    .has_minimap = TRUE,
    .keeps_proportions = TRUE },
  { HL_VIEW_MODEL,
    "model-view",
    N_ ("Model View"),
    N_ ("All heads of all layers, as small pictures"),
    { [HL_HINT_IDLE] = N_ ("Point at a head to read its numbers"),
      [HL_HINT_PLACE] = N_ ("Click opens the head · Ctrl+click shows several") },
    HL_WALK_SCENE,
    .shows_all_heads = TRUE },
  { HL_VIEW_STEPS,
    "steps",
    N_ ("Steps"),
    N_ ("How weights and output of a head follow from its queries, keys and values"),
    { [HL_HINT_IDLE] = N_ ("Point at a number to see what it is made of"),
      [HL_HINT_TOKEN] = N_ ("Click pins it: its row and its column stay marked in all steps"),
      [HL_HINT_CELL] = N_ ("What is marked makes this number · click pins it"),
      [HL_HINT_PLACE] = N_ ("What is marked makes this number"),
      [HL_HINT_PINNED] = N_ ("Escape frees the pin") },
    HL_WALK_CELLS,
    .shows_one_head = TRUE,
    .shows_steps = TRUE },
  { HL_VIEW_NEURON,
    "neuron",
    N_ ("Neuron View"),
    N_ ("Queries and keys of a head, feature by feature"),
    { [HL_HINT_IDLE] = N_ ("Point at a query to see which features make its weights"),
      [HL_HINT_TOKEN] = N_ ("Click pins it, and its features stay"),
      [HL_HINT_CELL] = N_ ("The products of the features add up to the score · click pins the pair"),
      [HL_HINT_PINNED] = N_ ("Escape frees the pin · arrow keys lead from key to key") },
    HL_WALK_ROW,
    .shows_one_head = TRUE,
    .shows_steps = TRUE,
    .joins_tokens = TRUE,
    .has_bars = TRUE },
  { HL_VIEW_LAYERS,
    "layers",
    N_ ("All Layers"),
    N_ ("Lines through all layers, one beside the other"),
    { [HL_HINT_IDLE] = N_ ("Point at a token to follow it through the layers"),
      [HL_HINT_TOKEN] = N_ ("Click pins it · Ctrl+click pins several"),
      [HL_HINT_PINNED] = N_ ("Escape frees the pin") },
    HL_WALK_LAYERS,
    .shows_all_layers = TRUE,
    .mirrors = TRUE,
    .has_minimap = TRUE,
    .joins_tokens = TRUE },
  { HL_VIEW_CHART,
    "chart",
    N_ ("Chart"),
    N_ ("Numbers of all heads, as charts"),
    { [HL_HINT_IDLE] = N_ ("Point at a mark to read its number"), [HL_HINT_PLACE] = N_ ("Click on a head opens it") },
    HL_WALK_SCENE,
    .shows_charts = TRUE },
  { HL_VIEW_PICTURE,
    "picture",
    N_ ("Picture"),
    N_ ("Where in an image each patch or word looks"),
    { [HL_HINT_IDLE] = N_ ("Point at a patch or a word to see where it looks"),
      [HL_HINT_TOKEN] = N_ ("Click pins it · Ctrl+click pins several"),
      [HL_HINT_PINNED] = N_ ("Point at a patch to read its number · Escape frees the pin") },
    HL_WALK_SCENE,
    .shows_pictures = TRUE,
    .has_value_scale = TRUE,
    .mixes_layers = TRUE,
    .keeps_proportions = TRUE },
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

const char *
hl_view_kind_get_hint (HlViewKind kind,
                       HlViewHint hint)
{
  const HlViewTraits *view = hl_view_kind_get_traits (kind);

  g_return_val_if_fail (hint < HL_N_VIEW_HINTS, NULL);

  return _ (view->hints[hint] != NULL ? view->hints[hint] : view->hints[HL_HINT_IDLE]);
}

/* Why a view has nothing to show of an attention, as a sentence; NULL if it has. */
const char *
hl_view_kind_get_lack (HlViewKind   kind,
                       HlAttention *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);

  if (hl_view_kind_get_traits (kind)->shows_steps && !hl_head_steps_are_known (attention))
    return _ ("Needs queries and keys, which are not there");
  if (hl_view_kind_get_traits (kind)->shows_pictures && hl_attention_get_picture (attention, HL_QUERIES) == NULL &&
      hl_attention_get_picture (attention, HL_KEYS) == NULL)
    return _ ("Needs an image, of which tokens are patches");
  /* In cross attention nothing of what queries make comes to be keys of the next layer. */
  if (hl_view_kind_get_traits (kind)->shows_all_layers && hl_attention_get_kind (attention) == HL_ATTENTION_CROSS)
    return _ ("Only where the same tokens are queries and keys, layers can be joined");
  return NULL;
}

/* Of all layers a query is of one, and so is a pair; a key is of the input. */
void
hl_view_kind_put_in_layer (HlViewKind kind,
                           HlPick    *pick,
                           guint      layer)
{
  if (hl_view_kind_get_traits (kind)->shows_all_layers && hl_pick_has (pick, HL_QUERIES))
    pick->layer = layer;
}
