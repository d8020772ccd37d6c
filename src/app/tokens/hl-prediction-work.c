/* SPDX-License-Identifier: MIT */
/* A text goes through its model once, which is kept; a position then costs the head alone. Answers to what is not asked any more are dropped. */
#include "config.h"

#include "app/tokens/hl-prediction-work.h"

#include "core/base/hl-worker.h"
#include "core/predict/hl-token-decoder.h"
#include "draw/text/hl-token-label.h"

#include <glib/gi18n.h>

/* A text that grows or is typed is left alone until it rests. */
#define PAUSE_MS 200

struct _HlPredictionWork
{
  GObject parent_instance;

  /* What is wanted. */
  HlModelCall *call;
  gint64 position; /* negative for the one that says most */

  /* What is under way. */
  GTask *task;
  GCancellable *cancellable;
  guint pause;

  /* What is known. */
  HlModelCall *known_call;
  HlStreams *streams;
  gsize answered;
  guint n_top;
  HlCandidate *candidates; /* [n_rows, n_top] */
  char **labels;           /* likewise */
  char *subject;
  GError *error;
};

enum
{
  ANSWERED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlPredictionWork, hl_prediction_work, G_TYPE_OBJECT)

/* What a worker is given, and its answer. */
typedef struct
{
  HlModelCall *call;
  HlStreams *streams;
  gint64 asked;    /* negative for the one that says most */
  gint64 position; /* that it is */
  guint n_top;
  HlCandidate *candidates;
  char **labels;
  char *subject;
} Question;

static void
question_free (Question *self)
{
  g_clear_object (&self->call);
  g_clear_object (&self->streams);
  g_free (self->candidates);
  g_strfreev (self->labels);
  g_free (self->subject);
  g_free (self);
}

static void
forget_answer (HlPredictionWork *self)
{
  g_clear_pointer (&self->candidates, g_free);
  g_clear_pointer (&self->labels, g_strfreev);
  g_clear_pointer (&self->subject, g_free);
  g_clear_error (&self->error);
}

static void
hl_prediction_work_dispose (GObject *object)
{
  HlPredictionWork *self = HL_PREDICTION_WORK (object);

  g_clear_handle_id (&self->pause, g_source_remove);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->call);
  g_clear_object (&self->known_call);
  g_clear_object (&self->streams);
  forget_answer (self);
  G_OBJECT_CLASS (hl_prediction_work_parent_class)->dispose (object);
}

static void
hl_prediction_work_class_init (HlPredictionWorkClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_prediction_work_dispose;

  /* There is an answer to what was asked last, or a reason why there is none. */
  signals[ANSWERED] =
    g_signal_new ("answered", HL_TYPE_PREDICTION_WORK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_prediction_work_init (HlPredictionWork *self)
{
}

HlPredictionWork *
hl_prediction_work_new (void)
{
  return g_object_new (HL_TYPE_PREDICTION_WORK, NULL);
}

/* The first token that is masked; otherwise the last of the text. */
static gsize
choose_position (HlModelCall *call,
                 gsize        n)
{
  HlModel *model = hl_model_call_get_model (call);
  const HlModelInput *input = hl_model_call_get_input (call);
  guint32 mask;

  if (input->pixels != NULL)
    return 0;
  if (!hl_model_has_decoder (model) && hl_model_get_tokenizer (model) != NULL &&
      hl_tokenizer_get_special_token (hl_model_get_tokenizer (model), HL_SPECIAL_MASK, &mask))
    for (gsize i = 0; i < n; i++)
      if (input->ids[i] == mask)
        return i;
  return n - 1;
}

/* A token as it is shown, line breaks too; its number where there is no tokenizer. Of images it is a class. */
static char *
label_token (HlModel        *model,
             HlTokenDecoder *decoder,
             guint32         id)
{
  if (hl_model_takes_pixels (model))
    return hl_model_dup_class (model, id);
  if (decoder == NULL)
    return g_strdup_printf ("%u", id);
  g_autofree char *text = hl_token_decoder_dup_label (decoder, id);
  return hl_token_text_show (text);
}

static gboolean
answer (Question     *self,
        GCancellable *cancellable,
        GError      **error)
{
  HlModel *model = hl_model_call_get_model (self->call);
  const HlModelInput *input = hl_model_call_get_input (self->call);
  HlTokenizer *tokenizer = hl_model_get_tokenizer (model);
  g_autoptr (HlTokenDecoder) decoder = tokenizer != NULL ? hl_token_decoder_new (tokenizer, FALSE) : NULL;

  if (self->streams == NULL)
    {
      g_autoptr (HlUnembedding) head = hl_unembedding_load (model, error);
      if (head == NULL)
        return FALSE;
      self->streams = hl_streams_new (head, input, cancellable, error);
    }
  if (self->streams == NULL)
    return FALSE;
  const gsize n = hl_streams_get_n (self->streams);
  const guint n_rows = hl_streams_get_n_layers (self->streams) + 1;
  if (self->position < 0 || (gsize) self->position >= n)
    self->position = (gint64) choose_position (self->call, n);
  self->n_top = (guint) MIN (HL_PREDICTION_TOP, hl_unembedding_get_n_tokens (hl_streams_get_head (self->streams)));
  self->candidates = g_new (HlCandidate, n_rows * self->n_top);
  if (!hl_streams_predict (self->streams, (gsize) self->position, self->n_top, self->candidates, error))
    return FALSE;
  self->labels = g_new0 (char *, n_rows * self->n_top + 1);
  for (guint i = 0; i < n_rows * self->n_top; i++)
    self->labels[i] = label_token (model, decoder, self->candidates[i].id);
  if (input->pixels != NULL)
    {
      g_auto (GStrv) names = hl_model_dup_pixel_names (model, input->pixels);
      self->subject = g_strdup (names[self->position]);
      return TRUE;
    }
  const guint32 id = hl_model_has_decoder (model) ? input->decoder_ids[self->position] : input->ids[self->position];
  self->subject = label_token (model, decoder, id);
  return TRUE;
}

static void
work (GTask        *task,
      gpointer      source,
      gpointer      data,
      GCancellable *cancellable)
{
  GError *error = NULL;

  hl_worker_give_way ();
  if (answer (data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void start (HlPredictionWork *self);

static void
on_done (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (HlPredictionWork) self = data;
  Question *question = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  const gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  g_clear_object (&self->cancellable);
  self->task = NULL;
  /* The pass is worth keeping even if another position is wanted by now. */
  if (question->streams != NULL && question->call == self->call)
    {
      g_set_object (&self->streams, question->streams);
      g_set_object (&self->known_call, question->call);
    }
  if (self->call == NULL)
    return;
  if (question->call != self->call || question->asked != self->position)
    {
      if (self->pause == 0)
        start (self);
      return;
    }
  forget_answer (self);
  if (done)
    {
      self->answered = (gsize) question->position;
      self->n_top = question->n_top;
      self->candidates = g_steal_pointer (&question->candidates);
      self->labels = g_steal_pointer (&question->labels);
      self->subject = g_steal_pointer (&question->subject);
    }
  else
    {
      self->error = g_steal_pointer (&error);
    }
  g_signal_emit (self, signals[ANSWERED], 0);
}

static void
start (HlPredictionWork *self)
{
  Question *question;

  if (self->task != NULL || self->call == NULL)
    return;
  question = g_new0 (Question, 1);
  question->call = g_object_ref (self->call);
  question->streams = self->known_call == self->call ? g_object_ref (self->streams) : NULL;
  question->asked = question->position = self->position;
  self->cancellable = g_cancellable_new ();
  /* The task does not own what asks: tasks may be finalized in the worker. */
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_done, g_object_ref (self));
  g_task_set_source_tag (task, start);
  g_task_set_name (task, "predictions");
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, question, (GDestroyNotify) question_free);
  self->task = task;
  g_task_run_in_thread (task, work);
}

static gboolean
on_pause (gpointer data)
{
  HlPredictionWork *self = data;

  self->pause = 0;
  start (self);
  return G_SOURCE_REMOVE;
}

/* Of another text after a pause, of another position at once. @call is nullable, for nothing. */
void
hl_prediction_work_ask (HlPredictionWork *self,
                        HlModelCall      *call,
                        gint64            position)
{
  g_return_if_fail (HL_IS_PREDICTION_WORK (self));

  if (call == self->call && position == self->position)
    return;
  self->position = position;
  if (g_set_object (&self->call, call))
    {
      g_clear_handle_id (&self->pause, g_source_remove);
      g_clear_object (&self->known_call);
      g_clear_object (&self->streams);
      if (self->cancellable != NULL)
        g_cancellable_cancel (self->cancellable);
      if (call != NULL)
        self->pause = g_timeout_add (PAUSE_MS, on_pause, self);
    }
  else if (self->pause == 0)
    {
      start (self);
    }
}

/* Why there is no answer to what was asked last. */
const GError *
hl_prediction_work_get_error (HlPredictionWork *self)
{
  g_return_val_if_fail (HL_IS_PREDICTION_WORK (self), NULL);

  return self->error;
}

static gboolean
has_answer (HlPredictionWork *self)
{
  g_return_val_if_fail (HL_IS_PREDICTION_WORK (self), FALSE);

  return self->candidates != NULL && self->streams != NULL;
}

/* Whether it is of a class of the image, and not of a token. */
gboolean
hl_prediction_work_tells_classes (HlPredictionWork *self)
{
  g_return_val_if_fail (has_answer (self), FALSE);

  return hl_unembedding_tells_classes (hl_streams_get_head (self->streams));
}

/* Whether it is of the token that stands there, and not of the next. */
gboolean
hl_prediction_work_is_masked (HlPredictionWork *self)
{
  g_return_val_if_fail (has_answer (self), FALSE);

  return hl_unembedding_is_masked (hl_streams_get_head (self->streams));
}

gsize
hl_prediction_work_get_position (HlPredictionWork *self)
{
  g_return_val_if_fail (has_answer (self), 0);

  return self->answered;
}

/* The token at that position. */
const char *
hl_prediction_work_get_subject (HlPredictionWork *self)
{
  g_return_val_if_fail (has_answer (self), NULL);

  return self->subject;
}

/* One more than the model has layers. */
guint
hl_prediction_work_get_n_rows (HlPredictionWork *self)
{
  g_return_val_if_fail (has_answer (self), 0);

  return hl_streams_get_n_layers (self->streams) + 1;
}

guint
hl_prediction_work_get_n_top (HlPredictionWork *self)
{
  g_return_val_if_fail (has_answer (self), 0);

  return self->n_top;
}

/* The likeliest tokens after so many layers. */
const HlCandidate *
hl_prediction_work_get_row (HlPredictionWork *self,
                            guint             row)
{
  g_return_val_if_fail (has_answer (self), NULL);

  return self->candidates + row * self->n_top;
}

const char *
hl_prediction_work_get_label (HlPredictionWork *self,
                              guint             row,
                              guint             rank)
{
  g_return_val_if_fail (has_answer (self), NULL);

  return self->labels[row * self->n_top + rank];
}
