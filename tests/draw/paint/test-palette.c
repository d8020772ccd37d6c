/* SPDX-License-Identifier: MIT */
/*
 * The head colours are told apart: by normal eyes all, by colour-blind eyes the first eight; and
 * they, and the colours of the themes, stand out from the ground.
 */
#include "draw/paint/hl-palette.h"
#include "draw/paint/hl-theme.h"

#include <math.h>
#include <string.h>

typedef struct
{
  double l, a, b;
} Lab;

/* Full colour blindness, on linear RGB: Machado, Oliveira and Fernandes 2009, severity 1. */
static const double visions[][9] = {
  { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
  { 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998 },
  { 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881 },
  { 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900 },
};

static double
to_linear (double code)
{
  return code <= 0.04045 ? code / 12.92 : pow ((code + 0.055) / 1.055, 2.4);
}

static double
get_luminance (HlColour c)
{
  return 0.2126 * to_linear (c.r) + 0.7152 * to_linear (c.g) + 0.0722 * to_linear (c.b);
}

static double
get_contrast (HlColour a,
              HlColour b)
{
  double x = get_luminance (a) + 0.05, y = get_luminance (b) + 0.05;

  return x > y ? x / y : y / x;
}

static double
lab_curve (double x)
{
  return x > 216.0 / 24389.0 ? cbrt (x) : (24389.0 / 27.0 * x + 16.0) / 116.0;
}

/* CIELAB under D65, as eyes of a kind see it. */
static Lab
to_lab (HlColour colour,
        guint    vision)
{
  const double in[] = { to_linear (colour.r), to_linear (colour.g), to_linear (colour.b) };
  double out[3], x, y, z;

  for (guint k = 0; k < 3; k++)
    {
      const double *m = visions[vision] + 3 * k;

      out[k] = CLAMP (m[0] * in[0] + m[1] * in[1] + m[2] * in[2], 0.0, 1.0);
    }
  x = lab_curve ((0.4124564 * out[0] + 0.3575761 * out[1] + 0.1804375 * out[2]) / 0.95047);
  y = lab_curve (0.2126729 * out[0] + 0.7151522 * out[1] + 0.0721750 * out[2]);
  z = lab_curve ((0.0193339 * out[0] + 0.1191920 * out[1] + 0.9503041 * out[2]) / 1.08883);

  return (Lab){ 116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z) };
}

static double
get_hue (double a,
         double b)
{
  double hue = atan2 (b, a) * 180.0 / G_PI;

  return hue < 0.0 ? hue + 360.0 : hue;
}

#define RAD(degrees) ((degrees) *G_PI / 180.0)

/* CIEDE2000, after Sharma, Wu and Dalal 2005. */
static double
get_distance (Lab p,
              Lab q)
{
  double c7 = pow ((hypot (p.a, p.b) + hypot (q.a, q.b)) / 2.0, 7.0);
  double g = 1.0 + 0.5 * (1.0 - sqrt (c7 / (c7 + pow (25.0, 7.0))));
  double c1 = hypot (p.a * g, p.b), c2 = hypot (q.a * g, q.b);
  double h1 = get_hue (p.a * g, p.b), h2 = get_hue (q.a * g, q.b);
  double dh = h2 - h1, h = (h1 + h2) / 2.0;
  double l = (p.l + q.l) / 2.0, c = (c1 + c2) / 2.0;
  double t, sl, sc, sh, rt, lightness, chroma, hue;

  if (c1 * c2 == 0.0)
    {
      dh = 0.0;
      h = h1 + h2;
    }
  else if (fabs (dh) > 180.0)
    {
      dh += dh > 0.0 ? -360.0 : 360.0;
      h += h < 180.0 ? 180.0 : -180.0;
    }
  t = 1.0 - 0.17 * cos (RAD (h - 30.0)) + 0.24 * cos (RAD (2.0 * h)) + 0.32 * cos (RAD (3.0 * h + 6.0)) -
      0.20 * cos (RAD (4.0 * h - 63.0));
  sl = 1.0 + 0.015 * (l - 50.0) * (l - 50.0) / sqrt (20.0 + (l - 50.0) * (l - 50.0));
  sc = 1.0 + 0.045 * c;
  sh = 1.0 + 0.015 * c * t;
  c7 = pow (c, 7.0);
  rt = -2.0 * sqrt (c7 / (c7 + pow (25.0, 7.0))) * sin (RAD (60.0 * exp (-pow ((h - 275.0) / 25.0, 2.0))));
  lightness = (q.l - p.l) / sl;
  chroma = (c2 - c1) / sc;
  hue = 2.0 * sqrt (c1 * c2) * sin (RAD (dh / 2.0)) / sh;

  return sqrt (lightness * lightness + chroma * chroma + hue * hue + rt * chroma * hue);
}

/* Pairs of the paper's table: the measure itself is right. */
static void
test_distance (void)
{
  const Lab pairs[][2] = {
    { { 50.0, 2.6772, -79.7751 }, { 50.0, 0.0, -82.7485 } },
    { { 50.0, 2.5, 0.0 }, { 73.0, 25.0, -18.0 } },
    { { 2.0776, 0.0795, -1.1350 }, { 0.9033, -0.0636, -0.5514 } },
    { { 22.7233, 20.0904, -46.6940 }, { 23.0331, 14.9730, -42.5619 } },
  };
  const double want[] = { 2.0425, 27.1492, 0.9082, 2.0373 };

  for (guint i = 0; i < G_N_ELEMENTS (want); i++)
    g_assert_cmpfloat_with_epsilon (get_distance (pairs[i][0], pairs[i][1]), want[i], 1e-4);
}

static double
get_least (guint    n,
           gboolean dark,
           guint    vision)
{
  double least = G_MAXDOUBLE;

  for (guint i = 0; i < n; i++)
    {
      for (guint j = 0; j < i; j++)
        least = MIN (least, get_distance (to_lab (hl_palette_get_head_colour (i, dark), vision),
                                          to_lab (hl_palette_get_head_colour (j, dark), vision)));
    }

  return least;
}

static void
test_apart (void)
{
  for (guint dark = 0; dark < 2; dark++)
    {
      g_test_message ("all %s: %.1f", dark ? "dark" : "light", get_least (HL_PALETTE_SIZE, dark, 0));
      g_assert_cmpfloat (get_least (HL_PALETTE_SIZE, dark, 0), >=, 13.0);
      g_assert_cmpfloat (get_least (HL_PALETTE_SAFE_SIZE, dark, 0), >=, 20.0);
      for (guint vision = 1; vision < G_N_ELEMENTS (visions); vision++)
        g_assert_cmpfloat (get_least (HL_PALETTE_SAFE_SIZE, dark, vision), >=, 12.0);
    }
}

static void
test_contrast (void)
{
  for (guint dark = 0; dark < 2; dark++)
    {
      const HlTheme *theme = hl_theme_get (dark);

      g_assert_cmpint (theme->dark, ==, dark);
      for (guint head = 0; head < HL_PALETTE_SIZE; head++)
        g_assert_cmpfloat (get_contrast (hl_palette_get_head_colour (head, dark), theme->background), >=, 3.0);
      g_assert_cmpfloat (get_contrast (theme->foreground, theme->background), >=, 12.0);
      g_assert_cmpfloat (get_contrast (theme->muted, theme->background), >=, 4.5);
      g_assert_cmpfloat (get_contrast (theme->accent, theme->background), >=, 3.0);
      g_assert_cmpfloat (get_contrast (theme->masked, theme->hatch), >=, 1.3);
    }
}

static void
test_repeat (void)
{
  for (guint head = 0; head < 3 * HL_PALETTE_SIZE; head++)
    {
      HlColour a = hl_palette_get_head_colour (head, FALSE);
      HlColour b = hl_palette_get_head_colour (head % HL_PALETTE_SIZE, FALSE);

      g_assert_cmpmem (&a, sizeof a, &b, sizeof b);
      g_assert_cmpfloat (a.a, ==, 1.0f);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/palette/distance", test_distance);
  g_test_add_func ("/palette/apart", test_apart);
  g_test_add_func ("/palette/contrast", test_contrast);
  g_test_add_func ("/palette/repeat", test_repeat);

  return g_test_run ();
}
