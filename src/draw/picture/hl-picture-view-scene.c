/* SPDX-License-Identifier: MIT */
/*
 * The picture view: images with the patches that tokens stand for, and beside them the tokens that stand for none. What is pointed at shows
 * where it looks, as heat over the images; a patch that only words look at shows these. The images never turn with the text.
 */
#include "draw/picture/hl-picture-view-scene.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "draw/paint/hl-contrast.h"
#include "draw/picture/hl-picture-view-data.h"
#include "draw/picture/hl-picture-view-heat.h"
#include "draw/picture/hl-picture-view-job.h"
#include "draw/picture/hl-picture-view-layout.h"
#include "draw/scene/hl-scene-describe.h"
#include "draw/scene/hl-scene-write.h"
#include "draw/text/hl-token-label.h"
#include "view/hl-weight-text.h"

#define CAPTION_Y 18
#define MAX_CHIP 180

/* On paper, pixels of a side of an image. */
#define MAX_PAPER 2048.0

struct _HlPictureViewScene
{
  HlScene parent_instance;

  HlPictureParts parts;
  GPtrArray *images; /* of HlPictureViewImage, of those that are seen */
};

G_DEFINE_FINAL_TYPE (HlPictureViewScene, hl_picture_view_scene, HL_TYPE_SCENE)

static void
hl_picture_view_scene_lay_out (HlScene            *scene,
                               const HlSceneFrame *frame,
                               gpointer            layout)
{
  HlPictureViewScene *self = HL_PICTURE_VIEW_SCENE (scene);

  if (!hl_picture_parts_serve (&self->parts, frame->shown))
    hl_picture_parts_init (&self->parts, hl_scene_get_text (scene), frame->shown);
  hl_picture_view_layout_init (layout, &self->parts, frame);
}

static HlSceneData *
hl_picture_view_scene_create_data (HlScene       *scene,
                                   const HlShown *shown)
{
  return hl_view_kind_get_lack (HL_VIEW_PICTURE, shown->attention) == NULL ? &hl_picture_view_data_new (shown)->parent
                                                                           : NULL;
}

static void
hl_picture_view_scene_measure (HlScene            *scene,
                               const HlSceneFrame *frame,
                               double             *width,
                               double             *height)
{
  const HlPictureViewLayout *layout = frame->layout;

  *width = layout->content_width;
  *height = layout->content_height;
}

/* The pixels that an image is wanted in: as many as it is seen in, but no more than it has. */
static void
get_wanted_size (const HlSceneFrame  *frame,
                 const HlPicturePane *pane,
                 const HlImage       *image,
                 gsize               *width,
                 gsize               *height)
{
  const double scale = frame->vector ? MAX_PAPER / (double) MAX (image->width, image->height)
                                     : frame->scale * pane->box.width / (double) image->width;
  const double factor = MIN (scale, 1);

  *width = (gsize) MAX (1, lround ((double) image->width * factor));
  *height = (gsize) MAX (1, lround ((double) image->height * factor));
}

static HlPictureViewImage *
find_image (HlPictureViewScene *self,
            const HlImage      *image)
{
  for (guint i = 0; i < self->images->len; i++)
    if (((HlPictureViewImage *) self->images->pdata[i])->image == image)
      return self->images->pdata[i];
  return NULL;
}

static HlSceneJob *
hl_picture_view_scene_create_job (HlScene            *scene,
                                  const HlSceneFrame *frame,
                                  gpointer            data)
{
  HlPictureViewScene *self = HL_PICTURE_VIEW_SCENE (scene);
  g_autoptr (HlPictureViewJob) job = hl_scene_new_job (scene, HL_TYPE_PICTURE_VIEW_JOB, data);

  for (guint i = 0; frame->width >= 1 && frame->height >= 1 && i < self->parts.panes->len; i++)
    {
      const HlPicturePane *pane = &g_array_index (self->parts.panes, HlPicturePane, i);
      HlImage *image = hl_picture_get_image (pane->picture, pane->image);
      gsize width, height;
      if (image == NULL)
        continue;
      const HlPictureViewImage *known = find_image (self, image);
      get_wanted_size (frame, pane, image, &width, &height);
      if (known == NULL || known->width != width || known->height != height)
        g_ptr_array_add (job->images, hl_picture_view_image_new (image, width, height));
    }
  return frame->data == NULL || job->images->len > 0 ? HL_SCENE_JOB (g_steal_pointer (&job)) : NULL;
}

static gboolean
is_seen (const HlPictureParts *parts,
         const HlImage        *image)
{
  for (guint i = 0; parts->panes != NULL && i < parts->panes->len; i++)
    {
      const HlPicturePane *pane = &g_array_index (parts->panes, HlPicturePane, i);
      if (hl_picture_get_image (pane->picture, pane->image) == image)
        return TRUE;
    }
  return FALSE;
}

static void
hl_picture_view_scene_accept (HlScene            *scene,
                              const HlSceneFrame *frame,
                              HlSceneJob         *scene_job,
                              gboolean            is_new)
{
  HlPictureViewScene *self = HL_PICTURE_VIEW_SCENE (scene);
  HlPictureViewJob *job = HL_PICTURE_VIEW_JOB (scene_job);

  for (guint i = self->images->len; i-- > 0;)
    if (!is_seen (&self->parts, ((HlPictureViewImage *) self->images->pdata[i])->image))
      g_ptr_array_remove_index (self->images, i);
  while (job->images->len > 0)
    {
      HlPictureViewImage *made = g_ptr_array_steal_index (job->images, job->images->len - 1);
      HlPictureViewImage *old = find_image (self, made->image);
      if (old != NULL)
        g_ptr_array_remove (self->images, old);
      g_ptr_array_add (self->images, made);
    }
  hl_scene_emit_changed (scene, HL_SCENE_BACKDROP);
  hl_scene_emit_changed (scene, HL_SCENE_PICTURE);
  hl_scene_emit_changed (scene, HL_SCENE_OVERLAY);
}

/* What rules the picture, if it is a token or several, or a pair, whose query then does. */
static const HlFocus *
get_focus (const HlSceneFrame *frame,
           HlFocus            *query)
{
  if (!hl_scene_frame_has_token (frame, frame->focus))
    return NULL;
  if (frame->focus->kind != HL_PICK_CELL)
    return frame->in_focus;
  *query = (HlFocus){ hl_pick_of (HL_QUERIES, frame->focus->query), NULL };
  return query;
}

static double
hl_picture_view_scene_get_picture_opacity (HlScene            *scene,
                                           const HlSceneFrame *frame)
{
  return frame->data != NULL && hl_scene_frame_has_token (frame, frame->focus) ? 0 : 1;
}

static void
hl_picture_view_scene_pick (HlScene            *scene,
                            const HlSceneFrame *frame,
                            double              x,
                            double              y,
                            HlPick             *pick)
{
  hl_picture_view_layout_pick (frame->layout, x, y, pick);
}

static float *
hl_picture_view_scene_make_row (HlScene            *scene,
                                const HlSceneFrame *frame,
                                const HlFocus      *focus,
                                guint              *n_heads)
{
  const HlPictureViewData *data = frame->data;

  *n_heads = data != NULL ? data->n_heads : 1;
  if (data == NULL || !hl_pick_is_token (&focus->pick))
    return NULL;
  float *row = g_new (float, MAX (data->ranges[hl_side_get_other (hl_pick_get_side (&focus->pick))].n, 1));
  hl_picture_view_data_get_row (data, focus, row);
  return row;
}

/* What a token makes with the pinned one: where both sides are the same tokens, each is on the other, too. */
static gboolean
find_pair (const HlSceneFrame *frame,
           const HlPick       *pick,
           HlPick             *pair)
{
  const HlPictureViewLayout *layout = frame->layout;
  const HlPick *pinned = frame->pinned;
  const HlSide side = hl_pick_get_side (pinned);

  if (layout == NULL || !hl_pick_is_token (pinned) || !hl_pick_is_token (pick) || hl_pick_equal (pinned, pick) ||
      (!layout->parts->is_one && hl_pick_get_side (pick) == side))
    return FALSE;
  *pair = (HlPick){ HL_PICK_CELL };
  pair->tokens[side] = pinned->tokens[side];
  pair->tokens[hl_side_get_other (side)] = pick->tokens[hl_pick_get_side (pick)];
  return hl_shown_has_pick (frame->shown, pair);
}

static char *
describe_cell (const HlSceneFrame *frame,
               const HlPick       *pick)
{
  const HlPictureViewData *data = frame->data;
  const float weight = data != NULL ? hl_picture_view_data_get (data, pick->query, pick->key) : 0;

  return hl_scene_describe_cell (frame->shown, pick, data != NULL ? &weight : NULL, data != NULL ? data->n_heads : 1);
}

static guint
count_images (const HlPictureParts *parts,
              HlSide                side)
{
  guint n = 0;

  for (guint i = 0; i < parts->panes->len; i++)
    n += parts->is_one || g_array_index (parts->panes, HlPicturePane, i).side == side;
  return n;
}

/* "0.30 of it on the image", of a row that has something beside it, too; NULL of others. */
static char *
describe_share (const HlPictureViewHeat *heat)
{
  const double share = hl_picture_view_heat_get_share (heat);
  char number[HL_WEIGHT_TEXT_SIZE];

  if (isnan (share))
    return NULL;
  hl_weight_text_format (share, number);
  /* Translators: how much of the weight of a row is that of patches of an image: “0.30” */
  return g_strdup_printf (count_images (heat->parts, heat->side) > 1 ? _ ("%s of it on the images")
                                                                     : _ ("%s of it on the image"),
                          number);
}

static char *
describe_row (HlScene            *scene,
              const HlSceneFrame *frame,
              const HlPick       *pick)
{
  const HlShown *shown = frame->shown;
  guint n_heads;
  g_autofree float *row = hl_picture_view_scene_make_row (scene, frame, &(HlFocus){ *pick, NULL }, &n_heads);

  return hl_scene_describe_token (shown, pick, row, shown->ranges[hl_side_get_other (hl_pick_get_side (pick))],
                                  n_heads);
}

static char *
hl_picture_view_scene_describe (HlScene            *scene,
                                const HlSceneFrame *frame,
                                const HlPick       *pick)
{
  const HlShown *shown = frame->shown;
  HlPick pair;

  if (pick->kind == HL_PICK_HEAD)
    return hl_scene_describe_head (shown, pick->head);
  if (pick->kind == HL_PICK_CELL)
    return describe_cell (frame, pick);
  if (find_pair (frame, pick, &pair))
    return describe_cell (frame, &pair);
  if (!hl_pick_is_token (pick))
    return NULL;
  g_autofree char *row = describe_row (scene, frame, pick);
  if (frame->data == NULL || frame->layout == NULL || !hl_shown_has_pick (shown, pick))
    return g_steal_pointer (&row);
  g_auto (HlPictureViewHeat) heat = { 0 };
  hl_picture_view_heat_init (&heat, frame, ((const HlPictureViewLayout *) frame->layout)->parts, frame->data,
                             &(HlFocus){ *pick, NULL });
  g_autofree char *share = describe_share (&heat);
  return share != NULL ? g_strdup_printf ("%s · %s", row, share) : g_steal_pointer (&row);
}

static gboolean
hl_picture_view_scene_locate (HlScene            *scene,
                              const HlSceneFrame *frame,
                              const HlPick       *pick,
                              cairo_rectangle_t  *box)
{
  const HlSide side = pick->kind == HL_PICK_CELL ? HL_KEYS : hl_pick_get_side (pick);

  return hl_scene_frame_has_token (frame, pick) &&
         hl_picture_view_layout_locate (frame->layout, side, pick->tokens[side], box);
}

static void
hl_picture_view_scene_get_window (HlScene            *scene,
                                  const HlSceneFrame *frame,
                                  cairo_rectangle_t  *window)
{
  *window = ((const HlPictureViewLayout *) frame->layout)->window;
}

/* What is at a point of the images stays there. */
static void
hl_picture_view_scene_zoom (HlScene            *scene,
                            const HlSceneFrame *frame,
                            double              factor,
                            double              x,
                            double              y)
{
  const HlPictureViewLayout before = *(const HlPictureViewLayout *) frame->layout;
  const double zoom = CLAMP ((frame->zoom > 0 ? frame->zoom : 1) * factor, 1, 16);
  const double along = (x - before.images.x) / before.scale, down = (y - before.images.y) / before.scale;

  hl_scene_set_zoom (scene, zoom <= 1 ? 0 : zoom);

  const HlSceneFrame *now = hl_scene_get_frame (scene);
  const HlPictureViewLayout *after = now->layout;
  hl_scene_set_progress (scene, now->x + after->images.x + along * after->scale - x,
                         now->y + after->images.y + down * after->scale - y);
}

static void
hl_picture_view_scene_fit (HlScene            *scene,
                           const HlSceneFrame *frame)
{
  hl_scene_set_zoom (scene, 0);
  hl_scene_set_progress (scene, 0, 0);
}

/* The token whose middle is nearest in that direction, what lies aside counting more; the last one of that side with @to_end. */
static gboolean
find_next (const HlPictureViewLayout *layout,
           const cairo_rectangle_t   *from,
           int                        dx,
           int                        dy,
           gboolean                   to_end,
           HlPick                    *pick)
{
  const HlPictureParts *parts = layout->parts;
  const double x = from->x + from->width / 2, y = from->y + from->height / 2;
  double best = INFINITY;

  for (HlSide side = HL_QUERIES; side <= (parts->is_one ? HL_QUERIES : HL_KEYS); side++)
    for (gsize i = parts->ranges[side].first; i < parts->ranges[side].first + parts->ranges[side].n; i++)
      {
        cairo_rectangle_t box;
        HlPicturePatch patch;
        if (!hl_picture_view_layout_locate (layout, side, i, &box))
          continue;
        const double right = box.x + box.width / 2 - x, down = box.y + box.height / 2 - y;
        const double along = right * dx + down * dy, aside = fabs (right * dy) + fabs (down * dx);
        if (along < 0.5 || (to_end && aside > MAX (from->width, from->height) / 2))
          continue;
        const double cost = to_end ? -along : along + 2 * aside;
        if (cost < best)
          {
            best = cost;
            *pick = hl_pick_of (hl_picture_parts_get_side (parts, side,
                                                           hl_attention_find_patch (parts->attention, side, i, &patch)),
                                i);
          }
      }
  return isfinite (best);
}

static void
hl_picture_view_scene_move (HlScene            *scene,
                            const HlSceneFrame *frame,
                            HlPick             *pick,
                            int                 dx,
                            int                 dy,
                            gboolean            to_end)
{
  const HlPictureViewLayout *layout = frame->layout;
  const HlPictureParts *parts = layout->parts;
  cairo_rectangle_t from;
  HlPicturePatch patch;

  if (hl_picture_view_scene_locate (scene, frame, pick, &from))
    {
      if (pick->kind == HL_PICK_CELL)
        *pick = hl_pick_of (HL_QUERIES, pick->query);
      find_next (layout, &from, dx, dy, to_end, pick);
      return;
    }
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (parts->ranges[side].n > 0)
      {
        const gsize first = parts->ranges[side].first;
        *pick = hl_pick_of (hl_picture_parts_get_side (parts, side,
                                                       hl_attention_find_patch (parts->attention, side, first, &patch)),
                            first);
        return;
      }
}

static void
clip_to_window (const HlPictureViewLayout *layout,
                cairo_t                   *cr)
{
  cairo_rectangle (cr, layout->window.x, layout->window.y, layout->window.width, layout->window.height);
  cairo_clip (cr);
}

/* Without pixels, squares. */
static void
draw_plain (const HlSceneFrame  *frame,
            const HlPicturePane *pane,
            cairo_t             *cr)
{
  guint n_grids;
  const HlPictureGrid *grids = hl_picture_get_grids (pane->picture, &n_grids);

  hl_cairo_set_colour (cr, &frame->theme->masked, 1);
  cairo_rectangle (cr, pane->box.x, pane->box.y, pane->box.width, pane->box.height);
  cairo_fill (cr);
  hl_cairo_set_colour (cr, &frame->theme->grid, 1);
  cairo_set_line_width (cr, 1);
  for (guint i = 0; i < pane->grids->len; i++)
    {
      const HlPictureGrid *grid = &grids[g_array_index (pane->grids, guint, i)];
      const cairo_rectangle_t box = hl_picture_pane_place (pane, &grid->box);
      if (box.width / (double) grid->n_columns < 6)
        continue;
      for (gsize k = 0; k <= grid->n_columns; k++)
        {
          const double x = hl_cairo_snap (box.x + box.width * (double) k / (double) grid->n_columns, frame->scale);
          cairo_move_to (cr, x, box.y);
          cairo_line_to (cr, x, box.y + box.height);
        }
      for (gsize k = 0; k <= grid->n_rows; k++)
        {
          const double y = hl_cairo_snap (box.y + box.height * (double) k / (double) grid->n_rows, frame->scale);
          cairo_move_to (cr, box.x, y);
          cairo_line_to (cr, box.x + box.width, y);
        }
    }
  cairo_stroke (cr);
}

static void
draw_image (HlPictureViewScene  *self,
            const HlSceneFrame  *frame,
            const HlPicturePane *pane,
            cairo_t             *cr)
{
  const HlImage *image = hl_picture_get_image (pane->picture, pane->image);
  const HlPictureViewImage *made = image != NULL ? find_image (self, image) : NULL;

  if (made == NULL || made->surface == NULL)
    {
      draw_plain (frame, pane, cr);
      return;
    }
  cairo_save (cr);
  cairo_rectangle (cr, pane->box.x, pane->box.y, pane->box.width, pane->box.height);
  cairo_clip (cr);
  cairo_translate (cr, pane->box.x, pane->box.y);
  cairo_scale (cr, pane->box.width / (double) made->width, pane->box.height / (double) made->height);
  cairo_set_source_surface (cr, made->surface, 0, 0);
  cairo_pattern_set_extend (cairo_get_source (cr), CAIRO_EXTEND_PAD);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_BILINEAR);
  cairo_paint (cr);
  cairo_restore (cr);
}

static void
draw_chip (HlScene             *scene,
           const HlSceneFrame  *frame,
           const HlPictureChip *chip,
           const HlColour      *ground,
           cairo_t             *cr)
{
  const HlTheme *theme = frame->theme;
  const HlTextStyle style = { .size = HL_PICTURE_CHIP_SIZE, .max_width = MIN (MAX_CHIP, chip->box.width - 8) };
  const char *text = hl_attention_get_texts (frame->shown->attention, chip->side)[chip->token];
  g_autofree char *label = hl_token_text_show (text);

  hl_cairo_rounded_rectangle (cr, chip->box.x + 0.5, chip->box.y + 0.5, chip->box.width - 1, chip->box.height - 1, 5);
  hl_cairo_set_colour (cr, ground != NULL ? ground : &theme->background, 1);
  cairo_fill_preserve (cr);
  hl_cairo_set_colour (cr, &theme->grid, 1);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  const HlColour ink = ground != NULL ? hl_contrast_choose_ink (ground) : theme->foreground;
  hl_scene_write (scene, cr, label, &style, &ink, chip->box.x + chip->box.width / 2, chip->box.y + chip->box.height / 2,
                  0.5);
}

static gboolean
is_in_view (const HlPictureViewLayout *layout,
            const cairo_rectangle_t   *box)
{
  return box->y < layout->window.y + layout->window.height && box->y + box->height > layout->window.y;
}

/* Over images of several, or of two sides. */
static void
draw_titles (HlScene            *scene,
             const HlSceneFrame *frame,
             cairo_t            *cr)
{
  const HlPictureViewLayout *layout = frame->layout;
  const HlPictureParts *parts = layout->parts;
  const HlTextStyle style = { .size = 11 };
  guint n_before = 0;

  if (layout->title_height == 0)
    return;
  for (guint i = 0; i < parts->panes->len; i++)
    {
      const HlPicturePane *pane = &g_array_index (parts->panes, HlPicturePane, i);
      const char *side = pane->side == HL_QUERIES ? hl_scene_get_row_title (frame->shown)
                                                  : hl_scene_get_column_title (frame->shown);
      n_before = i > 0 && pane->side == g_array_index (parts->panes, HlPicturePane, i - 1).side ? n_before + 1 : 0;
      /* Translators: over one of several images */
      g_autofree char *name = g_strdup_printf (_ ("Image %u"), n_before + 1);
      g_autofree char *both = g_strdup_printf ("%s · %s", side, name);
      hl_scene_write (scene, cr,
                      parts->is_one                          ? name
                      : count_images (parts, pane->side) > 1 ? both
                                                             : side,
                      &style, &frame->theme->muted, pane->box.x, pane->box.y - layout->title_height / 2, 0);
    }
  for (guint i = 0; !parts->is_one && i < parts->chips->len; i++)
    {
      const HlPictureChip *chip = &g_array_index (parts->chips, HlPictureChip, i);
      if (i > 0 && chip->side == g_array_index (parts->chips, HlPictureChip, i - 1).side)
        continue;
      hl_scene_write (scene, cr,
                      chip->side == HL_QUERIES ? hl_scene_get_row_title (frame->shown)
                                               : hl_scene_get_column_title (frame->shown),
                      &style, &frame->theme->muted, frame->from_right ? chip->box.x + chip->box.width : chip->box.x,
                      chip->box.y - layout->title_height / 2, frame->from_right ? 1 : 0);
    }
}

static void
hl_picture_view_scene_draw_backdrop (HlScene            *scene,
                                     const HlSceneFrame *frame,
                                     cairo_t            *cr)
{
  HlPictureViewScene *self = HL_PICTURE_VIEW_SCENE (scene);
  const HlPictureViewLayout *layout = frame->layout;

  hl_scene_paint_background (frame, cr);
  hl_scene_draw_caption (scene, frame, cr, CAPTION_Y);
  if (layout == NULL)
    {
      const char *lack = frame->shown->comparison != NULL &&
                             hl_view_kind_get_lack (HL_VIEW_PICTURE, frame->shown->original) == NULL
                           ? _ ("The two sides show different images")
                           : hl_view_kind_get_lack (HL_VIEW_PICTURE, frame->shown->attention);
      hl_scene_draw_lack (scene, frame, cr, lack);
      return;
    }
  clip_to_window (layout, cr);
  draw_titles (scene, frame, cr);
  for (guint i = 0; i < self->parts.panes->len; i++)
    draw_image (self, frame, &g_array_index (self->parts.panes, HlPicturePane, i), cr);
  for (guint i = 0; i < self->parts.chips->len; i++)
    {
      const HlPictureChip *chip = &g_array_index (self->parts.chips, HlPictureChip, i);
      if (is_in_view (layout, &chip->box))
        draw_chip (scene, frame, chip, NULL, cr);
    }
}

static void
draw_heat (HlScene                 *scene,
           const HlSceneFrame      *frame,
           const HlPictureViewHeat *heat,
           cairo_t                 *cr)
{
  const HlPictureViewLayout *layout = frame->layout;
  const HlPictureParts *parts = layout->parts;

  cairo_save (cr);
  clip_to_window (layout, cr);
  for (guint i = 0; i < parts->panes->len; i++)
    {
      const HlPicturePane *pane = &g_array_index (parts->panes, HlPicturePane, i);
      if (hl_picture_view_heat_is_on (heat, pane->side) && is_in_view (layout, &pane->box))
        hl_picture_view_heat_draw_pane (heat, pane, cr);
    }
  for (guint i = 0; i < parts->chips->len; i++)
    {
      const HlPictureChip *chip = &g_array_index (parts->chips, HlPictureChip, i);
      HlColour colour;
      if (hl_picture_view_heat_is_on (heat, chip->side) && is_in_view (layout, &chip->box) &&
          hl_picture_view_heat_get_colour (heat, chip->token, &colour))
        draw_chip (scene, frame, chip, &colour, cr);
    }
  cairo_restore (cr);
  hl_picture_view_heat_draw_bar (heat, scene, layout, cr);
}

/* Of a list of tokens with their numbers that is too long, as many as have room: half a number would be another one. NULL where not one has.
 * Each is measured by itself, and what comes of it once: letters of two of them may stand closer or wider. */
static char *
fit_members (HlScene           *scene,
             const char        *text,
             const HlTextStyle *style)
{
  const char *separator = _ (", ");
  const HlTextStyle whole = { .size = style->size };
  g_autofree char *rest = g_strdup_printf ("%s…", separator);
  const double separator_width = hl_scene_measure_text (scene, separator, &whole);
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (gsize));
  double width = hl_scene_measure_text (scene, rest, &whole);
  const char *start = text;

  for (const char *end = strstr (text, separator); end != NULL; end = strstr (end + 1, separator))
    {
      /* A token may be a comma. */
      if (end == text || !g_ascii_isdigit (end[-1]))
        continue;
      g_autofree char *member = g_strndup (start, (gsize) (end - start));
      width += hl_scene_measure_text (scene, member, &whole) + (start > text ? separator_width : 0);
      if (width > style->max_width)
        break;
      const gsize length = (gsize) (end - text);
      g_array_append_val (lengths, length);
      start = end + strlen (separator);
    }
  for (guint i = lengths->len; i-- > 0;)
    {
      g_autofree char *part = g_strdup_printf ("%.*s%s", (int) g_array_index (lengths, gsize, i), text, rest);
      if (hl_scene_measure_text (scene, part, &whole) <= style->max_width)
        return g_steal_pointer (&part);
    }
  return NULL;
}

/* What has room of a text and of what follows it, which is left out where nothing else had room. Both are too long together. */
static char *
fit_status (HlScene           *scene,
            const char        *text,
            const char        *end,
            const HlTextStyle *style)
{
  const HlTextStyle whole = { .size = style->size };
  HlTextStyle before = *style;

  before.max_width -= hl_scene_measure_text (scene, end, &whole);
  g_autofree char *first = fit_members (scene, text, &before);
  if (first != NULL)
    return g_strconcat (first, end, NULL);
  char *alone = hl_scene_measure_text (scene, text, &whole) > style->max_width ? fit_members (scene, text, style)
                                                                               : NULL;
  return alone != NULL ? alone : g_strdup (text);
}

/* What tokens have, and how much of it the image has. */
static void
draw_status (HlScene            *scene,
             const HlSceneFrame *frame,
             const char         *text,
             const char         *share,
             cairo_t            *cr)
{
  const HlPictureViewLayout *layout = frame->layout;
  HlTextStyle style = { .size = 12 };

  if (text == NULL)
    return;
  g_autofree char *end = share != NULL ? g_strdup_printf (" · %s", share) : g_strdup ("");
  g_autofree char *whole = g_strconcat (text, end, NULL);
  const double room = MAX (frame->width - 24, 24);
  if (hl_scene_measure_text (scene, whole, &style) > room)
    {
      style.max_width = room;
      g_free (whole);
      whole = fit_status (scene, text, end, &style);
    }
  hl_scene_write (scene, cr, whole, &style, &frame->theme->foreground, frame->width / 2, layout->status_y, 0.5);
}

/* With nothing in focus, what keys get. */
static void
hl_picture_view_scene_draw_picture (HlScene            *scene,
                                    const HlSceneFrame *frame,
                                    cairo_t            *cr)
{
  const HlPictureViewLayout *layout = frame->layout;
  g_auto (HlPictureViewHeat) heat = { 0 };

  if (frame->data == NULL || frame->shown->queries.n == 0 || frame->shown->keys.n == 0)
    return;
  hl_picture_view_heat_init (&heat, frame, layout->parts, frame->data, NULL);
  draw_heat (scene, frame, &heat, cr);
  g_autofree char *share = describe_share (&heat);
  draw_status (scene, frame, _ ("mean of all queries"), share, cr);
}

/* What is pinned stands out from what is only pointed at. */
static void
outline (const HlSceneFrame *frame,
         HlSide              side,
         gsize               token,
         cairo_t            *cr)
{
  const HlPick pick = hl_pick_of (side, token);
  cairo_rectangle_t box;

  if (!hl_picture_view_layout_locate (frame->layout, side, token, &box))
    return;
  hl_callout_outline (cr, &box, 1);
  if (frame->pinned->kind == HL_PICK_NONE || hl_pick_equal (frame->hovered, &pick))
    return;
  hl_cairo_set_colour (cr, &frame->theme->accent, 1);
  cairo_set_line_width (cr, 2);
  cairo_rectangle (cr, box.x - 3, box.y - 3, box.width + 6, box.height + 6);
  cairo_stroke (cr);
}

static void
outline_pick (const HlSceneFrame *frame,
              const HlPick       *pick,
              cairo_t            *cr)
{
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    if (hl_pick_has (pick, side))
      outline (frame, side, pick->tokens[side], cr);
}

/* What is told of: beside a pin, the pair that the pointer makes with it. */
static void
draw_status_of (HlScene                 *scene,
                const HlSceneFrame      *frame,
                const HlPictureViewHeat *heat,
                cairo_t                 *cr)
{
  HlPick pair;
  const gboolean has_pair = find_pair (frame, frame->hovered, &pair);
  const gboolean is_row = !has_pair && frame->focus->kind != HL_PICK_CELL;
  g_autofree char *share = is_row ? describe_share (heat) : NULL;
  g_autofree char *status = has_pair                                      ? hl_scene_describe (scene, &pair)
                            : is_row && frame->in_focus->gathered == NULL ? describe_row (scene, frame, frame->focus)
                                                                          : hl_scene_describe_focus (scene);

  draw_status (scene, frame, status, share, cr);
}

static void
hl_picture_view_scene_draw_overlay (HlScene            *scene,
                                    const HlSceneFrame *frame,
                                    cairo_t            *cr)
{
  const HlPictureViewLayout *layout = frame->layout;
  HlFocus query = { 0 };
  const HlFocus *focus = get_focus (frame, &query);

  if (focus == NULL)
    return;
  if (frame->data != NULL)
    {
      g_auto (HlPictureViewHeat) heat = { 0 };
      hl_picture_view_heat_init (&heat, frame, layout->parts, frame->data, focus);
      draw_heat (scene, frame, &heat, cr);
      draw_status_of (scene, frame, &heat, cr);
    }
  clip_to_window (layout, cr);
  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      gsize n;
      g_autofree gsize *tokens = hl_focus_list_tokens (frame->in_focus, side, &n);
      for (gsize i = 0; i < n; i++)
        outline (frame, side, tokens[i], cr);
    }
  outline_pick (frame, frame->focus, cr);
  if (hl_scene_frame_has_token (frame, frame->hovered))
    outline_pick (frame, frame->hovered, cr);
}

static void
hl_picture_view_scene_finalize (GObject *object)
{
  HlPictureViewScene *self = HL_PICTURE_VIEW_SCENE (object);

  hl_picture_parts_clear (&self->parts);
  g_ptr_array_unref (self->images);
  G_OBJECT_CLASS (hl_picture_view_scene_parent_class)->finalize (object);
}

static void
hl_picture_view_scene_class_init (HlPictureViewSceneClass *klass)
{
  HlSceneClass *scene_class = HL_SCENE_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hl_picture_view_scene_finalize;
  scene_class->layout_size = sizeof (HlPictureViewLayout);
  scene_class->lay_out = hl_picture_view_scene_lay_out;
  scene_class->measure = hl_picture_view_scene_measure;
  scene_class->create_data = hl_picture_view_scene_create_data;
  scene_class->create_job = hl_picture_view_scene_create_job;
  scene_class->accept = hl_picture_view_scene_accept;
  scene_class->draw[HL_SCENE_BACKDROP] = hl_picture_view_scene_draw_backdrop;
  scene_class->draw[HL_SCENE_PICTURE] = hl_picture_view_scene_draw_picture;
  scene_class->draw[HL_SCENE_OVERLAY] = hl_picture_view_scene_draw_overlay;
  scene_class->get_picture_opacity = hl_picture_view_scene_get_picture_opacity;
  scene_class->pick = hl_picture_view_scene_pick;
  scene_class->describe = hl_picture_view_scene_describe;
  scene_class->make_row = hl_picture_view_scene_make_row;
  scene_class->move = hl_picture_view_scene_move;
  scene_class->zoom = hl_picture_view_scene_zoom;
  scene_class->fit = hl_picture_view_scene_fit;
  scene_class->get_window = hl_picture_view_scene_get_window;
  scene_class->locate = hl_picture_view_scene_locate;
  scene_class->ignored = HL_CHANGED_VIEW | HL_CHANGED_SOURCE | HL_CHANGED_EXAMPLE | HL_CHANGED_LINES;
}

static void
hl_picture_view_scene_init (HlPictureViewScene *self)
{
  self->images = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_picture_view_image_free);
}
