/* SPDX-License-Identifier: MIT */
/* What works for a window keeps all processors busy, but must not keep the window from answering; and the first thing that
 * goes wrong in any of the threads is what the caller is told. */
#include "core/base/hl-worker.h"

#ifdef __linux__
#include <sys/resource.h>

/* Beside a main thread at 0 that is a third of its share while both want the processor, and all that it leaves. */
#define NICENESS 5
#endif

/**
 * hl_worker_give_way:
 *
 * For a worker to call when it begins: from now on this thread, and those that it starts, run when the main thread waits. A thread that
 * gave way always does.
 */
void
hl_worker_give_way (void)
{
#ifdef __linux__
  /* Elsewhere niceness is of the process. Where it may not be changed, all is as before. */
  if (getpriority (PRIO_PROCESS, 0) < NICENESS)
    setpriority (PRIO_PROCESS, 0, NICENESS);
#endif
}

/**
 * hl_shared_error_is_set:
 * @self: what went wrong
 *
 * From any thread.
 *
 * Returns: whether something did, so that what is left to do need not be
 */
gboolean
hl_shared_error_is_set (HlSharedError *self)
{
  return g_atomic_pointer_get (&self->error) != NULL;
}

/**
 * hl_shared_error_take:
 * @self: what went wrong
 * @error: (transfer full): what went wrong in this thread
 *
 * Keeps the error unless there is one before it. From any thread.
 */
void
hl_shared_error_take (HlSharedError *self,
                      GError        *error)
{
  if (!g_atomic_pointer_compare_and_exchange (&self->error, NULL, error))
    g_error_free (error);
}

/**
 * hl_shared_error_propagate:
 * @self: what went wrong; nothing afterwards
 * @error: what is told to the caller
 *
 * To be called when the threads are done.
 *
 * Returns: whether nothing went wrong
 */
gboolean
hl_shared_error_propagate (HlSharedError *self,
                           GError       **error)
{
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}
