/* SPDX-License-Identifier: MIT */
/* What of a heatmap follows the pointer: crosshair, the labels of row and column, the weight of the cell. */
#include "draw/heatmap/hl-heatmap-private.h"

#include "draw/scene/hl-scene-callout.h"

static void
draw_cross (cairo_t               *cr,
            const HlHeatmapLayout *layout,
            const HlPick          *pick)
{
  const gboolean has_row = pick->kind != HL_PICK_KEY;
  const gboolean has_column = pick->kind != HL_PICK_QUERY;
  cairo_rectangle_t box;

  hl_heatmap_layout_get_cell_box (layout, has_row ? pick->query - layout->queries.first : 0,
                                  has_column ? pick->key - layout->keys.first : 0, &box);
  cairo_save (cr);
  cairo_rectangle (cr, layout->plot.x, layout->plot.y, layout->plot.width, layout->plot.height);
  cairo_clip (cr);
  if (has_row)
    hl_callout_outline (cr, &(cairo_rectangle_t){ layout->plot.x - 4, box.y, layout->plot.width + 8, box.height },
                        has_column ? 0.6 : 1);
  if (has_column)
    hl_callout_outline (cr, &(cairo_rectangle_t){ box.x, layout->plot.y - 4, box.width, layout->plot.height + 8 },
                        has_row ? 0.6 : 1);
  if (has_row && has_column)
    hl_callout_outline (cr, &box, 1);
  cairo_restore (cr);
}

static void
draw_labels (HlHeatmapScene        *self,
             cairo_t               *cr,
             const HlHeatmapLayout *layout,
             const HlPick          *pick,
             gboolean               pinned)
{
  const gsize row = pick->query - layout->queries.first;
  const gsize column = pick->key - layout->keys.first;
  const double y = layout->origin_y + (row + 0.5) * layout->cell;
  const double x = hl_heatmap_layout_get_column_x (layout, column);

  if (pick->kind != HL_PICK_KEY && y >= layout->plot.y && y <= layout->plot.y + layout->plot.height)
    hl_heatmap_scene_draw_label (self, cr, layout, HL_PICK_QUERY, row, TRUE, pinned);
  if (pick->kind != HL_PICK_QUERY && x >= layout->plot.x && x <= layout->plot.x + layout->plot.width)
    hl_heatmap_scene_draw_label (self, cr, layout, HL_PICK_KEY, column, TRUE, pinned);
}

/* The weight of a cell. */
static void
draw_bubble (HlHeatmapScene        *self,
             cairo_t               *cr,
             const HlHeatmapLayout *layout,
             const HlPick          *pick)
{
  g_autofree char *text = hl_scene_describe (HL_SCENE (self), pick);
  cairo_rectangle_t box;

  if (text == NULL)
    return;
  hl_heatmap_layout_get_cell_box (layout, pick->query - layout->queries.first, pick->key - layout->keys.first, &box);
  if (box.x + box.width < layout->plot.x || box.x > layout->plot.x + layout->plot.width ||
      box.y + box.height < layout->plot.y || box.y > layout->plot.y + layout->plot.height)
    return;
  hl_scene_draw_bubble (HL_SCENE (self), cr, text, &box, &(HlBubblePlace){ .gap = 12, .flips = TRUE });
}

static gboolean
is_shown (const HlHeatmapLayout *layout,
          const HlPick          *pick)
{
  const gboolean has_row = pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_CELL;
  const gboolean has_column = pick->kind == HL_PICK_KEY || pick->kind == HL_PICK_CELL;

  return (has_row || has_column) && (!has_row || pick->query - layout->queries.first < layout->queries.n) &&
         (!has_column || pick->key - layout->keys.first < layout->keys.n);
}

/**
 * hl_heatmap_scene_draw_overlay: (skip)
 * @scene: a heatmap
 * @cr: where to
 */
void
hl_heatmap_scene_draw_overlay (HlScene *scene,
                               cairo_t *cr)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  const HlHeatmapLayout layout = hl_heatmap_scene_get_layout (self);
  const HlPick *focus = hl_view_state_get_focus (state);
  const HlPick *hovered = hl_view_state_get_hovered (state);
  const HlPick *told = NULL;

  if (is_shown (&layout, focus))
    {
      draw_cross (cr, &layout, focus);
      draw_labels (self, cr, &layout, focus, hl_pick_equal (focus, hl_view_state_get_pinned (state)));
      if (focus->kind == HL_PICK_CELL)
        told = focus;
    }
  /* While something is pinned, the weight under the pointer can still be read. */
  if (is_shown (&layout, hovered) && hovered->kind == HL_PICK_CELL)
    {
      cairo_rectangle_t box;

      hl_heatmap_layout_get_cell_box (&layout, hovered->query - layout.queries.first, hovered->key - layout.keys.first,
                                      &box);
      cairo_save (cr);
      cairo_rectangle (cr, layout.plot.x, layout.plot.y, layout.plot.width, layout.plot.height);
      cairo_clip (cr);
      hl_callout_outline (cr, &box, 1);
      cairo_restore (cr);
      told = hovered;
    }
  if (told != NULL)
    draw_bubble (self, cr, &layout, told);
}
