/* SPDX-License-Identifier: MIT */
/*
 * The neuron view, after BertViz (Vig 2019): tokens on both sides and lines between them, as in the head view, until a
 * query is pointed at. Then its features, those of every key, their products, and what becomes of these: q·k, the
 * score, the weight.
 */
#include "draw/neuron/hl-neuron-scene.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/head-view/hl-head-view-lines.h"
#include "draw/head-view/hl-head-view-picture.h"
#include "draw/neuron/hl-neuron-data.h"
#include "draw/neuron/hl-neuron-layout.h"
#include "draw/paint/hl-palette.h"
#include "draw/paint/hl-theme.h"
#include "draw/paint/hl-value-cells.h"
#include "draw/scene/hl-scene-describe.h"
#include "draw/scene/hl-scene-label.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/steps/hl-step-text.h"
#include "draw/text/hl-token-label.h"
#include "view/hl-weight-text.h"

#define LABEL_SIZE 13

#define TITLE_SIZE 11
#define NOTICE_SIZE 13

/* On paper up to so many features are shapes of their own; more are an image a row. */
#define MAX_SHAPES 8192

struct _HlNeuronScene
{
  HlScene parent_instance;

  HlHeadViewRaster *raster;
  HlNeuronRow row;
};

static const HlTextStyle title_style = { .size = 11 };

/* Between two of them, logical pixels. */
#define TITLE_GAP 6

G_DEFINE_FINAL_TYPE (HlNeuronScene, hl_neuron_scene, HL_TYPE_SCENE)

static void
hl_neuron_scene_lay_out (HlScene            *scene,
                         const HlSceneFrame *frame,
                         gpointer            layout)
{
  const HlLayerTensor *queries =
    hl_attention_get_projection (frame->shown->original, HL_QUERIES, frame->shown->selection.layer);

  hl_neuron_layout_init (layout, frame, hl_layer_tensor_get_n_columns (queries));
}

static HlSceneData *
hl_neuron_scene_create_data (HlScene       *scene,
                             const HlShown *shown)
{
  return hl_head_steps_are_known (shown->original) ? &hl_neuron_data_new (shown)->parent : NULL;
}

/* The query whose features are shown; G_MAXSIZE for none. */
static gsize
get_expanded (const HlSceneFrame *frame)
{
  const HlPick *focus = frame->focus;
  const HlRange queries = frame->shown->queries;
  const HlNeuronData *data = frame->data;

  if (hl_pick_has (focus, HL_QUERIES) && focus->query - queries.first < queries.n)
    return focus->query;
  /* Where there are too many lines to be drawn, some query is better than nothing. */
  return data != NULL && data->lines == NULL && queries.n > 0 ? queries.first : G_MAXSIZE;
}

static void
hl_neuron_scene_measure (HlScene            *scene,
                         const HlSceneFrame *frame,
                         double             *width,
                         double             *height)
{
  const HlNeuronLayout *layout = frame->layout;

  *width = layout->content_width;
  *height = layout->base.content_height;
}

static gboolean
lacks_lines (HlNeuronScene      *self,
             const HlSceneFrame *frame,
             const HlNeuronData *data)
{
  const HlHeadViewLayout *base = &((const HlNeuronLayout *) frame->layout)->base;

  return !frame->vector && data->lines != NULL && frame->width >= 1 && frame->height >= 1 &&
         (self->raster == NULL || self->raster->data != data->lines ||
          !hl_head_view_raster_serves (self->raster, data->lines, base, frame->scale, frame->theme->dark));
}

static HlSceneJob *
hl_neuron_scene_create_job (HlScene            *scene,
                            const HlSceneFrame *frame,
                            gpointer            scene_data)
{
  const HlNeuronData *data = scene_data;
  const HlNeuronLayout *layout = frame->layout;
  const gboolean needs_lines = lacks_lines (HL_NEURON_SCENE (scene), frame, data);

  if (frame->data != NULL && !needs_lines)
    return NULL;

  HlLinesJob *job = hl_scene_new_job (scene, HL_TYPE_LINES_JOB, scene_data);
  if (needs_lines)
    g_ptr_array_add (job->rasters,
                     hl_head_view_raster_new (data->lines, &layout->base, frame->scale, frame->theme->dark));
  return HL_SCENE_JOB (job);
}

static void
hl_neuron_scene_accept (HlScene            *scene,
                        const HlSceneFrame *frame,
                        HlSceneJob         *job,
                        gboolean            is_new)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);
  const HlNeuronData *data = frame->data;

  if (is_new)
    hl_neuron_row_clear (&self->row);
  hl_lines_job_move_raster (HL_LINES_JOB (job), data->lines, &self->raster, NULL);
  hl_scene_emit_changed (scene, HL_SCENE_PICTURE);
  hl_scene_emit_changed (scene, HL_SCENE_OVERLAY);
}

static void
hl_neuron_scene_draw_picture (HlScene            *scene,
                              const HlSceneFrame *frame,
                              cairo_t            *cr)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);
  const HlNeuronData *data = frame->data;
  const HlNeuronLayout *layout = frame->layout;

  if (data == NULL || data->lines == NULL)
    return;
  if (frame->vector || hl_cairo_is_vector (cr))
    hl_head_view_stroke_all (data->lines, &layout->base, frame->theme->dark, 1, cr);
  else if (self->raster != NULL && self->raster->data == data->lines)
    hl_head_view_raster_paint (self->raster, &layout->base, cr);
}

static double
hl_neuron_scene_get_picture_opacity (HlScene            *scene,
                                     const HlSceneFrame *frame)
{
  /* Without numbers there is nothing that could show instead. */
  if (frame->data == NULL)
    return 1;
  return get_expanded (frame) == G_MAXSIZE && frame->focus->kind == HL_PICK_NONE ? 1 : 0;
}

static void
hl_neuron_scene_pick (HlScene            *scene,
                      const HlSceneFrame *frame,
                      double              x,
                      double              y,
                      HlPick             *pick)
{
  hl_neuron_layout_pick (frame->layout, x, y, get_expanded (frame), pick);
}

static void
hl_neuron_scene_zoom (HlScene            *scene,
                      const HlSceneFrame *frame,
                      double              factor,
                      double              x,
                      double              y)
{
  const HlHeadViewLayout before = ((const HlNeuronLayout *) frame->layout)->base;
  const double row = (MAX (y, before.header_height) - before.first_row) / before.row_height;
  hl_scene_set_zoom (scene, CLAMP (before.row_height * factor, before.min_row, before.max_row));

  const HlNeuronLayout *layout = hl_scene_get_frame (scene)->layout;
  const HlHeadViewLayout *after = &layout->base;
  hl_scene_set_scroll (scene, frame->x,
                       frame->y + after->first_row + row * after->row_height - MAX (y, after->header_height));
}

static void
hl_neuron_scene_fit (HlScene            *scene,
                     const HlSceneFrame *frame)
{
  const HlNeuronLayout *layout = frame->layout;

  hl_scene_set_zoom (scene, hl_head_view_layout_get_fit_row (&layout->base));
  hl_scene_set_scroll (scene, 0, 0);
}

static gboolean
hl_neuron_scene_locate (HlScene            *scene,
                        const HlSceneFrame *frame,
                        const HlPick       *pick,
                        cairo_rectangle_t  *box)
{
  const HlNeuronLayout *layout = frame->layout;
  const HlHeadViewLayout *base = &layout->base;
  const HlSide side = pick->kind == HL_PICK_QUERY ? HL_QUERIES : HL_KEYS;
  const gsize row = pick->tokens[side] - base->ranges[side].first;
  const double feature_width = layout->strip_width / MAX (layout->n_features, 1);

  if (!hl_pick_has (pick, side) || row >= base->ranges[side].n)
    return FALSE;
  box->y = hl_head_view_layout_get_row_top (base, side, row);
  box->height = base->pitches[side];
  box->x = pick->kind == HL_PICK_CELL ? layout->key_x : base->columns[side].left;
  box->width = base->columns[side].right - box->x;
  if (pick->step == HL_STEP_NONE)
    return TRUE;
  box->x = pick->feature * feature_width + (pick->step == HL_STEP_QUERIES ? layout->query_x
                                            : pick->step == HL_STEP_KEYS  ? layout->key_x
                                                                          : layout->term_x);
  box->width = feature_width;
  if (side == HL_QUERIES)
    {
      box->height = MIN (base->pitches[HL_QUERIES], layout->strip_heights[HL_QUERIES] + 4);
      box->y = hl_neuron_layout_get_query_y (layout, row) - box->height / 2;
    }
  return TRUE;
}

static void
hl_neuron_scene_finalize (GObject *object)
{
  HlNeuronScene *self = HL_NEURON_SCENE (object);

  g_clear_pointer (&self->raster, hl_head_view_raster_free);
  hl_neuron_row_clear (&self->row);
  G_OBJECT_CLASS (hl_neuron_scene_parent_class)->finalize (object);
}

/* "time → flies · feature 5: −0.4 × 0.3 = −0.12" */
static char *
describe_term (const HlHeadSteps *steps,
               const HlPick      *pick)
{
  g_autofree char *query = hl_token_text_quote (hl_attention_get_texts (steps->attention, HL_QUERIES)[pick->query]);
  g_autofree char *key = hl_token_text_quote (hl_attention_get_texts (steps->attention, HL_KEYS)[pick->key]);
  const float q = hl_head_steps_get_projection (steps, HL_QUERIES, pick->query)[pick->feature];
  const float k = hl_head_steps_get_projection (steps, HL_KEYS, pick->key)[pick->feature];
  char texts[3][HL_SCORE_TEXT_SIZE];

  /* Translators: query token, key token, a feature of both, its two numbers and their product */
  return g_strdup_printf (_ ("%s → %s · feature %zu: %s × %s = %s"), query, key, pick->feature,
                          hl_score_text_format (q, texts[0]), hl_score_text_format (k, texts[1]),
                          hl_score_text_format (q * k, texts[2]));
}

static char *
describe_query (HlNeuronScene      *self,
                const HlSceneFrame *frame,
                HlNeuronData       *data,
                const HlPick       *pick)
{
  hl_neuron_row_follow (&self->row, data, pick->query);
  return hl_scene_describe_token (frame->shown, pick, self->row.weights + data->keys.first, data->keys, 1);
}

static char *
describe_key (const HlSceneFrame *frame,
              const HlPick       *pick)
{
  const HlNeuronData *data = frame->data;
  g_autofree float *weights = g_new (float, MAX (data->queries.n, 1));

  if (data->lines == NULL)
    return hl_scene_describe_token (frame->shown, pick, NULL, data->queries, 1);
  hl_head_view_data_get_row (data->lines, 0, &(HlFocus){ *pick, NULL }, weights);
  return hl_scene_describe_token (frame->shown, pick, weights, data->queries, 1);
}

static char *
hl_neuron_scene_describe (HlScene            *scene,
                          const HlSceneFrame *frame,
                          const HlPick       *pick)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);
  HlNeuronData *data = frame->data;
  const gboolean has_query = hl_pick_has (pick, HL_QUERIES);
  const gboolean has_key = hl_pick_has (pick, HL_KEYS);

  if (pick->kind == HL_PICK_HEAD)
    return hl_scene_describe_head (frame->shown, pick->head);
  if (data == NULL)
    return pick->kind == HL_PICK_CELL ? hl_scene_describe_cell (frame->shown, pick, NULL, 1)
                                      : hl_scene_describe_token (frame->shown, pick, NULL, (HlRange){ 0, 0 }, 1);
  if (pick->step != HL_STEP_NONE && pick->feature >= data->steps->n_features)
    return NULL;
  if (has_query && has_key && pick->step == HL_STEP_PRODUCTS)
    return describe_term (data->steps, pick);
  if (pick->step == HL_STEP_QUERIES || pick->step == HL_STEP_KEYS)
    return hl_step_text_describe_feature (data->steps, pick->step, pick->tokens[hl_step_get_side (pick->step)],
                                          pick->feature);
  if (pick->kind == HL_PICK_CELL)
    return hl_step_text_describe_cell (data->steps, pick->query, pick->key);
  return has_query ? describe_query (self, frame, data, pick) : describe_key (frame, pick);
}

/* Of keys; features are those of one query. */
static float *
hl_neuron_scene_make_row (HlScene            *scene,
                          const HlSceneFrame *frame,
                          const HlFocus      *focus,
                          guint              *n_heads)
{
  const HlNeuronData *data = frame->data;

  *n_heads = 1;
  return data != NULL && data->lines != NULL && focus->pick.kind == HL_PICK_KEY
           ? hl_head_view_data_make_mean_row (data->lines, focus, data->queries.n)
           : NULL;
}

static gboolean
is_in_focus (const HlSceneFrame *frame,
             HlSide              side,
             gsize               index)
{
  const HlPick *focus = frame->focus;
  const HlPick token = hl_pick_of (side, index);

  if (side == HL_QUERIES)
    return index == get_expanded (frame);
  return focus->kind == HL_PICK_CELL ? focus->key == index : hl_focus_covers (frame->in_focus, &token);
}

static void
hl_neuron_scene_draw_label (HlNeuronScene      *self,
                            const HlSceneFrame *frame,
                            cairo_t            *cr,
                            HlSide              side,
                            gsize               row,
                            gboolean            in_focus,
                            gboolean            pinned)
{
  const HlNeuronLayout *layout = frame->layout;
  const HlHeadViewLayout *base = &layout->base;
  const HlLabelColumn *column = &base->columns[side];
  const HlSceneLabel label = {
    .attention = frame->shown->original,
    .side = side,
    .token = base->ranges[side].first + row,
    .style = { .size = in_focus ? MAX (base->label_sizes[side], 11) : base->label_sizes[side],
               .max_width = column->right - column->left - 6 },
    .colour = &frame->theme->foreground,
    .align = side == HL_QUERIES ? 1 : 0,
    .pitch = base->pitches[side] * base->label_strides[side],
    .in_focus = in_focus,
    .pinned = pinned,
  };

  hl_scene_draw_label (HL_SCENE (self), frame, cr, &label, side == HL_QUERIES ? column->right - 4 : column->left + 4,
                       hl_head_view_layout_get_row_y (base, side, row));
}

static void
draw_column (HlNeuronScene      *self,
             const HlSceneFrame *frame,
             cairo_t            *cr,
             HlSide              side)
{
  const HlNeuronLayout *layout = frame->layout;
  const HlRange range = layout->base.ranges[side];
  gsize first, end;

  hl_head_view_layout_get_rows_seen (&layout->base, side, range.n, &first, &end);
  first -= MIN (first, layout->base.label_strides[side]);
  for (gsize row = first; row < end; row++)
    /* On a screen labels are painted over; on paper, where text can be searched, none should be there twice. */
    if (hl_head_view_layout_has_label (&layout->base, frame->shown->original, side, row) &&
        (!frame->vector || !is_in_focus (frame, side, range.first + row)))
      hl_neuron_scene_draw_label (self, frame, cr, side, row, FALSE, FALSE);
}

static void
draw_tokens (HlNeuronScene      *self,
             const HlSceneFrame *frame,
             cairo_t            *cr)
{
  const HlTheme *theme = frame->theme;
  const HlNeuronLayout *layout = frame->layout;
  const HlHeadViewLayout *base = &layout->base;
  const HlTextStyle style = { .size = TITLE_SIZE };

  /* Translators: title of the column of tokens that attend */
  hl_scene_write (HL_SCENE (self), cr, _ ("query"), &style, &theme->muted, base->columns[HL_QUERIES].right - 4,
                  base->titles_y, 1);
  /* Translators: title of the column of tokens that are attended to */
  hl_scene_write (HL_SCENE (self), cr, _ ("key"), &style, &theme->muted, base->columns[HL_KEYS].left + 4,
                  base->titles_y, 0);
  /* Something went under the header. */
  if (base->first_row < base->header_height)
    {
      hl_cairo_set_colour (cr, &theme->grid, 1);
      cairo_rectangle (cr, 0, base->header_height - 1, base->width, 1);
      cairo_fill (cr);
    }
  cairo_rectangle (cr, 0, base->header_height, base->width, MAX (0, base->height - base->header_height));
  cairo_clip (cr);
  if (base->queries.n == 0 || base->keys.n == 0)
    hl_scene_write (HL_SCENE (self), cr, _ ("No tokens to show"), &(HlTextStyle){ .size = NOTICE_SIZE }, &theme->muted,
                    base->width / 2, base->header_height + 48, 0.5);
  draw_column (self, frame, cr, HL_QUERIES);
  draw_column (self, frame, cr, HL_KEYS);
}

static void
hl_neuron_scene_draw_backdrop (HlScene            *scene,
                               const HlSceneFrame *frame,
                               cairo_t            *cr)
{
  hl_scene_paint_background (frame, cr);
  hl_scene_draw_caption (scene, frame, cr, 18);
  if (frame->layout != NULL)
    draw_tokens (HL_NEURON_SCENE (scene), frame, cr);
  else
    hl_scene_draw_lack (scene, frame, cr, hl_step_text_get_lack ());
}

/* Rows so low that nothing is between them, from @top: neighbours may share pixels. */
static void
draw_dense_strips (const HlSceneFrame *frame,
                   const HlValueCells *cells,
                   double              limit,
                   double              x,
                   double              top,
                   cairo_t            *cr)
{
  const HlNeuronLayout *layout = frame->layout;
  const HlValuePaint paint = { .theme = frame->theme, .diverging = TRUE, .limit = limit };
  const cairo_rectangle_t box = { hl_cairo_snap (x, layout->scale), hl_cairo_snap (top, layout->scale),
                                  layout->strip_width, cells->n_rows * layout->base.pitches[HL_KEYS] };

  if (frame->vector)
    {
      hl_value_cells_draw (cells, &paint, &box, cr);
      return;
    }
  const int width = MAX (1, (int) lround (box.width * layout->scale));
  const int height = MAX (1, (int) lround (box.height * layout->scale));
  g_autoptr (cairo_surface_t) image = hl_value_cells_make_image (cells, &paint, width, height, 0);
  cairo_save (cr);
  cairo_translate (cr, box.x, box.y);
  cairo_scale (cr, 1 / layout->scale, 1 / layout->scale);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}

/* The rows of @cells, one under the other as the tokens of that side are, the first with its middle at @y. */
static void
draw_strips (const HlSceneFrame *frame,
             HlSide              side,
             const HlValueCells *cells,
             double              limit,
             double              x,
             double              y,
             cairo_t            *cr)
{
  const HlNeuronLayout *layout = frame->layout;
  const double pitch = layout->base.pitches[side], strip_height = layout->strip_heights[side];
  const HlValuePaint paint = { .theme = frame->theme, .diverging = TRUE, .limit = limit };
  const gboolean as_shapes = frame->vector && cells->n_rows * cells->n_columns <= MAX_SHAPES;
  const int width = frame->vector ? (int) cells->n_columns
                                  : MAX (1, (int) lround (layout->strip_width * layout->scale));
  g_autoptr (cairo_surface_t)
    image = as_shapes ? NULL : hl_value_cells_make_image (cells, &paint, width, (int) cells->n_rows, 0);

  for (gsize row = 0; row < cells->n_rows; row++)
    {
      const double top = hl_cairo_snap (y + row * pitch - strip_height / 2, layout->scale);
      const cairo_rectangle_t box = { hl_cairo_snap (x, layout->scale), top, layout->strip_width, strip_height };

      if (as_shapes)
        {
          const HlValueCells one = { cells->values + row * cells->n_columns, 1, cells->n_columns };
          hl_value_cells_draw (&one, &paint, &box, cr);
          continue;
        }
      cairo_save (cr);
      cairo_rectangle (cr, box.x, box.y, box.width, box.height);
      cairo_clip (cr);
      cairo_translate (cr, box.x, box.y - row * box.height);
      cairo_scale (cr, box.width / width, box.height);
      cairo_set_source_surface (cr, image, 0, 0);
      cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
      cairo_paint (cr);
      cairo_restore (cr);
    }
}

static float *
make_terms (const HlHeadSteps *steps,
            gsize              query,
            gsize              first_key,
            gsize              n_keys)
{
  const float *q = hl_head_steps_get_projection (steps, HL_QUERIES, query);
  float *terms = g_new (float, MAX (n_keys * steps->n_features, 1));

  for (gsize i = 0; i < n_keys; i++)
    {
      const float *k = hl_head_steps_get_projection (steps, HL_KEYS, first_key + i);
      for (gsize j = 0; j < steps->n_features; j++)
        terms[i * steps->n_features + j] = q[j] * k[j];
    }
  return terms;
}

static void
draw_weight (HlNeuronScene      *self,
             const HlSceneFrame *frame,
             double              y,
             float               weight,
             cairo_t            *cr)
{
  const HlTheme *theme = frame->theme;
  const HlNeuronLayout *layout = frame->layout;
  const HlColour colour = hl_palette_get_head_colour (frame->shown->selection.head, theme->dark);
  const double height = MIN (layout->strip_heights[HL_KEYS], 12);
  const double whole =
    frame->shown->options.whole_bars ? 1 : MAX (self->row.greatest, hl_shown_get_least_whole (frame->shown));
  const double share = whole > 0 && weight > 0 ? weight / whole : 0;
  char number[HL_WEIGHT_TEXT_SIZE];

  hl_cairo_set_colour (cr, &colour, 1);
  cairo_rectangle (cr, layout->weight_x, y - height / 2, share * layout->weight_width, height);
  cairo_fill (cr);
  if (layout->has_numbers)
    hl_scene_write (HL_SCENE (self), cr, hl_weight_text_format (weight, number),
                    &(HlTextStyle){ .size = layout->number_size }, &theme->foreground,
                    layout->weight_x + layout->weight_width + 6, y, 0);
}

static void
draw_masked (HlNeuronScene        *self,
             const HlNeuronLayout *layout,
             const HlTheme        *theme,
             double                y,
             cairo_t              *cr)
{
  const double height = MIN (layout->strip_heights[HL_KEYS], 12);
  const double x = layout->weight_x;

  cairo_save (cr);
  hl_cairo_set_colour (cr, &theme->masked, 1);
  cairo_rectangle (cr, x, y - height / 2, layout->weight_width, height);
  cairo_fill (cr);
  cairo_rectangle (cr, x, y - height / 2, layout->weight_width, height);
  cairo_clip (cr);
  hl_cairo_set_colour (cr, &theme->hatch, 1);
  cairo_set_line_width (cr, 0.8);
  for (double offset = -height; offset < layout->weight_width; offset += 6)
    {
      cairo_move_to (cr, x + offset, y + height / 2);
      cairo_line_to (cr, x + offset + height, y - height / 2);
    }
  cairo_stroke (cr);
  cairo_restore (cr);
  /* The stripes say it as well: half the word would not help. */
  const HlTextStyle style = { .size = layout->number_size };
  if (layout->has_numbers && hl_scene_measure_text (HL_SCENE (self), _ ("masked"), &style) <= layout->weight_number - 6)
    hl_scene_write (HL_SCENE (self), cr, _ ("masked"), &style, &theme->muted, x + layout->weight_width + 6, y, 0);
}

static void
draw_numbers (HlNeuronScene      *self,
              const HlSceneFrame *frame,
              gsize               row,
              cairo_t            *cr)
{
  const HlTheme *theme = frame->theme;
  const HlNeuronLayout *layout = frame->layout;
  const HlHeadSteps *steps = self->row.data->steps;
  const gsize key = layout->base.keys.first + row;
  const double y = hl_head_view_layout_get_row_y (&layout->base, HL_KEYS, row);
  const gboolean visible =
    hl_mask_is_visible (&steps->rule.mask, steps->n_queries, steps->n_keys, self->row.query, key) &&
    !hl_weight_is_masked (&steps->rule.mask, self->row.weights[key]);
  const HlColour *ink = visible ? &theme->foreground : &theme->muted;
  char number[HL_SCORE_TEXT_SIZE];

  const HlTextStyle style = { .size = layout->number_size };
  if (layout->has_products)
    hl_scene_write (HL_SCENE (self), cr, hl_score_text_format_short (self->row.products[key], number), &style, ink,
                    layout->product_x, y, 1);
  if (layout->has_scores)
    hl_scene_write (HL_SCENE (self), cr, hl_score_text_format_short (self->row.scores[key], number), &style, ink,
                    layout->score_x, y, 1);
  if (visible)
    draw_weight (self, frame, y, self->row.weights[key], cr);
  else
    draw_masked (self, layout, theme, y, cr);
}

/* A title, and, where there is room, how large the numbers are that the strongest colours stand for; or else the same in fewer
 * letters. Returns where it ends. */
static double
draw_strip_title (HlNeuronScene        *self,
                  const HlNeuronLayout *layout,
                  const HlTheme        *theme,
                  const char           *name,
                  const char           *short_name,
                  double                limit,
                  double                x,
                  cairo_t              *cr)
{
  char number[HL_SCORE_TEXT_SIZE];
  g_autofree char *full = g_strdup_printf ("%s  ±%s", name, hl_score_text_format (limit, number));
  const char *const titles[] = { full, name, short_name };
  double width = 0;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      width = hl_scene_measure_text (HL_SCENE (self), titles[i], &title_style);
      if (width <= layout->strip_width + layout->gap - TITLE_GAP)
        break;
    }
  hl_scene_write (HL_SCENE (self), cr, titles[MIN (i, G_N_ELEMENTS (titles) - 1)], &title_style, &theme->muted, x,
                  layout->base.titles_y, 0);
  return x + width;
}

static void
draw_titles (HlNeuronScene        *self,
             const HlNeuronLayout *layout,
             const HlTheme        *theme,
             cairo_t              *cr)
{
  const double y = layout->base.titles_y;

  draw_strip_title (self, layout, theme, "q", "q", self->row.query_limit, layout->query_x, cr);
  draw_strip_title (self, layout, theme, "k", "k", self->row.data->key_limit, layout->key_x, cr);
  const double end = draw_strip_title (self, layout, theme, "q × k", "q×k", self->row.term_limit, layout->term_x, cr) +
                     TITLE_GAP;
  if (layout->has_products)
    hl_scene_write (HL_SCENE (self), cr, "q · k", &title_style, &theme->muted, layout->product_x, y, 1);
  if (layout->has_scores)
    /* Translators: title of a column of numbers that the softmax is made of */
    hl_scene_write (HL_SCENE (self), cr, _ ("score"), &title_style, &theme->muted, layout->score_x, y, 1);
  /* Where no number stands between them, strips of few features are narrower than their title. */
  hl_scene_write (HL_SCENE (self), cr, _ ("softmax"), &title_style, &theme->muted,
                  layout->has_products || layout->has_scores ? layout->weight_x : MAX (layout->weight_x, end), y, 0);
}

/* One query: its features, those of the keys in view, their products, and the numbers that follow from them. */
static void
hl_neuron_scene_draw_row (HlNeuronScene      *self,
                          const HlSceneFrame *frame,
                          cairo_t            *cr)
{
  const HlNeuronLayout *layout = frame->layout;
  const HlHeadViewLayout *base = &layout->base;
  const HlTheme *theme = frame->theme;
  const HlHeadSteps *steps = self->row.data->steps;
  gsize first, end;

  draw_titles (self, layout, theme, cr);
  hl_head_view_layout_get_rows_seen (base, HL_KEYS, base->keys.n, &first, &end);
  if (first >= end)
    return;

  const gsize key = base->keys.first + first;
  const double y = hl_head_view_layout_get_row_y (base, HL_KEYS, first);
  g_autofree float *terms = make_terms (steps, self->row.query, key, end - first);
  const HlValueCells query_cells = { hl_head_steps_get_projection (steps, HL_QUERIES, self->row.query), 1,
                                     steps->n_features };
  const HlValueCells key_cells = { hl_head_steps_get_projection (steps, HL_KEYS, key), end - first, steps->n_features };
  const HlValueCells term_cells = { terms, end - first, steps->n_features };

  cairo_save (cr);
  cairo_rectangle (cr, 0, base->header_height, base->width, MAX (0, base->height - base->header_height));
  cairo_clip (cr);
  if (layout->strip_heights[HL_KEYS] >= base->pitches[HL_KEYS])
    {
      const double top = hl_head_view_layout_get_row_top (base, HL_KEYS, first);
      draw_dense_strips (frame, &key_cells, self->row.data->key_limit, layout->key_x, top, cr);
      draw_dense_strips (frame, &term_cells, self->row.term_limit, layout->term_x, top, cr);
    }
  else
    {
      draw_strips (frame, HL_KEYS, &key_cells, self->row.data->key_limit, layout->key_x, y, cr);
      draw_strips (frame, HL_KEYS, &term_cells, self->row.term_limit, layout->term_x, y, cr);
    }
  draw_strips (frame, HL_QUERIES, &query_cells, self->row.query_limit, layout->query_x,
               hl_neuron_layout_get_query_y (layout, self->row.query - base->queries.first), cr);
  for (gsize row = first; row < end; row++)
    draw_numbers (self, frame, row, cr);
  cairo_restore (cr);
}

static void
draw_focused_labels (HlNeuronScene      *self,
                     const HlSceneFrame *frame,
                     cairo_t            *cr,
                     gsize               expanded)
{
  const HlNeuronLayout *layout = frame->layout;
  const HlPick *pinned = frame->pinned;
  const HlHeadViewLayout *base = &layout->base;

  cairo_save (cr);
  cairo_rectangle (cr, 0, base->header_height, base->width, MAX (0, base->height - base->header_height));
  cairo_clip (cr);
  if (expanded - base->queries.first < base->queries.n)
    hl_neuron_scene_draw_label (self, frame, cr, HL_QUERIES, expanded - base->queries.first, TRUE,
                                hl_pick_has (pinned, HL_QUERIES) && pinned->query == expanded);
  gsize n;
  g_autofree gsize *keys = hl_focus_list_tokens (frame->in_focus, HL_KEYS, &n);
  for (gsize i = 0; i < n; i++)
    if (keys[i] - base->keys.first < base->keys.n)
      hl_neuron_scene_draw_label (self, frame, cr, HL_KEYS, keys[i] - base->keys.first, TRUE,
                                  hl_pick_equal (frame->focus, pinned));
  cairo_restore (cr);
}

static void
draw_bubble (HlNeuronScene      *self,
             const HlSceneFrame *frame,
             cairo_t            *cr,
             const HlPick       *pick)
{
  const HlNeuronLayout *layout = frame->layout;
  g_autofree char *text = hl_scene_describe (HL_SCENE (self), pick);
  cairo_rectangle_t box;

  if (text == NULL || !hl_scene_locate (HL_SCENE (self), pick, &box.x, &box.y, &box.width, &box.height))
    return;
  if (box.y + box.height < layout->base.header_height || box.y > layout->base.height)
    return;
  hl_callout_outline (cr, &(cairo_rectangle_t){ box.x, box.y + 2, box.width, box.height - 4 }, 1);
  hl_scene_draw_bubble_of (HL_SCENE (self), frame, cr, text, pick, &box,
                           &(HlBubblePlace){ .gap = 6, .attention = frame->shown->original });
}

/* A query with its features, or the lines of a key, and the number under the pointer. */
static void
hl_neuron_scene_draw_overlay (HlScene            *scene,
                              const HlSceneFrame *frame,
                              cairo_t            *cr)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);
  const HlPick *focus = frame->focus;
  const HlPick *hovered = frame->hovered;
  HlNeuronData *data = frame->data;
  const HlNeuronLayout *layout = frame->layout;
  const gsize expanded = get_expanded (frame);

  draw_focused_labels (self, frame, cr, expanded);
  if (data == NULL)
    return;
  if (expanded != G_MAXSIZE)
    {
      hl_neuron_row_follow (&self->row, data, expanded);
      hl_neuron_scene_draw_row (self, frame, cr);
    }
  else if (focus->kind == HL_PICK_KEY && data->lines != NULL)
    hl_head_view_draw_focus (data->lines, &layout->base, frame->in_focus, G_MAXUINT, layout->scale, frame->theme->dark,
                             frame->vector, cr);

  /* While something is pinned, the number under the pointer can still be read. */
  const HlPick *told = hovered->step != HL_STEP_NONE || hovered->kind == HL_PICK_CELL ? hovered : focus;
  if (told->step != HL_STEP_NONE || told->kind == HL_PICK_CELL)
    draw_bubble (self, frame, cr, told);
}

static void
hl_neuron_scene_class_init (HlNeuronSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  object_class->finalize = hl_neuron_scene_finalize;
  scene_class->label_size = LABEL_SIZE;
  scene_class->layout_size = sizeof (HlNeuronLayout);
  scene_class->lay_out = hl_neuron_scene_lay_out;
  scene_class->measure = hl_neuron_scene_measure;
  scene_class->create_data = hl_neuron_scene_create_data;
  scene_class->create_job = hl_neuron_scene_create_job;
  scene_class->accept = hl_neuron_scene_accept;
  scene_class->draw[HL_SCENE_BACKDROP] = hl_neuron_scene_draw_backdrop;
  scene_class->draw[HL_SCENE_PICTURE] = hl_neuron_scene_draw_picture;
  scene_class->draw[HL_SCENE_OVERLAY] = hl_neuron_scene_draw_overlay;
  scene_class->get_picture_opacity = hl_neuron_scene_get_picture_opacity;
  scene_class->pick = hl_neuron_scene_pick;
  scene_class->describe = hl_neuron_scene_describe;
  scene_class->make_row = hl_neuron_scene_make_row;
  scene_class->zoom = hl_neuron_scene_zoom;
  scene_class->fit = hl_neuron_scene_fit;
  scene_class->locate = hl_neuron_scene_locate;
  scene_class->ignored = HL_CHANGED_VIEW | HL_CHANGED_HEADS | HL_CHANGED_SOURCE | HL_CHANGED_EXAMPLE |
                         HL_CHANGED_SHOWN_SOURCE | HL_CHANGED_FILTERS | HL_CHANGED_COLOURS;
}

static void
hl_neuron_scene_init (HlNeuronScene *self)
{
}
