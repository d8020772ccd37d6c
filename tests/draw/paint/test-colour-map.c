/* SPDX-License-Identifier: MIT */
/*
 * Colour maps: lightness rises (or falls) evenly, ends are where they should be, odd positions are
 * safe.
 */
#include "draw/paint/hl-colour-map.h"
#include "draw/paint/hl-theme.h"

#include <math.h>

static double
get_lightness (guint32 pixel)
{
  const double weights[] = { 0.0722, 0.7152, 0.2126 }; /* blue, green, red */
  double luminance = 0.0;

  for (guint k = 0; k < 3; k++)
    {
      double code = (pixel >> (8 * k) & 0xff) / 255.0;

      luminance += weights[k] * (code <= 0.04045 ? code / 12.92 : pow ((code + 0.055) / 1.055, 2.4));
    }

  return luminance > 216.0 / 24389.0 ? 116.0 * cbrt (luminance) - 16.0 : luminance * 24389.0 / 27.0;
}

static void
test_lightness (gconstpointer data)
{
  HlColourMap map = GPOINTER_TO_INT (data);

  for (int dark = 0; dark < 2; dark++)
    {
      double first = get_lightness (hl_colour_map_lookup (map, dark, 0.0));
      double last = get_lightness (hl_colour_map_lookup (map, dark, 1.0));
      double sign = last > first ? 1.0 : -1.0;
      double before = first;

      double off = 0.0;

      /* 255 even steps; 8 bits a channel make them uneven by about half a unit. matplotlib's maps
       * are even in CAM02-UCS, a later measure of lightness than CIELAB's, from which it bends away
       * by 6 units at most. */
      g_assert_cmpfloat (fabs (last - first), >, 70.0);
      for (int i = 1; i < 256; i++)
        {
          double t = i / 255.0;
          double lightness = get_lightness (hl_colour_map_lookup (map, dark, t));

          g_assert_cmpfloat (sign * (lightness - before), >=, -0.35);
          off = MAX (off, fabs (lightness - (first + (last - first) * t)));
          before = lightness;
        }
      g_test_message ("off by %.2f at most", off);
      g_assert_cmpfloat (off, <=, map == HL_COLOUR_MAP_PAPER ? 0.5 : 6.0);
      for (int i = 16; i < 256; i++)
        g_assert_cmpfloat (sign * (get_lightness (hl_colour_map_lookup (map, dark, i / 255.0)) -
                                   get_lightness (hl_colour_map_lookup (map, dark, (i - 16) / 255.0))),
                           >, 2.0);
    }
}

static guint32
to_pixel (HlColour colour)
{
  return 0xff000000 | (guint32) lroundf (colour.r * 255) << 16 | (guint32) lroundf (colour.g * 255) << 8 |
         (guint32) lroundf (colour.b * 255);
}

/* The paper map begins at the paper. */
static void
test_paper (void)
{
  for (int dark = 0; dark < 2; dark++)
    g_assert_cmphex (hl_colour_map_lookup (HL_COLOUR_MAP_PAPER, dark, 0.0), ==,
                     to_pixel (hl_theme_get (dark)->background));
  g_assert_cmphex (hl_colour_map_lookup (HL_COLOUR_MAP_PAPER, FALSE, 1.0), !=,
                   hl_colour_map_lookup (HL_COLOUR_MAP_PAPER, TRUE, 1.0));
}

static void
test_odd_positions (void)
{
  const float t[] = { NAN, -1.0f, 2.0f, INFINITY, -INFINITY, 0.5f };
  guint32 pixels[G_N_ELEMENTS (t)];

  for (int map = 0; map < HL_N_COLOUR_MAPS; map++)
    {
      guint32 low = hl_colour_map_lookup (map, FALSE, 0.0);
      guint32 high = hl_colour_map_lookup (map, FALSE, 1.0);
      const guint32 want[] = { 0, low, high, high, low, hl_colour_map_lookup (map, FALSE, 0.5) };

      hl_colour_map_fill_row (map, FALSE, t, G_N_ELEMENTS (t), pixels);
      for (guint i = 0; i < G_N_ELEMENTS (t); i++)
        {
          g_assert_cmphex (pixels[i], ==, want[i]);
          g_assert_cmphex (hl_colour_map_lookup (map, FALSE, t[i]), ==, want[i]);
        }
      g_assert_cmphex (low >> 24, ==, 0xff);
      g_assert_cmphex (low, !=, high);
    }
}

/* matplotlib's documented ends. */
static void
test_known (void)
{
  g_assert_cmphex (hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, FALSE, 0.0), ==, 0xff440154);
  g_assert_cmphex (hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, TRUE, 1.0), ==, 0xfffde725);
  g_assert_cmphex (hl_colour_map_lookup (HL_COLOUR_MAP_MAGMA, FALSE, 0.0), ==, 0xff000004);
  g_assert_cmphex (hl_colour_map_lookup (HL_COLOUR_MAP_INFERNO, FALSE, 1.0), ==, 0xfffcffa4);
  g_assert_cmphex (hl_colour_map_lookup (HL_COLOUR_MAP_CIVIDIS, FALSE, 0.0), ==, 0xff00224e);
}

static void
test_names (void)
{
  g_autoptr (GEnumClass) class = g_type_class_ref (HL_TYPE_COLOUR_MAP);

  g_assert_cmpuint (class->n_values, ==, HL_N_COLOUR_MAPS);
  for (int map = 0; map < HL_N_COLOUR_MAPS; map++)
    {
      HlColourMap found = HL_N_COLOUR_MAPS;

      g_assert_cmpstr (g_enum_get_value (class, map)->value_nick, ==, hl_colour_map_get_id (map));
      g_assert_true (hl_colour_map_from_id (hl_colour_map_get_id (map), &found));
      g_assert_cmpint (found, ==, map);
      g_assert_cmpstr (hl_colour_map_get_display_name (map), !=, "");
    }
  HlColourMap untouched = HL_COLOUR_MAP_MAGMA;
  g_assert_false (hl_colour_map_from_id ("jet", &untouched));
  g_assert_cmpint (untouched, ==, HL_COLOUR_MAP_MAGMA);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (int map = 0; map < HL_N_COLOUR_MAPS; map++)
    {
      g_autofree char *path = g_strdup_printf ("/colour-map/lightness/%s", hl_colour_map_get_id (map));

      g_test_add_data_func (path, GINT_TO_POINTER (map), test_lightness);
    }
  g_test_add_func ("/colour-map/paper", test_paper);
  g_test_add_func ("/colour-map/odd-positions", test_odd_positions);
  g_test_add_func ("/colour-map/known", test_known);
  g_test_add_func ("/colour-map/names", test_names);

  return g_test_run ();
}
