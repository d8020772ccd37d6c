/* SPDX-License-Identifier: MIT */
#include "draw/paint/hl-contrast.h"

/* Of sRGB. */
static double
linearise (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static double
get_luminance (const HlColour *self)
{
  return 0.2126 * linearise (self->r) + 0.7152 * linearise (self->g) + 0.0722 * linearise (self->b);
}

/* 1 for the same to 21 for black and white; opacities do not count. */
double
hl_contrast_get (const HlColour *a,
                 const HlColour *b)
{
  const double first = get_luminance (a), second = get_luminance (b);

  return (MAX (first, second) + 0.05) / (MIN (first, second) + 0.05);
}

/* Black or white, whichever is easier to read on a ground: at least 4.58 : 1. */
HlColour
hl_contrast_choose_ink (const HlColour *ground)
{
  const HlColour black = { 0, 0, 0, 1 }, white = { 1, 1, 1, 1 };

  return hl_contrast_get (ground, &black) >= hl_contrast_get (ground, &white) ? black : white;
}

/* What is seen of a colour over a ground. */
HlColour
hl_contrast_mix (const HlColour *ground,
                 const HlColour *colour,
                 double          opacity)
{
  const float part = (float) opacity;

  return (HlColour){ ground->r + (colour->r - ground->r) * part, ground->g + (colour->g - ground->g) * part,
                     ground->b + (colour->b - ground->b) * part, 1 };
}

/* The greatest opacity of a colour over a ground on which text can still be read; 0 where it cannot be on the ground. */
double
hl_contrast_find_shade (const HlColour *ground,
                        const HlColour *colour,
                        const HlColour *text)
{
  double low = 0, high = 1;

  for (guint i = 0; i < 10; i++)
    {
      const double middle = (low + high) / 2;
      const HlColour seen = hl_contrast_mix (ground, colour, middle);

      if (hl_contrast_get (&seen, text) >= HL_CONTRAST_OF_TEXT)
        low = middle;
      else
        high = middle;
    }
  return low;
}
