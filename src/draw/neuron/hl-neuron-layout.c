/* SPDX-License-Identifier: MIT */
/* Where everything of the neuron view is. */
#include "draw/neuron/hl-neuron-layout.h"

#include <math.h>

#include "draw/text/hl-axis-labels.h"

#define MARGIN 12
#define CAPTION_Y 18
#define TITLES_Y 44
#define HEADER_HEIGHT 58
#define ROWS_PAD 5
#define NATURAL_ROW 20.0
#define COMFORTABLE_ROW 26.0
/* Between a token and what is beside it. */
#define LABEL_PAD 8
#define GAP 18
#define NUMBER_WIDTH 50
#define WEIGHT_WIDTH 50
/* The number beside the bar of a weight. */
#define WEIGHT_NUMBER 48
#define MAX_FEATURE 12.0
#define MIN_FEATURE 1.0

static double
choose_feature_width (double room,
                      gsize  n_features,
                      double scale)
{
  const double width = CLAMP (room / MAX (n_features, 1), MIN_FEATURE, MAX_FEATURE);

  /* Cells of equal size look calmer, as long as there are enough pixels for that. */
  return width * scale >= 2 ? floor (width * scale) / scale : width;
}

void
hl_neuron_layout_init (HlNeuronLayout     *self,
                       const HlSceneFrame *frame,
                       gsize               n_features)
{
  *self = (HlNeuronLayout){ .scale = frame->scale, .n_features = n_features };
  HlHeadViewLayout *base = &self->base;
  const double header = HEADER_HEIGHT + frame->caption_room;
  base->width = frame->width;
  base->height = frame->height;
  base->queries = frame->shown->queries;
  base->keys = frame->shown->keys;
  base->caption_y = CAPTION_Y;
  base->titles_y = TITLES_Y + frame->caption_room;
  base->header_height = header;
  base->begin = header;
  base->end = frame->height;
  base->across = frame->width;
  base->comfortable_row = COMFORTABLE_ROW;
  cairo_matrix_init_identity (&base->matrix);

  double row_height = frame->zoom;
  const gsize n_rows = MAX (MAX (base->queries.n, base->keys.n), 1);
  if (row_height <= 0)
    row_height = CLAMP ((frame->height - header - ROWS_PAD - MARGIN) / n_rows, NATURAL_ROW, COMFORTABLE_ROW);
  base->row_height = CLAMP (row_height, HL_HEAD_VIEW_MIN_ROW, HL_HEAD_VIEW_MAX_ROW);
  base->label_size = hl_text_size (base->row_height * 0.66, 9, 13);
  base->label_stride = hl_axis_labels_get_stride (base->row_height, base->label_size * 1.25);
  base->content_height = header + ROWS_PAD + n_rows * base->row_height + MARGIN;
  base->first_row = header + ROWS_PAD - hl_cairo_snap (frame->y, frame->scale);

  const double max_label = MAX (frame->width * 0.14, 40);
  const double query_label = round (CLAMP (frame->room.query_width, 24, max_label) + LABEL_PAD);
  const double key_label = round (CLAMP (frame->room.key_width, 24, max_label) + LABEL_PAD);
  const double numbers = 2 * NUMBER_WIDTH + WEIGHT_WIDTH + WEIGHT_NUMBER;
  const double taken = 2 * MARGIN + query_label + key_label + numbers + 2 * LABEL_PAD + 4 * GAP + GAP / 2;
  self->strip_width = n_features * choose_feature_width ((frame->width - taken) / 3, n_features, frame->scale);
  self->strip_height = base->row_height >= 6 ? base->row_height - 4 : base->row_height;
  self->content_width = MAX (frame->width, taken + 3 * self->strip_width);

  double x = floor (MAX (0, (frame->width - taken - 3 * self->strip_width) / 2)) + MARGIN -
             hl_cairo_snap (frame->x, frame->scale);
  base->columns[HL_QUERIES].left = x;
  base->columns[HL_QUERIES].right = x += query_label;
  base->x_query = x += LABEL_PAD;
  self->query_x = x;
  self->key_x = x += self->strip_width + GAP;
  self->term_x = x += self->strip_width + GAP;
  self->product_x = x += self->strip_width + GAP / 2 + NUMBER_WIDTH;
  self->score_x = x += GAP / 2 + NUMBER_WIDTH;
  self->weight_x = x += GAP;
  self->weight_width = WEIGHT_WIDTH;
  base->x_key = x += WEIGHT_WIDTH + WEIGHT_NUMBER + GAP / 2;
  base->columns[HL_KEYS].left = x += LABEL_PAD;
  base->columns[HL_KEYS].right = x + key_label;
}

/* Beside its token, or as near to that as the viewport allows. */
double
hl_neuron_layout_get_query_y (const HlNeuronLayout *self,
                              gsize                 row)
{
  const HlHeadViewLayout *base = &self->base;
  const double top = base->header_height + ROWS_PAD + base->row_height / 2;

  return CLAMP (hl_head_view_layout_get_row_y (base, HL_QUERIES, row), top,
                MAX (top, base->height - base->row_height / 2));
}

static gboolean
pick_feature (const HlNeuronLayout *self,
              double                x,
              double                left,
              HlStep                step,
              HlPick               *pick)
{
  if (x < left || x >= left + self->strip_width)
    return FALSE;
  pick->step = step;
  pick->feature = MIN ((gsize) ((x - left) / self->strip_width * self->n_features), self->n_features - 1);
  return TRUE;
}

/* While the features of a query are shown, the keys are cells of it, so that moving over them does not fold it. */
void
hl_neuron_layout_pick (const HlNeuronLayout *self,
                       double                x,
                       double                y,
                       gsize                 expanded,
                       HlPick               *pick)
{
  const HlHeadViewLayout *base = &self->base;

  if (y < base->header_height || y >= base->height || y < base->first_row)
    return;

  const gsize row = (gsize) ((y - base->first_row) / base->row_height);
  if (x < self->query_x)
    {
      if (x >= base->columns[HL_QUERIES].left - MARGIN && row < base->queries.n)
        *pick = (HlPick){ HL_PICK_QUERY, .query = base->queries.first + row };
      return;
    }
  if (expanded == G_MAXSIZE)
    {
      if (x >= base->x_key && x < base->columns[HL_KEYS].right + MARGIN && row < base->keys.n)
        *pick = (HlPick){ HL_PICK_KEY, .key = base->keys.first + row };
      return;
    }
  if (x < self->key_x - GAP / 2)
    {
      *pick = (HlPick){ HL_PICK_QUERY, .query = expanded };
      if (fabs (y - hl_neuron_layout_get_query_y (self, expanded - base->queries.first)) <= base->row_height / 2)
        pick_feature (self, x, self->query_x, HL_STEP_QUERIES, pick);
      return;
    }
  if (x >= base->columns[HL_KEYS].right + MARGIN)
    return;
  *pick = (HlPick){ HL_PICK_QUERY, .query = expanded };
  if (row >= base->keys.n)
    return;
  *pick = (HlPick){ HL_PICK_CELL, .query = expanded, .key = base->keys.first + row };
  if (!pick_feature (self, x, self->key_x, HL_STEP_KEYS, pick))
    pick_feature (self, x, self->term_x, HL_STEP_PRODUCTS, pick);
}
