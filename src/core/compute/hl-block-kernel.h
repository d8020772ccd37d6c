/* SPDX-License-Identifier: MIT */
/*
 * Loops over quantised weights, for one instruction set. Included once for each, with
 *
 *   BLOCK (name)      what a function is called there
 *   BLOCK_TARGET      an attribute that lets the compiler use the instructions
 *   BLOCK_LANES       float32 numbers of a vector
 *   BLOCK_ROWS        rows of a left factor whose sums fit in the registers
 *   BLOCK_JOIN (p)    what lies at p (0), p (4) ..., 16 bytes each, in one vector
 *   BLOCK_RIFFLE (half, bits, x, y)    the low or high halves of each 16 bytes of x and y in turn, in steps of 32 or 64 bits
 *
 * A lane is a row of the weights. The same 16 bytes of as many rows as there are lanes become four vectors of words, of which numbers are
 * cut: there is nothing to put into another order once they are float32, and no sums across lanes.
 */

typedef float BLOCK (Vector) __attribute__ ((vector_size (4 * BLOCK_LANES)));
typedef float BLOCK (Stored) __attribute__ ((vector_size (4 * BLOCK_LANES), aligned (4), may_alias));
typedef guint32 BLOCK (Words) __attribute__ ((vector_size (4 * BLOCK_LANES)));
typedef gint32 BLOCK (Ints) __attribute__ ((vector_size (4 * BLOCK_LANES)));

/* Where the numbers go: with rows of a left factor into sums of products, without into a panel. */
typedef struct
{
  BLOCK (Vector) sums[BLOCK_ROWS];
  const float *a; /* [k, rows] */
  float *panel;   /* [k, HL_TILE_COLUMNS] */
} BLOCK (Sink);

#define BLOCK_INLINE BLOCK_TARGET static inline __attribute__ ((always_inline))

/* Sums of one row of the left factor, so that none has to wait for the one before. */
#define SPLIT(n_rows) ((n_rows) < 3 ? 4 : (n_rows) < 8 ? 2 : 1)

/* Takes the numbers of all lanes. The number of rows, and @part, which tells apart numbers beside one another, are constants. */
BLOCK_INLINE void
BLOCK (emit) (const gsize n_rows, BLOCK (Sink) *sink, gsize element, const gsize part, BLOCK (Vector) numbers)
{
  const float *a = sink->a + element * n_rows;

  if (n_rows == 0)
    *(BLOCK (Stored) *) (sink->panel + element * HL_TILE_COLUMNS) = numbers;
#pragma GCC unroll 16
  for (gsize row = 0; row < n_rows; row++)
    sink->sums[row * SPLIT (n_rows) + part % SPLIT (n_rows)] += a[row] * numbers;
}

/* The words of 16 bytes of every row. */
BLOCK_INLINE void
BLOCK (load) (const guint8 *first, gsize row_size, BLOCK (Words) *words)
{
  BLOCK (Words) rows[4], pairs[4];

#define BLOCK_AT(i) (first + (gsize) (i) * row_size)
#pragma GCC unroll 4
  for (gsize i = 0; i < 4; i++, first += row_size)
    rows[i] = (BLOCK (Words)) BLOCK_JOIN (BLOCK_AT);
#undef BLOCK_AT
  pairs[0] = (BLOCK (Words)) BLOCK_RIFFLE (lo, 32, rows[0], rows[1]);
  pairs[1] = (BLOCK (Words)) BLOCK_RIFFLE (hi, 32, rows[0], rows[1]);
  pairs[2] = (BLOCK (Words)) BLOCK_RIFFLE (lo, 32, rows[2], rows[3]);
  pairs[3] = (BLOCK (Words)) BLOCK_RIFFLE (hi, 32, rows[2], rows[3]);
  words[0] = (BLOCK (Words)) BLOCK_RIFFLE (lo, 64, pairs[0], pairs[2]);
  words[1] = (BLOCK (Words)) BLOCK_RIFFLE (hi, 64, pairs[0], pairs[2]);
  words[2] = (BLOCK (Words)) BLOCK_RIFFLE (lo, 64, pairs[1], pairs[3]);
  words[3] = (BLOCK (Words)) BLOCK_RIFFLE (hi, 64, pairs[1], pairs[3]);
}

/* Some bits of every word. */
#define CUT(words, shift, mask) ((words) >> (shift) & (mask))

#define TO_FLOAT(words) __builtin_convertvector((BLOCK (Ints)) (words), BLOCK (Vector))

/* As load_half() of base/block, without subnormal numbers on the way, which are slow; the upper bits of the words are not looked at. */
BLOCK_INLINE
BLOCK (Vector) BLOCK (widen_half) (BLOCK (Words) half)
{
  const BLOCK (Words) exponent = half & 0x7c00, bits = (half & 0x7fff) << 13;
  const BLOCK (Words) finite = bits + (112u << 23);
  const BLOCK (Words) small = (BLOCK (Words)) ((BLOCK (Vector)) (bits + (113u << 23)) - 0x1p-14f);
  const BLOCK (Words) is_small = (BLOCK (Words)) (exponent == 0), is_finite = (BLOCK (Words)) (exponent != 0x7c00);

  return (BLOCK (Vector)) ((is_small & small) | (~is_small & is_finite & finite) | (~is_finite & (bits | 0x7f800000)) |
                           (half & 0x8000) << 16);
}

/* 32 numbers: a scale, perhaps a least value, and bits of which two share a byte that are 16 apart; perhaps with a fifth bit elsewhere. */
BLOCK_INLINE void
BLOCK (emit_32) (const gsize n_rows,
                 BLOCK (Sink) *sink,
                 gsize element,
                 const guint8 *bytes,
                 gsize row_size,
                 BLOCK (Vector) scale,
                 const int middle,
                 const gboolean has_least,
                 BLOCK (Vector) least,
                 const gboolean has_high,
                 BLOCK (Words) high)
{
  BLOCK (Words) words[4];

  BLOCK (load) (bytes, row_size, words);
#pragma GCC unroll 1
  for (gsize i = 0; i < 4; i++, element += 4)
    {
      const BLOCK (Words) word = words[i];

#pragma GCC unroll 4
      for (gsize k = 0; k < 4; k++)
#pragma GCC unroll 2
        for (gsize half = 0; half < 2; half++)
          {
            BLOCK (Words) bits = CUT (word, 8 * k + 4 * half, 15);
            if (has_high)
              bits |= CUT (high, 16 * half + k, 1) << 4;
            BLOCK (Vector) numbers = scale * TO_FLOAT (bits - (guint32) middle);
            if (has_least)
              numbers += least;
            BLOCK (emit) (n_rows, sink, element + 16 * half + k, k, numbers);
          }
      if (has_high)
        high >>= 4;
    }
}

BLOCK_INLINE void
BLOCK (q4_0) (const gsize n_rows, BLOCK (Sink) *sink, gsize element, const guint8 *block, gsize row_size)
{
  BLOCK (Words) head[4];

  BLOCK (load) (block, row_size, head);
  BLOCK (emit_32) (n_rows, sink, element, block + 2, row_size, BLOCK (widen_half) (head[0]), 8, FALSE, (BLOCK (Vector)){ 0 }, FALSE,
                  (BLOCK (Words)){ 0 });
}

BLOCK_INLINE void
BLOCK (q4_1) (const gsize n_rows, BLOCK (Sink) *sink, gsize element, const guint8 *block, gsize row_size)
{
  BLOCK (Words) head[4];

  BLOCK (load) (block, row_size, head);
  BLOCK (emit_32) (n_rows, sink, element, block + 4, row_size, BLOCK (widen_half) (head[0]), 0, TRUE,
                  BLOCK (widen_half) (head[0] >> 16), FALSE, (BLOCK (Words)){ 0 });
}

BLOCK_INLINE void
BLOCK (q5_0) (const gsize n_rows, BLOCK (Sink) *sink, gsize element, const guint8 *block, gsize row_size)
{
  BLOCK (Words) head[4];

  BLOCK (load) (block, row_size, head);
  BLOCK (emit_32) (n_rows, sink, element, block + 6, row_size, BLOCK (widen_half) (head[0]), 16, FALSE, (BLOCK (Vector)){ 0 }, TRUE,
                  head[0] >> 16 | head[1] << 16);
}

BLOCK_INLINE void
BLOCK (q5_1) (const gsize n_rows, BLOCK (Sink) *sink, gsize element, const guint8 *block, gsize row_size)
{
  BLOCK (Words) head[4];

  BLOCK (load) (block, row_size, head);
  BLOCK (emit_32) (n_rows, sink, element, block + 8, row_size, BLOCK (widen_half) (head[0]), 0, TRUE,
                  BLOCK (widen_half) (head[0] >> 16), TRUE, head[1]);
}

BLOCK_INLINE void
BLOCK (q8_0) (const gsize n_rows, BLOCK (Sink) *sink, gsize element, const guint8 *block, gsize row_size)
{
  BLOCK (Words) head[4], words[8];

  BLOCK (load) (block, row_size, head);
  BLOCK (load) (block + 2, row_size, words);
  BLOCK (load) (block + 18, row_size, words + 4);
  const BLOCK (Vector) scale = BLOCK (widen_half) (head[0]);
#pragma GCC unroll 1
  for (gsize i = 0; i < 8; i++, element += 4)
    {
      const BLOCK (Words) word = words[i];

#pragma GCC unroll 4
      for (gsize k = 0; k < 4; k++)
        BLOCK (emit) (n_rows, sink, element + k, k, scale * TO_FLOAT ((BLOCK (Ints)) (word << (24 - 8 * k)) >> 24));
    }
}

/* 256 numbers in eight parts with a scale and a least value of 6 bits each, of four bits; perhaps with a fifth. */
BLOCK_INLINE void
BLOCK (emit_k) (const gsize n_rows,
                BLOCK (Sink) *sink,
                gsize element,
                const guint8 *block,
                gsize row_size,
                const gboolean has_high)
{
  const guint8 *bytes = block + (has_high ? 48 : 16);
  BLOCK (Words) head[4], high[8];

  BLOCK (load) (block, row_size, head);
  if (has_high)
    {
      BLOCK (load) (block + 16, row_size, high);
      BLOCK (load) (block + 32, row_size, high + 4);
    }
  const BLOCK (Vector) scale = BLOCK (widen_half) (head[0]), least = BLOCK (widen_half) (head[0] >> 16);
#pragma GCC unroll 1
  for (guint pair = 0; pair < 4; pair++, element += 64)
    {
      BLOCK (Vector) steps[2], lows[2];

#pragma GCC unroll 2
      for (guint part = 0; part < 2; part++)
        {
          const guint shift = pair % 2 * 16 + part * 8;
          const BLOCK (Words) level = pair < 2 ? CUT (head[1], shift, 63)
                                               : CUT (head[3], shift, 15) | CUT (head[1], shift + 6, 3) << 4;
          const BLOCK (Words) low_level = pair < 2 ? CUT (head[2], shift, 63)
                                                   : CUT (head[3], shift + 4, 15) | CUT (head[2], shift + 6, 3) << 4;

          steps[part] = scale * TO_FLOAT (level);
          lows[part] = least * TO_FLOAT (low_level);
        }
#pragma GCC unroll 1
      for (guint run = 0; run < 2; run++, bytes += 16)
        {
          BLOCK (Words) words[4];

          BLOCK (load) (bytes, row_size, words);
#pragma GCC unroll 1
          for (gsize i = 0; i < 4; i++)
            {
              const BLOCK (Words) word = words[i];
              BLOCK (Words) above = { 0 };

              if (has_high)
                above = high[run * 4 + i] >> 2 * pair;
#pragma GCC unroll 4
              for (gsize k = 0; k < 4; k++)
#pragma GCC unroll 2
                for (gsize part = 0; part < 2; part++)
                  {
                    BLOCK (Words) bits = CUT (word, 8 * k + 4 * part, 15);
                    if (has_high)
                      bits |= CUT (above, 8 * k + part, 1) << 4;
                    BLOCK (emit)
                    (n_rows, sink, element + 32 * part + 16 * run + 4 * i + k, k,
                     steps[part] * TO_FLOAT (bits) - lows[part]);
                  }
            }
        }
    }
}

BLOCK_INLINE void
BLOCK (q4_k) (const gsize n_rows, BLOCK (Sink) *sink, gsize element, const guint8 *block, gsize row_size)
{
  BLOCK (emit_k) (n_rows, sink, element, block, row_size, FALSE);
}

BLOCK_INLINE void
BLOCK (q5_k) (const gsize n_rows, BLOCK (Sink) *sink, gsize element, const guint8 *block, gsize row_size)
{
  BLOCK (emit_k) (n_rows, sink, element, block, row_size, TRUE);
}

BLOCK_INLINE void
BLOCK (q6_k) (const gsize n_rows, BLOCK (Sink) *sink, gsize element, const guint8 *block, gsize row_size)
{
  BLOCK (Words) levels[4], tail[4];

  BLOCK (load) (block + 192, row_size, levels);
  BLOCK (load) (block + 194, row_size, tail);
  const BLOCK (Vector) scale = BLOCK (widen_half) (tail[3] >> 16);
#pragma GCC unroll 1
  for (guint part = 0; part < 4; part++)
    {
      /* Of each 128 numbers, in four runs of 32, the first or the second 16. */
      const guint outer = part / 2, inner = part % 2;
      const guint8 *bytes = block + outer * 64 + inner * 16;
      BLOCK (Words) low[2][4], high[4];
      BLOCK (Vector) steps[4];

      BLOCK (load) (bytes, row_size, low[0]);
      BLOCK (load) (bytes + 32, row_size, low[1]);
      BLOCK (load) (block + 128 + outer * 32 + inner * 16, row_size, high);
#pragma GCC unroll 4
      for (guint run = 0; run < 4; run++)
        steps[run] = scale *
                     TO_FLOAT ((BLOCK (Ints)) (levels[outer * 2 + run / 2] << (24 - 8 * (run % 2 * 2 + inner))) >> 24);
#pragma GCC unroll 1
      for (gsize i = 0; i < 4; i++)
        {
          const BLOCK (Words) words[2] = { low[0][i], low[1][i] }, above = high[i];

#pragma GCC unroll 4
          for (gsize k = 0; k < 4; k++)
#pragma GCC unroll 4
            for (gsize run = 0; run < 4; run++)
              {
                const BLOCK (Words)
                  bits = CUT (words[run % 2], 8 * k + run / 2 * 4, 15) | CUT (above, 8 * k + run * 2, 3) << 4;
                BLOCK (emit)
                (n_rows, sink, element + outer * 128 + run * 32 + inner * 16 + 4 * i + k, k,
                 steps[run] * TO_FLOAT (bits - 32));
              }
        }
    }
}

/* The bytes that the next columns have where those are of the block. */
BLOCK_INLINE void
BLOCK (fetch_next) (const guint8 *rows, gsize row_size, gsize first, gsize end)
{
  const gsize line = 64;

  for (gsize byte = (first + line - 1) / line * line; byte < end; byte += line)
    for (gsize row = BLOCK_LANES; row < 2 * BLOCK_LANES; row++)
      __builtin_prefetch (rows + row * row_size + byte);
}

#define ROWS_CASE(type, size, bytes, n)                                                                                \
  case n:                                                                                                              \
    for (gsize i = 0; i < n_blocks; i++)                                                                               \
      {                                                                                                                \
        BLOCK (fetch_next) (rows, row_size, i * bytes, (i + 1) * bytes);                                               \
        BLOCK (type) (n, &sink, i * size, rows + i * bytes, row_size);                                                 \
      }                                                                                                                \
    _Pragma ("GCC unroll 16") for (gsize row = 0; row < n; row++)                                                      \
    {                                                                                                                  \
      BLOCK (Vector) sum = sink.sums[row * SPLIT (n)];                                                                 \
                                                                                                                       \
      _Pragma ("GCC unroll 4") for (gsize part = 1; part < SPLIT (n); part++)                                          \
        sum += sink.sums[row * SPLIT (n) + part];                                                                      \
      *(BLOCK (Stored) *) (c + row * c_stride) = sum;                                                                  \
    }                                                                                                                  \
    break

#if BLOCK_ROWS == 16
#define ROWS_CASES(type, size, bytes)                                                                                  \
  ROWS_CASE (type, size, bytes, 1);                                                                                    \
  ROWS_CASE (type, size, bytes, 2);                                                                                    \
  ROWS_CASE (type, size, bytes, 4);                                                                                    \
  ROWS_CASE (type, size, bytes, 8);                                                                                    \
  ROWS_CASE (type, size, bytes, 12);                                                                                   \
  ROWS_CASE (type, size, bytes, 16)
#else
#define ROWS_CASES(type, size, bytes)                                                                                  \
  ROWS_CASE (type, size, bytes, 1);                                                                                    \
  ROWS_CASE (type, size, bytes, 2);                                                                                    \
  ROWS_CASE (type, size, bytes, 4);                                                                                    \
  ROWS_CASE (type, size, bytes, 8)
#endif

/* See HlBlockLoop. */
#define BLOCK_TYPE(type, size, bytes)                                                                                  \
  BLOCK_TARGET static void BLOCK (type##_pack) (gsize n_blocks, const guint8 *rows, gsize row_size, float *panel)      \
  {                                                                                                                    \
    for (gsize first = 0; first < HL_TILE_COLUMNS; first += BLOCK_LANES)                                               \
      {                                                                                                                \
        BLOCK (Sink) sink = { .panel = panel + first };                                                                \
                                                                                                                       \
        for (gsize i = 0; i < n_blocks; i++)                                                                           \
          BLOCK (type) (0, &sink, i * size, rows + first * row_size + i * bytes, row_size);                            \
      }                                                                                                                \
  }                                                                                                                    \
                                                                                                                       \
  BLOCK_TARGET static void BLOCK (type##_multiply) (gsize n_rows, gsize n_blocks, const float *a, const guint8 *rows,  \
                                                    gsize row_size, float *c, gsize c_stride)                          \
  {                                                                                                                    \
    BLOCK (Sink) sink = { .a = a };                                                                                    \
                                                                                                                       \
    switch (n_rows)                                                                                                    \
      {                                                                                                                \
        ROWS_CASES (type, size, bytes);                                                                                \
      default:                                                                                                         \
        g_assert_not_reached ();                                                                                       \
      }                                                                                                                \
  }

BLOCK_TYPE (q4_0, 32, 18)
BLOCK_TYPE (q4_1, 32, 20)
BLOCK_TYPE (q5_0, 32, 22)
BLOCK_TYPE (q5_1, 32, 24)
BLOCK_TYPE (q8_0, 32, 34)
BLOCK_TYPE (q4_k, 256, 144)
BLOCK_TYPE (q5_k, 256, 176)
BLOCK_TYPE (q6_k, 256, 210)

#undef BLOCK_TYPE
#undef ROWS_CASES
#undef ROWS_CASE
#undef TO_FLOAT
#undef CUT
#undef SPLIT
#undef BLOCK_INLINE
