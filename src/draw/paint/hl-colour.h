/* SPDX-License-Identifier: MIT */
/*
 * A colour as everything that draws passes it around: sRGB, straight (not premultiplied) alpha.
 */
#pragma once

#include <glib.h>
#include <math.h>

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

/* As cairo's CAIRO_FORMAT_RGB24 has it. */
static inline guint32
hl_colour_to_pixel (const HlColour *self)
{
  return 0xFF000000u | (guint32) lround (self->r * 255) << 16 | (guint32) lround (self->g * 255) << 8 |
         (guint32) lround (self->b * 255);
}

G_END_DECLS
