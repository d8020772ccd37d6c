/* SPDX-License-Identifier: MIT */
/*
 * The steps of one head, from queries and keys to its output: each a small heatmap, linked to those that it follows
 * from.
 */
#include "draw/steps/hl-steps-private.h"

#include "draw/scene/hl-scene-caption.h"

#define LABEL_SIZE 10

static const char *const without_effect[] = { "view",      "heads",    "source",      "example", "shown-source",
                                              "threshold", "top-mass", "value-scale", NULL };

G_DEFINE_FINAL_TYPE (HlStepsScene, hl_steps_scene, HL_TYPE_SCENE)

/**
 * hl_steps_scene_is_possible: (skip)
 * @self: a view of steps
 *
 * Returns: whether the attention has what the steps are made of
 */
gboolean
hl_steps_scene_is_possible (HlStepsScene *self)
{
  return hl_head_steps_are_known (hl_view_state_get_attention (hl_scene_get_state (HL_SCENE (self))));
}

/**
 * hl_steps_scene_get_layout: (skip)
 * @self: a view of steps that is possible
 *
 * Returns: where everything is just now
 */
HlStepsLayout
hl_steps_scene_get_layout (HlStepsScene *self)
{
  g_autoptr (HlStepsData) wanted = hl_steps_data_new (hl_scene_get_state (HL_SCENE (self)));
  HlStepsLayout layout;
  double width, height, scale, scroll;

  hl_label_room_measure (&self->room, HL_SCENE (self), LABEL_SIZE);
  hl_scene_get_viewport (HL_SCENE (self), &width, &height, &scale);
  hl_scene_get_scroll (HL_SCENE (self), NULL, &scroll);
  hl_steps_layout_init (&layout, wanted, width, height, scale, hl_cairo_snap (scroll, scale),
                        hl_scene_get_zoom (HL_SCENE (self)), MAX (self->room.query_width, self->room.key_width),
                        self->room.key_width, hl_scene_caption_get_room (HL_SCENE (self)));
  return layout;
}

/**
 * hl_steps_scene_get_data: (skip)
 * @self: a view of steps
 *
 * Returns: (transfer none) (nullable): the head that the state asks for, %NULL while only another is there
 */
const HlStepsData *
hl_steps_scene_get_data (HlStepsScene *self)
{
  return hl_scene_get_data (HL_SCENE (self));
}

static HlSceneData *
hl_steps_scene_create_data (HlScene *scene)
{
  return hl_steps_scene_is_possible (HL_STEPS_SCENE (scene)) ? &hl_steps_data_new (hl_scene_get_state (scene))->parent
                                                             : NULL;
}

static void
hl_steps_scene_measure (HlScene *scene,
                        double  *width,
                        double  *height)
{
  HlStepsScene *self = HL_STEPS_SCENE (scene);

  hl_scene_get_viewport (scene, width, height, NULL);
  if (hl_steps_scene_is_possible (self))
    *height = hl_steps_scene_get_layout (self).content_height;
}

static HlStepsImages *
want_images (HlStepsScene        *self,
             HlStepsData         *data,
             const HlStepsLayout *layout)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  HlStepsImages *images = g_new0 (HlStepsImages, 1);

  images->data = hl_scene_data_ref (data);
  images->map = hl_view_state_get_options (state)->colour_map;
  images->dark = hl_view_state_get_options (state)->dark;
  images->scale = layout->scale;
  for (guint i = 0; i < layout->n_cards; i++)
    {
      images->widths[i] = (int) lround (layout->cards[i].plot.width * layout->scale);
      images->heights[i] = (int) lround (layout->cards[i].plot.height * layout->scale);
    }
  return images;
}

static HlSceneJob *
hl_steps_scene_create_job (HlScene *scene)
{
  HlStepsScene *self = HL_STEPS_SCENE (scene);
  gboolean is_read;
  g_autoptr (HlStepsData) data = hl_scene_dup_data (scene, &is_read);

  if (data == NULL)
    return NULL;

  const HlStepsLayout layout = hl_steps_scene_get_layout (self);
  const gboolean has_pixels = !hl_scene_get_vector (scene) && layout.width >= 1 && layout.height >= 1;
  g_autoptr (HlStepsImages) images = has_pixels ? want_images (self, data, &layout) : NULL;
  if (is_read && (images == NULL || (self->images != NULL && hl_steps_images_same (self->images, images))))
    return NULL;

  HlStepsJob *job = hl_scene_new_job (scene, HL_TYPE_STEPS_JOB, data);
  job->images = g_steal_pointer (&images);
  return HL_SCENE_JOB (job);
}

static void
hl_steps_scene_accept (HlScene    *scene,
                       HlSceneJob *scene_job,
                       gboolean    is_new)
{
  HlStepsScene *self = HL_STEPS_SCENE (scene);
  HlStepsJob *job = HL_STEPS_JOB (scene_job);

  if (job->images != NULL && job->images->data == hl_scene_get_any_data (scene))
    {
      g_clear_pointer (&self->images, hl_steps_images_free);
      self->images = g_steal_pointer (&job->images);
    }
  for (HlScenePart part = 0; part < HL_SCENE_N_PARTS; part++)
    hl_scene_emit_changed (scene, part);
}

/* The shown cells of one matrix. */
static void
draw_cells (HlStepsScene      *self,
            cairo_t           *cr,
            const HlStepsData *data,
            const HlStepsCard *card,
            guint              index)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const HlStepsMatrix *matrix = &data->matrices[index];
  double scale;

  if (hl_scene_get_vector (HL_SCENE (self)))
    {
      const HlValueCells cells = hl_steps_matrix_get_cells (matrix);
      const HlValuePaint paint =
        hl_steps_matrix_get_paint (matrix, hl_view_state_get_options (state)->colour_map, hl_view_state_get_options (state)->dark);

      hl_value_cells_draw (&cells, &paint, &card->plot, cr);
      return;
    }
  if (self->images == NULL || self->images->data != data || self->images->surfaces[index] == NULL)
    return;
  hl_scene_get_viewport (HL_SCENE (self), NULL, NULL, &scale);
  cairo_save (cr);
  cairo_translate (cr, card->plot.x, hl_cairo_snap (card->plot.y, scale));
  /* Of another size until the new pixels are there. */
  cairo_scale (cr, card->plot.width / self->images->widths[index], card->plot.height / self->images->heights[index]);
  cairo_set_source_surface (cr, self->images->surfaces[index], 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, 0, 0, self->images->widths[index], self->images->heights[index]);
  cairo_fill (cr);
  cairo_restore (cr);
}

static void
hl_steps_scene_draw_picture (HlScene *scene,
                             cairo_t *cr)
{
  HlStepsScene *self = HL_STEPS_SCENE (scene);
  const HlStepsData *data = hl_steps_scene_get_data (self);

  if (data == NULL)
    return;

  const HlStepsLayout layout = hl_steps_scene_get_layout (self);
  cairo_rectangle (cr, 0, layout.header_height, layout.width, MAX (0, layout.height - layout.header_height));
  cairo_clip (cr);
  for (guint i = 0; i < layout.n_cards; i++)
    {
      const HlStepsCard *card = &layout.cards[i];
      if (card->plot.y < layout.height && card->plot.y + card->plot.height > layout.header_height)
        draw_cells (self, cr, data, card, i);
    }
}

static void
hl_steps_scene_pick (HlScene *scene,
                     double   x,
                     double   y,
                     HlPick  *pick)
{
  HlStepsScene *self = HL_STEPS_SCENE (scene);

  if (!hl_steps_scene_is_possible (self))
    return;
  const HlStepsLayout layout = hl_steps_scene_get_layout (self);
  hl_steps_layout_pick (&layout, x, y, pick);
}

static void
hl_steps_scene_zoom (HlScene *scene,
                     double   factor,
                     double   x,
                     double   y)
{
  HlStepsScene *self = HL_STEPS_SCENE (scene);
  double width, scroll;

  if (!hl_steps_scene_is_possible (self))
    return;
  /* The matrix under the point stays there, in whatever line of matrices it comes to be. */
  const HlStepsLayout before = hl_steps_scene_get_layout (self);
  const HlStepsCard *card = &before.cards[0];
  for (guint i = 0; i < before.n_cards; i++)
    if (before.cards[i].box.y <= y && before.cards[i].box.x <= x)
      card = &before.cards[i];
  const double at = (y - card->plot.y) / card->plot.height;

  hl_scene_get_viewport (scene, &width, NULL, NULL);
  hl_scene_set_zoom (scene, CLAMP (before.card_width * factor, HL_STEPS_MIN_CARD, MAX (width, HL_STEPS_MIN_CARD)));

  const HlStepsLayout after = hl_steps_scene_get_layout (self);
  const HlStepsCard *moved = hl_steps_layout_find_card (&after, card->step);
  hl_scene_get_scroll (scene, NULL, &scroll);
  hl_scene_set_scroll (scene, 0, scroll + moved->plot.y + at * moved->plot.height - y);
}

static void
hl_steps_scene_fit (HlScene *scene)
{
  hl_scene_set_zoom (scene, 0);
  hl_scene_set_scroll (scene, 0, 0);
}

static gboolean
hl_steps_scene_locate (HlScene      *scene,
                       const HlPick *pick,
                       double       *x,
                       double       *y,
                       double       *width,
                       double       *height)
{
  static const HlStep homes[] = {
    [HL_PICK_QUERY] = HL_STEP_QUERIES, [HL_PICK_KEY] = HL_STEP_KEYS, [HL_PICK_CELL] = HL_STEP_WEIGHTS
  };
  HlStepsScene *self = HL_STEPS_SCENE (scene);
  const gboolean is_cell = pick->kind == HL_PICK_CELL;

  if (!hl_steps_scene_is_possible (self) || (pick->kind != HL_PICK_QUERY && pick->kind != HL_PICK_KEY && !is_cell))
    return FALSE;

  const HlStepsLayout layout = hl_steps_scene_get_layout (self);
  const HlStepsCard *card =
    hl_steps_layout_find_card (&layout, pick->step != HL_STEP_NONE ? pick->step : homes[pick->kind]);
  const gsize row = (pick->kind == HL_PICK_KEY ? pick->key : pick->query) - (card != NULL ? card->rows.first : 0);
  const gsize column = is_cell ? pick->key - (card != NULL ? card->columns.first : 0) : pick->feature;
  const gboolean is_row = !is_cell && pick->step == HL_STEP_NONE;
  if (card == NULL || row >= card->rows.n || column >= card->columns.n)
    return FALSE;

  cairo_rectangle_t box;
  hl_steps_card_get_cell (card, row, is_row ? 0 : column, &box);
  *x = box.x;
  *y = box.y;
  *width = is_row ? card->plot.width : box.width;
  *height = box.height;
  return TRUE;
}

static void
hl_steps_scene_finalize (GObject *object)
{
  HlStepsScene *self = HL_STEPS_SCENE (object);

  hl_label_room_clear (&self->room);
  g_clear_pointer (&self->images, hl_steps_images_free);
  G_OBJECT_CLASS (hl_steps_scene_parent_class)->finalize (object);
}

static void
hl_steps_scene_class_init (HlStepsSceneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  object_class->finalize = hl_steps_scene_finalize;
  scene_class->measure = hl_steps_scene_measure;
  scene_class->create_data = hl_steps_scene_create_data;
  scene_class->create_job = hl_steps_scene_create_job;
  scene_class->accept = hl_steps_scene_accept;
  scene_class->draw[HL_SCENE_BACKDROP] = hl_steps_scene_draw_backdrop;
  scene_class->draw[HL_SCENE_PICTURE] = hl_steps_scene_draw_picture;
  scene_class->draw[HL_SCENE_OVERLAY] = hl_steps_scene_draw_overlay;
  scene_class->pick = hl_steps_scene_pick;
  scene_class->describe = hl_steps_scene_describe;
  scene_class->zoom = hl_steps_scene_zoom;
  scene_class->fit = hl_steps_scene_fit;
  scene_class->locate = hl_steps_scene_locate;
  scene_class->without_effect = without_effect;
}

static void
hl_steps_scene_init (HlStepsScene *self)
{
}
