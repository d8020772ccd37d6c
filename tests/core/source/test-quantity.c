/* SPDX-License-Identifier: MIT */
/* Quantities: what each needs is said, and what it is made of weights. */
#include "test-attentions.h"

#include "core/base/hl-error.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"

/* Two heads of one layer, with the values of one head for both, or without values. */
static HlAttention *
make_attention (const float *weights,
                gsize        n_queries,
                gsize        n_keys,
                const float *values,
                gsize        width)
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
    .weights = &maps,
    .values = values != NULL ? &layer : NULL,
    .n_layers = 1,
    .n_used = { n_queries, n_keys },
    .rule = { .scale = 1 },
  };

  return hl_attention_new (&init);
}

/* The maps of a quantity, as they are shown. */
static HlAttentionSource *
make_source (HlAttention *attention,
             HlQuantity   quantity)
{
  const HlLens lens = { .quantity = quantity };
  g_autoptr (HlAttentionSource) weights = hl_attention_source_new_for_attention (attention);
  g_autoptr (HlAttention) shown = NULL;
  HlAttentionSource *source = NULL;

  hl_lens_apply (&lens, attention, weights, &shown, &source);
  g_assert_cmpint (hl_attention_get_n (shown, HL_KEYS), ==, hl_attention_get_n (attention, HL_KEYS));
  return source;
}

/* Without what it needs, a quantity is refused in a sentence, and weights are shown. */
static void
test_needs (void)
{
  const float weights[] = { 1, 0, .25f, .75f, .5f, .5f, 0, 1 };
  g_autoptr (HlAttention) attention = make_attention (weights, 2, 2, NULL, 0);

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
  g_autoptr (HlAttention) attention = make_attention (weights, 2, 2, values, 2);
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
  g_autoptr (HlAttention) attention = make_attention (weights, n, n, values, 3);
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

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quantity/needs", test_needs);
  g_test_add_func ("/quantity/value", test_value);
  g_test_add_func ("/quantity/value-of-one-length", test_value_of_one_length);
  return g_test_run ();
}
