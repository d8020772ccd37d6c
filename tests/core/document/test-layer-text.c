/* SPDX-License-Identifier: MIT */
/* What a file calls the attention of its layers, as a sentence of it. */
#include "core/document/attention/hl-layer-text.h"
#include "core/base/hl-limits.h"
#include "test-attentions.h"

static HlAttention *
make_attention (guint              n_layers,
                const char *const *layer_types,
                const char *const *modules)
{
  const HlShape shape = { 4, { 1, 1, 1, 1 } };
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, &(float){ 1 });
  g_autofree HlLayerTensor *layers = g_new (HlLayerTensor, n_layers);

  for (guint layer = 0; layer < n_layers; layer++)
    layers[layer] = (HlLayerTensor){
      .tensor = tensor, .layer_axis = 0, .batch_axis = -1, .head_axis = 1, .row_axis = 2, .column_axis = 3
    };
  const HlAttentionInit init = {
    .weights = layers, .n_layers = n_layers, .layer_types = layer_types, .modules = modules
  };
  return hl_attention_new (&init);
}

static void
test_sentence (void)
{
  static const char *const types[] = { "wide", "", "narrow", "wide", NULL };
  static const char *const modules[] = { "", "m.1", NULL };
  g_autoptr (HlAttention) attention = make_attention (6, types, modules);
  g_autoptr (HlAttention) unnamed = make_attention (6, NULL, NULL);
  g_autofree char *text = hl_layer_text_describe (attention);

  g_assert_cmpstr (text, ==, "2 × wide, 1 × narrow · m.1");
  g_assert_cmpstr (hl_attention_get_layer_type (attention, 3), ==, "wide");
  g_assert_null (hl_attention_get_layer_type (attention, 1));
  g_assert_null (hl_attention_get_layer_type (attention, 5));
  g_assert_null (hl_attention_get_module (attention, 2));
  g_assert_null (hl_layer_text_describe (unnamed));
}

/* As many layers as there may be; of the names no more are kept. */
static void
test_many (void)
{
  const guint n = HL_LIMIT_LAYERS;
  g_autofree const char **types = g_new0 (const char *, 2 * n + 1);

  for (guint i = 0; i < 2 * n; i++)
    types[i] = i % 2 == 0 ? "wide" : "narrow";
  g_autoptr (HlAttention) attention = make_attention (n, types, types);
  g_assert_cmpuint (g_strv_length ((char **) hl_attention_get_layer_types (attention)), ==, n);
  g_assert_cmpuint (g_strv_length ((char **) hl_attention_get_modules (attention)), ==, n);
  g_autofree char *text = hl_layer_text_describe (attention);
  g_assert_cmpstr (text, ==, "2048 × wide, 2048 × narrow · wide … narrow");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layer-text/sentence", test_sentence);
  g_test_add_func ("/layer-text/many", test_many);
  return g_test_run ();
}
