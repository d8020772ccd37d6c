/* SPDX-License-Identifier: MIT */
/* Many texts, a text a thread: small texts are done faster beside one another than one after another with all threads on each, for what a
 * thread does on twenty tokens is over before others have been told of it. What comes of them is taken in their order, so that it does not depend
 * on threads. */
#include "core/analysis/corpus/hl-corpus-work.h"

#include "core/base/hl-worker.h"

#include <glib/gi18n-lib.h>

/* Texts of a block. Where it ends, threads wait for the last; before, they do not. */
#define MIN_BLOCK 4
#define MAX_BLOCK 64

/* Microseconds that a block should take, for what is known so far is looked at between two. */
#define SHORT_BLOCK 100000
#define LONG_BLOCK 400000

/* Microseconds between looks at what is known so far. */
#define SHOW_EVERY 250000

static guint
count_block (const HlCorpusWork *self,
             guint               first,
             guint               n_wanted)
{
  guint n = 0;

  while (n < n_wanted && first + n < self->n && (self->is_long == NULL || !self->is_long (self->data, first + n)))
    n++;
  return MAX (n, 1);
}

static gboolean
run_block (const HlCorpusWork *self,
           guint               first,
           guint               n,
           GCancellable       *cancellable,
           GError            **error)
{
  gpointer results[MAX_BLOCK] = { NULL };
  GError *errors[MAX_BLOCK] = { NULL };
  gboolean stopped = FALSE;
  gboolean done = TRUE;

#pragma omp parallel for schedule(dynamic, 1) if (n > 1)
  for (guint i = 0; i < n; i++)
    {
      gboolean skip;
#pragma omp atomic read
      skip = stopped;
      if (skip)
        continue;
      results[i] = self->measure (self->data, first + i, cancellable, &errors[i]);
      if (results[i] == NULL)
        {
#pragma omp atomic write
          stopped = TRUE;
        }
    }
  /* Of several that went wrong, it is the first that is said, and what stands behind it is not taken. */
  for (guint i = 0; i < n; i++)
    {
      if (results[i] != NULL)
        {
          done = done && self->take (self->data, first + i, results[i], error);
          self->free_result (results[i]);
        }
      else if (errors[i] != NULL && done)
        {
          g_propagate_error (error, g_steal_pointer (&errors[i]));
          done = FALSE;
        }
      g_clear_error (&errors[i]);
    }
  return done;
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
  gint64 shown = g_get_monotonic_time ();
  guint block = MIN_BLOCK;

  for (guint first = 0, n; first < self->n; first += n)
    {
      const gint64 start = g_get_monotonic_time ();

      n = count_block (self, first, block);
      g_autofree char *message = g_strdup_printf (_ ("Text %u of %u"), first + 1, self->n);
      hl_progress_set (progress, (double) first / self->n, message);
      if (g_cancellable_set_error_if_cancelled (cancellable, error) || !run_block (self, first, n, cancellable, error))
        return FALSE;
      const gint64 now = g_get_monotonic_time ();
      if (now - start < SHORT_BLOCK)
        block = MIN (block * 2, MAX_BLOCK);
      else if (now - start > LONG_BLOCK)
        block = MAX (block / 2, MIN_BLOCK);
      if (self->show == NULL || now - shown < SHOW_EVERY)
        continue;
      self->show (self->data, first + n);
      shown = now;
    }
  hl_progress_set (progress, 1, NULL);
  return TRUE;
}
