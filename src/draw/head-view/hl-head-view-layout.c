/* SPDX-License-Identifier: MIT */
/* Where everything of a head view is. */
#include "draw/head-view/hl-head-view-layout.h"

#include <math.h>

#include "draw/paint/hl-cairo.h"
#include "draw/scene/hl-time-axis.h"
#include "draw/text/hl-axis-labels.h"

#define MARGIN 12
#define CAPTION_HEIGHT 22
#define TITLES_HEIGHT 20
/*
 * Room beside the labels for numbers, pins and the marks of sentences; below and above labels that lie flat they need
 * less.
 */
#define GUTTER 66
#define TURNED_GUTTER 56
/* Of a picture so narrow that lines need what can be spared. */
#define NARROW_GUTTER 56
#define NARROW 480
#define FLAT_GUTTER 34
/* Of a figure that has none of these. */
#define BARE_GUTTER 6
/* Rows are as high as they fit into the room, within these; where they do not even so, they are as low as this, and one scrolls. */
#define LEAST_ROW 14.0
#define COMFORTABLE_ROW 48.0
/* As low as rows become for that. */
#define LEAST_SPREAD_ROW 0.2
/* The font of labels grows with rows that are higher than this, up to the greatest size. */
#define ROOMY_ROW 28.0
#define LABEL_GROWTH 0.15
#define MIN_LABEL_SIZE 9.5
#define MAX_LABEL_SIZE 16
/* Above the first row, whose label may be higher than itself. */
#define ROWS_PAD 5
/* Lines need be no longer than this, or than so many times what all rows take. */
#define MIN_WIDE_GAP 360.0
#define MAX_GAP 720.0
#define GAP_OF_ROWS 1.4
#define MAX_HORIZONTAL_GAP 420.0
/*
 * A small heatmap stands beside the lines where so much is left for it, at most that and cells no larger, of so many tokens
 * that cells can be pointed at. Lines that it would make shorter than this matter more.
 */
#define LEAST_MAP 170.0
#define GREATEST_MAP 240.0
#define GREATEST_CELL 24.0
#define MAX_MAP_TOKENS 64
#define GAP_BESIDE_MAP 420.0
/* From the room beside labels to the cells, with the title between them, and from these to the edge. */
#define MAP_DISTANCE 24
#define MAP_MARGIN 24
/* Tokens side by side are as wide as their labels, up to this. */
#define MAX_FLAT_ROW 140.0
#define NUMBER_HEIGHT 12.65
#define NUMBER_WIDTH 40
/* Between a label and the lines. */
#define LABEL_PAD 8

/* From the swatch with a roomy number to a mere dot; guests are named by two numbers. */
static const struct
{
  double width, width_with_guests, height, gap;
} swatches[] = { { 24, 36, 20, 4 }, { 19, 29, 16, 3 }, { 11, 11, 11, 3 }, { 6, 6, 6, 2 }, { 4, 4, 4, 1 } };

/* The largest swatches of which there is room for so many; returns how many rows of them. */
static guint
choose_swatches (HlHeadViewLayout *self,
                 double            width,
                 double            height,
                 guint             n,
                 gboolean          has_guests)
{
  const double room = MAX (width - 2 * MARGIN, 40);
  guint rows = 1;

  for (guint i = 0; i < G_N_ELEMENTS (swatches); i++)
    {
      self->swatch_width = has_guests ? swatches[i].width_with_guests : swatches[i].width;
      self->swatch_height = swatches[i].height;
      self->swatch_gap = swatches[i].gap;
      self->strip_columns = MAX (1, (guint) ((room + self->swatch_gap) / (self->swatch_width + self->swatch_gap)));
      rows = (n + self->strip_columns - 1) / self->strip_columns;
      if (rows <= 1 || rows * (self->swatch_height + self->swatch_gap) <= MAX (48, height / 6))
        break;
    }
  /* Rows of equal length look better than a full one and a rest. */
  self->strip_columns = MAX (1, (n + rows - 1) / MAX (rows, 1));
  return rows;
}

static double
get_strip_height (const HlHeadViewLayout *self,
                  guint                   rows)
{
  return rows > 0 ? rows * (self->swatch_height + self->swatch_gap) - self->swatch_gap + 8 : 0;
}

/* Of heads that layers become one of, as many as are shown. */
static guint
count_own (const HlShown *shown)
{
  return shown->merges_layers && !shown->merges_heads
           ? shown->n_heads
           : hl_attention_get_n_heads (shown->original, shown->selection.layer);
}

static void
lay_out_strip (HlHeadViewLayout   *self,
               const HlSceneFrame *frame)
{
  const HlShown *beside = frame->beside;
  const guint n = self->is_cut ? hl_head_set_count (&self->chosen) + self->n_heads - self->n_own : self->n_heads;
  double height = 0;

  if (beside != NULL && !self->is_cut)
    height = get_strip_height (self, choose_swatches (self, frame->level_width, frame->level_height,
                                                      count_own (beside) + beside->n_others, beside->n_others > 0));
  height = MAX (height, get_strip_height (self, choose_swatches (self, frame->level_width, frame->level_height, n,
                                                                 self->n_heads > self->n_own)));

  const double strip_width = self->strip_columns * (self->swatch_width + self->swatch_gap) - self->swatch_gap;
  self->caption_y = MARGIN + CAPTION_HEIGHT / 2.0 - 2;
  self->strip_x = round ((self->width - strip_width) / 2);
  self->strip_y = MARGIN + CAPTION_HEIGHT + frame->caption_room + 2;
  self->header_height = self->strip_y + height;
  self->titles_y = self->header_height + TITLES_HEIGHT / 2.0;
  self->header_height += TITLES_HEIGHT + 2;
}

/* Tokens below one another: the queries on the left, the keys on the right. */
static void
lay_out_down (HlHeadViewLayout *self)
{
  self->begin = self->header_height;
  self->end = self->height;
  self->across = self->width;
  self->comfortable_row = self->is_cut ? ROOMY_ROW : COMFORTABLE_ROW;
  self->max_row = HL_HEAD_VIEW_MAX_ROW;
  self->gutter = self->width < NARROW ? NARROW_GUTTER : GUTTER;
  if (self->mirrored)
    cairo_matrix_init (&self->matrix, -1, 0, 0, 1, self->width, 0);
  else
    cairo_matrix_init_identity (&self->matrix);
}

/* Tokens side by side: the queries above, the keys below. Titles stand before them. */
static void
lay_out_across (HlHeadViewLayout  *self,
                const HlLabelRoom *room,
                double             title_width)
{
  const double label = MAX (room->query_width, room->key_width);

  self->header_height -= TITLES_HEIGHT + 2;
  self->begin = MARGIN + ceil (title_width) + LABEL_PAD;
  self->end = self->width;
  self->side = self->header_height;
  self->across = self->height;
  self->comfortable_row = CLAMP (label + 2 * LABEL_PAD, COMFORTABLE_ROW, MAX_FLAT_ROW);
  self->max_row = MAX (HL_HEAD_VIEW_MAX_ROW, self->comfortable_row);
  if (self->mirrored)
    cairo_matrix_init (&self->matrix, 0, 1, -1, 0, self->width, 0);
  else
    cairo_matrix_init (&self->matrix, 0, 1, 1, 0, 0, 0);
}

/* A size for labels in rows of this height. */
static double
get_label_size (double row_height)
{
  return hl_text_size (row_height <= ROOMY_ROW ? MIN (row_height * 0.66, 13)
                                               : 13 + (row_height - ROOMY_ROW) * LABEL_GROWTH,
                       MIN_LABEL_SIZE, MAX_LABEL_SIZE);
}

/* The height of rows with which all of them are in view, if it is one that is still readable. Whole device pixels: all as high as one another. */
static double
choose_row (double room,
            gsize  n_rows,
            double comfortable,
            double scale)
{
  return MAX (floor (MIN (room / n_rows, comfortable) * scale + 1e-6) / scale, LEAST_ROW);
}

static gsize
count_side (const HlShown *shown,
            HlSide         side)
{
  return MAX (hl_shown_get_lead (shown, side) + shown->ranges[side].n, 1);
}

/* Of two pictures side by side, both are spread or none is. */
static void
spread (HlHeadViewLayout   *self,
        const HlSceneFrame *frame,
        double              room)
{
  gsize n[2];

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    n[side] = MAX (count_side (frame->shown, side), frame->beside != NULL ? count_side (frame->beside, side) : 1);
  const gsize least = MIN (n[HL_QUERIES], n[HL_KEYS]);
  if (self->n_rows / HL_HEAD_VIEW_SPREAD_RATIO < least || self->n_rows * LEAST_ROW <= room)
    return;
  self->min_row = MIN (HL_HEAD_VIEW_MIN_ROW, MAX (room / self->n_rows, LEAST_SPREAD_ROW));
  self->row_height = CLAMP (frame->zoom > 0 ? frame->zoom : room / self->n_rows, self->min_row, self->max_row);
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    self->pitches[side] = self->row_height * self->n_rows / n[side];
}

/* How high rows are, where the first is, and how long all of them are together. What is left lies half before and half behind them. */
static double
lay_out_rows (HlHeadViewLayout   *self,
              const HlSceneFrame *frame,
              gboolean            can_spread)
{
  /* Between two device pixels, the lines would be blurred as they are painted. */
  const double scroll = hl_cairo_snap (self->horizontal ? frame->x : frame->y, frame->scale);
  const double end = MIN (self->end, self->horizontal ? frame->level_width : frame->level_height);
  const double room = MAX (end - self->begin - ROWS_PAD - MARGIN, 1);
  const double row_height = frame->zoom > 0 ? frame->zoom
                                            : choose_row (room, self->n_rows, self->comfortable_row, frame->scale);

  self->min_row = HL_HEAD_VIEW_MIN_ROW;
  self->row_height = self->pitches[HL_QUERIES] = self->pitches[HL_KEYS] =
    CLAMP (row_height, HL_HEAD_VIEW_MIN_ROW, self->max_row);
  if (can_spread)
    spread (self, frame, room);
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      self->label_sizes[side] = get_label_size (self->pitches[side]);
      self->label_strides[side] = hl_axis_labels_get_stride (self->pitches[side], self->label_sizes[side] * 1.25);
      if (frame->room.times[side] && self->label_strides[side] > 1 && self->ranges[side].n > 1)
        self->label_steps[side] =
          hl_time_axis_choose_step (frame->shown->attention, side, self->ranges[side], self->label_strides[side]);
    }
  self->label_size = MAX (self->label_sizes[HL_QUERIES], self->label_sizes[HL_KEYS]);
  self->label_stride = MAX (self->label_strides[HL_QUERIES], self->label_strides[HL_KEYS]);
  self->slack = floor (MAX (room - self->n_rows * self->row_height, 0) / 2);
  self->first_row = self->begin + ROWS_PAD + self->slack - scroll;
  return self->begin + ROWS_PAD + self->n_rows * self->row_height + MARGIN;
}

static void
lay_out_rows_of_head (HlHeadViewLayout   *self,
                      const HlSceneFrame *frame)
{
  const double length = lay_out_rows (self, frame, TRUE);
  const double label = MAX (frame->room.query_width, frame->room.key_width) * self->label_size /
                       HL_HEAD_VIEW_LABEL_SIZE;

  self->flat = self->horizontal && self->row_height >= label + LABEL_PAD;
  self->number_room = self->flat ? NUMBER_WIDTH : NUMBER_HEIGHT;
  if (!self->horizontal)
    self->titles_y += self->slack;
  self->content_width = self->horizontal ? length : self->width;
  self->content_height = self->horizontal ? self->height : length;
}

/* Whether nothing is written beside labels. */
static gboolean
is_bare (const HlSceneFrame *frame)
{
  return frame->focus->kind == HL_PICK_NONE && hl_shown_get_sentence_b (frame->shown, HL_QUERIES) == 0 &&
         hl_shown_get_sentence_b (frame->shown, HL_KEYS) == 0;
}

/* Its size, and how high it is; not yet where. Tokens take so much without the lines. */
static void
lay_out_map (HlHeadViewLayout   *self,
             const HlSceneFrame *frame,
             double              taken)
{
  const double most = MAX (self->queries.n, self->keys.n);
  const double top = hl_cairo_snap (self->begin + ROWS_PAD + self->slack, frame->scale);
  const double wide = self->across - self->side - taken - GAP_BESIDE_MAP - MAP_DISTANCE - MAP_MARGIN;
  const double room = MIN (wide, self->end - top - TITLES_HEIGHT);

  if (self->horizontal || self->is_cut || frame->beside != NULL || MIN (self->queries.n, self->keys.n) < 2 ||
      most > MAX_MAP_TOKENS || room < LEAST_MAP)
    return;
  self->map_cell = floor (MIN (MIN (room, GREATEST_MAP) / most, GREATEST_CELL) * frame->scale) / frame->scale;
  self->map =
    (cairo_rectangle_t){ 0, top, (double) self->keys.n * self->map_cell, (double) self->queries.n * self->map_cell };
}

static void
lay_out_columns (HlHeadViewLayout   *self,
                 const HlSceneFrame *frame)
{
  const HlLabelRoom *room = &frame->room;
  const double extent = self->across - self->side;
  double query_label, key_label;

  if (self->horizontal)
    self->gutter = self->flat ? FLAT_GUTTER : TURNED_GUTTER;
  if (self->is_cut && is_bare (frame))
    self->gutter = BARE_GUTTER;
  if (self->flat)
    query_label = key_label = ceil (self->label_size * 1.3);
  else
    {
      const double max_label = MAX (extent * 0.3 - self->gutter / 2.0, 24);
      query_label = CLAMP (room->query_width * self->label_size / HL_HEAD_VIEW_LABEL_SIZE, 24, max_label);
      key_label = CLAMP (room->key_width * self->label_size / HL_HEAD_VIEW_LABEL_SIZE, 24, max_label);
    }

  const double taken = query_label + key_label + 4 * LABEL_PAD + 2 * self->gutter;
  const double max_gap = self->horizontal
                           ? MAX_HORIZONTAL_GAP
                           : CLAMP (self->n_rows * self->row_height * GAP_OF_ROWS, MIN_WIDE_GAP, MAX_GAP);
  lay_out_map (self, frame, taken);
  const double beside = self->map_cell > 0 ? MAP_DISTANCE + self->map.width + MAP_MARGIN : 0;
  const double gap = round (CLAMP (extent - taken - beside, 40, max_gap));
  self->columns[HL_QUERIES].left = round (self->side + (extent - taken - beside - gap) / 2 + self->gutter);
  self->columns[HL_QUERIES].right = self->columns[HL_QUERIES].left + round (query_label + LABEL_PAD);
  self->x_query = self->columns[HL_QUERIES].right + LABEL_PAD;
  self->x_key = self->x_query + gap;
  self->columns[HL_KEYS].left = self->x_key + LABEL_PAD;
  self->columns[HL_KEYS].right = self->columns[HL_KEYS].left + round (key_label + LABEL_PAD);
  self->map.x = self->columns[HL_KEYS].right + self->gutter + MAP_DISTANCE;
  if (self->is_cut && self->horizontal)
    self->content_height = MIN (self->height, self->side + ceil (taken + gap) + 2 * MARGIN);
  else if (self->is_cut)
    self->content_width = MIN (self->width, ceil (taken + gap) + 2 * MARGIN);
}

static gsize
count_rows (const HlShown *shown)
{
  return MAX (MAX (hl_shown_get_lead (shown, HL_QUERIES) + shown->queries.n,
                   hl_shown_get_lead (shown, HL_KEYS) + shown->keys.n),
              1);
}

/* What all layouts with such rows have in common. */
static void
start (HlHeadViewLayout   *self,
       const HlSceneFrame *frame)
{
  *self = (HlHeadViewLayout){
    .width = frame->width,
    .height = frame->height,
    .queries = frame->shown->queries,
    .keys = frame->shown->keys,
    .lead = { hl_shown_get_lead (frame->shown, HL_QUERIES), hl_shown_get_lead (frame->shown, HL_KEYS) },
    .curved = frame->shown->options.curved_lines,
    .is_cut = frame->is_cut,
    .n_rows = MAX (count_rows (frame->shown), frame->beside != NULL ? count_rows (frame->beside) : 1),
  };
}

void
hl_head_view_layout_init (HlHeadViewLayout   *self,
                          const HlSceneFrame *frame,
                          double              title_width)
{
  start (self, frame);
  self->horizontal = frame->shown->options.orientation == HL_ORIENTATION_HORIZONTAL;
  self->mirrored = frame->from_right;
  self->chosen = frame->shown->merges_heads ? *hl_head_selection_get_heads (&frame->shown->selection)
                                            : frame->shown->heads;
  self->n_own = count_own (frame->shown);
  self->n_heads = self->n_own + frame->shown->n_others;

  lay_out_strip (self, frame);
  if (self->horizontal)
    lay_out_across (self, &frame->room, title_width);
  else
    lay_out_down (self);
  lay_out_rows_of_head (self, frame);
  lay_out_columns (self, frame);
}

/*
 * Only the rows, below a header so high, of a picture that has columns of its own: tokens run down, as in a head view. Whether rows of
 * the sides may differ.
 */
void
hl_head_view_layout_init_rows (HlHeadViewLayout   *self,
                               const HlSceneFrame *frame,
                               double              header_height,
                               gboolean            can_spread)
{
  start (self, frame);
  self->header_height = header_height;
  lay_out_down (self);
  self->content_width = self->width;
  self->content_height = lay_out_rows (self, frame, can_spread);
}

double
hl_head_view_layout_get_fit_row (const HlHeadViewLayout *self)
{
  return CLAMP ((self->end - self->begin - ROWS_PAD - MARGIN) / self->n_rows, self->min_row, self->comfortable_row);
}

double
hl_head_view_layout_get_row_top (const HlHeadViewLayout *self,
                                 HlSide                  side,
                                 gsize                   row)
{
  return self->first_row + (self->lead[side] + row) * self->pitches[side];
}

/* The middle of the row. */
double
hl_head_view_layout_get_row_y (const HlHeadViewLayout *self,
                               HlSide                  side,
                               gsize                   row)
{
  return self->first_row + (self->lead[side] + row + 0.5) * self->pitches[side];
}

gboolean
hl_head_view_layout_has_swatch (const HlHeadViewLayout *self,
                                guint                   head)
{
  return head < self->n_heads && (!self->is_cut || head >= self->n_own || hl_head_set_contains (&self->chosen, head));
}

/* Of a head that has one. */
void
hl_head_view_layout_get_swatch (const HlHeadViewLayout *self,
                                guint                   head,
                                double                 *x,
                                double                 *y)
{
  guint place = head;

  for (guint other = 0; other < MIN (head, self->n_own); other++)
    place -= !hl_head_view_layout_has_swatch (self, other);
  *x = self->strip_x + place % self->strip_columns * (self->swatch_width + self->swatch_gap);
  *y = self->strip_y + place / self->strip_columns * (self->swatch_height + self->swatch_gap);
}

void
hl_head_view_layout_get_rows_seen (const HlHeadViewLayout *self,
                                   HlSide                  side,
                                   gsize                   n,
                                   gsize                  *first,
                                   gsize                  *end)
{
  const double top = hl_head_view_layout_get_row_top (self, side, 0);

  *first = MIN (n, (gsize) MAX (0, floor ((self->begin - top) / self->pitches[side])));
  *end = MIN (n, (gsize) MAX (0, ceil ((self->end - top) / self->pitches[side])));
  *end = MAX (*first, *end);
}

void
hl_head_view_layout_enter (const HlHeadViewLayout *self,
                           cairo_t                *cr)
{
  cairo_transform (cr, &self->matrix);
  cairo_rectangle (cr, self->side, self->begin, self->across - self->side, MAX (0, self->end - self->begin));
  cairo_clip (cr);
}

/* From coordinates of tokens to those of the viewport. */
void
hl_head_view_layout_map_box (const HlHeadViewLayout *self,
                             cairo_rectangle_t      *box)
{
  double x = box->x, y = box->y, end_x = box->x + box->width, end_y = box->y + box->height;

  cairo_matrix_transform_point (&self->matrix, &x, &y);
  cairo_matrix_transform_point (&self->matrix, &end_x, &end_y);
  *box = (cairo_rectangle_t){ MIN (x, end_x), MIN (y, end_y), fabs (end_x - x), fabs (end_y - y) };
}

/* What is between two swatches belongs to both. */
static void
pick_swatch (const HlHeadViewLayout *self,
             double                  x,
             double                  y,
             HlPick                 *pick)
{
  const double half_gap = self->swatch_gap / 2;

  for (guint head = 0; head < self->n_heads; head++)
    {
      double left, top;

      if (!hl_head_view_layout_has_swatch (self, head))
        continue;
      hl_head_view_layout_get_swatch (self, head, &left, &top);
      if (x < left - half_gap || x >= left + self->swatch_width + half_gap || y < top - half_gap ||
          y >= top + self->swatch_height + half_gap)
        continue;
      *pick = (HlPick){ HL_PICK_HEAD, .head = head };
      return;
    }
}

void
hl_head_view_layout_pick (const HlHeadViewLayout *self,
                          double                  x,
                          double                  y,
                          HlPick                 *pick)
{
  if (y < self->header_height)
    {
      pick_swatch (self, x, y, pick);
      return;
    }

  cairo_matrix_t inverse = self->matrix;
  cairo_matrix_invert (&inverse);
  cairo_matrix_transform_point (&inverse, &x, &y);
  if (y >= self->end || y < MAX (self->first_row, self->begin))
    return;

  /* Above the first of a side, it wraps around. */
  const gsize query = (gsize) ((y - self->first_row) / self->pitches[HL_QUERIES]) - self->lead[HL_QUERIES];
  const gsize key = (gsize) ((y - self->first_row) / self->pitches[HL_KEYS]) - self->lead[HL_KEYS];
  if (x >= self->columns[HL_QUERIES].left - self->gutter && x < self->x_query && query < self->queries.n)
    *pick = (HlPick){ HL_PICK_QUERY, .query = self->queries.first + query };
  else if (x >= self->x_key && x < self->columns[HL_KEYS].right + self->gutter && key < self->keys.n)
    *pick = (HlPick){ HL_PICK_KEY, .key = self->keys.first + key };
}

/* Rows too low for labels of their own: shading them would cut through the labels that are there. */
gboolean
hl_head_view_layout_is_crowded (const HlHeadViewLayout *self,
                                HlSide                  side)
{
  return self->label_strides[side] > 1;
}

/* Whether one of as many rows as have room for a label has its own; of times, one in which a round second begins. */
gboolean
hl_head_view_layout_has_label (const HlHeadViewLayout *self,
                               HlAttention            *attention,
                               HlSide                  side,
                               gsize                   row)
{
  return self->label_steps[side] > 0
           ? hl_time_axis_is_at_step (attention, side, self->ranges[side], row, self->label_steps[side])
           : row % self->label_strides[side] == 0;
}
