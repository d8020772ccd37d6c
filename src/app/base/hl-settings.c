/* SPDX-License-Identifier: MIT */
/* What the program remembers, and how a setting becomes a property. */
#include "config.h"

#include "app/base/hl-settings.h"

#include "draw/paint/hl-colour-map.h"

static gboolean
map_colour_map (GValue   *value,
                GVariant *variant,
                gpointer  data)
{
  HlColourMap map;

  if (!hl_colour_map_from_id (g_variant_get_string (variant, NULL), &map))
    return FALSE;
  if (G_VALUE_HOLDS_ENUM (value))
    g_value_set_enum (value, map);
  else
    g_value_set_uint (value, map);
  return TRUE;
}

static GVariant *
map_from_colour_map (const GValue       *value,
                     const GVariantType *type,
                     gpointer            data)
{
  const HlColourMap map = G_VALUE_HOLDS_ENUM (value) ? (HlColourMap) g_value_get_enum (value)
                                                     : g_value_get_uint (value);

  return g_variant_new_string (hl_colour_map_get_id (map));
}

GSettings *
hl_settings_new (void)
{
  return g_settings_new (HL_APPLICATION_ID);
}

/* One choice for all documents. */
void
hl_settings_bind_colour_map (GSettings  *settings,
                             gpointer    object,
                             const char *property)
{
  g_settings_bind_with_mapping (settings, "colour-map", object, property, G_SETTINGS_BIND_DEFAULT, map_colour_map,
                                map_from_colour_map, NULL, NULL);
}
