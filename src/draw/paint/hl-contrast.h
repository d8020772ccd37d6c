/* SPDX-License-Identifier: MIT */
/* How well one colour stands out from another, as the Web Content Accessibility Guidelines 2.1 define it. */
#pragma once

#include "draw/paint/hl-colour.h"

G_BEGIN_DECLS

/* The least that text, and lines and shapes that tell something, must come to. */
#define HL_CONTRAST_OF_TEXT 4.5
#define HL_CONTRAST_OF_SHAPES 3.0

double   hl_contrast_get        (const HlColour *a,
                                 const HlColour *b);
HlColour hl_contrast_choose_ink (const HlColour *ground);
HlColour hl_contrast_mix        (const HlColour *ground,
                                 const HlColour *colour,
                                 double          opacity);
double   hl_contrast_find_shade (const HlColour *ground,
                                 const HlColour *colour,
                                 const HlColour *text);

G_END_DECLS
