/* SPDX-License-Identifier: MIT */
/* Quantities: what each needs is said, and what it is made of weights. */
#include "test-attentions.h"

#include "core/base/hl-error.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"

#include <math.h>

/* Two heads of one layer, with the values of one head for both, or without values. */
static HlAttention *
make_attention (HlAttentionKind kind,
                const float    *weights,
                gsize           n_queries,
                gsize           n_keys,
                const float    *values,
                gsize           width)
{
  const HlShape shape = { 3, { 2, n_queries, n_keys } }, value_shape = { 2, { n_keys, width } };
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, weights);
  g_autoptr (HlTensor) value_tensor = values != NULL ? test_make_tensor (&value_shape, values) : NULL;
  const HlLayerTensor maps = {
    .tensor = tensor, .layer_axis = -1, .batch_axis = -1, .head_axis = 0, .row_axis = 1, .column_axis = 2
  };
  const HlLayerTensor layer = {
    .tensor = value_tensor, .layer_axis = -1, .batch_axis = -1, .head_axis = -1, .row_axis = 0, .column_axis = 1
  };
  const HlAttentionInit init = {
    .kind = kind,
    .weights = &maps,
    .values = values != NULL ? &layer : NULL,
    .n_layers = 1,
    .n_used = { n_queries, n_keys },
    .rule = { .scale = 1 },
  };

  return hl_attention_new (&init);
}

/* The maps of a quantity, as they are shown; combined, those of both heads as one. */
static HlAttentionSource *
make_combined_source (HlAttention *attention,
                      HlQuantity   quantity,
                      HlCombine    combine)
{
  HlLens lens = { .quantity = quantity, .combine = combine };
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);
  g_autoptr (HlAttention) shown = NULL;
  HlAttentionSource *source = NULL;

  hl_head_set_add (&lens.heads, 0);
  hl_head_set_add (&lens.heads, 1);
  hl_lens_apply (&lens, attention, weights, &shown, &source);
  g_assert_cmpint (hl_attention_get_n (shown, HL_KEYS), ==, hl_attention_get_n (attention, HL_KEYS));
  return source;
}

static HlAttentionSource *
make_source (HlAttention *attention,
             HlQuantity   quantity)
{
  return make_combined_source (attention, quantity, HL_COMBINE_NONE);
}

/* Without what it needs, a quantity is refused in a sentence, and weights are shown. */
static void
test_needs (void)
{
  const float weights[] = { 1, 0, .25f, .75f, .5f, .5f, 0, 1 };
  g_autoptr (HlAttention) attention = make_attention (HL_ATTENTION_CROSS, weights, 2, 2, NULL, 0);

  for (HlQuantity quantity = 0; quantity < HL_N_QUANTITIES; quantity++)
    {
      g_autoptr (HlAttentionSource) source = make_source (attention, quantity);
      g_autoptr (GError) error = NULL;
      g_autofree float *read = hl_attention_source_read_head (source, 0, 1, NULL, NULL);

      g_assert_cmpmem (read, 4 * sizeof (float), weights + 4, 4 * sizeof (float));
      g_assert_cmpstr (hl_attention_source_get_quantity (source), ==, "attention weight");
      if (hl_quantity_get (quantity)->needs == NULL)
        g_assert_true (hl_quantity_check (quantity, attention, NULL));
      else
        {
          g_assert_false (hl_quantity_check (quantity, attention, &error));
          g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
          g_assert_nonnull (strstr (error->message, hl_quantity_get (quantity)->needs));
        }
    }
}

/* A[i,j] · ‖v_j‖, of two heads with the same values: ‖(3, 4)‖ = 5, ‖(0, 2)‖ = 2. */
static void
test_value (void)
{
  const float weights[] = { 1, 0, .25f, .75f, .5f, .5f, 0, 1 };
  const float values[] = { 3, 4, 0, 2 };
  const float expected[] = { 5, 0, 1.25f, 1.5f, 2.5f, 1, 0, 2 };
  g_autoptr (HlAttention) attention = make_attention (HL_ATTENTION_SELF, weights, 2, 2, values, 2);
  g_autoptr (HlAttentionSource) source = make_source (attention, HL_QUANTITY_VALUE);

  g_assert_cmpstr (hl_attention_source_get_quantity (source), ==, "attention weight × value norm");
  for (guint head = 0; head < 2; head++)
    {
      g_autofree float *read = hl_attention_source_read_head (source, 0, head, NULL, NULL);
      g_assert_cmpmem (read, 4 * sizeof (float), expected + head * 4, 4 * sizeof (float));
    }
}

/* Values of one length scale weights by it, in every part of a map. */
static void
test_value_of_one_length (void)
{
  const gsize n = 40;
  g_autofree float *weights = test_make_weights (3, 2, n, n);
  g_autofree float *values = g_new0 (float, n * 3);

  for (gsize key = 0; key < n; key++)
    values[key * 3 + key % 3] = key % 2 == 0 ? 4 : -4;
  g_autoptr (HlAttention) attention = make_attention (HL_ATTENTION_SELF, weights, n, n, values, 3);
  g_autoptr (HlAttentionSource) source = make_source (attention, HL_QUANTITY_VALUE);
  const HlAttentionRequest request = {
    .head = 1, .first_query = 7, .n_queries = 20, .first_key = 11, .n_keys = 13, .n_rows = 20, .n_columns = 13
  };
  g_autofree float *read = g_new (float, 20 * 13);
  g_assert_true (hl_attention_source_read (source, &request, read, NULL, NULL));
  for (gsize row = 0; row < 20; row++)
    for (gsize key = 0; key < 13; key++)
      g_assert_cmpfloat (read[row * 13 + key], ==, 4 * weights[(n + 7 + row) * n + 11 + key]);
}

/* rownorm (A + I), and of the mean of two heads whose rows sum to 1 rownorm (mean A + I). */
static void
test_residual (void)
{
  const float weights[] = { 1, 0, .5f, .5f, 0, 1, 1, 0 };
  const float expected[] = { 1, 0, .25f, .75f, .5f, .5f, .5f, .5f };
  const float expected_mean[] = { .75f, .25f, .375f, .625f };
  g_autoptr (HlAttention) attention = make_attention (HL_ATTENTION_SELF, weights, 2, 2, NULL, 0);
  g_autoptr (HlAttentionSource) source = make_source (attention, HL_QUANTITY_RESIDUAL);
  g_autoptr (HlAttentionSource) mean = make_combined_source (attention, HL_QUANTITY_RESIDUAL, HL_COMBINE_MEAN);

  g_assert_cmpstr (hl_attention_source_get_quantity (source), ==, "attention weight + residual connection");
  for (guint head = 0; head < 2; head++)
    {
      g_autofree float *read = hl_attention_source_read_head (source, 0, head, NULL, NULL);
      g_assert_cmpmem (read, 4 * sizeof (float), expected + head * 4, 4 * sizeof (float));
    }
  g_autofree float *read = hl_attention_source_read_head (mean, 0, 0, NULL, NULL);
  g_assert_cmpmem (read, 4 * sizeof (float), expected_mean, 4 * sizeof (float));
}

/* As many queries as keys are not enough. */
static void
test_residual_needs (void)
{
  const float weights[] = { 1, 0, 0, .25f, .75f, 0, .5f, .5f, 0, 0, 0, 1 };
  g_autoptr (HlAttention) self = make_attention (HL_ATTENTION_SELF, weights, 2, 2, NULL, 0);
  g_autoptr (HlAttention) longer = make_attention (HL_ATTENTION_SELF, weights, 2, 3, NULL, 0);
  g_autoptr (HlAttention) cross = make_attention (HL_ATTENTION_CROSS, weights, 2, 2, NULL, 0);

  g_assert_true (hl_quantity_check (HL_QUANTITY_RESIDUAL, self, NULL));
  g_assert_false (hl_quantity_check (HL_QUANTITY_RESIDUAL, longer, NULL));
  g_assert_false (hl_quantity_check (HL_QUANTITY_RESIDUAL, cross, NULL));
}

/* A row of zeros, of padding, is the token itself; NaN, where a query cannot see, is left as it is, and so is what is infinite. */
static void
test_residual_of_odd_rows (void)
{
  const float weights[2][8] = { { 1, NAN, 0, 0, NAN, NAN, .25f, .5f },
                                { .5f, INFINITY, -INFINITY, 1, INFINITY, 0, 0, 0 } };
  const float expected[2][8] = { { 1, NAN, 0, 1, NAN, NAN, .25f / 1.75f, 1.5f / 1.75f },
                                 { 1, INFINITY, -INFINITY, 1, INFINITY, 0, 0, 1 } };

  for (guint i = 0; i < 16; i++)
    {
      const float wanted = expected[i / 8][i % 8];
      g_autoptr (HlAttention) attention = make_attention (HL_ATTENTION_SELF, weights[i / 8], 2, 2, NULL, 0);
      g_autoptr (HlAttentionSource) source = make_source (attention, HL_QUANTITY_RESIDUAL);
      g_autofree float *read = hl_attention_source_read_head (source, 0, i % 8 / 4, NULL, NULL);

      if (isnan (wanted))
        g_assert_true (isnan (read[i % 4]));
      else if (isinf (wanted))
        g_assert_cmpfloat (read[i % 4], ==, wanted);
      else
        g_assert_cmpfloat_with_epsilon (read[i % 4], wanted, 1e-6);
    }
}

enum
{
  N = 1100, /* so that a map is more than one band */
};

/* [N, N] of the mean of maps, as the plainest code has it. */
static double *
make_residual (const float *maps,
               gsize        n_maps)
{
  double *made = g_new0 (double, N *N);

  for (gsize query = 0; query < N; query++)
    {
      double *row = made + query * N, sum = 0;
      for (gsize key = 0; key < N; key++)
        {
          for (gsize map = 0; map < n_maps; map++)
            row[key] += maps[(map * N + query) * N + key] / (double) n_maps;
          row[key] += key == query;
          sum += row[key];
        }
      for (gsize key = 0; key < N; key++)
        row[key] /= sum;
    }
  return made;
}

/* 1000 queries and 900 keys, @height and @width of them in a cell. */
static void
check_part (HlAttentionSource *source,
            const double      *expected,
            gsize              height,
            gsize              width,
            HlPooling          pooling)
{
  const gsize n_rows = 1000 / height, n_columns = 900 / width;
  const HlAttentionRequest request = { .first_query = 70,
                                       .n_queries = 1000,
                                       .first_key = 150,
                                       .n_keys = 900,
                                       .n_rows = n_rows,
                                       .n_columns = n_columns,
                                       .pooling = pooling };
  g_autofree float *read = g_new (float, n_rows *n_columns);

  g_assert_true (hl_attention_source_read (source, &request, read, NULL, NULL));
  for (gsize cell = 0; cell < n_rows * n_columns; cell++)
    {
      const double *corner = expected + (70 + cell / n_columns * height) * N + 150 + cell % n_columns * width;
      double sum = 0, max = 0;
      for (gsize i = 0; i < height * width; i++)
        {
          const double value = corner[i / width * N + i % width];
          sum += value;
          max = MAX (max, value);
        }
      const double pooled = pooling == HL_POOLING_MEAN ? sum / (double) (height * width) : max;
      g_assert_cmpfloat_with_epsilon (read[cell], pooled, 1e-6);
    }
}

/* Some of the queries and keys, exact and pooled, of a head and of the mean of heads, which threads read. */
static void
test_residual_of_parts (void)
{
  g_autofree float *weights = test_make_weights (11, 2, N, N);
  g_autoptr (HlAttention) attention = make_attention (HL_ATTENTION_SELF, weights, N, N, NULL, 0);

  for (guint n_heads = 1; n_heads <= 2; n_heads++)
    {
      const HlCombine combine = n_heads == 1 ? HL_COMBINE_NONE : HL_COMBINE_MEAN;
      g_autoptr (HlAttentionSource) source = make_combined_source (attention, HL_QUANTITY_RESIDUAL, combine);
      g_autofree double *expected = make_residual (weights, n_heads);

      check_part (source, expected, 1, 1, HL_POOLING_MAX);
      check_part (source, expected, 8, 9, HL_POOLING_MAX);
      check_part (source, expected, 8, 9, HL_POOLING_MEAN);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quantity/needs", test_needs);
  g_test_add_func ("/quantity/value", test_value);
  g_test_add_func ("/quantity/value-of-one-length", test_value_of_one_length);
  g_test_add_func ("/quantity/residual", test_residual);
  g_test_add_func ("/quantity/residual-needs", test_residual_needs);
  g_test_add_func ("/quantity/residual-of-odd-rows", test_residual_of_odd_rows);
  g_test_add_func ("/quantity/residual-of-parts", test_residual_of_parts);
  return g_test_run ();
}
