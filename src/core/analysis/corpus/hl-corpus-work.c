/* SPDX-License-Identifier: MIT */
/* Many texts, a group of short texts a thread: small texts are done faster beside one another than one after another with all threads on each, for
 * what a thread does on twenty tokens is over before others have been told of it. What comes of them is taken in their order, so that it does not
 * depend on threads; a thread does not wait for that, and goes on with the next group. */
#include "core/analysis/corpus/hl-corpus-work.h"

#include "core/base/hl-worker.h"

#include <glib/gi18n-lib.h>
#include <omp.h>

/* Texts with more bytes are read by all threads together. */
#define LONG_TEXT 4096

/* Groups that may be measured before what stands in front of them: what came of them waits. */
#define MAX_WAITING 64

/* Microseconds between looks at what is known so far. */
#define SHOW_EVERY 250000

/* Texts that are measured together, and what came of them. */
typedef struct
{
  guint first;
  guint n;
  gpointer results[HL_CORPUS_WORK_MAX_GROUP]; /* up to the first that went wrong */
  gsize room;                                 /* that these take */
  GError *error;
} Group;

typedef struct
{
  const HlCorpusWork *work;
  HlProgress *progress;
  GCancellable *cancellable;

  GMutex lock;
  GCond taken;
  guint next;     /* the first text that nobody has begun */
  guint n_taken;  /* texts that are done, from the first on */
  GQueue waiting; /* of Group, in their order */
  gsize room;     /* that these take */
  gboolean stopped;
  GError *error;
  gint64 shown; /* when it was */
} Run;

static gsize
get_size (const HlCorpusWork *work,
          guint               index)
{
  return work->get_size != NULL ? work->get_size (work->data, index) : HL_CORPUS_WORK_GROUP_SIZE;
}

static void
group_free (Group              *self,
            const HlCorpusWork *work)
{
  for (guint i = 0; i < self->n; i++)
    if (self->results[i] != NULL)
      work->free_result (self->results[i]);
  g_clear_error (&self->error);
  g_free (self);
}

/* Those that follow, as many as fit in a group. */
static Group *
begin_group (Run *self)
{
  Group *group = g_new0 (Group, 1);
  gsize size = 0;

  group->first = self->next;
  do
    {
      size += get_size (self->work, self->next++);
      group->n++;
    }
  while (self->next < self->work->n && group->n < HL_CORPUS_WORK_MAX_GROUP &&
         size + get_size (self->work, self->next) <= HL_CORPUS_WORK_GROUP_SIZE);
  return group;
}

/* A group that goes wrong is measured one by one: what stands before the text to blame counts, and it is that text which is named. */
static void
measure (const Run *self,
         Group     *group)
{
  const HlCorpusWork *work = self->work;

  if (work->measure (work->data, group->first, group->n, group->results, self->cancellable, &group->error) ||
      group->n == 1 || g_cancellable_is_cancelled (self->cancellable))
    return;
  g_clear_error (&group->error);
  for (guint i = 0; i < group->n && group->error == NULL; i++)
    work->measure (work->data, group->first + i, 1, &group->results[i], self->cancellable, &group->error);
}

/* Of several that went wrong, it is the first that is said, and what stands behind it is not taken. */
static void
take (Run   *self,
      Group *group)
{
  const HlCorpusWork *work = self->work;

  for (guint i = 0; i < group->n && self->error == NULL && group->results[i] != NULL; i++)
    if (work->take (work->data, group->first + i, group->results[i], &self->error))
      self->n_taken++;
  if (self->error == NULL)
    self->error = g_steal_pointer (&group->error);
  self->stopped |= self->error != NULL;
}

static int
compare_groups (gconstpointer a,
                gconstpointer b,
                gpointer      data)
{
  return ((const Group *) a)->first < ((const Group *) b)->first ? -1 : 1;
}

static gsize
get_room (const HlCorpusWork *work,
          const Group        *group)
{
  gsize room = 0;

  for (guint i = 0; work->get_room != NULL && i < group->n; i++)
    if (group->results[i] != NULL)
      room += work->get_room (work->data, group->results[i]);
  return room;
}

/* Takes what came of a group if all before it is taken, and of those that waited for it. */
static void
hand_in (Run   *self,
         Group *group)
{
  group->room = get_room (self->work, group);
  self->room += group->room;
  g_queue_insert_sorted (&self->waiting, group, compare_groups, NULL);
  self->stopped |= group->error != NULL;
  for (Group *first;
       self->error == NULL && (first = g_queue_peek_head (&self->waiting)) != NULL && first->first == self->n_taken;)
    {
      g_queue_pop_head (&self->waiting);
      self->room -= first->room;
      take (self, first);
      group_free (first, self->work);
    }
  g_cond_broadcast (&self->taken);
}

static void
tell (Run     *self,
      gboolean is_caller)
{
  const HlCorpusWork *work = self->work;
  const gint64 now = g_get_monotonic_time ();
  g_autofree char *message = g_strdup_printf (_ ("Text %u of %u"), MIN (self->n_taken + 1, work->n), work->n);

  hl_progress_set (self->progress, (double) self->n_taken / work->n, message);
  if (!is_caller || work->show == NULL || self->error != NULL || now - self->shown < SHOW_EVERY)
    return;
  work->show (work->data, self->n_taken);
  self->shown = now;
}

/* Whoever measures what the others wait for does not wait. */
static gboolean
is_full (const Run *self)
{
  return self->waiting.length >= MAX_WAITING || self->room >= HL_CORPUS_WORK_ROOM;
}

/* Whether the next text is there for this thread. */
static gboolean
may_go_on (Run *self)
{
  while (!self->stopped && is_full (self))
    g_cond_wait (&self->taken, &self->lock);
  if (!self->stopped && g_cancellable_is_cancelled (self->cancellable))
    self->stopped = TRUE;
  return !self->stopped && self->next < self->work->n;
}

static void
work_on (Run     *self,
         gboolean alone)
{
  g_mutex_lock (&self->lock);
  while (may_go_on (self) && (alone || get_size (self->work, self->next) <= LONG_TEXT))
    {
      Group *group = begin_group (self);

      g_mutex_unlock (&self->lock);
      measure (self, group);
      g_mutex_lock (&self->lock);
      hand_in (self, group);
      tell (self, alone || omp_get_thread_num () == 0);
      if (alone)
        break;
    }
  g_mutex_unlock (&self->lock);
}

/**
 * hl_corpus_work_run:
 * @self: what is done
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: that of the first text that went wrong, or %G_IO_ERROR_CANCELLED
 *
 * Goes over all texts. What has been taken before an error stays taken. Blocks: call it from a worker.
 *
 * Returns: whether all are done
 */
gboolean
hl_corpus_work_run (const HlCorpusWork *self,
                    HlProgress         *progress,
                    GCancellable       *cancellable,
                    GError            **error)
{
  Run run = {
    .work = self,
    .progress = progress,
    .cancellable = cancellable,
    .waiting = G_QUEUE_INIT,
    .shown = g_get_monotonic_time (),
  };

  g_mutex_init (&run.lock);
  g_cond_init (&run.taken);
  tell (&run, FALSE);
  hl_progress_begin (progress, 0);
  while (!run.stopped && run.next < self->n)
    {
#pragma omp parallel
      work_on (&run, FALSE);
      if (!run.stopped && run.next < self->n)
        work_on (&run, TRUE);
    }
  for (Group *group; (group = g_queue_pop_head (&run.waiting)) != NULL;)
    group_free (group, self);
  g_mutex_clear (&run.lock);
  g_cond_clear (&run.taken);
  if (run.error != NULL)
    {
      g_propagate_error (error, run.error);
      return FALSE;
    }
  if (run.n_taken < self->n && g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  hl_progress_set (progress, 1, NULL);
  return TRUE;
}
