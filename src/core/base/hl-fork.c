/* SPDX-License-Identifier: MIT */
/* The thread that calls fork() is alone in the child, where libgomp still counts on those that computed for it, and waits for
 * them for ever: in the next parallel loop, or when the thread ends. So it lets go of them before; parent and child begin others
 * when they need some. */
#include "core/base/hl-fork.h"

#include <omp.h>
#include <pthread.h>

static void
let_go_of_threads (void)
{
  omp_pause_resource_all (omp_pause_soft);
}

/**
 * hl_fork_mind:
 *
 * Before the first parallel loop that another program can have run here. From then on, a child of fork() computes as its parent
 * does. Not any sooner: the threads may be those of the other program as well, and what they keep ends with them.
 */
void
hl_fork_mind (void)
{
  static gsize minds;

  if (!g_once_init_enter (&minds))
    return;
  pthread_atfork (let_go_of_threads, NULL, NULL);
  g_once_init_leave (&minds, TRUE);
}
