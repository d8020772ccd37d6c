/* SPDX-License-Identifier: MIT */
/* Queries and keys of a head as points in their plane, with lines between the strongest pairs. */
#include "draw/chart/hl-chart.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "draw/chart/hl-chart-legend.h"
#include "draw/chart/hl-chart-points.h"
#include "draw/paint/hl-palette.h"
#include "draw/scene/hl-scene-describe.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-token-label.h"
#include "view/hl-sentence.h"

#define RADIUS 4
#define REACH 9
#define LINE_WIDTH 1.25
/* Lines of a token in focus that are weaker than this are not seen. */
#define MIN_ALPHA 0.02
/* Shaping more of them takes longer than a frame, and there is no room for them. */
#define MAX_LABELS 400
#define LEGEND_ROOM 28

/* As the first two heads of a layer: told apart by colour-blind eyes, and by their marks too. */
static HlColour
get_colour (const HlChart *self,
            HlSide         side)
{
  return hl_palette_get_head_colour (side == HL_QUERIES ? 0 : 1, self->frame->theme->dark);
}

static const HlChartTokens *
get_tokens (const HlChart *self)
{
  return self->data != NULL && self->data->tokens.plane.points[HL_QUERIES] != NULL ? &self->data->tokens : NULL;
}

static char *
get_notice (const HlChart *self)
{
  g_autoptr (GError) error = NULL;

  if (!hl_head_steps_check (self->frame->shown->original, &error))
    return hl_sentence_of_error (error);
  if (self->frame->shown->queries.n == 0 || self->frame->shown->keys.n == 0)
    return g_strdup (_ ("No tokens to show"));
  return get_tokens (self) == NULL ? g_strdup ("") : NULL;
}

static void
lay_out (const HlChart *self,
         HlChartLayout *layout)
{
  const HlChartTokens *tokens = get_tokens (self);
  HlChartExtent extent = { INFINITY, -INFINITY, INFINITY, -INFINITY };

  for (HlSide side = HL_QUERIES; tokens != NULL && side <= HL_KEYS; side++)
    hl_chart_extent_add (&extent, tokens->plane.points[side], tokens->plane.n[side]);
  if (!(extent.min_x <= extent.max_x))
    extent = (HlChartExtent){ 0 };
  hl_chart_points_lay_out (self, layout, &extent, LEGEND_ROOM, 0);
}

/* Where a token is, counted from the first one of its side. */
static void
get_place (const HlChart *self,
           HlSide         side,
           gsize          token,
           double        *x,
           double        *y)
{
  const HlChartTokens *tokens = get_tokens (self);

  hl_chart_points_map (self->layout, tokens->plane.points[side] + 2 * (token - tokens->ranges[side].first), x, y);
}

static char *
dup_axis_title (const HlChart *self,
                guint          axis)
{
  const double share = get_tokens (self)->plane.shares[axis] * 100;

  /* Translators: title of an axis; principal components are counted from 1; then a percentage */
  return g_strdup_printf (_ ("principal component %u: %d %% of the variance"), axis + 1, (int) lround (share));
}

static void
draw_labels (const HlChart *self,
             cairo_t       *cr)
{
  const HlChartTokens *tokens = get_tokens (self);
  g_autoptr (HlChartRoom) room = hl_chart_room_new (&self->layout->plot);
  guint n_labels = 0;

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    for (gsize i = 0; i < tokens->plane.n[side]; i++)
      {
        double x, y;
        hl_chart_points_map (self->layout, tokens->plane.points[side] + 2 * i, &x, &y);
        hl_chart_room_take (room, x, y, RADIUS);
      }
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      const char *const *texts = hl_attention_get_texts (self->frame->shown->attention, side);
      const HlColour colour = get_colour (self, side);

      for (gsize i = 0; i < tokens->plane.n[side] && n_labels < MAX_LABELS; i++)
        {
          double x, y;

          hl_chart_points_map (self->layout, tokens->plane.points[side] + 2 * i, &x, &y);
          if (!hl_chart_points_is_seen (self->layout, x, y))
            continue;
          g_autofree char *label = hl_token_text_show (texts[tokens->ranges[side].first + i]);
          hl_chart_room_write (room, self, cr, label, &colour, x, y);
          n_labels++;
        }
    }
}

static void
draw_backdrop (const HlChart *self,
               cairo_t       *cr)
{
  g_autofree char *across = dup_axis_title (self, 0);
  g_autofree char *upwards = dup_axis_title (self, 1);
  const HlChartSample samples[] = {
    { HL_CHART_MARK_DOT, get_colour (self, HL_QUERIES), _ ("query") },
    { HL_CHART_MARK_SQUARE, get_colour (self, HL_KEYS), _ ("key") },
    { HL_CHART_MARK_LINE, self->frame->theme->muted, _ ("weight of the strongest pairs") },
  };

  hl_chart_legend_draw (self->scene, self->frame, cr, samples, G_N_ELEMENTS (samples), self->layout->plot.x,
                        self->layout->plot.width, self->layout->legend_y);
  hl_chart_points_draw_frame (self, cr, across, upwards);
  draw_labels (self, cr);
}

static void
draw_line (const HlChart  *self,
           cairo_t        *cr,
           gsize           query,
           gsize           key,
           const HlColour *colour,
           double          alpha)
{
  double x, y, to_x, to_y;

  get_place (self, HL_QUERIES, query, &x, &y);
  get_place (self, HL_KEYS, key, &to_x, &to_y);
  hl_cairo_set_colour (cr, colour, MIN (alpha, 1));
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, to_x, to_y);
  cairo_stroke (cr);
}

static void
draw_marks (const HlChart *self,
            cairo_t       *cr)
{
  const HlChartTokens *tokens = get_tokens (self);

  for (HlSide side = HL_KEYS + 1; side-- > HL_QUERIES;)
    {
      const HlColour colour = get_colour (self, side);
      for (gsize i = 0; i < tokens->plane.n[side]; i++)
        {
          double x, y;

          hl_chart_points_map (self->layout, tokens->plane.points[side] + 2 * i, &x, &y);
          if (hl_chart_points_is_seen (self->layout, x, y))
            hl_chart_mark_draw (cr, side == HL_QUERIES ? HL_CHART_MARK_DOT : HL_CHART_MARK_SQUARE, &colour, x, y,
                                RADIUS);
        }
    }
}

static void
draw_picture (const HlChart *self,
              cairo_t       *cr)
{
  const HlChartTokens *tokens = get_tokens (self);

  hl_chart_points_clip (self, cr);
  cairo_set_line_width (cr, LINE_WIDTH);
  for (gsize i = tokens->n_pairs; i-- > 0;)
    draw_line (self, cr, tokens->pairs[i].query, tokens->pairs[i].key, &self->frame->theme->muted,
               tokens->pairs[i].weight);
  draw_marks (self, cr);
}

static gboolean
locate (const HlChart     *self,
        const HlPick      *pick,
        cairo_rectangle_t *box)
{
  const HlSide side = hl_pick_get_side (pick);
  double x, y;

  if (!hl_pick_is_token (pick))
    return FALSE;
  get_place (self, side, pick->tokens[side], &x, &y);
  *box = (cairo_rectangle_t){ x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS };
  return TRUE;
}

static void
pick_at (const HlChart *self,
         double         x,
         double         y,
         HlPick        *pick)
{
  const HlChartTokens *tokens = get_tokens (self);
  double nearest = REACH * REACH;

  if (!hl_chart_points_is_seen (self->layout, x, y))
    return;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    for (gsize i = 0; i < tokens->plane.n[side]; i++)
      {
        double at_x, at_y;

        hl_chart_points_map (self->layout, tokens->plane.points[side] + 2 * i, &at_x, &at_y);
        const double distance = (at_x - x) * (at_x - x) + (at_y - y) * (at_y - y);
        if (distance >= nearest)
          continue;
        nearest = distance;
        *pick = hl_pick_of (side, tokens->ranges[side].first + i);
      }
}

/* Those of a query on all keys that are shown, or of all queries on a key. */
static float *
make_weights (const HlChart *self,
              const HlPick  *pick)
{
  const HlChartTokens *tokens = get_tokens (self);
  const HlSide side = hl_pick_get_side (pick);
  const gsize own = pick->tokens[side] - tokens->ranges[side].first;
  const gsize n = tokens->ranges[hl_side_get_other (side)].n;
  const gsize n_keys = tokens->ranges[HL_KEYS].n;
  float *weights = g_new (float, MAX (n, 1));

  for (gsize i = 0; i < n; i++)
    weights[i] = tokens->weights[side == HL_QUERIES ? own * n_keys + i : i * n_keys + own];
  return weights;
}

/* What the tokens of a focus have together. */
static float *
make_row (const HlChart *self,
          const HlFocus *focus)
{
  const HlSide side = hl_pick_get_side (&focus->pick);
  const gsize n_others = get_tokens (self)->ranges[hl_side_get_other (side)].n;
  const float part = (float) hl_focus_get_part (focus, self->frame->shown->attention);
  float *row = g_new0 (float, MAX (n_others, 1));
  gsize n;
  g_autofree gsize *list = hl_focus_list_tokens (focus, side, &n);

  for (gsize i = 0; i < n; i++)
    {
      const HlPick token = hl_pick_of (side, list[i]);
      if (!hl_shown_has_pick (self->frame->shown, &token))
        continue;
      g_autofree float *weights = make_weights (self, &token);
      for (gsize k = 0; k < n_others; k++)
        row[k] += part * weights[k];
    }
  return row;
}

static char *
describe (const HlChart *self,
          const HlPick  *pick)
{
  const HlChartTokens *tokens = get_tokens (self);

  if (!hl_pick_is_token (pick))
    return NULL;
  const HlRange others = tokens->ranges[hl_side_get_other (hl_pick_get_side (pick))];
  g_autofree float *weights = make_weights (self, pick);
  return hl_scene_describe_token (self->frame->shown, pick, weights, others, 1);
}

static void
draw_focus (const HlChart *self,
            cairo_t       *cr,
            const HlPick  *pick,
            gboolean       is_pinned)
{
  const HlChartTokens *tokens = get_tokens (self);
  const HlSide side = hl_pick_get_side (pick);
  const HlRange others = tokens->ranges[hl_side_get_other (side)];
  const HlTheme *theme = self->frame->theme;
  g_autofree float *weights = make_weights (self, pick);
  double x, y;

  cairo_set_line_width (cr, 2);
  for (gsize i = 0; i < others.n; i++)
    if (weights[i] >= MIN_ALPHA)
      draw_line (self, cr, side == HL_QUERIES ? pick->query : others.first + i,
                 side == HL_QUERIES ? others.first + i : pick->key, &theme->accent, weights[i]);
  get_place (self, side, pick->tokens[side], &x, &y);
  hl_cairo_set_colour (cr, &theme->accent, 1);
  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, RADIUS + 3, 0, 2 * G_PI);
  if (is_pinned)
    cairo_fill (cr);
  else
    cairo_stroke (cr);
}

static void
draw_overlay (const HlChart *self,
              cairo_t       *cr)
{
  const HlPick *focus = self->frame->focus;
  const HlPick *hovered = self->frame->hovered;
  const HlPick *told = hl_pick_is_token (hovered) ? hovered : focus;
  cairo_rectangle_t box;

  cairo_save (cr);
  hl_chart_points_clip (self, cr);
  if (hl_pick_is_token (focus) && hl_shown_has_pick (self->frame->shown, focus))
    {
      gsize n;
      g_autofree gsize *list = hl_focus_list_tokens (self->frame->in_focus, hl_pick_get_side (focus), &n);

      for (gsize i = 0; i < n; i++)
        {
          const HlPick token = hl_pick_of (hl_pick_get_side (focus), list[i]);
          if (hl_shown_has_pick (self->frame->shown, &token))
            draw_focus (self, cr, &token, hl_pick_equal (focus, self->frame->pinned));
        }
    }
  if (hl_pick_is_token (hovered) && hl_shown_has_pick (self->frame->shown, hovered) && !hl_pick_equal (hovered, focus))
    draw_focus (self, cr, hovered, FALSE);
  cairo_restore (cr);
  if (hl_pick_is_token (told) && hl_shown_has_pick (self->frame->shown, told) && locate (self, told, &box))
    hl_chart_draw_bubble (self, cr, told, &box);
}

/* Along the text; to the side from queries to keys and back. */
static void
move (const HlChart *self,
      HlPick        *pick,
      int            dx,
      int            dy,
      gboolean       to_end)
{
  const HlChartTokens *tokens = get_tokens (self);

  if (!hl_pick_is_token (pick))
    {
      *pick = hl_pick_of (HL_QUERIES, tokens->ranges[HL_QUERIES].first);
      return;
    }
  const HlSide from = hl_pick_get_side (pick);
  const HlSide to = to_end || dx == 0 ? from : dx > 0 ? HL_KEYS : HL_QUERIES;
  const HlRange *range = &tokens->ranges[to];
  const guint index = (guint) (pick->tokens[from] - tokens->ranges[from].first);
  *pick =
    hl_pick_of (to, range->first + hl_chart_move_index (index, (guint) range->n, to_end && dy == 0 ? dx : dy, to_end));
}

const HlChartClass hl_chart_plane = {
  .lay_out = lay_out,
  .get_notice = get_notice,
  .draw_backdrop = draw_backdrop,
  .draw_picture = draw_picture,
  .draw_overlay = draw_overlay,
  .pick = pick_at,
  .describe = describe,
  .locate = locate,
  .move = move,
  .make_row = make_row,
};
