/* SPDX-License-Identifier: MIT */
/* The innermost loops of products with quantised weights, for every instruction set that is worth it. */
#include "core/compute/hl-block-loops.h"

#include "core/compute/hl-tile.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* Thousands of sums in registers: with a check of each, compilers need minutes. */
#define UNCHECKED no_sanitize ("address"), no_sanitize ("thread"), no_sanitize ("undefined")

#define LOAD_16(bytes) _mm_loadu_si128 ((const __m128i *) (bytes))
#define JOIN_8(p, i) _mm256_inserti128_si256 (_mm256_castsi128_si256 (LOAD_16 (p (i))), LOAD_16 (p ((i) + 4)), 1)

#define BLOCK(name) avx512_##name
#define BLOCK_TARGET __attribute__ ((target ("avx512f,avx512vl"), UNCHECKED))
#define BLOCK_LANES 16
#define BLOCK_ROWS 16
#define BLOCK_JOIN(p) _mm512_inserti64x4 (_mm512_castsi256_si512 (JOIN_8 (p, 0)), JOIN_8 (p, 8), 1)
#define BLOCK_RIFFLE(half, bits, x, y) _mm512_unpack##half##_epi##bits ((__m512i) (x), (__m512i) (y))
#include "core/compute/hl-block-kernel.h"
#undef BLOCK
#undef BLOCK_TARGET
#undef BLOCK_LANES
#undef BLOCK_ROWS
#undef BLOCK_JOIN
#undef BLOCK_RIFFLE

#define BLOCK(name) avx2_##name
#define BLOCK_TARGET __attribute__ ((target ("avx2,fma"), UNCHECKED))
#define BLOCK_LANES 8
#define BLOCK_ROWS 8
#define BLOCK_JOIN(p) JOIN_8 (p, 0)
#define BLOCK_RIFFLE(half, bits, x, y) _mm256_unpack##half##_epi##bits ((__m256i) (x), (__m256i) (y))
#include "core/compute/hl-block-kernel.h"

#define TYPES(set)                                                                                                     \
  {                                                                                                                    \
    { HL_DTYPE_Q4_0, set##_q4_0_pack, set##_q4_0_multiply }, { HL_DTYPE_Q4_1, set##_q4_1_pack, set##_q4_1_multiply },  \
      { HL_DTYPE_Q5_0, set##_q5_0_pack, set##_q5_0_multiply },                                                         \
      { HL_DTYPE_Q5_1, set##_q5_1_pack, set##_q5_1_multiply },                                                         \
      { HL_DTYPE_Q8_0, set##_q8_0_pack, set##_q8_0_multiply },                                                         \
      { HL_DTYPE_Q4_K, set##_q4_k_pack, set##_q4_k_multiply },                                                         \
      { HL_DTYPE_Q5_K, set##_q5_k_pack, set##_q5_k_multiply },                                                         \
    {                                                                                                                  \
      HL_DTYPE_Q6_K, set##_q6_k_pack, set##_q6_k_multiply                                                              \
    }                                                                                                                  \
  }
#endif

/* Returns them, or %NULL when there are no more; the fastest first. Without any, blocks are widened row by row. */
const HlBlockLoops *
hl_block_loops_get (guint rank)
{
#if defined(__x86_64__)
  static const HlBlockLoops avx512 = { "AVX-512", 16, 16, TYPES (avx512) };
  static const HlBlockLoops avx2 = { "AVX2", 8, 8, TYPES (avx2) };

  if (__builtin_cpu_supports ("avx512f") && __builtin_cpu_supports ("avx512vl") && rank-- == 0)
    return &avx512;
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma") && rank-- == 0)
    return &avx2;
#endif
  return NULL;
}

/* Returns the loops of a type, or %NULL of one that has none. @self may be %NULL. */
const HlBlockLoop *
hl_block_loops_find (const HlBlockLoops *self,
                     HlDType             dtype)
{
  for (guint i = 0; self != NULL && i < G_N_ELEMENTS (self->types); i++)
    if (self->types[i].dtype == dtype)
      return &self->types[i];
  return NULL;
}

/* Returns how many rows of a left factor, zeros among them, #HlBlockLoop.multiply() is to be given for some. */
gsize
hl_block_loops_round_rows (gsize n_rows)
{
  return n_rows < 3 ? n_rows : (n_rows + 3) / 4 * 4;
}
