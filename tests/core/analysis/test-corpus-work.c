/* SPDX-License-Identifier: MIT */
/* Work on many texts: which are measured together, in which order they are taken, and what is left of it when one is bad or it is stopped. */
#include "core/analysis/corpus/hl-corpus-work.h"
#include "core/base/hl-error.h"

#include <omp.h>

#define N_TEXTS 400
#define NONE G_MAXUINT
#define N_THREADS 4

typedef struct
{
  gsize sizes[N_TEXTS];
  guint groups[N_TEXTS]; /* with which text each was measured last, the first of its group */
  guint n_taken;
  guint bad;
  guint stop_at;
  gboolean deaf; /* does not look whether it is to stop */
  guint slow;
  gboolean naps;  /* so that it lasts for a while */
  gsize room;     /* that each result is said to take */
  gint n_results; /* atomic: that there are now */
  gint most_results;
  GCancellable *cancellable;
  guint shown;
  GThread *caller;
} Texts;

static gsize
get_size (gpointer data,
          guint    index)
{
  return ((const Texts *) data)->sizes[index];
}

static gboolean
measure (gpointer      data,
         guint         first,
         guint         n,
         gpointer     *results,
         GCancellable *cancellable,
         GError      **error)
{
  Texts *self = data;

  if (self->naps)
    g_usleep (20000);
  for (guint i = first; i < first + n; i++)
    {
      self->groups[i] = first;
      /* Nobody takes anything while a text is measured alone. */
      if (self->sizes[i] == HL_CORPUS_WORK_ALONE)
        g_assert_cmpuint (self->n_taken, ==, i);
      if (i == self->stop_at)
        g_cancellable_cancel (cancellable);
      if (i == self->slow)
        g_usleep (50000);
      if (i != self->bad)
        continue;
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, "text %u is bad", i);
      return FALSE;
    }
  if (!self->deaf && g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    results[i] = g_memdup2 (&(guint){ first + i }, sizeof (guint));
  const gint n_results = g_atomic_int_add (&self->n_results, (gint) n) + (gint) n;
#pragma omp critical
  self->most_results = MAX (self->most_results, n_results);
  return TRUE;
}

static gsize
get_room (gpointer data,
          gpointer result)
{
  return ((const Texts *) data)->room;
}

static gboolean
take (gpointer data,
      guint    index,
      gpointer result,
      GError **error)
{
  Texts *self = data;

  g_assert_cmpuint (self->n_taken, ==, index);
  g_assert_cmpuint (*(const guint *) result, ==, index);
  self->n_taken++;
  g_atomic_int_add (&self->n_results, -1);
  return TRUE;
}

static void
show (gpointer data,
      guint    n_done)
{
  Texts *self = data;

  g_assert_true (g_thread_self () == self->caller);
  g_assert_cmpuint (n_done, ==, self->n_taken);
  self->shown++;
}

/* Texts of many lengths, some of them long. */
static void
texts_init (Texts *self)
{
  *self = (Texts){ .bad = NONE, .stop_at = NONE, .slow = NONE, .caller = g_thread_self () };
  for (guint i = 0; i < N_TEXTS; i++)
    self->sizes[i] = i % 50 == 49 ? 5000 : 20 + i * 7919 % 200;
}

static gboolean
run (Texts   *self,
     GError **error)
{
  const HlCorpusWork work = { .n = N_TEXTS,
                              .get_size = get_size,
                              .measure = measure,
                              .get_room = get_room,
                              .take = take,
                              .free_result = g_free,
                              .show = show,
                              .data = self };

  return hl_corpus_work_run (&work, NULL, self->cancellable, error);
}

static void
test_groups (void)
{
  Texts texts, other;
  guint n_groups = 0;

  texts_init (&texts);
  texts_init (&other);
  g_assert_true (run (&texts, NULL));
  g_assert_cmpuint (texts.n_taken, ==, N_TEXTS);
  for (guint first = 0, end; first < N_TEXTS; first = end, n_groups++)
    {
      gsize size = 0;

      for (end = first; end < N_TEXTS && texts.groups[end] == first; end++)
        size += texts.sizes[end];
      g_assert_cmpuint (end, >, first);
      g_assert_cmpuint (end - first, <=, HL_CORPUS_WORK_MAX_GROUP);
      g_assert_true (size <= 1024 || end == first + 1);
    }
  g_assert_cmpuint (n_groups, <, N_TEXTS / 4);
  g_assert_cmpuint (n_groups, >, N_TEXTS / HL_CORPUS_WORK_MAX_GROUP);

  /* They are the same with other threads. */
  omp_set_num_threads (5);
  g_assert_true (run (&other, NULL));
  omp_set_num_threads (2);
  g_assert_cmpmem (texts.groups, sizeof texts.groups, other.groups, sizeof other.groups);
}

/* However many there are, and beside whatever. */
static void
test_alone (void)
{
  Texts texts;

  texts_init (&texts);
  for (guint i = 0; i < N_TEXTS; i += i % 3 + 1)
    texts.sizes[i] = HL_CORPUS_WORK_ALONE;
  g_assert_true (run (&texts, NULL));
  g_assert_cmpuint (texts.n_taken, ==, N_TEXTS);
  for (guint i = 0; i < N_TEXTS; i++)
    g_assert_true (texts.groups[i] == i || texts.sizes[texts.groups[i]] != HL_CORPUS_WORK_ALONE);
}

/* What stands before a text that is bad counts, also in its group; nothing behind it does. */
static void
test_bad (void)
{
  for (guint bad = 0; bad < N_TEXTS; bad += 13)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *message = g_strdup_printf ("text %u is bad", bad);
      Texts texts;

      texts_init (&texts);
      texts.bad = bad;
      g_assert_false (run (&texts, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
      g_assert_cmpstr (error->message, ==, message);
      g_assert_cmpuint (texts.n_taken, ==, bad);
    }
}

/* Also where only what stands between two groups looks whether it is to stop. */
static void
test_cancel (gconstpointer deaf)
{
  for (guint stop = 0; stop < N_TEXTS / 2; stop += 37)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GError) error = NULL;
      Texts texts;

      texts_init (&texts);
      texts.stop_at = stop;
      texts.deaf = GPOINTER_TO_INT (deaf);
      texts.cancellable = cancellable;
      g_assert_false (run (&texts, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_assert_cmpuint (texts.n_taken, <=, texts.deaf ? N_TEXTS - 100 : stop);
    }
}

/* Others go on meanwhile, and wait for their turn to be taken. */
static void
test_slow (void)
{
  Texts texts;

  texts_init (&texts);
  for (guint i = 0; i < N_TEXTS; i++)
    texts.sizes[i] = 1000;
  texts.slow = 3;
  omp_set_num_threads (N_THREADS);
  g_assert_true (run (&texts, NULL));
  omp_set_num_threads (2);
  g_assert_cmpuint (texts.n_taken, ==, N_TEXTS);
}

/* They go no farther than there is room for what waits. */
static void
test_room (void)
{
  Texts texts;

  texts_init (&texts);
  for (guint i = 0; i < N_TEXTS; i++)
    texts.sizes[i] = 1000;
  texts.slow = 3;
  texts.room = HL_CORPUS_WORK_ROOM / 2;
  omp_set_num_threads (N_THREADS);
  g_assert_true (run (&texts, NULL));
  omp_set_num_threads (2);
  g_assert_cmpuint (texts.n_taken, ==, N_TEXTS);
  /* One that leaves room, and those that were begun meanwhile. */
  g_assert_cmpint (texts.most_results, <=, 1 + N_THREADS);

  /* However large one is, it is done. */
  texts_init (&texts);
  texts.room = 2 * HL_CORPUS_WORK_ROOM;
  g_assert_true (run (&texts, NULL));
  g_assert_cmpuint (texts.n_taken, ==, N_TEXTS);
}

/* Who waits is told on the way, and on its own thread. */
static void
test_shown (void)
{
  Texts texts;

  texts_init (&texts);
  texts.naps = TRUE;
  g_assert_true (run (&texts, NULL));
  g_assert_cmpuint (texts.shown, >, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/corpus-work/groups", test_groups);
  g_test_add_func ("/corpus-work/alone", test_alone);
  g_test_add_func ("/corpus-work/bad", test_bad);
  g_test_add_data_func ("/corpus-work/cancel", GINT_TO_POINTER (FALSE), test_cancel);
  g_test_add_data_func ("/corpus-work/cancel-between", GINT_TO_POINTER (TRUE), test_cancel);
  g_test_add_func ("/corpus-work/slow", test_slow);
  g_test_add_func ("/corpus-work/room", test_room);
  g_test_add_func ("/corpus-work/shown", test_shown);
  return g_test_run ();
}
