/* SPDX-License-Identifier: MIT */
/*
 * A model that follows typing. The model is loaded, texts or pixels are made tokens of, and layers are computed in workers: what
 * was typed last, after a pause, or the pixels that were chosen since. At most one run is under way: a newer text has it cancelled and waits for its end, so
 * that two never compete for the processor. The document of a run is shown as soon as it can replace the old picture:
 * when the layer that is looked at is done.
 */
#include "config.h"

#include "app/live/hl-live-model.h"

#include "app/live/hl-live-layers.h"
#include "app/live/hl-live-mask.h"
#include "app/live/hl-live-pixels.h"
#include "app/live/hl-live-writer.h"

#include "core/base/hl-owner.h"
#include "core/base/hl-worker.h"

#include <glib/gi18n.h>

/* A pause in typing. */
#define PAUSE_MS 150

/* When the layer that is looked at takes longer than this, the first layers are shown without it. */
#define PATIENCE_MS 300

struct _HlLiveModel
{
  GObject parent_instance;

  GThread *owner;
  GFile *folder;
  HlProgress *progress;
  HlModel *model;

  /* Of an adapter, what it changes, and the model that is not looked at: that without it or that with it, once it was. */
  GFile *base;
  HlModel *other;
  gboolean is_bare;

  guint n_layers; /* of the model, that are computed; 0 for all */

  /* As typed. */
  char *text;
  char *second_text;
  HlLivePixels *pixels; /* in place of texts */
  guint pause;

  /* Of the run that is under way. */
  GCancellable *cancellable;
  HlModelRun *run;
  HlDocument *pending; /* while it is not shown */
  guint patience;
  gboolean again;

  /* What goes on with the text that is shown, and the text before. */
  HlLiveWriter *writer;
  char *text_before;
  gboolean writes_next; /* as soon as what was typed is shown */
  HlGenerationOptions options;

  HlDocument *document;
  gboolean is_outdated; /* that is not of what was typed or chosen last */
  HlAttentionKind wanted_attention;
  guint wanted_layer;
  GError *error;
};

enum
{
  PROP_DOCUMENT = 1,
  PROP_BUSY,
  PROP_N_DONE,
  PROP_ERROR,
  PROP_WRITING,
  PROP_ADAPTER,
  PROP_PIXELS,
  PROP_EMPTY,
  N_PROPERTIES,
};

enum
{
  WRITTEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (HlLiveModel, hl_live_model, G_TYPE_OBJECT)

/* Loads the model if need be, and makes tokens of the texts or pixels. */
static void
prepare (GTask        *task,
         gpointer      source,
         gpointer      preparation,
         GCancellable *cancellable)
{
  GError *error = NULL;

  hl_worker_give_way ();
  if (hl_live_preparation_run (preparation, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
execute (GTask        *task,
         gpointer      source,
         gpointer      progress,
         GCancellable *cancellable)
{
  GError *error = NULL;

  hl_worker_give_way ();
  if (hl_model_run_execute (source, progress, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

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
  if (self->pause == 0 && !g_cancellable_is_cancelled (self->cancellable))
    self->is_outdated = FALSE;
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

static gboolean
on_patience_ended (gpointer data)
{
  HlLiveModel *self = data;

  self->patience = 0;
  consider (self, FALSE);
  return G_SOURCE_REMOVE;
}

static void begin (HlLiveModel *self);

/* Lets go of what is being written; what was written stays. */
static void
leave_writer (HlLiveModel *self)
{
  self->writes_next = FALSE;
  if (self->writer == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->writer, self);
  hl_live_writer_stop (self->writer);
  g_clear_object (&self->writer);
  g_clear_pointer (&self->text_before, g_free);
  g_object_notify (G_OBJECT (self), "writing");
}

static void
on_written (HlLiveModel *self)
{
  char **text = hl_model_has_decoder (self->model) ? &self->second_text : &self->text;
  HlDocument *document = hl_live_writer_get_document (self->writer);

  g_free (*text);
  *text = g_strconcat (self->text_before, hl_live_writer_get_text (self->writer), NULL);
  g_signal_emit (self, signals[WRITTEN], 0);
  if (document == NULL || !g_set_object (&self->document, document))
    return;
  set_error (self, NULL);
  g_object_notify (G_OBJECT (self), "document");
}

static void
on_written_to_end (HlLiveModel *self)
{
  const GError *error = hl_live_writer_get_error (self->writer);

  if (error != NULL)
    set_error (self, g_error_copy (error));
  /* The last of it is in no document. */
  if (error != NULL && *hl_live_writer_get_text (self->writer) != '\0')
    self->is_outdated = TRUE;
  leave_writer (self);
}

static void
start_writer (HlLiveModel *self)
{
  const char *before = hl_model_has_decoder (self->model) ? self->second_text : self->text;

  self->writes_next = FALSE;
  self->text_before = g_strdup (before != NULL ? before : "");
  self->writer = hl_live_writer_new (self->document, &self->options);
  set_error (self, NULL);
  g_signal_connect_swapped (self->writer, "written", G_CALLBACK (on_written), self);
  g_signal_connect_swapped (self->writer, "ended", G_CALLBACK (on_written_to_end), self);
  hl_live_writer_start (self->writer);
  g_object_notify (G_OBJECT (self), "writing");
}

/* What was asked for of the adapter and does not come any more is taken back: it is as it is seen. Without a text nothing is seen, and it
 * counts for the next one. */
static void
take_adapter_back (HlLiveModel *self)
{
  if (self->base == NULL || self->document == NULL || hl_live_model_is_empty (self) ||
      self->is_bare == hl_live_model_shows_bare (self))
    return;
  self->is_bare = !self->is_bare;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ADAPTER]);
}

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
    {
      begin (self);
      return;
    }
  if (self->pause == 0)
    take_adapter_back (self);
  g_object_notify (G_OBJECT (self), "busy");
  if (self->writes_next && self->error == NULL)
    start_writer (self);
  self->writes_next = FALSE;
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

/* Whether it is with the adapter or without, and with the layers, that is wanted. */
static gboolean
is_wanted (HlLiveModel *self,
           HlModel     *model)
{
  guint n_all;
  const guint n_layers = hl_model_get_last_layer (model, &n_all) + 1;

  return (self->base == NULL || hl_model_has_adapter (model) == !self->is_bare) &&
         n_layers == (self->n_layers > 0 ? self->n_layers : n_all);
}

/* Returns the model that is wanted, if it is loaded. */
static HlModel *
find_model (HlLiveModel *self)
{
  HlModel *const models[] = { self->model, self->other };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    if (models[i] != NULL && is_wanted (self, models[i]))
      return models[i];
  return NULL;
}

/* What is read again may be of another base, or of none. */
static void
take_base (HlLiveModel *self,
           HlModel     *model)
{
  GFile *base = hl_model_get_checkpoint (model);

  if (!hl_model_has_adapter (model) && (!self->is_bare || g_file_equal (hl_model_get_file (model), self->folder)))
    base = NULL;
  if (g_set_object (&self->base, base))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ADAPTER]);
}

static void
take_model (HlLiveModel *self,
            HlModel     *model)
{
  if (model == self->model)
    return;
  g_autoptr (HlModel) before = g_steal_pointer (&self->model);
  self->model = g_object_ref (model);
  g_set_object (&self->other, before);
  take_base (self, model);
}

static GFile *
get_pixels (HlLiveModel *self)
{
  return hl_live_pixels_get_file (self->pixels);
}

static void
take_pixels (HlLiveModel *self,
             GFile       *pixels)
{
  if (!hl_live_pixels_set_file (self->pixels, pixels))
    return;
  g_object_notify (G_OBJECT (self), "pixels");
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_EMPTY]);
}

static void
keep_pixels (HlLiveModel       *self,
             HlLivePreparation *preparation)
{
  hl_live_pixels_keep (self->pixels, preparation->pixels, preparation->thumbnail);
  g_object_notify (G_OBJECT (self), "pixels");
}

/* They are no good: what was seen before still counts, if there was anything. */
static void
drop_pixels (HlLiveModel *self,
             GFile       *pixels)
{
  if (pixels != NULL && self->document != NULL && get_pixels (self) != NULL && g_file_equal (pixels, get_pixels (self)))
    take_pixels (self, hl_live_pixels_get_good (self->pixels));
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

  if (done && !g_cancellable_is_cancelled (self->cancellable))
    keep_pixels (self, preparation);
  else if (!done && !g_cancellable_is_cancelled (self->cancellable))
    drop_pixels (self, preparation->pixels);
  if (preparation->model != NULL && preparation->is_bare == self->is_bare && preparation->n_layers == self->n_layers)
    take_model (self, preparation->model);
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
  g_task_run_in_thread (task, execute);
  consider (self, TRUE);
  g_object_notify (G_OBJECT (self), "n-done");
}

static void
begin (HlLiveModel *self)
{
  HlModel *model = find_model (self);
  const HlLivePreparation wanted = {
    .folder = self->folder,
    .is_bare = self->is_bare,
    .n_layers = self->n_layers,
    .model = model,
    .text = self->text,
    .second_text = self->second_text,
    .pixels = get_pixels (self),
  };

  self->again = FALSE;
  self->is_outdated = TRUE;
  self->cancellable = g_cancellable_new ();
  hl_progress_set (self->progress, 0, model == NULL ? _ ("Reading the model") : NULL);
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_prepared, g_object_ref (self));
  g_task_set_source_tag (task, begin);
  g_task_set_name (task, "text of a model");
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, hl_live_preparation_copy (&wanted), (GDestroyNotify) hl_live_preparation_free);
  g_task_run_in_thread (task, prepare);
  g_object_notify (G_OBJECT (self), "busy");
}

/* Computes an example, when no texts were set. */
void
hl_live_model_run (HlLiveModel *self)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));
  HL_ASSERT_OWNER (self);

  g_clear_handle_id (&self->pause, g_source_remove);
  if (get_pixels (self) == NULL && self->text != NULL && *self->text == '\0')
    return;
  leave_writer (self);
  self->is_outdated = TRUE;
  self->again = self->cancellable != NULL;
  if (self->again)
    g_cancellable_cancel (self->cancellable);
  else
    begin (self);
}

/* Forgets what was typed since. The document stays. */
void
hl_live_model_stop (HlLiveModel *self)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));
  HL_ASSERT_OWNER (self);

  g_clear_handle_id (&self->pause, g_source_remove);
  self->again = FALSE;
  self->writes_next = FALSE;
  /* It says itself when it has ended, with a document of what there is. */
  if (self->writer != NULL)
    hl_live_writer_stop (self->writer);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  /* Layers that are done meanwhile do not come either. */
  g_clear_object (&self->pending);
  take_adapter_back (self);
}

gboolean
hl_live_model_get_busy (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  return self->cancellable != NULL;
}

void
hl_live_model_get_layers (HlLiveModel *self,
                          guint       *n_done,
                          guint       *n_layers)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));

  hl_live_layers_count (self->run != NULL ? hl_model_run_get_document (self->run) : NULL, n_done, n_layers);
}

/* Whether its model goes on with texts, once that is loaded. Whether its files hold what it takes shows when it does. */
gboolean
hl_live_model_can_write (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  return self->model != NULL && get_pixels (self) == NULL && !hl_live_model_is_empty (self) &&
         hl_model_get_family_row (self->model)->head.rows != NULL &&
         (hl_model_has_decoder (self->model) || hl_model_is_causal (self->model));
}

/* Goes on with the text; with what is being typed as soon as that is shown. HlLiveModel::written tells of every piece. */
void
hl_live_model_write (HlLiveModel               *self,
                     const HlGenerationOptions *options)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));
  HL_ASSERT_OWNER (self);

  if (!hl_live_model_can_write (self) || self->writer != NULL || self->document == NULL)
    return;
  self->options = *options;
  if (self->pause != 0 || (self->is_outdated && self->cancellable == NULL))
    hl_live_model_run (self);
  if (self->cancellable != NULL)
    self->writes_next = TRUE;
  else
    start_writer (self);
}

gboolean
hl_live_model_get_writing (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  return self->writer != NULL;
}

/* Whether its model guesses masked tokens, once that is loaded. */
gboolean
hl_live_model_can_mask (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  return self->model != NULL && get_pixels (self) == NULL && hl_live_mask_is_known (self->model);
}

/* Puts a mask in the place of a token that is shown, in the text that it is of. Special tokens are of none, and nothing is masked
 * as long as another text is shown than was typed last. */
void
hl_live_model_mask (HlLiveModel *self,
                    gsize        position)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self) && hl_live_model_can_mask (self));
  HL_ASSERT_OWNER (self);

  if (self->is_outdated)
    return;
  gboolean in_second;
  g_autofree char *masked = hl_live_mask_put (self->model, self->text, self->second_text, position, &in_second);

  if (masked == NULL)
    return;
  char **text = in_second ? &self->second_text : &self->text;
  leave_writer (self);
  g_free (*text);
  *text = g_steal_pointer (&masked);
  g_signal_emit (self, signals[WRITTEN], 0);
  hl_live_model_run (self);
}

/* Why the newest text is not shown. */
const GError *
hl_live_model_get_error (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), NULL);

  return self->error;
}

HlDocument *
hl_live_model_get_document (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), NULL);

  return self->document;
}

/* Says what is looked at. A new document replaces the old one when it has this. */
void
hl_live_model_set_wanted (HlLiveModel    *self,
                          HlAttentionKind attention,
                          guint           layer)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));
  HL_ASSERT_OWNER (self);

  self->wanted_attention = attention;
  self->wanted_layer = layer;
  consider (self, self->patience != 0);
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
run_soon (HlLiveModel *self)
{
  self->is_outdated = TRUE;
  g_clear_handle_id (&self->pause, g_source_remove);
  self->pause = g_timeout_add (PAUSE_MS, on_pause, self);
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
    case PROP_WRITING:
      g_value_set_boolean (value, hl_live_model_get_writing (self));
      break;
    case PROP_ADAPTER:
      g_value_set_boolean (value, hl_live_model_get_adapter (self));
      break;
    case PROP_PIXELS:
      g_value_set_object (value, get_pixels (self));
      break;
    case PROP_EMPTY:
      g_value_set_boolean (value, hl_live_model_is_empty (self));
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
  leave_writer (self);
  g_clear_handle_id (&self->patience, g_source_remove);
  if (self->progress != NULL)
    g_signal_handlers_disconnect_by_data (self->progress, self);
  g_clear_object (&self->progress);
  g_clear_object (&self->document);
  g_clear_object (&self->model);
  g_clear_object (&self->other);
  g_clear_object (&self->base);
  g_clear_object (&self->folder);
  hl_live_pixels_close (self->pixels);
  G_OBJECT_CLASS (hl_live_model_parent_class)->dispose (object);
}

static void
hl_live_model_finalize (GObject *object)
{
  HlLiveModel *self = HL_LIVE_MODEL (object);

  g_clear_object (&self->pixels);
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
  properties[PROP_WRITING] = g_param_spec_boolean ("writing", NULL, NULL, FALSE, readable);
  properties[PROP_ADAPTER] = g_param_spec_boolean ("adapter", NULL, NULL, FALSE, readable);
  properties[PROP_PIXELS] = g_param_spec_object ("pixels", NULL, NULL, G_TYPE_FILE, readable);
  properties[PROP_EMPTY] = g_param_spec_boolean ("empty", NULL, NULL, FALSE, readable);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  /* The texts are longer than they were typed. */
  signals[WRITTEN] =
    g_signal_new ("written", HL_TYPE_LIVE_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_live_model_init (HlLiveModel *self)
{
  self->owner = g_thread_self ();
  self->pixels = hl_live_pixels_new ();
  /* What somebody draws is seen as soon as it is saved. */
  g_signal_connect_object (self->pixels, "written", G_CALLBACK (run_soon), self, G_CONNECT_SWAPPED);
}

/* Reads nothing before hl_live_model_run() or hl_live_model_set_texts(). */
HlLiveModel *
hl_live_model_new (GFile      *folder,
                   HlProgress *progress)
{
  g_return_val_if_fail (G_IS_FILE (folder), NULL);
  g_return_val_if_fail (HL_IS_PROGRESS (progress), NULL);

  HlLiveModel *self = g_object_new (HL_TYPE_LIVE_MODEL, NULL);

  self->folder = g_object_ref (folder);
  self->progress = g_object_ref (progress);
  /* Layers that are done may be there to be shown. */
  g_signal_connect_object (self->progress, "notify", G_CALLBACK (on_progress), self, G_CONNECT_SWAPPED);
  return self;
}

/* What was opened: of an adapter that is off that, and not the model that it changes. */
GFile *
hl_live_model_get_file (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), NULL);

  return self->folder;
}

/* Whether it is in a folder, and not in one file. */
gboolean
hl_live_model_is_folder (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  return self->model == NULL || !hl_model_is_file (self->model);
}

/* Whether there is an adapter, on or off; not before it is loaded. */
gboolean
hl_live_model_has_adapter (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  return self->base != NULL;
}

/* Whether there is an adapter, and it is off. */
gboolean
hl_live_model_is_bare (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  return self->base != NULL && self->is_bare;
}

/* Whether the document is of the model without its adapter, whatever was asked for since. */
gboolean
hl_live_model_shows_bare (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  HlModelCall *call = self->base != NULL && self->document != NULL ? hl_model_call_of (self->document) : NULL;

  return call != NULL && !hl_model_has_adapter (hl_model_call_get_model (call));
}

/* Whether there is an adapter, and it is on. */
gboolean
hl_live_model_get_adapter (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  return self->base != NULL && !self->is_bare;
}

/* Computes the text with the adapter, or with the model as it is without it. */
void
hl_live_model_set_adapter (HlLiveModel *self,
                           gboolean     adapter)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));
  HL_ASSERT_OWNER (self);

  if (self->base == NULL || adapter == !self->is_bare)
    return;
  leave_writer (self);
  self->is_bare = !adapter;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ADAPTER]);
  hl_live_model_run (self);
}

/* Returns how many layers are computed, of the decoder if there is one; 0 for all. @n_all: (out): how many there are; 0 before it is loaded. */
guint
hl_live_model_get_n_layers (HlLiveModel *self,
                            guint       *n_all)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), 0);

  *n_all = 0;
  if (self->model != NULL)
    hl_model_get_last_layer (self->model, n_all);
  return self->n_layers;
}

/* Returns how fast the run under way is, once it takes its time. */
char *
hl_live_model_dup_pace (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), NULL);

  return self->run != NULL ? hl_progress_dup_pace (self->progress) : NULL;
}

/* As typed last, which need not be what is shown; NULL before the model is loaded. */
void
hl_live_model_get_texts (HlLiveModel *self,
                         const char **text,
                         const char **second_text)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));

  *text = self->text;
  *second_text = self->second_text;
}

/* Computes the attention of the pixels in a file, or of an image, until a text is typed. The file is read now, also if it was before. */
void
hl_live_model_set_pixels (HlLiveModel *self,
                          GFile       *pixels)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));
  g_return_if_fail (G_IS_FILE (pixels));
  HL_ASSERT_OWNER (self);

  take_pixels (self, pixels);
  hl_live_model_run (self);
}

/* Returns the file of pixels that takes the place of texts; NULL when texts count. */
GFile *
hl_live_model_get_pixels (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), NULL);

  return get_pixels (self);
}

/* Whether that is an image, as far as its name says. */
gboolean
hl_live_model_has_image (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  g_autofree char *name = get_pixels (self) != NULL ? g_file_get_basename (get_pixels (self)) : NULL;
  return name != NULL && !g_str_has_suffix (name, ".npy");
}

/* Returns a small one of the image, once it was read; NULL of texts and arrays. */
HlImage *
hl_live_model_get_thumbnail (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), NULL);

  return hl_live_pixels_get_thumbnail (self->pixels);
}

/* Whether its model, once that is loaded, takes pixels, or a part of it does. */
gboolean
hl_live_model_takes_pixels (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  return self->model != NULL && hl_model_has_vision (self->model);
}

/* Whether its model takes texts. */
gboolean
hl_live_model_takes_texts (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  return self->model != NULL && !hl_model_takes_pixels (self->model);
}

/* Returns what pixels its model takes, as “3 × 224 × 224”, when it takes nothing else; NULL otherwise. */
char *
hl_live_model_dup_wanted_pixels (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), NULL);

  return self->model != NULL && hl_model_takes_pixels (self->model) ? hl_model_describe_pixels (self->model) : NULL;
}

/* An empty one is none. */
static gboolean
is_same_second (const char *a,
                const char *b)
{
  return g_strcmp0 (a != NULL ? a : "", b != NULL ? b : "") == 0;
}

/* Computed when there was a pause in typing; without a first text not at all. A second one counts if the model has a
 * use for it. */
void
hl_live_model_set_texts (HlLiveModel *self,
                         const char  *text,
                         const char  *second_text)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));
  g_return_if_fail (text != NULL);
  HL_ASSERT_OWNER (self);

  if (get_pixels (self) == NULL && g_strcmp0 (text, self->text) == 0 && is_same_second (second_text, self->second_text))
    return;
  const gboolean was_empty = hl_live_model_is_empty (self);
  leave_writer (self);
  if (*text != '\0')
    take_pixels (self, NULL);
  g_free (self->text);
  g_free (self->second_text);
  self->text = g_strdup (text);
  self->second_text = g_strdup (second_text);
  g_clear_handle_id (&self->pause, g_source_remove);
  if (*text != '\0')
    run_soon (self);
  if (was_empty != hl_live_model_is_empty (self))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_EMPTY]);
}

/* Whether there is nothing to be computed: what was, is of a text that is no more. */
gboolean
hl_live_model_is_empty (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), FALSE);

  return get_pixels (self) == NULL && self->text != NULL && *self->text == '\0';
}

/* Computes only the first layers, if any do; after a pause. 0 for all. */
void
hl_live_model_set_n_layers (HlLiveModel *self,
                            guint        n_layers)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self));
  HL_ASSERT_OWNER (self);

  if (n_layers == self->n_layers)
    return;
  leave_writer (self);
  self->n_layers = n_layers;
  g_clear_handle_id (&self->pause, g_source_remove);
  if (get_pixels (self) != NULL || (self->text != NULL && *self->text != '\0'))
    run_soon (self);
}

/* Before it is run: computes with the adapter or without it, if there is one. */
void
hl_live_model_begin_adapter (HlLiveModel *self,
                             gboolean     adapter)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self) && self->model == NULL);
  HL_ASSERT_OWNER (self);

  self->is_bare = !adapter;
}

/* Before it is run: computes with the adapter or without it, and as many layers, as another of the same files. Other files may
 * have other layers, and another adapter or none. */
void
hl_live_model_begin_like (HlLiveModel *self,
                          HlLiveModel *other)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self) && self->model == NULL);
  g_return_if_fail (HL_IS_LIVE_MODEL (other));
  HL_ASSERT_OWNER (self);

  if (!g_file_equal (self->folder, other->folder))
    return;
  g_set_object (&self->base, other->base);
  self->is_bare = other->is_bare;
  self->n_layers = other->n_layers;
}

/* Goes on with all that was typed and chosen in another of the same files, whose place it takes. */
void
hl_live_model_take_over (HlLiveModel *self,
                         HlLiveModel *before)
{
  g_return_if_fail (HL_IS_LIVE_MODEL (self) && self->model != NULL);
  g_return_if_fail (HL_IS_LIVE_MODEL (before));
  HL_ASSERT_OWNER (self);

  GFile *pixels = get_pixels (before);

  if (!g_file_equal (self->folder, before->folder))
    return;
  if (before->base != NULL)
    hl_live_model_set_adapter (self, !before->is_bare);
  hl_live_model_set_n_layers (self, before->n_layers);
  if (pixels == NULL && before->text != NULL)
    hl_live_model_set_texts (self, before->text, before->second_text);
  else if (pixels != NULL && (get_pixels (self) == NULL || !g_file_equal (pixels, get_pixels (self))))
    hl_live_model_set_pixels (self, pixels);
}

/* What a second text is to the model, once that is loaded. */
HlSecondText
hl_live_model_get_second_kind (HlLiveModel *self)
{
  g_return_val_if_fail (HL_IS_LIVE_MODEL (self), HL_SECOND_TEXT_NONE);
  g_return_val_if_fail (self->model != NULL, HL_SECOND_TEXT_NONE);

  return hl_second_text_of (self->model);
}
