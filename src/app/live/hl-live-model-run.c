/* SPDX-License-Identifier: MIT */
/*
 * HlLiveModel: the run. The model is loaded, texts are made tokens of, and layers are computed in workers. At most one
 * run is under way: a newer text has it cancelled and waits for its end, so that two never compete for the processor.
 * The document of a run is shown as soon as it can replace the old picture: when the layer that is looked at is done.
 */
#include "config.h"

#include "app/live/hl-live-model-private.h"

#include "app/live/hl-live-layers.h"

#include <glib/gi18n.h>

/* When the layer that is looked at takes longer than this, the first layers are shown without it. */
#define PATIENCE_MS 300

static void
set_error (HlLiveModel *self,
           GError      *error)
{
  if (self->error == NULL && error == NULL)
    return;
  g_clear_error (&self->error);
  self->error = error;
  g_object_notify (G_OBJECT (self), "error");
}

static void
show_pending (HlLiveModel *self)
{
  g_clear_handle_id (&self->patience, g_source_remove);
  g_clear_object (&self->document);
  self->document = g_steal_pointer (&self->pending);
  set_error (self, NULL);
  g_object_notify (G_OBJECT (self), "document");
}

/* Shows the document of the run if it is time: the layer that is looked at is done, or the old document does not have
 * it either. With patience at its end, any layer will do. */
static void
consider (HlLiveModel *self,
          gboolean     patient)
{
  guint n_done;

  if (self->pending == NULL)
    return;
  hl_live_layers_count (self->pending, &n_done, NULL);
  if (hl_live_layers_has (self->pending, self->wanted_attention, self->wanted_layer) ||
      (self->document != NULL && !hl_live_layers_has (self->document, self->wanted_attention, self->wanted_layer)) ||
      (!patient && n_done > 0))
    show_pending (self);
}

static void
on_progress (HlLiveModel *self)
{
  if (self->run == NULL)
    return;
  /* Patience that has ended stays so. */
  consider (self, self->patience != 0);
  g_object_notify (G_OBJECT (self), "n-done");
}

/* Layers that are done may be there to be shown. */
void
hl_live_model_watch_progress (HlLiveModel *self)
{
  g_signal_connect_object (self->progress, "notify", G_CALLBACK (on_progress), self, G_CONNECT_SWAPPED);
}

static gboolean
on_patience_ended (gpointer data)
{
  HlLiveModel *self = data;

  self->patience = 0;
  consider (self, FALSE);
  return G_SOURCE_REMOVE;
}

static void begin (HlLiveModel *self);

static void
end (HlLiveModel *self)
{
  /* What was typed is not what is shown. */
  if (g_cancellable_is_cancelled (self->cancellable) && !self->again)
    set_error (self, g_error_new (G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("Stopped before it was done")));
  g_clear_handle_id (&self->patience, g_source_remove);
  g_clear_object (&self->pending);
  g_clear_object (&self->run);
  g_clear_object (&self->cancellable);
  if (self->again)
    begin (self);
  else
    g_object_notify (G_OBJECT (self), "busy");
}

static void
on_executed (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (HlLiveModel) self = data;
  g_autoptr (GError) error = NULL;
  const gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  if (g_cancellable_is_cancelled (self->cancellable))
    {
      end (self);
      return;
    }
  if (done)
    consider (self, FALSE);
  else
    set_error (self, g_steal_pointer (&error));
  end (self);
}

static void
on_prepared (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  g_autoptr (HlLiveModel) self = data;
  HlLivePreparation *preparation = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  const gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  if (preparation->model != NULL)
    g_set_object (&self->model, preparation->model);
  if (self->text == NULL)
    {
      self->text = g_strdup (preparation->text);
      self->second_text = g_strdup (preparation->second_text);
    }
  if (!done || g_cancellable_is_cancelled (self->cancellable))
    {
      if (!g_cancellable_is_cancelled (self->cancellable))
        set_error (self, g_steal_pointer (&error));
      end (self);
      return;
    }

  self->run = g_steal_pointer (&preparation->run);
  self->pending = g_object_ref (hl_model_run_get_document (self->run));
  self->patience = g_timeout_add (PATIENCE_MS, on_patience_ended, self);
  g_autoptr (GTask) task = g_task_new (self->run, self->cancellable, on_executed, g_object_ref (self));
  g_task_set_source_tag (task, on_prepared);
  g_task_set_name (task, "model run");
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, g_object_ref (self->progress), g_object_unref);
  g_task_run_in_thread (task, hl_live_preparation_execute);
  consider (self, TRUE);
  g_object_notify (G_OBJECT (self), "n-done");
}

static void
begin (HlLiveModel *self)
{
  self->again = FALSE;
  self->cancellable = g_cancellable_new ();
  hl_progress_set (self->progress, 0, self->model == NULL ? _ ("Reading the model") : NULL);
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_prepared, g_object_ref (self));
  g_task_set_source_tag (task, begin);
  g_task_set_name (task, "text of a model");
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, hl_live_preparation_new (self->folder, self->model, self->text, self->second_text),
                        (GDestroyNotify) hl_live_preparation_free);
  g_task_run_in_thread (task, hl_live_preparation_run);
  g_object_notify (G_OBJECT (self), "busy");
}

/**
 * hl_live_model_run:
 * @self: a live model
 *
 * Has the texts computed now; an example, when none were set.
 */
void
hl_live_model_run (HlLiveModel *self)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));

  g_clear_handle_id (&self->pause, g_source_remove);
  if (self->text != NULL && *self->text == '\0')
    return;
  self->again = self->cancellable != NULL;
  if (self->again)
    g_cancellable_cancel (self->cancellable);
  else
    begin (self);
}

/**
 * hl_live_model_stop:
 * @self: a live model
 *
 * Stops the run that is under way and forgets what was typed since. The document stays.
 */
void
hl_live_model_stop (HlLiveModel *self)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));

  g_clear_handle_id (&self->pause, g_source_remove);
  self->again = FALSE;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

/**
 * hl_live_model_get_busy:
 * @self: a live model
 *
 * Returns: whether a run is under way
 */
gboolean
hl_live_model_get_busy (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  return self->cancellable != NULL;
}

/**
 * hl_live_model_get_layers:
 * @self: a live model
 * @n_done: (out) (optional): layers that are done of the run that is under way
 * @n_layers: (out) (optional): all layers of it, those of the encoder and of the decoder; 0 without a run
 */
void
hl_live_model_get_layers (HlLiveModel *self,
                          guint       *n_done,
                          guint       *n_layers)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));

  hl_live_layers_count (self->run != NULL ? hl_model_run_get_document (self->run) : NULL, n_done, n_layers);
}

/**
 * hl_live_model_get_error:
 * @self: a live model
 *
 * Returns: (nullable): why the newest text is not shown
 */
const GError *
hl_live_model_get_error (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), NULL);

  return self->error;
}

/**
 * hl_live_model_get_document:
 * @self: a live model
 *
 * Returns: (transfer none) (nullable): what is to be shown
 */
HlDocument *
hl_live_model_get_document (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), NULL);

  return self->document;
}

/**
 * hl_live_model_set_wanted:
 * @self: a live model
 * @attention: a kind of attention
 * @layer: a layer of it
 *
 * Says what is looked at. A new document replaces the old one when it has this.
 */
void
hl_live_model_set_wanted (HlLiveModel    *self,
                          HlAttentionKind attention,
                          guint           layer)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));

  self->wanted_attention = attention;
  self->wanted_layer = layer;
  consider (self, self->patience != 0);
}
