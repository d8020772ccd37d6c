/* SPDX-License-Identifier: MIT */
/* The table of views, in the order in which they are offered. */
#include "config.h"

#include "app/base/hl-view-kinds.h"

#include <glib/gi18n.h>

const HlViewKindInfo hl_view_kinds[HL_N_VIEW_KINDS] = {
  { HL_VIEW_HEAD_VIEW, "head-view", N_ ("Head View") },
  { HL_VIEW_HEATMAP, "heatmap", N_ ("Heatmap") },
  { HL_VIEW_MODEL, "model-view", N_ ("Model View") },
  { HL_VIEW_STEPS, "steps", N_ ("Steps") },
  { HL_VIEW_NEURON, "neuron", N_ ("Neuron View") },
  { HL_VIEW_LAYERS, "layers", N_ ("All Layers") },
};

/**
 * hl_view_kind_from_nick:
 * @nick: a name of a view
 * @kind: (out): the view
 *
 * Returns: whether there is such a view
 */
gboolean
hl_view_kind_from_nick (const char *nick,
                        HlViewKind *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (hl_view_kinds); i++)
    if (g_strcmp0 (hl_view_kinds[i].nick, nick) == 0)
      {
        *kind = hl_view_kinds[i].kind;
        return TRUE;
      }
  return FALSE;
}
