/* SPDX-License-Identifier: MIT */
/*
 * A colour as everything that draws passes it around: sRGB, straight (not premultiplied) alpha.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlColour:
 * @r: red, 0 to 1, sRGB
 * @g: green, 0 to 1, sRGB
 * @b: blue, 0 to 1, sRGB
 * @a: opacity, 0 to 1; the other three are not multiplied by it
 *
 * A colour.
 */
typedef struct
{
  float r, g, b, a;
} HlColour;

G_END_DECLS
