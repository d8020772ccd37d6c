/* SPDX-License-Identifier: MIT */
/* What tests share: heads with queries and keys, in memory and from the committed dumps, and layers without attention. */
#pragma once

#include <json-glib/json-glib.h>

#include "view/hl-view-state.h"

G_BEGIN_DECLS

/**
 * TestHeads:
 * @n_heads: heads of queries
 * @n_key_heads: heads of keys and values
 * @n_queries: how many
 * @n_keys: how many
 * @n_features: of a head
 * @n_input: features of the input; 0 for none
 * @has_values: whether there are values
 * @rule: how weights follow; its bias is of one layer
 *
 * A layer of random numbers.
 */
typedef struct
{
  guint           n_heads;
  guint           n_key_heads;
  gsize           n_queries;
  gsize           n_keys;
  gsize           n_features;
  gsize           n_input;
  gboolean        has_values;
  HlAttentionRule rule;
} TestHeads;

HlViewState *test_make_head_state    (const TestHeads *heads);
HlViewState *test_make_gaps_state    (guint            n_layers,
                                      guint            n_heads,
                                      guint            period);
HlViewState *test_load_head_state    (JsonObject      *test_case);
JsonArray   *test_load_cases         (JsonParser      *parser);
double       test_get_case_number    (JsonNode        *node);

G_END_DECLS
