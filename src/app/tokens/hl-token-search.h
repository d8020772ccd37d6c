/* SPDX-License-Identifier: MIT */
/* A search bar over a scene: finds tokens by what they say, brings them into view and pins them. */
#pragma once

#include "app/canvas/hl-scene-view.h"

G_BEGIN_DECLS

#define HL_TYPE_TOKEN_SEARCH (hl_token_search_get_type ())
G_DECLARE_FINAL_TYPE (HlTokenSearch, hl_token_search, HL, TOKEN_SEARCH, GtkWidget)

void hl_token_search_open (HlTokenSearch *self);
void hl_token_search_move (HlTokenSearch *self,
                           int            direction);

G_END_DECLS
