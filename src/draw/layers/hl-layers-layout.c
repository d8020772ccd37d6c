/* SPDX-License-Identifier: MIT */
/* Where everything of a view of all layers is. */
#include "draw/layers/hl-layers-layout.h"

#include "draw/text/hl-axis-labels.h"

#define MARGIN 12
#define HEADER_HEIGHT 64
#define ROWS_PAD 5
#define NATURAL_ROW 20.0
#define COMFORTABLE_ROW 28.0
#define MIN_STEP 44.0
#define MAX_STEP 220.0
/* Between the middle of a column and lines. */
#define COLUMN_PAD 6
#define LABEL_PAD 8

/* Everything was laid out for the other reading. */
static void
mirror (HlLayersLayout *self)
{
  HlHeadViewLayout *rows = &self->rows;
  const double query_left = rows->columns[HL_QUERIES].left;
  const double key_left = rows->columns[HL_KEYS].left;

  self->mirrored = TRUE;
  self->first_column = rows->width - self->first_column;
  rows->columns[HL_QUERIES].left = rows->width - rows->columns[HL_QUERIES].right;
  rows->columns[HL_QUERIES].right = rows->width - query_left;
  rows->columns[HL_KEYS].left = rows->width - rows->columns[HL_KEYS].right;
  rows->columns[HL_KEYS].right = rows->width - key_left;
}

void
hl_layers_layout_init (HlLayersLayout     *self,
                       const HlSceneFrame *frame)
{
  *self = (HlLayersLayout){ .n_columns = hl_attention_get_n_layers (frame->shown->attention) + 1 };
  HlHeadViewLayout *rows = &self->rows;
  const double header = HEADER_HEIGHT + frame->caption_room;
  const double label = round (CLAMP (frame->room.query_width, 24, MAX (frame->width * 0.2, 40)) + LABEL_PAD);

  rows->width = frame->width;
  rows->height = frame->height;
  rows->queries = frame->shown->queries;
  rows->keys = frame->shown->keys;
  rows->begin = rows->header_height = header;
  rows->end = frame->height;
  rows->across = frame->width;
  rows->comfortable_row = COMFORTABLE_ROW;
  rows->max_row = HL_HEAD_VIEW_MAX_ROW;
  rows->caption_y = MARGIN + 9;
  rows->titles_y = header - 12;
  cairo_matrix_init_identity (&rows->matrix);

  double row_height = frame->zoom;
  rows->lead[HL_QUERIES] = hl_shown_get_lead (frame->shown, HL_QUERIES);
  const gsize n_rows = MAX (rows->lead[HL_QUERIES] + rows->queries.n, 1);
  if (row_height <= 0)
    row_height = CLAMP ((frame->height - header - ROWS_PAD - MARGIN) / n_rows, NATURAL_ROW, COMFORTABLE_ROW);
  rows->row_height = CLAMP (row_height, HL_HEAD_VIEW_MIN_ROW, HL_HEAD_VIEW_MAX_ROW);
  rows->label_size = hl_text_size (rows->row_height * 0.66, 9, 13);
  rows->label_stride = hl_axis_labels_get_stride (rows->row_height, rows->label_size * 1.25);
  rows->first_row = header + ROWS_PAD - hl_cairo_snap (frame->y, frame->scale);
  self->content_height = header + ROWS_PAD + n_rows * rows->row_height + MARGIN;

  const double taken = 2 * (MARGIN + label + LABEL_PAD);
  self->step = floor (CLAMP ((frame->width - taken) / (self->n_columns - 1), MIN_STEP, MAX_STEP));
  const double all = taken + (self->n_columns - 1) * self->step;
  self->content_width = MAX (frame->width, all);
  self->first_column = floor ((self->content_width - all) / 2) + MARGIN + label + LABEL_PAD -
                       hl_cairo_snap (frame->x, frame->scale);
  rows->columns[HL_QUERIES].right = hl_layers_layout_get_column (self, 0) - LABEL_PAD;
  rows->columns[HL_QUERIES].left = rows->columns[HL_QUERIES].right - label;
  rows->columns[HL_KEYS].left = hl_layers_layout_get_column (self, self->n_columns - 1) + LABEL_PAD;
  rows->columns[HL_KEYS].right = rows->columns[HL_KEYS].left + label;
  if (frame->from_right)
    mirror (self);
}

/* 0 is the input, layer + 1 the queries of a layer. */
double
hl_layers_layout_get_column (const HlLayersLayout *self,
                             guint                 column)
{
  return self->first_column + (self->mirrored ? -1.0 : 1.0) * column * self->step;
}

/* The layout of a head view of this layer alone, its queries on the side away from the input, which is what draws
 * its lines. */
HlHeadViewLayout
hl_layers_layout_get_layer (const HlLayersLayout *self,
                            guint                 layer)
{
  HlHeadViewLayout layout = self->rows;
  const double left = hl_layers_layout_get_column (self, self->mirrored ? layer + 1 : layer) + COLUMN_PAD;
  const double right = hl_layers_layout_get_column (self, self->mirrored ? layer : layer + 1) - COLUMN_PAD;

  if (!self->mirrored)
    cairo_matrix_init (&layout.matrix, -1, 0, 0, 1, left + right, 0);
  layout.mirrored = !self->mirrored;
  layout.x_query = left;
  layout.x_key = right;
  layout.side = left - 2;
  layout.across = right + 2;
  return layout;
}

/* A token of the input is a key of the lowest layer, any other a query of its layer. */
void
hl_layers_layout_pick (const HlLayersLayout *self,
                       double                x,
                       double                y,
                       HlPick               *pick)
{
  const HlHeadViewLayout *rows = &self->rows;

  if (y < MAX (rows->begin, rows->first_row) || y >= rows->end ||
      x < MIN (rows->columns[HL_QUERIES].left, rows->columns[HL_KEYS].left) ||
      x >= MAX (rows->columns[HL_QUERIES].right, rows->columns[HL_KEYS].right))
    return;

  /* In the row of a sink, it wraps around. */
  const gsize row = (gsize) ((y - rows->first_row) / rows->row_height) - rows->lead[HL_QUERIES];
  const double column = CLAMP (round ((self->mirrored ? self->first_column - x : x - self->first_column) / self->step),
                               0, self->n_columns - 1);
  if (column == 0 && row + rows->lead[HL_QUERIES] < rows->keys.n)
    *pick = (HlPick){ HL_PICK_KEY, .key = rows->keys.first + rows->lead[HL_QUERIES] + row };
  else if (row >= rows->queries.n)
    return;
  else
    *pick = (HlPick){ HL_PICK_QUERY, .query = rows->queries.first + row, .layer = (guint) column - 1 };
}
