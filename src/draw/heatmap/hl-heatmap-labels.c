/* SPDX-License-Identifier: MIT */
#include "draw/heatmap/hl-heatmap-labels.h"

#include "config.h"

#include "draw/heatmap/hl-heatmap-layout.h"
#include "draw/scene/hl-scene-label.h"
#include "draw/scene/hl-time-axis.h"

#define AXIS_SIZE 10.5

static HlSceneLabel
place_label (const HlSceneFrame *frame,
             HlSide              side,
             gsize               index,
             gboolean            in_focus,
             gboolean            pinned,
             double             *label_x,
             double             *label_y)
{
  const HlHeatmapLayout *layout = frame->layout;
  const gboolean is_row = side == HL_QUERIES;
  const double size = in_focus ? MAX (layout->label_sizes[side], 11) : layout->label_sizes[side];
  HlSceneLabel label = {
    .attention = frame->shown->attention,
    .side = side,
    .token = (is_row ? layout->queries : layout->keys).first + index,
    .style = { .size = size, .max_width = layout->row_label_width },
    .colour = &frame->theme->foreground,
    .align = 1,
    .pitch = (is_row ? layout->cell.height : layout->cell.width) * layout->strides[side],
    .in_focus = in_focus,
    .pinned = pinned,
  };
  double x = layout->plot.x - 6, y = hl_heatmap_layout_get_row_y (layout, index);

  if (!is_row && layout->has_axis[HL_KEYS])
    {
      /* It stands on the axis, as far as it fits into the viewport. */
      const double dot = pinned ? 14 : 0;
      const double half = MIN (frame->room.key_width * size / HL_HEATMAP_LABEL_SIZE / 2 + 6 + dot, layout->width / 2);
      label.style.max_width = MAX (2 * (half - dot), 16);
      x = CLAMP (hl_heatmap_layout_get_column_x (layout, index), half, layout->width - half);
      y = layout->plot.y - HL_TIME_AXIS_DISTANCE;
      label.align = 0.5;
    }
  else if (!is_row)
    {
      label.align = layout->columns_flat ? 0.5 : 0;
      label.direction = layout->columns_flat ? HL_LABEL_LEVEL : HL_LABEL_SLANTED;
      label.style.max_width = layout->columns_flat ? layout->cell.width : layout->column_label_width;
      x = hl_heatmap_layout_get_column_x (layout, index);
      y = layout->plot.y - 6 - (layout->columns_flat ? size * 0.65 : 0);
    }
  *label_x = x;
  *label_y = y;
  return label;
}

static void
draw_label (HlScene            *scene,
            const HlSceneFrame *frame,
            cairo_t            *cr,
            HlSide              side,
            gsize               index,
            gboolean            in_focus,
            gboolean            pinned)
{
  double x, y;
  const HlSceneLabel label = place_label (frame, side, index, in_focus, pinned, &x, &y);

  hl_scene_draw_label (scene, frame, cr, &label, x, y);
}

static HlTimeAxis
make_axis (const HlSceneFrame *frame,
           HlSide              side)
{
  const HlHeatmapLayout *layout = frame->layout;
  const cairo_rectangle_t *plot = &layout->plot;
  const gboolean is_row = side == HL_QUERIES;

  return (HlTimeAxis){
    .attention = frame->shown->attention,
    .side = side,
    .range = frame->shown->ranges[side],
    .is_down = is_row,
    .origin = is_row ? layout->origin_y : layout->origin_x,
    .cell = is_row ? layout->cell.height : layout->cell.width,
    .begin = is_row ? plot->y : plot->x,
    .end = is_row ? plot->y + plot->height : plot->x + plot->width,
    .edge = is_row ? plot->x : plot->y,
    .is_mirrored = !is_row && layout->mirrored,
    .mirror = layout->mirror,
    .size = AXIS_SIZE,
    .colour = &frame->theme->foreground,
  };
}

static void
draw_axis (HlScene            *scene,
           const HlSceneFrame *frame,
           cairo_t            *cr,
           HlSide              side,
           HlRange             seen)
{
  const HlTimeAxis axis = make_axis (frame, side);

  hl_time_axis_draw (scene, frame, cr, &axis, seen);
}

/* Numbers of the axis that the name of a time in focus would cover a part of. */
static void
erase_times (HlScene            *scene,
             const HlSceneFrame *frame,
             cairo_t            *cr,
             HlSide              side,
             gsize               index,
             gboolean            pinned)
{
  const HlHeatmapLayout *layout = frame->layout;
  const HlTimeAxis axis = make_axis (frame, side);
  HlRange seen[2];
  cairo_rectangle_t box;

  hl_heatmap_layout_get_cells (layout, &seen[HL_QUERIES], &seen[HL_KEYS]);
  double x, y;
  const HlSceneLabel label = place_label (frame, side, index, TRUE, pinned, &x, &y);
  hl_scene_label_get_box (scene, &label, x, y, &box);
  if (axis.is_down)
    hl_time_axis_erase (scene, frame, cr, &axis, seen[side], box.y, box.y + box.height);
  else
    hl_time_axis_erase (scene, frame, cr, &axis, seen[side], box.x, box.x + box.width);
}

/* Beside the rows and above the columns that are seen: tokens, or an axis of times. */
void
hl_heatmap_labels_draw (HlScene            *scene,
                        const HlSceneFrame *frame,
                        cairo_t            *cr)
{
  const HlHeatmapLayout *layout = frame->layout;
  HlRange rows, columns;

  hl_heatmap_layout_get_cells (layout, &rows, &columns);

  cairo_save (cr);
  cairo_rectangle (cr, 0, layout->plot.y - 4, layout->plot.x, layout->plot.height + 8);
  cairo_clip (cr);
  const gsize row_stride = layout->strides[HL_QUERIES], column_stride = layout->strides[HL_KEYS];
  for (gsize row = rows.first - rows.first % row_stride; !layout->has_axis[HL_QUERIES] && row < rows.first + rows.n;
       row += row_stride)
    draw_label (scene, frame, cr, HL_QUERIES, row, FALSE, FALSE);
  cairo_restore (cr);
  if (layout->has_axis[HL_QUERIES])
    draw_axis (scene, frame, cr, HL_QUERIES, rows);

  if (layout->has_axis[HL_KEYS])
    {
      draw_axis (scene, frame, cr, HL_KEYS, columns);
      return;
    }
  for (gsize column = columns.first - columns.first % column_stride; column < columns.first + columns.n;
       column += column_stride)
    {
      const double middle = hl_heatmap_layout_get_column_x (layout, column);
      if (middle >= layout->plot.x && middle <= layout->plot.x + layout->plot.width)
        draw_label (scene, frame, cr, HL_KEYS, column, FALSE, FALSE);
    }
}

/* What is in focus stands out, and over the others. */
void
hl_heatmap_labels_draw_in_focus (HlScene            *scene,
                                 const HlSceneFrame *frame,
                                 cairo_t            *cr)
{
  const HlHeatmapLayout *layout = frame->layout;
  const gboolean pinned = hl_pick_equal (frame->focus, frame->pinned);

  for (guint pass = 0; pass < 2; pass++)
    for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
      {
        gsize n;
        g_autofree gsize *tokens = hl_focus_list_tokens (frame->in_focus, side, &n);
        for (gsize i = 0; i < n; i++)
          {
            const gsize index = tokens[i] - (side == HL_QUERIES ? layout->queries : layout->keys).first;
            const double y = hl_heatmap_layout_get_row_y (layout, index);
            const double x = hl_heatmap_layout_get_column_x (layout, index);
            if (side == HL_QUERIES ? y >= layout->plot.y && y <= layout->plot.y + layout->plot.height
                                   : x >= layout->plot.x && x <= layout->plot.x + layout->plot.width)
              {
                /* First all, for what is written stays. */
                if (pass > 0)
                  draw_label (scene, frame, cr, side, index, TRUE, pinned);
                else if (layout->has_axis[side])
                  erase_times (scene, frame, cr, side, index, pinned);
              }
          }
      }
}
