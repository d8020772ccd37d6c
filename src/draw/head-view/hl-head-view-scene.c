/* SPDX-License-Identifier: MIT */
/*
 * The head view: query tokens on the left, key tokens on the right, a line for each pair, as opaque as the weight
 * between them, in the colour of its head.
 */
#include "draw/head-view/hl-head-view-scene.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "draw/head-view/hl-head-view-layout.h"
#include "draw/head-view/hl-head-view-picture.h"
#include "draw/paint/hl-diverging-map.h"
#include "draw/paint/hl-palette.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-describe.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-token-label.h"
#include "view/hl-weight-text.h"

#define LABEL_SIZE 13

#define TITLE_SIZE 11
/* From the edge of the room beside labels. */
#define BRACKET_DISTANCE 12

/* With more heads than this, columns of shade would be too narrow to tell colours. */
#define MAX_SHADE_COLUMNS 8
#define N_NUMBERS 5
#define NUMBER_SIZE 11
/* Text must stay readable on the strongest shade. */
#define SHADE_STRENGTH 0.8
#define MIN_SHADE (1.0 / 256)

struct _HlHeadViewScene
{
  HlScene parent_instance;

  HlHeadViewRaster *raster;
};

/* The other side's weights of the token in focus. */
typedef struct
{
  HlSide side;
  gsize n;
  float **rows;
  float *mean;
} Focus;

G_DEFINE_FINAL_TYPE (HlHeadViewScene, hl_head_view_scene, HL_TYPE_SCENE)

static double
measure_titles (HlScene       *scene,
                const HlShown *shown)
{
  const HlTextStyle style = { .size = TITLE_SIZE };

  return MAX (hl_scene_measure_text (scene, hl_scene_get_row_title (shown), &style),
              hl_scene_measure_text (scene, hl_scene_get_column_title (shown), &style));
}

static void
hl_head_view_scene_lay_out (HlScene            *scene,
                            const HlSceneFrame *frame,
                            gpointer            layout)
{
  const gboolean horizontal = frame->shown->options.orientation == HL_ORIENTATION_HORIZONTAL;

  hl_head_view_layout_init (layout, frame, horizontal ? measure_titles (scene, frame->shown) : 0);
}

static HlSceneData *
hl_head_view_scene_create_data (HlScene       *scene,
                                const HlShown *shown)
{
  return &hl_head_view_data_new (shown)->parent;
}

static void
hl_head_view_scene_measure (HlScene            *scene,
                            const HlSceneFrame *frame,
                            double             *width,
                            double             *height)
{
  const HlHeadViewLayout *layout = frame->layout;

  *width = layout->content_width;
  *height = layout->content_height;
}

static HlSceneJob *
hl_head_view_scene_create_job (HlScene            *scene,
                               const HlSceneFrame *frame,
                               gpointer            data)
{
  HlHeadViewScene *self = HL_HEAD_VIEW_SCENE (scene);
  const gboolean dark = frame->theme->dark;
  const HlHeadViewLayout *layout = frame->layout;
  const gboolean no_pixels = frame->vector || layout->width < 1 || layout->height < 1;

  if (frame->data != NULL &&
      (no_pixels ||
       (self->raster != NULL && hl_head_view_raster_serves (self->raster, data, layout, frame->scale, dark))))
    return NULL;

  HlLinesJob *job = hl_scene_new_job (scene, HL_TYPE_LINES_JOB, data);
  if (no_pixels)
    return HL_SCENE_JOB (job);
  HlHeadViewRaster *raster = NULL;
  if (self->raster == NULL || self->raster->data != data)
    raster = hl_head_view_raster_new_draft (data, layout, frame->scale, dark);
  if (raster == NULL)
    raster = hl_head_view_raster_new (data, layout, frame->scale, dark);
  g_ptr_array_add (job->rasters, raster);
  return HL_SCENE_JOB (job);
}

static void
hl_head_view_scene_accept (HlScene            *scene,
                           const HlSceneFrame *frame,
                           HlSceneJob         *job,
                           gboolean            is_new)
{
  hl_lines_job_move_raster (HL_LINES_JOB (job), frame->data, &HL_HEAD_VIEW_SCENE (scene)->raster);
  hl_scene_emit_changed (scene, HL_SCENE_PICTURE);
  hl_scene_emit_changed (scene, HL_SCENE_OVERLAY);
}

/* Whether lines that are there are of what is shown. While a model writes, those of the text so far stay until those of the new token are there. */
static gboolean
has_lines (const HlHeadViewRaster *raster,
           const HlSceneFrame     *frame)
{
  return raster->data == (gpointer) frame->data ||
         (frame->wanted != NULL && hl_head_view_data_goes_on ((const HlHeadViewData *) frame->wanted, raster->data));
}

static void
hl_head_view_scene_draw_picture (HlScene            *scene,
                                 const HlSceneFrame *frame,
                                 cairo_t            *cr)
{
  HlHeadViewScene *self = HL_HEAD_VIEW_SCENE (scene);
  const HlHeadViewLayout *layout = frame->layout;
  const HlHeadViewData *data = frame->data;

  if (frame->vector || hl_cairo_is_vector (cr))
    {
      if (data != NULL)
        hl_head_view_stroke_all (data, layout, frame->theme->dark, 1, cr);
    }
  else if (self->raster != NULL && has_lines (self->raster, frame))
    hl_head_view_raster_paint (self->raster, layout, cr);
}

static double
hl_head_view_scene_get_picture_opacity (HlScene            *scene,
                                        const HlSceneFrame *frame)
{
  /* Without numbers there is nothing that could show instead. */
  return frame->focus->kind == HL_PICK_NONE || hl_scene_get_any_data (scene) == NULL ? 1 : 0;
}

static void
hl_head_view_scene_pick (HlScene            *scene,
                         const HlSceneFrame *frame,
                         double              x,
                         double              y,
                         HlPick             *pick)
{
  hl_head_view_layout_pick (frame->layout, x, y, pick);
}

static char *
hl_head_view_scene_describe (HlScene            *scene,
                             const HlSceneFrame *frame,
                             const HlPick       *pick)
{
  const HlHeadViewData *data = frame->data;
  const HlRange queries = frame->shown->queries;
  const HlRange keys = frame->shown->keys;

  if (pick->kind == HL_PICK_HEAD)
    return hl_scene_describe_head (frame->shown, pick->head);
  if (data != NULL && data->n_heads == 0)
    data = NULL;

  if (pick->kind == HL_PICK_CELL)
    {
      const HlFocus query = { { HL_PICK_QUERY, .query = pick->query }, NULL };
      g_autofree float *row = data != NULL ? hl_head_view_data_make_mean_row (data, &query, keys.n) : NULL;

      return hl_scene_describe_cell (frame->shown, pick, row != NULL ? &row[pick->key - keys.first] : NULL,
                                     data != NULL ? data->n_heads : 0);
    }

  const HlRange others = pick->kind == HL_PICK_QUERY ? keys : queries;
  g_autofree float *row = data != NULL ? hl_head_view_data_make_mean_row (data, &(HlFocus){ *pick, NULL }, others.n)
                                       : NULL;
  return hl_scene_describe_token (frame->shown, pick, row, others, data != NULL ? data->n_heads : 0);
}

static float *
hl_head_view_scene_make_row (HlScene            *scene,
                             const HlSceneFrame *frame,
                             const HlFocus      *focus,
                             guint              *n_heads)
{
  const HlHeadViewData *data = frame->data;

  *n_heads = data != NULL ? data->n_heads : 0;
  if (*n_heads == 0)
    return NULL;
  return hl_head_view_data_make_mean_row (data, focus,
                                          frame->shown->ranges[hl_side_get_other (hl_pick_get_side (&focus->pick))].n);
}

static void
hl_head_view_scene_zoom (HlScene            *scene,
                         const HlSceneFrame *frame,
                         double              factor,
                         double              x,
                         double              y)
{
  const HlHeadViewLayout before = *(const HlHeadViewLayout *) frame->layout;
  const double along = !before.horizontal ? y : before.mirrored ? before.width - x : x;
  const double at = MAX (along, before.begin);
  const double row = (at - before.first_row) / before.row_height;

  hl_scene_set_zoom (scene, CLAMP (before.row_height * factor, HL_HEAD_VIEW_MIN_ROW, before.max_row));

  const HlHeadViewLayout *after = hl_scene_get_frame (scene)->layout;
  const double move = after->first_row + row * after->row_height - MAX (along, after->begin);
  if (after->horizontal)
    hl_scene_set_progress (scene, frame->x + move, 0);
  else
    hl_scene_set_progress (scene, 0, frame->y + move);
}

static void
hl_head_view_scene_fit (HlScene            *scene,
                        const HlSceneFrame *frame)
{
  hl_scene_set_zoom (scene, hl_head_view_layout_get_fit_row (frame->layout));
  hl_scene_set_progress (scene, 0, 0);
}

static void
hl_head_view_scene_get_window (HlScene            *scene,
                               const HlSceneFrame *frame,
                               cairo_rectangle_t  *window)
{
  const HlHeadViewLayout *layout = frame->layout;

  *window = (cairo_rectangle_t){ layout->side, layout->begin, layout->across - layout->side,
                                 MAX (layout->end - layout->begin, 0) };
  hl_head_view_layout_map_box (layout, window);
}

static gboolean
hl_head_view_scene_locate (HlScene            *scene,
                           const HlSceneFrame *frame,
                           const HlPick       *pick,
                           cairo_rectangle_t  *box)
{
  const HlHeadViewLayout *layout = frame->layout;
  const gsize query = pick->query - layout->queries.first;
  const gsize key = pick->key - layout->keys.first;
  const gboolean has_query = hl_pick_has (pick, HL_QUERIES);
  const gboolean has_key = hl_pick_has (pick, HL_KEYS);

  if (pick->kind == HL_PICK_HEAD && pick->head < layout->n_heads)
    {
      hl_head_view_layout_get_swatch (layout, pick->head, &box->x, &box->y);
      box->width = layout->swatch_width;
      box->height = layout->swatch_height;
      return TRUE;
    }
  if (!hl_scene_frame_has_token (frame, pick))
    return FALSE;

  const double of_query = hl_head_view_layout_get_row_top (layout, HL_QUERIES, query);
  const double of_key = hl_head_view_layout_get_row_top (layout, HL_KEYS, key);
  const double top = MIN (has_query ? of_query : of_key, has_key ? of_key : of_query);
  const double bottom = MAX (has_query ? of_query : of_key, has_key ? of_key : of_query) + layout->row_height;
  const double left = has_query ? layout->columns[HL_QUERIES].left : layout->columns[HL_KEYS].left;
  *box = (cairo_rectangle_t){ left, top,
                              (has_key ? layout->columns[HL_KEYS].right : layout->columns[HL_QUERIES].right) - left,
                              bottom - top };
  hl_head_view_layout_map_box (layout, box);
  return TRUE;
}

static void
hl_head_view_scene_state_changed (HlScene  *scene,
                                  HlChanges changes)
{
  if (changes & HL_CHANGED_ORIENTATION)
    {
      /* What suits one way does not suit the other. */
      hl_scene_forget_zoom (scene);
      hl_scene_set_progress (scene, 0, 0);
    }
  HL_SCENE_CLASS (hl_head_view_scene_parent_class)->state_changed (scene, changes);
}

static gboolean
hl_head_view_scene_is_mirrored (HlScene *scene)
{
  HlViewState *state = hl_scene_get_state (scene);

  return hl_view_state_get_options (state)->orientation == HL_ORIENTATION_HORIZONTAL &&
         hl_view_state_reads_right_to_left (state);
}

static void
hl_head_view_scene_finalize (GObject *object)
{
  HlHeadViewScene *self = HL_HEAD_VIEW_SCENE (object);

  g_clear_pointer (&self->raster, hl_head_view_raster_free);
  G_OBJECT_CLASS (hl_head_view_scene_parent_class)->finalize (object);
}

/* Writes a line so that it can be read: to the side, or upwards where tokens run across and are close. x and y are
 * those of tokens; y is the middle of the row, align 0, 0.5 or 1 says which part of the text x is. */
static void
hl_head_view_scene_draw_text (HlHeadViewScene        *self,
                              cairo_t                *cr,
                              const HlHeadViewLayout *layout,
                              const char             *text,
                              const HlTextStyle      *style,
                              const HlColour         *colour,
                              double                  x,
                              double                  y,
                              double                  align)
{
  cairo_matrix_t inverse = layout->matrix;

  cairo_save (cr);
  cairo_matrix_invert (&inverse);
  cairo_transform (cr, &inverse);
  cairo_matrix_transform_point (&layout->matrix, &x, &y);
  if (!layout->horizontal)
    hl_scene_write (HL_SCENE (self), cr, text, style, colour, x, y, layout->mirrored ? 1 - align : align);
  else if (layout->flat || align == 0.5)
    hl_scene_write (HL_SCENE (self), cr, text, style, colour, x, y + (0.5 - align) * style->size * 1.3, 0.5);
  else
    hl_scene_write_upwards (HL_SCENE (self), cr, text, style, colour, x, y, 1 - align);
  cairo_restore (cr);
}

/* The tokens of one text: a thin line beside them with its letter. */
static void
draw_bracket (HlHeadViewScene    *self,
              const HlSceneFrame *frame,
              cairo_t            *cr,
              double              x,
              HlSide              side,
              gsize               first,
              gsize               end,
              const char         *letter)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlTheme *theme = frame->theme;
  const HlTextStyle style = { .size = TITLE_SIZE, .bold = TRUE };
  const double top = hl_head_view_layout_get_row_top (layout, side, first) + 3;
  const double bottom = hl_head_view_layout_get_row_top (layout, side, end) - 3;
  const double seen_top = MAX (top, layout->begin);
  const double seen_bottom = MIN (bottom, layout->end);
  const double middle = (seen_top + seen_bottom) / 2;

  if (seen_bottom - seen_top < 4)
    return;
  hl_cairo_set_colour (cr, &theme->grid, 1);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, x + 0.5, top);
  cairo_line_to (cr, x + 0.5, MIN (bottom, middle - 9));
  cairo_move_to (cr, x + 0.5, MAX (top, middle + 9));
  cairo_line_to (cr, x + 0.5, bottom);
  cairo_stroke (cr);
  if (seen_bottom - seen_top >= 18)
    hl_head_view_scene_draw_text (self, cr, layout, letter, &style, &theme->muted, x + 0.5, middle, 0.5);
}

static void
draw_sentences (HlHeadViewScene    *self,
                const HlSceneFrame *frame,
                cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;
  const struct
  {
    HlRange range;
    double x;
  } sides[] = {
    { layout->queries, round (layout->columns[HL_QUERIES].left) - layout->gutter + BRACKET_DISTANCE },
    { layout->keys, round (layout->columns[HL_KEYS].right) + layout->gutter - BRACKET_DISTANCE },
  };

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      const HlRange range = sides[side].range;
      const gsize b = hl_shown_get_sentence_b (frame->shown, side);

      if (b == 0)
        return;
      const gsize split = CLAMP (b, range.first, range.first + range.n) - range.first;

      if (split > 0)
        draw_bracket (self, frame, cr, sides[side].x, side, 0, split, "A");
      if (split < range.n)
        draw_bracket (self, frame, cr, sides[side].x, side, split, range.n, "B");
    }
}

static void
hl_head_view_scene_draw_label (HlHeadViewScene    *self,
                               const HlSceneFrame *frame,
                               cairo_t            *cr,
                               HlSide              side,
                               gsize               row)
{
  const HlHeadViewLayout *layout = frame->layout;
  HlAttention *attention = frame->shown->attention;
  const HlLabelColumn *column = &layout->columns[side];
  const char *token = hl_attention_get_texts (attention, side)[layout->ranges[side].first + row];
  g_autofree char *label = hl_token_text_show (token);
  const double width = column->right - column->left;
  const HlTextStyle style = { .size = layout->label_size,
                              .max_width = layout->flat ? layout->row_height - 4 : width - 6 };

  hl_head_view_scene_draw_text (self, cr, layout, label, &style, &frame->theme->foreground,
                                side == HL_QUERIES ? column->right - 4 : column->left + 4,
                                hl_head_view_layout_get_row_y (layout, side, row), side == HL_QUERIES ? 1 : 0);
}

static void
focus_init (Focus                *focus,
            const HlHeadViewData *data,
            const HlFocus        *of)
{
  focus->side = hl_side_get_other (hl_pick_get_side (&of->pick));
  focus->n = focus->side == HL_KEYS ? data->keys.n : data->queries.n;
  focus->rows = g_new0 (float *, MAX (data->n_heads, 1));
  focus->mean = g_new0 (float, MAX (focus->n, 1));
  for (guint head = 0; head < data->n_heads; head++)
    {
      focus->rows[head] = g_new (float, focus->n);
      hl_head_view_data_get_row (data, head, of, focus->rows[head]);
      for (gsize i = 0; i < focus->n; i++)
        focus->mean[i] += focus->rows[head][i] / data->n_heads;
    }
}

/* Whether the shade of a token can be seen. */
static gboolean
focus_is_shaded (const Focus          *focus,
                 const HlHeadViewData *data,
                 gsize                 row)
{
  for (guint head = 0; head < data->n_heads; head++)
    if (fabsf (focus->rows[head][row]) >= MIN_SHADE)
      return TRUE;
  return FALSE;
}

static void
focus_clear (Focus                *focus,
             const HlHeadViewData *data)
{
  for (guint head = 0; head < data->n_heads; head++)
    g_free (focus->rows[head]);
  g_free (focus->rows);
  g_free (focus->mean);
}

/* Rows too low for labels of their own: shading them would cut through the labels that are there. */
static gboolean
is_crowded (const HlHeadViewLayout *layout)
{
  return layout->label_stride > 1;
}

/* For each row whether the overlay writes its label; NULL if it writes none. */
static gboolean *
hl_head_view_scene_make_covered (HlHeadViewScene    *self,
                                 const HlSceneFrame *frame,
                                 HlSide              side)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlPick *focus = frame->focus;
  const HlHeadViewData *data = frame->data;
  gboolean *covered;

  if (!hl_scene_frame_has_token (frame, focus))
    return NULL;
  covered = g_new0 (gboolean, MAX (layout->ranges[side].n, 1));
  if (hl_pick_has (focus, side))
    {
      gsize n;
      g_autofree gsize *tokens = hl_focus_list_tokens (frame->in_focus, side, &n);
      for (gsize i = 0; i < n; i++)
        covered[tokens[i] - layout->ranges[side].first] = TRUE;
    }
  else if (data != NULL && !is_crowded (layout))
    {
      Focus shades;

      focus_init (&shades, data, frame->in_focus);
      for (gsize row = 0; row < shades.n; row++)
        covered[row] = focus_is_shaded (&shades, data, row);
      focus_clear (&shades, data);
    }
  return covered;
}

static void
draw_column (HlHeadViewScene    *self,
             const HlSceneFrame *frame,
             cairo_t            *cr,
             HlSide              side)
{
  const HlHeadViewLayout *layout = frame->layout;
  /* On a screen labels are painted over; on paper, where text can be searched, none should be there twice. */
  g_autofree gboolean *covered = frame->vector ? hl_head_view_scene_make_covered (self, frame, side) : NULL;
  gsize first, end;

  hl_head_view_layout_get_rows_seen (layout, side, layout->ranges[side].n, &first, &end);
  first -= first % layout->label_stride;
  for (gsize row = first; row < end; row += layout->label_stride)
    if (covered == NULL || !covered[row])
      hl_head_view_scene_draw_label (self, frame, cr, side, row);
}

/* The ink that is easier to read on a colour. */
static HlColour
get_ink_on (const HlColour *ground)
{
  const double luminance = 0.2126 * ground->r * ground->r + 0.7152 * ground->g * ground->g +
                           0.0722 * ground->b * ground->b;

  return luminance > 0.26 ? (HlColour){ 0.08, 0.08, 0.08, 1 } : (HlColour){ 1, 1, 1, 1 };
}

static void
hl_head_view_scene_draw_swatch (HlHeadViewScene    *self,
                                const HlSceneFrame *frame,
                                cairo_t            *cr,
                                guint               head)
{
  const HlHeadViewLayout *layout = frame->layout;
  HlScene *scene = HL_SCENE (self);
  const HlTheme *theme = frame->theme;
  /* Heads that make one map have one colour, that of its lines; colours that tell signs tell no heads. */
  const gboolean is_signed = hl_attention_source_is_signed (frame->shown->source);
  const HlColour colour = is_signed ? theme->muted
                                    : hl_palette_get_head_colour (frame->shown->merges_heads ? 0 : head, theme->dark);
  const gboolean is_guest = head >= layout->n_own;
  const gboolean active = is_guest ||
                          hl_head_set_contains (hl_head_selection_get_heads (&frame->shown->selection), head);
  double x, y;

  hl_head_view_layout_get_swatch (layout, head, &x, &y);
  hl_cairo_set_colour (cr, &colour, active ? 1 : 0.16);
  hl_cairo_rounded_rectangle (cr, x, y, layout->swatch_width, layout->swatch_height, 4);
  cairo_fill (cr);
  if (!active)
    {
      hl_cairo_set_colour (cr, &colour, 0.8);
      cairo_set_line_width (cr, 1);
      hl_cairo_rounded_rectangle (cr, x + 0.5, y + 0.5, layout->swatch_width - 1, layout->swatch_height - 1, 3.5);
      cairo_stroke (cr);
    }
  if (layout->swatch_height >= 16)
    {
      const HlTextStyle style = { .size = layout->swatch_height >= 20 ? 11 : 9, .bold = active };
      const HlColour ink = active ? get_ink_on (&colour) : theme->muted;
      char number[32];

      if (is_guest)
        g_snprintf (number, sizeof number, "%u.%u", frame->shown->others[head - layout->n_own].layer,
                    frame->shown->others[head - layout->n_own].head);
      else
        g_snprintf (number, sizeof number, "%u", head);
      hl_scene_write (scene, cr, number, &style, &ink, x + layout->swatch_width / 2, y + layout->swatch_height / 2,
                      0.5);
    }
}

static void
draw_header (HlHeadViewScene    *self,
             const HlSceneFrame *frame,
             cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;

  hl_scene_draw_caption (HL_SCENE (self), frame, cr, layout->caption_y);
  for (guint head = 0; head < layout->n_heads; head++)
    hl_head_view_scene_draw_swatch (self, frame, cr, head);
}

/* Over the columns; where tokens run across, before the rows. */
static void
draw_titles (HlHeadViewScene    *self,
             const HlSceneFrame *frame,
             cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlTheme *theme = frame->theme;
  const HlTextStyle style = { .size = TITLE_SIZE };
  /* As high as labels that lie flat, or as the inner end of those that are turned. */
  const double inset = (layout->flat ? layout->label_size : TITLE_SIZE) * 0.65;
  const struct
  {
    const char *title;
    double x;
    double y;
    double align;
  } titles[] = {
    { hl_scene_get_row_title (frame->shown), layout->columns[HL_QUERIES].right - 4,
      layout->columns[HL_QUERIES].right - 4 - inset, 1 },
    { hl_scene_get_column_title (frame->shown), layout->columns[HL_KEYS].left + 4,
      layout->columns[HL_KEYS].left + 4 + inset, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      const double x = layout->horizontal ? 12 : titles[i].x;
      const double align = layout->horizontal ? 0 : titles[i].align;
      hl_scene_write (HL_SCENE (self), cr, titles[i].title, &style, &theme->muted,
                      layout->mirrored ? layout->width - x : x, layout->horizontal ? titles[i].y : layout->titles_y,
                      layout->mirrored ? 1 - align : align);
    }
  /* Something went under what stays in place. */
  if (layout->first_row < layout->begin)
    {
      cairo_rectangle_t line = { layout->side, layout->begin - 1, layout->across - layout->side, 1 };
      hl_head_view_layout_map_box (layout, &line);
      hl_cairo_set_colour (cr, &theme->grid, 1);
      cairo_rectangle (cr, line.x, line.y, line.width, line.height);
      cairo_fill (cr);
    }
}

static void
draw_notice (HlHeadViewScene    *self,
             const HlSceneFrame *frame,
             cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;
  const double room = layout->horizontal ? layout->end - layout->begin : layout->x_key - layout->x_query;
  const HlTextStyle style = { .size = 13, .max_width = MAX (room - 24, 24) };
  const char *notice = NULL;

  if (layout->queries.n == 0 || layout->keys.n == 0)
    notice = _ ("No tokens to show");
  else if (layout->n_heads == layout->n_own &&
           hl_head_set_count (hl_head_selection_get_heads (&frame->shown->selection)) == 0)
    notice = _ ("No head is selected");
  if (notice != NULL)
    hl_head_view_scene_draw_text (self, cr, layout, notice, &style, &frame->theme->muted,
                                  (layout->x_query + layout->x_key) / 2,
                                  layout->horizontal ? (layout->begin + layout->end) / 2 : layout->begin + 48, 0.5);
}

static void
hl_head_view_scene_draw_backdrop (HlScene            *scene,
                                  const HlSceneFrame *frame,
                                  cairo_t            *cr)
{
  HlHeadViewScene *self = HL_HEAD_VIEW_SCENE (scene);
  const HlHeadViewLayout *layout = frame->layout;

  hl_scene_paint_background (frame, cr);
  draw_header (self, frame, cr);
  draw_titles (self, frame, cr);
  hl_head_view_layout_enter (layout, cr);
  draw_sentences (self, frame, cr);
  draw_column (self, frame, cr, HL_QUERIES);
  draw_column (self, frame, cr, HL_KEYS);
  draw_notice (self, frame, cr);
}

static void
get_box (const HlHeadViewLayout *layout,
         HlSide                  side,
         gsize                   row,
         cairo_rectangle_t      *box)
{
  const double height = MAX (layout->row_height - 1, layout->label_size * 1.3);

  box->x = layout->columns[side].left;
  box->width = layout->columns[side].right - box->x;
  box->y = hl_head_view_layout_get_row_y (layout, side, row) - height / 2;
  box->height = height;
}

/*
 * One token's label shaded, or where tokens are crowded the space before it: a column a head, or one with the strongest
 * head.
 */
static void
draw_shade (HlHeadViewScene      *self,
            const HlSceneFrame   *frame,
            cairo_t              *cr,
            const HlHeadViewData *data,
            const Focus          *focus,
            gsize                 row)
{
  const HlTheme *theme = frame->theme;
  const HlHeadViewLayout *layout = frame->layout;
  const double y = hl_head_view_layout_get_row_top (layout, focus->side, row);
  const double height = layout->row_height >= 6 ? layout->row_height - 1 : layout->row_height;
  const guint n_columns = data->n_heads <= MAX_SHADE_COLUMNS ? data->n_heads : 1;
  cairo_rectangle_t box;

  get_box (layout, focus->side, row, &box);
  if (is_crowded (layout))
    {
      box.x = focus->side == HL_KEYS ? layout->x_key + 1 : layout->columns[HL_QUERIES].right + 1;
      box.width = focus->side == HL_KEYS ? layout->columns[HL_KEYS].left - layout->x_key - 2
                                         : layout->x_query - layout->columns[HL_QUERIES].right - 2;
    }
  else if (frame->paints_background)
    {
      hl_cairo_set_colour (cr, &theme->background, 1);
      cairo_rectangle (cr, box.x, y, box.width, height);
      cairo_fill (cr);
    }
  for (guint column = 0; column < n_columns; column++)
    {
      guint head = column;
      if (n_columns < data->n_heads)
        for (guint other = 1; other < data->n_heads; other++)
          if (fabsf (focus->rows[other][row]) > fabsf (focus->rows[head][row]))
            head = other;
      const double weight = MIN (fabsf (focus->rows[head][row]), 1);
      if (!(weight >= MIN_SHADE))
        continue;

      const HlColour colour = data->negated != NULL
                                ? hl_diverging_map_get_end (theme->dark, focus->rows[head][row] < 0)
                                : hl_palette_get_head_colour (data->heads[head].colour, theme->dark);
      hl_cairo_set_colour (cr, &colour, weight * SHADE_STRENGTH);
      cairo_rectangle (cr, box.x + box.width * column / n_columns, y, box.width / n_columns, height);
      cairo_fill (cr);
    }
}

static void
draw_label_over_others (HlHeadViewScene    *self,
                        const HlSceneFrame *frame,
                        cairo_t            *cr,
                        HlSide              side,
                        gsize               row)
{
  const HlHeadViewLayout *layout = frame->layout;
  cairo_rectangle_t box;

  get_box (layout, side, row, &box);
  hl_cairo_set_colour (cr, &frame->theme->background, 0.92);
  cairo_rectangle (cr, box.x, box.y - 2, box.width, box.height + 4);
  cairo_fill (cr);
  hl_head_view_scene_draw_label (self, frame, cr, side, row);
}

/* The strongest few get their number, as far as the numbers do not overlap. */
static void
draw_numbers (HlHeadViewScene    *self,
              const HlSceneFrame *frame,
              cairo_t            *cr,
              const Focus        *focus)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlTextStyle style = { .size = NUMBER_SIZE };
  double taken[N_NUMBERS];
  guint n_taken = 0;
  g_autofree gboolean *done = g_new0 (gboolean, MAX (focus->n, 1));

  for (guint rank = 0; rank < N_NUMBERS; rank++)
    {
      char number[HL_WEIGHT_TEXT_SIZE];
      gsize best = focus->n;
      gboolean has_room = TRUE;

      for (gsize i = 0; i < focus->n; i++)
        if (!done[i] && fabsf (focus->mean[i]) >= 0.0005f &&
            (best == focus->n || fabsf (focus->mean[i]) > fabsf (focus->mean[best])))
          best = i;
      if (best == focus->n)
        return;
      done[best] = TRUE;

      const double y = hl_head_view_layout_get_row_y (layout, focus->side, best);
      for (guint i = 0; i < n_taken; i++)
        has_room &= fabs (taken[i] - y) >= layout->number_room;
      if (!has_room)
        continue;
      taken[n_taken++] = y;
      if (is_crowded (layout))
        draw_label_over_others (self, frame, cr, focus->side, best);
      hl_head_view_scene_draw_text (self, cr, layout, hl_weight_text_format (focus->mean[best], number), &style,
                                    &frame->theme->foreground,
                                    focus->side == HL_KEYS ? layout->columns[HL_KEYS].right + 6
                                                           : layout->columns[HL_QUERIES].left - 6,
                                    y, focus->side == HL_KEYS ? 0 : 1);
    }
}

static void
draw_other_side (HlHeadViewScene      *self,
                 const HlSceneFrame   *frame,
                 cairo_t              *cr,
                 const HlHeadViewData *data)
{
  const HlHeadViewLayout *layout = frame->layout;
  Focus focus;
  gsize first, end;

  focus_init (&focus, data, frame->in_focus);
  hl_head_view_layout_get_rows_seen (layout, focus.side, focus.n, &first, &end);
  for (gsize row = first; row < end; row++)
    if (focus_is_shaded (&focus, data, row))
      draw_shade (self, frame, cr, data, &focus, row);
  for (gsize row = first - first % layout->label_stride; row < end; row += layout->label_stride)
    if (!is_crowded (layout) && focus_is_shaded (&focus, data, row))
      hl_head_view_scene_draw_label (self, frame, cr, focus.side, row);
  draw_numbers (self, frame, cr, &focus);
  focus_clear (&focus, data);
}

/* The token in focus: a box around its label, and a dot beside it when it is pinned. */
static void
draw_token (HlHeadViewScene    *self,
            const HlSceneFrame *frame,
            cairo_t            *cr,
            HlSide              side,
            gsize               row,
            gboolean            pinned,
            gboolean            quiet)
{
  const HlTheme *theme = frame->theme;
  const HlHeadViewLayout *layout = frame->layout;
  cairo_rectangle_t box;

  get_box (layout, side, row, &box);
  box.y = hl_cairo_snap (box.y, frame->scale);
  box.height = hl_cairo_snap (box.height, frame->scale);

  if (!quiet)
    {
      hl_cairo_set_colour (cr, &theme->background, 1);
      hl_cairo_rounded_rectangle (cr, box.x, box.y, box.width, box.height, 4);
      cairo_fill (cr);
      hl_cairo_set_colour (cr, &theme->accent, 0.16);
      hl_cairo_rounded_rectangle (cr, box.x, box.y, box.width, box.height, 4);
      cairo_fill (cr);
    }
  hl_cairo_set_colour (cr, quiet ? &theme->muted : &theme->accent, quiet ? 0.7 : 1);
  cairo_set_line_width (cr, quiet ? 1 : 1.5);
  hl_cairo_rounded_rectangle (cr, box.x + 0.75, box.y + 0.75, box.width - 1.5, box.height - 1.5, 3.5);
  cairo_stroke (cr);
  if (!quiet)
    hl_head_view_scene_draw_label (self, frame, cr, side, row);
  if (pinned)
    {
      hl_cairo_set_colour (cr, &theme->accent, 1);
      cairo_arc (cr, side == HL_QUERIES ? box.x - 8 : box.x + box.width + 8, box.y + box.height / 2, 3.5, 0, 2 * G_PI);
      cairo_fill (cr);
    }
}

static void
draw_tokens (HlHeadViewScene    *self,
             const HlSceneFrame *frame,
             cairo_t            *cr,
             const HlFocus      *focus,
             gboolean            pinned,
             gboolean            quiet)
{
  const HlHeadViewLayout *layout = frame->layout;

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      gsize n;
      g_autofree gsize *tokens = hl_focus_list_tokens (focus, side, &n);
      for (gsize i = 0; i < n; i++)
        draw_token (self, frame, cr, side, tokens[i] - layout->ranges[side].first, pinned, quiet);
    }
}

static void
draw_hovered_head (HlHeadViewScene        *self,
                   cairo_t                *cr,
                   const HlHeadViewLayout *layout,
                   guint                   head,
                   const HlTheme          *theme)
{
  double x, y;

  if (head >= layout->n_heads)
    return;
  hl_head_view_layout_get_swatch (layout, head, &x, &y);
  hl_cairo_set_colour (cr, &theme->foreground, 0.8);
  cairo_set_line_width (cr, 1.5);
  hl_cairo_rounded_rectangle (cr, x - 1.25, y - 1.25, layout->swatch_width + 2.5, layout->swatch_height + 2.5, 5);
  cairo_stroke (cr);
}

/* The lines of the token in focus, and how strongly it attends to each other one. */
static void
hl_head_view_scene_draw_overlay (HlScene            *scene,
                                 const HlSceneFrame *frame,
                                 cairo_t            *cr)
{
  HlHeadViewScene *self = HL_HEAD_VIEW_SCENE (scene);
  const HlTheme *theme = frame->theme;
  const HlHeadViewLayout *layout = frame->layout;
  const HlHeadViewData *data = frame->data;
  const HlPick *focus = frame->focus;
  const HlPick *hovered = frame->hovered;
  const gboolean pinned = hl_pick_equal (focus, frame->pinned);

  if (hovered->kind == HL_PICK_HEAD)
    draw_hovered_head (self, cr, layout, hovered->head, theme);

  if (data != NULL && hl_scene_frame_has_token (frame, focus))
    hl_head_view_draw_focus (data, layout, frame->in_focus, frame->scale, theme->dark,
                             frame->vector || hl_cairo_is_vector (cr), cr);
  hl_head_view_layout_enter (layout, cr);
  if (hl_scene_frame_has_token (frame, focus))
    {
      if (data != NULL && focus->kind != HL_PICK_CELL)
        draw_other_side (self, frame, cr, data);
      draw_tokens (self, frame, cr, frame->in_focus, pinned, FALSE);
    }
  if (hl_scene_frame_has_token (frame, hovered) && !hl_focus_covers (frame->in_focus, hovered))
    draw_tokens (self, frame, cr, &(HlFocus){ *hovered, NULL }, FALSE, TRUE);
}

static void
hl_head_view_scene_class_init (HlHeadViewSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  object_class->finalize = hl_head_view_scene_finalize;
  scene_class->label_size = LABEL_SIZE;
  scene_class->layout_size = sizeof (HlHeadViewLayout);
  scene_class->lay_out = hl_head_view_scene_lay_out;
  scene_class->measure = hl_head_view_scene_measure;
  scene_class->create_data = hl_head_view_scene_create_data;
  scene_class->create_job = hl_head_view_scene_create_job;
  scene_class->accept = hl_head_view_scene_accept;
  scene_class->draw[HL_SCENE_BACKDROP] = hl_head_view_scene_draw_backdrop;
  scene_class->draw[HL_SCENE_PICTURE] = hl_head_view_scene_draw_picture;
  scene_class->draw[HL_SCENE_OVERLAY] = hl_head_view_scene_draw_overlay;
  scene_class->get_picture_opacity = hl_head_view_scene_get_picture_opacity;
  scene_class->pick = hl_head_view_scene_pick;
  scene_class->describe = hl_head_view_scene_describe;
  scene_class->make_row = hl_head_view_scene_make_row;
  scene_class->zoom = hl_head_view_scene_zoom;
  scene_class->fit = hl_head_view_scene_fit;
  scene_class->get_window = hl_head_view_scene_get_window;
  scene_class->is_mirrored = hl_head_view_scene_is_mirrored;
  scene_class->locate = hl_head_view_scene_locate;
  scene_class->ignored = HL_CHANGED_VIEW | HL_CHANGED_HEAD | HL_CHANGED_SOURCE | HL_CHANGED_EXAMPLE |
                         HL_CHANGED_COLOURS;
  scene_class->state_changed = hl_head_view_scene_state_changed;
}

static void
hl_head_view_scene_init (HlHeadViewScene *self)
{
}
