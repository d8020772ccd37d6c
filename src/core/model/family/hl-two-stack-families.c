/* SPDX-License-Identifier: MIT */
/* Families with an encoder and a decoder. */
#include "core/model/family/hl-family-rows.h"

/* A layer of a BART-like encoder, and what its decoder has besides. */
#define BART_LAYER                                                                                                     \
  .attention = { .query = "self_attn.q_proj",                                                                          \
                 .key = "self_attn.k_proj",                                                                            \
                 .value = "self_attn.v_proj",                                                                          \
                 .output = "self_attn.out_proj",                                                                       \
                 .after = "self_attn_layer_norm" },                                                                    \
  .feed_forward = { .in = "fc1", .out = "fc2", .after = "final_layer_norm" }
#define BART_CROSS                                                                                                     \
  .cross = { .query = "encoder_attn.q_proj",                                                                           \
             .key = "encoder_attn.k_proj",                                                                             \
             .value = "encoder_attn.v_proj",                                                                           \
             .output = "encoder_attn.out_proj",                                                                        \
             .after = "encoder_attn_layer_norm" }
#define BART_RULES                                                                                                     \
  .prefixes = LIST ("model.", ""), .scaled_words = { "scale_embedding", FALSE }, .qkv_bias = ALWAYS,                   \
  .output_bias = ALWAYS, .feed_forward_bias = ALWAYS, .norm_bias = ALWAYS, .norm_before = ALWAYS,                      \
  .activation = "gelu", .epsilon = 1e-5

#define BART_HEAD                                                                                                      \
  {                                                                                                                    \
    OWN_OR_TIED (TRUE, "/lm_head.weight"), .bias = LIST ("/final_logits_bias"), .bias_needed = NEVER                   \
  }

/* T5 counts a block's sublayers, so feed-forward is number 2 in a decoder. */
#define T5_ATTENTION(path, norm)                                                                                       \
  {                                                                                                                    \
    .query = path ".q", .key = path ".k", .value = path ".v", .output = path ".o", .before = norm                      \
  }
#define T5_FEED_FORWARD(number)                                                                                        \
  {                                                                                                                    \
    .gate = "layer." number ".DenseReluDense.wi_0", .in = "layer." number ".DenseReluDense.wi_1",                      \
    .plain = "layer." number ".DenseReluDense.wi", .out = "layer." number ".DenseReluDense.wo",                        \
    .before = "layer." number ".layer_norm"                                                                            \
  }

static const HlFamily rows[] = {
  {
    .label = "T5",
    .types = LIST ("t5"),
    .prefixes = LIST (""),
    .stack = { .words = LIST ("shared.weight", "encoder.embed_tokens.weight", "decoder.embed_tokens.weight"),
               .layer = "encoder.block.%u.",
               .attention = T5_ATTENTION ("layer.0.SelfAttention", "layer.0.layer_norm"),
               .feed_forward = T5_FEED_FORWARD ("1"),
               .relative_bias = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias",
               .final_norm = "encoder.final_layer_norm" },
    .decoder = { .words = LIST ("shared.weight", "decoder.embed_tokens.weight", "encoder.embed_tokens.weight"),
                 .layer = "decoder.block.%u.",
                 .attention = T5_ATTENTION ("layer.0.SelfAttention", "layer.0.layer_norm"),
                 .cross = T5_ATTENTION ("layer.1.EncDecAttention", "layer.1.layer_norm"),
                 .feed_forward = T5_FEED_FORWARD ("2"),
                 .relative_bias = "decoder.block.0.layer.0.SelfAttention.relative_attention_bias",
                 .final_norm = "decoder.final_layer_norm" },
    /* config.json calls those tied whose states are scaled; which rows there are, the file says. */
    .head = { .rows = LIST ("/lm_head.weight"),
              .tied = ALWAYS,
              .scaled = { "scale_decoder_outputs|tie_word_embeddings", TRUE } },
    .rms = TRUE,
    .unscaled = TRUE,
    .norm_before = ALWAYS,
    .activation = "relu",
    .epsilon = 1e-6,
  },
  {
    .label = "BART",
    .types = LIST ("bart"),
    .stack = { BART_LAYER,
               .words = LIST ("shared.weight",
                              "encoder.embed_tokens.weight",
                              "decoder.embed_tokens.weight",
                              "/lm_head.weight"),
               .positions = "encoder.embed_positions", .embedding_norm = "encoder.layernorm_embedding",
               .layer = "encoder.layers.%u." },
    .decoder = { BART_LAYER, BART_CROSS,
                 .words = LIST ("shared.weight",
                                "decoder.embed_tokens.weight",
                                "encoder.embed_tokens.weight",
                                "/lm_head.weight"),
                 .positions = "decoder.embed_positions", .embedding_norm = "decoder.layernorm_embedding",
                 .layer = "decoder.layers.%u." },
    .head = BART_HEAD,
    .positions = HL_POSITIONS_LEARNED,
    .position_offset = 2,
    BART_RULES,
  },
  {
    .label = "Marian",
    .types = LIST ("marian"),
    .stack = { BART_LAYER,
               .words = LIST ("encoder.embed_tokens.weight",
                              "shared.weight",
                              "decoder.embed_tokens.weight",
                              "/lm_head.weight"),
               .layer = "encoder.layers.%u." },
    .decoder = { BART_LAYER, BART_CROSS,
                 .words = LIST ("decoder.embed_tokens.weight",
                                "shared.weight",
                                "encoder.embed_tokens.weight",
                                "/lm_head.weight"),
                 .layer = "decoder.layers.%u." },
    .head = BART_HEAD,
    .positions = HL_POSITIONS_SINUSOID,
    BART_RULES,
  },
};

const HlFamilyRows hl_two_stack_families = { rows, G_N_ELEMENTS (rows) };
