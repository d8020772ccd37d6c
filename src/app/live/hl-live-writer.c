/* SPDX-License-Identifier: MIT */
/*
 * The worker writes token by token. What it has to tell lies in one place, which the main thread empties when it comes to it: however fast
 * tokens come, there is one message under way, and never a newer document than the last one that was shown plus one.
 */
#include "config.h"

#include "app/live/hl-live-writer.h"

#include "core/base/hl-error.h"
#include "core/base/hl-owner.h"
#include "core/base/hl-worker.h"
#include "core/model/hl-model-call.h"

#include <glib/gi18n.h>

/* A picture that follows the text more often flickers. */
#define LEAST_MICROSECONDS 150000

/* A text that changes is laid out anew as a whole, which nobody sees oftener than this. */
#define LEAST_TEXT_MICROSECONDS 50000

/* Making documents is to take no more than this part of the time. */
#define DOCUMENT_SHARE 5

struct _HlLiveWriter
{
  GObject parent_instance;

  GThread *owner;
  HlModelCall *call;
  HlGenerationOptions options;
  char *begins; /* the text that it goes on with; NULL if it writes another */
  GCancellable *cancellable;

  GMutex lock;
  char *told_text; /* until the main thread takes it */
  HlDocument *told_document;
  gboolean is_told;

  char *text;
  HlDocument *document;
  GError *error;
};

enum
{
  WRITTEN,
  ENDED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlLiveWriter, hl_live_writer, G_TYPE_OBJECT)

static void
hl_live_writer_finalize (GObject *object)
{
  HlLiveWriter *self = HL_LIVE_WRITER (object);

  g_clear_object (&self->call);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->told_document);
  g_clear_object (&self->document);
  g_clear_error (&self->error);
  g_free (self->told_text);
  g_free (self->text);
  g_free (self->begins);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (hl_live_writer_parent_class)->finalize (object);
}

static void
hl_live_writer_class_init (HlLiveWriterClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_live_writer_finalize;

  /* There is more text, and perhaps a document of it. */
  signals[WRITTEN] =
    g_signal_new ("written", HL_TYPE_LIVE_WRITER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  /* There will be no more. */
  signals[ENDED] = g_signal_new ("ended", HL_TYPE_LIVE_WRITER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_live_writer_init (HlLiveWriter *self)
{
  self->owner = g_thread_self ();
  g_mutex_init (&self->lock);
  self->cancellable = g_cancellable_new ();
  self->text = g_strdup ("");
}

/* On the main thread: takes what the worker has told. */
static gboolean
take_told (gpointer data)
{
  HlLiveWriter *self = data;

  HL_ASSERT_OWNER (self);
  g_mutex_lock (&self->lock);
  g_autofree char *text = g_steal_pointer (&self->told_text);
  g_autoptr (HlDocument) document = g_steal_pointer (&self->told_document);
  self->is_told = FALSE;
  g_mutex_unlock (&self->lock);
  if (text != NULL)
    {
      g_free (self->text);
      self->text = g_steal_pointer (&text);
    }
  g_set_object (&self->document, document);
  g_signal_emit (self, signals[WRITTEN], 0);
  return G_SOURCE_REMOVE;
}

static void
tell (HlLiveWriter *self,
      const char   *text,
      HlDocument   *document)
{
  g_mutex_lock (&self->lock);
  g_free (self->told_text);
  self->told_text = g_strdup (text);
  if (document != NULL)
    g_set_object (&self->told_document, document);
  const gboolean was_told = self->is_told;
  self->is_told = TRUE;
  g_mutex_unlock (&self->lock);
  if (!was_told)
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, take_told, g_object_ref (self), g_object_unref);
}

/* Whether the main thread has taken the last document. */
static gboolean
is_document_taken (HlLiveWriter *self)
{
  g_mutex_lock (&self->lock);
  const gboolean is_taken = self->told_document == NULL;
  g_mutex_unlock (&self->lock);
  return is_taken;
}

static HlDocument *
make_document (HlLiveWriter *self,
               HlGeneration *generation,
               GError      **error)
{
  g_autofree char *text = self->begins != NULL ? g_strconcat (self->begins, hl_generation_get_text (generation), NULL)
                                               : NULL;

  return hl_generation_new_document (generation, text, error);
}

/* Writes until there is an end. What was written before an error or a stop is shown. */
static gboolean
write_all (HlLiveWriter *self,
           HlGeneration *generation,
           GError      **error)
{
  GError *reason = NULL;
  gint64 next = 0, next_text = 0;
  guint32 id;

  while (reason == NULL && hl_generation_next (generation, &id, self->cancellable, &reason))
    {
      g_autoptr (HlDocument) document = NULL;
      const gint64 before = g_get_monotonic_time ();

      if (before >= next && is_document_taken (self))
        {
          document = make_document (self, generation, &reason);
          const gint64 took = g_get_monotonic_time () - before;
          next = before + MAX (LEAST_MICROSECONDS, DOCUMENT_SHARE * took);
        }
      if (document == NULL && before < next_text)
        continue;
      tell (self, hl_generation_get_text (generation), document);
      next_text = before + LEAST_TEXT_MICROSECONDS;
    }
  /* What came since it was last told. */
  if (hl_generation_get_n_new (generation) > 0)
    tell (self, hl_generation_get_text (generation), NULL);
  if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_clear_error (&reason);
  if (reason == NULL && hl_generation_get_n_new (generation) == 0 &&
      hl_generation_get_end (generation) == HL_GENERATION_FULL)
    g_set_error (&reason, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the model takes no longer texts"));
  else if (reason == NULL && hl_generation_get_n_new (generation) > 0)
    {
      g_autoptr (HlDocument) document = make_document (self, generation, &reason);
      if (document != NULL)
        tell (self, hl_generation_get_text (generation), document);
    }
  if (reason != NULL)
    g_propagate_error (error, reason);
  return reason == NULL;
}

static void
work (GTask        *task,
      gpointer      source,
      gpointer      data,
      GCancellable *cancellable)
{
  HlLiveWriter *self = data;
  GError *error = NULL;

  hl_worker_give_way ();
  g_autoptr (HlUnembedding) head = hl_unembedding_load (hl_model_call_get_model (self->call), &error);
  g_autoptr (HlGeneration) generation = NULL;
  if (head != NULL)
    generation = hl_generation_new (head, hl_model_call_get_input (self->call), &self->options, &error);
  if (generation != NULL && write_all (self, generation, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_done (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (HlLiveWriter) self = data;

  g_task_propagate_boolean (G_TASK (result), &self->error);
  /* The last of what it told may still be under way. */
  take_told (self);
  g_signal_emit (self, signals[ENDED], 0);
}

/* Goes on with the text of a document that a model made. */
HlLiveWriter *
hl_live_writer_new (HlDocument                *document,
                    const HlGenerationOptions *options)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (document) && hl_model_call_of (document) != NULL, NULL);

  HlLiveWriter *self = g_object_new (HL_TYPE_LIVE_WRITER, NULL);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
  const gboolean two = hl_model_has_decoder (hl_model_call_get_model (hl_model_call_of (document)));

  self->call = g_object_ref (hl_model_call_of (document));
  self->options = *options;
  self->options.record = TRUE;
  self->options.stop = NULL;
  self->begins = two ? NULL : g_strdup (hl_example_get_text (example));
  return self;
}

void
hl_live_writer_start (HlLiveWriter *self)
{
  g_return_if_fail (HL_IS_LIVE_WRITER (self));
  HL_ASSERT_OWNER (self);

  /* The task does not own the writer: tasks may be finalized in the worker. */
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_done, g_object_ref (self));
  g_task_set_source_tag (task, hl_live_writer_start);
  g_task_set_task_data (task, self, NULL);
  g_task_set_name (task, "text that a model writes");
  g_task_run_in_thread (task, work);
}

/* It ends soon after; what is written stays. */
void
hl_live_writer_stop (HlLiveWriter *self)
{
  g_return_if_fail (HL_IS_LIVE_WRITER (self));

  g_cancellable_cancel (self->cancellable);
}

/* What was written so far, without what it goes on with. */
const char *
hl_live_writer_get_text (HlLiveWriter *self)
{
  g_return_val_if_fail (HL_IS_LIVE_WRITER (self), "");

  return self->text;
}

/* A document that came with the last signal, or NULL. */
HlDocument *
hl_live_writer_get_document (HlLiveWriter *self)
{
  g_return_val_if_fail (HL_IS_LIVE_WRITER (self), NULL);

  return self->document;
}

/* Why it ended, if something was wrong. */
const GError *
hl_live_writer_get_error (HlLiveWriter *self)
{
  g_return_val_if_fail (HL_IS_LIVE_WRITER (self), NULL);

  return self->error;
}
