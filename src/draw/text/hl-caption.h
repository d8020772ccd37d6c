/* SPDX-License-Identifier: MIT */
/* The words over a picture, broken into lines. */
#pragma once

#include "draw/text/hl-scene-text.h"

G_BEGIN_DECLS

/* From the middle of one line to that of the next, logical pixels. */
#define HL_CAPTION_LINE 15

HlTextStyle hl_caption_get_style (double       width);
GStrv       hl_caption_break     (HlSceneText *text,
                                  const char  *caption,
                                  double       width,
                                  double       height);

G_END_DECLS
