/* SPDX-License-Identifier: MIT */
/* Where everything of a view of all layers is. */
#include "draw/layers/hl-layers-layout.h"

#define MARGIN 12
#define HEADER_HEIGHT 64
/* From the middle of the titles to the end of the header. */
#define TITLES_DISTANCE 12
#define MIN_STEP 30.0
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

  hl_head_view_layout_init_rows (rows, frame, HEADER_HEIGHT + frame->caption_room, FALSE);
  rows->caption_y = MARGIN + 9;
  rows->titles_y = rows->header_height - TITLES_DISTANCE + rows->slack;
  self->content_height = rows->content_height;

  const double wanted = frame->room.query_width * rows->label_size / HL_HEAD_VIEW_LABEL_SIZE;
  const double label = round (CLAMP (wanted, 24, MAX (frame->width * 0.2, 40)) + LABEL_PAD);
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
