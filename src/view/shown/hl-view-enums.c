/* SPDX-License-Identifier: MIT */
#include "view/shown/hl-view-enums.h"

#include "config.h"

#include <glib/gi18n-lib.h>

G_DEFINE_ENUM_TYPE (HlThumbnailKind,
                    hl_thumbnail_kind,
                    G_DEFINE_ENUM_VALUE (HL_THUMBNAIL_HEATMAP, "heatmap"),
                    G_DEFINE_ENUM_VALUE (HL_THUMBNAIL_LINES, "lines"))

G_DEFINE_ENUM_TYPE (HlChartKind,
                    hl_chart_kind,
                    G_DEFINE_ENUM_VALUE (HL_CHART_LAYERS, "layers"),
                    G_DEFINE_ENUM_VALUE (HL_CHART_SHARES, "shares"),
                    G_DEFINE_ENUM_VALUE (HL_CHART_GRID, "grid"),
                    G_DEFINE_ENUM_VALUE (HL_CHART_SCATTER, "scatter"),
                    G_DEFINE_ENUM_VALUE (HL_CHART_PLANE, "plane"))

G_DEFINE_ENUM_TYPE (HlHeatKind,
                    hl_heat_kind,
                    G_DEFINE_ENUM_VALUE (HL_HEAT_COLOURS, "colours"),
                    G_DEFINE_ENUM_VALUE (HL_HEAT_MASK, "mask"))

G_DEFINE_ENUM_TYPE (HlSentences,
                    hl_sentences,
                    G_DEFINE_ENUM_VALUE (HL_SENTENCES_ALL, "all"),
                    G_DEFINE_ENUM_VALUE (HL_SENTENCES_A_TO_A, "aa"),
                    G_DEFINE_ENUM_VALUE (HL_SENTENCES_B_TO_B, "bb"),
                    G_DEFINE_ENUM_VALUE (HL_SENTENCES_A_TO_B, "ab"),
                    G_DEFINE_ENUM_VALUE (HL_SENTENCES_B_TO_A, "ba"))

G_DEFINE_ENUM_TYPE (HlOrientation,
                    hl_orientation,
                    G_DEFINE_ENUM_VALUE (HL_ORIENTATION_VERTICAL, "vertical"),
                    G_DEFINE_ENUM_VALUE (HL_ORIENTATION_HORIZONTAL, "horizontal"))

G_DEFINE_ENUM_TYPE (HlReading,
                    hl_reading,
                    G_DEFINE_ENUM_VALUE (HL_READING_AUTO, "auto"),
                    G_DEFINE_ENUM_VALUE (HL_READING_LEFT_TO_RIGHT, "ltr"),
                    G_DEFINE_ENUM_VALUE (HL_READING_RIGHT_TO_LEFT, "rtl"))

G_DEFINE_ENUM_TYPE (HlColourMap,
                    hl_colour_map,
                    G_DEFINE_ENUM_VALUE (HL_COLOUR_MAP_PAPER, "paper"),
                    G_DEFINE_ENUM_VALUE (HL_COLOUR_MAP_VIRIDIS, "viridis"),
                    G_DEFINE_ENUM_VALUE (HL_COLOUR_MAP_CIVIDIS, "cividis"),
                    G_DEFINE_ENUM_VALUE (HL_COLOUR_MAP_MAGMA, "magma"),
                    G_DEFINE_ENUM_VALUE (HL_COLOUR_MAP_INFERNO, "inferno"))

G_DEFINE_ENUM_TYPE (HlValueScaleKind,
                    hl_value_scale_kind,
                    G_DEFINE_ENUM_VALUE (HL_VALUE_SCALE_AUTO, "auto"),
                    G_DEFINE_ENUM_VALUE (HL_VALUE_SCALE_LINEAR, "linear"),
                    G_DEFINE_ENUM_VALUE (HL_VALUE_SCALE_LOG, "log"),
                    G_DEFINE_ENUM_VALUE (HL_VALUE_SCALE_ROW, "row"),
                    G_DEFINE_ENUM_VALUE (HL_VALUE_SCALE_CUMULATIVE, "cumulative"),
                    G_DEFINE_ENUM_VALUE (HL_VALUE_SCALE_OFF_DIAGONAL, "off-diagonal"))

static const struct
{
  const char *id;
  const char *display_name;
} maps[HL_N_COLOUR_MAPS] = {
  [HL_COLOUR_MAP_PAPER] = { "paper", N_ ("Paper") },       [HL_COLOUR_MAP_VIRIDIS] = { "viridis", N_ ("Viridis") },
  [HL_COLOUR_MAP_CIVIDIS] = { "cividis", N_ ("Cividis") }, [HL_COLOUR_MAP_MAGMA] = { "magma", N_ ("Magma") },
  [HL_COLOUR_MAP_INFERNO] = { "inferno", N_ ("Inferno") },
};

const char *
hl_colour_map_get_id (HlColourMap map)
{
  g_return_val_if_fail ((guint) map < HL_N_COLOUR_MAPS, NULL);

  return maps[map].id;
}

const char *
hl_colour_map_get_display_name (HlColourMap map)
{
  g_return_val_if_fail ((guint) map < HL_N_COLOUR_MAPS, NULL);

  return _ (maps[map].display_name);
}

/* Whether there is a map of that id; @map is untouched when there is none. */
gboolean
hl_colour_map_from_id (const char  *id,
                       HlColourMap *map)
{
  g_return_val_if_fail (id != NULL, FALSE);

  for (guint i = 0; i < HL_N_COLOUR_MAPS; i++)
    if (g_str_equal (maps[i].id, id))
      {
        *map = (HlColourMap) i;
        return TRUE;
      }
  return FALSE;
}

const char *
hl_chart_kind_get_display_name (HlChartKind kind)
{
  static const char *const names[HL_N_CHART_KINDS] = {
    [HL_CHART_LAYERS] = N_ ("By Layer"),           [HL_CHART_SHARES] = N_ ("Shares by Layer"),
    [HL_CHART_SCATTER] = N_ ("Heads by Distance"),

    [HL_CHART_GRID] = N_ ("Layers × Heads"),       [HL_CHART_PLANE] = N_ ("Queries and Keys"),
  };

  g_return_val_if_fail ((guint) kind < HL_N_CHART_KINDS, NULL);

  return _ (names[kind]);
}

/* Whether it is of one number of heads, which one chooses. */
gboolean
hl_chart_kind_draws_number (HlChartKind kind)
{
  return kind == HL_CHART_LAYERS || kind == HL_CHART_GRID;
}

/* The end of a figure's caption: "by layer". */
const char *
hl_chart_kind_get_caption (HlChartKind kind)
{
  static const char *const captions[HL_N_CHART_KINDS] = {
    [HL_CHART_LAYERS] = N_ ("by layer"),
    [HL_CHART_SHARES] = N_ ("shares by layer"),
    [HL_CHART_SCATTER] = N_ ("heads by their distance"),

    [HL_CHART_GRID] = N_ ("layers × heads"),
    [HL_CHART_PLANE] = N_ ("queries and keys in their plane"),
  };

  g_return_val_if_fail ((guint) kind < HL_N_CHART_KINDS, NULL);

  return _ (captions[kind]);
}

const char *
hl_value_scale_kind_get_display_name (HlValueScaleKind kind)
{
  switch (kind)
    {
    case HL_VALUE_SCALE_AUTO:
      return _ ("Automatic");
    case HL_VALUE_SCALE_LINEAR:
      return _ ("Linear");
    case HL_VALUE_SCALE_LOG:
      return _ ("Logarithmic");
    case HL_VALUE_SCALE_ROW:
      return _ ("Each row by itself");
    case HL_VALUE_SCALE_CUMULATIVE:
      return _ ("Cumulative mass");
    case HL_VALUE_SCALE_OFF_DIAGONAL:
      return _ ("Linear off the diagonal");
    }

  g_return_val_if_reached (NULL);
}
