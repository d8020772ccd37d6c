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
    .n_used_queries = n_queries,
    .n_used_keys = n_keys,
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
  g_assert_cmpint (hl_attention_get_n_keys (shown), ==, hl_attention_get_n_keys (attention));
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

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quantity/needs", test_needs);
  return g_test_run ();
}
