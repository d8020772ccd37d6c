/* SPDX-License-Identifier: MIT */
/* The work of a model view between two frames. */
#include "draw/model-view/hl-model-view-job.h"

/*
 * Microseconds for a batch: short enough that the next one can begin with what is wanted then, long enough to be worth
 * its repaint.
 */
#define BATCH_TIME 40000

G_DEFINE_FINAL_TYPE (HlModelViewJob, hl_model_view_job, HL_TYPE_SCENE_JOB)

void
hl_model_view_job_add (HlModelViewJob *self,
                       HlThumbnail    *thumbnail,
                       HlThumbnail    *known)
{
  const HlModelViewItem item = { thumbnail, known != NULL ? hl_thumbnail_ref (known) : NULL, FALSE };

  g_array_append_val (self->items, item);
}

static gboolean
make_preview (HlModelViewJob *self,
              GCancellable   *cancellable,
              GError        **error)
{
  const HlThumbnail *preview = self->preview;

  return hl_thumbnail_make (self->preview, NULL, cancellable, error) &&
         (self->stats == NULL ||
          hl_head_stats_compute (self->attention, self->source, preview->layer, preview->head, preview->queries.first,
                                 preview->queries.n, hl_head_number_get_usual (), self->stats, cancellable, error));
}

static gboolean
hl_model_view_job_run (HlSceneJob   *job,
                       GCancellable *cancellable,
                       GError      **error)
{
  HlModelViewJob *self = HL_MODEL_VIEW_JOB (job);
  const gint64 end = g_get_monotonic_time () + BATCH_TIME;
  GError *first_error = NULL;

  if (self->preview != NULL && !make_preview (self, cancellable, error))
    return FALSE;

    /* Of one thumbnail the source itself reads the rows in threads. */
#pragma omp parallel for schedule(dynamic, 1) if (self->items->len > 1)
  for (guint i = 0; i < self->items->len; i++)
    {
      HlModelViewItem *item = &g_array_index (self->items, HlModelViewItem, i);
      GError *own_error = NULL;
      gboolean stop;

#pragma omp critical(hl_model_view_error)
      stop = first_error != NULL || (i > 0 && g_get_monotonic_time () >= end);
      if (stop)
        continue;
      item->done = hl_thumbnail_make (item->thumbnail, item->known, cancellable, &own_error);
      if (item->done)
        continue;
#pragma omp critical(hl_model_view_error)
      if (first_error == NULL)
        first_error = g_steal_pointer (&own_error);
      g_clear_error (&own_error);
    }
  if (first_error == NULL)
    return TRUE;
  g_propagate_error (error, first_error);
  return FALSE;
}

static void
clear_item (gpointer data)
{
  HlModelViewItem *item = data;

  hl_thumbnail_unref (item->thumbnail);
  g_clear_pointer (&item->known, hl_thumbnail_unref);
}

static void
hl_model_view_job_finalize (GObject *object)
{
  HlModelViewJob *self = HL_MODEL_VIEW_JOB (object);

  g_array_unref (self->items);
  g_clear_pointer (&self->preview, hl_thumbnail_unref);
  g_clear_object (&self->attention);
  g_clear_object (&self->source);
  g_free (self->stats);
  G_OBJECT_CLASS (hl_model_view_job_parent_class)->finalize (object);
}

static void
hl_model_view_job_class_init (HlModelViewJobClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_model_view_job_finalize;
  HL_SCENE_JOB_CLASS (klass)->run = hl_model_view_job_run;
}

static void
hl_model_view_job_init (HlModelViewJob *self)
{
  self->items = g_array_new (FALSE, FALSE, sizeof (HlModelViewItem));
  g_array_set_clear_func (self->items, clear_item);
}
