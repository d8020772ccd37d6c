/* SPDX-License-Identifier: MIT */
/*
 * A model that follows typing. The model is loaded, texts are made tokens of, and layers are computed in workers. At most one run is
 * under way: a newer text has it cancelled and waits for its end, so that two never compete for the processor. The document of a run is
 * shown as soon as it can replace the old picture: when the layer that is looked at is done.
 */
#include "config.h"

#include "app/hl-live-model.h"

#include "app/hl-live-layers.h"
#include "app/hl-live-preparation.h"

#include <glib/gi18n.h>

/* A pause in typing. */
#define PAUSE_MS 150
/* When the layer that is looked at takes longer than this, the first layers are shown without it. */
#define PATIENCE_MS 300

struct _HlLiveModel
{
  GObject parent_instance;

  GFile *folder;
  HlProgress *progress;
  HlModel *model;

  /* As typed. */
  char *text;
  char *second_text;
  guint pause;

  /* Of the run that is under way. */
  GCancellable *cancellable;
  HlModelRun *run;
  HlDocument *pending; /* while it is not shown */
  guint patience;
  gboolean again;

  HlDocument *document;
  HlBlockKind wanted_block;
  guint wanted_layer;
  GError *error;
};

enum
{
  PROP_DOCUMENT = 1,
  PROP_BUSY,
  PROP_N_DONE,
  PROP_ERROR,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlLiveModel, hl_live_model, G_TYPE_OBJECT)

static void
notify (HlLiveModel *self,
        guint        property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

static void
set_error (HlLiveModel *self,
           GError      *error)
{
  if (self->error == NULL && error == NULL)
    return;
  g_clear_error (&self->error);
  self->error = error;
  notify (self, PROP_ERROR);
}

static void
show_pending (HlLiveModel *self)
{
  g_clear_handle_id (&self->patience, g_source_remove);
  g_clear_object (&self->document);
  self->document = g_steal_pointer (&self->pending);
  set_error (self, NULL);
  notify (self, PROP_DOCUMENT);
}

/* Shows the document of the run if it is time: the layer that is looked at is done, or the old document does not have it either. With
 * patience at its end, any layer will do. */
static void
consider (HlLiveModel *self,
          gboolean     patient)
{
  guint n_done;

  if (self->pending == NULL)
    return;
  hl_live_layers_count (self->pending, &n_done, NULL);
  if (hl_live_layers_has (self->pending, self->wanted_block, self->wanted_layer) ||
      (self->document != NULL && !hl_live_layers_has (self->document, self->wanted_block, self->wanted_layer)) ||
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
  notify (self, PROP_N_DONE);
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
    notify (self, PROP_BUSY);
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
  notify (self, PROP_N_DONE);
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
  notify (self, PROP_BUSY);
}

static gboolean
on_pause (gpointer data)
{
  HlLiveModel *self = data;

  self->pause = 0;
  hl_live_model_run (self);
  return G_SOURCE_REMOVE;
}

static void
hl_live_model_get_property (GObject    *object,
                            guint       id,
                            GValue     *value,
                            GParamSpec *pspec)
{
  HlLiveModel *self = HL_LIVE_MODEL (object);
  guint n_done;

  switch (id)
    {
    case PROP_DOCUMENT:
      g_value_set_object (value, self->document);
      break;
    case PROP_BUSY:
      g_value_set_boolean (value, hl_live_model_get_busy (self));
      break;
    case PROP_N_DONE:
      hl_live_model_get_layers (self, &n_done, NULL);
      g_value_set_uint (value, n_done);
      break;
    case PROP_ERROR:
      g_value_set_boxed (value, self->error);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
hl_live_model_dispose (GObject *object)
{
  HlLiveModel *self = HL_LIVE_MODEL (object);

  hl_live_model_stop (self);
  g_clear_handle_id (&self->patience, g_source_remove);
  if (self->progress != NULL)
    g_signal_handlers_disconnect_by_data (self->progress, self);
  g_clear_object (&self->progress);
  g_clear_object (&self->document);
  g_clear_object (&self->model);
  g_clear_object (&self->folder);
  G_OBJECT_CLASS (hl_live_model_parent_class)->dispose (object);
}

static void
hl_live_model_finalize (GObject *object)
{
  HlLiveModel *self = HL_LIVE_MODEL (object);

  g_clear_error (&self->error);
  g_free (self->text);
  g_free (self->second_text);
  G_OBJECT_CLASS (hl_live_model_parent_class)->finalize (object);
}

static void
hl_live_model_class_init (HlLiveModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = hl_live_model_get_property;
  object_class->dispose = hl_live_model_dispose;
  object_class->finalize = hl_live_model_finalize;

  properties[PROP_DOCUMENT] = g_param_spec_object ("document", NULL, NULL, HL_TYPE_DOCUMENT, readable);
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, readable);
  properties[PROP_N_DONE] = g_param_spec_uint ("n-done", NULL, NULL, 0, G_MAXUINT, 0, readable);
  properties[PROP_ERROR] = g_param_spec_boxed ("error", NULL, NULL, G_TYPE_ERROR, readable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
hl_live_model_init (HlLiveModel *self)
{
}

/**
 * hl_live_model_new:
 * @folder: the folder of a model
 * @progress: told how far loading and every run is
 *
 * Reads nothing before hl_live_model_run() or hl_live_model_set_texts().
 *
 * Returns: (transfer full): a model that waits for a text
 */
HlLiveModel *
hl_live_model_new (GFile      *folder,
                   HlProgress *progress)
{
  g_return_val_if_fail (G_IS_FILE (folder), NULL);
  g_return_val_if_fail (HL_IS_PROGRESS (progress), NULL);

  HlLiveModel *self = g_object_new (HL_TYPE_LIVE_MODEL, NULL);

  self->folder = g_object_ref (folder);
  self->progress = g_object_ref (progress);
  g_signal_connect_object (progress, "notify", G_CALLBACK (on_progress), self, G_CONNECT_SWAPPED);
  return self;
}

/**
 * hl_live_model_get_model:
 * @self: a live model
 *
 * Returns: (transfer none) (nullable): the model; %NULL before it is loaded
 */
HlModel *
hl_live_model_get_model (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), NULL);

  return self->model;
}

/**
 * hl_live_model_get_texts:
 * @self: a live model
 * @text: (out) (nullable): the text that was typed last, which need not be the one that is shown; %NULL before the model is loaded
 * @second_text: (out) (nullable): the second text
 */
void
hl_live_model_get_texts (HlLiveModel *self,
                         const char **text,
                         const char **second_text)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));

  *text = self->text;
  *second_text = self->second_text;
}

/**
 * hl_live_model_set_texts:
 * @self: a live model
 * @text: a text
 * @second_text: (nullable): a second one, which counts if the model has a use for it
 *
 * Has the texts computed when there was a pause in typing. Without a first text nothing is computed.
 */
void
hl_live_model_set_texts (HlLiveModel *self,
                         const char  *text,
                         const char  *second_text)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));
  g_return_if_fail (text != NULL);

  if (g_strcmp0 (text, self->text) == 0 && g_strcmp0 (second_text, self->second_text) == 0)
    return;
  g_free (self->text);
  g_free (self->second_text);
  self->text = g_strdup (text);
  self->second_text = g_strdup (second_text);
  g_clear_handle_id (&self->pause, g_source_remove);
  if (*text != '\0')
    self->pause = g_timeout_add (PAUSE_MS, on_pause, self);
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
 * @block: a kind of attention
 * @layer: a layer of it
 *
 * Says what is looked at. A new document replaces the old one when it has this.
 */
void
hl_live_model_set_wanted (HlLiveModel *self,
                          HlBlockKind  block,
                          guint        layer)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));

  self->wanted_block = block;
  self->wanted_layer = layer;
  consider (self, self->patience != 0);
}
