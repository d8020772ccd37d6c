/* SPDX-License-Identifier: MIT */
/*
 * What of the view of steps follows the pointer: where a number is in each matrix, and what it is made of. A score of
 * query i and key j comes from row i of Q and row j of K; a weight from its whole row of scores; a number of the output
 * from row i of the weights and its column of V.
 */
#include "draw/steps/hl-steps-private.h"

#include "draw/scene/hl-scene-callout.h"

static void
outline_row (cairo_t           *cr,
             const HlStepsCard *card,
             gsize              row)
{
  cairo_rectangle_t box;

  hl_steps_card_get_cell (card, row, 0, &box);
  box.width = card->plot.width;
  hl_callout_outline (cr, &box, 0.8);
}

static void
outline_column (cairo_t           *cr,
                const HlStepsCard *card,
                gsize              column)
{
  cairo_rectangle_t box;

  hl_steps_card_get_cell (card, 0, column, &box);
  box.height = card->plot.height;
  hl_callout_outline (cr, &box, 0.8);
}

/* What a pick touches of a matrix: rows and columns counted from the first that is shown, G_MAXSIZE for none. */
typedef struct
{
  gsize row;
  gsize column;
  gsize cell_row;
  gsize cell_column;
} Marks;

static Marks
get_marks (const HlStepsCard *card,
           const HlPick      *pick)
{
  Marks marks = { G_MAXSIZE, G_MAXSIZE, G_MAXSIZE, G_MAXSIZE };
  const gboolean is_map = hl_step_is_map (card->step);
  const gboolean has_query = pick->kind != HL_PICK_KEY;
  const gboolean has_key = pick->kind != HL_PICK_QUERY;
  const gsize query = pick->query - (hl_step_has_key_rows (card->step) ? 0 : card->rows.first);
  const gsize key = pick->key - (is_map ? card->columns.first : card->rows.first);

  if (is_map && has_query && has_key)
    {
      marks.cell_row = query;
      marks.cell_column = key;
      /* The softmax looks at all scores of the row. */
      if (pick->step == HL_STEP_WEIGHTS && (card->step == HL_STEP_MASKED || card->step == HL_STEP_BIASED ||
                                            card->step == HL_STEP_CAPPED || card->step == HL_STEP_SCALED))
        marks.row = query;
    }
  else if (is_map && has_query)
    marks.row = query;
  else if (is_map)
    marks.column = key;
  else if (hl_step_has_key_rows (card->step))
    marks.row = has_key ? key : G_MAXSIZE;
  else
    marks.row = has_query ? query : G_MAXSIZE;

  if (pick->step == HL_STEP_OUTPUT && card->step == HL_STEP_VALUES)
    marks.column = pick->feature;
  if (!is_map && pick->step == card->step)
    {
      marks.cell_row = marks.row;
      marks.cell_column = pick->feature;
    }
  return marks;
}

static void
draw_marks (cairo_t           *cr,
            const HlStepsCard *card,
            const HlPick      *pick)
{
  const Marks marks = get_marks (card, pick);
  cairo_rectangle_t box;

  cairo_save (cr);
  cairo_rectangle (cr, card->plot.x - 2, card->plot.y - 2, card->plot.width + 4, card->plot.height + 4);
  cairo_clip (cr);
  if (marks.row < card->rows.n)
    outline_row (cr, card, marks.row);
  if (marks.column < card->columns.n)
    outline_column (cr, card, marks.column);
  if (marks.cell_row < card->rows.n && marks.cell_column < card->columns.n)
    {
      hl_steps_card_get_cell (card, marks.cell_row, marks.cell_column, &box);
      hl_callout_outline (cr, &box, 1);
    }
  cairo_restore (cr);
}

static void
draw_bubble (HlStepsScene        *self,
             cairo_t             *cr,
             const HlStepsLayout *layout,
             const HlPick        *pick)
{
  g_autofree char *text = hl_scene_describe (HL_SCENE (self), pick);
  cairo_rectangle_t box;

  if (text == NULL || !hl_scene_locate (HL_SCENE (self), pick, &box.x, &box.y, &box.width, &box.height))
    return;
  if (box.y + box.height < layout->header_height || box.y > layout->height)
    return;
  hl_scene_draw_bubble (HL_SCENE (self), cr, text, &box, &(HlBubblePlace){ .gap = 12 });
}

/**
 * hl_steps_scene_draw_overlay: (skip)
 * @scene: a view of steps
 * @cr: where to
 */
void
hl_steps_scene_draw_overlay (HlScene *scene,
                             cairo_t *cr)
{
  HlStepsScene *self = HL_STEPS_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  const HlPick *focus = hl_view_state_get_focus (state);
  const HlPick *hovered = hl_view_state_get_hovered (state);

  if (focus->kind == HL_PICK_NONE || !hl_steps_scene_is_possible (self))
    return;

  const HlStepsLayout layout = hl_steps_scene_get_layout (self);
  cairo_save (cr);
  cairo_rectangle (cr, 0, layout.header_height, layout.width, MAX (0, layout.height - layout.header_height));
  cairo_clip (cr);
  for (guint i = 0; i < layout.n_cards; i++)
    draw_marks (cr, &layout.cards[i], focus);
  cairo_restore (cr);
  /*
   * While something is pinned, the number under the pointer can still be read. A whole token has no place for a number.
   */
  const HlPick *told = hovered->step != HL_STEP_NONE ? hovered : focus;
  if (told->step != HL_STEP_NONE)
    draw_bubble (self, cr, &layout, told);
}
