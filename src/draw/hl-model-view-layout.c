/* SPDX-License-Identifier: MIT */
/* Where everything of a model view is. */
#include "draw/hl-model-view-layout.h"

#include "draw/hl-axis-labels.h"

#define MARGIN 12
#define CAPTION_HEIGHT 26
/* A title beside or over its numbers, and these. */
#define TITLE_ROOM 18
#define LABEL_ROOM 26

/* A map may be wider or higher than it is by so much to fill the window; more would bend its diagonals too far. */
#define MAX_STRETCH 2.0
/* Smaller thumbnails show nothing; there, some are out of view. */
#define MIN_PITCH 10.0
#define MAX_GAP 8.0

/**
 * hl_model_view_layout_init:
 * @self: (out caller-allocates): the layout
 * @state: what is shown
 * @width: of the viewport, logical pixels
 * @height: of the viewport, logical pixels
 * @scale: device pixels a logical pixel
 * @scroll_x: content left of the viewport, logical pixels
 * @scroll_y: content above the viewport, logical pixels
 * @zoom: how often as large as to fit; 0 to fit
 */
void
hl_model_view_layout_init (HlModelViewLayout *self,
                           HlViewState       *state,
                           double             width,
                           double             height,
                           double             scale,
                           double             scroll_x,
                           double             scroll_y,
                           double             zoom)
{
  HlBlock *block = hl_view_state_get_shown_block (state);
  const double left = MARGIN + TITLE_ROOM + LABEL_ROOM;
  const double top = MARGIN + CAPTION_HEIGHT + TITLE_ROOM + LABEL_ROOM - 6;

  *self = (HlModelViewLayout){
    .width = width,
    .height = height,
    .scale = scale,
    .block = block,
    .n_layers = hl_block_get_n_layers (block),
    .n_columns = hl_block_get_max_heads (block),
  };
  const double room_x = MAX (width - left - MARGIN, MIN_PITCH);
  const double room_y = MAX (height - top - MARGIN, MIN_PITCH);
  const double wide = room_x / self->n_columns;
  const double high = room_y / self->n_layers;
  const double fit_x = MAX (MIN (wide, high * MAX_STRETCH), MIN_PITCH);
  const double fit_y = MAX (MIN (high, wide * MAX_STRETCH), MIN_PITCH);

  /* From all heads to one that fills the window, whose shape is another: both sides grow evenly on the way. */
  const double most_x = MAX (1, MIN (room_x, room_y * MAX_STRETCH) / fit_x);
  const double most_y = MAX (1, MIN (room_y, room_x * MAX_STRETCH) / fit_y);
  self->max_zoom = sqrt (most_x * most_y);
  const double way = self->max_zoom > 1 ? log (CLAMP (zoom, 1, self->max_zoom)) / log (self->max_zoom) : 0;
  /* Whole pixels: all thumbnails as large as one another. */
  self->pitch_x = floor (fit_x * pow (most_x, way) * scale + 1e-6) / scale;
  self->pitch_y = floor (fit_y * pow (most_y, way) * scale + 1e-6) / scale;
  self->gap = hl_cairo_snap (CLAMP (MIN (self->pitch_x, self->pitch_y) * 0.07, 1, MAX_GAP), scale);
  self->content_width = left + self->n_columns * self->pitch_x + MARGIN;
  self->content_height = top + self->n_layers * self->pitch_y + MARGIN;

  self->plot.x = hl_cairo_snap (left + MAX (0, (width - self->content_width) / 2), scale);
  self->plot.y = hl_cairo_snap (top, scale);
  self->plot.width = MIN (room_x, self->n_columns * self->pitch_x);
  self->plot.height = MIN (room_y, self->n_layers * self->pitch_y);
  self->origin_x = self->plot.x - hl_cairo_snap (scroll_x, scale);
  self->origin_y = self->plot.y - hl_cairo_snap (scroll_y, scale);
  self->label_size = hl_text_size (MIN (self->pitch_x, self->pitch_y) * 0.5, 9.5, 12);
  self->row_stride = (guint) hl_axis_labels_get_stride (self->pitch_y, self->label_size * 1.3);
  self->column_stride = (guint) hl_axis_labels_get_stride (self->pitch_x, self->label_size * 2);
  self->caption_y = MARGIN + CAPTION_HEIGHT / 2.0 - 4;
}

static HlRange
get_range_seen (double origin,
                double pitch,
                double begin,
                double length,
                guint  n)
{
  const gsize first = MIN (n, (gsize) MAX (0, floor ((begin - origin) / pitch)));
  const gsize end = MIN (n, (gsize) MAX (0, ceil ((begin + length - origin) / pitch)));

  return (HlRange){ first, end > first ? end - first : 0 };
}

/**
 * hl_model_view_layout_get_seen:
 * @self: a layout
 * @layers: (out): the rows in view
 * @heads: (out): the columns in view; layers may have fewer heads
 */
void
hl_model_view_layout_get_seen (const HlModelViewLayout *self,
                               HlRange                 *layers,
                               HlRange                 *heads)
{
  *layers = get_range_seen (self->origin_y, self->pitch_y, self->plot.y, self->plot.height, self->n_layers);
  *heads = get_range_seen (self->origin_x, self->pitch_x, self->plot.x, self->plot.width, self->n_columns);
}

/**
 * hl_model_view_layout_get_box:
 * @self: a layout
 * @layer: a layer
 * @head: a head of it
 * @box: (out): where its thumbnail is, its edges between device pixels; may lie outside of the plot
 */
void
hl_model_view_layout_get_box (const HlModelViewLayout *self,
                              guint                    layer,
                              guint                    head,
                              cairo_rectangle_t       *box)
{
  *box = (cairo_rectangle_t){ self->origin_x + head * self->pitch_x, self->origin_y + layer * self->pitch_y,
                              self->pitch_x - self->gap, self->pitch_y - self->gap };
}

/**
 * hl_model_view_layout_pick:
 * @self: a layout
 * @x: logical pixels from the viewport's left edge
 * @y: logical pixels from its top edge
 * @pick: (out): the head whose thumbnail is there; the gap below and to the right counts with it
 */
void
hl_model_view_layout_pick (const HlModelViewLayout *self,
                           double                   x,
                           double                   y,
                           HlPick                  *pick)
{
  const double column = floor ((x - self->origin_x) / self->pitch_x);
  const double row = floor ((y - self->origin_y) / self->pitch_y);

  if (x < self->plot.x || y < self->plot.y || x >= self->plot.x + self->plot.width ||
      y >= self->plot.y + self->plot.height || row < 0 || column < 0 || row >= self->n_layers)
    return;
  if (column < hl_block_get_n_heads (self->block, (guint) row))
    *pick = (HlPick){ HL_PICK_MAP, .head = (guint) column, .layer = (guint) row };
}
