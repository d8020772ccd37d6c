/* SPDX-License-Identifier: MIT */
/* A child of fork(), as Python's multiprocessing makes them, computes as its parent does. */
#include "core/compute/hl-norm.h"

#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child that hangs is ended after as long as no machine takes. */
#define PATIENCE 120

#define N_ROWS 64
#define WIDTH 512

#if defined(__SANITIZE_ADDRESS__)
/* In a child, what only threads of its parent know is none. */
int __lsan_is_turned_off (void);

int
__lsan_is_turned_off (void)
{
  return 1;
}
#endif

static gboolean
compute (void)
{
  static float weight[WIDTH], rows[N_ROWS * WIDTH], normed[N_ROWS * WIDTH];
  const HlNorm norm = { .weight = weight, .epsilon = 0 };

  for (gsize i = 0; i < WIDTH; i++)
    weight[i] = 1;
  for (gsize i = 0; i < N_ROWS * WIDTH; i++)
    rows[i] = 2;
  hl_norm_apply (&norm, N_ROWS, WIDTH, rows, WIDTH, normed, WIDTH);
  for (gsize i = 0; i < N_ROWS * WIDTH; i++)
    if (ABS (normed[i] - 1) > 1e-6f)
      return FALSE;
  return TRUE;
}

static void
assert_ends (pid_t child)
{
  int status;

  g_assert_cmpint (child, >, 0);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
}

static void
test_compute (void)
{
  omp_set_num_threads (3);
  g_assert_true (compute ());
  const pid_t child = fork ();
  if (child == 0)
    {
      alarm (PATIENCE);
      const gboolean alone = compute ();
      /* Others in the process choose for themselves how many threads they have. */
      omp_set_num_threads (2);
      _exit (alone && compute () ? 0 : 1);
    }
  assert_ends (child);
  g_assert_true (compute ());
}

static gpointer
fork_in_thread (gpointer data)
{
  omp_set_num_threads (3);
  g_assert_true (compute ());
  const pid_t child = fork ();
  if (child > 0)
    assert_ends (child);
  else
    alarm (PATIENCE);
  return NULL;
}

/* The thread that forks is the only one of the child, which ends with it. */
static void
test_end (void)
{
  g_thread_join (g_thread_new (NULL, fork_in_thread, NULL));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fork/compute", test_compute);
  g_test_add_func ("/fork/end", test_end);
  return g_test_run ();
}
