/* SPDX-License-Identifier: MIT */
/*
 * The neuron view, after BertViz (Vig 2019): tokens on both sides and lines between them, as in the head view, until a
 * query is pointed at. Then its features, those of every key, their products, and what becomes of these: q·k, the
 * score, the weight.
 */
#include "draw/neuron/hl-neuron-private.h"

#include "draw/head-view/hl-lines-job.h"
#include "draw/scene/hl-scene-caption.h"

#define LABEL_SIZE 13

static const char *const without_effect[] = { "view",      "heads",    "source",      "example",    "shown-source",
                                              "threshold", "top-mass", "value-scale", "colour-map", NULL };

G_DEFINE_FINAL_TYPE (HlNeuronScene, hl_neuron_scene, HL_TYPE_SCENE)

/**
 * hl_neuron_scene_is_possible: (skip)
 * @self: a neuron view
 *
 * Returns: whether the attention has features to show
 */
gboolean
hl_neuron_scene_is_possible (HlNeuronScene *self)
{
  return hl_head_steps_are_known (hl_view_state_get_attention (hl_scene_get_state (HL_SCENE (self))));
}

/**
 * hl_neuron_scene_get_layout: (skip)
 * @self: a neuron view that is possible
 *
 * Returns: where everything is just now
 */
HlNeuronLayout
hl_neuron_scene_get_layout (HlNeuronScene *self)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const HlLayerTensor *queries =
    hl_attention_get_queries (hl_view_state_get_attention (state), hl_view_state_get_layer (state));
  HlNeuronLayout layout;
  double width, height, scale, scroll_x, scroll_y;

  hl_label_room_measure (&self->room, HL_SCENE (self), LABEL_SIZE);
  hl_scene_get_viewport (HL_SCENE (self), &width, &height, &scale);
  hl_scene_get_scroll (HL_SCENE (self), &scroll_x, &scroll_y);
  hl_neuron_layout_init (&layout, state, hl_layer_tensor_get_n_columns (queries), width, height, scale,
                         hl_cairo_snap (scroll_x, scale), hl_cairo_snap (scroll_y, scale),
                         hl_scene_get_zoom (HL_SCENE (self)), self->room.query_width, self->room.key_width,
                         hl_scene_caption_get_room (HL_SCENE (self)));
  return layout;
}

/**
 * hl_neuron_scene_get_data: (skip)
 * @self: a neuron view
 *
 * Returns: (transfer none) (nullable): the head that the state asks for, %NULL while only another is there
 */
HlNeuronData *
hl_neuron_scene_get_data (HlNeuronScene *self)
{
  return hl_scene_get_data (HL_SCENE (self));
}

static HlSceneData *
hl_neuron_scene_create_data (HlScene *scene)
{
  return hl_neuron_scene_is_possible (HL_NEURON_SCENE (scene))
           ? &hl_neuron_data_new (hl_scene_get_state (scene))->parent
           : NULL;
}

/**
 * hl_neuron_scene_get_expanded: (skip)
 * @self: a neuron view
 *
 * Returns: the query whose features are shown, %G_MAXSIZE for none
 */
gsize
hl_neuron_scene_get_expanded (HlNeuronScene *self)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const HlPick *focus = hl_view_state_get_focus (state);
  const HlRange queries = hl_view_state_get_shown_queries (state);
  const HlNeuronData *data = hl_neuron_scene_get_data (self);

  if ((focus->kind == HL_PICK_QUERY || focus->kind == HL_PICK_CELL) && focus->query - queries.first < queries.n)
    return focus->query;
  /* Where there are too many lines to be drawn, some query is better than nothing. */
  return data != NULL && data->lines == NULL && queries.n > 0 ? queries.first : G_MAXSIZE;
}

static void
hl_neuron_scene_measure (HlScene *scene,
                         double  *width,
                         double  *height)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);

  hl_scene_get_viewport (scene, width, height, NULL);
  if (hl_neuron_scene_is_possible (self))
    {
      const HlNeuronLayout layout = hl_neuron_scene_get_layout (self);
      *width = layout.content_width;
      *height = layout.base.content_height;
    }
}

static gboolean
lacks_lines (HlNeuronScene        *self,
             const HlNeuronData   *data,
             const HlNeuronLayout *layout)
{
  return !hl_scene_get_vector (HL_SCENE (self)) && data->lines != NULL && layout->base.width >= 1 &&
         layout->base.height >= 1 &&
         (self->raster == NULL || self->raster->data != data->lines ||
          !hl_head_view_raster_serves (self->raster, data->lines, &layout->base, layout->scale,
                                       hl_view_state_get_options (hl_scene_get_state (HL_SCENE (self)))->dark));
}

static HlSceneJob *
hl_neuron_scene_create_job (HlScene *scene)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);
  gboolean is_read;
  g_autoptr (HlNeuronData) data = hl_scene_dup_data (scene, &is_read);

  if (data == NULL)
    return NULL;

  const HlNeuronLayout layout = hl_neuron_scene_get_layout (self);
  const gboolean needs_lines = lacks_lines (self, data, &layout);
  if (is_read && !needs_lines)
    return NULL;

  HlLinesJob *job = hl_scene_new_job (scene, HL_TYPE_LINES_JOB, data);
  if (needs_lines)
    g_ptr_array_add (job->rasters, hl_head_view_raster_new (data->lines, &layout.base, layout.scale,
                                                            hl_view_state_get_options (hl_scene_get_state (scene))->dark));
  return HL_SCENE_JOB (job);
}

static void
hl_neuron_scene_accept (HlScene    *scene,
                        HlSceneJob *job,
                        gboolean    is_new)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);
  const HlNeuronData *data = hl_scene_get_any_data (scene);

  if (is_new)
    hl_neuron_row_clear (&self->row);
  hl_lines_job_move_raster (HL_LINES_JOB (job), data->lines, &self->raster);
  hl_scene_emit_changed (scene, HL_SCENE_PICTURE);
  hl_scene_emit_changed (scene, HL_SCENE_OVERLAY);
}

static void
hl_neuron_scene_draw_picture (HlScene *scene,
                              cairo_t *cr)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);
  const HlNeuronData *data = hl_neuron_scene_get_data (self);

  if (data == NULL || data->lines == NULL)
    return;
  const HlNeuronLayout layout = hl_neuron_scene_get_layout (self);
  if (hl_scene_get_vector (scene) || hl_cairo_is_vector (cr))
    hl_head_view_stroke_all (data->lines, &layout.base, hl_view_state_get_options (hl_scene_get_state (scene))->dark, 1, cr);
  else if (self->raster != NULL && self->raster->data == data->lines)
    hl_head_view_raster_paint (self->raster, &layout.base, cr);
}

static double
hl_neuron_scene_get_picture_opacity (HlScene *scene)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);

  /* Without numbers there is nothing that could show instead. */
  if (hl_neuron_scene_get_data (self) == NULL)
    return 1;
  return hl_neuron_scene_get_expanded (self) == G_MAXSIZE &&
             hl_view_state_get_focus (hl_scene_get_state (scene))->kind == HL_PICK_NONE
           ? 1
           : 0;
}

static void
hl_neuron_scene_pick (HlScene *scene,
                      double   x,
                      double   y,
                      HlPick  *pick)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);

  if (!hl_neuron_scene_is_possible (self))
    return;
  const HlNeuronLayout layout = hl_neuron_scene_get_layout (self);
  hl_neuron_layout_pick (&layout, x, y, hl_neuron_scene_get_expanded (self), pick);
}

static void
hl_neuron_scene_zoom (HlScene *scene,
                      double   factor,
                      double   x,
                      double   y)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);
  double scroll_x, scroll_y;

  if (!hl_neuron_scene_is_possible (self))
    return;
  const HlHeadViewLayout before = hl_neuron_scene_get_layout (self).base;
  const double row = (MAX (y, before.header_height) - before.first_row) / before.row_height;
  hl_scene_set_zoom (scene, CLAMP (before.row_height * factor, HL_HEAD_VIEW_MIN_ROW, HL_HEAD_VIEW_MAX_ROW));

  const HlHeadViewLayout after = hl_neuron_scene_get_layout (self).base;
  hl_scene_get_scroll (scene, &scroll_x, &scroll_y);
  hl_scene_set_scroll (scene, scroll_x,
                       scroll_y + after.first_row + row * after.row_height - MAX (y, after.header_height));
}

static void
hl_neuron_scene_fit (HlScene *scene)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);

  if (!hl_neuron_scene_is_possible (self))
    return;
  const HlHeadViewLayout layout = hl_neuron_scene_get_layout (self).base;
  hl_scene_set_zoom (scene, hl_head_view_layout_get_fit_row (&layout));
  hl_scene_set_scroll (scene, 0, 0);
}

static gboolean
hl_neuron_scene_locate (HlScene      *scene,
                        const HlPick *pick,
                        double       *x,
                        double       *y,
                        double       *width,
                        double       *height)
{
  HlNeuronScene *self = HL_NEURON_SCENE (scene);

  if (!hl_neuron_scene_is_possible (self))
    return FALSE;
  const HlNeuronLayout layout = hl_neuron_scene_get_layout (self);
  const HlHeadViewLayout *base = &layout.base;
  const gsize query = pick->query - base->queries.first;
  const gsize key = pick->key - base->keys.first;
  const double feature_width = layout.strip_width / MAX (layout.n_features, 1);
  const gboolean is_query = pick->kind == HL_PICK_QUERY;

  if ((!is_query && pick->kind != HL_PICK_KEY && pick->kind != HL_PICK_CELL) ||
      (is_query ? query >= base->queries.n : key >= base->keys.n))
    return FALSE;
  *y = base->first_row + (is_query ? query : key) * base->row_height;
  *height = base->row_height;
  *x = is_query ? base->query_left : pick->kind == HL_PICK_KEY ? base->key_left : layout.key_x;
  *width = (is_query ? base->query_right : base->key_right) - *x;
  if (pick->step == HL_STEP_NONE)
    return TRUE;
  *x = (pick->step == HL_STEP_QUERIES ? layout.query_x : pick->step == HL_STEP_KEYS ? layout.key_x : layout.term_x) +
       pick->feature * feature_width;
  *width = feature_width;
  if (is_query)
    *y = hl_neuron_layout_get_query_y (&layout, query) - base->row_height / 2;
  return TRUE;
}

static void
hl_neuron_scene_finalize (GObject *object)
{
  HlNeuronScene *self = HL_NEURON_SCENE (object);

  hl_label_room_clear (&self->room);
  g_clear_pointer (&self->raster, hl_head_view_raster_free);
  hl_neuron_row_clear (&self->row);
  G_OBJECT_CLASS (hl_neuron_scene_parent_class)->finalize (object);
}

static void
hl_neuron_scene_class_init (HlNeuronSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  object_class->finalize = hl_neuron_scene_finalize;
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
  scene_class->zoom = hl_neuron_scene_zoom;
  scene_class->fit = hl_neuron_scene_fit;
  scene_class->locate = hl_neuron_scene_locate;
  scene_class->without_effect = without_effect;
}

static void
hl_neuron_scene_init (HlNeuronScene *self)
{
}
