/* SPDX-License-Identifier: MIT */
/* Which thumbnails a model view has made, in which order, and which it keeps. */
#include "draw/model-view/hl-model-view-private.h"

#include "draw/model-view/hl-model-view-job.h"

/* Thumbnails in one job; more are made by the next. */
#define MAX_BATCH 256

/* Thumbnails out of view are made too if all together take no more than this, and dropped when there is more. */
#define MAX_BYTES ((gsize) 64 * 1024 * 1024)

static HlThumbnail *
new_thumbnail (HlModelViewScene       *self,
               guint                   layer,
               guint                   head,
               const HlThumbnailStyle *style)
{
  return hl_thumbnail_new (self->set.source, layer, head, self->set.queries, self->set.keys, style);
}

static void
want_preview (HlModelViewScene *self,
              HlModelViewJob   *job)
{
  HlViewState *state = hl_scene_get_state (HL_SCENE (self));
  const HlPick *pick = hl_view_state_get_hovered (state);
  const HlThumbnail *preview = self->set.preview;
  double width, height;

  if (pick->kind != HL_PICK_MAP)
    return;
  hl_model_view_scene_get_preview_size (self, &width, &height);
  const HlThumbnailStyle style = hl_model_view_scene_get_style (self, width, height);
  const gboolean needs_stats = hl_model_view_scene_has_stats (self) &&
                               hl_model_view_scene_get_stats (self, pick) == NULL;
  if (!needs_stats && preview != NULL && preview->layer == pick->layer && preview->head == pick->head &&
      hl_thumbnail_looks (preview, &style))
    return;
  job->preview = new_thumbnail (self, pick->layer, pick->head, &style);
  job->attention = g_object_ref (hl_view_state_get_shown_attention (state));
  job->source = g_object_ref (hl_view_state_get_source (state));
  job->stats = needs_stats ? g_new0 (HlHeadStats, 1) : NULL;
}

static void
want (HlModelViewScene       *self,
      HlModelViewJob         *job,
      guint                   layer,
      guint                   head,
      const HlThumbnailStyle *style)
{
  HlThumbnail *known = hl_thumbnail_set_get (&self->set, layer, head)->thumbnail;

  if (job->items->len < MAX_BATCH && (known == NULL || !hl_thumbnail_looks (known, style)))
    hl_model_view_job_add (job, new_thumbnail (self, layer, head, style), known);
}

/* What is in view comes first, row by row; then the rest, if there is room for all. */
static void
want_thumbnails (HlModelViewScene        *self,
                 HlModelViewJob          *job,
                 const HlModelViewLayout *layout)
{
  cairo_rectangle_t box;

  hl_model_view_layout_get_box (layout, 0, 0, &box);
  const HlThumbnailStyle style = hl_model_view_scene_get_style (self, box.width, box.height);
  g_autoptr (HlThumbnail) one = new_thumbnail (self, 0, 0, &style);
  HlRange rows, columns;
  guint layer, head;

  hl_model_view_layout_get_seen (layout, &rows, &columns);
  for (gsize row = rows.first; row < rows.first + rows.n; row++)
    for (gsize column = columns.first; column < columns.first + columns.n; column++)
      if (hl_model_view_layout_get_map (layout, row, column, &layer, &head))
        want (self, job, layer, head, &style);
  if (job->items->len > 0 || self->set.starts[self->set.n_layers] * hl_thumbnail_get_size (one) > MAX_BYTES)
    return;
  for (gsize row = 0; row < layout->n_rows; row++)
    for (gsize column = 0; column < layout->n_columns; column++)
      if (hl_model_view_layout_get_map (layout, row, column, &layer, &head))
        want (self, job, layer, head, &style);
}

/**
 * hl_model_view_scene_create_job: (skip)
 * @scene: a model view
 *
 * Returns: (transfer full) (nullable): the thumbnails that are most wanted, %NULL if all are there
 */
HlSceneJob *
hl_model_view_scene_create_job (HlScene *scene)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (scene);
  const HlModelViewLayout layout = hl_model_view_scene_get_layout (self);

  hl_thumbnail_set_follow (&self->set, hl_scene_get_state (scene));
  if (self->set.queries.n == 0 || self->set.keys.n == 0 || layout.width < 1 || layout.height < 1)
    return NULL;

  g_autoptr (HlModelViewJob) job = g_object_new (HL_TYPE_MODEL_VIEW_JOB, NULL);
  want_preview (self, job);
  want_thumbnails (self, job, &layout);
  return job->preview != NULL || job->items->len > 0 ? HL_SCENE_JOB (g_steal_pointer (&job)) : NULL;
}

/* When thumbnails take too much, those out of view go. */
static void
make_room (HlModelViewScene *self)
{
  const HlModelViewLayout layout = hl_model_view_scene_get_layout (self);
  HlRange rows, columns;
  gsize size = 0;

  for (guint i = 0; i < self->set.starts[self->set.n_layers]; i++)
    if (self->set.slots[i].thumbnail != NULL)
      size += hl_thumbnail_get_size (self->set.slots[i].thumbnail);
  if (size <= MAX_BYTES)
    return;
  hl_model_view_layout_get_seen (&layout, &rows, &columns);
  for (guint layer = 0; layer < self->set.n_layers; layer++)
    for (guint head = 0; head < hl_attention_get_n_heads (layout.attention, layer); head++)
      {
        guint row, column;

        hl_model_view_layout_get_cell (&layout, layer, head, &row, &column);
        if (row - rows.first >= rows.n || column - columns.first >= columns.n)
          g_clear_pointer (&hl_thumbnail_set_get (&self->set, layer, head)->thumbnail, hl_thumbnail_unref);
      }
}

/**
 * hl_model_view_scene_accept: (skip)
 * @scene: a model view
 * @scene_job: a job that ran
 * @is_new: does not count here
 */
void
hl_model_view_scene_accept (HlScene    *scene,
                            HlSceneJob *scene_job,
                            gboolean    is_new)
{
  HlModelViewScene *self = HL_MODEL_VIEW_SCENE (scene);
  HlModelViewJob *job = HL_MODEL_VIEW_JOB (scene_job);
  const HlThumbnail *any = job->preview != NULL ? job->preview
                                                : g_array_index (job->items, HlModelViewItem, 0).thumbnail;

  hl_thumbnail_set_follow (&self->set, hl_scene_get_state (scene));
  /* Weights of another source, or of other tokens, would be a lie. */
  if (any->source != self->set.source || !hl_range_equal (any->queries, self->set.queries) ||
      !hl_range_equal (any->keys, self->set.keys))
    return;

  if (job->preview != NULL)
    {
      HlThumbnailSlot *slot = hl_thumbnail_set_get (&self->set, job->preview->layer, job->preview->head);
      if (slot->stats == NULL)
        slot->stats = g_steal_pointer (&job->stats);
      g_clear_pointer (&self->set.preview, hl_thumbnail_unref);
      self->set.preview = g_steal_pointer (&job->preview);
      hl_scene_emit_changed (scene, HL_SCENE_OVERLAY);
    }
  for (guint i = 0; i < job->items->len; i++)
    {
      HlModelViewItem *item = &g_array_index (job->items, HlModelViewItem, i);
      if (!item->done)
        continue;
      HlThumbnailSlot *slot = hl_thumbnail_set_get (&self->set, item->thumbnail->layer, item->thumbnail->head);
      g_clear_pointer (&slot->thumbnail, hl_thumbnail_unref);
      slot->thumbnail = hl_thumbnail_ref (item->thumbnail);
    }
  make_room (self);
  if (job->items->len > 0)
    hl_scene_emit_changed (scene, HL_SCENE_PICTURE);
}
