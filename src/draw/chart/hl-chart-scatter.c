/* SPDX-License-Identifier: MIT */
/* Heads as points, near ones alike: Clark et al. 2019, figure 6. Their colours tell layers. */
#include "draw/chart/hl-chart.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "draw/chart/hl-chart-legend.h"
#include "draw/chart/hl-chart-points.h"
#include "draw/paint/hl-colour-map.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-axis-labels.h"
#include "draw/text/hl-export-context.h"
#include "view/hl-weight-text.h"

#define RADIUS 4.5
#define REACH 9
#define BAR_GAP 20
#define BAR_ROOM 76
#define MAX_BAR 260
#define MAX_LABELS 400
/* A listener keeps about as many in mind. */
#define N_NEAREST 4

static const HlChartHeads *
get_heads (const HlChart *self)
{
  return self->data != NULL && self->data->heads.places != NULL ? &self->data->heads : NULL;
}

static char *
get_notice (const HlChart *self)
{
  if (self->frame->shown->other != NULL)
    return g_strdup (_ ("Distances between heads have no difference; the two sides can be seen side by side"));
  return get_heads (self) == NULL ? g_strdup (_ ("Distances between heads are being computed…")) : NULL;
}

static gboolean
has_place (const HlChartHeads *heads,
           guint               index)
{
  return isfinite (heads->places[2 * index]) && isfinite (heads->places[2 * index + 1]);
}

static void
lay_out (const HlChart *self,
         HlChartLayout *layout)
{
  const HlChartHeads *heads = get_heads (self);
  HlChartExtent extent = { INFINITY, -INFINITY, INFINITY, -INFINITY };

  for (guint i = 0; heads != NULL && i < heads->n; i++)
    if (has_place (heads, i))
      hl_chart_extent_add (&extent, heads->places + 2 * i, 1);
  if (!(extent.min_x <= extent.max_x))
    extent = (HlChartExtent){ 0 };
  hl_chart_points_lay_out (self, layout, &extent, 4, BAR_ROOM);
}

/* The ends of the map that the paper leaves room for. */
static guint32
get_layer_colour (const HlSceneFrame *frame,
                  double              position)
{
  return hl_colour_map_lookup (HL_COLOUR_MAP_VIRIDIS, frame->theme->dark,
                               frame->theme->dark ? 0.2 + 0.8 * position : 0.86 * position);
}

static double
get_position (const HlChart *self,
              guint          layer)
{
  return self->numbers->n_layers > 1 ? (double) layer / (self->numbers->n_layers - 1) : 0.5;
}

/* Of all heads, which one it is. */
static guint
get_index (const HlChart *self,
           const HlPick  *pick)
{
  return self->numbers->starts[pick->layer] + pick->head;
}

static HlPick
get_pick (const HlChart *self,
          guint          index)
{
  guint layer = 0;

  while (self->numbers->starts[layer + 1] <= index)
    layer++;
  return (HlPick){ HL_PICK_MAP, .head = index - self->numbers->starts[layer], .layer = layer };
}

static void
draw_bar (const HlChart *self,
          cairo_t       *cr)
{
  const cairo_rectangle_t *plot = &self->layout->plot;
  const double height = CLAMP (plot->height, 40, MAX_BAR);
  const cairo_rectangle_t box = { plot->x + plot->width + BAR_GAP, plot->y + (plot->height - height) / 2,
                                  HL_CHART_BAR_WIDTH, height };
  const guint n_layers = self->numbers->n_layers;
  const guint stride = (guint) hl_axis_labels_get_stride (height / MAX (n_layers, 1), 15);
  g_autofree HlChartBarTick *ticks = g_new0 (HlChartBarTick, MAX (n_layers, 1));
  guint n_ticks = 0;

  for (guint layer = 0; layer < n_layers; layer += stride)
    ticks[n_ticks++] = (HlChartBarTick){ get_position (self, layer), g_strdup_printf ("%u", layer) };
  hl_chart_bar_draw (self->scene, self->frame, cr, &box, get_layer_colour, ticks, n_ticks, _ ("layer"));
  for (guint i = 0; i < n_ticks; i++)
    g_free (ticks[i].label);
}

static void
draw_labels (const HlChart *self,
             cairo_t       *cr)
{
  const HlChartHeads *heads = get_heads (self);
  g_autoptr (HlChartRoom) room = hl_chart_room_new (&self->layout->plot);
  double x, y;

  for (guint i = 0; i < heads->n; i++)
    {
      hl_chart_points_map (self->layout, heads->places + 2 * i, &x, &y);
      if (has_place (heads, i))
        hl_chart_room_take (room, x, y, RADIUS);
    }
  for (guint i = 0, n_labels = 0; i < heads->n && n_labels < MAX_LABELS; i++)
    {
      const HlPick pick = get_pick (self, i);
      g_autofree char *label = g_strdup_printf ("%u·%u", pick.layer, pick.head);

      hl_chart_points_map (self->layout, heads->places + 2 * i, &x, &y);
      if (!has_place (heads, i) || !hl_chart_points_is_seen (self->layout, x, y))
        continue;
      hl_chart_room_write (room, self, cr, label, &self->frame->theme->muted, x, y);
      n_labels++;
    }
}

static void
draw_backdrop (const HlChart *self,
               cairo_t       *cr)
{
  hl_chart_points_draw_frame (self, cr, _ ("near heads attend alike (classical scaling of Jensen–Shannon divergences)"),
                              NULL);
  draw_bar (self, cr);
  draw_labels (self, cr);
}

static void
draw_picture (const HlChart *self,
              cairo_t       *cr)
{
  const HlChartHeads *heads = get_heads (self);

  hl_chart_points_clip (self, cr);
  for (guint i = 0; i < heads->n; i++)
    {
      const HlColour colour =
        hl_chart_colour_of_pixel (get_layer_colour (self->frame, get_position (self, get_pick (self, i).layer)));
      double x, y;

      hl_chart_points_map (self->layout, heads->places + 2 * i, &x, &y);
      if (has_place (heads, i) && hl_chart_points_is_seen (self->layout, x, y))
        hl_chart_mark_draw (cr, HL_CHART_MARK_DOT, &colour, x, y, RADIUS);
    }
}

static gboolean
locate (const HlChart     *self,
        const HlPick      *pick,
        cairo_rectangle_t *box)
{
  const HlChartHeads *heads = get_heads (self);
  double x, y;

  if (pick->kind != HL_PICK_MAP || !has_place (heads, get_index (self, pick)))
    return FALSE;
  hl_chart_points_map (self->layout, heads->places + 2 * get_index (self, pick), &x, &y);
  *box = (cairo_rectangle_t){ x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS };
  return TRUE;
}

static void
pick_at (const HlChart *self,
         double         x,
         double         y,
         HlPick        *pick)
{
  const HlChartHeads *heads = get_heads (self);
  double nearest = REACH * REACH;

  if (!hl_chart_points_is_seen (self->layout, x, y))
    return;
  for (guint i = 0; i < heads->n; i++)
    {
      double at_x, at_y;

      hl_chart_points_map (self->layout, heads->places + 2 * i, &at_x, &at_y);
      const double distance = (at_x - x) * (at_x - x) + (at_y - y) * (at_y - y);
      if (!has_place (heads, i) || distance >= nearest)
        continue;
      nearest = distance;
      *pick = get_pick (self, i);
    }
}

/* The nearest by their distance itself, of which the plane shows only a part. */
static guint
find_nearest (const HlChartHeads *heads,
              guint               index,
              guint               nearest[N_NEAREST])
{
  guint n = 0;

  for (guint i = 0; i < heads->n; i++)
    {
      const double distance = hl_head_distances_get (heads->distances, index, i);
      guint place = MIN (n, N_NEAREST - 1);

      if (i == index || !isfinite (distance) ||
          (n == N_NEAREST && distance >= hl_head_distances_get (heads->distances, index, nearest[place])))
        continue;
      n = MIN (n + 1, N_NEAREST);
      for (; place > 0 && hl_head_distances_get (heads->distances, index, nearest[place - 1]) > distance; place--)
        nearest[place] = nearest[place - 1];
      nearest[place] = i;
    }
  return n;
}

/* "layer 3 · head 5: nearest 5·7 0.02, 4·1 0.03" */
static char *
describe (const HlChart *self,
          const HlPick  *pick)
{
  guint nearest[N_NEAREST];

  if (pick->kind != HL_PICK_MAP)
    return NULL;
  const guint index = get_index (self, pick);
  const guint n = find_nearest (get_heads (self), index, nearest);
  g_autofree char *name = hl_shown_dup_map_name (self->frame->shown, pick->layer, pick->head);
  g_autoptr (GString) list = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    {
      const HlPick other = get_pick (self, nearest[i]);
      char number[HL_WEIGHT_TEXT_SIZE];

      hl_weight_text_format (hl_head_distances_get (get_heads (self)->distances, index, nearest[i]), number);
      g_string_append_printf (list, "%s%u·%u %s", i > 0 ? _ (", ") : "", other.layer, other.head, number);
    }
  /* Translators: a head, then the heads that are nearest to it, each with its distance */
  return n > 0 ? g_strdup_printf (_ ("%s: nearest %s"), name, list->str) : g_steal_pointer (&name);
}

static void
draw_ring (const HlChart  *self,
           cairo_t        *cr,
           const HlPick   *pick,
           const HlColour *colour)
{
  cairo_rectangle_t box;

  if (locate (self, pick, &box))
    hl_chart_ring_draw (cr, colour, &box);
}

static void
draw_nearest (const HlChart *self,
              cairo_t       *cr,
              const HlPick  *pick)
{
  const HlChartHeads *heads = get_heads (self);
  guint nearest[N_NEAREST];
  const guint index = get_index (self, pick);
  const guint n = find_nearest (heads, index, nearest);
  double x, y, to_x, to_y;

  hl_chart_points_map (self->layout, heads->places + 2 * index, &x, &y);
  hl_cairo_set_colour (cr, &self->frame->theme->foreground, 0.6);
  cairo_set_line_width (cr, 1);
  for (guint i = 0; i < n; i++)
    {
      hl_chart_points_map (self->layout, heads->places + 2 * nearest[i], &to_x, &to_y);
      cairo_move_to (cr, x, y);
      cairo_line_to (cr, to_x, to_y);
      cairo_stroke (cr);
    }
}

static void
draw_overlay (const HlChart *self,
              cairo_t       *cr)
{
  const HlPick *pick = self->frame->hovered;
  const HlPick chosen = { HL_PICK_MAP, .head = self->frame->shown->selection.head,
                          .layer = self->frame->shown->selection.layer };
  cairo_rectangle_t box;

  if (hl_export_context_get (cr) != NULL)
    return;
  cairo_save (cr);
  hl_chart_points_clip (self, cr);
  draw_ring (self, cr, &chosen, &self->frame->theme->accent);
  const gboolean has_pick = hl_shown_has_pick (self->frame->shown, pick) && locate (self, pick, &box);
  if (has_pick)
    {
      draw_nearest (self, cr, pick);
      draw_ring (self, cr, pick, &self->frame->theme->foreground);
    }
  cairo_restore (cr);
  if (has_pick)
    hl_chart_draw_bubble (self, cr, pick, &box);
}

/* To the nearest point in that quarter of the plane; to the farthest that way. */
static void
move (const HlChart *self,
      HlPick        *pick,
      int            dx,
      int            dy,
      gboolean       to_end)
{
  const HlChartHeads *heads = get_heads (self);
  guint best = G_MAXUINT;
  double best_distance = 0;

  if (pick->kind != HL_PICK_MAP)
    {
      *pick = (HlPick){ HL_PICK_MAP, .head = self->frame->shown->selection.head,
                        .layer = self->frame->shown->selection.layer };
      return;
    }
  const double *from = heads->places + 2 * get_index (self, pick);
  for (guint i = 0; i < heads->n; i++)
    {
      const double x = heads->places[2 * i] - from[0], y = heads->places[2 * i + 1] - from[1];
      /* Up is up. */
      const double along = x * dx - y * dy, aside = fabs (dx != 0 ? y : x);
      const double distance = to_end ? -along : x * x + y * y;

      if (!(along > 0) || (!to_end && aside > along) || (best != G_MAXUINT && distance >= best_distance))
        continue;
      best = i;
      best_distance = distance;
    }
  if (best != G_MAXUINT)
    *pick = get_pick (self, best);
}

const HlChartClass hl_chart_scatter = {
  .lay_out = lay_out,
  .get_notice = get_notice,
  .draw_backdrop = draw_backdrop,
  .draw_picture = draw_picture,
  .draw_overlay = draw_overlay,
  .pick = pick_at,
  .describe = describe,
  .locate = locate,
  .move = move,
};
