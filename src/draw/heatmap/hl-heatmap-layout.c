/* SPDX-License-Identifier: MIT */
/* Where everything of a heatmap is. */
#include "draw/heatmap/hl-heatmap-layout.h"

#include "draw/scene/hl-scene-label.h"
#include "draw/scene/hl-time-axis.h"
#include "draw/text/hl-axis-labels.h"

#define MARGIN 12
#define CAPTION_HEIGHT 24
#define TITLE_HEIGHT 18
#define LABEL_PAD 6
#define BAR_GAP 22
#define BAR_WIDTH 12
#define BAR_HEIGHT 220
/* Numbers beside the colour bar, and its title. */
#define BAR_LABELS 70
/* Where the bar lies below the map: what is between them, its numbers, its title and swatches, and what the last of slanted labels needs on the right. */
#define FLAT_BAR_GAP 24
#define FLAT_BAR_LABELS 52
#define MAX_FLAT_BAR 320
#define SLANT_ROOM 28
/* Of two maps of different size side by side, cells are as large as one another, unless they would become less than this and the smaller map
 * less than this part of the larger: where it is only somewhat smaller, what is of one length is seen to be. */
#define LEAST_COMMON_CELL 8.0
#define LEAST_COMMON_PART 0.4
/* sin 60°: column labels are slanted by that. */
#define SLANT_SINE 0.8660254

/* How many rows and columns of cells a map has. */
typedef struct
{
  gsize rows;
  gsize columns;
} Size;

static Size
get_size (const HlShown *shown)
{
  return (Size){ MAX (shown->queries.n, 1), MAX (shown->keys.n, 1) };
}

static HlHeatmapCell
fit (const Size *size,
     double      width,
     double      height)
{
  return hl_heatmap_cell_fit (size->rows, size->columns, MAX (width, 16), MAX (height, 16));
}

/* How large the map of both is. */
static double
get_extent (const Size *size,
            double      width,
            double      height)
{
  const HlHeatmapCell cell = fit (size, width, height);

  return sqrt (cell.width * size->columns * cell.height * size->rows);
}

static gboolean
is_common (double cell,
           gsize  a,
           gsize  b)
{
  return cell >= LEAST_COMMON_CELL || MIN (a, b) >= LEAST_COMMON_PART * MAX (a, b);
}

/* Of cells that are common to two maps, of @a and @b rows and columns, and those of one of them alone. */
static HlHeatmapCell
choose_fit (const HlHeatmapCell *common,
            const HlHeatmapCell *own,
            const Size          *a,
            const Size          *b)
{
  return (HlHeatmapCell){ is_common (common->width, a->columns, b->columns) ? common->width : own->width,
                          is_common (common->height, a->rows, b->rows) ? common->height : own->height };
}

static double
get_label_size (double cell)
{
  return hl_text_size (cell * 0.62, 9.5, 12.5);
}

static gsize
get_column_stride (double cell)
{
  return hl_axis_labels_get_stride (cell, get_label_size (cell) * 1.45);
}

void
hl_heatmap_layout_init (HlHeatmapLayout    *self,
                        const HlSceneFrame *frame)
{
  *self = (HlHeatmapLayout){
    .width = frame->width,
    .height = frame->height,
    .scale = frame->scale,
    .queries = frame->shown->queries,
    .keys = frame->shown->keys,
    .mirrored = frame->from_right,
  };
  const Size own = get_size (frame->shown);
  const Size beside = frame->beside != NULL ? get_size (frame->beside) : own;
  const Size both = { MAX (own.rows, beside.rows), MAX (own.columns, beside.columns) };
  const gsize n_rows = own.rows, n_columns = own.columns;

  /* In a small picture labels need more of it. */
  const double row_room = CLAMP (MAX (frame->level_width * 0.22, MIN (frame->level_width / 3, 110)), 16, 200);
  const double column_room = CLAMP (MAX (frame->level_height * 0.2, MIN (frame->level_height / 3, 110)), 16, 160);
  /* Patches stand upright before slanted names. */
  const double upright = hl_scene_label_get_room (frame->shown->attention, HL_KEYS, 12.5) * (1 / SLANT_SINE - 1);
  /* Of two pictures side by side the longer labels say for both where the cells begin. */
  self->row_label_width = ceil (CLAMP (MAX (frame->room.query_width, frame->beside_room.query_width), 16, row_room));
  self->column_label_width =
    ceil (CLAMP (MAX (frame->room.key_width, frame->beside_room.key_width) + upright, 16, column_room));

  const double left = MARGIN + TITLE_HEIGHT + self->row_label_width + LABEL_PAD;
  const double above = MARGIN + CAPTION_HEIGHT + frame->caption_room + TITLE_HEIGHT + 2 * LABEL_PAD;
  double top = above + ceil (self->column_label_width * SLANT_SINE);
  const double level_x = frame->level_width - left;
  double right = BAR_GAP + BAR_WIDTH + BAR_LABELS + MARGIN;
  double bottom = MARGIN + 4;
  /* An axis needs less room than labels, with every zoom: what is over the cells does not move while they grow. */
  const gboolean has_times =
    frame->room.times[HL_KEYS] && (frame->beside == NULL || frame->beside_room.times[HL_KEYS]) &&
    get_column_stride (fit (&both, level_x - right, frame->level_height - top - bottom).width) > 1;
  if (has_times)
    top = above + HL_TIME_AXIS_ROOM;
  const double level_y = frame->level_height - top;
  /* Where the map is as wide as there is room, the bar is better below it. */
  const double flat_right = MARGIN + SLANT_ROOM;
  const double flat_bottom = FLAT_BAR_GAP + BAR_WIDTH + FLAT_BAR_LABELS + MARGIN;
  const gboolean is_flat = get_extent (&both, level_x - flat_right, level_y - flat_bottom) >
                           1.2 * get_extent (&both, level_x - right, level_y - bottom);
  if (is_flat)
    {
      right = flat_right;
      bottom = flat_bottom;
    }
  const double room_x = MAX (frame->width - left - right, 16);
  const double room_y = MAX (frame->height - top - bottom, 16);

  const HlHeatmapCell common = fit (&both, level_x - right, level_y - bottom);
  const HlHeatmapCell own_fit = fit (&own, level_x - right, level_y - bottom);
  const HlHeatmapCell other_fit = fit (&beside, level_x - right, level_y - bottom);
  self->fit_cell = choose_fit (&common, &own_fit, &own, &beside);
  self->cell = hl_heatmap_cell_zoom (&self->fit_cell, frame->zoom);
  const HlHeatmapCell other_chosen = choose_fit (&common, &other_fit, &own, &beside);
  const HlHeatmapCell other_cell = hl_heatmap_cell_zoom (&other_chosen, frame->zoom);
  /* The taller of both is in the middle; where one map begins, the other does. */
  const double tallest = MAX (own.rows * self->cell.height, beside.rows * other_cell.height);
  const double slack = MAX (0, floor ((level_y - bottom - tallest) / 2));
  self->content_width = left + n_columns * self->cell.width + right;
  self->content_height = top + n_rows * self->cell.height + bottom;

  self->plot.x = left + MAX (0, floor ((frame->width - self->content_width) / 2));
  self->plot.y = top + slack;
  self->plot.width = MIN (room_x, n_columns * self->cell.width);
  self->plot.height = MIN (room_y, n_rows * self->cell.height);
  self->plot.x = hl_cairo_snap (self->plot.x, frame->scale);
  self->plot.y = hl_cairo_snap (self->plot.y, frame->scale);
  self->mirror = hl_cairo_snap (2 * self->plot.x + self->plot.width, frame->scale);
  self->origin_x = self->plot.x - hl_cairo_snap (frame->x, frame->scale);
  self->origin_y = self->plot.y - hl_cairo_snap (frame->y, frame->scale);

  self->label_sizes[HL_QUERIES] = get_label_size (self->cell.height);
  self->label_sizes[HL_KEYS] = get_label_size (self->cell.width);
  self->strides[HL_QUERIES] = hl_axis_labels_get_stride (self->cell.height, self->label_sizes[HL_QUERIES] * 1.3);
  self->strides[HL_KEYS] = get_column_stride (self->cell.width);
  self->columns_flat = self->cell.width >= frame->room.key_width + 8;
  self->has_axis[HL_QUERIES] = frame->room.times[HL_QUERIES] && self->strides[HL_QUERIES] > 1;
  self->has_axis[HL_KEYS] = has_times && !self->columns_flat;
  self->caption_y = MARGIN + CAPTION_HEIGHT / 2.0 - 3;
  self->title_x = self->plot.x - LABEL_PAD - self->row_label_width - TITLE_HEIGHT / 2.0 - 2;
  self->title_y = MARGIN + CAPTION_HEIGHT + frame->caption_room + TITLE_HEIGHT / 2.0 + slack;
  self->bar = (cairo_rectangle_t){ self->plot.x + hl_cairo_snap (self->plot.width, frame->scale) + BAR_GAP,
                                   self->plot.y, BAR_WIDTH,
                                   MIN (hl_cairo_snap (self->plot.height, frame->scale), BAR_HEIGHT) };
  if (is_flat)
    {
      const double width = MIN (hl_cairo_snap (self->plot.width, frame->scale), MAX_FLAT_BAR);
      self->bar = (cairo_rectangle_t){ hl_cairo_snap (self->plot.x + (self->plot.width - width) / 2, frame->scale),
                                       self->plot.y + hl_cairo_snap (self->plot.height, frame->scale) + FLAT_BAR_GAP,
                                       width, BAR_WIDTH };
    }
  self->bar_is_flat = is_flat;
}

static HlRange
get_range_seen (double origin,
                double cell,
                double begin,
                double length,
                gsize  n)
{
  const gsize first = MIN (n, (gsize) MAX (0, floor ((begin - origin) / cell)));
  const gsize end = MIN (n, (gsize) MAX (0, ceil ((begin + length - origin) / cell)));

  return (HlRange){ first, end > first ? end - first : 0 };
}

void
hl_heatmap_layout_get_cells (const HlHeatmapLayout *self,
                             HlRange               *rows,
                             HlRange               *columns)
{
  *rows = get_range_seen (self->origin_y, self->cell.height, self->plot.y, self->plot.height, self->queries.n);
  *columns = get_range_seen (self->origin_x, self->cell.width, self->plot.x, self->plot.width, self->keys.n);
}

/* A cell is seen as a pixel at least, but the last ones not behind the map's end. What follows the last begins there. */
static double
get_cell_begin (const HlHeatmapLayout *self,
                gsize                  index,
                double                 cell,
                gsize                  n)
{
  const double begin = hl_cairo_snap (index * cell, self->scale);

  return index < n ? MIN (begin, hl_cairo_snap (n * cell, self->scale) - 1 / self->scale) : begin;
}

/* Its edges are between device pixels; it may lie outside of the plot. */
void
hl_heatmap_layout_get_cell_box (const HlHeatmapLayout *self,
                                gsize                  row,
                                gsize                  column,
                                cairo_rectangle_t     *box)
{
  const double right = hl_cairo_snap ((column + 1) * self->cell.width, self->scale);
  const double bottom = hl_cairo_snap ((row + 1) * self->cell.height, self->scale);

  box->x = get_cell_begin (self, column, self->cell.width, self->keys.n);
  box->y = get_cell_begin (self, row, self->cell.height, self->queries.n);
  box->width = MAX (right - box->x, 1 / self->scale);
  box->height = MAX (bottom - box->y, 1 / self->scale);
  box->x += self->origin_x;
  box->y += self->origin_y;
  if (self->mirrored)
    box->x = self->mirror - box->x - box->width;
}

/* The middle of a row. */
double
hl_heatmap_layout_get_row_y (const HlHeatmapLayout *self,
                             gsize                  row)
{
  return self->origin_y + (row + 0.5) * self->cell.height;
}

/* The middle of a column. */
double
hl_heatmap_layout_get_column_x (const HlHeatmapLayout *self,
                                gsize                  column)
{
  const double x = self->origin_x + (column + 0.5) * self->cell.width;

  return self->mirrored ? self->mirror - x : x;
}

/* For what is drawn without text: it needs not know from which side the text is read. */
void
hl_heatmap_layout_enter (const HlHeatmapLayout *self,
                         HlHeatmapLayout       *straight,
                         cairo_t               *cr)
{
  *straight = *self;
  straight->mirrored = FALSE;
  if (self->mirrored)
    cairo_transform (cr, &(cairo_matrix_t){ .xx = -1, .yy = 1, .x0 = self->mirror });
}

void
hl_heatmap_layout_pick (const HlHeatmapLayout *self,
                        double                 x,
                        double                 y,
                        HlPick                *pick)
{
  const double along = self->mirrored ? self->mirror - x : x;
  const double column = floor ((along - self->origin_x) / self->cell.width);
  const double row = floor ((y - self->origin_y) / self->cell.height);
  const gboolean in_columns = x >= self->plot.x && x < self->plot.x + self->plot.width && column >= 0 &&
                              column < self->keys.n;
  const gboolean in_rows = y >= self->plot.y && y < self->plot.y + self->plot.height && row >= 0 &&
                           row < self->queries.n;

  if (in_columns && in_rows)
    *pick =
      (HlPick){ HL_PICK_CELL, .query = self->queries.first + (gsize) row, .key = self->keys.first + (gsize) column };
  else if (in_rows && x < self->plot.x && x >= self->plot.x - LABEL_PAD - self->row_label_width)
    *pick = (HlPick){ HL_PICK_QUERY, .query = self->queries.first + (gsize) row };
  else if (in_columns && y < self->plot.y && y >= self->title_y + TITLE_HEIGHT / 2.0)
    *pick = (HlPick){ HL_PICK_KEY, .key = self->keys.first + (gsize) column };
}
