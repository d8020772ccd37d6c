/* SPDX-License-Identifier: MIT */
/* The words of a head view: labels of tokens, titles of columns, letters of sentences. */
#include "draw/head-view/hl-head-view-labels.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-describe.h"
#include "draw/scene/hl-scene-label.h"
#include "draw/scene/hl-scene-write.h"
#include "view/hl-weight-text.h"

#define TITLE_SIZE 11
/* From the edge of the room beside labels. */
#define BRACKET_DISTANCE 12

/* Writes a line so that it can be read: to the side, or upwards where tokens run across and are close. x and y are
 * those of tokens; y is the middle of the row, align 0, 0.5 or 1 says which part of the text x is. */
void
hl_head_view_draw_text (HlScene                *scene,
                        cairo_t                *cr,
                        const HlHeadViewLayout *layout,
                        const char             *text,
                        const HlTextStyle      *style,
                        const HlColour         *colour,
                        double                  x,
                        double                  y,
                        double                  align)
{
  cairo_matrix_t inverse = layout->matrix;

  cairo_save (cr);
  cairo_matrix_invert (&inverse);
  cairo_transform (cr, &inverse);
  cairo_matrix_transform_point (&layout->matrix, &x, &y);
  if (!layout->horizontal)
    hl_scene_write (scene, cr, text, style, colour, x, y, layout->mirrored ? 1 - align : align);
  else if (layout->flat || align == 0.5)
    hl_scene_write (scene, cr, text, style, colour, x, y + (0.5 - align) * style->size * 1.3, 0.5);
  else
    hl_scene_write_upwards (scene, cr, text, style, colour, x, y, 1 - align);
  cairo_restore (cr);
}

/* The tokens of one text: a thin line beside them with its letter. */
static void
draw_bracket (HlScene            *scene,
              const HlSceneFrame *frame,
              cairo_t            *cr,
              double              x,
              HlSide              side,
              gsize               first,
              gsize               end,
              const char         *letter)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlTheme *theme = frame->theme;
  const HlTextStyle style = { .size = TITLE_SIZE, .bold = TRUE };
  const double top = hl_head_view_layout_get_row_top (layout, side, first) + 3;
  const double bottom = hl_head_view_layout_get_row_top (layout, side, end) - 3;
  const double seen_top = MAX (top, layout->begin);
  const double seen_bottom = MIN (bottom, layout->end);
  const double middle = (seen_top + seen_bottom) / 2;

  if (seen_bottom - seen_top < 4)
    return;
  hl_cairo_set_colour (cr, &theme->grid, 1);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, x + 0.5, top);
  cairo_line_to (cr, x + 0.5, MIN (bottom, middle - 9));
  cairo_move_to (cr, x + 0.5, MAX (top, middle + 9));
  cairo_line_to (cr, x + 0.5, bottom);
  cairo_stroke (cr);
  if (seen_bottom - seen_top >= 18)
    hl_head_view_draw_text (scene, cr, layout, letter, &style, &theme->muted, x + 0.5, middle, 0.5);
}

void
hl_head_view_draw_sentences (HlScene            *scene,
                             const HlSceneFrame *frame,
                             cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;
  const struct
  {
    HlRange range;
    double x;
  } sides[] = {
    { layout->queries, round (layout->columns[HL_QUERIES].left) - layout->gutter + BRACKET_DISTANCE },
    { layout->keys, round (layout->columns[HL_KEYS].right) + layout->gutter - BRACKET_DISTANCE },
  };

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      const HlRange range = sides[side].range;
      const gsize b = hl_shown_get_sentence_b (frame->shown, side);

      if (b == 0)
        continue;
      const gsize split = CLAMP (b, range.first, range.first + range.n) - range.first;

      if (split > 0)
        draw_bracket (scene, frame, cr, sides[side].x, side, 0, split, "A");
      if (split < range.n)
        draw_bracket (scene, frame, cr, sides[side].x, side, split, range.n, "B");
    }
}

void
hl_head_view_draw_label (HlScene            *scene,
                         const HlSceneFrame *frame,
                         cairo_t            *cr,
                         HlSide              side,
                         gsize               row)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlLabelColumn *column = &layout->columns[side];
  const double toward_lines = side == HL_QUERIES ? 1 : 0;
  const double width = column->right - column->left;
  HlSceneLabel label = {
    .attention = frame->shown->attention,
    .side = side,
    .token = layout->ranges[side].first + row,
    .style = { .size = layout->label_sizes[side], .max_width = layout->flat ? layout->row_height - 4 : width - 6 },
    .colour = &frame->theme->foreground,
    .direction = layout->horizontal && !layout->flat ? HL_LABEL_UPWARDS : HL_LABEL_LEVEL,
    .pitch = layout->pitches[side] * layout->label_strides[side],
  };
  double x = side == HL_QUERIES ? column->right - 4 : column->left + 4;
  double y = hl_head_view_layout_get_row_y (layout, side, row);
  cairo_matrix_t inverse = layout->matrix;

  cairo_save (cr);
  cairo_matrix_invert (&inverse);
  cairo_transform (cr, &inverse);
  cairo_matrix_transform_point (&layout->matrix, &x, &y);
  if (!layout->horizontal)
    label.align = layout->mirrored ? 1 - toward_lines : toward_lines;
  else if (layout->flat)
    {
      label.align = 0.5;
      y += (0.5 - toward_lines) * label.style.size * 1.3;
    }
  else
    label.align = 1 - toward_lines;
  hl_scene_draw_label (scene, frame, cr, &label, x, y);
  cairo_restore (cr);
}

/* Over the columns; where tokens run across, before the rows. */
void
hl_head_view_draw_titles (HlScene            *scene,
                          const HlSceneFrame *frame,
                          cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlTheme *theme = frame->theme;
  const HlTextStyle style = { .size = TITLE_SIZE };
  /* As high as labels that lie flat, or as the inner end of those that are turned. */
  const double inset = (layout->flat ? layout->label_size : TITLE_SIZE) * 0.65;
  const struct
  {
    const char *title;
    double x;
    double y;
    double align;
  } titles[] = {
    { hl_scene_get_row_title (frame->shown), layout->columns[HL_QUERIES].right - 4,
      layout->columns[HL_QUERIES].right - 4 - inset, 1 },
    { hl_scene_get_column_title (frame->shown), layout->columns[HL_KEYS].left + 4,
      layout->columns[HL_KEYS].left + 4 + inset, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      const double x = layout->horizontal ? 12 + layout->slack : titles[i].x;
      const double align = layout->horizontal ? 0 : titles[i].align;
      hl_scene_write (scene, cr, titles[i].title, &style, &theme->muted, layout->mirrored ? layout->width - x : x,
                      layout->horizontal ? titles[i].y : layout->titles_y, layout->mirrored ? 1 - align : align);
    }
  /* Something went under what stays in place. */
  if (layout->first_row < layout->begin)
    {
      cairo_rectangle_t line = { layout->side, layout->begin - 1, layout->across - layout->side, 1 };
      hl_head_view_layout_map_box (layout, &line);
      hl_cairo_set_colour (cr, &theme->grid, 1);
      cairo_rectangle (cr, line.x, line.y, line.width, line.height);
      cairo_fill (cr);
    }
}

double
hl_head_view_measure_titles (HlScene       *scene,
                             const HlShown *shown)
{
  const HlTextStyle style = { .size = TITLE_SIZE };

  return MAX (hl_scene_measure_text (scene, hl_scene_get_row_title (shown), &style),
              hl_scene_measure_text (scene, hl_scene_get_column_title (shown), &style));
}

/* What the strength of lines is a part of, between the titles of their ends: in as many words as there is room for. */
void
hl_head_view_draw_scale (HlScene            *scene,
                         const HlSceneFrame *frame,
                         cairo_t            *cr,
                         double              strongest)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlTextStyle style = { .size = TITLE_SIZE };
  const double middle = (layout->x_query + layout->x_key) / 2;
  const double room = layout->x_key - layout->x_query;
  char number[HL_WEIGHT_TEXT_SIZE];

  const double least = hl_shown_get_least_whole (frame->shown);
  char least_number[HL_WEIGHT_TEXT_SIZE];

  hl_weight_text_format (strongest, number);
  hl_weight_text_format (least, least_number);
  /* Translators: a number: the strongest weight that is shown, and lines are drawn as their parts of it */
  const char *words = frame->shown->comparison != NULL                       ? _ ("lines to the greatest |Δ|, %s")
                      : hl_attention_source_is_signed (frame->shown->source) ? _ ("lines to the greatest magnitude, %s")
                                                                             : _ ("lines to the strongest, %s");
  g_autofree char *whole =
    strongest >= least
      ? g_strdup_printf (words, number)
      /* Translators: two numbers: what lines are drawn as parts of, and the strongest weight that is shown, which is less */
      : g_strdup_printf (_ ("lines to %s, the strongest %s"), least_number, number);
  /* Translators: a number: the greatest magnitude that is shown */
  g_autofree char *brief = g_strdup_printf (hl_attention_source_is_signed (frame->shown->source)
                                              ? _ ("greatest %s")
                                              /* Translators: a number: the strongest weight that is shown */
                                              : _ ("strongest %s"),
                                            number);
  /* Translators: a number: the greatest that is shown, in as few letters as can be */
  g_autofree char *briefest = g_strdup_printf (_ ("max %s"), number);
  const char *const texts[] = { whole, brief, briefest };
  guint i = 0;
  while (i + 1 < G_N_ELEMENTS (texts) && hl_scene_measure_text (scene, texts[i], &style) > room)
    i++;
  if (layout->horizontal)
    hl_scene_write_upwards (scene, cr, texts[i], &style, &frame->theme->muted,
                            layout->mirrored ? layout->width - 18 : 18, middle, 0.5);
  else
    hl_scene_write (scene, cr, texts[i], &style, &frame->theme->muted,
                    layout->mirrored ? layout->width - middle : middle, layout->titles_y, 0.5);
}
