/* SPDX-License-Identifier: MIT */
/*
 * What of a head view follows the pointer: the lines of the token in focus, and how strongly it attends to each other
 * one.
 */
#include "draw/head-view/hl-head-view-private.h"

#include <string.h>

#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-palette.h"
#include "view/hl-weight-text.h"

/* With more heads than this, columns of shade would be too narrow to tell colours. */
#define MAX_SHADE_COLUMNS 8
#define N_NUMBERS 5
#define NUMBER_SIZE 11
/* Text must stay readable on the strongest shade. */
#define SHADE_STRENGTH 0.8
#define MIN_SHADE (1.0 / 256)

/* The other side's weights of the token in focus. */
typedef struct
{
  HlPickKind side;
  gsize n;
  float **rows;
  float *mean;
} Focus;

static void
focus_init (Focus                *focus,
            const HlHeadViewData *data,
            const HlPick         *pick)
{
  focus->side = pick->kind == HL_PICK_QUERY ? HL_PICK_KEY : HL_PICK_QUERY;
  focus->n = pick->kind == HL_PICK_QUERY ? data->keys.n : data->queries.n;
  focus->rows = g_new0 (float *, MAX (data->n_heads, 1));
  focus->mean = g_new0 (float, MAX (focus->n, 1));
  for (guint head = 0; head < data->n_heads; head++)
    {
      focus->rows[head] = g_new (float, focus->n);
      hl_head_view_data_get_row (data, head, pick, focus->rows[head]);
      for (gsize i = 0; i < focus->n; i++)
        focus->mean[i] += focus->rows[head][i] / data->n_heads;
    }
}

/* Whether the shade of a token can be seen. */
static gboolean
focus_is_shaded (const Focus          *focus,
                 const HlHeadViewData *data,
                 gsize                 row)
{
  for (guint head = 0; head < data->n_heads; head++)
    if (fabsf (focus->rows[head][row]) >= MIN_SHADE)
      return TRUE;
  return FALSE;
}

static void
focus_clear (Focus                *focus,
             const HlHeadViewData *data)
{
  for (guint head = 0; head < data->n_heads; head++)
    g_free (focus->rows[head]);
  g_free (focus->rows);
  g_free (focus->mean);
}

static void
get_box (const HlHeadViewLayout *layout,
         HlPickKind              side,
         gsize                   row,
         cairo_rectangle_t      *box)
{
  const double height = MAX (layout->row_height - 1, layout->label_size * 1.3);

  box->x = side == HL_PICK_QUERY ? layout->query_left : layout->key_left;
  box->width = side == HL_PICK_QUERY ? layout->query_right - layout->query_left : layout->key_right - layout->key_left;
  box->y = hl_head_view_layout_get_row_y (layout, row) - height / 2;
  box->height = height;
}

/* Rows too low for labels of their own: shading them would cut through the labels that are there. */
static gboolean
is_crowded (const HlHeadViewLayout *layout)
{
  return layout->label_stride > 1;
}

/*
 * One token's label shaded, or where tokens are crowded the space before it: a column a head, or one with the strongest
 * head.
 */
static void
draw_shade (HlHeadViewScene        *self,
            cairo_t                *cr,
            const HlHeadViewLayout *layout,
            const HlHeadViewData   *data,
            const Focus            *focus,
            gsize                   row,
            const HlTheme          *theme)
{
  const double y = layout->first_row + row * layout->row_height;
  const double height = layout->row_height >= 6 ? layout->row_height - 1 : layout->row_height;
  const guint n_columns = data->n_heads <= MAX_SHADE_COLUMNS ? data->n_heads : 1;
  cairo_rectangle_t box;

  get_box (layout, focus->side, row, &box);
  if (is_crowded (layout))
    {
      box.x = focus->side == HL_PICK_KEY ? layout->x_key + 1 : layout->query_right + 1;
      box.width = focus->side == HL_PICK_KEY ? layout->key_left - layout->x_key - 2
                                             : layout->x_query - layout->query_right - 2;
    }
  else if (hl_scene_get_paints_background (HL_SCENE (self)))
    {
      hl_cairo_set_colour (cr, &theme->background, 1);
      cairo_rectangle (cr, box.x, y, box.width, height);
      cairo_fill (cr);
    }
  for (guint column = 0; column < n_columns; column++)
    {
      guint head = column;
      if (n_columns < data->n_heads)
        for (guint other = 1; other < data->n_heads; other++)
          if (fabsf (focus->rows[other][row]) > fabsf (focus->rows[head][row]))
            head = other;
      const double weight = MIN (fabsf (focus->rows[head][row]), 1);
      if (!(weight >= MIN_SHADE))
        continue;

      const HlColour colour = data->negated != NULL
                                ? hl_diverging_map_get_end (theme->dark, focus->rows[head][row] < 0)
                                : hl_palette_get_head_colour (data->heads[head].colour, theme->dark);
      hl_cairo_set_colour (cr, &colour, weight * SHADE_STRENGTH);
      cairo_rectangle (cr, box.x + box.width * column / n_columns, y, box.width / n_columns, height);
      cairo_fill (cr);
    }
}

static void
draw_label_over_others (HlHeadViewScene        *self,
                        cairo_t                *cr,
                        const HlHeadViewLayout *layout,
                        HlPickKind              side,
                        gsize                   row,
                        const HlTheme          *theme)
{
  cairo_rectangle_t box;

  get_box (layout, side, row, &box);
  hl_cairo_set_colour (cr, &theme->background, 0.92);
  cairo_rectangle (cr, box.x, box.y - 2, box.width, box.height + 4);
  cairo_fill (cr);
  hl_head_view_scene_draw_label (self, cr, layout, side, row);
}

/* The strongest few get their number, as far as the numbers do not overlap. */
static void
draw_numbers (HlHeadViewScene        *self,
              cairo_t                *cr,
              const HlHeadViewLayout *layout,
              const Focus            *focus,
              const HlTheme          *theme)
{
  const HlTextStyle style = { .size = NUMBER_SIZE };
  double taken[N_NUMBERS];
  guint n_taken = 0;
  g_autofree gboolean *done = g_new0 (gboolean, MAX (focus->n, 1));

  for (guint rank = 0; rank < N_NUMBERS; rank++)
    {
      char number[HL_WEIGHT_TEXT_SIZE];
      gsize best = focus->n;
      gboolean has_room = TRUE;

      for (gsize i = 0; i < focus->n; i++)
        if (!done[i] && fabsf (focus->mean[i]) >= 0.0005f &&
            (best == focus->n || fabsf (focus->mean[i]) > fabsf (focus->mean[best])))
          best = i;
      if (best == focus->n)
        return;
      done[best] = TRUE;

      const double y = hl_head_view_layout_get_row_y (layout, best);
      for (guint i = 0; i < n_taken; i++)
        has_room &= fabs (taken[i] - y) >= layout->number_room;
      if (!has_room)
        continue;
      taken[n_taken++] = y;
      if (is_crowded (layout))
        draw_label_over_others (self, cr, layout, focus->side, best, theme);
      hl_head_view_scene_draw_text (self, cr, layout, hl_weight_text_format (focus->mean[best], number), &style,
                                    &theme->foreground,
                                    focus->side == HL_PICK_KEY ? layout->key_right + 6 : layout->query_left - 6, y,
                                    focus->side == HL_PICK_KEY ? 0 : 1);
    }
}

static void
draw_other_side (HlHeadViewScene        *self,
                 cairo_t                *cr,
                 const HlHeadViewLayout *layout,
                 const HlHeadViewData   *data,
                 const HlPick           *pick,
                 const HlTheme          *theme)
{
  Focus focus;
  gsize first, end;

  focus_init (&focus, data, pick);
  hl_head_view_layout_get_rows_seen (layout, focus.n, &first, &end);
  for (gsize row = first; row < end; row++)
    if (focus_is_shaded (&focus, data, row))
      draw_shade (self, cr, layout, data, &focus, row, theme);
  for (gsize row = first - first % layout->label_stride; row < end; row += layout->label_stride)
    if (!is_crowded (layout) && focus_is_shaded (&focus, data, row))
      hl_head_view_scene_draw_label (self, cr, layout, focus.side, row);
  draw_numbers (self, cr, layout, &focus, theme);
  focus_clear (&focus, data);
}

/* The token in focus: a box around its label, and a dot beside it when it is pinned. */
static void
draw_token (HlHeadViewScene        *self,
            cairo_t                *cr,
            const HlHeadViewLayout *layout,
            HlPickKind              side,
            gsize                   row,
            gboolean                pinned,
            gboolean                quiet,
            const HlTheme          *theme)
{
  double scale;
  cairo_rectangle_t box;

  hl_scene_get_viewport (HL_SCENE (self), NULL, NULL, &scale);
  get_box (layout, side, row, &box);
  box.y = hl_cairo_snap (box.y, scale);
  box.height = hl_cairo_snap (box.height, scale);

  if (!quiet)
    {
      hl_cairo_set_colour (cr, &theme->background, 1);
      hl_cairo_rounded_rectangle (cr, box.x, box.y, box.width, box.height, 4);
      cairo_fill (cr);
      hl_cairo_set_colour (cr, &theme->accent, 0.16);
      hl_cairo_rounded_rectangle (cr, box.x, box.y, box.width, box.height, 4);
      cairo_fill (cr);
    }
  hl_cairo_set_colour (cr, quiet ? &theme->muted : &theme->accent, quiet ? 0.7 : 1);
  cairo_set_line_width (cr, quiet ? 1 : 1.5);
  hl_cairo_rounded_rectangle (cr, box.x + 0.75, box.y + 0.75, box.width - 1.5, box.height - 1.5, 3.5);
  cairo_stroke (cr);
  if (!quiet)
    hl_head_view_scene_draw_label (self, cr, layout, side, row);
  if (pinned)
    {
      hl_cairo_set_colour (cr, &theme->accent, 1);
      cairo_arc (cr, side == HL_PICK_QUERY ? box.x - 8 : box.x + box.width + 8, box.y + box.height / 2, 3.5, 0,
                 2 * G_PI);
      cairo_fill (cr);
    }
}

static gboolean
is_shown (const HlHeadViewLayout *layout,
          const HlPick           *pick)
{
  if (pick->kind == HL_PICK_QUERY)
    return pick->query - layout->queries.first < layout->queries.n;
  if (pick->kind == HL_PICK_KEY)
    return pick->key - layout->keys.first < layout->keys.n;
  return pick->kind == HL_PICK_CELL && pick->query - layout->queries.first < layout->queries.n &&
         pick->key - layout->keys.first < layout->keys.n;
}

/**
 * hl_head_view_scene_make_covered: (skip)
 * @self: a head view
 * @layout: where everything is
 * @side: %HL_PICK_QUERY or %HL_PICK_KEY
 *
 * Returns: (transfer full) (nullable): for each row whether the overlay writes its label, %NULL if it writes none
 */
gboolean *
hl_head_view_scene_make_covered (HlHeadViewScene        *self,
                                 const HlHeadViewLayout *layout,
                                 HlPickKind              side)
{
  const HlPick *focus = hl_view_state_get_focus (hl_scene_get_state (HL_SCENE (self)));
  const HlHeadViewData *data = hl_head_view_scene_get_data (self);
  const gboolean is_query = side == HL_PICK_QUERY;
  gboolean *covered;

  if (!is_shown (layout, focus))
    return NULL;
  covered = g_new0 (gboolean, MAX (is_query ? layout->queries.n : layout->keys.n, 1));
  if (focus->kind == side || focus->kind == HL_PICK_CELL)
    covered[is_query ? focus->query - layout->queries.first : focus->key - layout->keys.first] = TRUE;
  else if (data != NULL && !is_crowded (layout))
    {
      Focus shades;

      focus_init (&shades, data, focus);
      for (gsize row = 0; row < shades.n; row++)
        covered[row] = focus_is_shaded (&shades, data, row);
      focus_clear (&shades, data);
    }
  return covered;
}

static void
draw_tokens (HlHeadViewScene        *self,
             cairo_t                *cr,
             const HlHeadViewLayout *layout,
             const HlPick           *pick,
             gboolean                pinned,
             gboolean                quiet,
             const HlTheme          *theme)
{
  if (pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_CELL)
    draw_token (self, cr, layout, HL_PICK_QUERY, pick->query - layout->queries.first, pinned, quiet, theme);
  if (pick->kind == HL_PICK_KEY || pick->kind == HL_PICK_CELL)
    draw_token (self, cr, layout, HL_PICK_KEY, pick->key - layout->keys.first, pinned, quiet, theme);
}

static void
draw_hovered_head (HlHeadViewScene        *self,
                   cairo_t                *cr,
                   const HlHeadViewLayout *layout,
                   guint                   head,
                   const HlTheme          *theme)
{
  double x, y;

  if (head >= layout->n_heads)
    return;
  hl_head_view_layout_get_swatch (layout, head, &x, &y);
  hl_cairo_set_colour (cr, &theme->foreground, 0.8);
  cairo_set_line_width (cr, 1.5);
  hl_cairo_rounded_rectangle (cr, x - 1.25, y - 1.25, layout->swatch_width + 2.5, layout->swatch_height + 2.5, 5);
  cairo_stroke (cr);
}

/**
 * hl_head_view_scene_draw_overlay: (skip)
 * @scene: a head view
 * @cr: where to
 */
void
hl_head_view_scene_draw_overlay (HlScene *scene,
                                 cairo_t *cr)
{
  HlHeadViewScene *self = HL_HEAD_VIEW_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (state)->dark);
  const HlHeadViewLayout layout = hl_head_view_scene_get_layout (self);
  const HlHeadViewData *data = hl_head_view_scene_get_data (self);
  const HlPick *focus = hl_view_state_get_focus (state);
  const HlPick *hovered = hl_view_state_get_hovered (state);
  const gboolean pinned = hl_pick_equal (focus, hl_view_state_get_pinned (state));
  double scale;

  hl_scene_get_viewport (scene, NULL, NULL, &scale);
  if (hovered->kind == HL_PICK_HEAD)
    draw_hovered_head (self, cr, &layout, hovered->head, theme);

  if (data != NULL && is_shown (&layout, focus))
    hl_head_view_draw_focus (data, &layout, focus, scale, theme->dark,
                             hl_scene_get_vector (scene) || hl_cairo_is_vector (cr), cr);
  hl_head_view_layout_enter (&layout, cr);
  if (is_shown (&layout, focus))
    {
      if (data != NULL && focus->kind != HL_PICK_CELL)
        draw_other_side (self, cr, &layout, data, focus, theme);
      draw_tokens (self, cr, &layout, focus, pinned, FALSE, theme);
    }
  if (is_shown (&layout, hovered) && !hl_pick_equal (hovered, focus))
    draw_tokens (self, cr, &layout, hovered, FALSE, TRUE, theme);
}
