/* SPDX-License-Identifier: MIT */
/* Every kernel against double precision. */
#include "test-kernel-cases.h"

/* What float32 makes of sums of products, relative to the sum of their sizes. */
#define MAX_PRODUCT_ERROR 5e-7

/* Of weights and means of numbers up to 2, and of what norms make of them. */
#define MAX_ERROR 4e-6

/* Of activations of numbers up to 4. */
#define MAX_ACTIVATION_ERROR 4e-7

static void
test_kernel (gconstpointer data)
{
  const KernelCase *kernel = data;
  g_autoptr (KernelRun) run = kernel_run_new (kernel);
  const double limit = kernel->kind <= KERNEL_PANELS     ? MAX_PRODUCT_ERROR
                       : kernel->kind == KERNEL_ACTIVATE ? MAX_ACTIVATION_ERROR
                                                         : MAX_ERROR;

  kernel_run_start (run);
  const double error = kernel_run_get_error (run);
  g_test_message ("error %.3g", error);
  g_assert_cmpfloat (error, <=, limit);
  /* Memory that was used before must not show. */
  kernel_run_start (run);
  g_assert_cmpfloat (kernel_run_get_error (run), <=, limit);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n_kernel_cases; i++)
    {
      g_autofree char *name = kernel_case_dup_name (&kernel_cases[i]);
      g_autofree char *path = g_strdup_printf ("/kernels/%u: %s", i, name);

      g_test_add_data_func (path, &kernel_cases[i], test_kernel);
    }
  return g_test_run ();
}
