/* SPDX-License-Identifier: MIT */
/* Mean and spread of values that come one at a time, against those of two passes over all. */
#include "core/analysis/number/hl-head-spread.h"

#include <math.h>

#define N 1000

static void
fill (double values[N],
      double offset)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (12);

  for (guint i = 0; i < N; i++)
    values[i] = offset + g_rand_double_range (random, -1, 3);
}

static void
assert_near (double value,
             double expected,
             double scale)
{
  g_assert_cmpfloat_with_epsilon (value, expected, 1e-12 * scale);
}

static void
test_two_passes (void)
{
  const double offsets[] = { 0, 1e6 };

  for (guint which = 0; which < G_N_ELEMENTS (offsets); which++)
    {
      double values[N], sum = 0, squares = 0;
      HlHeadSpread spread = { 0 };

      fill (values, offsets[which]);
      for (guint i = 0; i < N; i++)
        {
          sum += values[i];
          hl_head_spread_add (&spread, values[i]);
        }
      for (guint i = 0; i < N; i++)
        squares += (values[i] - sum / N) * (values[i] - sum / N);
      g_assert_cmpuint (spread.n, ==, N);
      assert_near (hl_head_spread_get_mean (&spread), sum / N, MAX (offsets[which], 1));
      /* Sums of squares without the mean taken off first would be wrong by thousands here. */
      g_assert_cmpfloat_with_epsilon (hl_head_spread_get_deviation (&spread), sqrt (squares / (N - 1)), 1e-9);
    }
}

static void
test_order (void)
{
  double values[N];
  HlHeadSpread forth = { 0 }, back = { 0 };

  fill (values, 2);
  for (guint i = 0; i < N; i++)
    {
      hl_head_spread_add (&forth, values[i]);
      hl_head_spread_add (&back, values[N - 1 - i]);
    }
  g_assert_cmpuint (back.n, ==, N);
  assert_near (hl_head_spread_get_mean (&back), hl_head_spread_get_mean (&forth), 1);
  assert_near (hl_head_spread_get_deviation (&back), hl_head_spread_get_deviation (&forth), 1);
}

static void
test_undefined (void)
{
  HlHeadSpread spread = { 0 };

  hl_head_spread_add (&spread, NAN);
  g_assert_true (isnan (hl_head_spread_get_mean (&spread)));
  hl_head_spread_add (&spread, 3);
  g_assert_cmpfloat (hl_head_spread_get_mean (&spread), ==, 3);
  g_assert_true (isnan (hl_head_spread_get_deviation (&spread)));
  hl_head_spread_add (&spread, INFINITY);
  hl_head_spread_add (&spread, 5);
  g_assert_cmpuint (spread.n, ==, 2);
  g_assert_cmpfloat (hl_head_spread_get_mean (&spread), ==, 4);
  g_assert_cmpfloat (hl_head_spread_get_deviation (&spread), ==, sqrt (2));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/head-spread/two-passes", test_two_passes);
  g_test_add_func ("/head-spread/order", test_order);
  g_test_add_func ("/head-spread/undefined", test_undefined);
  return g_test_run ();
}
