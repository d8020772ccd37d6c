/* SPDX-License-Identifier: MIT */
/*
 * The steps of one head, from queries and keys to its output: each a small heatmap, linked to those that it follows
 * from.
 */
#include "draw/steps/hl-steps-scene.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-describe.h"
#include "draw/scene/hl-scene-label.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/scene/hl-time-axis.h"
#include "draw/steps/hl-step-text.h"
#include "draw/steps/hl-steps-data.h"
#include "draw/steps/hl-steps-layout.h"

#define LABEL_SIZE 10

#define TITLE_SIZE 13
#define FORMULA_SIZE 11
#define SCALE_SIZE 10
#define NOTICE_SIZE 13

struct _HlStepsScene
{
  HlScene parent_instance;

  HlStepsImages *images;
};

typedef struct
{
  HlScene *scene;
  cairo_t *cr;
  const HlTheme *theme;
} Pen;

/* What a pick touches of a matrix: rows and columns counted from the first that is shown, G_MAXSIZE for none. */
typedef struct
{
  gsize row;
  gsize column;
  gsize cell_row;
  gsize cell_column;
} Marks;

G_DEFINE_FINAL_TYPE (HlStepsScene, hl_steps_scene, HL_TYPE_SCENE)

static void
hl_steps_scene_lay_out (HlScene            *scene,
                        const HlSceneFrame *frame,
                        gpointer            layout)
{
  hl_steps_layout_init (layout, frame);
}

static HlSceneData *
hl_steps_scene_create_data (HlScene       *scene,
                            const HlShown *shown)
{
  return hl_head_steps_are_known (shown->original) ? &hl_steps_data_new (shown)->parent : NULL;
}

static void
hl_steps_scene_measure (HlScene            *scene,
                        const HlSceneFrame *frame,
                        double             *width,
                        double             *height)
{
  *height = ((const HlStepsLayout *) frame->layout)->content_height;
}

static HlStepsImages *
want_images (const HlSceneFrame *frame,
             HlStepsData        *data)
{
  const HlStepsLayout *layout = frame->layout;
  HlStepsImages *images = g_new0 (HlStepsImages, 1);

  images->data = hl_scene_data_ref (data);
  images->map = frame->shown->options.colour_map;
  images->dark = frame->theme->dark;
  images->scale = frame->scale;
  for (guint i = 0; i < layout->n_cards; i++)
    {
      images->widths[i] = (int) lround (layout->cards[i].plot.width * layout->scale);
      images->heights[i] = (int) lround (layout->cards[i].plot.height * layout->scale);
    }
  return images;
}

static HlSceneJob *
hl_steps_scene_create_job (HlScene            *scene,
                           const HlSceneFrame *frame,
                           gpointer            data)
{
  HlStepsScene *self = HL_STEPS_SCENE (scene);
  const gboolean has_pixels = !frame->vector && frame->width >= 1 && frame->height >= 1;
  g_autoptr (HlStepsImages) images = has_pixels ? want_images (frame, data) : NULL;

  if (frame->data != NULL && (images == NULL || (self->images != NULL && hl_steps_images_same (self->images, images))))
    return NULL;

  HlStepsJob *job = hl_scene_new_job (scene, HL_TYPE_STEPS_JOB, data);
  job->images = g_steal_pointer (&images);
  return HL_SCENE_JOB (job);
}

static void
hl_steps_scene_accept (HlScene            *scene,
                       const HlSceneFrame *frame,
                       HlSceneJob         *scene_job,
                       gboolean            is_new)
{
  HlStepsScene *self = HL_STEPS_SCENE (scene);
  HlStepsJob *job = HL_STEPS_JOB (scene_job);

  if (job->images != NULL && job->images->data == frame->data)
    {
      g_clear_pointer (&self->images, hl_steps_images_free);
      self->images = g_steal_pointer (&job->images);
    }
  for (HlScenePart part = 0; part < HL_SCENE_N_PARTS; part++)
    hl_scene_emit_changed (scene, part);
}

/* The shown cells of one matrix. */
static void
draw_cells (HlStepsScene       *self,
            const HlSceneFrame *frame,
            cairo_t            *cr,
            const HlStepsData  *data,
            const HlStepsCard  *card,
            guint               index)
{
  const HlStepsMatrix *matrix = &data->matrices[index];

  if (frame->vector)
    {
      const HlValueCells cells = hl_steps_matrix_get_cells (matrix);
      const HlValuePaint paint =
        hl_steps_matrix_get_paint (matrix, frame->shown->options.colour_map, frame->theme->dark);

      hl_value_cells_draw (&cells, &paint, &card->plot, cr);
      return;
    }
  if (self->images == NULL || self->images->data != data || self->images->surfaces[index] == NULL)
    return;
  cairo_save (cr);
  cairo_translate (cr, card->plot.x, hl_cairo_snap (card->plot.y, frame->scale));
  /* Of another size until the new pixels are there. */
  cairo_scale (cr, card->plot.width / self->images->widths[index], card->plot.height / self->images->heights[index]);
  cairo_set_source_surface (cr, self->images->surfaces[index], 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, 0, 0, self->images->widths[index], self->images->heights[index]);
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
hl_steps_scene_draw_picture (HlScene            *scene,
                             const HlSceneFrame *frame,
                             cairo_t            *cr)
{
  HlStepsScene *self = HL_STEPS_SCENE (scene);
  const HlStepsData *data = frame->data;
  const HlStepsLayout *layout = frame->layout;

  if (data == NULL)
    return;
  cairo_rectangle (cr, 0, layout->header_height, layout->width, MAX (0, layout->height - layout->header_height));
  cairo_clip (cr);
  for (guint i = 0; i < layout->n_cards; i++)
    {
      const HlStepsCard *card = &layout->cards[i];
      if (card->plot.y < layout->height && card->plot.y + card->plot.height > layout->header_height)
        draw_cells (self, frame, cr, data, card, i);
    }
}

static void
hl_steps_scene_pick (HlScene            *scene,
                     const HlSceneFrame *frame,
                     double              x,
                     double              y,
                     HlPick             *pick)
{
  hl_steps_layout_pick (frame->layout, x, y, pick);
}

static void
hl_steps_scene_zoom (HlScene            *scene,
                     const HlSceneFrame *frame,
                     double              factor,
                     double              x,
                     double              y)
{
  /* The matrix under the point stays there, in whatever line of matrices it comes to be. */
  const HlStepsLayout before = *(const HlStepsLayout *) frame->layout;
  const HlStepsCard *card = &before.cards[0];
  for (guint i = 0; i < before.n_cards; i++)
    if (before.cards[i].box.y <= y && before.cards[i].box.x <= x)
      card = &before.cards[i];
  const double at = (y - card->plot.y) / card->plot.height;

  hl_scene_set_zoom (scene,
                     CLAMP (before.card_width * factor, HL_STEPS_MIN_CARD, MAX (frame->width, HL_STEPS_MIN_CARD)));

  const HlStepsCard *moved = hl_steps_layout_find_card (hl_scene_get_frame (scene)->layout, card->step);
  hl_scene_set_scroll (scene, 0, frame->y + moved->plot.y + at * moved->plot.height - y);
}

static void
hl_steps_scene_fit (HlScene            *scene,
                    const HlSceneFrame *frame)
{
  hl_scene_set_zoom (scene, 0);
  hl_scene_set_scroll (scene, 0, 0);
}

static gboolean
hl_steps_scene_locate (HlScene            *scene,
                       const HlSceneFrame *frame,
                       const HlPick       *pick,
                       cairo_rectangle_t  *box)
{
  static const HlStep homes[] = {
    [HL_PICK_QUERY] = HL_STEP_QUERIES, [HL_PICK_KEY] = HL_STEP_KEYS, [HL_PICK_CELL] = HL_STEP_WEIGHTS
  };
  const gboolean is_cell = pick->kind == HL_PICK_CELL;

  if (pick->kind == HL_PICK_NUMBER)
    {
      const HlStepsCard *weights = hl_steps_layout_find_card (frame->layout, pick->step);
      if (weights == NULL || pick->row >= weights->rows.n || pick->feature >= weights->columns.n)
        return FALSE;
      hl_steps_card_get_cell (weights, pick->row, pick->feature, box);
      return TRUE;
    }
  if (pick->kind != HL_PICK_QUERY && pick->kind != HL_PICK_KEY && !is_cell)
    return FALSE;

  const HlStepsCard *card =
    hl_steps_layout_find_card (frame->layout, pick->step != HL_STEP_NONE ? pick->step : homes[pick->kind]);
  const HlSide side = is_cell && hl_step_is_projection (pick->step) ? HL_KEYS : hl_pick_get_side (pick);
  const gsize row = pick->tokens[side] - (card != NULL ? card->rows.first : 0);
  const gsize column = is_cell ? pick->tokens[hl_side_get_other (side)] - (card != NULL ? card->columns.first : 0)
                               : pick->feature;
  const gboolean is_row = !is_cell && pick->step == HL_STEP_NONE;
  if (card == NULL || row >= card->rows.n || column >= card->columns.n)
    return FALSE;

  hl_steps_card_get_cell (card, row, is_row ? 0 : column, box);
  if (is_row)
    box->width = card->plot.width;
  return TRUE;
}

static void
hl_steps_scene_finalize (GObject *object)
{
  HlStepsScene *self = HL_STEPS_SCENE (object);

  g_clear_pointer (&self->images, hl_steps_images_free);
  G_OBJECT_CLASS (hl_steps_scene_parent_class)->finalize (object);
}

static char *
describe_token (const HlSceneFrame *frame,
                const HlPick       *pick)
{
  const HlStepsData *data = frame->data;

  if (pick->kind == HL_PICK_KEY || data == NULL)
    return hl_scene_describe_token (frame->shown, pick, NULL, data != NULL ? data->queries : (HlRange){ 0, 0 }, 1);

  g_autofree float *weights = g_new (float, MAX (data->steps->n_keys, 1));
  hl_head_steps_get_row (data->steps, HL_STEP_WEIGHTS, pick->query, weights, NULL);
  return hl_scene_describe_token (frame->shown, pick, weights + data->keys.first, data->keys, 1);
}

static char *
hl_steps_scene_describe (HlScene            *scene,
                         const HlSceneFrame *frame,
                         const HlPick       *pick)
{
  const HlStepsData *data = frame->data;

  if (pick->kind == HL_PICK_HEAD)
    return hl_scene_describe_head (frame->shown, pick->head);
  if (pick->kind == HL_PICK_NUMBER)
    return data != NULL && hl_head_steps_has (data->steps, pick->step)
             ? hl_step_text_describe_weight (data->steps, pick->step, pick->row, pick->feature)
             : NULL;
  if (pick->kind == HL_PICK_CELL && hl_step_is_projection (pick->step) && data != NULL &&
      hl_head_steps_has (data->steps, pick->step))
    return hl_step_text_describe_projection (data->steps, pick->step, pick->key, pick->query);
  if (pick->kind == HL_PICK_CELL)
    return data != NULL ? hl_step_text_describe_cell (data->steps, pick->query, pick->key)
                        : hl_scene_describe_cell (frame->shown, pick, NULL, 1);
  if (data == NULL || pick->step == HL_STEP_NONE || !hl_head_steps_has (data->steps, pick->step) ||
      pick->feature >= hl_head_steps_get_n_columns (data->steps, pick->step))
    return describe_token (frame, pick);
  return hl_step_text_describe_feature (data->steps, pick->step, pick->tokens[hl_pick_get_side (pick)], pick->feature);
}

static gboolean
copy_row (gsize    query,
          float   *target,
          gpointer user_data)
{
  const HlStepsData *data = user_data;
  g_autofree float *row = g_new (float, MAX (data->steps->n_keys, 1));

  hl_head_steps_get_row (data->steps, HL_STEP_WEIGHTS, query, row, NULL);
  memcpy (target, row + data->keys.first, data->keys.n * sizeof (float));
  return TRUE;
}

/* Keys have no row. */
static float *
hl_steps_scene_make_row (HlScene            *scene,
                         const HlSceneFrame *frame,
                         const HlFocus      *focus,
                         guint              *n_heads)
{
  HlStepsData *data = frame->data;

  *n_heads = 1;
  if (data == NULL || focus->pick.kind != HL_PICK_QUERY)
    return NULL;
  float *row = g_new (float, MAX (data->keys.n, 1));
  hl_focus_combine (focus, frame->shown->attention, data->keys.n, copy_row, data, row);
  return row;
}

static double
write_text (const Pen      *pen,
            const char     *text,
            double          size,
            gboolean        bold,
            double          max_width,
            const HlColour *colour,
            double          x,
            double          y,
            double          align)
{
  const HlTextStyle style = { .size = size, .bold = bold, .max_width = MAX (max_width, 0) };

  hl_scene_write (pen->scene, pen->cr, text, &style, colour, x, y, align);
  return hl_scene_measure_text (pen->scene, text, &style);
}

static void
draw_heading (const Pen         *pen,
              const HlStepsCard *card,
              const HlStepsData *data)
{
  g_autofree char *formula = hl_step_text_make_formula (data->steps, card->step);
  g_autofree char *shape = g_strdup_printf ("%zu × %zu", card->rows.n, card->columns.n);
  const double right = card->box.x + card->box.width;
  const double width = write_text (pen, shape, FORMULA_SIZE, FALSE, 0, &pen->theme->muted, right, card->box.y + 10, 1);

  write_text (pen, hl_step_text_get_title (data->steps, card->step), TITLE_SIZE, TRUE, card->box.width - width - 8,
              &pen->theme->foreground, card->box.x, card->box.y + 10, 0);
  write_text (pen, formula, FORMULA_SIZE, FALSE, card->box.width, &pen->theme->muted, card->box.x, card->box.y + 27, 0);
}

/* @range: of the side's tokens, which are so far apart */
static void
draw_axis (const HlSceneFrame *frame,
           const Pen          *pen,
           const HlStepsCard  *card,
           HlSide              side,
           HlRange             range,
           double              pitch)
{
  const cairo_rectangle_t *plot = &card->plot;
  const gboolean is_down = side == hl_step_get_side (card->step);
  const double begin = is_down ? plot->y : plot->x;
  const HlTimeAxis axis = { .attention = frame->shown->original,
                            .side = side,
                            .range = range,
                            .is_down = is_down,
                            .origin = begin,
                            .cell = pitch,
                            .begin = begin,
                            .end = begin + (is_down ? plot->height : plot->width),
                            .edge = is_down ? plot->x : plot->y,
                            .size = LABEL_SIZE,
                            .colour = &pen->theme->muted };

  hl_time_axis_draw (pen->scene, frame, pen->cr, &axis, (HlRange){ 0, range.n });
}

static void
draw_labels (const HlSceneFrame *frame,
             const Pen          *pen,
             const HlStepsCard  *card)
{
  const HlStepsLayout *layout = frame->layout;
  const double pitch = card->plot.height / MAX (card->rows.n, 1);
  const double column_pitch = card->plot.width / MAX (card->columns.n, 1);
  HlSceneLabel label = { .attention = frame->shown->original,
                         .side = hl_step_get_side (card->step),
                         .style = { .size = layout->label_size, .max_width = card->label_width - 6 },
                         .colour = &pen->theme->muted,
                         .align = 1,
                         .pitch = pitch * card->row_stride };

  if (card->has_row_axis)
    draw_axis (frame, pen, card, label.side, card->rows, pitch);
  for (gsize row = 0; !card->has_row_axis && card->label_width > 0 && row < card->rows.n; row += card->row_stride)
    {
      const double y = card->plot.y + (row + 0.5) * pitch;

      if (y < layout->header_height - pitch || y > layout->height + pitch)
        continue;
      label.token = card->rows.first + row;
      hl_scene_draw_label (pen->scene, frame, pen->cr, &label, card->plot.x - 6, y);
    }
  label.side = hl_step_is_projection (card->step) ? HL_QUERIES : HL_KEYS;
  label.style.max_width = card->column_label_height - 4;
  label.direction = HL_LABEL_UPWARDS;
  label.align = 0;
  label.pitch = column_pitch;
  if (card->has_column_axis && card->column_label_height > 0)
    {
      draw_axis (frame, pen, card, HL_KEYS, card->columns, column_pitch);
      return;
    }
  for (gsize column = 0; card->column_label_height > 0 && column < card->columns.n; column++)
    {
      label.token = card->columns.first + column;
      hl_scene_draw_label (pen->scene, frame, pen->cr, &label, card->plot.x + (column + 0.5) * column_pitch,
                           card->plot.y - 5);
    }
}

/* The colours from the smallest number to the greatest, and both. */
static void
draw_scale (const Pen           *pen,
            const HlStepsCard   *card,
            const HlStepsMatrix *matrix,
            HlColourMap          map)
{
  const HlValuePaint paint = hl_steps_matrix_get_paint (matrix, map, pen->theme->dark);
  const double min = paint.diverging ? matrix->min : 0;
  const double y = card->plot.y + card->plot.height + 14;
  char low[HL_SCORE_TEXT_SIZE], high[HL_SCORE_TEXT_SIZE];
  const double left =
    card->plot.x + 6 +
    write_text (pen, hl_score_text_format (min, low), SCALE_SIZE, FALSE, 0, &pen->theme->muted, card->plot.x, y, 0);
  const double width = CLAMP (card->box.width - card->label_width - 96, 24, 90);
  g_autoptr (cairo_pattern_t) gradient = cairo_pattern_create_linear (left, 0, left + width, 0);

  for (guint i = 0; i <= 32; i++)
    {
      const guint32 pixel = hl_value_paint_get_pixel (&paint, (float) (min + (matrix->max - min) * i / 32));
      cairo_pattern_add_color_stop_rgb (gradient, i / 32.0, (pixel >> 16 & 0xFF) / 255.0, (pixel >> 8 & 0xFF) / 255.0,
                                        (pixel & 0xFF) / 255.0);
    }
  cairo_set_source (pen->cr, gradient);
  cairo_rectangle (pen->cr, left, y - 4, width, 8);
  cairo_fill (pen->cr);
  hl_cairo_set_colour (pen->cr, &pen->theme->grid, 1);
  cairo_set_line_width (pen->cr, 1);
  cairo_rectangle (pen->cr, left - 0.5, y - 4.5, width + 1, 9);
  cairo_stroke (pen->cr);
  write_text (pen, hl_score_text_format (matrix->max, high), SCALE_SIZE, FALSE, 0, &pen->theme->muted, left + width + 6,
              y, 0);
}

static void
draw_card (const HlSceneFrame *frame,
           const Pen          *pen,
           guint               index)
{
  const HlStepsLayout *layout = frame->layout;
  const HlStepsCard *card = &layout->cards[index];
  const HlStepsData *data = frame->data;

  if (card->box.y > layout->height || card->box.y + card->box.height < layout->header_height)
    return;
  draw_heading (pen, card, frame->wanted);
  draw_labels (frame, pen, card);
  hl_cairo_set_colour (pen->cr, &pen->theme->grid, 1);
  cairo_set_line_width (pen->cr, 1);
  cairo_rectangle (pen->cr, card->plot.x - 0.5, hl_cairo_snap (card->plot.y, layout->scale) - 0.5, card->plot.width + 1,
                   card->plot.height + 1);
  cairo_stroke (pen->cr);
  if (data != NULL)
    draw_scale (pen, card, &data->matrices[index], frame->shown->options.colour_map);
}

static void
draw_note (const Pen           *pen,
           const HlStepsLayout *layout,
           const HlStepsData   *data)
{
  const gboolean has_input = hl_head_steps_has (data->steps, HL_STEP_INPUT);
  const gboolean has_values = hl_head_steps_has (data->steps, HL_STEP_VALUES);
  const char *note = NULL;

  if (!has_input && !has_values)
    note = _ ("The file has neither X nor V, so there is no output.");
  else if (!has_values)
    note = _ ("The file has no V, so there is no output.");
  else if (!has_input)
    note = _ ("The file has no X.");
  if (note != NULL)
    write_text (pen, note, FORMULA_SIZE, FALSE, layout->width - 24, &pen->theme->muted, layout->width / 2,
                layout->note_y, 0.5);
}

static void
draw_cards (const HlSceneFrame *frame,
            const Pen          *pen)
{
  const HlStepsLayout *layout = frame->layout;

  cairo_rectangle (pen->cr, 0, layout->header_height, layout->width, MAX (0, layout->height - layout->header_height));
  cairo_clip (pen->cr);
  if (frame->shown->queries.n == 0 || frame->shown->keys.n == 0)
    {
      write_text (pen, _ ("No tokens to show"), NOTICE_SIZE, FALSE, 0, &pen->theme->muted, layout->width / 2,
                  layout->header_height + 48, 0.5);
      return;
    }
  for (guint i = 0; i < layout->n_cards; i++)
    draw_card (frame, pen, i);
  draw_note (pen, layout, frame->wanted);
}

static void
hl_steps_scene_draw_backdrop (HlScene            *scene,
                              const HlSceneFrame *frame,
                              cairo_t            *cr)
{
  const Pen pen = { scene, cr, frame->theme };

  hl_scene_paint_background (frame, cr);
  hl_scene_draw_caption (scene, frame, cr, 18);
  if (frame->layout != NULL)
    draw_cards (frame, &pen);
  else
    hl_scene_draw_lack (scene, frame, cr, hl_step_text_get_lack ());
}

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

/* Of weights of the model, the number under the pointer, the column that a number is made of, or what a weight has a part in. */
static Marks
get_marks_of_weights (const HlStepsCard *card,
                      const HlHeadSteps *steps,
                      const HlPick      *pick)
{
  Marks marks = { G_MAXSIZE, G_MAXSIZE, G_MAXSIZE, G_MAXSIZE };
  HlStepSum sum;

  if (pick->kind != HL_PICK_NUMBER)
    {
      if (pick->step != HL_STEP_NONE && hl_head_steps_has (steps, pick->step) &&
          hl_head_steps_find_factors (steps, pick->step, pick->tokens[hl_pick_get_side (pick)], &sum) &&
          sum.second == card->step)
        marks.column = pick->feature;
      return marks;
    }
  if (pick->step == card->step)
    {
      marks.cell_row = pick->row;
      marks.cell_column = pick->feature;
    }
  else if (hl_head_steps_find_factors (steps, card->step, 0, &sum) && sum.second == pick->step)
    marks.column = pick->feature;
  else if (card->step == (pick->step == HL_STEP_OUTPUT_WEIGHTS ? HL_STEP_OUTPUT : HL_STEP_INPUT))
    marks.column = pick->row;
  return marks;
}

static Marks
get_marks (const HlStepsCard *card,
           const HlHeadSteps *steps,
           const HlPick      *pick)
{
  Marks marks = { G_MAXSIZE, G_MAXSIZE, G_MAXSIZE, G_MAXSIZE };
  HlStepSum sum;

  if (hl_step_is_weights (card->step) || pick->kind == HL_PICK_NUMBER)
    return get_marks_of_weights (card, steps, pick);
  const gboolean is_map = hl_step_is_map (card->step);
  const gboolean has_query = pick->kind != HL_PICK_KEY;
  const gboolean has_key = pick->kind != HL_PICK_QUERY;
  const gsize query = pick->query - (hl_step_get_side (card->step) == HL_KEYS ? 0 : card->rows.first);
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
  else if (hl_step_get_side (card->step) == HL_KEYS)
    marks.row = has_key ? key : G_MAXSIZE;
  else
    marks.row = has_query ? query : G_MAXSIZE;

  /* The row and the column that a number is made of. */
  if (!hl_step_is_map (pick->step) && !hl_step_is_projection (pick->step) && hl_head_steps_has (steps, pick->step) &&
      hl_head_steps_find_factors (steps, pick->step, pick->tokens[hl_pick_get_side (pick)], &sum))
    {
      if (sum.second == card->step)
        marks.column = pick->feature;
      if (sum.first == card->step && sum.first == HL_STEP_INPUT)
        marks.row = sum.first_row - card->rows.first;
    }
  if (!is_map && pick->step == card->step)
    {
      marks.cell_row = marks.row;
      marks.cell_column = hl_step_is_projection (card->step) ? pick->query - card->columns.first : pick->feature;
    }
  return marks;
}

static void
draw_marks (cairo_t           *cr,
            const HlStepsCard *card,
            const HlHeadSteps *steps,
            const HlPick      *pick)
{
  const Marks marks = get_marks (card, steps, pick);
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

/* The places of each token that was gathered. */
static void
draw_marks_of_focus (cairo_t           *cr,
                     const HlStepsCard *card,
                     const HlHeadSteps *steps,
                     const HlFocus     *focus)
{
  const HlSide side = hl_pick_get_side (&focus->pick);
  gsize n;
  g_autofree gsize *tokens = hl_focus_list_tokens (focus, side, &n);

  for (gsize i = 0; i < n; i++)
    {
      HlPick pick = focus->pick;
      pick.tokens[side] = tokens[i];
      draw_marks (cr, card, steps, &pick);
    }
}

static void
draw_bubble (HlStepsScene       *self,
             const HlSceneFrame *frame,
             cairo_t            *cr,
             const HlPick       *pick)
{
  const HlStepsLayout *layout = frame->layout;
  g_autofree char *text = hl_scene_describe (HL_SCENE (self), pick);
  cairo_rectangle_t box;

  if (text == NULL || !hl_scene_locate (HL_SCENE (self), pick, &box.x, &box.y, &box.width, &box.height))
    return;
  if (box.y + box.height < layout->header_height || box.y > layout->height)
    return;
  /* Steps are of the tokens of the file; a number of the model, or of a projection of keys, is of none. */
  const gboolean is_of_tokens = pick->kind != HL_PICK_NUMBER && !hl_step_is_projection (pick->step);
  hl_scene_draw_bubble_of (HL_SCENE (self), frame, cr, text, is_of_tokens ? pick : NULL, &box,
                           &(HlBubblePlace){ .gap = 12, .attention = frame->shown->original });
}

/*
 * Where a number is in each matrix, and what it is made of. A score of query i and key j comes from row i of Q and
 * row j of K; a weight from its whole row of scores; a number of the output from row i of the weights and its column
 * of V.
 */
static void
hl_steps_scene_draw_overlay (HlScene            *scene,
                             const HlSceneFrame *frame,
                             cairo_t            *cr)
{
  HlStepsScene *self = HL_STEPS_SCENE (scene);
  const HlPick *focus = frame->focus;
  const HlPick *hovered = frame->hovered;

  const HlStepsLayout *layout = frame->layout;
  const HlStepsData *wanted = frame->wanted;
  /* A weight of the model is no token that could be in focus. */
  const gboolean is_number = hovered->kind == HL_PICK_NUMBER;

  if (wanted == NULL || (focus->kind == HL_PICK_NONE && !is_number))
    return;
  cairo_save (cr);
  cairo_rectangle (cr, 0, layout->header_height, layout->width, MAX (0, layout->height - layout->header_height));
  cairo_clip (cr);
  for (guint i = 0; i < layout->n_cards; i++)
    if (is_number)
      draw_marks (cr, &layout->cards[i], wanted->steps, hovered);
    else
      draw_marks_of_focus (cr, &layout->cards[i], wanted->steps, frame->in_focus);
  cairo_restore (cr);
  /*
   * While something is pinned, the number under the pointer can still be read. A whole token has no place for a number.
   */
  const HlPick *told = hovered->step != HL_STEP_NONE ? hovered : focus;
  if (told->step != HL_STEP_NONE)
    draw_bubble (self, frame, cr, told);
}

static void
hl_steps_scene_class_init (HlStepsSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  object_class->finalize = hl_steps_scene_finalize;
  scene_class->label_size = LABEL_SIZE;
  scene_class->layout_size = sizeof (HlStepsLayout);
  scene_class->lay_out = hl_steps_scene_lay_out;
  scene_class->measure = hl_steps_scene_measure;
  scene_class->create_data = hl_steps_scene_create_data;
  scene_class->create_job = hl_steps_scene_create_job;
  scene_class->accept = hl_steps_scene_accept;
  scene_class->draw[HL_SCENE_BACKDROP] = hl_steps_scene_draw_backdrop;
  scene_class->draw[HL_SCENE_PICTURE] = hl_steps_scene_draw_picture;
  scene_class->draw[HL_SCENE_OVERLAY] = hl_steps_scene_draw_overlay;
  scene_class->pick = hl_steps_scene_pick;
  scene_class->describe = hl_steps_scene_describe;
  scene_class->make_row = hl_steps_scene_make_row;
  scene_class->zoom = hl_steps_scene_zoom;
  scene_class->fit = hl_steps_scene_fit;
  scene_class->locate = hl_steps_scene_locate;
  scene_class->ignored = HL_CHANGED_VIEW | HL_CHANGED_HEADS | HL_CHANGED_SOURCE | HL_CHANGED_EXAMPLE |
                         HL_CHANGED_SHOWN_SOURCE | HL_CHANGED_FILTERS | HL_CHANGED_LINES;
}

static void
hl_steps_scene_init (HlStepsScene *self)
{
}
