/* SPDX-License-Identifier: MIT */
/* Element types: every float16 number, rounding against doubles, byte orders, strides. */
#include "core/base/tensor/hl-dtype.h"

#include <math.h>
#include <string.h>

/* By definition of the format, in double. */
static double
get_half_value (guint16 half)
{
  const int exponent = half >> 10 & 0x1f;
  const double mantissa = half & 0x3ff;
  const double magnitude = exponent == 0x1f ? (mantissa == 0 ? INFINITY : NAN)
                           : exponent == 0  ? ldexp (mantissa, -24)
                                            : ldexp (mantissa + 1024, exponent - 25);

  return half & 0x8000 ? -magnitude : magnitude;
}

static void
test_f16_all (void)
{
  for (guint half = 0; half <= G_MAXUINT16; half++)
    {
      const double wanted = get_half_value ((guint16) half);
      const float found = hl_f16_to_f32 ((guint16) half);

      if (isnan (wanted))
        {
          g_assert_true (isnan (found));
          g_assert_true (isnan (hl_f16_to_f32 (hl_f32_to_f16 (found))));
          continue;
        }
      g_assert_cmpfloat (found, ==, wanted);
      g_assert_cmpint (signbit (found) != 0, ==, (half & 0x8000) != 0);
      g_assert_cmpuint (hl_f32_to_f16 (found), ==, half);
    }
}

/* The nearest half of a number is no farther than its two neighbours, and even if one is as near. */
static void
test_f16_rounding (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);

  for (guint i = 0; i < 200000; i++)
    {
      const float value = (float) ldexp (g_rand_double_range (rand, 0.5, 1), g_rand_int_range (rand, -30, 17));
      const guint16 half = hl_f32_to_f16 (value);
      if (value >= 65520)
        {
          g_assert_cmpuint (half, ==, 0x7c00);
          continue;
        }
      const double distance = fabs (get_half_value (half) - value);
      const double above = half == 0x7bff ? 65536 : get_half_value (half + 1);
      g_assert_cmpfloat (distance, <=, above - value);
      if (half > 0)
        g_assert_cmpfloat (distance, <=, value - get_half_value (half - 1));
    }
  g_assert_cmpuint (hl_f32_to_f16 (2049.0f), ==, hl_f32_to_f16 (2048.0f));
  g_assert_cmpuint (hl_f32_to_f16 (2051.0f), ==, hl_f32_to_f16 (2052.0f));
  g_assert_cmpuint (hl_f32_to_f16 (65519.99f), ==, 0x7bff);
  g_assert_cmpuint (hl_f32_to_f16 (-INFINITY), ==, 0xfc00);
  g_assert_cmpuint (hl_f32_to_f16 (-0.0f), ==, 0x8000);
}

/* The bytes of a number of each type, in this machine's order. */
static gsize
store (HlDType dtype,
       double  value,
       guint8 *bytes)
{
  const float single = (float) value;
  guint32 bits;

#define STORE(type)                                                                                                    \
  {                                                                                                                    \
    const type stored = (type) value;                                                                                  \
    memcpy (bytes, &stored, sizeof stored);                                                                            \
    return sizeof stored;                                                                                              \
  }
  switch (dtype)
    {
    case HL_DTYPE_F16:
      {
        const guint16 half = hl_f32_to_f16 (single);
        memcpy (bytes, &half, sizeof half);
        return sizeof half;
      }
    case HL_DTYPE_BF16:
      {
        memcpy (&bits, &single, sizeof bits);
        const guint16 upper = (guint16) (bits >> 16);
        memcpy (bytes, &upper, sizeof upper);
        return sizeof upper;
      }
    case HL_DTYPE_F32:
      STORE (float)
    case HL_DTYPE_F64:
      STORE (double)
    case HL_DTYPE_I8:
      STORE (gint8)
    case HL_DTYPE_I16:
      STORE (gint16)
    case HL_DTYPE_I32:
      STORE (gint32)
    case HL_DTYPE_I64:
      STORE (gint64)
    case HL_DTYPE_U8:
      STORE (guint8)
    case HL_DTYPE_U16:
      STORE (guint16)
    case HL_DTYPE_U32:
      STORE (guint32)
    case HL_DTYPE_U64:
      STORE (guint64)
    case HL_DTYPE_BOOL:
      STORE (guint8)
    default:
      g_assert_not_reached ();
    }
#undef STORE
}

/* Small whole numbers, which every type holds exactly. */
static void
test_conversion (void)
{
  static const double values[] = { 0, 1, 2, 3, 5, 64, 100, 127 };
  static const double negative[] = { -1, -2, -100, -128 };

  for (HlDType dtype = HL_DTYPE_F16; dtype <= HL_DTYPE_BOOL; dtype++)
    {
      const gboolean is_signed = hl_dtype_is_float (dtype) || (dtype >= HL_DTYPE_I8 && dtype <= HL_DTYPE_I64);
      const gsize size = hl_dtype_get_size (dtype);
      guint8 bytes[16 * 24 + 1];
      float found[16];

      for (guint swapped = 0; swapped < 2; swapped++)
        for (gsize stride = size; stride <= 24; stride += 7)
          {
            gsize n = 0;
            double wanted[16];

            for (guint i = 0; i < G_N_ELEMENTS (values); i++)
              wanted[n++] = values[i];
            for (guint i = 0; i < G_N_ELEMENTS (negative) && is_signed; i++)
              wanted[n++] = negative[i];
            memset (bytes, 0xaa, sizeof bytes);
            for (gsize i = 0; i < n; i++)
              {
                guint8 *at = bytes + 1 + i * stride; /* not aligned */
                g_assert_cmpuint (store (dtype, wanted[i], at), ==, size);
                for (gsize j = 0; j < size / 2 && swapped; j++)
                  {
                    const guint8 byte = at[j];
                    at[j] = at[size - 1 - j];
                    at[size - 1 - j] = byte;
                  }
              }
            hl_dtype_convert_to_f32 (dtype, swapped != 0, bytes + 1, stride, found, n);
            for (gsize i = 0; i < n; i++)
              g_assert_cmpfloat (found[i], ==, wanted[i]);
          }
    }
}

static void
test_names (void)
{
  g_assert_cmpstr (hl_dtype_get_name (HL_DTYPE_BF16), ==, "bfloat16");
  g_assert_cmpstr (hl_dtype_get_name (HL_DTYPE_U64), ==, "uint64");
  g_assert_true (hl_dtype_is_float (HL_DTYPE_F16));
  g_assert_false (hl_dtype_is_float (HL_DTYPE_BOOL));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dtype/f16-all", test_f16_all);
  g_test_add_func ("/dtype/f16-rounding", test_f16_rounding);
  g_test_add_func ("/dtype/conversion", test_conversion);
  g_test_add_func ("/dtype/names", test_names);
  return g_test_run ();
}
