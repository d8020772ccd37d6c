/* SPDX-License-Identifier: MIT */
/*
 * The colours of numbers that have a sign: orange below zero, the paper at zero, blue above, which colour-blind eyes
 * tell apart too. Both arms leave the paper in equal steps of lightness and of colour in OKLab (Ottosson 2020), to ends
 * of the same lightness.
 */
#include "draw/paint/hl-diverging-map.h"

#include <math.h>

#define N 256

#define BLUE_HUE (256 * G_PI / 180)
#define ORANGE_HUE (58 * G_PI / 180)

typedef struct
{
  double l, a, b;
} Lab;

/* Lightness, chroma and hue of the ends; the paper has no chroma. */
typedef struct
{
  double paper;
  double end;
  double blue_chroma;
  double orange_chroma;
} Ends;

static const Ends ends[] = {
  { .paper = 1.0, .end = 0.55, .blue_chroma = 0.17, .orange_chroma = 0.15 },
  { .paper = 0.235, .end = 0.80, .blue_chroma = 0.105, .orange_chroma = 0.125 },
};

/* A linear component as sRGB's eight bits. */
static guint32
encode (double linear)
{
  const double c = CLAMP (linear, 0, 1);
  const double encoded = c <= 0.0031308 ? 12.92 * c : 1.055 * pow (c, 1 / 2.4) - 0.055;

  return (guint32) lround (encoded * 255);
}

static guint32
to_pixel (const Lab *lab)
{
  const double l = pow (lab->l + 0.3963377774 * lab->a + 0.2158037573 * lab->b, 3);
  const double m = pow (lab->l - 0.1055613458 * lab->a - 0.0638541728 * lab->b, 3);
  const double s = pow (lab->l - 0.0894841775 * lab->a - 1.2914855480 * lab->b, 3);

  return 0xFF000000u | encode (4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) << 16 |
         encode (-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) << 8 |
         encode (-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

/* From −1 at 0 to 1 at 2·N. */
static const guint32 *
get_table (gboolean dark)
{
  static guint32 tables[2][2 * N + 1];
  static gsize made = 0;

  if (g_once_init_enter (&made))
    {
      for (guint theme = 0; theme < 2; theme++)
        for (int i = -N; i <= N; i++)
          {
            const Ends *e = &ends[theme];
            const double t = fabs (i / (double) N);
            const double chroma = t * (i > 0 ? e->blue_chroma : e->orange_chroma);
            const double hue = i > 0 ? BLUE_HUE : ORANGE_HUE;
            const Lab lab = { e->paper + t * (e->end - e->paper), chroma * cos (hue), chroma * sin (hue) };
            tables[theme][i + N] = to_pixel (&lab);
          }
      g_once_init_leave (&made, 1);
    }
  return tables[dark ? 1 : 0];
}

/* t is −1 to 1, beyond is taken for the end; transparent (0) for NaN. */
guint32
hl_diverging_map_lookup (gboolean dark,
                         double   t)
{
  if (isnan (t))
    return 0;
  return get_table (dark)[(int) lround (CLAMP (t, -1, 1) * N) + N];
}

/* Zero is at 0.5, as a scale of numbers that have a sign gives them. */
void
hl_diverging_map_fill_row (gboolean     dark,
                           const float *positions,
                           gsize        n,
                           guint32     *pixels)
{
  for (gsize i = 0; i < n; i++)
    pixels[i] = hl_diverging_map_lookup (dark, 2 * positions[i] - 1);
}

/* For lines, whose opacity says how far. */
HlColour
hl_diverging_map_get_end (gboolean dark,
                          gboolean negative)
{
  const guint32 pixel = hl_diverging_map_lookup (dark, negative ? -1 : 1);

  return (HlColour){ (float) (pixel >> 16 & 0xFF) / 255, (float) (pixel >> 8 & 0xFF) / 255,
                     (float) (pixel & 0xFF) / 255, 1 };
}
