/* SPDX-License-Identifier: MIT */
/* Element types: their names, their sizes, and how each becomes float32. */
#include "core/base/tensor/hl-dtype.h"

#include "core/base/hl-kernel.h"

#include <string.h>

static const struct
{
  const char *name;
  guint8 size; /* of a block, of those that have such */
  gboolean is_float;
  guint16 block;
} dtypes[] = {
  [HL_DTYPE_F16] = { "float16", 2, TRUE },
  [HL_DTYPE_BF16] = { "bfloat16", 2, TRUE },
  [HL_DTYPE_F32] = { "float32", 4, TRUE },
  [HL_DTYPE_F64] = { "float64", 8, TRUE },
  [HL_DTYPE_I8] = { "int8", 1, FALSE },
  [HL_DTYPE_I16] = { "int16", 2, FALSE },
  [HL_DTYPE_I32] = { "int32", 4, FALSE },
  [HL_DTYPE_I64] = { "int64", 8, FALSE },
  [HL_DTYPE_U8] = { "uint8", 1, FALSE },
  [HL_DTYPE_U16] = { "uint16", 2, FALSE },
  [HL_DTYPE_U32] = { "uint32", 4, FALSE },
  [HL_DTYPE_U64] = { "uint64", 8, FALSE },
  [HL_DTYPE_BOOL] = { "bool", 1, FALSE },
  [HL_DTYPE_Q4_0] = { "Q4_0", 18, TRUE, 32 },
  [HL_DTYPE_Q4_1] = { "Q4_1", 20, TRUE, 32 },
  [HL_DTYPE_Q5_0] = { "Q5_0", 22, TRUE, 32 },
  [HL_DTYPE_Q5_1] = { "Q5_1", 24, TRUE, 32 },
  [HL_DTYPE_Q8_0] = { "Q8_0", 34, TRUE, 32 },
  [HL_DTYPE_IQ4_NL] = { "IQ4_NL", 18, TRUE, 32 },
  [HL_DTYPE_MXFP4] = { "MXFP4", 17, TRUE, 32 },
  [HL_DTYPE_Q2_K] = { "Q2_K", 84, TRUE, 256 },
  [HL_DTYPE_Q3_K] = { "Q3_K", 110, TRUE, 256 },
  [HL_DTYPE_Q4_K] = { "Q4_K", 144, TRUE, 256 },
  [HL_DTYPE_Q5_K] = { "Q5_K", 176, TRUE, 256 },
  [HL_DTYPE_Q6_K] = { "Q6_K", 210, TRUE, 256 },
  [HL_DTYPE_IQ4_XS] = { "IQ4_XS", 136, TRUE, 256 },
  [HL_DTYPE_IQ2_XXS] = { "IQ2_XXS", 66, TRUE, 256 },
  [HL_DTYPE_IQ2_XS] = { "IQ2_XS", 74, TRUE, 256 },
  [HL_DTYPE_IQ2_S] = { "IQ2_S", 82, TRUE, 256 },
  [HL_DTYPE_IQ3_XXS] = { "IQ3_XXS", 98, TRUE, 256 },
  [HL_DTYPE_IQ3_S] = { "IQ3_S", 110, TRUE, 256 },
  [HL_DTYPE_IQ1_S] = { "IQ1_S", 50, TRUE, 256 },
  [HL_DTYPE_IQ1_M] = { "IQ1_M", 56, TRUE, 256 },
  [HL_DTYPE_TQ1_0] = { "TQ1_0", 54, TRUE, 256 },
  [HL_DTYPE_TQ2_0] = { "TQ2_0", 66, TRUE, 256 },
};

/* Returns the name NumPy and PyTorch use, such as `float16`; that of GGUF files for a quantised one. */
const char *
hl_dtype_get_name (HlDType dtype)
{
  g_return_val_if_fail (dtype < G_N_ELEMENTS (dtypes), NULL);

  return dtypes[dtype].name;
}

/* Returns the bytes of an element, or of a block of hl_dtype_get_block() elements. */
gsize
hl_dtype_get_size (HlDType dtype)
{
  g_return_val_if_fail (dtype < G_N_ELEMENTS (dtypes), 0);

  return dtypes[dtype].size;
}

/* Returns how many elements are stored together: 1 unless they are quantised. */
gsize
hl_dtype_get_block (HlDType dtype)
{
  g_return_val_if_fail (dtype < G_N_ELEMENTS (dtypes), 1);

  return MAX (dtypes[dtype].block, 1);
}

gboolean
hl_dtype_is_float (HlDType dtype)
{
  g_return_val_if_fail (dtype < G_N_ELEMENTS (dtypes), FALSE);

  return dtypes[dtype].is_float;
}

/* Tensors in mapped files need not lie at multiples of their element size. */
typedef guint16 __attribute__ ((aligned (1), may_alias)) UnalignedU16;

/* Without branches, so that loops over it become vector code, and without arithmetic on subnormal float32, which costs a hundred times as
 * much: small weights of attention are subnormal in float16. */
static inline float
widen_f16 (guint16 half)
{
  const guint32 exponent = half & 0x7c00;
  const guint32 is_subnormal = -(guint32) (exponent == 0);
  const guint32 is_infinite = -(guint32) (exponent == 0x7c00);
  const guint32 normal = ((guint32) (half & 0x7fff) << 13) + (112u << 23);
  const float small = (float) (gint32) (half & 0x03ff) * 0x1p-24f;
  guint32 bits;
  float value;

  memcpy (&bits, &small, sizeof bits);
  bits = (bits & is_subnormal) | (normal & ~is_subnormal) | (0x7f800000u & is_infinite) |
         (guint32) (half & 0x8000) << 16;
  memcpy (&value, &bits, sizeof value);
  return value;
}

/* [n] of this machine's byte order, dense: how nearly every file has them. */
HL_KERNEL static void
widen_f16_row (const UnalignedU16 *source,
               float              *target,
               gsize               n)
{
  for (gsize i = 0; i < n; i++)
    target[i] = widen_f16 (source[i]);
}

/* Exact for every input; NaN payloads keep their upper bits. */
float
hl_f16_to_f32 (guint16 half)
{
  return widen_f16 (half);
}

/* Rounds to nearest, ties to even, as IEEE 754 does; too large becomes infinity. Returns the bits of the nearest
 * binary16 number. */
guint16
hl_f32_to_f16 (float value)
{
  guint32 bits;
  memcpy (&bits, &value, sizeof bits);

  const guint16 sign = (guint16) ((bits >> 16) & 0x8000);
  const guint32 magnitude = bits & 0x7fffffffu;

  if (magnitude > 0x7f800000u)
    return sign | 0x7e00;
  if (magnitude >= 0x477ff000u) /* 65520 and more round to infinity */
    return sign | 0x7c00;
  if (magnitude < 0x38800000u) /* below 2^-14: subnormal */
    {
      if (magnitude < 0x33000000u) /* below 2^-25: zero */
        return sign;
      const guint32 exponent = magnitude >> 23;
      const guint32 mantissa = (magnitude & 0x7fffffu) | 0x800000u;
      const guint32 shift = 126 - exponent;
      const guint32 kept = mantissa >> shift;
      const guint32 rest = mantissa & ((1u << shift) - 1);
      const guint32 middle = 1u << (shift - 1);
      return sign | (guint16) (kept + (rest > middle || (rest == middle && (kept & 1))));
    }
  const guint32 rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1);
  return sign | (guint16) ((rounded - 0x38000000u) >> 13);
}

#define LOAD(type, swap_expression)                                                                                    \
  for (gsize i = 0; i < n; i++, bytes += stride)                                                                       \
    {                                                                                                                  \
      type raw;                                                                                                        \
      memcpy (&raw, bytes, sizeof raw);                                                                                \
      if (swapped)                                                                                                     \
        raw = (type) swap_expression;                                                                                  \
      target[i] = (float) raw;                                                                                         \
    }                                                                                                                  \
  break

/**
 * hl_dtype_convert_to_f32: (skip)
 * @dtype: a type that is not quantised
 * @swapped: whether the elements are of the other byte order than this computer's
 * @source: the first element; it may lie anywhere
 * @stride: bytes from one element to the next
 * @target: (out caller-allocates) (array length=n): a place for the numbers
 * @n: how many elements
 *
 * Converts elements to float32. float64 and integers round to nearest.
 */
void
hl_dtype_convert_to_f32 (HlDType     dtype,
                         gboolean    swapped,
                         const void *source,
                         gsize       stride,
                         float      *target,
                         gsize       n)
{
  const guint8 *bytes = source;

  switch (dtype)
    {
    case HL_DTYPE_F32:
      if (!swapped && stride == sizeof (float))
        {
          memcpy (target, source, n * sizeof (float));
          break;
        }
      for (gsize i = 0; i < n; i++, bytes += stride)
        {
          guint32 raw;
          memcpy (&raw, bytes, sizeof raw);
          if (swapped)
            raw = GUINT32_SWAP_LE_BE (raw);
          memcpy (&target[i], &raw, sizeof raw);
        }
      break;

    case HL_DTYPE_F64:
      for (gsize i = 0; i < n; i++, bytes += stride)
        {
          guint64 raw;
          double value;
          memcpy (&raw, bytes, sizeof raw);
          if (swapped)
            raw = GUINT64_SWAP_LE_BE (raw);
          memcpy (&value, &raw, sizeof value);
          target[i] = (float) value;
        }
      break;

    case HL_DTYPE_F16:
      if (!swapped && stride == sizeof (guint16))
        {
          widen_f16_row (source, target, n);
          break;
        }
      for (gsize i = 0; i < n; i++, bytes += stride)
        {
          guint16 raw;
          memcpy (&raw, bytes, sizeof raw);
          target[i] = widen_f16 (swapped ? GUINT16_SWAP_LE_BE (raw) : raw);
        }
      break;

    case HL_DTYPE_BF16:
      for (gsize i = 0; i < n; i++, bytes += stride)
        {
          guint16 raw;
          memcpy (&raw, bytes, sizeof raw);
          const guint32 wide = (guint32) (swapped ? GUINT16_SWAP_LE_BE (raw) : raw) << 16;
          memcpy (&target[i], &wide, sizeof wide);
        }
      break;

    case HL_DTYPE_I8:
      LOAD (gint8, raw);
    case HL_DTYPE_I16:
      LOAD (gint16, GUINT16_SWAP_LE_BE ((guint16) raw));
    case HL_DTYPE_I32:
      LOAD (gint32, GUINT32_SWAP_LE_BE ((guint32) raw));
    case HL_DTYPE_I64:
      LOAD (gint64, GUINT64_SWAP_LE_BE ((guint64) raw));
    case HL_DTYPE_U8:
    case HL_DTYPE_BOOL:
      LOAD (guint8, raw);
    case HL_DTYPE_U16:
      LOAD (guint16, GUINT16_SWAP_LE_BE (raw));
    case HL_DTYPE_U32:
      LOAD (guint32, GUINT32_SWAP_LE_BE (raw));
    case HL_DTYPE_U64:
      LOAD (guint64, GUINT64_SWAP_LE_BE (raw));

    default:
      g_assert_not_reached ();
    }
}
