/* SPDX-License-Identifier: MIT */
/* Distances between heads against the formula in double, and points that give their distances. */
#include "test-attentions.h"

#include "core/analysis/hl-head-distances.h"
#include "core/analysis/hl-scaling.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/source/make/hl-source-factory.h"

#include <math.h>

#define N 10
#define HEADS 6

static double
get_term (double p,
          double q)
{
  return p > 0 ? p * log2 (2 * p / (p + q)) / 2 : 0;
}

static double
get_expected (const float *weights,
              guint        a,
              guint        b)
{
  double sum = 0;

  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < N; j++)
      {
        const double p = weights[(a * N + i) * N + j], q = weights[(b * N + i) * N + j];
        sum += get_term (p, q) + get_term (q, p);
      }
  return sum / N;
}

static HlHeadDistances *
compute (const float *weights)
{
  g_autoptr (HlAttention) attention = test_make_attention (2, HEADS / 2, N, N, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  HlHeadDistances *distances = hl_head_distances_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_head_distances_add (distances, source, 0, N, NULL, NULL, &error));
  g_assert_no_error (error);
  return distances;
}

static void
test_formula (void)
{
  g_autofree float *weights = test_make_weights (5, HEADS, N, N);

  /* Sparse rows too, and a head that is as another. */
  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < N; j++)
      {
        weights[(1 * N + i) * N + j] = i == j;
        weights[(2 * N + i) * N + j] = j == 0;
        weights[(4 * N + i) * N + j] = weights[(3 * N + i) * N + j];
      }
  g_autoptr (HlHeadDistances) distances = compute (weights);
  g_assert_cmpuint (hl_head_distances_get_n (distances), ==, HEADS);
  for (guint a = 0; a < HEADS; a++)
    for (guint b = 0; b < HEADS; b++)
      {
        g_assert_cmpfloat_with_epsilon (hl_head_distances_get (distances, a, b), get_expected (weights, a, b), 1e-6);
        g_assert_cmpfloat (hl_head_distances_get (distances, a, b), ==, hl_head_distances_get (distances, b, a));
      }
  for (guint a = 0; a < HEADS; a++)
    g_assert_cmpfloat (hl_head_distances_get (distances, a, a), ==, 0);
  g_assert_cmpfloat (hl_head_distances_get (distances, 3, 4), ==, 0);
  /* Of ten queries one looks at the first key in both. */
  g_assert_cmpfloat_with_epsilon (hl_head_distances_get (distances, 1, 2), 0.9, 1e-7);
}

/* From one head to all it is the same; over some of the queries, the mean of these. */
static void
test_from (void)
{
  g_autofree float *weights = test_make_weights (9, HEADS, N, N);
  g_autoptr (HlAttention) attention = test_make_attention (2, HEADS / 2, N, N, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlHeadDistances) distances = compute (weights);
  g_autoptr (GError) error = NULL;

  for (guint head = 0; head < HEADS; head++)
    {
      g_autofree double *from = hl_head_distances_from (source, head, 0, N, 1, NULL, &error);
      g_assert_no_error (error);
      for (guint other = 0; other < HEADS; other++)
        g_assert_cmpfloat_with_epsilon (from[other], hl_head_distances_get (distances, head, other), 1e-9);
    }
  g_autofree double *some = hl_head_distances_from (source, 1, 1, N - 1, 4, NULL, &error);
  g_assert_no_error (error);
  double sum = 0;
  for (gsize i = 1; i < N; i += 4)
    for (gsize j = 0; j < N; j++)
      {
        const double p = weights[(1 * N + i) * N + j], q = weights[(2 * N + i) * N + j];
        sum += get_term (p, q) + get_term (q, p);
      }
  g_assert_cmpfloat_with_epsilon (some[2], sum / 3, 1e-6);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (hl_head_distances_from (source, 0, 0, N, 1, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* What gives no weight is no row; a head of such rows has no distance and no place. */
static void
test_undefined (void)
{
  g_autofree float *weights = test_make_weights (6, HEADS, N, N);

  for (gsize i = 0; i < N * N; i++)
    weights[2 * N * N + i] = 0;
  weights[0] = NAN;
  g_autoptr (HlHeadDistances) distances = compute (weights);
  g_assert_true (isnan (hl_head_distances_get (distances, 2, 3)));
  g_assert_true (isnan (hl_head_distances_get (distances, 2, 2)));
  g_assert_true (isfinite (hl_head_distances_get (distances, 0, 3)));
  g_autofree double *points = hl_head_distances_arrange (distances, NULL, NULL);
  for (guint head = 0; head < HEADS; head++)
    g_assert_true (isnan (points[head * 2]) == (head == 2) && isnan (points[head * 2 + 1]) == (head == 2));
}

/* The mean of texts; those of another model do not fit. */
/* Rows of numbers so small that 1 over their sum is no float32 are divided by it as others are. */
static void
test_tiny (void)
{
  g_autofree float *weights = g_new0 (float, HEADS *N *N);

  for (guint head = 0; head < HEADS; head++)
    for (gsize i = 0; i < N; i++)
      weights[(head * N + i) * N + head / 2] = head % 2 == 0 ? 1 : 1e-40f;
  g_autoptr (HlHeadDistances) distances = compute (weights);
  g_assert_cmpfloat (hl_head_distances_get (distances, 0, 1), ==, 0);
  g_assert_cmpfloat_with_epsilon (hl_head_distances_get (distances, 1, 2), 1, 1e-6);
}

static void
test_texts (void)
{
  g_autofree float *first = test_make_weights (7, HEADS, N, N);
  g_autofree float *second = test_make_weights (8, HEADS, N, N);
  g_autoptr (HlAttention) attention = test_make_attention (2, HEADS / 2, N, N, second);
  g_autoptr (HlAttention) other = test_make_attention (1, 1, N, N, second);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlAttentionSource) other_source = hl_attention_make_source (other);
  g_autoptr (HlHeadDistances) distances = compute (first);
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_head_distances_add (distances, source, 0, N, NULL, NULL, NULL));
  g_assert_cmpfloat_with_epsilon (hl_head_distances_get (distances, 0, 5),
                                  (get_expected (first, 0, 5) + get_expected (second, 0, 5)) / 2, 1e-6);
  /* Texts that were gone through apart come together to the same; a copy is not of what comes after it. */
  g_autoptr (HlHeadDistances) apart = compute (first), late = hl_head_distances_new ();
  g_assert_true (hl_head_distances_add (late, source, 0, N, NULL, NULL, NULL));
  g_autoptr (HlHeadDistances) before = hl_head_distances_copy (apart);
  g_assert_true (hl_head_distances_merge (apart, late, NULL));
  g_autoptr (HlHeadDistances) together = hl_head_distances_new ();
  g_assert_true (hl_head_distances_merge (together, before, NULL));
  g_assert_true (hl_head_distances_merge (together, late, NULL));
  g_assert_cmpfloat (hl_head_distances_get (before, 0, 5), !=, hl_head_distances_get (apart, 0, 5));
  for (guint a = 0; a < HEADS; a++)
    for (guint b = 0; b < HEADS; b++)
      {
        g_assert_cmpfloat (hl_head_distances_get (apart, a, b), ==, hl_head_distances_get (distances, a, b));
        g_assert_cmpfloat (hl_head_distances_get (together, a, b), ==, hl_head_distances_get (distances, a, b));
      }
  g_assert_false (hl_head_distances_add (distances, other_source, 0, N, NULL, NULL, &error));
  g_assert_nonnull (error);
}

static void
test_cancelled (void)
{
  g_autofree float *weights = test_make_weights (7, HEADS, N, N);
  g_autoptr (HlAttention) attention = test_make_attention (2, HEADS / 2, N, N, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlHeadDistances) distances = hl_head_distances_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (hl_head_distances_add (distances, source, 0, N, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* What is held at the least is a row of each head. */
static void
test_too_large (void)
{
  const gsize n = HL_LIMIT_POSITIONS;
  g_autoptr (HlExample) example = test_make_hollow_example (HL_LIMIT_HEADS, n);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (hl_example_get_attention (example, 0));
  g_autoptr (HlHeadDistances) distances = hl_head_distances_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_head_distances_from (source, 0, 0, 1, 1, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_cmpstr (error->message, ==, "2048 heads with a row of 1048576 weights each are too much to be held at once");
  g_clear_error (&error);
  g_assert_false (hl_head_distances_add (distances, source, 0, 1, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
}

/* Points in the plane come back with the same distances, about their middle, and the same each time. */
static void
test_scaling (void)
{
  static const double points[][2] = { { 0, 0 }, { 3, 0 }, { 0, 1 }, { 2, 2 }, { -1, 4 }, { 5, -2 }, { 5, -2 } };
  const gsize n = G_N_ELEMENTS (points);
  double distances[7 * 7], sums[2] = { 0, 0 };

  for (gsize i = 0; i < n; i++)
    for (gsize j = 0; j < n; j++)
      distances[i * n + j] = hypot (points[i][0] - points[j][0], points[i][1] - points[j][1]);
  g_autofree double *found = hl_scaling_compute (distances, n, 2, NULL, NULL);
  g_autofree double *again = hl_scaling_compute (distances, n, 2, NULL, NULL);
  g_autofree double *three = hl_scaling_compute (distances, n, 3, NULL, NULL);
  for (gsize i = 0; i < n; i++)
    {
      for (gsize j = 0; j < n; j++)
        g_assert_cmpfloat_with_epsilon (hypot (found[i * 2] - found[j * 2], found[i * 2 + 1] - found[j * 2 + 1]),
                                        distances[i * n + j], 1e-9);
      sums[0] += found[i * 2];
      sums[1] += found[i * 2 + 1];
      g_assert_cmpfloat_with_epsilon (three[i * 3 + 2], 0, 1e-6);
    }
  g_assert_cmpfloat_with_epsilon (sums[0], 0, 1e-9);
  g_assert_cmpfloat_with_epsilon (sums[1], 0, 1e-9);
  g_assert_cmpmem (found, n * 2 * sizeof *found, again, n * 2 * sizeof *again);
}

static void
test_single (void)
{
  const double distance = 0;
  g_autofree double *point = hl_scaling_compute (&distance, 1, 2, NULL, NULL);

  g_assert_cmpfloat (point[0], ==, 0);
  g_assert_cmpfloat (point[1], ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/head-distances/formula", test_formula);
  g_test_add_func ("/head-distances/from", test_from);
  g_test_add_func ("/head-distances/undefined", test_undefined);
  g_test_add_func ("/head-distances/tiny", test_tiny);
  g_test_add_func ("/head-distances/texts", test_texts);
  g_test_add_func ("/head-distances/cancelled", test_cancelled);
  g_test_add_func ("/head-distances/too-large", test_too_large);
  g_test_add_func ("/head-distances/scaling", test_scaling);
  g_test_add_func ("/head-distances/single", test_single);
  return g_test_run ();
}
