/* SPDX-License-Identifier: MIT */
/* What of the view of steps does not depend on the pointer: caption, titles, formulas, token labels, scales. */
#include "draw/steps/hl-steps-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/scene/hl-scene-caption.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/steps/hl-step-text.h"
#include "draw/text/hl-token-label.h"

#define TITLE_SIZE 13
#define FORMULA_SIZE 11
#define SCALE_SIZE 10
#define NOTICE_SIZE 13

typedef struct
{
  HlScene *scene;
  cairo_t *cr;
  const HlTheme *theme;
} Pen;

static double
write_text (const Pen      *pen,
            const char     *text,
            double          size,
            gboolean        bold,
            double          max_width,
            const HlColour *colour,
            double          x,
            double          y,
            double          align)
{
  const HlTextStyle style = { .size = size, .bold = bold, .max_width = MAX (max_width, 0) };

  hl_scene_write (pen->scene, pen->cr, text, &style, colour, x, y, align);
  return hl_scene_measure_text (pen->scene, text, &style);
}

static void
draw_heading (const Pen         *pen,
              const HlStepsCard *card,
              const HlStepsData *data)
{
  g_autofree char *formula = hl_step_text_make_formula (data->steps, card->step);
  g_autofree char *shape = g_strdup_printf ("%zu × %zu", card->rows.n, card->columns.n);
  const double right = card->box.x + card->box.width;
  const double width =
    write_text (pen, shape, FORMULA_SIZE, FALSE, 0, &pen->theme->muted, right, card->box.y + 10, 1);

  write_text (pen, hl_step_text_get_title (card->step), TITLE_SIZE, TRUE, card->box.width - width - 8,
              &pen->theme->foreground, card->box.x, card->box.y + 10, 0);
  write_text (pen, formula, FORMULA_SIZE, FALSE, card->box.width, &pen->theme->muted, card->box.x, card->box.y + 27, 0);
}

static void
draw_labels (const Pen           *pen,
             const HlStepsLayout *layout,
             const HlStepsCard   *card,
             HlAttention         *attention)
{
  const char *const *row_tokens = hl_step_has_key_rows (card->step) ? hl_attention_get_key_texts (attention)
                                                                    : hl_attention_get_query_texts (attention);
  const double pitch = card->plot.height / MAX (card->rows.n, 1);
  const double column_pitch = card->plot.width / MAX (card->columns.n, 1);

  for (gsize row = 0; card->label_width > 0 && row < card->rows.n; row += card->row_stride)
    {
      const double y = card->plot.y + (row + 0.5) * pitch;
      g_autofree char *label = NULL;

      if (y < layout->header_height - pitch || y > layout->height + pitch)
        continue;
      label = hl_token_text_show (row_tokens[card->rows.first + row]);
      write_text (pen, label, layout->label_size, FALSE, card->label_width - 6, &pen->theme->muted, card->plot.x - 6, y,
                  1);
    }
  for (gsize column = 0; card->column_label_height > 0 && column < card->columns.n; column++)
    {
      g_autofree char *label =
        hl_token_text_show (hl_attention_get_key_texts (attention)[card->columns.first + column]);

      cairo_save (pen->cr);
      cairo_translate (pen->cr, card->plot.x + (column + 0.5) * column_pitch, card->plot.y - 5);
      cairo_rotate (pen->cr, -G_PI_2);
      write_text (pen, label, layout->label_size, FALSE, card->column_label_height - 4, &pen->theme->muted, 0, 0, 0);
      cairo_restore (pen->cr);
    }
}

/* The colours from the smallest number to the greatest, and both. */
static void
draw_scale (const Pen           *pen,
            const HlStepsCard   *card,
            const HlStepsMatrix *matrix,
            HlColourMap          map)
{
  const HlValuePaint paint = hl_steps_matrix_get_paint (matrix, map, pen->theme->dark);
  const double min = paint.diverging ? matrix->min : 0;
  const double y = card->plot.y + card->plot.height + 14;
  char low[HL_SCORE_TEXT_SIZE], high[HL_SCORE_TEXT_SIZE];
  const double left = card->plot.x + 6 +
                      write_text (pen, hl_score_text_format (min, low), SCALE_SIZE, FALSE, 0, &pen->theme->muted,
                                  card->plot.x, y, 0);
  const double width = CLAMP (card->box.width - card->label_width - 96, 24, 90);
  g_autoptr (cairo_pattern_t) gradient = cairo_pattern_create_linear (left, 0, left + width, 0);

  for (guint i = 0; i <= 32; i++)
    {
      const guint32 pixel = hl_value_paint_get_pixel (&paint, (float) (min + (matrix->max - min) * i / 32));
      cairo_pattern_add_color_stop_rgb (gradient, i / 32.0, (pixel >> 16 & 0xFF) / 255.0, (pixel >> 8 & 0xFF) / 255.0,
                                        (pixel & 0xFF) / 255.0);
    }
  cairo_set_source (pen->cr, gradient);
  cairo_rectangle (pen->cr, left, y - 4, width, 8);
  cairo_fill (pen->cr);
  hl_cairo_set_colour (pen->cr, &pen->theme->grid, 1);
  cairo_set_line_width (pen->cr, 1);
  cairo_rectangle (pen->cr, left - 0.5, y - 4.5, width + 1, 9);
  cairo_stroke (pen->cr);
  write_text (pen, hl_score_text_format (matrix->max, high), SCALE_SIZE, FALSE, 0, &pen->theme->muted, left + width + 6,
              y, 0);
}

static void
draw_card (const Pen           *pen,
           const HlStepsLayout *layout,
           guint                index,
           const HlStepsData   *wanted,
           const HlStepsData   *data,
           HlViewState         *state)
{
  const HlStepsCard *card = &layout->cards[index];

  if (card->box.y > layout->height || card->box.y + card->box.height < layout->header_height)
    return;
  draw_heading (pen, card, wanted);
  draw_labels (pen, layout, card, hl_view_state_get_attention (state));
  hl_cairo_set_colour (pen->cr, &pen->theme->grid, 1);
  cairo_set_line_width (pen->cr, 1);
  cairo_rectangle (pen->cr, card->plot.x - 0.5, hl_cairo_snap (card->plot.y, layout->scale) - 0.5, card->plot.width + 1,
                   card->plot.height + 1);
  cairo_stroke (pen->cr);
  if (data != NULL)
    draw_scale (pen, card, &data->matrices[index], hl_view_state_get_options (state)->colour_map);
}

static void
draw_note (const Pen           *pen,
           const HlStepsLayout *layout,
           const HlStepsData   *data)
{
  const gboolean has_input = hl_head_steps_has (data->steps, HL_STEP_INPUT);
  const gboolean has_values = hl_head_steps_has (data->steps, HL_STEP_VALUES);
  const char *note = NULL;

  if (!has_input && !has_values)
    note = _ ("The file has neither X nor V, so there is no output.");
  else if (!has_values)
    note = _ ("The file has no V, so there is no output.");
  else if (!has_input)
    note = _ ("The file has no X.");
  if (note != NULL)
    write_text (pen, note, FORMULA_SIZE, FALSE, layout->width - 24, &pen->theme->muted, layout->width / 2,
                layout->note_y, 0.5);
}

static void
draw_cards (HlStepsScene *self,
            const Pen    *pen)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const HlStepsLayout layout = hl_steps_scene_get_layout (self);
  const HlStepsData *data = hl_steps_scene_get_data (self);
  g_autoptr (HlStepsData) wanted = hl_steps_data_new (state);

  cairo_rectangle (pen->cr, 0, layout.header_height, layout.width, MAX (0, layout.height - layout.header_height));
  cairo_clip (pen->cr);
  if (wanted->queries.n == 0 || wanted->keys.n == 0)
    {
      write_text (pen, _ ("No tokens to show"), NOTICE_SIZE, FALSE, 0, &pen->theme->muted, layout.width / 2,
                  layout.header_height + 48, 0.5);
      return;
    }
  for (guint i = 0; i < layout.n_cards; i++)
    draw_card (pen, &layout, i, wanted, data, state);
  draw_note (pen, &layout, wanted);
}

/**
 * hl_steps_scene_draw_backdrop: (skip)
 * @scene: a view of steps
 * @cr: where to
 */
void
hl_steps_scene_draw_backdrop (HlScene *scene,
                              cairo_t *cr)
{
  HlStepsScene *self = HL_STEPS_SCENE (scene);
  const Pen pen = { scene, cr, hl_theme_get (hl_view_state_get_options (hl_scene_get_state (scene))->dark) };
  double width;

  hl_scene_get_viewport (scene, &width, NULL, NULL);
  hl_scene_paint_background (scene, cr);
  hl_scene_caption_draw (scene, cr, 18);
  if (hl_steps_scene_is_possible (self))
    draw_cards (self, &pen);
  else
    write_text (&pen, hl_step_text_get_lack (), NOTICE_SIZE, FALSE, MAX (width - 24, 24), &pen.theme->muted, width / 2,
                96, 0.5);
}
