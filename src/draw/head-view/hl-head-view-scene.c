/* SPDX-License-Identifier: MIT */
/*
 * The head view: query tokens on the left, key tokens on the right, a line for each pair, as opaque as the weight
 * between them, in the colour of its head.
 */
#include "draw/head-view/hl-head-view-private.h"

#include <string.h>

#include "draw/head-view/hl-lines-job.h"
#include "draw/scene/hl-scene-caption.h"
#include "draw/scene/hl-scene-describe.h"

#define LABEL_SIZE 13

static const char *const without_effect[] = { "view", "head", "source", "example", "colour-map", "value-scale", NULL };

G_DEFINE_FINAL_TYPE (HlHeadViewScene, hl_head_view_scene, HL_TYPE_SCENE)

/**
 * hl_head_view_scene_get_layout: (skip)
 * @self: a head view
 *
 * Returns: where everything is just now
 */
HlHeadViewLayout
hl_head_view_scene_get_layout (HlHeadViewScene *self)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const gboolean horizontal = hl_view_state_get_options (state)->orientation == HL_ORIENTATION_HORIZONTAL;
  HlHeadViewLayout layout;
  double width, height, scale, scroll_x, scroll_y;

  hl_label_room_measure (&self->room, HL_SCENE (self), LABEL_SIZE);
  hl_scene_get_viewport (HL_SCENE (self), &width, &height, &scale);
  hl_scene_get_progress (HL_SCENE (self), &scroll_x, &scroll_y);
  const HlHeadViewWants wants = {
    .row_height = hl_scene_get_zoom (HL_SCENE (self)),
    .query_label_width = self->room.query_width,
    .key_label_width = self->room.key_width,
    .title_width = horizontal ? hl_head_view_scene_measure_titles (self) : 0,
    .caption_room = hl_scene_caption_get_room (HL_SCENE (self)),
  };
  /* Between two device pixels, the lines would be blurred as they are painted. */
  hl_head_view_layout_init (&layout, state, width, height, hl_cairo_snap (horizontal ? scroll_x : scroll_y, scale),
                            &wants);
  return layout;
}

/**
 * hl_head_view_scene_get_data: (skip)
 * @self: a head view
 *
 * Returns: (transfer none) (nullable): the weights that the state asks for, %NULL while only others are there
 */
const HlHeadViewData *
hl_head_view_scene_get_data (HlHeadViewScene *self)
{
  return hl_scene_get_data (HL_SCENE (self));
}

static HlSceneData *
hl_head_view_scene_create_data (HlScene *scene)
{
  return &hl_head_view_data_new (hl_scene_get_state (scene))->parent;
}

static void
hl_head_view_scene_measure (HlScene *scene,
                            double  *width,
                            double  *height)
{
  const HlHeadViewLayout layout = hl_head_view_scene_get_layout (HL_HEAD_VIEW_SCENE (scene));

  *width = layout.content_width;
  *height = layout.content_height;
}

static HlSceneJob *
hl_head_view_scene_create_job (HlScene *scene)
{
  HlHeadViewScene *self = HL_HEAD_VIEW_SCENE (scene);
  const gboolean dark = hl_view_state_get_options (hl_scene_get_state (scene))->dark;
  const HlHeadViewLayout layout = hl_head_view_scene_get_layout (self);
  const gboolean no_pixels = hl_scene_get_vector (scene) || layout.width < 1 || layout.height < 1;
  gboolean is_read;
  g_autoptr (HlHeadViewData) data = hl_scene_dup_data (scene, &is_read);
  double scale;

  hl_scene_get_viewport (scene, NULL, NULL, &scale);
  if (is_read &&
      (no_pixels || (self->raster != NULL && hl_head_view_raster_serves (self->raster, data, &layout, scale, dark))))
    return NULL;

  HlLinesJob *job = hl_scene_new_job (scene, HL_TYPE_LINES_JOB, data);
  if (no_pixels)
    return HL_SCENE_JOB (job);
  HlHeadViewRaster *raster = NULL;
  if (self->raster == NULL || self->raster->data != data)
    raster = hl_head_view_raster_new_draft (data, &layout, scale, dark);
  if (raster == NULL)
    raster = hl_head_view_raster_new (data, &layout, scale, dark);
  g_ptr_array_add (job->rasters, raster);
  return HL_SCENE_JOB (job);
}

static void
hl_head_view_scene_accept (HlScene    *scene,
                           HlSceneJob *job,
                           gboolean    is_new)
{
  hl_lines_job_move_raster (HL_LINES_JOB (job), hl_scene_get_any_data (scene), &HL_HEAD_VIEW_SCENE (scene)->raster);
  hl_scene_emit_changed (scene, HL_SCENE_PICTURE);
  hl_scene_emit_changed (scene, HL_SCENE_OVERLAY);
}

static void
hl_head_view_scene_draw_picture (HlScene *scene,
                                 cairo_t *cr)
{
  HlHeadViewScene *self = HL_HEAD_VIEW_SCENE (scene);
  const HlHeadViewLayout layout = hl_head_view_scene_get_layout (self);
  const HlHeadViewData *data = hl_head_view_scene_get_data (self);

  if (data == NULL)
    return;
  if (hl_scene_get_vector (scene) || hl_cairo_is_vector (cr))
    hl_head_view_stroke_all (data, &layout, hl_view_state_get_options (hl_scene_get_state (scene))->dark, 1, cr);
  else if (self->raster != NULL && self->raster->data == data)
    hl_head_view_raster_paint (self->raster, &layout, cr);
}

static double
hl_head_view_scene_get_picture_opacity (HlScene *scene)
{
  const HlPick *focus = hl_view_state_get_focus (hl_scene_get_state (scene));

  /* Without numbers there is nothing that could show instead. */
  return focus->kind == HL_PICK_NONE || hl_scene_get_any_data (scene) == NULL ? 1 : 0;
}

static void
hl_head_view_scene_pick (HlScene *scene,
                         double   x,
                         double   y,
                         HlPick  *pick)
{
  const HlHeadViewLayout layout = hl_head_view_scene_get_layout (HL_HEAD_VIEW_SCENE (scene));

  hl_head_view_layout_pick (&layout, x, y, pick);
}

/* The mean over the heads that are shown, as the numbers beside the labels have it. */
static float *
make_mean_row (const HlHeadViewData *data,
               const HlPick         *pick,
               gsize                 n)
{
  float *mean = g_new0 (float, MAX (n, 1));
  g_autofree float *row = g_new (float, MAX (n, 1));

  for (guint head = 0; head < data->n_heads; head++)
    {
      hl_head_view_data_get_row (data, head, pick, row);
      for (gsize i = 0; i < n; i++)
        mean[i] += row[i] / data->n_heads;
    }
  return mean;
}

static char *
hl_head_view_scene_describe (HlScene      *scene,
                             const HlPick *pick)
{
  HlViewState *state = hl_scene_get_state (scene);
  const HlHeadViewData *data = hl_head_view_scene_get_data (HL_HEAD_VIEW_SCENE (scene));
  const HlRange queries = hl_view_state_get_shown_queries (state);
  const HlRange keys = hl_view_state_get_shown_keys (state);
  const gboolean has_query = pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_CELL;
  const gboolean has_key = pick->kind == HL_PICK_KEY || pick->kind == HL_PICK_CELL;

  if (pick->kind == HL_PICK_HEAD)
    return hl_scene_describe_head (state, pick->head);
  if ((has_query && pick->query - queries.first >= queries.n) || (has_key && pick->key - keys.first >= keys.n))
    return NULL;
  if (data != NULL && data->n_heads == 0)
    data = NULL;

  if (pick->kind == HL_PICK_CELL)
    {
      const HlPick query = { HL_PICK_QUERY, .query = pick->query };
      g_autofree float *row = data != NULL ? make_mean_row (data, &query, keys.n) : NULL;

      return hl_scene_describe_cell (state, pick, row != NULL ? &row[pick->key - keys.first] : NULL,
                                     data != NULL ? data->n_heads : 0);
    }

  const HlRange others = has_query ? keys : queries;
  g_autofree float *row = data != NULL ? make_mean_row (data, pick, others.n) : NULL;
  return hl_scene_describe_token (state, pick, row, others, data != NULL ? data->n_heads : 0);
}

static void
hl_head_view_scene_zoom (HlScene *scene,
                         double   factor,
                         double   x,
                         double   y)
{
  HlHeadViewScene *self = HL_HEAD_VIEW_SCENE (scene);
  const HlHeadViewLayout before = hl_head_view_scene_get_layout (self);
  const double along = !before.horizontal ? y : before.mirrored ? before.width - x : x;
  const double at = MAX (along, before.begin);
  const double row = (at - before.first_row) / before.row_height;

  hl_scene_set_zoom (scene, CLAMP (before.row_height * factor, HL_HEAD_VIEW_MIN_ROW, before.max_row));

  const HlHeadViewLayout after = hl_head_view_scene_get_layout (self);
  const double move = after.first_row + row * after.row_height - MAX (along, after.begin);
  double scroll_x, scroll_y;
  hl_scene_get_progress (scene, &scroll_x, &scroll_y);
  if (after.horizontal)
    hl_scene_set_progress (scene, scroll_x + move, 0);
  else
    hl_scene_set_progress (scene, 0, scroll_y + move);
}

static void
hl_head_view_scene_fit (HlScene *scene)
{
  HlHeadViewScene *self = HL_HEAD_VIEW_SCENE (scene);
  const HlHeadViewLayout layout = hl_head_view_scene_get_layout (self);

  hl_scene_set_zoom (scene, hl_head_view_layout_get_fit_row (&layout));
  hl_scene_set_progress (scene, 0, 0);
}

static void
hl_head_view_scene_get_window (HlScene           *scene,
                               cairo_rectangle_t *window)
{
  const HlHeadViewLayout layout = hl_head_view_scene_get_layout (HL_HEAD_VIEW_SCENE (scene));

  *window = (cairo_rectangle_t){ layout.side, layout.begin, layout.across - layout.side,
                                 MAX (layout.end - layout.begin, 0) };
  hl_head_view_layout_map_box (&layout, window);
}

static gboolean
hl_head_view_scene_locate (HlScene      *scene,
                           const HlPick *pick,
                           double       *x,
                           double       *y,
                           double       *width,
                           double       *height)
{
  const HlHeadViewLayout layout = hl_head_view_scene_get_layout (HL_HEAD_VIEW_SCENE (scene));
  const gsize query = pick->query - layout.queries.first;
  const gsize key = pick->key - layout.keys.first;
  const gboolean has_query = pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_CELL;
  const gboolean has_key = pick->kind == HL_PICK_KEY || pick->kind == HL_PICK_CELL;

  if (pick->kind == HL_PICK_HEAD && pick->head < layout.n_heads)
    {
      hl_head_view_layout_get_swatch (&layout, pick->head, x, y);
      *width = layout.swatch_width;
      *height = layout.swatch_height;
      return TRUE;
    }
  if ((!has_query && !has_key) || (has_query && query >= layout.queries.n) || (has_key && key >= layout.keys.n))
    return FALSE;

  const gsize top = MIN (has_query ? query : key, has_key ? key : query);
  const gsize bottom = MAX (has_query ? query : key, has_key ? key : query);
  const double left = has_query ? layout.query_left : layout.key_left;
  cairo_rectangle_t box = { left, layout.first_row + top * layout.row_height,
                            (has_key ? layout.key_right : layout.query_right) - left,
                            (bottom - top + 1) * layout.row_height };
  hl_head_view_layout_map_box (&layout, &box);
  *x = box.x;
  *y = box.y;
  *width = box.width;
  *height = box.height;
  return TRUE;
}

static void
hl_head_view_scene_state_changed (HlScene    *scene,
                                  const char *property)
{
  if (g_str_equal (property, "orientation"))
    {
      /* What suits one way does not suit the other. */
      hl_scene_forget_zoom (scene);
      hl_scene_set_progress (scene, 0, 0);
    }
  HL_SCENE_CLASS (hl_head_view_scene_parent_class)->state_changed (scene, property);
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

  hl_label_room_clear (&self->room);
  g_clear_pointer (&self->raster, hl_head_view_raster_free);
  G_OBJECT_CLASS (hl_head_view_scene_parent_class)->finalize (object);
}

static void
hl_head_view_scene_class_init (HlHeadViewSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  object_class->finalize = hl_head_view_scene_finalize;
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
  scene_class->zoom = hl_head_view_scene_zoom;
  scene_class->fit = hl_head_view_scene_fit;
  scene_class->get_window = hl_head_view_scene_get_window;
  scene_class->is_mirrored = hl_head_view_scene_is_mirrored;
  scene_class->locate = hl_head_view_scene_locate;
  scene_class->without_effect = without_effect;
  scene_class->state_changed = hl_head_view_scene_state_changed;
}

static void
hl_head_view_scene_init (HlHeadViewScene *self)
{
}
