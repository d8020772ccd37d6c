/* SPDX-License-Identifier: MIT */
/* The heatmap: the matrix of one head, a row for each query and a column for each key, a colour for each weight. */
#include "draw/heatmap/hl-heatmap-private.h"

#include "draw/heatmap/hl-heatmap-job.h"
#include "draw/scene/hl-scene-caption.h"
#include "draw/scene/hl-scene-describe.h"

#define LABEL_SIZE 12.5
/* Device pixels from one stripe of masked cells to the next, at scale 1. */
#define HATCH 7

static const char *const without_effect[] = { "view", "heads", "source", "example", NULL };

G_DEFINE_FINAL_TYPE (HlHeatmapScene, hl_heatmap_scene, HL_TYPE_SCENE)

/**
 * hl_heatmap_scene_get_layout: (skip)
 * @self: a heatmap
 *
 * Returns: where everything is just now
 */
HlHeatmapLayout
hl_heatmap_scene_get_layout (HlHeatmapScene *self)
{
  HlHeatmapLayout layout;
  double width, height, scale, scroll_x, scroll_y;

  hl_label_room_measure (&self->room, HL_SCENE (self), LABEL_SIZE);
  hl_scene_get_viewport (HL_SCENE (self), &width, &height, &scale);
  hl_scene_get_progress (HL_SCENE (self), &scroll_x, &scroll_y);
  hl_heatmap_layout_init (&layout, hl_scene_get_state (HL_SCENE (self)), width, height, scale, scroll_x, scroll_y,
                          hl_scene_get_zoom (HL_SCENE (self)), self->room.query_width, self->room.key_width,
                          hl_scene_caption_get_room (HL_SCENE (self)));
  return layout;
}

/**
 * hl_heatmap_scene_get_data: (skip)
 * @self: a heatmap
 *
 * Returns: (transfer none) (nullable): the head that the state asks for, %NULL while only another is there
 */
const HlHeatmapData *
hl_heatmap_scene_get_data (HlHeatmapScene *self)
{
  return hl_scene_get_data (HL_SCENE (self));
}

static HlSceneData *
hl_heatmap_scene_create_data (HlScene *scene)
{
  return &hl_heatmap_data_new (hl_scene_get_state (scene))->parent;
}

/* Colours of weights and colours of differences have nothing to do with one another. */
static HlHeatmapPart
get_beside (HlHeatmapScene *self)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  HlViewState *beside = hl_view_state_get_beside (state);

  if (beside == NULL || hl_attention_source_is_signed (hl_view_state_get_shown_source (beside)) !=
                          hl_attention_source_is_signed (hl_view_state_get_shown_source (state)))
    return (HlHeatmapPart){ 0 };
  return hl_heatmap_part_of (beside);
}

static void
set_beside (HlHeatmapScene          *self,
            const HlHeatmapPart     *beside,
            const HlHeatmapExtremes *extremes)
{
  self->beside = *beside;
  g_set_object (&self->beside_source, beside->source);
  self->beside_extremes = *extremes;
}

static HlHeatmapPaint
get_paint_without_scale (HlHeatmapScene *self)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  HlAttentionSource *source = hl_view_state_get_shown_source (state);
  double scale;

  hl_scene_get_viewport (HL_SCENE (self), NULL, NULL, &scale);
  return (HlHeatmapPaint){
    .map = hl_view_state_get_options (state)->colour_map,
    .theme = hl_theme_get (hl_view_state_get_options (state)->dark),
    .mask = *hl_attention_source_get_mask (source, hl_view_state_get_shown_layer (state)),
    .n_queries = hl_attention_source_get_n_queries (source),
    .n_keys = hl_attention_source_get_n_keys (source),
    .hatch = (guint) MAX (6, lround (HATCH * scale)),
  };
}

/**
 * hl_heatmap_scene_get_paint: (skip)
 * @self: a heatmap
 * @data: the head that is shown
 *
 * Returns: how its weights look
 */
HlHeatmapPaint
hl_heatmap_scene_get_paint (HlHeatmapScene      *self,
                            const HlHeatmapData *data)
{
  HlHeatmapPaint paint = get_paint_without_scale (self);

  hl_heatmap_job_set_scale (&paint, hl_view_state_get_options (hl_scene_get_state (HL_SCENE (self)))->value_scale, data,
                            &self->beside_extremes);
  return paint;
}

static void
hl_heatmap_scene_measure (HlScene *scene,
                          double  *width,
                          double  *height)
{
  const HlHeatmapLayout layout = hl_heatmap_scene_get_layout (HL_HEATMAP_SCENE (scene));

  *width = layout.content_width;
  *height = layout.content_height;
}

static gboolean
region_serves (const HlHeatmapRegion *region,
               const HlHeatmapData   *data,
               double                 cell,
               const HlHeatmapPixels *pixels)
{
  return region != NULL && region->data == data && region->cell == cell && region->pixels.x == pixels->x &&
         region->pixels.y == pixels->y && region->pixels.width == pixels->width &&
         region->pixels.height == pixels->height;
}

static HlSceneJob *
hl_heatmap_scene_create_job (HlScene *scene)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (scene);
  const HlHeatmapLayout layout = hl_heatmap_scene_get_layout (self);
  const gboolean is_empty =
    layout.queries.n == 0 || layout.keys.n == 0 || layout.width < 1 || layout.height < 1;
  gboolean is_read;
  g_autoptr (HlHeatmapData) wanted = hl_scene_dup_data (scene, &is_read);
  g_autoptr (HlHeatmapJob) job = hl_scene_new_job (scene, HL_TYPE_HEATMAP_JOB, wanted);
  const HlHeatmapData *data = is_read ? wanted : NULL;
  const HlHeatmapPart beside = get_beside (self);
  const gboolean has_scale = hl_heatmap_part_equal (&beside, &self->beside);
  gboolean needed = data == NULL || !has_scale;

  job->scale_kind = hl_view_state_get_options (hl_scene_get_state (scene))->value_scale;
  job->beside = beside;
  g_set_object (&job->beside_source, beside.source);
  job->paint = get_paint_without_scale (self);
  if (is_empty)
    return needed ? HL_SCENE_JOB (g_steal_pointer (&job)) : NULL;

  if (!hl_scene_get_vector (HL_SCENE (self)))
    {
      gboolean usable = FALSE;

      if (data != NULL && has_scale)
        {
          const HlHeatmapPaint paint = hl_heatmap_scene_get_paint (self, data);
          usable = hl_heatmap_tiles_are_of (self->tiles, data, &paint);
        }
      job->tile_cell = layout.cell * layout.scale;
      if (!usable)
        job->tile_pixels = hl_heatmap_tiles_get_seen (&layout);
      else if (!hl_heatmap_tiles_get_missing (self->tiles, &layout, &job->tile_pixels))
        job->tile_pixels = (HlHeatmapPixels){ 0 };
      needed |= job->tile_pixels.width > 0;
    }

  if (hl_heatmap_scene_get_region_wanted (self, &layout, data, &job->region_cell, &job->region_pixels))
    {
      if (data != NULL && region_serves (self->region, data, job->region_cell, &job->region_pixels))
        job->region_pixels = (HlHeatmapPixels){ 0 };
      needed |= job->region_pixels.width > 0;
    }

  if (data != NULL && data->weights == NULL)
    {
      const HlPick pick = hl_heatmap_scene_get_line_pick (self);
      const gsize query = pick.query - data->queries.first;
      const gsize key = pick.key - data->keys.first;
      if (!hl_pick_equal (&pick, &self->line.pick) &&
          ((pick.kind == HL_PICK_QUERY && query < data->queries.n) || (pick.kind == HL_PICK_KEY && key < data->keys.n)))
        {
          job->line_pick = pick;
          needed = TRUE;
        }
    }
  return needed ? HL_SCENE_JOB (g_steal_pointer (&job)) : NULL;
}

static void
clear_line (HlHeatmapScene *self)
{
  g_clear_pointer (&self->line.values, g_free);
  self->line.pick = (HlPick){ HL_PICK_NONE };
}

static void
hl_heatmap_scene_accept (HlScene    *scene,
                         HlSceneJob *scene_job,
                         gboolean    is_new)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (scene);
  HlHeatmapJob *job = HL_HEATMAP_JOB (scene_job);
  const HlHeatmapData *data = hl_scene_get_any_data (scene);

  if (!hl_heatmap_part_equal (&self->beside, &job->beside))
    {
      set_beside (self, &job->beside, &job->beside_extremes);
      hl_scene_emit_changed (scene, HL_SCENE_BACKDROP);
    }
  if (is_new)
    {
      hl_heatmap_tiles_reset (self->tiles, data, &job->paint);
      g_clear_pointer (&self->region, hl_heatmap_region_free);
      clear_line (self);
      hl_scene_emit_changed (scene, HL_SCENE_BACKDROP);
    }
  /* Two jobs may have read the same head; tiles and regions know theirs by its address. */
  if (hl_scene_job_get_data (scene_job) != data)
    return;

  if (job->surfaces != NULL)
    {
      const HlHeatmapPaint paint = hl_heatmap_scene_get_paint (self, data);
      if (!hl_heatmap_tiles_are_of (self->tiles, data, &job->paint) && hl_heatmap_paint_equal (&paint, &job->paint))
        hl_heatmap_tiles_reset (self->tiles, data, &job->paint);
      if (hl_heatmap_tiles_are_of (self->tiles, data, &job->paint))
        hl_heatmap_tiles_add (self->tiles, job->tile_region, job->surfaces);
    }
  if (job->region != NULL)
    {
      g_clear_pointer (&self->region, hl_heatmap_region_free);
      self->region = g_steal_pointer (&job->region);
    }
  if (job->line_values != NULL)
    {
      clear_line (self);
      self->line = (HlHeatmapLine){ job->line_pick, g_steal_pointer (&job->line_values) };
    }
  hl_scene_emit_changed (scene, HL_SCENE_PICTURE);
  hl_scene_emit_changed (scene, HL_SCENE_OVERLAY);
}

static void
hl_heatmap_scene_pick (HlScene *scene,
                       double   x,
                       double   y,
                       HlPick  *pick)
{
  const HlHeatmapLayout layout = hl_heatmap_scene_get_layout (HL_HEATMAP_SCENE (scene));

  hl_heatmap_layout_pick (&layout, x, y, pick);
}

static char *
hl_heatmap_scene_describe (HlScene      *scene,
                           const HlPick *pick)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (scene);
  HlViewState *state = hl_scene_get_state (scene);
  const HlHeatmapData *data = hl_heatmap_scene_get_data (self);
  const HlRange queries = hl_view_state_get_shown_queries (state);
  const HlRange keys = hl_view_state_get_shown_keys (state);
  const gboolean has_query = pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_CELL;
  const gboolean has_key = pick->kind == HL_PICK_KEY || pick->kind == HL_PICK_CELL;

  if (pick->kind == HL_PICK_HEAD)
    return hl_scene_describe_head (state, pick->head);
  if ((has_query && pick->query - queries.first >= queries.n) || (has_key && pick->key - keys.first >= keys.n))
    return NULL;
  if (pick->kind == HL_PICK_CELL)
    {
      float weight;
      const gboolean known = data != NULL && hl_heatmap_scene_get_weight (self, data, pick->query - queries.first,
                                                                          pick->key - keys.first, &weight);

      return hl_scene_describe_cell (state, pick, known ? &weight : NULL, 1);
    }

  g_autofree float *row = data != NULL ? hl_heatmap_scene_make_row (self, data, pick) : NULL;
  return hl_scene_describe_token (state, pick, row, has_query ? keys : queries, 1);
}

static void
hl_heatmap_scene_zoom (HlScene *scene,
                       double   factor,
                       double   x,
                       double   y)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (scene);
  const HlHeatmapLayout before = hl_heatmap_scene_get_layout (self);
  const double along = before.mirrored ? before.mirror - x : x;
  const double at_x = CLAMP (along, before.plot.x, before.plot.x + before.plot.width);
  const double at_y = CLAMP (y, before.plot.y, before.plot.y + before.plot.height);
  const double column = (at_x - before.origin_x) / before.cell;
  const double row = (at_y - before.origin_y) / before.cell;
  /* What is shown is rounded; small steps must still add up. */
  const double zoom = hl_scene_get_zoom (scene);
  const double shown = zoom > 0 ? CLAMP (zoom, before.fit_cell, HL_HEATMAP_MAX_CELL) : before.fit_cell;
  const double cell = CLAMP (shown * factor, before.fit_cell, HL_HEATMAP_MAX_CELL);

  hl_scene_set_zoom (scene, cell <= before.fit_cell ? 0 : cell);

  const HlHeatmapLayout after = hl_heatmap_scene_get_layout (self);
  hl_scene_set_progress (scene, after.plot.x + column * after.cell - at_x, after.plot.y + row * after.cell - at_y);
}

static void
hl_heatmap_scene_fit (HlScene *scene)
{
  hl_scene_set_zoom (scene, 0);
  hl_scene_set_progress (scene, 0, 0);
}

static gboolean
hl_heatmap_scene_is_mirrored (HlScene *scene)
{
  return hl_view_state_reads_right_to_left (hl_scene_get_state (scene));
}

static void
hl_heatmap_scene_get_window (HlScene           *scene,
                             cairo_rectangle_t *window)
{
  *window = hl_heatmap_scene_get_layout (HL_HEATMAP_SCENE (scene)).plot;
}

static gboolean
hl_heatmap_scene_locate (HlScene      *scene,
                         const HlPick *pick,
                         double       *x,
                         double       *y,
                         double       *width,
                         double       *height)
{
  const HlHeatmapLayout layout = hl_heatmap_scene_get_layout (HL_HEATMAP_SCENE (scene));
  const gsize row = pick->query - layout.queries.first;
  const gsize column = pick->key - layout.keys.first;
  const gboolean has_row = pick->kind == HL_PICK_QUERY || pick->kind == HL_PICK_CELL;
  const gboolean has_column = pick->kind == HL_PICK_KEY || pick->kind == HL_PICK_CELL;
  cairo_rectangle_t box;

  if ((!has_row && !has_column) || (has_row && row >= layout.queries.n) || (has_column && column >= layout.keys.n))
    return FALSE;
  hl_heatmap_layout_get_cell_box (&layout, has_row ? row : 0, has_column ? column : 0, &box);
  *x = has_column ? box.x : layout.plot.x;
  *y = has_row ? box.y : layout.plot.y;
  *width = has_column ? box.width : layout.plot.width;
  *height = has_row ? box.height : layout.plot.height;
  return TRUE;
}

static void
hl_heatmap_scene_state_changed (HlScene    *scene,
                                const char *property)
{
  const HlHeatmapData *data = hl_scene_get_any_data (scene);

  HL_SCENE_CLASS (hl_heatmap_scene_parent_class)->state_changed (scene, property);
  /* Lines of a head that is not kept are read when they are looked at. */
  if ((g_str_equal (property, "hovered") || g_str_equal (property, "pinned")) && data != NULL && data->weights == NULL)
    hl_scene_emit_job_needed (scene);
}

static void
hl_heatmap_scene_finalize (GObject *object)
{
  HlHeatmapScene *self = HL_HEATMAP_SCENE (object);

  hl_label_room_clear (&self->room);
  hl_heatmap_tiles_free (self->tiles);
  g_clear_pointer (&self->region, hl_heatmap_region_free);
  clear_line (self);
  g_clear_object (&self->beside_source);
  G_OBJECT_CLASS (hl_heatmap_scene_parent_class)->finalize (object);
}

static void
hl_heatmap_scene_class_init (HlHeatmapSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  object_class->finalize = hl_heatmap_scene_finalize;
  scene_class->measure = hl_heatmap_scene_measure;
  scene_class->create_data = hl_heatmap_scene_create_data;
  scene_class->create_job = hl_heatmap_scene_create_job;
  scene_class->accept = hl_heatmap_scene_accept;
  scene_class->draw[HL_SCENE_BACKDROP] = hl_heatmap_scene_draw_backdrop;
  scene_class->draw[HL_SCENE_PICTURE] = hl_heatmap_scene_draw_picture;
  scene_class->draw[HL_SCENE_OVERLAY] = hl_heatmap_scene_draw_overlay;
  scene_class->pick = hl_heatmap_scene_pick;
  scene_class->describe = hl_heatmap_scene_describe;
  scene_class->zoom = hl_heatmap_scene_zoom;
  scene_class->fit = hl_heatmap_scene_fit;
  scene_class->is_mirrored = hl_heatmap_scene_is_mirrored;
  scene_class->get_window = hl_heatmap_scene_get_window;
  scene_class->locate = hl_heatmap_scene_locate;
  scene_class->without_effect = without_effect;
  scene_class->state_changed = hl_heatmap_scene_state_changed;
}

static void
hl_heatmap_scene_init (HlHeatmapScene *self)
{
  self->tiles = hl_heatmap_tiles_new ();
  set_beside (self, &(HlHeatmapPart){ 0 }, &(HlHeatmapExtremes) HL_HEATMAP_EXTREMES_INIT);
}
