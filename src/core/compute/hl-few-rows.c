/* SPDX-License-Identifier: MIT */
/*
 * Products of few rows with a large matrix: what a model does for each token that it writes. Nothing is put into another order, as it would
 * be used once: numbers are widened in registers, and a matrix takes the time that reading it takes.
 */
#include "core/compute/hl-few-rows.h"

#include <omp.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

/* Numbers as they are stored, anywhere in memory. */
typedef float StoredF32 __attribute__ ((aligned (1), may_alias));
typedef guint16 StoredU16 __attribute__ ((aligned (1), may_alias));

static inline float
widen_f16 (guint16 bits)
{
  return hl_f16_to_f32 (bits);
}

static inline float
widen_bf16 (guint16 bits)
{
  const guint32 wide = (guint32) bits << 16;
  float value;

  memcpy (&value, &wide, sizeof value);
  return value;
}

static inline float
widen_f32 (float value)
{
  return value;
}

#if defined(__x86_64__)

#define ROWS_TARGET __attribute__ ((target ("avx512f")))
#define ROWS_LANES 16

#define ROWS(name) avx512_f16_##name
#define ROWS_STORED StoredU16
#define ROWS_LOAD(p) ((ROWS (Vector)) _mm512_cvtph_ps (_mm256_loadu_si256 ((const __m256i *) (p))))
#define ROWS_WIDEN(x) widen_f16 (x)
#include "core/compute/hl-few-rows-kernel.h"

#define ROWS(name) avx512_bf16_##name
#define ROWS_STORED StoredU16
#define ROWS_LOAD(p)                                                                                                   \
  ((ROWS (Vector)) _mm512_slli_epi32 (_mm512_cvtepu16_epi32 (_mm256_loadu_si256 ((const __m256i *) (p))), 16))
#define ROWS_WIDEN(x) widen_bf16 (x)
#include "core/compute/hl-few-rows-kernel.h"

#define ROWS(name) avx512_f32_##name
#define ROWS_STORED StoredF32
#define ROWS_LOAD(p) ((ROWS (Vector)) _mm512_loadu_ps ((const void *) (p)))
#define ROWS_WIDEN(x) widen_f32 (x)
#include "core/compute/hl-few-rows-kernel.h"

#undef ROWS_TARGET
#undef ROWS_LANES
#define ROWS_TARGET __attribute__ ((target ("avx2,fma,f16c")))
#define ROWS_LANES 8

#define ROWS(name) avx2_f16_##name
#define ROWS_STORED StoredU16
#define ROWS_LOAD(p) ((ROWS (Vector)) _mm256_cvtph_ps (_mm_loadu_si128 ((const __m128i *) (p))))
#define ROWS_WIDEN(x) widen_f16 (x)
#include "core/compute/hl-few-rows-kernel.h"

#define ROWS(name) avx2_bf16_##name
#define ROWS_STORED StoredU16
#define ROWS_LOAD(p)                                                                                                   \
  ((ROWS (Vector)) _mm256_slli_epi32 (_mm256_cvtepu16_epi32 (_mm_loadu_si128 ((const __m128i *) (p))), 16))
#define ROWS_WIDEN(x) widen_bf16 (x)
#include "core/compute/hl-few-rows-kernel.h"

#define ROWS(name) avx2_f32_##name
#define ROWS_STORED StoredF32
#define ROWS_LOAD(p) ((ROWS (Vector)) _mm256_loadu_ps ((const void *) (p)))
#define ROWS_WIDEN(x) widen_f32 (x)
#include "core/compute/hl-few-rows-kernel.h"

#undef ROWS_TARGET
#undef ROWS_LANES
#endif

#define ROWS_TARGET
#define ROWS_LANES 4
#define LOAD_FOUR(p, widen) ((ROWS (Vector)){ widen ((p)[0]), widen ((p)[1]), widen ((p)[2]), widen ((p)[3]) })

#define ROWS(name) plain_f16_##name
#define ROWS_STORED StoredU16
#define ROWS_LOAD(p) LOAD_FOUR (p, widen_f16)
#define ROWS_WIDEN(x) widen_f16 (x)
#include "core/compute/hl-few-rows-kernel.h"

#define ROWS(name) plain_bf16_##name
#define ROWS_STORED StoredU16
#define ROWS_LOAD(p) LOAD_FOUR (p, widen_bf16)
#define ROWS_WIDEN(x) widen_bf16 (x)
#include "core/compute/hl-few-rows-kernel.h"

#define ROWS(name) plain_f32_##name
#define ROWS_STORED StoredF32
#define ROWS_LOAD(p) LOAD_FOUR (p, widen_f32)
#define ROWS_WIDEN(x) widen_f32 (x)
#include "core/compute/hl-few-rows-kernel.h"

#define LOOPS(label, set)                                                                                              \
  {                                                                                                                    \
    label, { set##_f16_dot, set##_bf16_dot, set##_f32_dot },                                                           \
    {                                                                                                                  \
      set##_f16_add, set##_bf16_add, set##_f32_add                                                                     \
    }                                                                                                                  \
  }

#if defined(__x86_64__)
/* Not every compiler that we are built with knows this one by name. It is asked for once: in a virtual machine that takes a microsecond. */
static gboolean
has_f16c (void)
{
  static gsize answer;

  if (g_once_init_enter (&answer))
    {
      unsigned int a, b, c = 0, d;
      const gboolean has = __get_cpuid (1, &a, &b, &c, &d) && (c & bit_F16C) != 0;
      g_once_init_leave (&answer, has ? 2 : 1);
    }
  return answer == 2;
}
#endif

/* Returns them, or %NULL when there are no more; the fastest first. */
const HlRowLoops *
hl_row_loops_get (guint rank)
{
#if defined(__x86_64__)
  static const HlRowLoops avx512 = LOOPS ("AVX-512", avx512);
  static const HlRowLoops avx2 = LOOPS ("AVX2", avx2);

  if (__builtin_cpu_supports ("avx512f") && rank-- == 0)
    return &avx512;
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma") && has_f16c () && rank-- == 0)
    return &avx2;
#endif
  static const HlRowLoops plain = LOOPS ("plain", plain);
  return rank == 0 ? &plain : NULL;
}

/* Products of fewer multiplications are done sooner than a second thread wakes. */
#define MIN_PARALLEL (1 << 16)

/* Columns that a thread takes at a time. */
#define PART 64

/* Whether the numbers of a right factor are of a type that is widened in registers. */
gboolean
hl_few_rows_can (const HlFactor *b)
{
  return b->data != NULL && (b->dtype == HL_DTYPE_F16 || b->dtype == HL_DTYPE_BF16 || b->dtype == HL_DTYPE_F32);
}

/* C = a · b in float32, for at most HL_FEW_ROWS rows. Uses all threads, or one when called from a parallel region. */
void
hl_few_rows_multiply (gsize           m,
                      gsize           n,
                      gsize           k,
                      const float    *a,
                      gsize           a_stride,
                      const HlFactor *b,
                      float          *c,
                      gsize           c_stride)
{
  const HlRowLoops *loops = hl_row_loops_get (0);
  const gsize size = hl_dtype_get_size (b->dtype);
  const guint8 *data = b->data;
  const gboolean alone = m * n * k < MIN_PARALLEL || omp_in_parallel ();
  const gsize n_threads = alone ? 1 : (gsize) omp_get_max_threads ();
  /* Of columns that lie beside one another, long runs are read best. */
  const gsize part = b->transposed ? PART : MAX ((n + n_threads - 1) / n_threads, PART);
  const gsize n_parts = (n + part - 1) / part;

  g_return_if_fail (m <= HL_FEW_ROWS && hl_few_rows_can (b));

  /* A thread that is held up leaves its work to the others. */
#pragma omp parallel for schedule(dynamic) num_threads(n_threads) if (n_threads > 1)
  for (gsize i = 0; i < n_parts; i++)
    {
      const gsize first = i * part, n_columns = MIN (part, n - first);

      if (b->transposed)
        loops->dot[b->dtype](m, n_columns, k, a, a_stride, data + first * b->stride * size, b->stride, c + first,
                             c_stride);
      else
        for (gsize row = 0; row < m; row++)
          loops->add[b->dtype](n_columns, k, a + row * a_stride, data + first * size, b->stride,
                               c + row * c_stride + first);
    }
}
