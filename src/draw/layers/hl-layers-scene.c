/* SPDX-License-Identifier: MIT */
/*
 * All layers: a column of tokens for the input and one for each layer, as the text is read, and between them the lines
 * of that layer from its queries to its keys, which are what the layer below made.
 */
#include "draw/layers/hl-layers-scene.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/head-view/hl-head-view-picture.h"
#include "draw/layers/hl-layers-data.h"
#include "draw/layers/hl-layers-layout.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-describe.h"
#include "draw/scene/hl-scene-label.h"
#include "draw/scene/hl-scene-write.h"
#include "view/hl-gap-text.h"

#define LABEL_SIZE 13
/* All lines stay a hint of themselves while a token shows its own. */
#define QUIET_OPACITY 0.15

/* Parts of a share that are drawn as lines: no more than fifty of those of one token fit into one step, whatever the weights. */
#define MIN_FLOW 0.02f
/* Of those that a token of the input has in many others, the strongest of a step. */
#define MAX_FLOWS 64
#define TITLE_SIZE 11
#define CAPTION_Y 18
/* Of the input, beside whose title there is only a number. */
#define MIN_INPUT_TITLE 48

struct _HlLayersScene
{
  HlScene parent_instance;

  /* Of each layer. */
  GPtrArray *rasters;
};

G_DEFINE_FINAL_TYPE (HlLayersScene, hl_layers_scene, HL_TYPE_SCENE)

static void
hl_layers_scene_lay_out (HlScene            *scene,
                         const HlSceneFrame *frame,
                         gpointer            layout)
{
  hl_layers_layout_init (layout, frame);
}

static HlSceneData *
hl_layers_scene_create_data (HlScene       *scene,
                             const HlShown *shown)
{
  g_autoptr (HlLayersData) data = hl_layers_data_new (shown);

  return hl_layers_data_is_square (data) ? &g_steal_pointer (&data)->parent : NULL;
}

static void
hl_layers_scene_measure (HlScene            *scene,
                         const HlSceneFrame *frame,
                         double             *width,
                         double             *height)
{
  const HlLayersLayout *layout = frame->layout;

  *width = layout->content_width;
  *height = layout->content_height;
}

static gboolean
has_rasters (HlLayersScene      *self,
             const HlSceneFrame *frame,
             const HlLayersData *data)
{
  if (self->rasters->len != data->n_layers)
    return FALSE;
  for (guint layer = 0; layer < self->rasters->len; layer++)
    {
      const HlHeadViewLayout rows = hl_layers_layout_get_layer (frame->layout, layer);
      if (!hl_head_view_raster_serves (g_ptr_array_index (self->rasters, layer), data->layers[layer], &rows,
                                       frame->scale, frame->theme->dark))
        return FALSE;
    }
  return TRUE;
}

static HlSceneJob *
hl_layers_scene_create_job (HlScene            *scene,
                            const HlSceneFrame *frame,
                            gpointer            scene_data)
{
  const HlLayersData *data = scene_data;
  const gboolean no_pixels = frame->vector || frame->width < 1 || frame->height < 1;

  if (frame->data != NULL && (no_pixels || has_rasters (HL_LAYERS_SCENE (scene), frame, data)))
    return NULL;

  HlLinesJob *job = hl_scene_new_job (scene, HL_TYPE_LINES_JOB, scene_data);
  for (guint layer = 0; !no_pixels && layer < data->n_layers; layer++)
    {
      const HlHeadViewLayout rows = hl_layers_layout_get_layer (frame->layout, layer);
      g_ptr_array_add (job->rasters,
                       hl_head_view_raster_new (data->layers[layer], &rows, frame->scale, frame->theme->dark));
    }
  return HL_SCENE_JOB (job);
}

static void
hl_layers_scene_accept (HlScene            *scene,
                        const HlSceneFrame *frame,
                        HlSceneJob         *scene_job,
                        gboolean            is_new)
{
  HlLayersScene *self = HL_LAYERS_SCENE (scene);
  HlLinesJob *job = HL_LINES_JOB (scene_job);

  if (job->rasters->len > 0 && hl_scene_job_get_data (scene_job) == frame->data)
    {
      g_clear_pointer (&self->rasters, g_ptr_array_unref);
      self->rasters = g_ptr_array_ref (job->rasters);
    }
  hl_scene_emit_changed (scene, HL_SCENE_PICTURE);
  hl_scene_emit_changed (scene, HL_SCENE_OVERLAY);
}

/* Whether the lines of one token, or the line of a pair, are seen over all others. */
static gboolean
is_quiet (HlScene            *scene,
          const HlSceneFrame *frame)
{
  return hl_scene_get_any_data (scene) != NULL && !hl_pick_is_place (frame->focus) &&
         frame->focus->kind != HL_PICK_NONE;
}

static void
hl_layers_scene_draw_picture (HlScene            *scene,
                              const HlSceneFrame *frame,
                              cairo_t            *cr)
{
  HlLayersScene *self = HL_LAYERS_SCENE (scene);
  const HlLayersLayout *layout = frame->layout;
  const HlLayersData *data = frame->data;
  const gboolean as_strokes = frame->vector || hl_cairo_is_vector (cr);

  if (data == NULL)
    return;
  for (guint layer = 0; layer < data->n_layers; layer++)
    {
      const HlHeadViewLayout rows = hl_layers_layout_get_layer (layout, layer);
      const HlHeadViewRaster *raster = layer < self->rasters->len ? g_ptr_array_index (self->rasters, layer) : NULL;

      if (as_strokes)
        hl_head_view_stroke_all (data->layers[layer], &rows, frame->theme->dark,
                                 is_quiet (scene, frame) && frame->vector ? QUIET_OPACITY : 1, cr);
      else if (raster != NULL && raster->data == data->layers[layer])
        hl_head_view_raster_paint (raster, &rows, cr);
    }
}

static double
hl_layers_scene_get_picture_opacity (HlScene            *scene,
                                     const HlSceneFrame *frame)
{
  /* Strokes are made faint one by one: cairo forgets memory of groups in an SVG. */
  return is_quiet (scene, frame) && !frame->vector ? QUIET_OPACITY : 1;
}

static void
hl_layers_scene_pick (HlScene            *scene,
                      const HlSceneFrame *frame,
                      double              x,
                      double              y,
                      HlPick             *pick)
{
  hl_layers_layout_pick (frame->layout, x, y, pick);
}

static char *
hl_layers_scene_describe (HlScene            *scene,
                          const HlSceneFrame *frame,
                          const HlPick       *pick)
{
  const HlLayersData *data = frame->data;
  const HlSide side = hl_pick_get_side (pick), other = hl_side_get_other (side);
  const HlRange range = frame->shown->ranges[side], others = frame->shown->ranges[other];
  const gsize index = pick->tokens[side] - range.first;
  const guint layer = side == HL_QUERIES ? pick->layer : 0;
  g_autofree float *weights = NULL;

  if (!hl_pick_is_token (pick) || index >= range.n || layer >= hl_attention_get_n_layers (frame->shown->attention))
    return NULL;

  const guint n_heads = data != NULL ? data->layers[layer]->n_heads : 0;
  if (n_heads > 0)
    weights = hl_head_view_data_make_mean_row (data->layers[layer], &(HlFocus){ *pick, NULL }, others.n);
  g_autofree char *token = hl_scene_describe_token (frame->shown, pick, weights, others, n_heads);
  /* What several layers became is above no input. */
  if (frame->shown->merges_layers)
    return g_steal_pointer (&token);
  g_autofree char *where = side == HL_QUERIES ? g_strdup_printf (_ ("layer %u"), layer) : g_strdup (_ ("input"));
  return hl_attention_get_n_heads (frame->shown->attention, layer) > 0
           ? g_strdup_printf ("%s · %s", where, token)
           : g_strdup_printf ("%s · %s: %s", where, token, hl_gap_text_get (frame->shown->attention, layer));
}

static float *
hl_layers_scene_make_row (HlScene            *scene,
                          const HlSceneFrame *frame,
                          const HlFocus      *focus,
                          guint              *n_heads)
{
  const HlLayersData *data = frame->data;
  const HlHeadViewData *layer = data != NULL ? data->layers[focus->pick.layer] : NULL;

  *n_heads = layer != NULL ? layer->n_heads : 0;
  const HlRange others = frame->shown->ranges[hl_side_get_other (hl_pick_get_side (&focus->pick))];
  return *n_heads > 0 ? hl_head_view_data_make_mean_row (layer, focus, others.n) : NULL;
}

static void
hl_layers_scene_zoom (HlScene            *scene,
                      const HlSceneFrame *frame,
                      double              factor,
                      double              x,
                      double              y)
{
  const HlHeadViewLayout before = ((const HlLayersLayout *) frame->layout)->rows;
  const double at = MAX (y, before.begin);
  const double row = (at - before.first_row) / before.row_height;

  hl_scene_set_zoom (scene, CLAMP (before.row_height * factor, HL_HEAD_VIEW_MIN_ROW, HL_HEAD_VIEW_MAX_ROW));

  const HlLayersLayout *layout = hl_scene_get_frame (scene)->layout;
  hl_scene_set_progress (scene, frame->x, frame->y + layout->rows.first_row + row * layout->rows.row_height - at);
}

static void
hl_layers_scene_fit (HlScene            *scene,
                     const HlSceneFrame *frame)
{
  const HlLayersLayout *layout = frame->layout;

  hl_scene_set_zoom (scene, hl_head_view_layout_get_fit_row (&layout->rows));
  hl_scene_set_progress (scene, 0, 0);
}

static void
hl_layers_scene_get_window (HlScene            *scene,
                            const HlSceneFrame *frame,
                            cairo_rectangle_t  *window)
{
  const HlLayersLayout *layout = frame->layout;

  window->y = layout->rows.begin;
  window->height = MAX (layout->rows.end - layout->rows.begin, 0);
}

static gboolean
hl_layers_scene_locate (HlScene            *scene,
                        const HlSceneFrame *frame,
                        const HlPick       *pick,
                        cairo_rectangle_t  *box)
{
  const HlLayersLayout *layout = frame->layout;
  const HlSide side = hl_pick_get_side (pick);
  const gsize row = pick->tokens[side] - layout->rows.ranges[side].first;
  const guint column = side == HL_QUERIES ? pick->layer + 1 : 0;

  if (!hl_pick_is_token (pick) || column >= layout->n_columns || row >= layout->rows.ranges[side].n)
    return FALSE;
  box->width = layout->step / 2;
  box->x = hl_layers_layout_get_column (layout, column) - box->width / 2;
  box->y = hl_head_view_layout_get_row_top (&layout->rows, side, row);
  box->height = layout->rows.row_height;
  return TRUE;
}

static gboolean
hl_layers_scene_is_mirrored (HlScene *scene)
{
  return hl_view_state_reads_right_to_left (hl_scene_get_state (scene));
}

static void
hl_layers_scene_finalize (GObject *object)
{
  HlLayersScene *self = HL_LAYERS_SCENE (object);

  g_ptr_array_unref (self->rasters);
  G_OBJECT_CLASS (hl_layers_scene_parent_class)->finalize (object);
}

static void
draw_label (HlLayersScene      *self,
            const HlSceneFrame *frame,
            cairo_t            *cr,
            gboolean            at_input,
            HlSide              side,
            gsize               row,
            gboolean            in_focus)
{
  const HlTheme *theme = frame->theme;
  const HlLayersLayout *layout = frame->layout;
  const HlHeadViewLayout *rows = &layout->rows;
  const gboolean on_left = at_input != layout->mirrored;
  const HlSceneLabel label = {
    .attention = frame->shown->attention,
    .side = side,
    .token = rows->ranges[side].first + row,
    .style = { .size = rows->label_size,
               .max_width = rows->columns[HL_QUERIES].right - rows->columns[HL_QUERIES].left - 4 },
    .colour = in_focus ? &theme->accent : &theme->foreground,
    .align = on_left ? 1 : 0,
    .pitch = rows->row_height * rows->label_stride,
  };

  hl_scene_draw_label (HL_SCENE (self), frame, cr, &label,
                       on_left ? MIN (rows->columns[HL_QUERIES].right, rows->columns[HL_KEYS].right)
                               : MAX (rows->columns[HL_QUERIES].left, rows->columns[HL_KEYS].left),
                       hl_head_view_layout_get_row_y (rows, side, row));
}

/* What a sink takes is lost: it is below no layer. */
static void
draw_sinks (cairo_t              *cr,
            const HlLayersLayout *layout,
            HlAttention          *attention,
            double                radius)
{
  cairo_set_line_width (cr, 1);
  for (guint column = 0; layout->rows.lead[HL_QUERIES] > 0 && column + 1 < layout->n_columns; column++)
    {
      if (hl_attention_get_n_heads (attention, column) == 0)
        continue;
      cairo_new_sub_path (cr);
      cairo_arc (cr, hl_layers_layout_get_column (layout, column),
                 hl_head_view_layout_get_row_y (&layout->rows, HL_KEYS, 0), radius, 0, 2 * G_PI);
    }
  cairo_stroke (cr);
}

/* Why there are no lines in a layer. */
static void
draw_gaps (HlLayersScene      *self,
           const HlSceneFrame *frame,
           cairo_t            *cr)
{
  const HlLayersLayout *layout = frame->layout;
  const HlHeadViewLayout *rows = &layout->rows;
  const HlTextStyle style = { .size = TITLE_SIZE };
  const double top = MAX (rows->begin, hl_head_view_layout_get_row_top (rows, HL_QUERIES, 0));
  const double bottom = MIN (rows->end, hl_head_view_layout_get_row_top (rows, HL_QUERIES, rows->queries.n));

  for (guint layer = 0; layer + 1 < layout->n_columns; layer++)
    {
      if (hl_attention_get_n_heads (frame->shown->attention, layer) > 0)
        continue;
      const char *text = hl_gap_text_get (frame->shown->attention, layer);
      if (bottom - top >= hl_scene_measure_text (HL_SCENE (self), text, &style))
        hl_scene_write_upwards (
          HL_SCENE (self), cr, text, &style, &frame->theme->muted,
          (hl_layers_layout_get_column (layout, layer) + hl_layers_layout_get_column (layout, layer + 1)) / 2,
          (top + bottom) / 2, 0.5);
    }
}

static void
draw_columns (HlLayersScene      *self,
              const HlSceneFrame *frame,
              cairo_t            *cr)
{
  const HlLayersLayout *layout = frame->layout;
  const HlHeadViewLayout *rows = &layout->rows;
  const double radius = CLAMP (rows->row_height * 0.1, 0.5, 2);
  gsize first, end;

  hl_head_view_layout_get_rows_seen (rows, HL_QUERIES, rows->queries.n, &first, &end);
  if (rows->lead[HL_QUERIES] > 0)
    draw_label (self, frame, cr, TRUE, HL_KEYS, 0, FALSE);
  for (gsize row = first - first % rows->label_stride; row < end; row += rows->label_stride)
    {
      draw_label (self, frame, cr, TRUE, HL_QUERIES, row, FALSE);
      draw_label (self, frame, cr, FALSE, HL_QUERIES, row, FALSE);
    }
  /* Where rows are finer than dots, they would only be a bar. */
  if (rows->row_height < 4)
    return;
  hl_cairo_set_colour (cr, &frame->theme->muted, 1);
  for (guint column = 0; column < layout->n_columns; column++)
    for (gsize row = first; row < end; row++)
      {
        cairo_new_sub_path (cr);
        cairo_arc (cr, hl_layers_layout_get_column (layout, column),
                   hl_head_view_layout_get_row_y (rows, HL_QUERIES, row), radius, 0, 2 * G_PI);
      }
  cairo_fill (cr);
  draw_sinks (cr, layout, frame->shown->attention, radius + 1);
  draw_gaps (self, frame, cr);
}

static void
draw_header (HlLayersScene      *self,
             const HlSceneFrame *frame,
             cairo_t            *cr)
{
  const HlTheme *theme = frame->theme;
  const HlLayersLayout *layout = frame->layout;
  const HlHeadViewLayout *rows = &layout->rows;

  hl_scene_draw_caption (HL_SCENE (self), frame, cr, rows->caption_y);
  for (guint column = 0; column < layout->n_columns; column++)
    {
      g_autofree char *title = NULL;
      const HlTextStyle style = { .size = TITLE_SIZE,
                                  .max_width = MAX (layout->step - 4, column == 0 ? MIN_INPUT_TITLE : 0) };

      if (frame->shown->merges_layers)
        title =
          g_strdup (column == 0 ? hl_scene_get_column_title (frame->shown) : hl_scene_get_row_title (frame->shown));
      else if (column == 0)
        /* Translators: title of the column of tokens that the lowest layer reads */
        title = g_strdup (_ ("input"));
      else if (layout->step >= 60)
        title = g_strdup_printf (_ ("layer %u"), column - 1);
      else
        title = g_strdup_printf ("%u", column - 1);
      hl_scene_write (HL_SCENE (self), cr, title, &style, &theme->muted, hl_layers_layout_get_column (layout, column),
                      rows->titles_y, 0.5);
    }
  if (rows->first_row < rows->begin)
    {
      hl_cairo_set_colour (cr, &theme->grid, 1);
      cairo_rectangle (cr, 0, rows->begin - 1, rows->width, 1);
      cairo_fill (cr);
    }
}

static void
hl_layers_scene_draw_backdrop (HlScene            *scene,
                               const HlSceneFrame *frame,
                               cairo_t            *cr)
{
  HlLayersScene *self = HL_LAYERS_SCENE (scene);
  const HlTheme *theme = frame->theme;
  const HlLayersLayout *layout = frame->layout;
  const HlTextStyle notice_style = { .size = 13, .max_width = MAX (frame->width - 24, 24) };
  const char *notice = NULL;

  hl_scene_paint_background (frame, cr);
  if (layout == NULL)
    {
      hl_scene_draw_caption (scene, frame, cr, CAPTION_Y);
      hl_scene_draw_lack (scene, frame, cr,
                          _ ("Only where the same tokens are queries and keys, layers can be joined"));
      return;
    }
  draw_header (self, frame, cr);
  if (layout->rows.queries.n == 0)
    notice = _ ("No tokens to show");
  else if (hl_head_set_count (&frame->shown->heads) == 0)
    notice = _ ("No head is selected");
  if (notice != NULL)
    hl_scene_write (scene, cr, notice, &notice_style, &theme->muted, layout->rows.width / 2, layout->rows.begin + 48,
                    0.5);
  hl_head_view_layout_enter (&layout->rows, cr);
  draw_columns (self, frame, cr);
}

/* From where the token in focus is made, or of the input, where it comes to; of several, their mean or their sum. */
static float *
trace (const HlLayersData *data,
       const HlFocus      *focus,
       HlRange             tokens_shown)
{
  const HlSide side = hl_pick_get_side (&focus->pick);
  const guint layer = focus->pick.layer;
  const double part = hl_focus_get_part (focus, data->layers[0]->attention);
  const gsize n = data->n, n_shares = (data->n_layers + 1) * n;
  float *shares = g_new0 (float, n_shares);
  gsize n_tokens;
  g_autofree gsize *tokens = hl_focus_list_tokens (focus, side, &n_tokens);

  for (gsize t = 0; t < n_tokens; t++)
    {
      const gsize token = tokens[t] - tokens_shown.first;
      /* A sink is below no layer. */
      if (side == HL_KEYS && token < data->lead)
        continue;
      g_autofree float *own = side == HL_KEYS ? hl_layers_data_trace_up (data, token - data->lead)
                                              : hl_layers_data_trace (data, layer, token);
      for (gsize i = 0; i < (side == HL_KEYS ? n_shares : (layer + 2) * n); i++)
        shares[i] += (float) (part * own[i]);
    }
  return shares;
}

/* A part of a share, on its way from one column to the next. */
typedef struct
{
  gsize query; /* of the layer between them */
  gsize key;
  float part;
} Flow;

static int
compare_flows (gconstpointer a,
               gconstpointer b)
{
  const float x = ((const Flow *) a)->part, y = ((const Flow *) b)->part;

  return (x < y) - (x > y);
}

/*
 * The parts that pass through a layer and are strong enough to be seen. The shares are those of the tokens that they come
 * from: back, queries. What a filter leaves out has no line, but what a token keeps of itself does.
 */
static GArray *
list_flows (const HlLayersData *data,
            guint               layer,
            const float        *shares,
            gboolean            back)
{
  const gsize n = data->n;
  GArray *flows = g_array_new (FALSE, FALSE, sizeof (Flow));

  for (gsize from = 0; from < n; from++)
    {
      if (!(fabsf (shares[from]) >= MIN_FLOW))
        continue;
      for (gsize to = 0; to < n; to++)
        {
          const gsize query = back ? from : to, key = back ? to : from;
          const Flow flow = { query, key, fabsf (shares[from] * hl_layers_data_get_part (data, layer, query, key)) };

          if (flow.part >= MIN_FLOW && (query == key || hl_layers_data_is_left (data, layer, query, data->lead + key)))
            g_array_append_val (flows, flow);
        }
    }
  if (flows->len > MAX_FLOWS)
    {
      g_array_sort (flows, compare_flows);
      g_array_set_size (flows, MAX_FLOWS);
    }
  return flows;
}

static void
draw_flow (cairo_t              *cr,
           const HlLayersLayout *layout,
           guint                 layer,
           double                query_y,
           double                key_y,
           float                 part,
           const HlColour       *colour)
{
  hl_cairo_set_colour (cr, colour, MIN (1, sqrt (part)));
  cairo_move_to (cr, hl_layers_layout_get_column (layout, layer + 1), query_y);
  cairo_line_to (cr, hl_layers_layout_get_column (layout, layer), key_y);
  cairo_stroke (cr);
}

/* What a sink takes of the shares of queries, or where nothing says how much of these there is, of their rows. */
static void
draw_sunk (cairo_t              *cr,
           const HlLayersLayout *layout,
           const HlLayersData   *data,
           guint                 layer,
           const float          *shares,
           const HlTheme        *theme)
{
  const double sink = hl_head_view_layout_get_row_y (&layout->rows, HL_KEYS, 0);

  for (gsize i = 0; i < data->n; i++)
    {
      const float sunk = fabsf ((shares != NULL ? shares[i] : 1) * hl_layers_data_get_sunk (data, layer, i));

      if (sunk >= MIN_FLOW && hl_layers_data_is_left (data, layer, i, 0))
        draw_flow (cr, layout, layer, hl_head_view_layout_get_row_y (&layout->rows, HL_QUERIES, i), sink, sunk,
                   &theme->muted);
    }
}

/* A dot for what each token has of the share. */
static void
draw_shares (cairo_t              *cr,
             const HlLayersLayout *layout,
             guint                 first_column,
             guint                 last_column,
             const float          *shares,
             const HlTheme        *theme)
{
  const HlHeadViewLayout *rows = &layout->rows;
  gsize first, end;

  hl_head_view_layout_get_rows_seen (rows, HL_QUERIES, rows->queries.n, &first, &end);
  hl_cairo_set_colour (cr, &theme->accent, 1);
  for (guint column = first_column; column <= last_column; column++)
    for (gsize row = first; row < end; row++)
      {
        const double share = MIN (1, fabsf (shares[column * rows->queries.n + row]));

        if (!(share >= 1.0 / 256))
          continue;
        cairo_arc (cr, hl_layers_layout_get_column (layout, column),
                   hl_head_view_layout_get_row_y (rows, HL_QUERIES, row),
                   MAX (1, sqrt (share) * MIN (6, rows->row_height / 2)), 0, 2 * G_PI);
        cairo_fill (cr);
      }
}

/* The parts of shares that pass from column to column: down to what a token is made of, or from the input up to where it comes to. */
static void
draw_flows (cairo_t              *cr,
            const HlLayersLayout *layout,
            const HlLayersData   *data,
            const HlFocus        *focus,
            const HlTheme        *theme)
{
  const HlHeadViewLayout *rows = &layout->rows;
  const gboolean back = hl_pick_get_side (&focus->pick) == HL_QUERIES;
  const guint lowest = back ? hl_layers_data_get_lowest (data, focus->pick.layer) : 0;
  const guint highest = back ? focus->pick.layer + 1 : hl_layers_data_get_highest (data);
  g_autofree float *shares = trace (data, focus, back ? rows->queries : rows->keys);

  cairo_set_line_width (cr, CLAMP (rows->row_height * 0.09, 1, 2));
  if (!back && focus->pick.key - rows->keys.first < data->lead)
    draw_sunk (cr, layout, data, 0, NULL, theme);
  for (guint layer = lowest; layer < highest; layer++)
    {
      g_autoptr (GArray) flows = list_flows (data, layer, shares + (back ? layer + 1 : layer) * data->n, back);

      if (back)
        draw_sunk (cr, layout, data, layer, shares + (layer + 1) * data->n, theme);
      for (guint i = 0; i < flows->len; i++)
        {
          const Flow *flow = &g_array_index (flows, Flow, i);

          draw_flow (cr, layout, layer, hl_head_view_layout_get_row_y (rows, HL_QUERIES, flow->query),
                     hl_head_view_layout_get_row_y (rows, HL_QUERIES, flow->key), flow->part, &theme->accent);
        }
    }
  draw_shares (cr, layout, 0, highest, shares, theme);
}

static void
draw_dot (cairo_t              *cr,
          const HlLayersLayout *layout,
          const HlTheme        *theme,
          HlSide                side,
          gsize                 row,
          guint                 column,
          gboolean              pinned)
{
  hl_cairo_set_colour (cr, &theme->accent, 1);
  cairo_set_line_width (cr, 1.5);
  cairo_arc (cr, hl_layers_layout_get_column (layout, column), hl_head_view_layout_get_row_y (&layout->rows, side, row),
             6.5, 0, 2 * G_PI);
  if (pinned)
    cairo_fill (cr);
  else
    cairo_stroke (cr);
}

/* Over the one that is there in the colour of all others. */
static void
draw_label_in_focus (HlLayersScene      *self,
                     const HlSceneFrame *frame,
                     cairo_t            *cr,
                     gboolean            at_input,
                     HlSide              side,
                     gsize               row)
{
  const HlHeadViewLayout *rows = &((const HlLayersLayout *) frame->layout)->rows;
  const double y = hl_head_view_layout_get_row_y (rows, side, row);

  hl_cairo_set_colour (cr, &frame->theme->background, 1);
  cairo_rectangle (cr, rows->columns[at_input ? HL_QUERIES : HL_KEYS].left - 2, y - rows->label_size * 0.7,
                   rows->columns[HL_QUERIES].right - rows->columns[HL_QUERIES].left + 4, rows->label_size * 1.4);
  cairo_fill (cr);
  draw_label (self, frame, cr, at_input, side, row, TRUE);
}

static void
draw_token (HlLayersScene      *self,
            const HlSceneFrame *frame,
            cairo_t            *cr,
            const HlPick       *pick,
            gboolean            pinned)
{
  const HlHeadViewLayout *rows = &((const HlLayersLayout *) frame->layout)->rows;
  const HlSide of = hl_pick_get_side (pick);
  const gsize row = pick->tokens[of] - rows->ranges[of].first;
  const gboolean is_sink = of == HL_KEYS && row < rows->lead[HL_QUERIES];

  draw_dot (cr, frame->layout, frame->theme, of, row, of == HL_QUERIES ? pick->layer + 1 : 0, pinned);
  draw_label_in_focus (self, frame, cr, TRUE, of, row);
  /* The sink has no label on the side away from the input. */
  if (!is_sink)
    draw_label_in_focus (self, frame, cr, FALSE, of, row);
}

/* From the key below its layer to the query above it. How strong the line is says the panel. */
static void
draw_pair (HlLayersScene      *self,
           const HlSceneFrame *frame,
           cairo_t            *cr,
           const HlPick       *pair,
           gboolean            pinned)
{
  const HlLayersLayout *layout = frame->layout;
  const HlHeadViewLayout *rows = &layout->rows;
  const gsize query = pair->query - rows->queries.first, key = pair->key - rows->keys.first;

  cairo_set_line_width (cr, 2);
  draw_flow (cr, layout, pair->layer, hl_head_view_layout_get_row_y (rows, HL_QUERIES, query),
             hl_head_view_layout_get_row_y (rows, HL_KEYS, key), 1, &frame->theme->accent);
  draw_dot (cr, layout, frame->theme, HL_KEYS, key, pair->layer, pinned);
  draw_dot (cr, layout, frame->theme, HL_QUERIES, query, pair->layer + 1, pinned);
  draw_label_in_focus (self, frame, cr, TRUE, HL_KEYS, key);
  draw_label_in_focus (self, frame, cr, FALSE, HL_QUERIES, query);
}

static void
draw_tokens (HlLayersScene      *self,
             const HlSceneFrame *frame,
             cairo_t            *cr)
{
  const HlSide side = hl_pick_get_side (frame->focus);
  gsize n;
  g_autofree gsize *tokens = hl_focus_list_tokens (frame->in_focus, side, &n);

  for (gsize i = 0; i < n; i++)
    {
      HlPick pick = *frame->focus;
      pick.tokens[side] = tokens[i];
      draw_token (self, frame, cr, &pick, hl_pick_equal (frame->focus, frame->pinned));
    }
}

static gboolean
is_shown (const HlLayersLayout *layout,
          const HlPick         *pick)
{
  const HlHeadViewLayout *rows = &layout->rows;

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (hl_pick_has (pick, side) && pick->tokens[side] - rows->ranges[side].first >= rows->ranges[side].n)
      return FALSE;
  return pick->kind == HL_PICK_KEY || (hl_pick_has (pick, HL_QUERIES) && pick->layer + 1 < layout->n_columns);
}

static void
hl_layers_scene_draw_overlay (HlScene            *scene,
                              const HlSceneFrame *frame,
                              cairo_t            *cr)
{
  HlLayersScene *self = HL_LAYERS_SCENE (scene);
  const HlTheme *theme = frame->theme;
  const HlLayersLayout *layout = frame->layout;
  const HlLayersData *data = frame->data;
  const HlPick *focus = frame->focus;
  const HlPick *hovered = frame->hovered;

  if (data == NULL)
    return;
  hl_head_view_layout_enter (&layout->rows, cr);
  if (is_shown (layout, focus) && focus->kind == HL_PICK_CELL)
    draw_pair (self, frame, cr, focus, hl_pick_equal (focus, frame->pinned));
  else if (is_shown (layout, focus))
    {
      if (hl_head_set_count (&frame->shown->heads) > 0)
        draw_flows (cr, layout, data, frame->in_focus, theme);
      draw_tokens (self, frame, cr);
    }
  if (!is_shown (layout, hovered) || hl_focus_covers (frame->in_focus, hovered))
    return;
  if (hovered->kind == HL_PICK_CELL)
    draw_pair (self, frame, cr, hovered, FALSE);
  else
    draw_token (self, frame, cr, hovered, FALSE);
}

static void
hl_layers_scene_class_init (HlLayersSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  object_class->finalize = hl_layers_scene_finalize;
  scene_class->label_size = LABEL_SIZE;
  scene_class->layout_size = sizeof (HlLayersLayout);
  scene_class->lay_out = hl_layers_scene_lay_out;
  scene_class->measure = hl_layers_scene_measure;
  scene_class->create_data = hl_layers_scene_create_data;
  scene_class->create_job = hl_layers_scene_create_job;
  scene_class->accept = hl_layers_scene_accept;
  scene_class->draw[HL_SCENE_BACKDROP] = hl_layers_scene_draw_backdrop;
  scene_class->draw[HL_SCENE_PICTURE] = hl_layers_scene_draw_picture;
  scene_class->draw[HL_SCENE_OVERLAY] = hl_layers_scene_draw_overlay;
  scene_class->get_picture_opacity = hl_layers_scene_get_picture_opacity;
  scene_class->pick = hl_layers_scene_pick;
  scene_class->describe = hl_layers_scene_describe;
  scene_class->make_row = hl_layers_scene_make_row;
  scene_class->zoom = hl_layers_scene_zoom;
  scene_class->fit = hl_layers_scene_fit;
  scene_class->get_window = hl_layers_scene_get_window;
  scene_class->is_mirrored = hl_layers_scene_is_mirrored;
  scene_class->locate = hl_layers_scene_locate;
  scene_class->ignored = HL_CHANGED_VIEW | HL_CHANGED_HEAD | HL_CHANGED_LAYER | HL_CHANGED_SOURCE | HL_CHANGED_EXAMPLE |
                         HL_CHANGED_COLOURS | HL_CHANGED_ORIENTATION;
}

static void
hl_layers_scene_init (HlLayersScene *self)
{
  self->rasters = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_head_view_raster_free);
}
