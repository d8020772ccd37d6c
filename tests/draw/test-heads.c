/* SPDX-License-Identifier: MIT */
#include "test-heads.h"

#include <math.h>

#include "core/document/hl-document.h"
#include "core/test-attentions.h"

static HlLayerTensor
make_layer (guint seed,
            guint n_heads,
            gsize n_rows,
            gsize n_columns)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  const HlShape shape = { 3, { n_heads, n_rows, n_columns } };
  g_autofree float *numbers = g_new (float, n_heads *n_rows *n_columns);

  for (gsize i = 0; i < n_heads * n_rows * n_columns; i++)
    numbers[i] = (float) g_rand_double_range (rand, -2, 2);
  return (HlLayerTensor){ .tensor = test_make_tensor (&shape, numbers),
                          .layer_axis = -1,
                          .batch_axis = -1,
                          .head_axis = 0,
                          .row_axis = 1,
                          .column_axis = 2 };
}

HlViewState *
test_make_head_state (const TestHeads *heads)
{
  HlLayerTensor queries = make_layer (1, heads->n_heads, heads->n_queries, heads->n_features);
  HlLayerTensor keys = make_layer (2, heads->n_key_heads, heads->n_keys, heads->n_features);
  HlLayerTensor values = make_layer (3, heads->n_key_heads, heads->n_keys, heads->n_features);
  HlLayerTensor inputs = make_layer (4, 1, heads->n_queries, MAX (heads->n_input, 1));
  const gsize n_bias = heads->n_heads * (heads->n_queries + heads->n_keys - 1) * sizeof (float);
  g_autoptr (GBytes) bias = heads->rule.bias != NULL ? g_bytes_new (heads->rule.bias, n_bias) : NULL;
  HlAttentionInit init = {
    .kind = HL_ATTENTION_SELF,
    .projections = { &queries, &keys },
    .values = heads->has_values ? &values : NULL,
    .inputs = heads->n_input > 0 ? &inputs : NULL,
    .n_layers = 1,
    .n_used = { heads->n_queries, heads->n_keys },
    .rule = heads->rule,
    .bias = bias,
  };
  if (bias != NULL)
    init.rule.bias = g_bytes_get_data (bias, NULL);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (attentions, hl_attention_new (&init));
  g_object_unref (queries.tensor);
  g_object_unref (keys.tensor);
  g_object_unref (values.tensor);
  g_object_unref (inputs.tensor);
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  return hl_view_state_new (example);
}

/* Only every so manieth layer has attention, as in hybrid models. */
HlViewState *
test_make_gaps_state (guint n_layers,
                      guint n_heads,
                      guint period)
{
  const gsize n = 6;
  g_autofree HlLayerTensor *layers = g_new (HlLayerTensor, n_layers);
  g_autoptr (GPtrArray) attentions = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint layer = 0; layer < n_layers; layer++)
    {
      const HlShape shape = { 3, { (layer + 1) % period == 0 ? n_heads : 0, n, n } };
      g_autofree float *weights = test_make_weights (layer, n_heads, n, n);

      layers[layer] = (HlLayerTensor){ .tensor = test_make_tensor (&shape, weights),
                                       .layer_axis = -1,
                                       .batch_axis = -1,
                                       .head_axis = 0,
                                       .row_axis = 1,
                                       .column_axis = 2 };
    }
  const HlAttentionInit init = { .weights = layers, .n_layers = n_layers, .n_used = { n, n } };
  g_ptr_array_add (attentions, hl_attention_new (&init));
  for (guint layer = 0; layer < n_layers; layer++)
    g_object_unref (layers[layer].tensor);
  g_autoptr (HlExample) example = hl_example_new ("example", NULL, NULL, attentions, checks);
  return hl_view_state_new (example);
}

/* At the head of the case, with its scale and mask, in the view of steps. */
HlViewState *
test_load_head_state (JsonObject *test_case)
{
  g_autofree char *path =
    g_test_build_filename (G_TEST_DIST, "..", "fixtures", json_object_get_string_member (test_case, "file"), NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  g_assert_no_error (error);

  HlViewState *state = hl_view_state_new (example);
  hl_view_state_go_to (state, (guint) json_object_get_int_member (test_case, "layer"),
                       (guint) json_object_get_int_member (test_case, "head"));
  hl_view_state_set_option (state, view, HL_VIEW_STEPS);
  hl_view_state_set_option (state, score_scale, json_object_get_double_member (test_case, "score_scale"));
  hl_view_state_set_option (state, mask, json_object_get_boolean_member (test_case, "masked"));
  return state;
}

JsonArray *
test_load_cases (JsonParser *parser)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", "steps.json", NULL);
  g_autoptr (GError) error = NULL;

  json_parser_load_from_file (parser, path, &error);
  g_assert_no_error (error);
  return json_node_get_array (json_parser_get_root (parser));
}

double
test_get_case_number (JsonNode *node)
{
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    {
      g_assert_cmpstr (json_node_get_string (node), ==, "-Infinity");
      return -INFINITY;
    }
  return json_node_get_double (node);
}
