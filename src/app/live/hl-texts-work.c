/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/live/hl-texts-work.h"

#include "core/base/hl-error.h"
#include "core/base/hl-owner.h"
#include "core/base/hl-worker.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"

#include <glib/gi18n.h>
#include <string.h>

struct _HlTextsWork
{
  GObject parent_instance;

  GThread *owner;
  HlProgress *progress;
  GCancellable *cancellable; /* of the job that runs */
  HlCorpusNumbers *numbers;
  HlModel *model;      /* of which these are; NULL of a file */
  HlQuantity quantity; /* of which maps */
  HlProbe *probe;
  GError *error;
};

/* What a worker has of a job. */
typedef struct
{
  HlTextsWork *work; /* never touched by the worker, but to be told */
  GCancellable *cancellable;
  HlProgress *progress;
  HlModel *model;
  HlDocument *document;
  char *text;
  GFile *file;
  GFile *annotations;
  HlHeadNumberSet wanted;
  gboolean distances;
  HlQuantity quantity;
  HlProbe *probe;
} Job;

/* What the main thread is told meanwhile: one of both. */
typedef struct
{
  HlTextsWork *work;
  GCancellable *cancellable;
  HlCorpusNumbers *numbers;
  HlProbe *probe;
} Snapshot;

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlTextsWork, hl_texts_work, G_TYPE_OBJECT)

static void
job_free (Job *job)
{
  g_object_unref (job->cancellable);
  g_object_unref (job->progress);
  g_clear_object (&job->model);
  g_clear_object (&job->document);
  g_free (job->text);
  g_clear_object (&job->file);
  g_clear_object (&job->annotations);
  g_clear_pointer (&job->probe, hl_probe_free);
  g_free (job);
}

static void
snapshot_free (gpointer data)
{
  Snapshot *snapshot = data;

  g_object_unref (snapshot->work);
  g_object_unref (snapshot->cancellable);
  g_clear_pointer (&snapshot->numbers, hl_corpus_numbers_unref);
  g_clear_pointer (&snapshot->probe, hl_probe_free);
  g_free (snapshot);
}

static void
take_numbers (HlTextsWork     *self,
              HlCorpusNumbers *numbers)
{
  HL_ASSERT_OWNER (self);
  g_clear_pointer (&self->numbers, hl_corpus_numbers_unref);
  self->numbers = hl_corpus_numbers_ref (numbers);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
take_probe (HlTextsWork *self,
            HlProbe     *probe)
{
  HL_ASSERT_OWNER (self);
  g_clear_pointer (&self->probe, hl_probe_free);
  self->probe = probe;
  g_signal_emit (self, signals[CHANGED], 0);
}

static gboolean
show_snapshot (gpointer data)
{
  Snapshot *snapshot = data;

  if (snapshot->work->cancellable != snapshot->cancellable)
    return G_SOURCE_REMOVE;
  if (snapshot->numbers != NULL)
    take_numbers (snapshot->work, snapshot->numbers);
  else
    take_probe (snapshot->work, g_steal_pointer (&snapshot->probe));
  return G_SOURCE_REMOVE;
}

static void
tell (const Job       *job,
      HlCorpusNumbers *numbers,
      HlProbe         *probe)
{
  Snapshot *snapshot = g_new (Snapshot, 1);

  *snapshot = (Snapshot){ g_object_ref (job->work), g_object_ref (job->cancellable), numbers, probe };
  /* Before the end of the job is told. */
  g_idle_add_full (G_PRIORITY_DEFAULT, show_snapshot, snapshot, snapshot_free);
}

static void
on_so_far (HlCorpusNumbers *so_far,
           gpointer         data)
{
  tell (data, hl_corpus_numbers_ref (so_far), NULL);
}

static void
on_probe_so_far (HlProbe *so_far,
                 gpointer data)
{
  tell (data, NULL, so_far);
}

/* The maps that the numbers of a text are of. */
static gboolean
derive (HlExample          *example,
        guint               index,
        HlAttention       **attention,
        HlAttentionSource **source,
        gpointer            data,
        GError            **error)
{
  const Job *job = data;
  const HlLens lens = { .quantity = job->quantity };
  HlAttention *own = hl_example_get_attention (example, index);
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (own);

  if (!hl_lens_check (&lens, own, error))
    {
      g_prefix_error (error, "%s ", _ ("the quantity"));
      return FALSE;
    }
  hl_lens_apply (&lens, own, weights, attention, source);
  return TRUE;
}

static HlCorpus *
open_corpus (const Job *job,
             HlConllu  *sentences,
             GError   **error)
{
  g_autoptr (HlTextList) texts = NULL;

  if (job->model == NULL)
    return hl_corpus_new_for_examples (job->document, NULL, 0);
  if (job->file == NULL && job->text == NULL)
    return hl_corpus_new_for_sentences (job->model, sentences, error);
  texts = job->file != NULL ? hl_text_list_load (job->file, job->cancellable, error)
                            : hl_text_list_parse (job->text, strlen (job->text), error);
  return texts != NULL ? hl_corpus_new_for_texts (job->model, texts, error) : NULL;
}

/* First what annotations tell, then the means. */
static HlCorpusNumbers *
find_out (Job     *job,
          GError **error)
{
  const HlCorpusRequest request = { .wanted = job->wanted & ~HL_PROBE_NUMBERS,
                                    .distances = job->distances,
                                    .func = on_so_far,
                                    .data = job,
                                    .derive = job->quantity != HL_QUANTITY_WEIGHT ? derive : NULL };
  g_autoptr (HlConllu) sentences = NULL;

  if (job->annotations != NULL && (sentences = hl_conllu_load (job->annotations, job->cancellable, error)) == NULL)
    return NULL;
  g_autoptr (HlCorpus) corpus = open_corpus (job, sentences, error);
  if (corpus == NULL)
    return NULL;
  if (job->wanted & HL_PROBE_NUMBERS)
    {
      job->probe = job->model != NULL
                     ? hl_probe_run_model (job->model, sentences, job->progress, request.derive, on_probe_so_far, job,
                                           job->cancellable, error)
                     : hl_probe_run_document (job->document, NULL, 0, sentences, job->progress, request.derive,
                                              on_probe_so_far, job, job->cancellable, error);
      if (job->probe == NULL)
        return NULL;
    }
  return hl_corpus_measure (corpus, &request, job->progress, job->cancellable, error);
}

static void
run (GTask        *task,
     gpointer      source,
     gpointer      data,
     GCancellable *cancellable)
{
  GError *error = NULL;

  hl_worker_give_way ();
  HlCorpusNumbers *numbers = find_out (data, &error);
  if (numbers != NULL)
    g_task_return_pointer (task, numbers, (GDestroyNotify) hl_corpus_numbers_unref);
  else
    g_task_return_error (task, error);
}

static void
finished (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (HlTextsWork) self = data;
  g_autoptr (GError) error = NULL;
  Job *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (HlCorpusNumbers) numbers = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->cancellable != job->cancellable)
    return;
  g_clear_object (&self->cancellable);
  if (job->probe != NULL)
    {
      g_clear_pointer (&self->probe, hl_probe_free);
      self->probe = g_steal_pointer (&job->probe);
    }
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    self->error = g_steal_pointer (&error);
  if (numbers != NULL)
    take_numbers (self, numbers);
  else
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
forget (HlTextsWork *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->model);
  g_clear_pointer (&self->numbers, hl_corpus_numbers_unref);
  g_clear_pointer (&self->probe, hl_probe_free);
  g_clear_error (&self->error);
}

static void
hl_texts_work_dispose (GObject *object)
{
  HlTextsWork *self = HL_TEXTS_WORK (object);

  forget (self);
  g_clear_object (&self->progress);
  G_OBJECT_CLASS (hl_texts_work_parent_class)->dispose (object);
}

static void
hl_texts_work_class_init (HlTextsWorkClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_texts_work_dispose;

  /* It began, knows more, or ended. */
  signals[CHANGED] =
    g_signal_new ("changed", HL_TYPE_TEXTS_WORK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hl_texts_work_init (HlTextsWork *self)
{
  self->owner = g_thread_self ();
  self->progress = hl_progress_new ();
}

HlTextsWork *
hl_texts_work_new (void)
{
  return g_object_new (HL_TYPE_TEXTS_WORK, NULL);
}

/* What ran before is stopped, and what it found out is forgotten. */
void
hl_texts_work_start (HlTextsWork      *self,
                     const HlTextsJob *wanted)
{
  g_return_if_fail (HL_IS_TEXTS_WORK (self));
  g_return_if_fail (wanted->model != NULL || wanted->document != NULL);
  HL_ASSERT_OWNER (self);

  forget (self);
  self->cancellable = g_cancellable_new ();

  Job *job = g_new0 (Job, 1);
  *job = (Job){ .work = self,
                .cancellable = g_object_ref (self->cancellable),
                .progress = g_object_ref (self->progress),
                .text = g_strdup (wanted->text),
                .wanted = wanted->wanted,
                .distances = wanted->distances,
                .quantity = wanted->quantity };
  self->quantity = wanted->quantity;
  g_set_object (&self->model, wanted->model);
  g_set_object (&job->model, wanted->model);
  g_set_object (&job->document, wanted->document);
  g_set_object (&job->file, wanted->file);
  g_set_object (&job->annotations, wanted->annotations);
  hl_progress_set (self->progress, 0, _ ("Reading texts"));
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, finished, g_object_ref (self));
  g_task_set_source_tag (task, hl_texts_work_start);
  g_task_set_name (task, "numbers over texts");
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  g_task_run_in_thread (task, run);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* What is known so far stays. */
void
hl_texts_work_stop (HlTextsWork *self)
{
  g_return_if_fail (HL_IS_TEXTS_WORK (self));
  HL_ASSERT_OWNER (self);

  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* What runs is stopped, and what was found out is forgotten. */
void
hl_texts_work_forget (HlTextsWork *self)
{
  g_return_if_fail (HL_IS_TEXTS_WORK (self));
  HL_ASSERT_OWNER (self);

  forget (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
hl_texts_work_get_busy (HlTextsWork *self)
{
  g_return_val_if_fail (HL_IS_TEXTS_WORK (self), FALSE);

  return self->cancellable != NULL;
}

HlProgress *
hl_texts_work_get_progress (HlTextsWork *self)
{
  g_return_val_if_fail (HL_IS_TEXTS_WORK (self), NULL);

  return self->progress;
}

/* Returns the numbers over the texts that are done; NULL while there is none. */
HlCorpusNumbers *
hl_texts_work_get_numbers (HlTextsWork *self)
{
  g_return_val_if_fail (HL_IS_TEXTS_WORK (self), NULL);

  return self->numbers;
}

HlQuantity
hl_texts_work_get_quantity (HlTextsWork *self)
{
  g_return_val_if_fail (HL_IS_TEXTS_WORK (self), HL_QUANTITY_WEIGHT);

  return self->quantity;
}

/* Returns the model that the numbers are of; NULL while there are none, and of a file. */
HlModel *
hl_texts_work_get_model (HlTextsWork *self)
{
  g_return_val_if_fail (HL_IS_TEXTS_WORK (self), NULL);

  return self->model;
}

/* Returns what annotations tell of the texts that are done; NULL while there is none, and without annotations. */
HlProbe *
hl_texts_work_get_probe (HlTextsWork *self)
{
  g_return_val_if_fail (HL_IS_TEXTS_WORK (self), NULL);

  return self->probe;
}

const GError *
hl_texts_work_get_error (HlTextsWork *self)
{
  g_return_val_if_fail (HL_IS_TEXTS_WORK (self), NULL);

  return self->error;
}
