/* SPDX-License-Identifier: MIT */
/* What of the neuron view does not depend on the pointer: caption, titles, token labels. */
#include "draw/neuron/hl-neuron-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/scene/hl-scene-callout.h"
#include "draw/scene/hl-scene-caption.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/steps/hl-step-text.h"
#include "draw/text/hl-token-label.h"

#define TITLE_SIZE 11
#define NOTICE_SIZE 13

/**
 * hl_neuron_scene_is_in_focus: (skip)
 * @self: a neuron view
 * @side: %HL_PICK_QUERY or %HL_PICK_KEY
 * @index: a query or a key
 *
 * Returns: whether it is what is looked at
 */
gboolean
hl_neuron_scene_is_in_focus (HlNeuronScene *self,
                             HlPickKind     side,
                             gsize          index)
{
  const HlPick *focus = hl_view_state_get_focus (hl_scene_get_state (HL_SCENE (self)));

  if (side == HL_PICK_QUERY)
    return index == hl_neuron_scene_get_expanded (self);
  return (focus->kind == HL_PICK_KEY || focus->kind == HL_PICK_CELL) && focus->key == index;
}

/**
 * hl_neuron_scene_draw_label: (skip)
 * @self: a neuron view
 * @cr: where to
 * @layout: where everything is
 * @side: %HL_PICK_QUERY or %HL_PICK_KEY
 * @row: counted from the first that is shown
 * @in_focus: whether it stands out
 * @pinned: whether it is pinned
 */
void
hl_neuron_scene_draw_label (HlNeuronScene        *self,
                            cairo_t              *cr,
                            const HlNeuronLayout *layout,
                            HlPickKind            side,
                            gsize                 row,
                            gboolean              in_focus,
                            gboolean              pinned)
{
  HlScene *scene = HL_SCENE (self);
  HlViewState *state = hl_scene_get_state (scene);
  HlAttention *attention = hl_view_state_get_attention (state);
  const HlHeadViewLayout *base = &layout->base;
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (state)->dark);
  const gboolean is_query = side == HL_PICK_QUERY;
  const char *token = is_query ? hl_attention_get_query_texts (attention)[base->queries.first + row]
                               : hl_attention_get_key_texts (attention)[base->keys.first + row];
  g_autofree char *label = hl_token_text_show (token);
  const double left = is_query ? base->query_left : base->key_left;
  const double room = (is_query ? base->query_right : base->key_right) - left;
  const HlTextStyle style = { .size = in_focus ? MAX (base->label_size, 11) : base->label_size, .max_width = room - 6 };
  const double width = hl_scene_measure_text (HL_SCENE (self), label, &style);
  const double x = is_query ? base->query_right - 4 : base->key_left + 4;
  const double y = hl_head_view_layout_get_row_y (base, row);
  const cairo_rectangle_t box = { is_query ? x - width - 4 : x - 4, y - style.size * 0.8, width + 8, style.size * 1.6 };

  if (in_focus)
    hl_callout_emphasis (cr, theme, &box);
  if (pinned)
    {
      cairo_arc (cr, is_query ? box.x - 7 : box.x + box.width + 7, y, 3.5, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  hl_scene_write (scene, cr, label, &style, &theme->foreground, x, y, is_query ? 1 : 0);
}

static void
draw_column (HlNeuronScene        *self,
             cairo_t              *cr,
             const HlNeuronLayout *layout,
             HlPickKind            side)
{
  const HlRange range = side == HL_PICK_QUERY ? layout->base.queries : layout->base.keys;
  gsize first, end;

  hl_head_view_layout_get_rows_seen (&layout->base, range.n, &first, &end);
  first -= first % layout->base.label_stride;
  for (gsize row = first; row < end; row += layout->base.label_stride)
    /* On a screen labels are painted over; on paper, where text can be searched, none should be there twice. */
    if (!hl_scene_get_vector (HL_SCENE (self)) || !hl_neuron_scene_is_in_focus (self, side, range.first + row))
      hl_neuron_scene_draw_label (self, cr, layout, side, row, FALSE, FALSE);
}

static void
draw_tokens (HlNeuronScene *self,
             cairo_t       *cr,
             const HlTheme *theme)
{
  const HlNeuronLayout layout = hl_neuron_scene_get_layout (self);
  const HlHeadViewLayout *base = &layout.base;
  const HlTextStyle style = { .size = TITLE_SIZE };

  /* Translators: title of the column of tokens that attend */
  hl_scene_write (HL_SCENE (self), cr, _ ("query"), &style, &theme->muted, base->query_right - 4, base->titles_y, 1);
  /* Translators: title of the column of tokens that are attended to */
  hl_scene_write (HL_SCENE (self), cr, _ ("key"), &style, &theme->muted, base->key_left + 4, base->titles_y, 0);
  /* Something went under the header. */
  if (base->first_row < base->header_height)
    {
      hl_cairo_set_colour (cr, &theme->grid, 1);
      cairo_rectangle (cr, 0, base->header_height - 1, base->width, 1);
      cairo_fill (cr);
    }
  cairo_rectangle (cr, 0, base->header_height, base->width, MAX (0, base->height - base->header_height));
  cairo_clip (cr);
  if (base->queries.n == 0 || base->keys.n == 0)
    hl_scene_write (HL_SCENE (self), cr, _ ("No tokens to show"), &(HlTextStyle){ .size = NOTICE_SIZE }, &theme->muted,
                    base->width / 2, base->header_height + 48, 0.5);
  draw_column (self, cr, &layout, HL_PICK_QUERY);
  draw_column (self, cr, &layout, HL_PICK_KEY);
}

/**
 * hl_neuron_scene_draw_backdrop: (skip)
 * @scene: a neuron view
 * @cr: where to
 */
void
hl_neuron_scene_draw_backdrop (HlScene *scene,
                               cairo_t *cr)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (state)->dark);
  double width;

  hl_scene_get_viewport (scene, &width, NULL, NULL);
  hl_scene_paint_background (scene, cr);
  hl_scene_caption_draw (scene, cr, 18);
  if (hl_neuron_scene_is_possible (self))
    draw_tokens (self, cr, theme);
  else
    {
      const HlTextStyle notice = { .size = NOTICE_SIZE, .max_width = MAX (width - 24, 24) };
      hl_scene_write (scene, cr, hl_step_text_get_lack (), &notice, &theme->muted, width / 2, 96, 0.5);
    }
}
