/* SPDX-License-Identifier: MIT */
/*
 * The colours a scene is drawn with that are not data: one set for light, one for dark, chosen to
 * sit in libadwaita's views without a seam, and each once more for those who ask for high contrast.
 */
#pragma once

#include "draw/paint/hl-colour.h"

G_BEGIN_DECLS

/* The colours of a scene. */
typedef struct
{
  HlColour background; /* the paper of a scene; that of libadwaita's views */
  HlColour foreground; /* text and the strongest lines */
  HlColour muted;      /* text that stands back (axis labels, captions); at least 4.5 : 1 against background */
  HlColour grid;       /* hairlines and frames */
  HlColour accent;     /* what is hovered, pinned or selected; at least 3 : 1 against background */
  HlColour masked;     /* the ground of a cell that is masked, not merely zero */
  HlColour hatch;      /* the stripes over masked */
  gboolean dark;       /* whether this is the dark set */
} HlTheme;

const HlTheme *hl_theme_get (gboolean dark);
const HlTheme *hl_theme_get_high_contrast (gboolean dark);

G_END_DECLS
