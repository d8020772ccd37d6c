/* SPDX-License-Identifier: MIT */
/*
 * The head view: query tokens on the left, key tokens on the right, a line for each pair, as opaque as the weight
 * between them, in the colour of its head.
 */
#include "draw/head-view/hl-head-view-scene.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/head-view/hl-head-view-chips.h"
#include "draw/head-view/hl-head-view-focus.h"
#include "draw/head-view/hl-head-view-labels.h"
#include "draw/head-view/hl-head-view-layout.h"
#include "draw/head-view/hl-head-view-lines.h"
#include "draw/head-view/hl-head-view-map.h"
#include "draw/head-view/hl-head-view-picture.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-scene-describe.h"
#include "draw/scene/hl-scene-write.h"

/* All lines, while one of them is pointed at; while one head is. */
#define QUIET_OPACITY 0.3
#define DIMMED_OPACITY 0.15
/* On the small heatmap, of what is pointed at while something else is in focus. */
#define OTHER_MARK 0.7
/* Of words in place of lines, from the middle of one to that of the next. */
#define NOTICE_LINE 17
#define MAX_NOTICE_LINES 5

struct _HlHeadViewScene
{
  HlScene parent_instance;

  HlHeadViewRaster *raster;
  HlHeadViewRaster *of_head; /* of the head whose chip is pointed at */
  HlHeadViewMap map;
};

G_DEFINE_FINAL_TYPE (HlHeadViewScene, hl_head_view_scene, HL_TYPE_SCENE)

static void
hl_head_view_scene_lay_out (HlScene            *scene,
                            const HlSceneFrame *frame,
                            gpointer            layout)
{
  const gboolean horizontal = frame->shown->options.orientation == HL_ORIENTATION_HORIZONTAL;

  hl_head_view_layout_init (layout, frame, horizontal ? hl_head_view_measure_titles (scene, frame->shown) : 0);
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

/* Which of several heads is pointed at, by its chip; G_MAXUINT if none is. */
static guint
find_hovered_head (const HlSceneFrame   *frame,
                   const HlHeadViewData *data)
{
  if (frame->hovered->kind != HL_PICK_HEAD || data == NULL || data->n_heads < 2)
    return G_MAXUINT;
  for (guint i = 0; i < data->n_heads; i++)
    if (data->heads[i].colour == frame->hovered->head)
      return i;
  return G_MAXUINT;
}

/* Whether the lines of the head that is pointed at are there. */
static gboolean
has_head (HlHeadViewScene    *self,
          const HlSceneFrame *frame)
{
  return self->of_head != NULL && self->of_head->head == find_hovered_head (frame, frame->data) &&
         hl_head_view_raster_serves (self->of_head, frame->data, frame->layout, frame->scale, frame->theme->dark);
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
  const gboolean has_all = frame->data != NULL &&
                           (no_pixels || (self->raster != NULL &&
                                          hl_head_view_raster_serves (self->raster, data, layout, frame->scale, dark)));
  const guint head = find_hovered_head (frame, frame->data);

  if (has_all && (no_pixels || head == G_MAXUINT || frame->focus->kind != HL_PICK_NONE || has_head (self, frame)))
    return NULL;

  HlLinesJob *job = hl_scene_new_job (scene, HL_TYPE_LINES_JOB, data);
  if (no_pixels)
    return HL_SCENE_JOB (job);
  HlHeadViewRaster *raster = NULL;
  if (has_all)
    raster = hl_head_view_raster_new_of_head (data, head, layout, frame->scale, dark);
  else if (self->raster == NULL || self->raster->data != data)
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
  HlHeadViewScene *self = HL_HEAD_VIEW_SCENE (scene);

  hl_lines_job_move_raster (HL_LINES_JOB (job), frame->data, &self->raster, &self->of_head);
  if (is_new)
    hl_scene_emit_changed (scene, HL_SCENE_BACKDROP);
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
  if (hl_scene_get_any_data (scene) == NULL)
    return 1;
  if (frame->focus->kind == HL_PICK_NONE)
    return find_hovered_head (frame, frame->data) != G_MAXUINT ? DIMMED_OPACITY : 1;
  return frame->focus->kind == HL_PICK_CELL && frame->pinned->kind == HL_PICK_NONE ? QUIET_OPACITY : 0;
}

static void
hl_head_view_scene_pick (HlScene            *scene,
                         const HlSceneFrame *frame,
                         double              x,
                         double              y,
                         HlPick             *pick)
{
  const HlHeadViewLayout *layout = frame->layout;
  const HlHeadViewData *data = frame->data;
  const HlFocus nothing = { { HL_PICK_NONE }, NULL };

  hl_head_view_layout_pick (layout, x, y, pick);
  if (pick->kind == HL_PICK_NONE)
    hl_head_view_map_pick (frame, x, y, pick);
  if (pick->kind != HL_PICK_NONE || y < layout->header_height || data == NULL || data->n_heads == 0)
    return;
  cairo_matrix_t inverse = layout->matrix;
  cairo_matrix_invert (&inverse);
  cairo_matrix_transform_point (&inverse, &x, &y);
  if (y >= layout->begin && y < layout->end)
    /* Lines of what is only hovered are gone once the pointer has left it. */
    hl_head_view_pick_line (data, layout, frame->pinned->kind != HL_PICK_NONE ? frame->in_focus : &nothing, x, y, pick);
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

  hl_scene_set_zoom (scene, CLAMP (before.row_height * factor, before.min_row, before.max_row));

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

  if (pick->kind == HL_PICK_HEAD && hl_head_view_layout_has_swatch (layout, pick->head))
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
  const double end_of_query = of_query + layout->pitches[HL_QUERIES], end_of_key = of_key + layout->pitches[HL_KEYS];
  const double bottom = MAX (has_query ? end_of_query : end_of_key, has_key ? end_of_key : end_of_query);
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
  if (changes & HL_CHANGED_HOVER && hl_view_state_get_hovered (hl_scene_get_state (scene))->kind == HL_PICK_HEAD)
    hl_scene_emit_job_needed (scene);
  if (changes & (HL_CHANGED_HEAD | HL_CHANGED_COLOURS))
    hl_scene_emit_changed (scene, HL_SCENE_BACKDROP);
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
  g_clear_pointer (&self->of_head, hl_head_view_raster_free);
  hl_head_view_map_clear (&self->map);
  G_OBJECT_CLASS (hl_head_view_scene_parent_class)->finalize (object);
}

static void
draw_column (HlScene            *scene,
             const HlSceneFrame *frame,
             cairo_t            *cr,
             HlSide              side)
{
  const HlHeadViewLayout *layout = frame->layout;
  /* On a screen labels are painted over; on paper, where text can be searched, none should be there twice. */
  g_autofree gboolean *covered = frame->vector ? hl_head_view_make_covered (scene, frame, side) : NULL;
  gsize first, end;

  hl_head_view_layout_get_rows_seen (layout, side, layout->ranges[side].n, &first, &end);
  /* A label is higher than its row. */
  first -= MIN (first, layout->label_strides[side]);
  for (gsize row = first; row < end; row++)
    if ((covered == NULL || !covered[row]) &&
        hl_head_view_layout_has_label (layout, frame->shown->attention, side, row))
      hl_head_view_draw_label (scene, frame, cr, side, row);
}

/* Whether heads are chosen, but such as only other layers have, or the side that this one stands beside. */
static gboolean
lacks_chosen (const HlSceneFrame *frame)
{
  return hl_head_set_count (hl_head_selection_get_combined (&frame->shown->selection)) > 0 ||
         (frame->beside != NULL && hl_head_set_count (&frame->beside->heads) > 0);
}

static void
draw_notice (HlScene            *scene,
             const HlSceneFrame *frame,
             cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;
  const double room = layout->horizontal ? layout->end - layout->begin : layout->x_key - layout->x_query;
  const HlTextStyle style = { .size = 13, .max_width = MAX (room - 24, 24) };
  const char *notice = NULL;

  if (layout->queries.n == 0 || layout->keys.n == 0)
    notice = _ ("No tokens to show");
  else if (layout->n_heads == layout->n_own && hl_head_set_count (&layout->chosen) == 0)
    notice = lacks_chosen (frame) ? _ ("There is no such head here") : _ ("No head is selected");
  if (notice == NULL)
    return;
  const guint max_lines = layout->horizontal ? 1 : MAX_NOTICE_LINES;
  g_auto (GStrv) lines = hl_scene_text_break (hl_scene_get_text (scene), notice, &style, max_lines);
  for (guint i = 0; lines[i] != NULL; i++)
    hl_head_view_draw_text (scene, cr, layout, lines[i], &style, &frame->theme->muted,
                            (layout->x_query + layout->x_key) / 2,
                            layout->horizontal ? (layout->begin + layout->end) / 2
                                               : layout->begin + 48 + i * NOTICE_LINE,
                            0.5);
}

static void
hl_head_view_scene_draw_backdrop (HlScene            *scene,
                                  const HlSceneFrame *frame,
                                  cairo_t            *cr)
{
  const HlHeadViewLayout *layout = frame->layout;

  hl_scene_paint_background (frame, cr);
  hl_scene_draw_caption (scene, frame, cr, layout->caption_y);
  hl_head_view_draw_chips (scene, frame, cr);
  hl_head_view_draw_titles (scene, frame, cr);
  hl_head_view_map_draw (&HL_HEAD_VIEW_SCENE (scene)->map, scene, frame, cr);
  hl_head_view_layout_enter (layout, cr);
  hl_head_view_draw_sentences (scene, frame, cr);
  draw_column (scene, frame, cr, HL_QUERIES);
  draw_column (scene, frame, cr, HL_KEYS);
  draw_notice (scene, frame, cr);
}

/* The lines of the token in focus, and how strongly it attends to each other one. */
static void
hl_head_view_scene_draw_overlay (HlScene            *scene,
                                 const HlSceneFrame *frame,
                                 cairo_t            *cr)
{
  const HlTheme *theme = frame->theme;
  const HlHeadViewLayout *layout = frame->layout;
  const HlHeadViewData *data = frame->data;
  const HlPick *focus = frame->focus;
  const HlPick *hovered = frame->hovered;
  const gboolean pinned = hl_pick_equal (focus, frame->pinned);

  const gboolean has_focus = hl_scene_frame_has_token (frame, focus);
  const gboolean has_other = hl_scene_frame_has_token (frame, hovered) && !hl_focus_covers (frame->in_focus, hovered);
  const gboolean as_strokes = frame->vector || hl_cairo_is_vector (cr);
  const HlFocus other = { *hovered, NULL };

  hl_head_view_draw_hovered_chip (frame, cr);
  if (has_other)
    hl_head_view_map_draw_marks (frame, &other, OTHER_MARK, cr);
  if (has_focus)
    hl_head_view_map_draw_marks (frame, frame->in_focus, 1, cr);
  if (data != NULL && data->n_heads > 0 && data->relative && (has_focus || focus->kind == HL_PICK_NONE))
    {
      /* While one line is pointed at, the others stay in sight as they were. */
      const gboolean of_all = focus->kind == HL_PICK_CELL && !pinned;
      const float strongest = of_all ? data->greatest : hl_head_view_find_strongest (data, frame->in_focus);
      if (strongest > 0)
        hl_head_view_draw_scale (scene, frame, cr, strongest);
    }
  if (focus->kind == HL_PICK_NONE && has_head (HL_HEAD_VIEW_SCENE (scene), frame))
    hl_head_view_raster_paint (HL_HEAD_VIEW_SCENE (scene)->of_head, layout, cr);
  if (data != NULL && has_focus)
    hl_head_view_draw_focus (data, layout, frame->in_focus, find_hovered_head (frame, data), frame->scale, theme->dark,
                             as_strokes, cr);
  /* The line that is pointed at, among those of what is pinned. */
  if (data != NULL && has_other && hovered->kind == HL_PICK_CELL)
    hl_head_view_draw_focus (data, layout, &other, G_MAXUINT, frame->scale, theme->dark, as_strokes, cr);
  hl_head_view_layout_enter (layout, cr);
  if (has_focus)
    {
      if (data != NULL && focus->kind != HL_PICK_CELL)
        hl_head_view_draw_other_side (scene, frame, cr, data);
      else if (data != NULL)
        hl_head_view_draw_pair (scene, frame, cr, data, focus);
      hl_head_view_draw_tokens (scene, frame, cr, frame->in_focus, pinned, FALSE);
    }
  if (has_other)
    hl_head_view_draw_tokens (scene, frame, cr, &other, FALSE, TRUE);
  if (data != NULL && has_other && hovered->kind == HL_PICK_CELL)
    hl_head_view_draw_pair (scene, frame, cr, data, hovered);
}

static void
hl_head_view_scene_class_init (HlHeadViewSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  object_class->finalize = hl_head_view_scene_finalize;
  scene_class->label_size = HL_HEAD_VIEW_LABEL_SIZE;
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
