/* SPDX-License-Identifier: MIT */
/* What works for a window keeps all processors busy, but must not keep the window from answering. */
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
