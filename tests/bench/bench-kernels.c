/* SPDX-License-Identifier: MIT */
/* Times the cases of test-kernels: the fastest of several runs of each, and GFLOP/s of products. */
#include "core/compute/test-kernel-cases.h"

#include <stdio.h>

#define N_RUNS 15

/* Microseconds that one run is repeated for. */
#define MIN_TIME 2000

static double
time_case (const KernelCase *kernel)
{
  g_autoptr (KernelRun) run = kernel_run_new (kernel);
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < N_RUNS; i++)
    {
      const gint64 begin = g_get_monotonic_time ();
      guint n_times = 0;

      do
        {
          kernel_run_start (run);
          n_times++;
        }
      while (g_get_monotonic_time () - begin < MIN_TIME);
      best = MIN (best, (double) (g_get_monotonic_time () - begin) / n_times);
    }
  return best;
}

int
main (void)
{
  for (guint i = 0; i < n_kernel_cases; i++)
    {
      g_autofree char *name = kernel_case_dup_name (&kernel_cases[i]);
      const double time = time_case (&kernel_cases[i]);
      const double count = kernel_case_count (&kernel_cases[i]);

      printf ("%-60s %10.2f µs", name, time);
      if (count > 0)
        printf (" %8.1f GFLOP/s", count / time / 1000);
      printf ("\n");
    }
  return 0;
}
