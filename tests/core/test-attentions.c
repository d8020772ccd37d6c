/* SPDX-License-Identifier: MIT */
#include "test-attentions.h"

#include "core/document/hl-expansion.h"

#include <math.h>

HlTensor *
test_make_tensor (const HlShape *shape,
                  const float   *numbers)
{
  guint64 n;
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_shape_get_n_bytes (shape, sizeof (float), &n));
  g_autoptr (GBytes) bytes = g_bytes_new (numbers, n);
  HlTensor *tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, shape, NULL, FALSE, bytes, 0, &error);
  g_assert_no_error (error);
  return tensor;
}

/* Softmax of random scores spread so that some weights are large: [n_maps, n_queries, n_keys]. */
float *
test_make_weights (guint seed,
                   gsize n_maps,
                   gsize n_queries,
                   gsize n_keys)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  float *weights = g_new (float, n_maps *n_queries *n_keys);

  for (gsize row = 0; row < n_maps * n_queries; row++)
    {
      float *line = weights + row * n_keys;
      double sum = 0;
      for (gsize key = 0; key < n_keys; key++)
        sum += line[key] = (float) exp (g_rand_double_range (rand, -4, 4));
      for (gsize key = 0; key < n_keys; key++)
        line[key] = (float) (line[key] / sum);
    }
  return weights;
}

HlAttention *
test_make_attention_full (guint              n_layers,
                          guint              n_heads,
                          gsize              n_queries,
                          gsize              n_keys,
                          const float       *weights,
                          const char *const *query_tokens,
                          const char *const *key_tokens,
                          gsize              n_used,
                          gsize              sentence_b_start,
                          HlMask             mask)
{
  const HlShape shape = { 4, { n_layers, n_heads, n_queries, n_keys } };
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, weights);
  g_autofree HlLayerTensor *layers = g_new (HlLayerTensor, n_layers);

  for (guint layer = 0; layer < n_layers; layer++)
    layers[layer] = (HlLayerTensor){ .tensor = tensor,
                                     .layer_axis = 0,
                                     .layer = layer,
                                     .batch_axis = -1,
                                     .head_axis = 1,
                                     .row_axis = 2,
                                     .column_axis = 3 };
  const HlAttentionInit init = { .kind = HL_ATTENTION_SELF,
                                 .weights = layers,
                                 .n_layers = n_layers,
                                 .tokens = { query_tokens, key_tokens },
                                 .n_used = { n_used, n_used },
                                 .sentence_b_start = sentence_b_start,
                                 .rule.mask = mask };
  return hl_attention_new (&init);
}

HlAttention *
test_make_attention (guint        n_layers,
                     guint        n_heads,
                     gsize        n_queries,
                     gsize        n_keys,
                     const float *weights)
{
  return test_make_attention_full (n_layers, n_heads, n_queries, n_keys, weights, NULL, NULL, G_MAXSIZE, 0,
                                   (HlMask){ FALSE, 0 });
}

/* A layer of maps of which the file says that they are something else in place of weights. */
HlAttention *
test_make_attention_of (const char  *quantity,
                        guint        n_heads,
                        gsize        n_queries,
                        gsize        n_keys,
                        const float *numbers)
{
  const HlShape shape = { 3, { n_heads, n_queries, n_keys } };
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, numbers);
  const HlLayerTensor layer = {
    .tensor = tensor, .layer_axis = -1, .batch_axis = -1, .head_axis = 0, .row_axis = 1, .column_axis = 2
  };
  const HlAttentionInit init = {
    .weights = &layer, .n_layers = 1, .n_used = { n_queries, n_keys }, .quantity = quantity
  };

  return hl_attention_new (&init);
}

/* Two layers of so many heads with as many queries as keys, as in a file that holds a single number. */
HlExample *
test_make_hollow_example (guint n_heads,
                          gsize n)
{
  const HlShape shape = { 4, { 2, n_heads, n, n } };
  const gint64 strides[4] = { 0 };
  const float number = 1.0f / (float) n;
  HlLayerTensor layers[2];
  const HlAttentionRule rules[2] = { { 0 } };
  g_autoptr (GBytes) bytes = g_bytes_new (&number, sizeof number);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, strides, FALSE, bytes, 0, &error);

  g_assert_no_error (error);
  for (guint layer = 0; layer < 2; layer++)
    layers[layer] = (HlLayerTensor){ tensor, 0, layer, -1, 0, 1, 2, 3 };
  const HlAttentionInit init = {
    .kind = HL_ATTENTION_SELF, .weights = layers, .n_layers = 2, .n_used = { n, n }, .rules = rules
  };
  g_ptr_array_add (attentions, hl_attention_new (&init));
  HlExample *example = hl_example_new (NULL, NULL, NULL, attentions, checks);
  g_assert_true (hl_expansion_check (example, 1000, NULL, &error));
  return example;
}
