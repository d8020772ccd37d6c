/* SPDX-License-Identifier: MIT */
/* Where everything of a head view is. */
#include "draw/hl-head-view-layout.h"

#include <math.h>

#include "draw/hl-axis-labels.h"
#include "draw/hl-scene-text.h"

#define MARGIN 12
#define CAPTION_HEIGHT 22
#define TITLES_HEIGHT 20
/* Room beside the labels for numbers, pins and the marks of sentences. */
#define GUTTER 66
#define NATURAL_ROW 20.0
#define COMFORTABLE_ROW 28.0
/* Above the first row, whose label may be higher than itself. */
#define ROWS_PAD 5
#define MAX_GAP 720.0
/* Between a label and the lines. */
#define LABEL_PAD 8

/* From the swatch with a roomy number to a mere dot. */
static const struct
{
  double width, height, gap;
} swatches[] = { { 24, 20, 4 }, { 19, 16, 3 }, { 11, 11, 3 }, { 6, 6, 2 }, { 4, 4, 1 } };

static void
lay_out_strip (HlHeadViewLayout *self)
{
  const double room = MAX (self->width - 2 * MARGIN, 40);
  guint rows = 1;

  for (guint i = 0; i < G_N_ELEMENTS (swatches); i++)
    {
      self->swatch_width = swatches[i].width;
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
  self->strip_y = MARGIN + CAPTION_HEIGHT + 2;
  self->header_height = self->strip_y + rows * (self->swatch_height + self->swatch_gap) - self->swatch_gap + 8;
  self->titles_y = self->header_height + TITLES_HEIGHT / 2.0;
  self->header_height += TITLES_HEIGHT + 2;
}

/**
 * hl_head_view_layout_init:
 * @self: (out caller-allocates): the layout
 * @state: what is shown
 * @width: of the viewport, logical pixels
 * @height: of the viewport, logical pixels
 * @scroll_y: content above the viewport, logical pixels
 * @row_height: logical pixels; 0 for what suits the number of tokens
 * @query_label_width: room that the longest query label wants
 * @key_label_width: likewise of keys
 */
void
hl_head_view_layout_init (HlHeadViewLayout *self,
                          HlViewState      *state,
                          double            width,
                          double            height,
                          double            scroll_y,
                          double            row_height,
                          double            query_label_width,
                          double            key_label_width)
{
  *self = (HlHeadViewLayout){
    .width = width,
    .height = height,
    .queries = hl_view_state_get_shown_queries (state),
    .keys = hl_view_state_get_shown_keys (state),
    .n_heads = hl_view_state_get_n_heads (state),
  };
  const gsize n_rows = MAX (MAX (self->queries.n, self->keys.n), 1);

  lay_out_strip (self);

  const double room = MAX (height - self->header_height - ROWS_PAD - MARGIN, 1);
  if (row_height <= 0)
    row_height = CLAMP (room / n_rows, NATURAL_ROW, COMFORTABLE_ROW);
  self->row_height = CLAMP (row_height, HL_HEAD_VIEW_MIN_ROW, HL_HEAD_VIEW_MAX_ROW);
  self->label_size = hl_text_size (self->row_height * 0.66, 9, 13);
  self->label_stride = hl_axis_labels_get_stride (self->row_height, self->label_size * 1.25);
  self->content_height = self->header_height + ROWS_PAD + n_rows * self->row_height + MARGIN;
  self->first_row = self->header_height + ROWS_PAD - scroll_y;

  const double max_label = MAX (width * 0.3 - GUTTER / 2.0, 24);
  const double query_label = CLAMP (query_label_width, 24, max_label);
  const double key_label = CLAMP (key_label_width, 24, max_label);
  const double taken = query_label + key_label + 4 * LABEL_PAD + 2 * GUTTER;
  const double gap = round (CLAMP (width - taken, 40, MAX_GAP));
  self->query_left = round ((width - taken - gap) / 2 + GUTTER);
  self->query_right = self->query_left + round (query_label + LABEL_PAD);
  self->x_query = self->query_right + LABEL_PAD;
  self->x_key = self->x_query + gap;
  self->key_left = self->x_key + LABEL_PAD;
  self->key_right = self->key_left + round (key_label + LABEL_PAD);
}

/**
 * hl_head_view_layout_get_fit_row:
 * @self: a layout
 *
 * Returns: the height of rows with which all are in view, within what is allowed
 */
double
hl_head_view_layout_get_fit_row (const HlHeadViewLayout *self)
{
  const gsize n_rows = MAX (MAX (self->queries.n, self->keys.n), 1);

  return CLAMP ((self->height - self->header_height - ROWS_PAD - MARGIN) / n_rows, HL_HEAD_VIEW_MIN_ROW, COMFORTABLE_ROW);
}

/**
 * hl_head_view_layout_get_row_y:
 * @self: a layout
 * @row: counted from the first that is shown
 *
 * Returns: the middle of the row in the viewport
 */
double
hl_head_view_layout_get_row_y (const HlHeadViewLayout *self,
                               gsize                   row)
{
  return self->first_row + (row + 0.5) * self->row_height;
}

/**
 * hl_head_view_layout_get_swatch:
 * @self: a layout
 * @head: a head of the layer
 * @x: (out): left edge of its swatch
 * @y: (out): top of its swatch
 */
void
hl_head_view_layout_get_swatch (const HlHeadViewLayout *self,
                                guint                   head,
                                double                 *x,
                                double                 *y)
{
  *x = self->strip_x + head % self->strip_columns * (self->swatch_width + self->swatch_gap);
  *y = self->strip_y + head / self->strip_columns * (self->swatch_height + self->swatch_gap);
}

/**
 * hl_head_view_layout_get_rows_seen:
 * @self: a layout
 * @n: rows of the column
 * @first: (out): the first that is in view
 * @end: (out): one past the last
 */
void
hl_head_view_layout_get_rows_seen (const HlHeadViewLayout *self,
                                   gsize                   n,
                                   gsize                  *first,
                                   gsize                  *end)
{
  *first = MIN (n, (gsize) MAX (0, floor ((self->header_height - self->first_row) / self->row_height)));
  *end = MIN (n, (gsize) MAX (0, ceil ((self->height - self->first_row) / self->row_height)));
  *end = MAX (*first, *end);
}

/**
 * hl_head_view_layout_pick:
 * @self: a layout
 * @x: logical pixels of the viewport
 * @y: logical pixels of the viewport
 * @pick: (inout): what is there; untouched where there is nothing
 */
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
  if (y >= self->height || y < self->first_row)
    return;

  const gsize row = (gsize) ((y - self->first_row) / self->row_height);
  if (x >= self->query_left - GUTTER && x < self->x_query && row < self->queries.n)
    *pick = (HlPick){ HL_PICK_QUERY, .query = self->queries.first + row };
  else if (x >= self->x_key && x < self->key_right + GUTTER && row < self->keys.n)
    *pick = (HlPick){ HL_PICK_KEY, .key = self->keys.first + row };
}
