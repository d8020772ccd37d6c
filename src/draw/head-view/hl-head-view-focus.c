/* SPDX-License-Identifier: MIT */
/* What a head view says of the token in focus: shades and numbers of the tokens of the other side, and a box. */
#include "draw/head-view/hl-head-view-focus.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "draw/head-view/hl-head-view-labels.h"
#include "draw/lines/hl-line-strength.h"
#include "draw/paint/hl-contrast.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-palette.h"
#include "draw/paint/hl-theme.h"
#include "draw/text/hl-token-label.h"
#include "view/hl-weight-text.h"

/* Narrower stripes would not tell colours; there the strongest head has the whole cell. */
#define MIN_STRIPE 2.0
/* Of heads other than the one that is pointed at. */
#define DIMMED 0.15
#define N_NUMBERS 5
#define NUMBER_SIZE 11
#define MIN_SHADE (1.0 / 256)
/* Of the strongest weight; what is weaker is not told of where it is out of sight. */
#define WORTH_TELLING 0.1
/* From the edge of the viewport to the middle of what is told there. */
#define EDGE_DISTANCE 10

/* The other side's weights of the token in focus. */
typedef struct
{
  HlSide side;
  gsize n;
  float **rows;
  float *mean; /* NULL unless somebody needs it */
  float greatest;
} Focus;

static void
focus_init (Focus                *focus,
            const HlHeadViewData *data,
            const HlFocus        *of)
{
  focus->side = hl_side_get_other (hl_pick_get_side (&of->pick));
  focus->n = focus->side == HL_KEYS ? data->keys.n : data->queries.n;
  focus->rows = g_new0 (float *, MAX (data->n_heads, 1));
  focus->mean = NULL;
  focus->greatest = 0;
  for (guint head = 0; head < data->n_heads; head++)
    {
      focus->rows[head] = g_new (float, focus->n);
      hl_head_view_data_get_row (data, head, of, focus->rows[head]);
      focus->greatest = fmaxf (focus->greatest, hl_line_strength_find_greatest (focus->rows[head], focus->n));
    }
}

/* As lines have it. */
static double
focus_get_strength (const Focus          *focus,
                    const HlHeadViewData *data,
                    guint                 head,
                    gsize                 row)
{
  const double strength = fabsf (focus->rows[head][row]) * hl_head_view_data_get_gain (data, focus->greatest);

  return strength > 0 ? MIN (strength, 1) : 0;
}

/* Whether the shade of a token can be seen. */
static gboolean
focus_is_shaded (const Focus          *focus,
                 const HlHeadViewData *data,
                 gsize                 row)
{
  for (guint head = 0; head < data->n_heads; head++)
    if (focus_get_strength (focus, data, head, row) >= MIN_SHADE)
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

/* For each row whether the overlay writes its label; NULL if it writes none. */
gboolean *
hl_head_view_make_covered (HlScene            *scene,
                           const HlSceneFrame *frame,
                           HlSide              side)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlPick *focus = frame->focus;
  const HlHeadViewData *data = frame->data;
  gboolean *covered;

  if (!hl_scene_frame_has_token (frame, focus))
    return NULL;
  covered = g_new0 (gboolean, MAX (layout->ranges[side].n, 1));
  if (hl_pick_has (focus, side))
    {
      gsize n;
      g_autofree gsize *tokens = hl_focus_list_tokens (frame->in_focus, side, &n);
      for (gsize i = 0; i < n; i++)
        covered[tokens[i] - layout->ranges[side].first] = TRUE;
    }
  else if (data != NULL && !hl_head_view_layout_is_crowded (layout, side))
    {
      Focus shades;

      focus_init (&shades, data, frame->in_focus);
      for (gsize row = 0; row < shades.n; row++)
        covered[row] = focus_is_shaded (&shades, data, row);
      focus_clear (&shades, data);
    }
  return covered;
}

static void
get_box (const HlHeadViewLayout *layout,
         HlSide                  side,
         gsize                   row,
         cairo_rectangle_t      *box)
{
  const double height = MAX (layout->pitches[side] - 1, layout->label_sizes[side] * 1.3);

  box->x = layout->columns[side].left;
  box->width = layout->columns[side].right - box->x;
  box->y = hl_head_view_layout_get_row_y (layout, side, row) - height / 2;
  box->height = height;
}

/* How opaque the strongest stripe of each head is, of numbers that have a sign those above zero and those below: text on it must stay readable. */
static double *
make_shades (const HlSceneFrame   *frame,
             const HlHeadViewData *data,
             HlSide                side)
{
  const HlTheme *theme = frame->theme;
  double *shades = g_new (double, 2 * MAX (data->n_heads, 1));

  for (guint i = 0; i < 2 * data->n_heads; i++)
    {
      const guint chip = data->heads[i / 2].colour;
      const HlColour colour = data->negated != NULL ? hl_diverging_map_get_end (theme->dark, i % 2 > 0)
                                                    : hl_palette_get_head_colour (chip, theme->dark);
      shades[i] = hl_head_view_layout_is_crowded (frame->layout, side)
                    ? 1
                    : hl_contrast_find_shade (&theme->background, &colour, &theme->foreground);
      if (data->n_heads > 1 && frame->hovered->kind == HL_PICK_HEAD && frame->hovered->head != chip)
        shades[i] *= DIMMED;
    }
  return shades;
}

/*
 * One token's label shaded, or where tokens are crowded the space before it: a stripe a head, or one with the strongest
 * head.
 */
static void
draw_shade (HlScene              *scene,
            const HlSceneFrame   *frame,
            cairo_t              *cr,
            const HlHeadViewData *data,
            const Focus          *focus,
            const double         *shades,
            gsize                 row)
{
  const HlTheme *theme = frame->theme;
  const HlHeadViewLayout *layout = frame->layout;
  const double y = hl_head_view_layout_get_row_top (layout, focus->side, row);
  const double pitch = layout->pitches[focus->side];
  const double height = pitch >= 6 ? pitch - 1 : pitch;
  cairo_rectangle_t box;

  get_box (layout, focus->side, row, &box);
  if (hl_head_view_layout_is_crowded (layout, focus->side))
    {
      box.x = focus->side == HL_KEYS ? layout->x_key + 1 : layout->columns[HL_QUERIES].right + 1;
      box.width = focus->side == HL_KEYS ? layout->columns[HL_KEYS].left - layout->x_key - 2
                                         : layout->x_query - layout->columns[HL_QUERIES].right - 2;
    }
  else if (frame->paints_background)
    {
      hl_cairo_set_colour (cr, &theme->background, 1);
      cairo_rectangle (cr, box.x, y, box.width, height);
      cairo_fill (cr);
    }
  const guint n_columns = box.width / data->n_heads >= MIN_STRIPE ? data->n_heads : 1;
  for (guint column = 0; column < n_columns; column++)
    {
      guint head = column;
      if (n_columns < data->n_heads)
        for (guint other = 1; other < data->n_heads; other++)
          if (fabsf (focus->rows[other][row]) > fabsf (focus->rows[head][row]))
            head = other;
      const double strength = focus_get_strength (focus, data, head, row);
      const gboolean below_zero = focus->rows[head][row] < 0;
      if (strength < MIN_SHADE)
        continue;

      const HlColour colour = data->negated != NULL
                                ? hl_diverging_map_get_end (theme->dark, below_zero)
                                : hl_palette_get_head_colour (data->heads[head].colour, theme->dark);
      hl_cairo_set_colour (cr, &colour, strength * shades[2 * head + below_zero]);
      cairo_rectangle (cr, box.x + box.width * column / n_columns, y, box.width / n_columns, height);
      cairo_fill (cr);
    }
}

static void
draw_label_over_others (HlScene            *scene,
                        const HlSceneFrame *frame,
                        cairo_t            *cr,
                        HlSide              side,
                        gsize               row)
{
  const HlHeadViewLayout *layout = frame->layout;
  cairo_rectangle_t box;

  get_box (layout, side, row, &box);
  hl_cairo_set_colour (cr, &frame->theme->background, 0.92);
  cairo_rectangle (cr, box.x, box.y - 2, box.width, box.height + 4);
  cairo_fill (cr);
  hl_head_view_draw_label (scene, frame, cr, side, row);
}

/* The strongest few in sight get their number, as far as the numbers do not overlap. */
static void
draw_numbers (HlScene            *scene,
              const HlSceneFrame *frame,
              cairo_t            *cr,
              const Focus        *focus,
              gsize               first,
              gsize               end)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlTextStyle style = { .size = NUMBER_SIZE };
  double taken[N_NUMBERS];
  guint n_taken = 0;
  g_autofree gboolean *done = g_new0 (gboolean, MAX (focus->n, 1));

  for (guint rank = 0; rank < N_NUMBERS; rank++)
    {
      char number[HL_WEIGHT_TEXT_SIZE];
      gsize best = end;
      gboolean has_room = TRUE;

      for (gsize i = first; i < end; i++)
        if (!done[i] && fabsf (focus->mean[i]) >= 0.0005f &&
            (best == end || fabsf (focus->mean[i]) > fabsf (focus->mean[best])))
          best = i;
      if (best == end)
        return;
      done[best] = TRUE;

      const double y = hl_head_view_layout_get_row_y (layout, focus->side, best);
      for (guint i = 0; i < n_taken; i++)
        has_room &= fabs (taken[i] - y) >= layout->number_room;
      if (!has_room)
        continue;
      taken[n_taken++] = y;
      if (hl_head_view_layout_is_crowded (layout, focus->side))
        draw_label_over_others (scene, frame, cr, focus->side, best);
      hl_head_view_draw_text (scene, cr, layout, hl_weight_text_format (focus->mean[best], number), &style,
                              &frame->theme->foreground,
                              focus->side == HL_KEYS ? layout->columns[HL_KEYS].right + 6
                                                     : layout->columns[HL_QUERIES].left - 6,
                              y, focus->side == HL_KEYS ? 0 : 1);
    }
}

/* What of a row of weights lies out of sight: “↑ flies 0.41, 3 more”. NULL where nothing is worth telling. */
static char *
tell_unseen (const HlSceneFrame *frame,
             const Focus        *focus,
             gsize               first,
             gsize               end,
             const char         *arrow)
{
  const char *const *tokens = hl_attention_get_texts (frame->shown->attention, focus->side);
  const HlHeadViewLayout *layout = frame->layout;
  const float least = (float) WORTH_TELLING * hl_line_strength_find_greatest (focus->mean, focus->n);
  char number[HL_WEIGHT_TEXT_SIZE];
  gsize n = 0, best = first;

  for (gsize i = first; i < end; i++)
    {
      n += fabsf (focus->mean[i]) >= least && fabsf (focus->mean[i]) > 0;
      if (fabsf (focus->mean[i]) > fabsf (focus->mean[best]) || isnan (focus->mean[best]))
        best = i;
    }
  if (n == 0)
    return NULL;
  g_autofree char *token = hl_token_text_show (tokens[layout->ranges[focus->side].first + best]);
  hl_weight_text_format (focus->mean[best], number);
  if (n == 1)
    return g_strdup_printf ("%s %s %s", arrow, token, number);
  /* Translators: an arrow to what is out of sight, the strongest token there, its weight, and how many others there are */
  return g_strdup_printf (_ ("%s %s %s, %zu more"), arrow, token, number, n - 1);
}

/* Lines that leave the viewport: where the strongest leads. */
static void
draw_unseen (HlScene            *scene,
             const HlSceneFrame *frame,
             cairo_t            *cr,
             const Focus        *focus,
             gsize               first,
             gsize               end)
{
  const HlHeadViewLayout *layout = frame->layout;
  const gboolean across = layout->horizontal;
  const char *before = !across ? "↑" : layout->mirrored ? "→" : "←";
  const char *behind = !across ? "↓" : layout->mirrored ? "←" : "→";
  char *texts[] = { tell_unseen (frame, focus, 0, first, before), tell_unseen (frame, focus, end, focus->n, behind) };
  const HlLabelColumn *column = &layout->columns[focus->side];
  const double room = column->right - column->left + layout->gutter;
  const HlTextStyle style = { .size = NUMBER_SIZE, .bold = TRUE, .max_width = room - 8 };

  for (guint i = 0; i < 2; i++)
    {
      const double y = i == 0 ? layout->begin + EDGE_DISTANCE : layout->end - EDGE_DISTANCE;
      if (texts[i] == NULL)
        continue;
      hl_cairo_set_colour (cr, &frame->theme->background, 0.92);
      cairo_rectangle (cr, focus->side == HL_KEYS ? column->left : column->right - room, y - EDGE_DISTANCE, room,
                       2 * EDGE_DISTANCE);
      cairo_fill (cr);
      hl_head_view_draw_text (scene, cr, layout, texts[i], &style, &frame->theme->foreground,
                              focus->side == HL_KEYS ? column->left + 4 : column->right - 4, y,
                              focus->side == HL_KEYS ? 0 : 1);
    }
  for (guint i = 0; i < 2; i++)
    g_free (texts[i]);
}

void
hl_head_view_draw_other_side (HlScene              *scene,
                              const HlSceneFrame   *frame,
                              cairo_t              *cr,
                              const HlHeadViewData *data)
{
  const HlHeadViewLayout *layout = frame->layout;
  Focus focus;
  gsize first, end;

  focus_init (&focus, data, frame->in_focus);
  focus.mean = hl_head_view_data_make_mean_row (data, frame->in_focus, focus.n);
  hl_head_view_layout_get_rows_seen (layout, focus.side, focus.n, &first, &end);
  g_autofree double *shades = make_shades (frame, data, focus.side);
  for (gsize row = first; row < end; row++)
    if (focus_is_shaded (&focus, data, row))
      draw_shade (scene, frame, cr, data, &focus, shades, row);
  for (gsize row = first; row < end && !hl_head_view_layout_is_crowded (layout, focus.side); row++)
    if (focus_is_shaded (&focus, data, row))
      hl_head_view_draw_label (scene, frame, cr, focus.side, row);
  draw_numbers (scene, frame, cr, &focus, first, end);
  draw_unseen (scene, frame, cr, &focus, first, end);
  focus_clear (&focus, data);
}

/* The weight of one pair, beside its key. */
void
hl_head_view_draw_pair (HlScene              *scene,
                        const HlSceneFrame   *frame,
                        cairo_t              *cr,
                        const HlHeadViewData *data,
                        const HlPick         *pair)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlTextStyle style = { .size = NUMBER_SIZE, .bold = TRUE };
  const gsize row = pair->key - data->keys.first;
  const HlFocus query = { hl_pick_of (HL_QUERIES, pair->query), NULL };
  g_autofree float *means = hl_head_view_data_make_mean_row (data, &query, data->keys.n);
  char number[HL_WEIGHT_TEXT_SIZE];
  cairo_rectangle_t box;

  if (!(fabsf (means[row]) > 0))
    return;
  get_box (layout, HL_KEYS, row, &box);
  hl_cairo_set_colour (cr, &frame->theme->background, 1);
  cairo_rectangle (cr, box.x + box.width + 2, box.y, layout->gutter - 2, box.height);
  cairo_fill (cr);
  hl_head_view_draw_text (scene, cr, layout, hl_weight_text_format (means[row], number), &style,
                          &frame->theme->foreground, layout->columns[HL_KEYS].right + 6,
                          hl_head_view_layout_get_row_y (layout, HL_KEYS, row), 0);
}

/* The token in focus: a box around its label, and a dot beside it when it is pinned. */
static void
draw_token (HlScene            *scene,
            const HlSceneFrame *frame,
            cairo_t            *cr,
            HlSide              side,
            gsize               row,
            gboolean            pinned,
            gboolean            quiet)
{
  const HlTheme *theme = frame->theme;
  const HlHeadViewLayout *layout = frame->layout;
  cairo_rectangle_t box;

  get_box (layout, side, row, &box);
  box.y = hl_cairo_snap (box.y, frame->scale);
  box.height = hl_cairo_snap (box.height, frame->scale);

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
    hl_head_view_draw_label (scene, frame, cr, side, row);
  if (pinned)
    {
      hl_cairo_set_colour (cr, &theme->accent, 1);
      cairo_arc (cr, side == HL_QUERIES ? box.x - 8 : box.x + box.width + 8, box.y + box.height / 2, 3.5, 0, 2 * G_PI);
      cairo_fill (cr);
    }
}

void
hl_head_view_draw_tokens (HlScene            *scene,
                          const HlSceneFrame *frame,
                          cairo_t            *cr,
                          const HlFocus      *focus,
                          gboolean            pinned,
                          gboolean            quiet)
{
  const HlHeadViewLayout *layout = frame->layout;
  gboolean is_marked = pinned;

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      gsize n;
      g_autofree gsize *tokens = hl_focus_list_tokens (focus, side, &n);
      for (gsize i = 0; i < n; i++)
        draw_token (scene, frame, cr, side, tokens[i] - layout->ranges[side].first, is_marked, quiet);
      /* The weight of a pair is beside its key, where the dot would be. */
      is_marked &= n == 0;
    }
}
