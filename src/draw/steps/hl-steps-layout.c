/* SPDX-License-Identifier: MIT */
/*
 * Where everything of the view of steps is: the matrices beside one another as far as they fit, then in the next line.
 */
#include "draw/steps/hl-steps-layout.h"

#include "draw/scene/hl-scene-label.h"
#include "draw/scene/hl-time-axis.h"
#include "draw/text/hl-axis-labels.h"

#define MARGIN 20
#define HEADER_HEIGHT 36
#define COLUMN_GAP 28
#define ROW_GAP 22
/* What the file lacks, in words. */
#define NOTE_HEIGHT 24
/* Title and formula. */
#define HEADING_HEIGHT 38
/* The scale below the plot. */
#define LEGEND_HEIGHT 26
#define PLOT_PAD 6

#define NATURAL_CARD 180.0
/* As far as cards shrink for the weights to be in view. */
#define NARROW_CARD 140.0
#define MAX_CARD 380.0
#define MAX_COLUMNS 4
#define MAX_NARROW_COLUMNS 6
#define MIN_PLOT_HEIGHT 130.0
#define MAX_CELL 34.0
#define LABEL_SIZE 10.0
#define MIN_LABEL_PITCH 4.0
/* Of names; patches stand beside them. */
#define MAX_LABEL 64.0
#define MAX_COLUMN_LABEL 52.0

static guint
count_fitting (double room,
               double card_width)
{
  return (guint) MAX ((room + COLUMN_GAP) / (card_width + COLUMN_GAP), 1);
}

static guint
count_lines (guint n_cards,
             guint n_columns)
{
  return (n_cards + n_columns - 1) / n_columns;
}

/* Where so wide a card leaves the weights below the view, cards are narrower, if that brings them into it. */
static guint
choose_columns (guint  n_cards,
                guint  n_needed,
                double room,
                double height,
                double card_width)
{
  if (card_width > 0)
    return MIN (count_fitting (room, card_width), n_cards);

  const double line = HEADING_HEIGHT + MIN_PLOT_HEIGHT + LEGEND_HEIGHT + ROW_GAP;
  const guint n_lines = (guint) MAX ((height + ROW_GAP) / line, 1);
  const guint natural = MIN (count_fitting (room, NATURAL_CARD), MAX_COLUMNS);
  const guint narrow = MIN (count_fitting (room, NARROW_CARD), MAX_NARROW_COLUMNS);
  guint n_columns = natural;

  while (n_columns < narrow && count_lines (n_needed, n_columns) > n_lines)
    n_columns++;
  if (count_lines (n_needed, n_columns) > n_lines)
    n_columns = natural;
  /* Rows of equal length look better than a full one and a rest. */
  return count_lines (n_cards, count_lines (n_cards, n_columns));
}

/* The steps that lead to the weights, these with them. */
static guint
count_needed (const HlStepsData *data)
{
  for (guint i = 0; i < data->n_matrices; i++)
    if (data->matrices[i].step == HL_STEP_WEIGHTS)
      return i + 1;
  return data->n_matrices;
}

/* Whether its columns are tokens. */
static gboolean
has_column_labels (HlStep step)
{
  return hl_step_is_map (step) || hl_step_is_projection (step);
}

static void
set_plot (HlStepsCard   *card,
          double         scale,
          double         top,
          double         width,
          double         height,
          double         band,
          double         row_label_width,
          double         max_label,
          const gboolean times[2])
{
  const double cell_height = MIN (height / MAX (card->rows.n, 1), MAX_CELL);
  const gsize stride = hl_axis_labels_get_stride (cell_height, LABEL_SIZE * 1.15);

  card->row_stride = stride;
  card->has_row_axis = stride > 1 && !hl_step_is_weights (card->step) && times[hl_step_get_side (card->step)];
  card->label_width = (cell_height >= MIN_LABEL_PITCH || card->has_row_axis) && !hl_step_is_weights (card->step)
                        ? ceil (MIN (row_label_width, MIN (max_label, width / 3))) + PLOT_PAD
                        : 0;
  const double cell_width = MIN ((width - card->label_width) / MAX (card->columns.n, 1), MAX_CELL);
  /* Whole device pixels, since the cells are an image of them. */
  card->plot = (cairo_rectangle_t){ card->box.x + card->label_width, top,
                                    MAX (1, round (cell_width * card->columns.n * scale)) / scale,
                                    MAX (1, round (cell_height * card->rows.n * scale)) / scale };
  card->has_column_axis = hl_step_is_map (card->step) && cell_width < LABEL_SIZE * 1.15 && times[HL_KEYS];
  card->column_label_height =
    has_column_labels (card->step) && (cell_width >= LABEL_SIZE * 1.15 || card->has_column_axis) ? band : 0;
}

/* Whether a line of matrices has one whose columns are tokens. */
static gboolean
has_map (const HlStepsData *data,
         guint              line,
         guint              n_columns)
{
  for (guint i = line * n_columns; i < MIN ((line + 1) * n_columns, data->n_matrices); i++)
    if (has_column_labels (data->matrices[i].step))
      return TRUE;
  return FALSE;
}

static guint
count_map_lines (const HlStepsData *data,
                 guint              n_columns)
{
  guint n = 0;

  for (guint line = 0; line * n_columns < data->n_matrices; line++)
    n += has_map (data, line, n_columns);
  return n;
}

void
hl_steps_layout_init (HlStepsLayout      *self,
                      const HlSceneFrame *frame)
{
  const HlStepsData *data = frame->wanted;
  const double header = HEADER_HEIGHT + frame->caption_room;
  *self =
    (HlStepsLayout){ .width = frame->width, .height = frame->height, .scale = frame->scale, .header_height = header };
  const double label_width = MAX (frame->room.query_width, frame->room.key_width);
  const double swatch = MAX (hl_scene_label_get_room (frame->shown->original, HL_QUERIES, LABEL_SIZE),
                             hl_scene_label_get_room (frame->shown->original, HL_KEYS, LABEL_SIZE));
  const double max_label = MAX_LABEL + swatch;
  const double scroll = hl_cairo_snap (frame->y, frame->scale);
  const double room = MAX (frame->width - 2 * MARGIN, HL_STEPS_MIN_CARD);
  const guint n = data->n_matrices;
  const guint n_columns =
    choose_columns (n, count_needed (data), room, frame->height - header, MIN (frame->zoom, room));
  const guint n_lines = count_lines (n, n_columns);
  const gboolean fits = frame->zoom <= 0;
  double card = fits ? MIN ((room - (n_columns - 1) * COLUMN_GAP) / n_columns, MAX_CARD)
                     : CLAMP (frame->zoom, HL_STEPS_MIN_CARD, room);

  /*
   * Labels over the columns of maps where their letters have room; all plots of a line have the band, so that they
   * align.
   */
  const double pitch = (card - MIN (max_label, label_width)) / MAX (data->keys.n, 1);
  const gboolean has_projection = hl_head_steps_has (data->steps, HL_STEP_KEY_PROJECTION) ||
                                  hl_head_steps_has (data->steps, HL_STEP_VALUE_PROJECTION);
  const double column_label = has_projection ? label_width : frame->room.key_width;
  /* Of what is shown in place of the tokens of the file, labels are others. */
  const gboolean is_whole_text = frame->shown->attention == frame->shown->original;
  const gboolean times[2] = { is_whole_text && frame->room.times[HL_QUERIES],
                              is_whole_text && frame->room.times[HL_KEYS] };
  const double band = pitch < LABEL_SIZE * 1.15 && times[HL_KEYS] ? HL_TIME_AXIS_ROOM
                      : pitch >= LABEL_SIZE * 1.15 ? ceil (MIN (column_label, MAX_COLUMN_LABEL + swatch)) + PLOT_PAD
                                                   : 0;
  const double around = HEADING_HEIGHT + LEGEND_HEIGHT + ROW_GAP;
  const double bands = band * count_map_lines (data, n_columns);
  double plot_height = card;
  if (fits)
    {
      plot_height =
        CLAMP ((frame->height - header - NOTE_HEIGHT + ROW_GAP - bands) / n_lines - around, MIN_PLOT_HEIGHT, card);
      card = MIN (card, plot_height * 1.3 + MIN (max_label, label_width));
      card = MAX (card, MIN (NATURAL_CARD, room / n_columns - COLUMN_GAP));
    }
  card = floor (card);
  plot_height = floor (plot_height);

  /* Maps of few tokens need no more height than their cells take. */
  const double used_height = floor (MIN (plot_height, MAX_CELL * MAX (MAX (data->queries.n, data->keys.n), 1)));
  const double left = floor ((frame->width - n_columns * card - (n_columns - 1) * COLUMN_GAP) / 2);
  self->card_width = card;
  self->label_size = LABEL_SIZE;
  self->n_cards = n;
  double top = header - scroll;
  for (guint i = 0; i < n; i++)
    {
      HlStepsCard *c = &self->cards[i];
      const double line_band = has_map (data, i / n_columns, n_columns) ? band : 0;

      c->step = data->matrices[i].step;
      c->rows = data->matrices[i].rows;
      c->columns = data->matrices[i].columns;
      c->box = (cairo_rectangle_t){ left + i % n_columns * (card + COLUMN_GAP), top, card,
                                    used_height + around + line_band - ROW_GAP };
      set_plot (c, frame->scale, top + HEADING_HEIGHT + line_band, card, used_height, band, label_width, max_label,
                times);
      if ((i + 1) % n_columns == 0)
        top += used_height + around + line_band;
    }
  const double bottom = header + n_lines * (used_height + around) + bands - ROW_GAP;
  const gboolean is_whole = hl_head_steps_has (data->steps, HL_STEP_INPUT) &&
                            hl_head_steps_has (data->steps, HL_STEP_VALUES);
  self->note_y = bottom + NOTE_HEIGHT / 2.0 - scroll;
  self->content_height = bottom + (is_whole ? MARGIN / 2.0 : NOTE_HEIGHT);
}

const HlStepsCard *
hl_steps_layout_find_card (const HlStepsLayout *self,
                           HlStep               step)
{
  for (guint i = 0; i < self->n_cards; i++)
    if (self->cards[i].step == step)
      return &self->cards[i];
  return NULL;
}

void
hl_steps_card_get_cell (const HlStepsCard *card,
                        gsize              row,
                        gsize              column,
                        cairo_rectangle_t *box)
{
  const double width = card->plot.width / MAX (card->columns.n, 1);
  const double height = card->plot.height / MAX (card->rows.n, 1);

  *box = (cairo_rectangle_t){ card->plot.x + column * width, card->plot.y + row * height, width, height };
}

static void
pick_cell (const HlStepsCard *card,
           gsize              row,
           gsize              column,
           HlPick            *pick)
{
  pick->step = card->step;
  if (hl_step_is_weights (card->step))
    {
      pick->kind = HL_PICK_NUMBER;
      pick->row = row;
      pick->feature = column;
      return;
    }
  if (hl_step_is_projection (card->step))
    {
      pick->kind = HL_PICK_CELL;
      pick->query = card->columns.first + column;
      pick->key = card->rows.first + row;
      return;
    }
  if (hl_step_is_map (card->step))
    {
      pick->kind = HL_PICK_CELL;
      pick->query = card->rows.first + row;
      pick->key = card->columns.first + column;
      return;
    }
  pick->feature = column;
  if (hl_step_get_side (card->step) == HL_KEYS)
    {
      pick->kind = HL_PICK_KEY;
      pick->key = card->rows.first + row;
    }
  else
    {
      pick->kind = HL_PICK_QUERY;
      pick->query = card->rows.first + row;
    }
}

void
hl_steps_layout_pick (const HlStepsLayout *self,
                      double               x,
                      double               y,
                      HlPick              *pick)
{
  if (y < self->header_height || y >= self->height)
    return;
  for (guint i = 0; i < self->n_cards; i++)
    {
      const HlStepsCard *card = &self->cards[i];
      const double column = (x - card->plot.x) / card->plot.width * card->columns.n;
      const double row = (y - card->plot.y) / card->plot.height * card->rows.n;

      if (column >= 0 && row >= 0 && column < card->columns.n && row < card->rows.n)
        {
          pick_cell (card, (gsize) row, (gsize) column, pick);
          return;
        }
    }
}
