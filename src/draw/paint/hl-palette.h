/* SPDX-License-Identifier: MIT */
/*
 * The colours that tell attention heads apart.
 */
#pragma once

#include "draw/paint/hl-colour.h"

G_BEGIN_DECLS

/* How many heads have a colour of their own; further ones repeat from the first. */
#define HL_PALETTE_SIZE 32

/* How many heads, from the first, can be told apart by colour-blind eyes too. */
#define HL_PALETTE_SAFE_SIZE 8

HlColour hl_palette_get_head_colour (guint head, gboolean dark);

G_END_DECLS
