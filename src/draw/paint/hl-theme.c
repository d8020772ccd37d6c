/* SPDX-License-Identifier: MIT */
/*
 * The sets of colours. Background and foreground are those of libadwaita's views; the accent is
 * its blue, in the shade it uses for text on that ground.
 */
#include "draw/paint/hl-theme.h"

#define RGB(hex)                                                                                                       \
  {                                                                                                                    \
    (((hex) >> 16) & 0xff) / 255.0f, (((hex) >> 8) & 0xff) / 255.0f, ((hex) &0xff) / 255.0f, 1.0f                      \
  }

static const HlTheme light_theme = {
  .background = RGB (0xffffff),
  .foreground = RGB (0x242424),
  .muted = RGB (0x6a6a6a),
  .grid = RGB (0xdcdcdc),
  .accent = RGB (0x1c71d8),
  .masked = RGB (0xebebeb),
  .hatch = RGB (0xc4c4c4),
  .dark = FALSE,
};

static const HlTheme dark_theme = {
  .background = RGB (0x1e1e1e),
  .foreground = RGB (0xf2f2f2),
  .muted = RGB (0xa4a4a4),
  .grid = RGB (0x414141),
  .accent = RGB (0x78aeed),
  .masked = RGB (0x2f2f2f),
  .hatch = RGB (0x545454),
  .dark = TRUE,
};

static const HlTheme light_high_contrast_theme = {
  .background = RGB (0xffffff),
  .foreground = RGB (0x000000),
  .muted = RGB (0x3d3d3d),
  .grid = RGB (0x808080),
  .accent = RGB (0x1a5fb4),
  .masked = RGB (0xe0e0e0),
  .hatch = RGB (0x6e6e6e),
  .dark = FALSE,
};

static const HlTheme dark_high_contrast_theme = {
  .background = RGB (0x1e1e1e),
  .foreground = RGB (0xffffff),
  .muted = RGB (0xd6d6d6),
  .grid = RGB (0x919191),
  .accent = RGB (0x99c1f1),
  .masked = RGB (0x3a3a3a),
  .hatch = RGB (0xa0a0a0),
  .dark = TRUE,
};

const HlTheme *
hl_theme_get (gboolean dark)
{
  return dark ? &dark_theme : &light_theme;
}

const HlTheme *
hl_theme_get_high_contrast (gboolean dark)
{
  return dark ? &dark_high_contrast_theme : &light_high_contrast_theme;
}
