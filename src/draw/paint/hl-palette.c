/* SPDX-License-Identifier: MIT */
/*
 * The palette. The first eight began as Okabe and Ito's colours and were moved, by search, until
 * each stands out from the ground by 3 : 1 (theirs were made for areas; ours are for thin lines)
 * while any two stay at least 12 (CIEDE2000) apart to normal, protan, deutan and tritan eyes. The
 * other 24 were placed where there was most room left, those that stand apart best first. A head
 * has about the same hue in both themes. tests/draw/paint/test-palette.c holds all this.
 */
#include "draw/paint/hl-palette.h"

/* clang-format off */
static const guint32 light_heads[HL_PALETTE_SIZE] = {
  0x265faa, 0xb15528, 0x1e8d5b, 0x801761, 0xc68300, 0x0a99e1, 0x563e00, 0x333333,
  0xff16a6, 0x2e05f7, 0x21533a, 0x8c6e74, 0x095d6b, 0x673b2e, 0xb47cc1, 0x737ca4,
  0x13a4a4, 0xfb212a, 0x7d54ff, 0xa90523, 0x58a52c, 0xab18b7, 0x768f81, 0x93764d,
  0xe22bfe, 0xc80068, 0x533b77, 0xc17469, 0xf16a19, 0x687d39, 0x968f01, 0x0279ff,
};

static const guint32 dark_heads[HL_PALETTE_SIZE] = {
  0x1195ff, 0xe58822, 0x0a8c61, 0xb35e9a, 0xfddd31, 0x00d9ff, 0x7c6c0f, 0xededed,
  0xe3a1ac, 0xaf88fd, 0x2cfd13, 0x6664af, 0x0c7c82, 0x8a6250, 0xff8de1, 0x0e71a1,
  0x22dace, 0xcd5222, 0x8a8590, 0xff147e, 0x27b550, 0x9b2de6, 0x7af2b5, 0xa69c00,
  0xfd22fb, 0xd50439, 0xe5c8f9, 0xea6c6b, 0xf5a482, 0x9eca0f, 0xffb411, 0x94c8fe,
};
/* clang-format on */

/* Gets the colour of a head, opaque. The first HL_PALETTE_SAFE_SIZE are told apart by colour-blind eyes too, all
 * HL_PALETTE_SIZE by others; head HL_PALETTE_SIZE has the colour of head 0 again, and so on. */
HlColour
hl_palette_get_head_colour (guint    head,
                            gboolean dark)
{
  guint32 rgb = (dark ? dark_heads : light_heads)[head % HL_PALETTE_SIZE];

  return (HlColour){
    ((rgb >> 16) & 0xff) / 255.0f,
    ((rgb >> 8) & 0xff) / 255.0f,
    (rgb & 0xff) / 255.0f,
    1.0f,
  };
}
