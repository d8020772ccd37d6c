/* SPDX-License-Identifier: MIT */
/* Attentions in memory for tests: no file needed. */
#pragma once

#include "core/document/attention/hl-example.h"

G_BEGIN_DECLS

HlTensor    *test_make_tensor         (const HlShape     *shape,
                                       const float       *numbers);
float       *test_make_weights        (guint              seed,
                                       gsize              n_maps,
                                       gsize              n_queries,
                                       gsize              n_keys);
HlAttention *test_make_attention      (guint              n_layers,
                                       guint              n_heads,
                                       gsize              n_queries,
                                       gsize              n_keys,
                                       const float       *weights);
HlAttention *test_make_attention_of   (const char        *quantity,
                                       guint              n_heads,
                                       gsize              n_queries,
                                       gsize              n_keys,
                                       const float       *numbers);
HlAttention *test_make_attention_full (guint              n_layers,
                                       guint              n_heads,
                                       gsize              n_queries,
                                       gsize              n_keys,
                                       const float       *weights,
                                       const char *const *query_tokens,
                                       const char *const *key_tokens,
                                       gsize              n_used,
                                       gsize              sentence_b_start,
                                       HlMask             mask);
HlExample   *test_make_hollow_example (guint              n_heads,
                                       gsize              n);

G_END_DECLS
