/* SPDX-License-Identifier: MIT */
/* What of a head view does not depend on the pointer: caption, head strip, titles, token labels, marks of sentences. */
#include "draw/head-view/hl-head-view-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/paint/hl-palette.h"
#include "draw/scene/hl-scene-caption.h"
#include "draw/scene/hl-scene-describe.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-token-label.h"

#define TITLE_SIZE 11
/* From the edge of the room beside labels. */
#define BRACKET_DISTANCE 12

static const HlTheme *
get_theme (HlHeadViewScene *self)
{
  return hl_theme_get (hl_view_state_get_options (hl_scene_get_state (HL_SCENE (self)))->dark);
}

/**
 * hl_head_view_scene_measure_titles: (skip)
 * @self: a head view
 *
 * Returns: room that the longer of the titles wants, logical pixels
 */
double
hl_head_view_scene_measure_titles (HlHeadViewScene *self)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const HlTextStyle style = { .size = TITLE_SIZE };

  return MAX (hl_scene_measure_text (HL_SCENE (self), hl_scene_get_row_title (state), &style),
              hl_scene_measure_text (HL_SCENE (self), hl_scene_get_column_title (state), &style));
}

/**
 * hl_head_view_scene_draw_text: (skip)
 * @self: a head view
 * @cr: where to, in coordinates of tokens
 * @layout: where everything is
 * @text: valid UTF-8
 * @style: how it looks
 * @colour: its colour
 * @x: on the x of tokens: where it begins (@align 0), its middle (0.5), or where it ends (1)
 * @y: the middle of its row, on the y of tokens
 * @align: 0, 0.5 or 1
 *
 * Writes a line so that it can be read: to the side, or upwards where tokens run across and are close.
 */
void
hl_head_view_scene_draw_text (HlHeadViewScene        *self,
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
    hl_scene_write (HL_SCENE (self), cr, text, style, colour, x, y, layout->mirrored ? 1 - align : align);
  else if (layout->flat || align == 0.5)
    hl_scene_write (HL_SCENE (self), cr, text, style, colour, x, y + (0.5 - align) * style->size * 1.3, 0.5);
  else
    hl_scene_write_upwards (HL_SCENE (self), cr, text, style, colour, x, y, 1 - align);
  cairo_restore (cr);
}

/**
 * hl_head_view_scene_draw_label: (skip)
 * @self: a head view
 * @cr: where to
 * @layout: where everything is
 * @side: %HL_PICK_QUERY or %HL_PICK_KEY
 * @row: counted from the first that is shown
 */
void
hl_head_view_scene_draw_label (HlHeadViewScene        *self,
                               cairo_t                *cr,
                               const HlHeadViewLayout *layout,
                               HlPickKind              side,
                               gsize                   row)
{
  HlScene *scene = HL_SCENE (self);
  HlAttention *attention = hl_view_state_get_shown_attention (hl_scene_get_state (scene));
  const gboolean is_query = side == HL_PICK_QUERY;
  const char *token = is_query ? hl_attention_get_query_texts (attention)[layout->queries.first + row]
                               : hl_attention_get_key_texts (attention)[layout->keys.first + row];
  g_autofree char *label = hl_token_text_show (token);
  const double width = is_query ? layout->query_right - layout->query_left : layout->key_right - layout->key_left;
  const HlTextStyle style = { .size = layout->label_size,
                              .max_width = layout->flat ? layout->row_height - 4 : width - 6 };

  hl_head_view_scene_draw_text (self, cr, layout, label, &style, &get_theme (self)->foreground,
                                is_query ? layout->query_right - 4 : layout->key_left + 4,
                                hl_head_view_layout_get_row_y (layout, row), is_query ? 1 : 0);
}

/* The ink that is easier to read on a colour. */
static HlColour
get_ink_on (const HlColour *ground)
{
  const double luminance = 0.2126 * ground->r * ground->r + 0.7152 * ground->g * ground->g +
                           0.0722 * ground->b * ground->b;

  return luminance > 0.26 ? (HlColour){ 0.08, 0.08, 0.08, 1 } : (HlColour){ 1, 1, 1, 1 };
}

/**
 * hl_head_view_scene_draw_swatch: (skip)
 * @self: a head view
 * @cr: where to
 * @layout: where everything is
 * @head: a head of the layer, or counted on behind these, a guest
 */
void
hl_head_view_scene_draw_swatch (HlHeadViewScene        *self,
                                cairo_t                *cr,
                                const HlHeadViewLayout *layout,
                                guint                   head)
{
  HlScene *scene = HL_SCENE (self);
  HlViewState *state = hl_scene_get_state (scene);
  const HlTheme *theme = get_theme (self);
  /* Heads that make one map have one colour, that of its lines; colours that tell signs tell no heads. */
  const gboolean is_signed = hl_attention_source_is_signed (hl_view_state_get_source (state));
  const HlColour colour =
    is_signed ? theme->muted : hl_palette_get_head_colour (hl_view_state_merges_heads (state) ? 0 : head, theme->dark);
  const gboolean is_guest = head >= layout->n_own;
  const gboolean active = is_guest || hl_head_set_contains (hl_view_state_get_heads (state), head);
  double x, y;

  hl_head_view_layout_get_swatch (layout, head, &x, &y);
  hl_cairo_set_colour (cr, &colour, active ? 1 : 0.16);
  hl_cairo_rounded_rectangle (cr, x, y, layout->swatch_width, layout->swatch_height, 4);
  cairo_fill (cr);
  if (!active)
    {
      hl_cairo_set_colour (cr, &colour, 0.8);
      cairo_set_line_width (cr, 1);
      hl_cairo_rounded_rectangle (cr, x + 0.5, y + 0.5, layout->swatch_width - 1, layout->swatch_height - 1, 3.5);
      cairo_stroke (cr);
    }
  if (layout->swatch_height >= 16)
    {
      const HlTextStyle style = { .size = layout->swatch_height >= 20 ? 11 : 9, .bold = active };
      const HlColour ink = active ? get_ink_on (&colour) : theme->muted;
      char number[32];

      if (is_guest)
        g_snprintf (number, sizeof number, "%u.%u", layout->guests.heads[head - layout->n_own].layer,
                    layout->guests.heads[head - layout->n_own].head);
      else
        g_snprintf (number, sizeof number, "%u", head);
      hl_scene_write (scene, cr, number, &style, &ink, x + layout->swatch_width / 2, y + layout->swatch_height / 2,
                      0.5);
    }
}

/* The tokens of one text: a thin line beside them with its letter. */
static void
draw_bracket (HlHeadViewScene        *self,
              cairo_t                *cr,
              const HlHeadViewLayout *layout,
              double                  x,
              gsize                   first,
              gsize                   end,
              const char             *letter)
{
  const HlTheme *theme = get_theme (self);
  const HlTextStyle style = { .size = TITLE_SIZE, .bold = TRUE };
  const double top = layout->first_row + first * layout->row_height + 3;
  const double bottom = layout->first_row + end * layout->row_height - 3;
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
    hl_head_view_scene_draw_text (self, cr, layout, letter, &style, &theme->muted, x + 0.5, middle, 0.5);
}

static void
draw_sentences (HlHeadViewScene        *self,
                cairo_t                *cr,
                const HlHeadViewLayout *layout)
{
  const gsize b =
    hl_attention_get_sentence_b_start (hl_view_state_get_shown_attention (hl_scene_get_state (HL_SCENE (self))));
  const struct
  {
    HlRange range;
    double x;
  } sides[] = {
    { layout->queries, round (layout->query_left) - layout->gutter + BRACKET_DISTANCE },
    { layout->keys, round (layout->key_right) + layout->gutter - BRACKET_DISTANCE },
  };

  if (b == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      const HlRange range = sides[i].range;
      const gsize split = CLAMP (b, range.first, range.first + range.n) - range.first;

      if (split > 0)
        draw_bracket (self, cr, layout, sides[i].x, 0, split, "A");
      if (split < range.n)
        draw_bracket (self, cr, layout, sides[i].x, split, range.n, "B");
    }
}

static void
draw_column (HlHeadViewScene        *self,
             cairo_t                *cr,
             const HlHeadViewLayout *layout,
             HlPickKind              side)
{
  /* On a screen labels are painted over; on paper, where text can be searched, none should be there twice. */
  g_autofree gboolean *covered =
    hl_scene_get_vector (HL_SCENE (self)) ? hl_head_view_scene_make_covered (self, layout, side) : NULL;
  gsize first, end;

  hl_head_view_layout_get_rows_seen (layout, side == HL_PICK_QUERY ? layout->queries.n : layout->keys.n, &first, &end);
  first -= first % layout->label_stride;
  for (gsize row = first; row < end; row += layout->label_stride)
    if (covered == NULL || !covered[row])
      hl_head_view_scene_draw_label (self, cr, layout, side, row);
}

static void
draw_header (HlHeadViewScene        *self,
             cairo_t                *cr,
             const HlHeadViewLayout *layout)
{
  hl_scene_caption_draw (HL_SCENE (self), cr, layout->caption_y);
  for (guint head = 0; head < layout->n_heads; head++)
    hl_head_view_scene_draw_swatch (self, cr, layout, head);
}

/* Over the columns; where tokens run across, before the rows. */
static void
draw_titles (HlHeadViewScene        *self,
             cairo_t                *cr,
             const HlHeadViewLayout *layout)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const HlTheme *theme = get_theme (self);
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
    { hl_scene_get_row_title (state), layout->query_right - 4, layout->query_right - 4 - inset, 1 },
    { hl_scene_get_column_title (state), layout->key_left + 4, layout->key_left + 4 + inset, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      const double x = layout->horizontal ? 12 : titles[i].x;
      const double align = layout->horizontal ? 0 : titles[i].align;
      hl_scene_write (HL_SCENE (self), cr, titles[i].title, &style, &theme->muted,
                      layout->mirrored ? layout->width - x : x, layout->horizontal ? titles[i].y : layout->titles_y,
                      layout->mirrored ? 1 - align : align);
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

static void
draw_notice (HlHeadViewScene        *self,
             cairo_t                *cr,
             const HlHeadViewLayout *layout)
{
  HlScene *scene = HL_SCENE (self);
  const double room = layout->horizontal ? layout->end - layout->begin : layout->x_key - layout->x_query;
  const HlTextStyle style = { .size = 13, .max_width = MAX (room - 24, 24) };
  const char *notice = NULL;

  if (layout->queries.n == 0 || layout->keys.n == 0)
    notice = _ ("No tokens to show");
  else if (hl_head_set_count (hl_view_state_get_heads (hl_scene_get_state (scene))) == 0 && layout->guests.n == 0)
    notice = _ ("No head is selected");
  if (notice != NULL)
    hl_head_view_scene_draw_text (self, cr, layout, notice, &style, &get_theme (self)->muted,
                                  (layout->x_query + layout->x_key) / 2,
                                  layout->horizontal ? (layout->begin + layout->end) / 2 : layout->begin + 48, 0.5);
}

/**
 * hl_head_view_scene_draw_backdrop: (skip)
 * @scene: a head view
 * @cr: where to
 */
void
hl_head_view_scene_draw_backdrop (HlScene *scene,
                                  cairo_t *cr)
{
  HlHeadViewScene *self = HL_HEAD_VIEW_SCENE (scene);
  const HlHeadViewLayout layout = hl_head_view_scene_get_layout (self);

  hl_scene_paint_background (scene, cr);
  draw_header (self, cr, &layout);
  draw_titles (self, cr, &layout);
  hl_head_view_layout_enter (&layout, cr);
  draw_sentences (self, cr, &layout);
  draw_column (self, cr, &layout, HL_PICK_QUERY);
  draw_column (self, cr, &layout, HL_PICK_KEY);
  draw_notice (self, cr, &layout);
}
