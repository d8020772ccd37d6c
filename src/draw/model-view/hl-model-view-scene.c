/* SPDX-License-Identifier: MIT */
/* The model view: all heads of all layers as thumbnails, a row for each layer. */
#include "draw/model-view/hl-model-view-private.h"

#include "draw/paint/hl-cairo.h"
#include "draw/scene/hl-scene-caption.h"

/* Of larger maps, numbers take longer than a pointer rests. */
#define MAX_CELLS_OF_STATS ((gsize) 64 * 1024 * 1024)

G_DEFINE_FINAL_TYPE (HlModelViewScene, hl_model_view_scene, HL_TYPE_SCENE)

/**
 * hl_model_view_scene_get_layout: (skip)
 * @self: a model view
 *
 * Returns: where everything is just now
 */
HlModelViewLayout
hl_model_view_scene_get_layout (HlModelViewScene *self)
{
  HlModelViewLayout layout;
  double width, height, scale, scroll_x, scroll_y;

  hl_scene_get_viewport (HL_SCENE (self), &width, &height, &scale);
  hl_scene_get_scroll (HL_SCENE (self), &scroll_x, &scroll_y);
  hl_model_view_order_follow (&self->order, hl_scene_get_state (HL_SCENE (self)));
  hl_model_view_layout_init (&layout, hl_scene_get_state (HL_SCENE (self)), &self->order, width, height, scale,
                             scroll_x, scroll_y, hl_scene_get_zoom (HL_SCENE (self)),
                             hl_scene_caption_get_room (HL_SCENE (self)));
  return layout;
}

/**
 * hl_model_view_scene_get_style: (skip)
 * @self: a model view
 * @width: of the thumbnail, logical pixels
 * @height: likewise
 *
 * Returns: how a thumbnail of this size looks
 */
HlThumbnailStyle
hl_model_view_scene_get_style (HlModelViewScene *self,
                               double            width,
                               double            height)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  double scale;

  hl_scene_get_viewport (HL_SCENE (self), NULL, NULL, &scale);
  return (HlThumbnailStyle){
    .kind = hl_view_state_get_options (state)->thumbnails,
    .map = hl_view_state_get_options (state)->colour_map,
    .value_scale = hl_view_state_get_options (state)->value_scale,
    .dark = hl_view_state_get_options (state)->dark,
    .mirrored = hl_view_state_reads_right_to_left (state),
    .width = (guint) MAX (1, lround (width * scale)),
    .height = (guint) MAX (1, lround (height * scale)),
    .scale = scale,
  };
}

/**
 * hl_model_view_scene_get_preview_size: (skip)
 * @self: a model view
 * @width: (out): logical pixels
 * @height: (out): logical pixels
 *
 * Finds the size of the enlarged thumbnail, which has the shape of the map unless that is very long.
 */
void
hl_model_view_scene_get_preview_size (HlModelViewScene *self,
                                      double           *width,
                                      double           *height)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const double shape = CLAMP ((double) MAX (hl_view_state_get_shown_keys (state).n, 1) /
                                (double) MAX (hl_view_state_get_shown_queries (state).n, 1), 0.5, 2);

  *width = HL_MODEL_VIEW_PREVIEW * MIN (1, shape);
  *height = HL_MODEL_VIEW_PREVIEW / MAX (1, shape);
}

/**
 * hl_model_view_scene_has_stats: (skip)
 * @self: a model view
 *
 * Returns: whether it tells the numbers of heads, now or as soon as they are known
 */
gboolean
hl_model_view_scene_has_stats (HlModelViewScene *self)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const gsize n_keys = hl_attention_get_n_keys (hl_view_state_get_shown_attention (state));

  return hl_view_state_get_shown_queries (state).n <= MAX_CELLS_OF_STATS / MAX (n_keys, 1);
}

/**
 * hl_model_view_scene_get_stats: (skip)
 * @self: a model view
 * @pick: a head
 *
 * Returns: (transfer none) (nullable): its numbers, %NULL while they are not known
 */
const HlHeadStats *
hl_model_view_scene_get_stats (HlModelViewScene *self,
                               const HlPick     *pick)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  HlHeadNumbers *numbers = hl_view_state_get_numbers (state);

  if (!hl_thumbnail_set_is_of (&self->set, state))
    return NULL;
  /* Somebody may have asked for those of all heads; maps that are derived have others. */
  if (numbers != NULL && hl_view_state_get_source (state) == hl_view_state_get_attention_source (state))
    {
      const guint index = hl_head_numbers_get_index (numbers, pick->layer, pick->head);
      if (hl_head_numbers_get_stats (numbers, index) != NULL)
        return hl_head_numbers_get_stats (numbers, index);
    }
  return hl_thumbnail_set_get (&self->set, pick->layer, pick->head)->stats;
}

static void
hl_model_view_scene_measure (HlScene *scene,
                             double  *width,
                             double  *height)
{
  const HlModelViewLayout layout = hl_model_view_scene_get_layout (HL_MODEL_VIEW_SCENE (scene));

  *width = layout.content_width;
  *height = layout.content_height;
}

static void
hl_model_view_scene_draw_picture (HlScene *scene,
                                  cairo_t *cr)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (scene);
  const HlModelViewLayout layout = hl_model_view_scene_get_layout (self);
  const gboolean on_paper = hl_scene_get_vector (scene);
  HlRange rows, columns;

  if (!hl_thumbnail_set_is_of (&self->set, hl_scene_get_state (scene)))
    return;
  cairo_rectangle (cr, layout.plot.x, layout.plot.y, layout.plot.width, layout.plot.height);
  cairo_clip (cr);
  hl_model_view_layout_get_seen (&layout, &rows, &columns);
  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    for (gsize column = columns.first; column < columns.first + columns.n; column++)
      {
        guint layer, head;
        cairo_rectangle_t box;

        if (!hl_model_view_layout_get_map (&layout, row, column, &layer, &head))
          continue;
        const HlThumbnail *thumbnail = hl_thumbnail_set_get (&self->set, layer, head)->thumbnail;
        if (thumbnail == NULL)
          continue;
        hl_model_view_layout_get_box (&layout, layer, head, &box);
        (on_paper ? hl_thumbnail_draw : hl_thumbnail_paint) (thumbnail, &box, cr);
      }
}

static void
hl_model_view_scene_pick (HlScene *scene,
                          double   x,
                          double   y,
                          HlPick  *pick)
{
  const HlModelViewLayout layout = hl_model_view_scene_get_layout (HL_MODEL_VIEW_SCENE (scene));

  hl_model_view_layout_pick (&layout, x, y, pick);
}

static void
hl_model_view_scene_zoom (HlScene *scene,
                          double   factor,
                          double   x,
                          double   y)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (scene);
  const HlModelViewLayout before = hl_model_view_scene_get_layout (self);
  const double at_x = CLAMP (x, before.plot.x, before.plot.x + before.plot.width);
  const double at_y = CLAMP (y, before.plot.y, before.plot.y + before.plot.height);
  const double column = (at_x - before.origin_x) / before.pitch_x;
  const double row = (at_y - before.origin_y) / before.pitch_y;
  /* What is shown is rounded; small steps must still add up. */
  const double zoom =
    CLAMP (CLAMP (hl_scene_get_zoom (HL_SCENE (self)), 1, before.max_zoom) * factor, 1, before.max_zoom);

  hl_scene_set_zoom (scene, zoom <= 1 ? 0 : zoom);

  const HlModelViewLayout after = hl_model_view_scene_get_layout (self);
  hl_scene_set_scroll (scene, after.plot.x + column * after.pitch_x - at_x, after.plot.y + row * after.pitch_y - at_y);
}

static void
hl_model_view_scene_fit (HlScene *scene)
{
  hl_scene_set_zoom (scene, 0);
  hl_scene_set_scroll (scene, 0, 0);
}

static guint
move_index (guint    index,
            guint    n,
            int      direction,
            gboolean to_end)
{
  if (direction == 0)
    return MIN (index, n - 1);
  if (to_end)
    return direction < 0 ? 0 : n - 1;
  return direction < 0 ? index - MIN (index, 1) : MIN (index + 1, n - 1);
}

/**
 * hl_model_view_scene_move:
 * @self: a model view
 * @pick: (inout): a head; the one that is next to it
 * @dx: to the right, or negative to the left
 * @dy: downwards, or negative upwards
 * @to_end: whether to the last one there is
 *
 * Goes from head to head as they are shown.
 */
void
hl_model_view_scene_move (HlModelViewScene *self,
                          HlPick           *pick,
                          int               dx,
                          int               dy,
                          gboolean          to_end)
{
  g_return_if_fail (HL_IS_MODEL_VIEW_SCENE (self));
  g_return_if_fail (pick->kind == HL_PICK_MAP);

  const HlModelViewLayout layout = hl_model_view_scene_get_layout (self);
  guint row, column, n_columns = layout.n_columns;

  hl_model_view_layout_get_cell (&layout, pick->layer, pick->head, &row, &column);
  row = move_index (row, layout.n_rows, dy, to_end);
  /* Some rows are shorter. */
  while (n_columns > 1 && !hl_model_view_layout_get_map (&layout, row, n_columns - 1, &pick->layer, &pick->head))
    n_columns--;
  column = move_index (column, n_columns, dx, to_end);
  hl_model_view_layout_get_map (&layout, row, column, &pick->layer, &pick->head);
}

static gboolean
hl_model_view_scene_locate (HlScene      *scene,
                            const HlPick *pick,
                            double       *x,
                            double       *y,
                            double       *width,
                            double       *height)
{
  const HlModelViewLayout layout = hl_model_view_scene_get_layout (HL_MODEL_VIEW_SCENE (scene));
  cairo_rectangle_t box;

  if (pick->kind != HL_PICK_MAP || pick->layer >= hl_attention_get_n_layers (layout.attention) ||
      pick->head >= hl_attention_get_n_heads (layout.attention, pick->layer))
    return FALSE;
  hl_model_view_layout_get_box (&layout, pick->layer, pick->head, &box);
  *x = box.x;
  *y = box.y;
  *width = box.width;
  *height = box.height;
  return TRUE;
}

static void
hl_model_view_scene_state_changed (HlScene    *scene,
                                   const char *property)
{
  static const char *const without_effect[] = { "view", "source", "example", "pairs", NULL };
  HlViewState *state = hl_scene_get_state (scene);
  static const char *const on_top[] = { "hovered", "pinned", "layer", "head", "heads", NULL };

  /* Numbers come bit by bit, for a table perhaps that this view knows nothing of. */
  if (g_str_equal (property, "numbers") && hl_view_state_get_applied_sort (state) == HL_HEAD_MEASURE_NONE &&
      hl_view_state_get_applied_colour_by (state) == HL_HEAD_MEASURE_NONE)
    hl_scene_emit_changed (scene, HL_SCENE_OVERLAY);
  else if (g_strv_contains (on_top, property))
    hl_scene_emit_changed (scene, HL_SCENE_OVERLAY);
  else if (!g_strv_contains (without_effect, property))
    hl_scene_emit_all_changed (scene);
  if (g_str_equal (property, "hovered"))
    hl_scene_emit_job_needed (scene);
}

static void
hl_model_view_scene_finalize (GObject *object)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (object);

  hl_thumbnail_set_clear (&self->set);
  hl_model_view_order_clear (&self->order);
  G_OBJECT_CLASS (hl_model_view_scene_parent_class)->finalize (object);
}

static void
hl_model_view_scene_class_init (HlModelViewSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  object_class->finalize = hl_model_view_scene_finalize;
  scene_class->shows_all_heads = TRUE;
  scene_class->measure = hl_model_view_scene_measure;
  scene_class->create_job = hl_model_view_scene_create_job;
  scene_class->accept = hl_model_view_scene_accept;
  scene_class->draw[HL_SCENE_BACKDROP] = hl_model_view_scene_draw_backdrop;
  scene_class->draw[HL_SCENE_PICTURE] = hl_model_view_scene_draw_picture;
  scene_class->draw[HL_SCENE_OVERLAY] = hl_model_view_scene_draw_overlay;
  scene_class->pick = hl_model_view_scene_pick;
  scene_class->describe = hl_model_view_scene_describe;
  scene_class->zoom = hl_model_view_scene_zoom;
  scene_class->fit = hl_model_view_scene_fit;
  scene_class->locate = hl_model_view_scene_locate;
  scene_class->state_changed = hl_model_view_scene_state_changed;
}

static void
hl_model_view_scene_init (HlModelViewScene *self)
{
}
