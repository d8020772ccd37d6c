/* SPDX-License-Identifier: MIT */
/* Where everything of a model view is. */
#include "draw/model-view/hl-model-view-layout.h"

#include "draw/text/hl-axis-labels.h"

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

/* Sorted heads are told by the names over them alone, which need room. */
#define MIN_SORTED_WIDTH 68.0
#define MIN_SORTED_HEIGHT 34.0
#define STRIP 16.0
#define LEGEND_ROOM 20

static double
get_mat (double pitch)
{
  return CLAMP (pitch * 0.07, 1.5, 5);
}

/* As many columns as make thumbnails largest. */
static guint
get_best_columns (guint  n,
                  double room_x,
                  double room_y,
                  double max_stretch)
{
  guint best = 1;
  double best_side = 0;

  for (guint columns = 1; columns <= n && room_x / columns >= MIN_SORTED_WIDTH; columns++)
    {
      const double high = MAX (room_y / ceil ((double) n / columns), MIN_SORTED_HEIGHT + STRIP) - STRIP;
      const double side = MIN (room_x / columns, high * max_stretch) * MIN (high, room_x / columns * max_stretch);

      /* Where rows are as low as they may be, more of them side by side. */
      if (side < best_side)
        continue;
      best_side = side;
      best = columns;
    }
  return best;
}

static void
count_cells (HlModelViewLayout *self,
             double             room_x,
             double             room_y,
             double             max_stretch)
{
  if (self->order->order == NULL)
    {
      self->n_rows = hl_attention_get_n_layers (self->attention);
      self->n_columns = hl_attention_get_max_heads (self->attention);
      return;
    }
  const guint n = hl_head_numbers_get_n (self->order->numbers);
  self->n_columns = get_best_columns (n, room_x, room_y, max_stretch);
  self->n_rows = (n + self->n_columns - 1) / self->n_columns;
}

void
hl_model_view_layout_init (HlModelViewLayout      *self,
                           const HlSceneFrame     *frame,
                           const HlModelViewOrder *order)
{
  HlAttention *attention = frame->shown->attention;
  const gboolean sorted = order->order != NULL;
  const gboolean framed = order->colour_by != HL_HEAD_MEASURE_NONE;
  const double left = MARGIN + (sorted ? 0 : TITLE_ROOM + LABEL_ROOM);
  const double top = MARGIN + CAPTION_HEIGHT + frame->caption_room + (framed ? LEGEND_ROOM : 0) +
                     (sorted ? 0 : TITLE_ROOM + LABEL_ROOM - 6);

  *self = (HlModelViewLayout){
    .width = frame->width,
    .height = frame->height,
    .scale = frame->scale,
    .attention = attention,
    .order = order,
    .strip = sorted ? STRIP : 0,
  };
  const gboolean square = frame->shown->options.square_cells;
  const double max_stretch = square ? 1 : MAX_STRETCH;
  const double min_x = sorted ? MIN_SORTED_WIDTH : MIN_PITCH;
  const double min_y = square ? min_x + self->strip : sorted ? MIN_SORTED_HEIGHT + STRIP : MIN_PITCH;
  const double room_x = MAX (frame->width - left - MARGIN, min_x);
  const double room_y = MAX (frame->height - top - MARGIN, min_y);

  count_cells (self, room_x, room_y, max_stretch);
  const double wide = room_x / self->n_columns;
  const double high = room_y / self->n_rows;
  const double fit_x = MAX (MIN (wide, (high - self->strip) * max_stretch), min_x);
  const double fit_y = MAX (MIN (high, wide * max_stretch + self->strip), min_y);

  /* From all heads to one that fills the window, whose shape is another: both sides grow evenly on the way. */
  const double most_x = MAX (1, MIN (room_x, room_y * max_stretch) / fit_x);
  const double most_y = MAX (1, MIN (room_y, room_x * max_stretch) / fit_y);
  self->max_zoom = sqrt (most_x * most_y);
  const double way = self->max_zoom > 1 ? log (CLAMP (frame->zoom, 1, self->max_zoom)) / log (self->max_zoom) : 0;
  /* Whole pixels: all thumbnails as large as one another. */
  self->pitch_x = floor (fit_x * pow (most_x, way) * frame->scale + 1e-6) / frame->scale;
  self->pitch_y = square ? self->pitch_x + self->strip
                         : floor (fit_y * pow (most_y, way) * frame->scale + 1e-6) / frame->scale;
  self->gap = hl_cairo_snap (CLAMP (MIN (self->pitch_x, self->pitch_y) * 0.07, 1, MAX_GAP), frame->scale);
  self->content_width = left + self->n_columns * self->pitch_x + MARGIN;
  self->mat = framed ? hl_cairo_snap (get_mat (MIN (self->pitch_x, self->pitch_y - self->strip)), frame->scale) : 0;
  self->content_height = top + self->n_rows * self->pitch_y + MARGIN;

  self->plot.x = hl_cairo_snap (left + MAX (0, (frame->width - self->content_width) / 2), frame->scale);
  self->slack = hl_cairo_snap (MAX (0, frame->height - self->content_height) / 2, frame->scale);
  self->plot.y = hl_cairo_snap (top, frame->scale) + self->slack;
  self->plot.width = MIN (room_x, self->n_columns * self->pitch_x);
  self->plot.height = MIN (room_y, self->n_rows * self->pitch_y);
  self->origin_x = self->plot.x - hl_cairo_snap (frame->x, frame->scale);
  self->origin_y = self->plot.y - hl_cairo_snap (frame->y, frame->scale);
  self->label_size = sorted ? hl_text_size (self->pitch_x * 0.17, 9.5, 12)
                            : hl_text_size (MIN (self->pitch_x, self->pitch_y) * 0.5, 9.5, 12);
  self->row_stride = (guint) hl_axis_labels_get_stride (self->pitch_y, self->label_size * 1.3);
  self->column_stride = (guint) hl_axis_labels_get_stride (self->pitch_x, self->label_size * 2);
  self->caption_y = MARGIN + CAPTION_HEIGHT / 2.0 - 4;
  self->legend_y = self->caption_y + frame->caption_room + CAPTION_HEIGHT / 2.0 + 8 + self->slack;
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

void
hl_model_view_layout_get_seen (const HlModelViewLayout *self,
                               HlRange                 *rows,
                               HlRange                 *columns)
{
  *rows = get_range_seen (self->origin_y, self->pitch_y, self->plot.y, self->plot.height, self->n_rows);
  *columns = get_range_seen (self->origin_x, self->pitch_x, self->plot.x, self->plot.width, self->n_columns);
}

gboolean
hl_model_view_layout_get_map (const HlModelViewLayout *self,
                              gsize                    row,
                              gsize                    column,
                              guint                   *layer,
                              guint                   *head)
{
  const HlModelViewOrder *order = self->order;

  if (row >= self->n_rows || column >= self->n_columns)
    return FALSE;
  if (order->order == NULL)
    {
      *layer = (guint) row;
      *head = (guint) column;
      return column < hl_attention_get_n_heads (self->attention, (guint) row);
    }
  const gsize place = row * self->n_columns + column;
  if (place >= hl_head_numbers_get_n (order->numbers))
    return FALSE;
  *layer = hl_head_numbers_get_layer (order->numbers, order->order[place]);
  *head = hl_head_numbers_get_head (order->numbers, order->order[place]);
  return TRUE;
}

void
hl_model_view_layout_get_cell (const HlModelViewLayout *self,
                               guint                    layer,
                               guint                    head,
                               guint                   *row,
                               guint                   *column)
{
  *row = layer;
  *column = head;
  if (self->order->order == NULL)
    return;
  const guint place = self->order->places[hl_head_numbers_get_index (self->order->numbers, layer, head)];
  *row = place / self->n_columns;
  *column = place % self->n_columns;
}

/* How large a thumbnail is, as all of them are. */
void
hl_model_view_layout_get_size (const HlModelViewLayout *self,
                               double                  *width,
                               double                  *height)
{
  *width = self->pitch_x - self->gap - 2 * self->mat;
  *height = self->pitch_y - self->gap - self->strip - 2 * self->mat;
}

void
hl_model_view_layout_get_box (const HlModelViewLayout *self,
                              guint                    layer,
                              guint                    head,
                              cairo_rectangle_t       *box)
{
  guint row, column;

  hl_model_view_layout_get_cell (self, layer, head, &row, &column);
  *box = (cairo_rectangle_t){ self->origin_x + column * self->pitch_x + self->mat,
                              self->origin_y + row * self->pitch_y + self->strip + self->mat };
  hl_model_view_layout_get_size (self, &box->width, &box->height);
}

/* The gap below a thumbnail, that to the right and what is around count with it. */
void
hl_model_view_layout_pick (const HlModelViewLayout *self,
                           double                   x,
                           double                   y,
                           HlPick                  *pick)
{
  const double column = floor ((x - self->origin_x) / self->pitch_x);
  const double row = floor ((y - self->origin_y) / self->pitch_y);
  guint layer, head;

  if (x < self->plot.x || y < self->plot.y || x >= self->plot.x + self->plot.width ||
      y >= self->plot.y + self->plot.height || row < 0 || column < 0)
    return;
  if (hl_model_view_layout_get_map (self, (gsize) row, (gsize) column, &layer, &head))
    *pick = (HlPick){ HL_PICK_MAP, .head = head, .layer = layer };
}

static guint
move_index (guint    index,
            guint    n,
            int      direction,
            gboolean to_end)
{
  if (direction == 0)
    return MIN (index, n - 1);
  if (to_end)
    return direction < 0 ? 0 : n - 1;
  return direction < 0 ? index - MIN (index, 1) : MIN (index + 1, n - 1);
}

/* The row that is next and has heads; the same, where none follows. */
static guint
find_row (const HlModelViewLayout *self,
          guint                    row,
          int                      direction,
          gboolean                 to_end)
{
  const int step = (to_end ? -1 : 1) * (direction < 0 ? -1 : 1);
  guint layer, head;

  for (guint found = move_index (row, self->n_rows, direction, to_end); found < self->n_rows; found += (guint) step)
    if (hl_model_view_layout_get_map (self, found, 0, &layer, &head))
      return found;
  return row;
}

/* Goes from head to head as they are shown. */
void
hl_model_view_layout_move (const HlModelViewLayout *self,
                           HlPick                  *pick,
                           int                      dx,
                           int                      dy,
                           gboolean                 to_end)
{
  guint row, column, n_columns = self->n_columns;

  hl_model_view_layout_get_cell (self, pick->layer, pick->head, &row, &column);
  row = find_row (self, row, dy, to_end);
  /* Some rows are shorter. */
  while (n_columns > 1 && !hl_model_view_layout_get_map (self, row, n_columns - 1, &pick->layer, &pick->head))
    n_columns--;
  column = move_index (column, n_columns, dx, to_end);
  hl_model_view_layout_get_map (self, row, column, &pick->layer, &pick->head);
}
