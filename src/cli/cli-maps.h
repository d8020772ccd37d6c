/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/hl-view-state.h"

G_BEGIN_DECLS

/**
 * CliMaps:
 * @heads_text: what the user wrote after --heads; %NULL for nothing
 * @layers_text: likewise after --layers
 * @heads: the heads meant
 * @layers: the layers meant
 * @all_heads: whether all heads are meant
 *
 * Which maps: heads of a layer, and layers that are combined. All zeros before options are parsed.
 */
typedef struct
{
  char      *heads_text;
  char      *layers_text;
  HlHeadSet  heads;
  HlLayerSet layers;
  gboolean   all_heads;
} CliMaps;

void     cli_maps_add_entries (CliMaps        *self,
                               GOptionContext *context);
int      cli_maps_parse       (CliMaps        *self);
gboolean cli_maps_apply       (const CliMaps  *self,
                               HlViewState    *state,
                               guint           layer,
                               GError        **error);
void     cli_maps_clear       (CliMaps        *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliMaps, cli_maps_clear)

G_END_DECLS
