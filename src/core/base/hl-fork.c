/* SPDX-License-Identifier: MIT */
/* The thread that calls fork() is alone in the child, where libgomp still counts on those that computed for it, and waits for
 * them for ever: in the next parallel loop, or when the thread ends. So it lets go of them before; parent and child begin others
 * when they need some. */
#include <omp.h>
#include <pthread.h>

static void
let_go_of_threads (void)
{
  omp_pause_resource_all (omp_pause_soft);
}

/* Parallel loops are everywhere, so there is no place through which all that computes comes. */
static void __attribute__ ((constructor)) mind_forks (void)
{
  pthread_atfork (let_go_of_threads, NULL, NULL);
}
