/* SPDX-License-Identifier: MIT */
/* What products alone reach on this machine, which is the limit of all that is made of them. */
#include "bench-product.h"

#include "core/compute/hl-matmul.h"

/* GFLOP/s of one product, with another right factor each time, as layers have. */
double
bench_rate_product (gsize m,
                    gsize n,
                    gsize k)
{
  const gsize n_factors = MAX ((1u << 28) / (m * n * k), 1);
  g_autofree float *a = g_new0 (float, m *k);
  g_autofree float *b = g_new0 (float, n_factors *n *k);
  g_autofree float *c = g_new0 (float, m *n);
  g_auto (HlScratch) scratch = { 0 };
  gint64 begin = 0;

  /* Once for memory to be there. */
  for (guint pass = 0; pass < 2; pass++)
    {
      begin = g_get_monotonic_time ();
      for (gsize i = 0; i < n_factors; i++)
        {
          const HlFactor factor = { .data = b + i * n * k, .dtype = HL_DTYPE_F32, .stride = k, .transposed = TRUE };
          hl_matmul (m, n, k, a, k, &factor, c, n, &scratch);
        }
    }
  return 2e-3 * (double) (m * n * k * n_factors) / (double) MAX (g_get_monotonic_time () - begin, 1);
}
