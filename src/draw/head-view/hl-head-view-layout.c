/* SPDX-License-Identifier: MIT */
/* Where everything of a head view is. */
#include "draw/head-view/hl-head-view-layout.h"

#include <math.h>

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
#define FLAT_GUTTER 34
#define NATURAL_ROW 20.0
#define COMFORTABLE_ROW 28.0
/* Above the first row, whose label may be higher than itself. */
#define ROWS_PAD 5
#define MAX_GAP 720.0
#define MAX_HORIZONTAL_GAP 420.0
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

static void
lay_out_strip (HlHeadViewLayout *self,
               double            caption_room)
{
  const double room = MAX (self->width - 2 * MARGIN, 40);
  guint rows = 1;

  for (guint i = 0; i < G_N_ELEMENTS (swatches); i++)
    {
      self->swatch_width = self->n_heads > self->n_own ? swatches[i].width_with_guests : swatches[i].width;
      self->swatch_height = swatches[i].height;
      self->swatch_gap = swatches[i].gap;
      self->strip_columns = MAX (1, (guint) ((room + self->swatch_gap) / (self->swatch_width + self->swatch_gap)));
      rows = (self->n_heads + self->strip_columns - 1) / self->strip_columns;
      if (rows == 1 || rows * (self->swatch_height + self->swatch_gap) <= MAX (48, self->height / 6))
        break;
    }
  /* Rows of equal length look better than a full one and a rest. */
  self->strip_columns = (self->n_heads + rows - 1) / rows;

  const double strip_width = self->strip_columns * (self->swatch_width + self->swatch_gap) - self->swatch_gap;
  self->caption_y = MARGIN + CAPTION_HEIGHT / 2.0 - 2;
  self->strip_x = round ((self->width - strip_width) / 2);
  self->strip_y = MARGIN + CAPTION_HEIGHT + caption_room + 2;
  self->header_height = self->strip_y + rows * (self->swatch_height + self->swatch_gap) - self->swatch_gap + 8;
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
  self->comfortable_row = COMFORTABLE_ROW;
  self->max_row = HL_HEAD_VIEW_MAX_ROW;
  self->gutter = GUTTER;
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

static void
lay_out_rows (HlHeadViewLayout   *self,
              const HlSceneFrame *frame)
{
  /* Between two device pixels, the lines would be blurred as they are painted. */
  const double scroll = hl_cairo_snap (self->horizontal ? frame->x : frame->y, frame->scale);
  const gsize n_rows = hl_head_view_layout_count_rows (self);
  const double room = MAX (self->end - self->begin - ROWS_PAD - MARGIN, 1);
  const double row_height = frame->zoom > 0 ? frame->zoom : CLAMP (room / n_rows, NATURAL_ROW, self->comfortable_row);

  self->row_height = CLAMP (row_height, HL_HEAD_VIEW_MIN_ROW, self->max_row);
  self->flat = self->horizontal && self->row_height >= MAX (frame->room.query_width, frame->room.key_width) + LABEL_PAD;
  self->label_size = hl_text_size (self->row_height * 0.66, 9, 13);
  self->label_stride = hl_axis_labels_get_stride (self->row_height, self->label_size * 1.25);
  self->number_room = self->flat ? NUMBER_WIDTH : NUMBER_HEIGHT;
  self->first_row = self->begin + ROWS_PAD - scroll;

  const double length = self->begin + ROWS_PAD + n_rows * self->row_height + MARGIN;
  self->content_width = self->horizontal ? length : self->width;
  self->content_height = self->horizontal ? self->height : length;
}

static void
lay_out_columns (HlHeadViewLayout  *self,
                 const HlLabelRoom *room)
{
  const double extent = self->across - self->side;
  double query_label, key_label;

  if (self->horizontal)
    self->gutter = self->flat ? FLAT_GUTTER : TURNED_GUTTER;
  if (self->flat)
    query_label = key_label = ceil (self->label_size * 1.3);
  else
    {
      const double max_label = MAX (extent * 0.3 - self->gutter / 2.0, 24);
      query_label = CLAMP (room->query_width, 24, max_label);
      key_label = CLAMP (room->key_width, 24, max_label);
    }

  const double taken = query_label + key_label + 4 * LABEL_PAD + 2 * self->gutter;
  const double gap = round (CLAMP (extent - taken, 40, self->horizontal ? MAX_HORIZONTAL_GAP : MAX_GAP));
  self->columns[HL_QUERIES].left = round (self->side + (extent - taken - gap) / 2 + self->gutter);
  self->columns[HL_QUERIES].right = self->columns[HL_QUERIES].left + round (query_label + LABEL_PAD);
  self->x_query = self->columns[HL_QUERIES].right + LABEL_PAD;
  self->x_key = self->x_query + gap;
  self->columns[HL_KEYS].left = self->x_key + LABEL_PAD;
  self->columns[HL_KEYS].right = self->columns[HL_KEYS].left + round (key_label + LABEL_PAD);
}

void
hl_head_view_layout_init (HlHeadViewLayout   *self,
                          const HlSceneFrame *frame,
                          double              title_width)
{
  *self = (HlHeadViewLayout){
    .width = frame->width,
    .height = frame->height,
    .queries = frame->shown->queries,
    .keys = frame->shown->keys,
    .lead = { hl_shown_get_lead (frame->shown, HL_QUERIES), hl_shown_get_lead (frame->shown, HL_KEYS) },
    .horizontal = frame->shown->options.orientation == HL_ORIENTATION_HORIZONTAL,
    .mirrored = frame->from_right,
    .n_own = hl_attention_get_n_heads (frame->shown->original, frame->shown->selection.layer),
  };
  self->n_heads = self->n_own + frame->shown->n_others;

  lay_out_strip (self, frame->caption_room);
  if (self->horizontal)
    lay_out_across (self, &frame->room, title_width);
  else
    lay_out_down (self);
  lay_out_rows (self, frame);
  lay_out_columns (self, &frame->room);
}

/* At least 1. */
gsize
hl_head_view_layout_count_rows (const HlHeadViewLayout *self)
{
  return MAX (MAX (self->lead[HL_QUERIES] + self->queries.n, self->lead[HL_KEYS] + self->keys.n), 1);
}

double
hl_head_view_layout_get_fit_row (const HlHeadViewLayout *self)
{
  const gsize n_rows = hl_head_view_layout_count_rows (self);

  return CLAMP ((self->end - self->begin - ROWS_PAD - MARGIN) / n_rows, HL_HEAD_VIEW_MIN_ROW, self->comfortable_row);
}

double
hl_head_view_layout_get_row_top (const HlHeadViewLayout *self,
                                 HlSide                  side,
                                 gsize                   row)
{
  return self->first_row + (self->lead[side] + row) * self->row_height;
}

/* The middle of the row. */
double
hl_head_view_layout_get_row_y (const HlHeadViewLayout *self,
                               HlSide                  side,
                               gsize                   row)
{
  return self->first_row + (self->lead[side] + row + 0.5) * self->row_height;
}

void
hl_head_view_layout_get_swatch (const HlHeadViewLayout *self,
                                guint                   head,
                                double                 *x,
                                double                 *y)
{
  *x = self->strip_x + head % self->strip_columns * (self->swatch_width + self->swatch_gap);
  *y = self->strip_y + head / self->strip_columns * (self->swatch_height + self->swatch_gap);
}

void
hl_head_view_layout_get_rows_seen (const HlHeadViewLayout *self,
                                   HlSide                  side,
                                   gsize                   n,
                                   gsize                  *first,
                                   gsize                  *end)
{
  const double top = hl_head_view_layout_get_row_top (self, side, 0);

  *first = MIN (n, (gsize) MAX (0, floor ((self->begin - top) / self->row_height)));
  *end = MIN (n, (gsize) MAX (0, ceil ((self->end - top) / self->row_height)));
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

void
hl_head_view_layout_pick (const HlHeadViewLayout *self,
                          double                  x,
                          double                  y,
                          HlPick                 *pick)
{
  const double half_gap = self->swatch_gap / 2;
  const double strip_x = x - self->strip_x + half_gap;
  const double strip_y = y - self->strip_y + half_gap;

  if (y < self->header_height)
    {
      const guint column = strip_x >= 0 ? (guint) (strip_x / (self->swatch_width + self->swatch_gap)) : G_MAXUINT;
      const guint row = strip_y >= 0 ? (guint) (strip_y / (self->swatch_height + self->swatch_gap)) : G_MAXUINT;
      if (column < self->strip_columns && row < HL_MAX_HEADS && row * self->strip_columns + column < self->n_heads)
        *pick = (HlPick){ HL_PICK_HEAD, .head = row * self->strip_columns + column };
      return;
    }

  cairo_matrix_t inverse = self->matrix;
  cairo_matrix_invert (&inverse);
  cairo_matrix_transform_point (&inverse, &x, &y);
  if (y >= self->end || y < MAX (self->first_row, self->begin))
    return;

  /* Above the first of a side, it wraps around. */
  const gsize row = (gsize) ((y - self->first_row) / self->row_height);
  const gsize query = row - self->lead[HL_QUERIES], key = row - self->lead[HL_KEYS];
  if (x >= self->columns[HL_QUERIES].left - self->gutter && x < self->x_query && query < self->queries.n)
    *pick = (HlPick){ HL_PICK_QUERY, .query = self->queries.first + query };
  else if (x >= self->x_key && x < self->columns[HL_KEYS].right + self->gutter && key < self->keys.n)
    *pick = (HlPick){ HL_PICK_KEY, .key = self->keys.first + key };
}
