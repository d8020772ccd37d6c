/* SPDX-License-Identifier: MIT */
/* What reading memory takes on this machine, which is the limit of products with few rows. */
#include "bench-reading.h"

#include <stdio.h>

/* Milliseconds of reading all bytes with all threads. */
double
bench_time_reading (const char *bytes,
                    gsize       size)
{
  const gint64 begin = g_get_monotonic_time ();
  const guint64 *words = (const guint64 *) (const void *) bytes;
  guint64 sum = 0;

#pragma omp parallel for simd reduction(+ : sum) schedule(simd : static)
  for (gsize i = 0; i < size / sizeof *words; i++)
    sum += words[i];
  const double time = (double) (g_get_monotonic_time () - begin) / 1000;
  /* So that it is not left out. */
  if (sum == 1)
    fprintf (stderr, "\n");
  return time;
}
