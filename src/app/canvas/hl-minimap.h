/* SPDX-License-Identifier: MIT */
/* A slim strip beside a scene that does not fit: all of the text, and a frame around the part in view. */
#pragma once

#include "app/canvas/hl-scene-view.h"

G_BEGIN_DECLS

#define HL_TYPE_MINIMAP (hl_minimap_get_type ())
G_DECLARE_FINAL_TYPE (HlMinimap, hl_minimap, HL, MINIMAP, GtkWidget)

G_END_DECLS
