/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cli-other-side.h"
#include "draw/hl-view-state.h"

G_BEGIN_DECLS

gboolean cli_render_difference (CliOtherSide  *self,
                                HlViewState   *state,
                                HlDocument    *document,
                                HlDocument    *other_document,
                                HlExample     *other_example,
                                GError       **error);
gboolean cli_render_beside     (CliOtherSide  *self,
                                HlViewState   *state,
                                HlDocument    *document,
                                HlDocument    *other_document,
                                HlViewState   *other,
                                GError       **error);

G_END_DECLS
