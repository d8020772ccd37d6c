/* SPDX-License-Identifier: MIT */
/*
 * The colour maps, as tables of 256 pixels that are looked up at the nearest entry: neighbouring
 * entries differ by less than an eye can see, so nothing is interpolated.
 */
#include "draw/hl-colour-map.h"

#include "config.h"
#include "draw/hl-colour-map-tables.h"

#include <glib/gi18n-lib.h>
#include <math.h>

typedef struct
{
  const char *id;
  const char *display_name;
  const guint32 *light;
  const guint32 *dark;
} Entry;

static const Entry entries[HL_N_COLOUR_MAPS] = {
  [HL_COLOUR_MAP_PAPER] = { "paper", N_ ("Paper"), paper_light, paper_dark },
  [HL_COLOUR_MAP_VIRIDIS] = { "viridis", N_ ("Viridis"), viridis, viridis },
  [HL_COLOUR_MAP_CIVIDIS] = { "cividis", N_ ("Cividis"), cividis, cividis },
  [HL_COLOUR_MAP_MAGMA] = { "magma", N_ ("Magma"), magma, magma },
  [HL_COLOUR_MAP_INFERNO] = { "inferno", N_ ("Inferno"), inferno, inferno },
};

GType
hl_colour_map_get_type (void)
{
  static gsize type = 0;

  if (g_once_init_enter (&type))
    {
      static const GEnumValue values[] = {
        { HL_COLOUR_MAP_PAPER, "HL_COLOUR_MAP_PAPER", "paper" },
        { HL_COLOUR_MAP_VIRIDIS, "HL_COLOUR_MAP_VIRIDIS", "viridis" },
        { HL_COLOUR_MAP_CIVIDIS, "HL_COLOUR_MAP_CIVIDIS", "cividis" },
        { HL_COLOUR_MAP_MAGMA, "HL_COLOUR_MAP_MAGMA", "magma" },
        { HL_COLOUR_MAP_INFERNO, "HL_COLOUR_MAP_INFERNO", "inferno" },
        { 0, NULL, NULL },
      };

      g_once_init_leave (&type, g_enum_register_static ("HlColourMap", values));
    }

  return type;
}

static gboolean
is_map (HlColourMap map)
{
  return (guint) map < HL_N_COLOUR_MAPS;
}

/**
 * hl_colour_map_get_id:
 * @map: a colour map
 *
 * Gets the name that settings and command lines use, the nick of the enumeration type.
 *
 * Returns: (transfer none): the id, such as "viridis"
 */
const char *
hl_colour_map_get_id (HlColourMap map)
{
  g_return_val_if_fail (is_map (map), NULL);

  return entries[map].id;
}

/**
 * hl_colour_map_get_display_name:
 * @map: a colour map
 *
 * Gets the name to show, in the user's language.
 *
 * Returns: (transfer none): the name
 */
const char *
hl_colour_map_get_display_name (HlColourMap map)
{
  g_return_val_if_fail (is_map (map), NULL);

  return _ (entries[map].display_name);
}

/**
 * hl_colour_map_from_id:
 * @id: what may be the id of a map
 * @map: (out): where the map goes; untouched when there is none
 *
 * Finds a map by its id.
 *
 * Returns: whether there is a map of that id
 */
gboolean
hl_colour_map_from_id (const char  *id,
                       HlColourMap *map)
{
  g_return_val_if_fail (id != NULL, FALSE);
  g_return_val_if_fail (map != NULL, FALSE);

  for (guint i = 0; i < HL_N_COLOUR_MAPS; i++)
    {
      if (g_str_equal (entries[i].id, id))
        {
          *map = (HlColourMap) i;
          return TRUE;
        }
    }

  return FALSE;
}

static inline guint32
look_up (const guint32 *table,
         float          t)
{
  if (isnan (t))
    return 0;

  return table[(int) (CLAMP (t, 0.0f, 1.0f) * 255.0f + 0.5f)];
}

/**
 * hl_colour_map_lookup:
 * @map: a colour map
 * @dark: whether the picture is drawn on the dark theme
 * @t: a position; below 0 is 0, above 1 is 1
 *
 * Gets the colour of a position, as a pixel of cairo's `CAIRO_FORMAT_ARGB32`. All are opaque,
 * except that of NaN, which is transparent (0), so that what lies below a missing number shows.
 *
 * Returns: the pixel
 */
guint32
hl_colour_map_lookup (HlColourMap map,
                      gboolean    dark,
                      double      t)
{
  g_return_val_if_fail (is_map (map), 0);

  return look_up (dark ? entries[map].dark : entries[map].light, (float) t);
}

/**
 * hl_colour_map_fill_row:
 * @map: a colour map
 * @dark: whether the picture is drawn on the dark theme
 * @t: (array length=n): positions, as for hl_colour_map_lookup()
 * @n: how many
 * @pixels: (array length=n) (out caller-allocates): where the pixels go
 *
 * Gets the colours of a row of positions.
 */
void
hl_colour_map_fill_row (HlColourMap  map,
                        gboolean     dark,
                        const float *t,
                        gsize        n,
                        guint32     *pixels)
{
  const guint32 *table;

  g_return_if_fail (is_map (map));
  g_return_if_fail (n == 0 || (t != NULL && pixels != NULL));

  table = dark ? entries[map].dark : entries[map].light;
  for (gsize i = 0; i < n; i++)
    pixels[i] = look_up (table, t[i]);
}
