/* SPDX-License-Identifier: MIT */
/* What of a model view does not depend on the pointer: caption, titles, numbers of layers and heads, frames. */
#include "draw/model-view/hl-model-view-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/paint/hl-cairo.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-caption.h"
#include "draw/scene/hl-scene-write.h"

#define TITLE_SIZE 11
#define LABEL_PAD 7
/* Around smaller thumbnails frames would be all there is to see. */
#define MIN_FRAMED_PITCH 18

/* The middle of what is in view of a row or column. */
static double
get_middle (double begin,
            double length,
            double plot_begin,
            double plot_length)
{
  const double first = MAX (begin, plot_begin);
  const double end = MIN (begin + length, plot_begin + plot_length);

  return (first + end) / 2;
}

/**
 * hl_model_view_scene_draw_label: (skip)
 * @self: a model view
 * @cr: where to
 * @layout: where everything is
 * @is_layer: whether it is a layer, else a head
 * @index: its number; in view
 * @in_focus: whether it stands out
 */
void
hl_model_view_scene_draw_label (HlModelViewScene        *self,
                                cairo_t                 *cr,
                                const HlModelViewLayout *layout,
                                gboolean                 is_layer,
                                guint                    index,
                                gboolean                 in_focus)
{
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (hl_scene_get_state (HL_SCENE (self)))->dark);
  const HlTextStyle style = { .size = in_focus ? MAX (layout->label_size, 11) : layout->label_size, .bold = in_focus };
  double x = layout->plot.x - LABEL_PAD;
  double y = layout->plot.y - LABEL_PAD - style.size * 0.6;
  const char *name = is_layer ? hl_attention_get_layer_name (layout->attention)
                              : hl_attention_get_head_name (layout->attention);
  g_autofree char *number = name != NULL ? g_strdup (_ (name)) : g_strdup_printf ("%u", index);

  if (is_layer)
    y = get_middle (layout->origin_y + index * layout->pitch_y, layout->pitch_y - layout->gap, layout->plot.y,
                    layout->plot.height);
  else
    x = get_middle (layout->origin_x + index * layout->pitch_x, layout->pitch_x - layout->gap, layout->plot.x,
                    layout->plot.width);
  if (in_focus)
    {
      const double width = hl_scene_measure_text (HL_SCENE (self), number, &style) + 8;
      const double height = style.size * 1.5;

      hl_cairo_set_colour (cr, &theme->background, 1);
      cairo_rectangle (cr, x - (is_layer ? width - 4 : width / 2), y - height / 2, width, height);
      cairo_fill (cr);
    }
  hl_scene_write (HL_SCENE (self), cr, number, &style, in_focus ? &theme->accent : &theme->foreground, x, y,
                  is_layer ? 1 : 0.5);
}

static void
draw_labels (HlModelViewScene        *self,
             cairo_t                 *cr,
             const HlModelViewLayout *layout,
             const HlTheme           *theme)
{
  const HlTextStyle style = { .size = TITLE_SIZE };
  HlRange layers, heads;

  hl_model_view_layout_get_seen (layout, &layers, &heads);
  for (guint layer = 0; layer < layers.first + layers.n; layer += layout->row_stride)
    if (layer >= layers.first)
      hl_model_view_scene_draw_label (self, cr, layout, TRUE, layer, FALSE);
  for (guint head = 0; head < heads.first + heads.n; head += layout->column_stride)
    if (head >= heads.first)
      hl_model_view_scene_draw_label (self, cr, layout, FALSE, head, FALSE);

  /* Where a name stands in place of numbers, the caption says of what. */
  if (hl_attention_get_head_name (layout->attention) == NULL)
    /* Translators: title of the columns of the model view */
    hl_scene_write (HL_SCENE (self), cr, _ ("head"), &style, &theme->muted, layout->plot.x + layout->plot.width / 2,
                    layout->plot.y - LABEL_PAD - layout->label_size * 1.6 - 6, 0.5);
  if (hl_attention_get_layer_name (layout->attention) == NULL)
    /* Translators: title of the rows of the model view */
    hl_scene_write_upwards (HL_SCENE (self), cr, _ ("layer"), &style, &theme->muted,
                            layout->plot.x - LABEL_PAD - layout->label_size * 2 - 8,
                            layout->plot.y + layout->plot.height / 2, 0.5);
}

static void
draw_frames (cairo_t                 *cr,
             const HlModelViewLayout *layout,
             const HlTheme           *theme)
{
  HlRange rows, columns;

  if (MIN (layout->pitch_x, layout->pitch_y) < MIN_FRAMED_PITCH)
    return;
  hl_model_view_layout_get_seen (layout, &rows, &columns);
  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    for (gsize column = columns.first; column < columns.first + columns.n; column++)
      {
        const double line = 1 / layout->scale;
        guint layer, head;
        cairo_rectangle_t box;

        if (!hl_model_view_layout_get_map (layout, row, column, &layer, &head))
          continue;
        hl_model_view_layout_get_box (layout, layer, head, &box);
        cairo_rectangle (cr, box.x - line / 2, box.y - line / 2, box.width + line, box.height + line);
      }
  hl_cairo_set_colour (cr, &theme->grid, 1);
  cairo_set_line_width (cr, 1 / layout->scale);
  cairo_stroke (cr);
}

/**
 * hl_model_view_scene_draw_backdrop: (skip)
 * @scene: a model view
 * @cr: where to
 */
void
hl_model_view_scene_draw_backdrop (HlScene *scene,
                                   cairo_t *cr)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (state)->dark);
  const HlModelViewLayout layout = hl_model_view_scene_get_layout (self);

  hl_scene_paint_background (scene, cr);
  hl_scene_caption_draw (scene, cr, layout.caption_y);
  if (hl_view_state_get_shown_queries (state).n == 0 || hl_view_state_get_shown_keys (state).n == 0)
    {
      hl_scene_write (scene, cr, _ ("No tokens to show"), &(HlTextStyle){ .size = 13 }, &theme->muted,
                      layout.width / 2, layout.plot.y + 24, 0.5);
      return;
    }
  hl_model_view_scene_draw_legend (self, cr, &layout);
  if (layout.order->order == NULL)
    draw_labels (self, cr, &layout, theme);
  else
    hl_model_view_scene_draw_names (self, cr, &layout);
  cairo_save (cr);
  cairo_rectangle (cr, layout.plot.x - 1, layout.plot.y - 1, layout.plot.width + 2, layout.plot.height + 2);
  cairo_clip (cr);
  hl_model_view_scene_draw_tints (self, cr, &layout);
  draw_frames (cr, &layout, theme);
  cairo_restore (cr);
}
