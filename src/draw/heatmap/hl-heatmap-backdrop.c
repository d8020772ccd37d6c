/* SPDX-License-Identifier: MIT */
/* What of a heatmap does not depend on the pointer: caption, labels, titles, colour bar and legend. */
#include "draw/heatmap/hl-heatmap-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/paint/hl-value-scale.h"
#include "draw/scene/hl-scene-callout.h"
#include "draw/scene/hl-scene-caption.h"
#include "draw/scene/hl-scene-describe.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-token-label.h"

#define TITLE_SIZE 11
#define TICK_SIZE 10.5
#define LEGEND_SWATCH 12
#define SLANT (-G_PI / 3)

/**
 * hl_heatmap_scene_draw_label: (skip)
 * @self: a heatmap
 * @cr: where to
 * @layout: where everything is
 * @side: %HL_PICK_QUERY for a row, %HL_PICK_KEY for a column
 * @index: counted from the first that is shown
 * @in_focus: whether it stands out
 * @pinned: whether it is pinned
 */
void
hl_heatmap_scene_draw_label (HlHeatmapScene        *self,
                             cairo_t               *cr,
                             const HlHeatmapLayout *layout,
                             HlPickKind             side,
                             gsize                  index,
                             gboolean               in_focus,
                             gboolean               pinned)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  HlAttention *attention = hl_view_state_get_shown_attention (state);
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (state)->dark);
  const gboolean is_row = side == HL_PICK_QUERY;
  const char *token = is_row ? hl_attention_get_query_texts (attention)[layout->queries.first + index]
                             : hl_attention_get_key_texts (attention)[layout->keys.first + index];
  g_autofree char *label = hl_token_text_show (token);
  const double max_width =
    is_row ? layout->row_label_width : layout->columns_flat ? layout->cell : layout->column_label_width;
  const double size = in_focus ? MAX (layout->label_size, 11) : layout->label_size;
  const HlTextStyle style = { .size = size, .max_width = max_width };
  const double width = hl_scene_measure_text (HL_SCENE (self), label, &style);
  const double height = size * 1.5;
  double align = 0;

  cairo_save (cr);
  if (is_row)
    {
      cairo_translate (cr, layout->plot.x - 6, layout->origin_y + (index + 0.5) * layout->cell);
      align = 1;
    }
  else if (layout->columns_flat)
    {
      cairo_translate (cr, hl_heatmap_layout_get_column_x (layout, index), layout->plot.y - 6 - size * 0.65);
      align = 0.5;
    }
  else
    {
      cairo_translate (cr, hl_heatmap_layout_get_column_x (layout, index) + size * 0.12, layout->plot.y - 6);
      cairo_rotate (cr, SLANT);
    }
  if (in_focus)
    hl_callout_emphasis (cr, theme, &(cairo_rectangle_t){ -align * width - 4, -height / 2, width + 8, height });
  if (in_focus && pinned)
    {
      cairo_arc (cr, is_row ? -width - 11 : (1 - align) * width + 11, 0, 3.5, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  hl_scene_write (HL_SCENE (self), cr, label, &style, &theme->foreground, 0, 0, align);
  cairo_restore (cr);
}

static void
draw_labels (HlHeatmapScene        *self,
             cairo_t               *cr,
             const HlHeatmapLayout *layout)
{
  HlRange rows, columns;

  hl_heatmap_layout_get_cells (layout, &rows, &columns);

  cairo_save (cr);
  cairo_rectangle (cr, 0, layout->plot.y - 4, layout->plot.x, layout->plot.height + 8);
  cairo_clip (cr);
  for (gsize row = rows.first - rows.first % layout->row_stride; row < rows.first + rows.n; row += layout->row_stride)
    hl_heatmap_scene_draw_label (self, cr, layout, HL_PICK_QUERY, row, FALSE, FALSE);
  cairo_restore (cr);

  for (gsize column = columns.first - columns.first % layout->column_stride; column < columns.first + columns.n;
       column += layout->column_stride)
    {
      const double middle = hl_heatmap_layout_get_column_x (layout, column);
      if (middle >= layout->plot.x && middle <= layout->plot.x + layout->plot.width)
        hl_heatmap_scene_draw_label (self, cr, layout, HL_PICK_KEY, column, FALSE, FALSE);
    }
}

static void
draw_bar (HlHeatmapScene        *self,
          cairo_t               *cr,
          const HlHeatmapLayout *layout,
          const HlHeatmapPaint  *paint)
{
  const HlTheme *theme = paint->theme;
  const cairo_rectangle_t *bar = &layout->bar;
  const HlAttentionSource *source = hl_view_state_get_source (hl_scene_get_state (HL_SCENE (self)));
  const char *title =
    paint->scale.kind == HL_VALUE_SCALE_ROW
      ? (paint->scale.is_signed ? _ ("share of the row’s greatest magnitude") : _ ("share of the row’s maximum"))
    : paint->scale.kind == HL_VALUE_SCALE_CUMULATIVE && !paint->scale.is_signed
      ? _ ("share of the row held by keys no stronger")
      : hl_attention_source_get_quantity ((HlAttentionSource *) source);
  g_autoptr (GArray) ticks = NULL;
  g_autoptr (cairo_pattern_t) gradient = cairo_pattern_create_linear (0, bar->y + bar->height, 0, bar->y);

  for (guint i = 0; i <= 64; i++)
    {
      const guint32 pixel = hl_heatmap_paint_lookup (paint, i / 64.0);
      cairo_pattern_add_color_stop_rgb (gradient, i / 64.0, (pixel >> 16 & 0xFF) / 255.0, (pixel >> 8 & 0xFF) / 255.0,
                                        (pixel & 0xFF) / 255.0);
    }
  cairo_set_source (cr, gradient);
  cairo_rectangle (cr, bar->x, bar->y, bar->width, bar->height);
  cairo_fill (cr);
  hl_cairo_set_colour (cr, &theme->grid, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, bar->x - 0.5, bar->y - 0.5, bar->width + 1, bar->height + 1);
  cairo_stroke (cr);

  ticks = hl_value_scale_make_ticks (&paint->scale, CLAMP ((guint) (bar->height / 28), 2, 8));
  const HlTextStyle tick_style = { .size = TICK_SIZE };
  const HlTextStyle title_style = { .size = TITLE_SIZE, .max_width = bar->height };
  double labels_width = 0;
  for (guint i = 0; i < ticks->len; i++)
    {
      const HlValueTick *tick = &g_array_index (ticks, HlValueTick, i);
      const double y = bar->y + bar->height * (1 - tick->position);

      hl_cairo_set_colour (cr, &theme->muted, 1);
      cairo_rectangle (cr, bar->x + bar->width + 1, hl_cairo_snap (y - 0.5, layout->scale), 4, 1);
      cairo_fill (cr);
      hl_scene_write (HL_SCENE (self), cr, tick->label, &tick_style, &theme->muted, bar->x + bar->width + 8, y, 0);
      labels_width = MAX (labels_width, hl_scene_measure_text (HL_SCENE (self), tick->label, &tick_style));
    }
  hl_scene_write_upwards (HL_SCENE (self), cr, title, &title_style, &theme->muted,
                          bar->x + bar->width + 8 + labels_width + 12, bar->y + bar->height / 2, 0.5);
}

/* Stripes as in the cells, drawn as lines. */
static void
draw_stripes (cairo_t        *cr,
              const HlColour *colour,
              double          x,
              double          y,
              double          size,
              gboolean        both_ways)
{
  cairo_save (cr);
  cairo_rectangle (cr, x, y, size, size);
  cairo_clip (cr);
  hl_cairo_set_colour (cr, colour, 1);
  cairo_set_line_width (cr, 0.8);
  for (double offset = -size; offset < size; offset += 4)
    {
      cairo_move_to (cr, x + offset, y + size);
      cairo_line_to (cr, x + offset + size, y);
      if (both_ways)
        {
          cairo_move_to (cr, x + offset, y);
          cairo_line_to (cr, x + offset + size, y + size);
        }
    }
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
draw_legend (HlHeatmapScene        *self,
             cairo_t               *cr,
             const HlHeatmapLayout *layout,
             const HlTheme         *theme,
             gboolean               masked,
             gboolean               nan)
{
  const gboolean wanted[] = { masked, nan };
  const HlColour *grounds[] = { &theme->masked, &theme->background };
  const HlColour *stripes[] = { &theme->hatch, &theme->muted };
  /* In a difference, what is no number is mostly what has none to be subtracted from. */
  const gboolean of_two = hl_view_state_get_comparison (hl_scene_get_state (HL_SCENE (self))) != NULL;
  const char *names[] = { _ ("masked"), of_two ? _ ("not in both") : _ ("NaN") };
  const double x = layout->bar.x;
  double y = layout->bar.y + layout->bar.height + 16;

  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      if (!wanted[i])
        continue;
      hl_cairo_set_colour (cr, grounds[i], 1);
      cairo_rectangle (cr, x, y, LEGEND_SWATCH, LEGEND_SWATCH);
      cairo_fill (cr);
      draw_stripes (cr, stripes[i], x, y, LEGEND_SWATCH, i == 1);
      hl_cairo_set_colour (cr, &theme->grid, 1);
      cairo_set_line_width (cr, 1);
      cairo_rectangle (cr, x - 0.5, y - 0.5, LEGEND_SWATCH + 1, LEGEND_SWATCH + 1);
      cairo_stroke (cr);
      hl_scene_write (HL_SCENE (self), cr, names[i], &(HlTextStyle){ .size = TICK_SIZE }, &theme->muted,
                      x + LEGEND_SWATCH + 8, y + LEGEND_SWATCH / 2.0, 0);
      y += LEGEND_SWATCH + 8;
    }
}

/**
 * hl_heatmap_scene_draw_backdrop: (skip)
 * @scene: a heatmap
 * @cr: where to
 */
void
hl_heatmap_scene_draw_backdrop (HlScene *scene,
                                cairo_t *cr)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (state)->dark);
  const HlHeatmapLayout layout = hl_heatmap_scene_get_layout (self);
  const HlHeatmapData *data = hl_heatmap_scene_get_data (self);
  const double middle = layout.plot.x + layout.plot.width / 2;
  const HlTextStyle title = { .size = TITLE_SIZE };

  hl_scene_paint_background (scene, cr);
  hl_scene_caption_draw (scene, cr, layout.caption_y);
  if (layout.queries.n == 0 || layout.keys.n == 0)
    {
      hl_scene_write (scene, cr, _ ("No tokens to show"), &(HlTextStyle){ .size = 13 }, &theme->muted,
                      layout.width / 2, layout.plot.y + 24, 0.5);
      return;
    }

  hl_scene_write (scene, cr, hl_scene_get_column_title (state), &title, &theme->muted, middle,
                  layout.title_y, 0.5);
  hl_scene_write_upwards (scene, cr, hl_scene_get_row_title (state), &title, &theme->muted, layout.title_x,
                          layout.plot.y + layout.plot.height / 2, 0.5);
  draw_labels (self, cr, &layout);

  hl_cairo_set_colour (cr, &theme->grid, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, layout.plot.x - 0.5, layout.plot.y - 0.5, layout.plot.width + 1, layout.plot.height + 1);
  cairo_stroke (cr);
  if (data != NULL)
    {
      const HlHeatmapPaint paint = hl_heatmap_scene_get_paint (self, data);
      draw_bar (self, cr, &layout, &paint);
      draw_legend (self, cr, &layout, theme, paint.mask.causal, data->has_nan);
    }
}
