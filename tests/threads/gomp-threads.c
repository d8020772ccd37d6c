/* SPDX-License-Identifier: MIT */
/* Tells the thread sanitizer how the compiler's OpenMP orders what the threads of a parallel region do: its barriers and locks are not seen. */
#include "sanitizer.h"

/* What GCC compiles its directives to. */
void GOMP_parallel (void (*function) (void *), void *data, unsigned n_threads, unsigned flags);
void GOMP_parallel_loop_nonmonotonic_dynamic (void (*function) (void *),
                                              void *data,
                                              unsigned n_threads,
                                              long start,
                                              long end,
                                              long step,
                                              long chunk,
                                              unsigned flags);
void GOMP_barrier (void);
void GOMP_loop_end (void);
void GOMP_critical_start (void);
void GOMP_critical_end (void);
void GOMP_critical_name_start (void **lock);
void GOMP_critical_name_end (void **lock);

/* Each has its own address for what is ordered by it: who begins late is not behind those that are at the barrier, or done. */
typedef struct
{
  void (*function) (void *);
  void *data;
  long begin, barrier, end;
} Region;

/* That this thread is in, whose threads wait for one another. */
static __thread Region *current;

/* NULL outside of regions, where nobody is waited for. */
static const void *
get_barrier (void)
{
  return current != NULL ? &current->barrier : NULL;
}

static char critical;

static void
run_region (void *data)
{
  Region *outer = current;

  current = data;
  acquire (&current->begin);
  current->function (current->data);
  release (&current->end);
  current = outer;
}

void
GOMP_parallel (void (*function) (void *), void *data, unsigned n_threads, unsigned flags)
{
  FIND (GOMP_parallel);
  Region region = { .function = function, .data = data };

  release (&region.begin);
  next (run_region, &region, n_threads, flags);
  acquire (&region.end);
}

void
GOMP_parallel_loop_nonmonotonic_dynamic (void (*function) (void *),
                                         void *data,
                                         unsigned n_threads,
                                         long start,
                                         long end,
                                         long step,
                                         long chunk,
                                         unsigned flags)
{
  FIND (GOMP_parallel_loop_nonmonotonic_dynamic);
  Region region = { .function = function, .data = data };

  release (&region.begin);
  next (run_region, &region, n_threads, start, end, step, chunk, flags);
  acquire (&region.end);
}

void
GOMP_barrier (void)
{
  FIND (GOMP_barrier);
  release (get_barrier ());
  next ();
  acquire (get_barrier ());
}

void
GOMP_loop_end (void)
{
  FIND (GOMP_loop_end);
  release (get_barrier ());
  next ();
  acquire (get_barrier ());
}

void
GOMP_critical_start (void)
{
  FIND (GOMP_critical_start);
  next ();
  acquire (&critical);
}

void
GOMP_critical_end (void)
{
  FIND (GOMP_critical_end);
  release (&critical);
  next ();
}

void
GOMP_critical_name_start (void **lock)
{
  FIND (GOMP_critical_name_start);
  next (lock);
  acquire (lock);
}

void
GOMP_critical_name_end (void **lock)
{
  FIND (GOMP_critical_name_end);
  release (lock);
  next (lock);
}
