/* SPDX-License-Identifier: MIT */
/*
 * The colour maps, as tables of 256 pixels that are looked up at the nearest entry: neighbouring
 * entries differ by less than an eye can see, so nothing is interpolated.
 */
#include "draw/paint/hl-colour-map.h"

#include "draw/paint/hl-colour-map-tables.h"

#include <math.h>

static const struct
{
  const guint32 *light;
  const guint32 *dark;
} tables[HL_N_COLOUR_MAPS] = {
  [HL_COLOUR_MAP_PAPER] = { paper_light, paper_dark }, [HL_COLOUR_MAP_VIRIDIS] = { viridis, viridis },
  [HL_COLOUR_MAP_CIVIDIS] = { cividis, cividis },      [HL_COLOUR_MAP_MAGMA] = { magma, magma },
  [HL_COLOUR_MAP_INFERNO] = { inferno, inferno },
};

static gboolean
is_map (HlColourMap map)
{
  return (guint) map < HL_N_COLOUR_MAPS;
}

static inline guint32
look_up (const guint32 *table,
         float          t)
{
  if (isnan (t))
    return 0;

  return table[(int) (CLAMP (t, 0.0f, 1.0f) * 255.0f + 0.5f)];
}

/* Gets the colour of a position, as a pixel of cairo's `CAIRO_FORMAT_ARGB32`. All are opaque, except that of NaN,
 * which is transparent (0), so that what lies below a missing number shows. */
guint32
hl_colour_map_lookup (HlColourMap map,
                      gboolean    dark,
                      double      t)
{
  g_return_val_if_fail (is_map (map), 0);

  return look_up (dark ? tables[map].dark : tables[map].light, (float) t);
}

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

  table = dark ? tables[map].dark : tables[map].light;
  for (gsize i = 0; i < n; i++)
    pixels[i] = look_up (table, t[i]);
}
