/* SPDX-License-Identifier: MIT */
/* Where everything of the neuron view is. */
#include "draw/neuron/hl-neuron-layout.h"

#include <math.h>

#include "draw/text/hl-scene-text.h"

#define MARGIN 12
#define CAPTION_Y 18
#define TITLES_Y 44
#define HEADER_HEIGHT 58
#define ROWS_PAD 5
/* Higher than this features need not be, however high rows are. */
#define MAX_STRIP_HEIGHT 32
/* Between a token and what is beside it. */
#define LABEL_PAD 8
/* The part of the width that a label may take at most; where that is little, a larger part of it, up to so much. */
#define LABEL_PART 0.14
#define NARROW_LABEL_PART 0.2
#define NARROW_LABEL 72
/* The room of numbers at the size of their font in the least rows. */
#define NUMBER_WIDTH 50
#define WEIGHT_NUMBER 48
#define NUMBER_SIZE 11
#define MIN_NUMBER_SIZE 9.5
#define MAX_NUMBER_SIZE 13
/* A row of less has no room for them. */
#define LEAST_NUMBER_ROW 12.0
/* Labels of what is pointed at are at least so large. */
#define FOCUS_SIZE 11
#define MAX_FEATURE 12.0

/* What is left out, step by step, so that both columns of tokens are in view: where features have less than a pixel, neighbours share one. */
static const struct
{
  double gap;
  double weight;
  double least_strip; /* features need no more than a pixel each, whatever this says */
  gboolean has_products;
  gboolean has_scores;
} densities[] = {
  { 18, 50, 96, TRUE, TRUE },
  { 10, 32, 48, TRUE, TRUE },
  { 8, 28, 40, FALSE, TRUE },
  { 6, 20, 24, FALSE, FALSE },
};

static double
choose_feature_width (double room,
                      gsize  n_features,
                      double scale)
{
  const double width = MIN (room / MAX (n_features, 1), MAX_FEATURE);

  /* Cells of equal size look calmer, as long as there are enough pixels for that. */
  return width * scale >= 2 ? floor (width * scale) / scale : width;
}

/* All columns but the features, in a density. */
static double
measure_columns (const HlNeuronLayout *self,
                 guint                 density,
                 double                labels)
{
  const guint n_numbers = self->has_numbers ? densities[density].has_products + densities[density].has_scores : 0;
  const double numbers =
    self->has_numbers ? (n_numbers * NUMBER_WIDTH + WEIGHT_NUMBER) * self->number_size / NUMBER_SIZE : 0;

  return 2 * MARGIN + labels + 2 * LABEL_PAD + (3.5 + 0.5 * n_numbers) * densities[density].gap + numbers +
         densities[density].weight;
}

static void
lay_out_columns (HlNeuronLayout *self,
                 double          x,
                 guint           density,
                 double          query_label,
                 double          key_label)
{
  HlHeadViewLayout *base = &self->base;
  const double number = NUMBER_WIDTH * self->number_size / NUMBER_SIZE;

  base->columns[HL_QUERIES].left = x;
  base->columns[HL_QUERIES].right = x += query_label;
  base->x_query = x += LABEL_PAD;
  self->query_x = x;
  self->key_x = x += self->strip_width + self->gap;
  self->term_x = x += self->strip_width + self->gap;
  x += self->strip_width;
  self->has_products = self->has_numbers && densities[density].has_products;
  self->has_scores = self->has_numbers && densities[density].has_scores;
  if (self->has_products)
    self->product_x = x += self->gap / 2 + number;
  if (self->has_scores)
    self->score_x = x += self->gap / 2 + number;
  self->weight_x = x += self->gap;
  self->weight_width = densities[density].weight;
  self->weight_number = self->has_numbers ? WEIGHT_NUMBER * self->number_size / NUMBER_SIZE : 0;
  base->x_key = x += self->weight_width + self->weight_number + self->gap / 2;
  base->columns[HL_KEYS].left = x += LABEL_PAD;
  base->columns[HL_KEYS].right = x + key_label;
}

static double
get_growth (const HlHeadViewLayout *base,
            HlSide                  side)
{
  return MAX (base->label_sizes[side], FOCUS_SIZE) / HL_HEAD_VIEW_LABEL_SIZE;
}

void
hl_neuron_layout_init (HlNeuronLayout     *self,
                       const HlSceneFrame *frame,
                       gsize               n_features)
{
  *self = (HlNeuronLayout){ .scale = frame->scale, .n_features = n_features };
  HlHeadViewLayout *base = &self->base;

  hl_head_view_layout_init_rows (base, frame, HEADER_HEIGHT + frame->caption_room, TRUE);
  base->caption_y = CAPTION_Y;
  base->titles_y = TITLES_Y + frame->caption_room + base->slack;
  self->number_size = hl_text_size (base->label_sizes[HL_KEYS] * 0.85, MIN_NUMBER_SIZE, MAX_NUMBER_SIZE);
  self->has_numbers = base->pitches[HL_KEYS] >= LEAST_NUMBER_ROW;
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      const double pitch = base->pitches[side];
      self->strip_heights[side] = pitch >= 6 ? MIN (pitch - 4, MAX_STRIP_HEIGHT) : pitch;
    }

  const double max_label = MAX (frame->width * LABEL_PART, MIN (frame->width * NARROW_LABEL_PART, NARROW_LABEL));
  const double query_label =
    round (CLAMP (frame->room.query_width * get_growth (base, HL_QUERIES), 24, max_label) + LABEL_PAD);
  const double key_label =
    round (CLAMP (frame->room.key_width * get_growth (base, HL_KEYS), 24, max_label) + LABEL_PAD);
  double room = 0, taken = 0;
  guint density;
  for (density = 0; density < G_N_ELEMENTS (densities); density++)
    {
      taken = measure_columns (self, density, query_label + key_label);
      room = (frame->width - taken) / 3;
      if (room >= MIN (densities[density].least_strip, n_features))
        break;
    }
  density = MIN (density, G_N_ELEMENTS (densities) - 1);
  room = MAX (room, MIN (densities[density].least_strip, n_features));
  self->gap = densities[density].gap;
  self->strip_width = n_features * choose_feature_width (room, n_features, frame->scale);
  self->content_width = MAX (frame->width, ceil (taken + 3 * self->strip_width));
  lay_out_columns (self,
                   floor (MAX (0, (frame->width - taken - 3 * self->strip_width) / 2)) + MARGIN -
                     hl_cairo_snap (frame->x, frame->scale),
                   density, query_label, key_label);
}

/* Beside its token, or as near to that as the viewport allows. */
double
hl_neuron_layout_get_query_y (const HlNeuronLayout *self,
                              gsize                 row)
{
  const HlHeadViewLayout *base = &self->base;
  const double half = MIN (base->pitches[HL_QUERIES], MAX_STRIP_HEIGHT) / 2;
  const double top = base->header_height + ROWS_PAD + half;

  return CLAMP (hl_head_view_layout_get_row_y (base, HL_QUERIES, row), top, MAX (top, base->height - half));
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

  const gsize row = (gsize) ((y - base->first_row) / base->pitches[HL_KEYS]);
  const gsize query_row = (gsize) ((y - base->first_row) / base->pitches[HL_QUERIES]);
  if (x < self->query_x)
    {
      if (x >= base->columns[HL_QUERIES].left - MARGIN && query_row < base->queries.n)
        *pick = (HlPick){ HL_PICK_QUERY, .query = base->queries.first + query_row };
      return;
    }
  if (expanded == G_MAXSIZE)
    {
      if (x >= base->x_key && x < base->columns[HL_KEYS].right + MARGIN && row < base->keys.n)
        *pick = (HlPick){ HL_PICK_KEY, .key = base->keys.first + row };
      return;
    }
  if (x < self->key_x - self->gap / 2)
    {
      *pick = (HlPick){ HL_PICK_QUERY, .query = expanded };
      if (fabs (y - hl_neuron_layout_get_query_y (self, expanded - base->queries.first)) <=
          MIN (base->pitches[HL_QUERIES], MAX_STRIP_HEIGHT) / 2)
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
