/* SPDX-License-Identifier: MIT */
/* What of a view of all layers is not its lines: columns of tokens, and the sources of the one in focus. */
#include "draw/layers/hl-layers-private.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-caption.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-token-label.h"

/* Parts of a share that are drawn as lines: no more than fifty of them fit into one step, whatever the weights. */
#define MIN_FLOW 0.02f
#define TITLE_SIZE 11

static void
draw_label (HlLayersScene        *self,
            cairo_t              *cr,
            const HlLayersLayout *layout,
            gboolean              at_input,
            gsize                 row,
            gboolean              in_focus,
            const HlTheme        *theme)
{
  HlAttention *attention = hl_view_state_get_shown_attention (hl_scene_get_state (HL_SCENE (self)));
  const HlHeadViewLayout *rows = &layout->rows;
  const gboolean on_left = at_input != layout->mirrored;
  const char *token = hl_attention_get_query_texts (attention)[rows->queries.first + row];
  g_autofree char *label = hl_token_text_show (token);
  const HlTextStyle style = { .size = rows->label_size, .max_width = rows->query_right - rows->query_left - 4 };

  hl_scene_write (HL_SCENE (self), cr, label, &style, in_focus ? &theme->accent : &theme->foreground,
                  on_left ? MIN (rows->query_right, rows->key_right) : MAX (rows->query_left, rows->key_left),
                  hl_head_view_layout_get_row_y (rows, row), on_left ? 1 : 0);
}

static void
draw_columns (HlLayersScene        *self,
              cairo_t              *cr,
              const HlLayersLayout *layout,
              const HlTheme        *theme)
{
  const HlHeadViewLayout *rows = &layout->rows;
  const double radius = CLAMP (rows->row_height * 0.1, 0.5, 2);
  gsize first, end;

  hl_head_view_layout_get_rows_seen (rows, rows->queries.n, &first, &end);
  for (gsize row = first - first % rows->label_stride; row < end; row += rows->label_stride)
    {
      draw_label (self, cr, layout, TRUE, row, FALSE, theme);
      draw_label (self, cr, layout, FALSE, row, FALSE, theme);
    }
  /* Where rows are finer than dots, they would only be a bar. */
  if (rows->row_height < 4)
    return;
  hl_cairo_set_colour (cr, &theme->muted, 1);
  for (guint column = 0; column < layout->n_columns; column++)
    for (gsize row = first; row < end; row++)
      {
        cairo_new_sub_path (cr);
        cairo_arc (cr, hl_layers_layout_get_column (layout, column), hl_head_view_layout_get_row_y (rows, row), radius,
                   0, 2 * G_PI);
      }
  cairo_fill (cr);
}

static void
draw_header (HlLayersScene        *self,
             cairo_t              *cr,
             const HlLayersLayout *layout,
             const HlTheme        *theme)
{
  const HlHeadViewLayout *rows = &layout->rows;
  const HlTextStyle style = { .size = TITLE_SIZE, .max_width = layout->step - 4 };

  hl_scene_caption_draw (HL_SCENE (self), cr, rows->caption_y);
  for (guint column = 0; column < layout->n_columns; column++)
    {
      g_autofree char *title = NULL;

      if (column == 0)
        /* Translators: title of the column of tokens that the lowest layer reads */
        title = g_strdup (_ ("input"));
      else if (layout->step >= 60)
        title = g_strdup_printf (_ ("layer %u"), column - 1);
      else
        title = g_strdup_printf ("%u", column - 1);
      hl_scene_write (HL_SCENE (self), cr, title, &style, &theme->muted, hl_layers_layout_get_column (layout, column),
                      rows->titles_y, 0.5);
    }
  if (rows->first_row < rows->begin)
    {
      hl_cairo_set_colour (cr, &theme->grid, 1);
      cairo_rectangle (cr, 0, rows->begin - 1, rows->width, 1);
      cairo_fill (cr);
    }
}

void
hl_layers_scene_draw_backdrop (HlScene *scene,
                               cairo_t *cr)
{
  HlLayersScene *self = HL_LAYERS_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (state)->dark);
  const HlLayersLayout layout = hl_layers_scene_get_layout (self);
  g_autoptr (HlLayersData) wanted = hl_layers_data_new (state);
  const HlTextStyle notice_style = { .size = 13, .max_width = MAX (layout.rows.width - 24, 24) };
  const char *notice = NULL;

  hl_scene_paint_background (scene, cr);
  draw_header (self, cr, &layout, theme);
  if (!hl_layers_data_is_square (wanted))
    notice = _ ("Only where the same tokens are queries and keys, layers can be joined");
  else if (layout.rows.queries.n == 0)
    notice = _ ("No tokens to show");
  else if (hl_head_set_count (hl_view_state_get_shown_heads (state)) == 0)
    notice = _ ("No head is selected");
  if (notice != NULL)
    hl_scene_write (scene, cr, notice, &notice_style, &theme->muted, layout.rows.width / 2,
                    layout.rows.begin + 48, 0.5);
  if (!hl_layers_data_is_square (wanted))
    return;
  hl_head_view_layout_enter (&layout.rows, cr);
  draw_columns (self, cr, &layout, theme);
}

/* The parts of a token's share that pass from column to column, and a dot for what each token has of it. */
static void
draw_sources (cairo_t              *cr,
              const HlLayersLayout *layout,
              const HlLayersData   *data,
              guint                 layer,
              gsize                 query,
              const HlTheme        *theme)
{
  const HlHeadViewLayout *rows = &layout->rows;
  const gsize n = rows->queries.n;
  g_autofree float *shares = hl_layers_data_trace (data, layer, query);
  gsize first, end;

  hl_head_view_layout_get_rows_seen (rows, n, &first, &end);
  cairo_set_line_width (cr, CLAMP (rows->row_height * 0.09, 1, 2));
  for (guint step = layer + 1; step-- > 0;)
    for (gsize i = 0; i < n; i++)
      {
        const float share = shares[(step + 1) * n + i];
        const float *row = data->means[step] + i * n;

        if (!(fabsf (share) >= MIN_FLOW))
          continue;
        for (gsize j = 0; j < n; j++)
          if (fabsf (share * row[j]) >= MIN_FLOW)
            {
              hl_cairo_set_colour (cr, &theme->accent, MIN (1, sqrt (fabsf (share * row[j]))));
              cairo_move_to (cr, hl_layers_layout_get_column (layout, step + 1),
                             hl_head_view_layout_get_row_y (rows, i));
              cairo_line_to (cr, hl_layers_layout_get_column (layout, step), hl_head_view_layout_get_row_y (rows, j));
              cairo_stroke (cr);
            }
      }
  for (guint column = 0; column <= layer + 1; column++)
    for (gsize row = first; row < end; row++)
      {
        const double share = MIN (1, fabsf (shares[column * n + row]));

        if (share < 1.0 / 256)
          continue;
        hl_cairo_set_colour (cr, &theme->accent, 1);
        cairo_arc (cr, hl_layers_layout_get_column (layout, column), hl_head_view_layout_get_row_y (rows, row),
                   MAX (1, sqrt (share) * MIN (6, rows->row_height / 2)), 0, 2 * G_PI);
        cairo_fill (cr);
      }
}

static void
draw_token (HlLayersScene        *self,
            cairo_t              *cr,
            const HlLayersLayout *layout,
            const HlPick         *pick,
            gboolean              pinned,
            const HlTheme        *theme)
{
  const HlHeadViewLayout *rows = &layout->rows;
  const gboolean is_query = pick->kind == HL_PICK_QUERY;
  const gsize row = is_query ? pick->query - rows->queries.first : pick->key - rows->keys.first;
  const double x = hl_layers_layout_get_column (layout, is_query ? pick->layer + 1 : 0);
  const double y = hl_head_view_layout_get_row_y (rows, row);

  hl_cairo_set_colour (cr, &theme->accent, 1);
  cairo_set_line_width (cr, 1.5);
  cairo_arc (cr, x, y, 6.5, 0, 2 * G_PI);
  if (pinned)
    cairo_fill (cr);
  else
    cairo_stroke (cr);
  for (guint side = 0; side < 2; side++)
    {
      const double left = side == 0 ? rows->query_left : rows->key_left;

      hl_cairo_set_colour (cr, &theme->background, 1);
      cairo_rectangle (cr, left - 2, y - rows->label_size * 0.7, rows->query_right - rows->query_left + 4,
                       rows->label_size * 1.4);
      cairo_fill (cr);
      draw_label (self, cr, layout, side == 0, row, TRUE, theme);
    }
}

static gboolean
is_shown (const HlLayersLayout *layout,
          const HlPick         *pick)
{
  if (pick->kind == HL_PICK_QUERY)
    return pick->query - layout->rows.queries.first < layout->rows.queries.n && pick->layer + 1 < layout->n_columns;
  return pick->kind == HL_PICK_KEY && pick->key - layout->rows.keys.first < layout->rows.keys.n;
}

void
hl_layers_scene_draw_overlay (HlScene *scene,
                              cairo_t *cr)
{
  HlLayersScene *self = HL_LAYERS_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (state)->dark);
  const HlLayersLayout layout = hl_layers_scene_get_layout (self);
  const HlLayersData *data = hl_layers_scene_get_data (self);
  const HlPick *focus = hl_view_state_get_focus (state);
  const HlPick *hovered = hl_view_state_get_hovered (state);

  if (data == NULL || !hl_layers_data_is_square (data))
    return;
  hl_head_view_layout_enter (&layout.rows, cr);
  if (is_shown (&layout, focus))
    {
      if (focus->kind == HL_PICK_QUERY && data->layers[0]->n_heads > 0)
        draw_sources (cr, &layout, data, focus->layer, focus->query - layout.rows.queries.first, theme);
      draw_token (self, cr, &layout, focus, hl_pick_equal (focus, hl_view_state_get_pinned (state)), theme);
    }
  if (is_shown (&layout, hovered) && !hl_pick_equal (hovered, focus))
    draw_token (self, cr, &layout, hovered, FALSE, theme);
}
