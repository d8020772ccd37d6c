/* SPDX-License-Identifier: MIT */
/* What workers do for a live model: it is loaded when it is not there yet, its tokenizer reads the texts, layers are
 * computed. */
#include "config.h"

#include "app/live/hl-live-preparation.h"

#include "core/base/hl-error.h"
#include "core/base/hl-worker.h"

#include <glib/gi18n.h>

/* What one sees of a model before a word was typed: the examples of BertViz. */
#define EXAMPLE_TEXT "The cat sat on the mat"
#define EXAMPLE_PAIR "The cat lay on the rug"
#define EXAMPLE_SOURCE "She sees the small elephant."
#define EXAMPLE_TARGET "Sie sieht den kleinen Elefanten."

/**
 * hl_live_preparation_new:
 * @folder: the folder of a model
 * @model: (nullable): the model; %NULL to have it loaded
 * @text: (nullable): a text; %NULL for an example
 * @second_text: (nullable): a second text
 *
 * Returns: (transfer full): what hl_live_preparation_run() is to do
 */
HlLivePreparation *
hl_live_preparation_new (GFile      *folder,
                         HlModel    *model,
                         const char *text,
                         const char *second_text)
{
  g_return_val_if_fail (G_IS_FILE (folder), NULL);

  HlLivePreparation *self = g_new0 (HlLivePreparation, 1);

  self->folder = g_object_ref (folder);
  self->model = model != NULL ? g_object_ref (model) : NULL;
  self->text = g_strdup (text);
  self->second_text = g_strdup (second_text);
  return self;
}

/**
 * hl_live_preparation_free:
 * @self: a preparation
 */
void
hl_live_preparation_free (HlLivePreparation *self)
{
  g_object_unref (self->folder);
  g_clear_object (&self->model);
  g_free (self->text);
  g_free (self->second_text);
  g_clear_object (&self->run);
  g_free (self);
}

/**
 * hl_live_preparation_get_second_kind:
 * @model: a model
 *
 * Returns: what a second text is to the model
 */
HlSecondText
hl_live_preparation_get_second_kind (HlModel *model)
{
  g_return_val_if_fail (HL_IS_MODEL (model), HL_SECOND_TEXT_NONE);

  if (hl_model_has_decoder (model))
    return HL_SECOND_TEXT_TARGET;
  return hl_model_is_causal (model) ? HL_SECOND_TEXT_NONE : HL_SECOND_TEXT_PAIR;
}

static gboolean
load_model (HlLivePreparation *self,
            GError           **error)
{
  if (!hl_model_is_folder (self->folder))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_NOT_A_FILE, _ ("this folder is no model: it has no “config.json”"));
      return FALSE;
    }
  self->model = hl_model_load (self->folder, error);
  return self->model != NULL && hl_model_require_tokenizer (self->model, error) != NULL;
}

static void
take_example (HlLivePreparation *self)
{
  switch (hl_live_preparation_get_second_kind (self->model))
    {
    case HL_SECOND_TEXT_TARGET:
      self->text = g_strdup (EXAMPLE_SOURCE);
      self->second_text = g_strdup (EXAMPLE_TARGET);
      break;
    case HL_SECOND_TEXT_PAIR:
      self->second_text = g_strdup (EXAMPLE_PAIR);
      G_GNUC_FALLTHROUGH;
    default:
      self->text = g_strdup (EXAMPLE_TEXT);
    }
}

/**
 * hl_live_preparation_run:
 * @task: returns whether there is a run, or why not: any of #HlError
 * @source: not used
 * @data: a #HlLivePreparation
 * @cancellable: not used: this is fast, but for a model that is loaded
 *
 * Loads the model if need be, and makes tokens of the texts. A #GTaskThreadFunc.
 */
void
hl_live_preparation_run (GTask        *task,
                         gpointer      source,
                         gpointer      data,
                         GCancellable *cancellable)
{
  hl_worker_give_way ();
  HlLivePreparation *self = data;
  GError *error = NULL;

  if (self->model == NULL && !load_model (self, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (self->text == NULL)
    take_example (self);

  /* An empty second text is none. */
  const HlSecondText kind = hl_live_preparation_get_second_kind (self->model);
  const char *second = self->second_text != NULL && *self->second_text != '\0' ? self->second_text : NULL;
  const HlModelText text = {
    .text = self->text,
    .text_pair = kind == HL_SECOND_TEXT_PAIR ? second : NULL,
    .target_text = kind == HL_SECOND_TEXT_TARGET ? second : NULL,
  };
  self->run = hl_model_run_new (self->model, &text, &error);
  if (self->run != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * hl_live_preparation_execute:
 * @task: returns whether all layers are done, or why not: as hl_model_run_execute()
 * @source: a #HlModelRun
 * @progress: a #HlProgress
 * @cancellable: stops it
 *
 * Computes what was prepared. A #GTaskThreadFunc.
 */
void
hl_live_preparation_execute (GTask        *task,
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
