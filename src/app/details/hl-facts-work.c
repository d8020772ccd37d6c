/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/details/hl-facts-work.h"

#include "core/base/hl-worker.h"

struct _HlFactsWork
{
  GObject parent_instance;

  HlHeadFacts *running;
  HlHeadFacts *wanted; /* as soon as that ends */
  GCancellable *cancellable;
  gboolean reads_alike; /* what is running is known but for the heads that are like it */
};

enum
{
  READ,
  ALIKE_READ,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HlFactsWork, hl_facts_work, G_TYPE_OBJECT)

static void
hl_facts_work_dispose (GObject *object)
{
  hl_facts_work_stop (HL_FACTS_WORK (object));
  G_OBJECT_CLASS (hl_facts_work_parent_class)->dispose (object);
}

static void
hl_facts_work_class_init (HlFactsWorkClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hl_facts_work_dispose;

  /* All is known of what was asked for but the heads that are like it, or there is an error. */
  signals[READ] = g_signal_new ("read", HL_TYPE_FACTS_WORK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2,
                                HL_TYPE_HEAD_FACTS, G_TYPE_ERROR);
  /* These are known too, or there is an error. */
  signals[ALIKE_READ] = g_signal_new ("alike-read", HL_TYPE_FACTS_WORK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 2, HL_TYPE_HEAD_FACTS, G_TYPE_ERROR);
}

static void
hl_facts_work_init (HlFactsWork *self)
{
}

HlFactsWork *
hl_facts_work_new (void)
{
  return g_object_new (HL_TYPE_FACTS_WORK, NULL);
}

static void
run (GTask        *task,
     gpointer      source_object,
     gpointer      task_data,
     GCancellable *cancellable)
{
  HlHeadFacts *facts = task_data;
  GError *error = NULL;

  hl_worker_give_way ();
  const gboolean done = hl_head_facts_get_picture (facts) == NULL
                          ? hl_head_facts_read (facts, cancellable, &error)
                          : hl_head_facts_read_alike (facts, cancellable, &error);
  if (done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void start (HlFactsWork *self, HlHeadFacts *facts);

static void
on_run (GObject      *source_object,
        GAsyncResult *result,
        gpointer      data)
{
  g_autoptr (HlFactsWork) self = data;
  g_autoptr (HlHeadFacts) facts = g_steal_pointer (&self->running);
  g_autoptr (GError) error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  g_clear_object (&self->cancellable);
  if (self->wanted != NULL)
    {
      g_autoptr (HlHeadFacts) wanted = g_steal_pointer (&self->wanted);
      start (self, wanted);
      return;
    }
  /* Nobody asks for it any more. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_signal_emit (self, signals[self->reads_alike ? ALIKE_READ : READ], 0, facts, error);
}

static void
start (HlFactsWork *self,
       HlHeadFacts *facts)
{
  g_assert (self->running == NULL);

  self->running = g_object_ref (facts);
  self->reads_alike = hl_head_facts_get_picture (facts) != NULL;
  self->cancellable = g_cancellable_new ();
  /* The task does not own what asks: tasks may be finalized in the worker. */
  g_autoptr (GTask) task = g_task_new (NULL, self->cancellable, on_run, g_object_ref (self));
  g_task_set_name (task, "[headlight] head page");
  g_task_set_task_data (task, g_object_ref (facts), g_object_unref);
  g_task_run_in_thread (task, run);
}

/* In place of all that was asked for before: first what there is to tell but for the heads that are like it; of facts of which that
 * is known, these. */
void
hl_facts_work_ask (HlFactsWork *self,
                   HlHeadFacts *facts)
{
  g_return_if_fail (HL_IS_FACTS_WORK (self));
  g_return_if_fail (HL_IS_HEAD_FACTS (facts));

  g_clear_object (&self->wanted);
  if (self->running == NULL)
    {
      start (self, facts);
      return;
    }
  self->wanted = g_object_ref (facts);
  g_cancellable_cancel (self->cancellable);
}

/* Whether the question is being read already; then it goes on, and nothing is read after it. */
gboolean
hl_facts_work_goes_on (HlFactsWork *self,
                       HlHeadFacts *question)
{
  g_return_val_if_fail (HL_IS_FACTS_WORK (self), FALSE);
  g_return_val_if_fail (HL_IS_HEAD_FACTS (question), FALSE);

  if (self->running == NULL || g_cancellable_is_cancelled (self->cancellable) ||
      !hl_head_facts_is_same_question (self->running, question))
    return FALSE;
  g_clear_object (&self->wanted);
  return TRUE;
}

/* No signal follows. */
void
hl_facts_work_stop (HlFactsWork *self)
{
  g_return_if_fail (HL_IS_FACTS_WORK (self));

  g_clear_object (&self->wanted);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

/* What was asked for last and is not read yet; NULL if there is nothing. */
HlHeadFacts *
hl_facts_work_get_awaited (HlFactsWork *self)
{
  g_return_val_if_fail (HL_IS_FACTS_WORK (self), NULL);

  return self->wanted != NULL ? self->wanted : self->running;
}
