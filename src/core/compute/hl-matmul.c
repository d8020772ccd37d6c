/* SPDX-License-Identifier: MIT */
/* Products of matrices, by oneDNN: the one place that knows of it. */
#include "core/compute/hl-matmul.h"

#if __has_include(<oneapi/dnnl/dnnl.h>) /* where oneDNN 2.6 and later keep it */
#include <oneapi/dnnl/dnnl.h>
#else
#include <dnnl.h>
#endif

/**
 * hl_matmul:
 * @transpose_b: whether @b is stored as [n, k], as the weights of linear layers are, and not as [k, n]
 * @m: rows of @a and @c
 * @n: columns of @c
 * @k: columns of @a
 * @alpha: what the product is multiplied by
 * @a: [m, k]
 * @a_stride: numbers from one row to the next
 * @b: [k, n], or [n, k]
 * @b_stride: likewise
 * @beta: what @c is multiplied by before; 0 does not read it
 * @c: (inout): [m, n]
 * @c_stride: likewise
 *
 * c = alpha · a · b + beta · c in float32. Uses all threads, or one when called from a parallel region.
 */
void
hl_matmul (gboolean     transpose_b,
           gsize        m,
           gsize        n,
           gsize        k,
           float        alpha,
           const float *a,
           gsize        a_stride,
           const float *b,
           gsize        b_stride,
           float        beta,
           float       *c,
           gsize        c_stride)
{
  if (m == 0 || n == 0)
    return;
  const dnnl_status_t status =
    dnnl_sgemm ('N', transpose_b ? 'T' : 'N', (dnnl_dim_t) m, (dnnl_dim_t) n, (dnnl_dim_t) k, alpha, a,
                (dnnl_dim_t) a_stride, b, (dnnl_dim_t) b_stride, beta, c, (dnnl_dim_t) c_stride);
  /* It fails for strides shorter than rows, and when there is no memory, as g_malloc() would. */
  if (G_UNLIKELY (status != dnnl_success))
    g_error ("a product of %zu × %zu × %zu failed (%d)", m, k,
             n, (int) status);
}
