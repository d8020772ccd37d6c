/* SPDX-License-Identifier: MIT */
#include "test-expected.h"

#include <math.h>
#include <string.h>

#include "core/analysis/hl-examine.h"
#include "core/source/hl-attention-source.h"
#include "core/source/make/hl-source-factory.h"
#include "test-dumps.h"

/* Numbers that are not finite are strings in the table. */
static double
get_number (JsonNode *node)
{
  return json_node_get_value_type (node) == G_TYPE_STRING ? g_ascii_strtod (json_node_get_string (node), NULL)
                                                          : json_node_get_double (node);
}

static gboolean
is_equal (double found,
          double wanted,
          double tolerance)
{
  if (isnan (wanted))
    return isnan (found);
  if (!isfinite (wanted) || tolerance == 0)
    return found == wanted;
  return fabs (found - wanted) <= tolerance;
}

/* Tokens as stored, of which there may be more or fewer than positions; none: the positions themselves, from @first
 * on. */
static void
check_tokens (JsonObject        *attention,
              const char        *member,
              const char *const *found,
              gboolean           has_tokens,
              gsize              first,
              gsize              n)
{
  JsonNode *node = json_object_get_member (attention, member);

  g_assert_cmpuint (g_strv_length ((char **) found), ==, n);
  g_assert_cmpint (has_tokens, ==, !JSON_NODE_HOLDS_NULL (node));
  JsonArray *tokens = JSON_NODE_HOLDS_NULL (node) ? NULL : json_node_get_array (node);
  const gsize n_tokens = tokens != NULL ? json_array_get_length (tokens) : 0;
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *position = g_strdup_printf ("%" G_GSIZE_FORMAT, first + i);
      g_assert_cmpstr (found[i], ==, i < n_tokens ? json_array_get_string_element (tokens, (guint) i) : position);
    }
}

static float *
read_head (HlAttentionSource *source,
           JsonObject        *place)
{
  g_autoptr (GError) error = NULL;
  float *map = hl_attention_source_read_head (source, (guint) json_object_get_int_member (place, "layer"),
                                              (guint) json_object_get_int_member (place, "head"), NULL, &error);

  g_assert_no_error (error);
  return map;
}

static void
check_numbers (JsonObject  *attention,
               HlAttention *found,
               double       tolerance)
{
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (found);
  const gsize n_keys = hl_attention_get_n (found, HL_KEYS);
  JsonArray *cells = json_object_get_array_member (attention, "cells");
  JsonArray *sums = json_object_get_array_member (attention, "row_sums");
  JsonArray *rows = json_object_get_array_member (attention, "rows");

  g_assert_cmpuint (json_array_get_length (cells), >, 0);
  g_assert_cmpuint (json_array_get_length (rows), >, 0);
  for (guint i = 0; i < json_array_get_length (cells); i++)
    {
      JsonObject *cell = json_array_get_object_element (cells, i);
      g_autofree float *map = read_head (source, cell);
      const gsize query = (gsize) json_object_get_int_member (cell, "query");
      const gsize key = (gsize) json_object_get_int_member (cell, "key");
      g_assert_true (
        is_equal (map[query * n_keys + key], (float) get_number (json_object_get_member (cell, "value")), tolerance));
    }
  for (guint i = 0; i < json_array_get_length (sums); i++)
    {
      JsonObject *sum = json_array_get_object_element (sums, i);
      g_autofree float *map = read_head (source, sum);
      const gsize query = (gsize) json_object_get_int_member (sum, "query");
      double found_sum = 0;
      for (gsize key = 0; key < n_keys; key++)
        found_sum += map[query * n_keys + key];
      const double wanted = get_number (json_object_get_member (sum, "value"));
      g_assert_true (is_equal (found_sum, wanted, 1e-12 * MAX (1, fabs (wanted)) + tolerance * (double) n_keys));
    }
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      JsonObject *row = json_array_get_object_element (rows, i);
      JsonArray *values = json_object_get_array_member (row, "values");
      g_autofree float *map = read_head (source, row);
      const gsize query = (gsize) json_object_get_int_member (row, "query");
      g_assert_cmpuint (json_array_get_length (values), ==, n_keys);
      for (gsize key = 0; key < n_keys; key++)
        g_assert_true (is_equal (map[query * n_keys + key],
                                 (float) get_number (json_array_get_element (values, (guint) key)), tolerance));
    }
}

/* The sum of each head of queries or keys, which hold nothing else. */
static void
check_projections (JsonObject  *sums,
                   const char  *name,
                   HlAttention *attention,
                   HlSide       side)
{
  JsonArray *layers = json_object_get_array_member (sums, name);

  g_assert_cmpuint (json_array_get_length (layers), ==, hl_attention_get_n_layers (attention));
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    {
      const HlLayerTensor *found = hl_attention_get_projection (attention, side, layer);
      const gsize n_rows = hl_layer_tensor_get_n_rows (found), n_columns = hl_layer_tensor_get_n_columns (found);
      JsonArray *heads = json_array_get_array_element (layers, layer);
      g_autofree float *numbers = g_new (float, n_rows *n_columns);

      g_assert_cmpuint (json_array_get_length (heads), ==, hl_layer_tensor_get_n_heads (found));
      for (guint head = 0; head < json_array_get_length (heads); head++)
        {
          double sum = 0;
          g_assert_true (hl_layer_tensor_read (found, head, 0, n_rows, 0, n_columns, numbers, NULL, NULL));
          for (gsize i = 0; i < n_rows * n_columns; i++)
            sum += numbers[i];
          g_assert_cmpfloat_with_epsilon (sum, json_array_get_double_element (heads, head), 1e-9);
        }
    }
}

static void
check_attention (JsonObject  *attention,
                 HlAttention *found,
                 double       tolerance)
{
  JsonArray *heads = json_object_get_array_member (attention, "heads");
  const gsize n_queries = (gsize) json_object_get_int_member (attention, "queries");
  const gsize n_keys = (gsize) json_object_get_int_member (attention, "keys");

  g_assert_cmpstr (hl_attention_kind_get_name (hl_attention_get_kind (found)), ==,
                   json_object_get_string_member (attention, "name"));
  g_assert_cmpuint (hl_attention_get_n_layers (found), ==, json_object_get_int_member (attention, "layers"));
  for (guint layer = 0; layer < hl_attention_get_n_layers (found); layer++)
    g_assert_cmpuint (hl_attention_get_n_heads (found, layer), ==, json_array_get_int_element (heads, layer));
  g_assert_cmpuint (hl_attention_get_n (found, HL_QUERIES), ==, n_queries);
  g_assert_cmpuint (hl_attention_get_n (found, HL_KEYS), ==, n_keys);
  check_tokens (attention, "query_tokens", hl_attention_get_tokens (found, HL_QUERIES),
                hl_attention_has_tokens (found, HL_QUERIES),
                (gsize) json_object_get_int_member_with_default (attention, "first_query", 0), n_queries);
  check_tokens (attention, "key_tokens", hl_attention_get_tokens (found, HL_KEYS),
                hl_attention_has_tokens (found, HL_KEYS), 0, n_keys);
  check_numbers (attention, found, tolerance);
}

static gboolean
has_flag (JsonObject *flags,
          const char *name)
{
  return !JSON_NODE_HOLDS_NULL (json_object_get_member (flags, name));
}

static void
check_flags (JsonObject *flags,
             HlExample  *found)
{
  HlAttention *attention = hl_example_get_attention (found, 0);
  const HlAttentionRule *rule = hl_attention_get_rule (attention, 0);
  const HlMask *mask = &rule->mask;
  const HlLayerTensor *queries = hl_attention_get_projection (attention, HL_QUERIES, 0);

  g_assert_cmpstr (hl_example_get_text (found), ==, json_object_get_string_member_with_default (flags, "text", NULL));
  g_assert_cmpstr (hl_example_get_text_pair (found), ==,
                   json_object_get_string_member_with_default (flags, "text_pair", NULL));
  g_assert_cmpuint (hl_attention_get_sentence_b_start (attention), ==,
                    has_flag (flags, "sentence_b_start") ? json_object_get_int_member (flags, "sentence_b_start") : 0);
  if (has_flag (flags, "causal"))
    g_assert_cmpint (mask->causal, ==, json_object_get_int_member (flags, "causal"));
  g_assert_cmpuint (mask->window, ==,
                    has_flag (flags, "sliding_window") ? json_object_get_int_member (flags, "sliding_window") : 0);
  g_assert_cmpfloat (rule->softcap, ==,
                     has_flag (flags, "softcap") ? json_object_get_double_member (flags, "softcap") : 0);
  if (has_flag (flags, "scale"))
    g_assert_cmpfloat (rule->scale, ==, json_object_get_double_member (flags, "scale"));
  else if (queries != NULL)
    g_assert_cmpfloat (rule->scale, ==, 1 / sqrt ((double) hl_layer_tensor_get_n_columns (queries)));
}

/* Whether one of the checks, or of those about the numbers, says something. */
static gboolean
is_said (HlExample  *example,
         const char *text)
{
  g_autoptr (GPtrArray) messages = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *checks = hl_example_get_checks (example);

  for (guint i = 0; i < checks->len; i++)
    g_ptr_array_add (messages, g_strdup (hl_check_get_message (g_ptr_array_index (checks, i))));
  for (guint i = 0; i < hl_example_get_n_attentions (example); i++)
    {
      HlAttention *attention = hl_example_get_attention (example, i);
      g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) found = hl_examine_attention (attention, source, NULL, &error);
      g_assert_no_error (error);
      for (guint j = 0; j < found->len; j++)
        g_ptr_array_add (messages, g_strdup (hl_check_get_message (g_ptr_array_index (found, j))));
    }
  for (guint i = 0; i < messages->len; i++)
    if (strstr (g_ptr_array_index (messages, i), text) != NULL)
      return TRUE;
  return FALSE;
}

static const struct
{
  const char *odd;
  const char *text;
} oddities[] = {
  { "no-tokens", "there are no tokens" },
  { "fewer-tokens", "positions after them are taken for padding" },
  { "more-tokens", "those at the end are left out" },
  { "padding", "padding" },
  { "causal", "causal" },
  { "projected", "keys are projected positions: 10 tokens become" },
  { "future-version", "of version 3 of its format" },
  { "nan", "infinite" },
  { "scores", "scores before the softmax" },
  { "some-layers", "only these layers of the model" },
  { "some-heads", "only these heads of the model" },
  { "unread", "was generated but not read by the model" },
};

static void
check_oddities (JsonArray *odd,
                HlExample *example)
{
  GPtrArray *checks = hl_example_get_checks (example);

  for (guint i = 0; i < json_array_get_length (odd); i++)
    for (guint j = 0; j < G_N_ELEMENTS (oddities); j++)
      if (g_str_equal (oddities[j].odd, json_array_get_string_element (odd, i)))
        g_assert_true (is_said (example, oddities[j].text));
  if (json_array_get_length (odd) == 0)
    for (guint i = 0; i < checks->len; i++)
      g_assert_cmpint (hl_check_get_severity (g_ptr_array_index (checks, i)), ==, HL_SEVERITY_INFO);
}

/* Opens a file of a folder, which is beside tests/core, and compares it with its entry in expected.json. */
void
test_check_expected (JsonObject *expected,
                     const char *folder,
                     const char *name)
{
  JsonObject *dump = json_object_get_object_member (expected, name);
  JsonArray *examples = json_object_get_array_member (dump, "examples");
  const gboolean is_padded = !JSON_NODE_HOLDS_NULL (json_object_get_member (dump, "padding"));
  g_autoptr (GFile) file = test_get_file (folder, name);
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_load (file, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (hl_document_get_file (document) == file);
  g_assert_cmpstr (hl_document_get_container (document), ==,
                   json_object_get_string_member_with_default (dump, "container",
                                                               g_str_has_suffix (name, ".json") ? "JSON" : "HDF5"));
  g_assert_cmpstr (hl_document_get_model (document), ==,
                   json_object_get_string_member_with_default (dump, "model", NULL));
  g_assert_cmpuint (hl_document_get_n_examples (document), ==, json_array_get_length (examples));

  for (guint i = 0; i < json_array_get_length (examples); i++)
    {
      JsonObject *wanted = json_array_get_object_element (examples, i);
      JsonArray *attentions = json_object_get_array_member (wanted, "blocks");
      g_autoptr (HlExample) example = hl_document_get_example (document, i, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpstr (hl_example_get_name (example), ==, hl_document_get_example_name (document, i));
      if (!JSON_NODE_HOLDS_NULL (json_object_get_member (wanted, "name")))
        g_assert_cmpstr (hl_example_get_name (example), ==, json_object_get_string_member (wanted, "name"));
      g_assert_cmpuint (hl_example_get_n_attentions (example), ==, json_array_get_length (attentions));
      for (guint j = 0; j < json_array_get_length (attentions); j++)
        {
          HlAttention *attention = hl_example_get_attention (example, j);
          g_assert_true (hl_example_find_attention (example, hl_attention_get_kind (attention)) == attention);
          check_attention (json_array_get_object_element (attentions, j), attention,
                           json_object_get_double_member (dump, "tolerance"));
          const gsize n_used = is_padded ? (gsize) json_object_get_int_member (dump, "padding")
                                         : hl_attention_get_n (attention, HL_QUERIES);
          g_assert_cmpuint (hl_attention_get_n_used (attention, HL_QUERIES), ==, n_used);
          if (is_padded)
            g_assert_cmpuint (hl_attention_get_n_used (attention, HL_KEYS), ==, n_used);
        }
      if (json_object_has_member (wanted, "projections") && !json_object_get_null_member (wanted, "projections"))
        {
          JsonObject *sums = json_object_get_object_member (wanted, "projections");
          check_projections (sums, "queries", hl_example_get_attention (example, 0), HL_QUERIES);
          check_projections (sums, "keys", hl_example_get_attention (example, 0), HL_KEYS);
        }
      check_flags (json_object_get_object_member (wanted, "flags"), example);
      if (!hl_document_is_part (document, i))
        check_oddities (json_object_get_array_member (dump, "odd"), example);
    }
  g_assert_finalize_object (document);
}
