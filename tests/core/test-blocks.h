/* SPDX-License-Identifier: MIT */
/* Blocks in memory for tests: no file needed. */
#pragma once

#include "core/document/attention/hl-block.h"

G_BEGIN_DECLS

HlTensor *test_make_tensor        (const HlShape *shape,
                                   const float   *numbers);
float    *test_make_attention     (guint          seed,
                                   gsize          n_maps,
                                   gsize          n_queries,
                                   gsize          n_keys);
HlBlock  *test_make_block         (guint          n_layers,
                                   guint          n_heads,
                                   gsize          n_queries,
                                   gsize          n_keys,
                                   const float   *weights);
HlBlock  *test_make_block_full    (guint                n_layers,
                                   guint                n_heads,
                                   gsize                n_queries,
                                   gsize                n_keys,
                                   const float         *weights,
                                   const char *const   *query_tokens,
                                   const char *const   *key_tokens,
                                   gsize                n_used,
                                   gsize                sentence_b_start,
                                   HlMask               mask);

G_END_DECLS
