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
/* The same, normed before and not after. */
#define MBART_LAYER                                                                                                    \
  .attention = { .query = "self_attn.q_proj",                                                                          \
                 .key = "self_attn.k_proj",                                                                            \
                 .value = "self_attn.v_proj",                                                                          \
                 .output = "self_attn.out_proj",                                                                       \
                 .before = "self_attn_layer_norm" },                                                                   \
  .feed_forward = { .in = "fc1", .out = "fc2", .before = "final_layer_norm" }
#define MBART_CROSS                                                                                                    \
  .cross = { .query = "encoder_attn.q_proj",                                                                           \
             .key = "encoder_attn.k_proj",                                                                             \
             .value = "encoder_attn.v_proj",                                                                           \
             .output = "encoder_attn.out_proj",                                                                        \
             .before = "encoder_attn_layer_norm" }
#define MBART_ENCODER                                                                                                  \
  MBART_LAYER,                                                                                                         \
    .words = LIST ("encoder.embed_tokens.weight", "shared.weight", "decoder.embed_tokens.weight", "/lm_head.weight"),  \
    .layer = "encoder.layers.%u.", .final_norm = "encoder.layer_norm"
#define MBART_DECODER                                                                                                  \
  MBART_LAYER, MBART_CROSS,                                                                                            \
    .words = LIST ("decoder.embed_tokens.weight", "shared.weight", "encoder.embed_tokens.weight", "/lm_head.weight"),  \
    .layer = "decoder.layers.%u.", .final_norm = "decoder.layer_norm"
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

/* The layer that has the biases by distance is the first, or each has its own. */
#define T5_STACKS(layer_of_bias)                                                                                       \
  .prefixes = LIST (""),                                                                                               \
  .stack = { .words = LIST ("encoder.embed_tokens.weight", "shared.weight", "decoder.embed_tokens.weight"),            \
             .layer = "encoder.block.%u.",                                                                             \
             .attention = T5_ATTENTION ("layer.0.SelfAttention", "layer.0.layer_norm"),                                \
             .feed_forward = T5_FEED_FORWARD ("1"),                                                                    \
             .relative_bias = "encoder.block." layer_of_bias ".layer.0.SelfAttention.relative_attention_bias",         \
             .final_norm = "encoder.final_layer_norm" },                                                               \
  .decoder = { .words = LIST ("decoder.embed_tokens.weight", "shared.weight", "encoder.embed_tokens.weight"),          \
               .layer = "decoder.block.%u.",                                                                           \
               .attention = T5_ATTENTION ("layer.0.SelfAttention", "layer.0.layer_norm"),                              \
               .cross = T5_ATTENTION ("layer.1.EncDecAttention", "layer.1.layer_norm"),                                \
               .feed_forward = T5_FEED_FORWARD ("2"),                                                                  \
               .relative_bias = "decoder.block." layer_of_bias ".layer.0.SelfAttention.relative_attention_bias",       \
               .final_norm = "decoder.final_layer_norm" }
#define T5_HEAD .rows = LIST ("/lm_head.weight"), .tied = ALWAYS
#define T5_RULES .rms = TRUE, .unscaled = TRUE, .norm_before = ALWAYS, .activation = "relu", .epsilon = 1e-6

static const HlFamily rows[] = {
  {
    .label = "T5",
    .types = LIST ("t5"),
    T5_STACKS ("0"),
    /* config.json calls those tied whose states are scaled; which rows there are, the file says. */
    .head = { T5_HEAD, .scaled = { "scale_decoder_outputs|tie_word_embeddings", TRUE } },
    T5_RULES,
  },
  {
    .label = "mT5",
    .types = LIST ("mt5"),
    T5_STACKS ("0"),
    .head = { T5_HEAD },
    T5_RULES,
  },
  {
    .label = "UMT5",
    .types = LIST ("umt5"),
    T5_STACKS ("%u"),
    .head = { T5_HEAD, .scaled = { "tie_word_embeddings", TRUE } },
    T5_RULES,
  },
  {
    .label = "BART",
    .types = LIST ("bart"),
    .stack = { BART_LAYER,
               .words = LIST ("encoder.embed_tokens.weight",
                              "shared.weight",
                              "decoder.embed_tokens.weight",
                              "/lm_head.weight"),
               .positions = "encoder.embed_positions", .embedding_norm = "encoder.layernorm_embedding",
               .layer = "encoder.layers.%u." },
    .decoder = { BART_LAYER, BART_CROSS,
                 .words = LIST ("decoder.embed_tokens.weight",
                                "shared.weight",
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
  {
    .label = "mBART",
    .types = LIST ("mbart"),
    .stack = { MBART_ENCODER, .positions = "encoder.embed_positions", .embedding_norm = "encoder.layernorm_embedding" },
    .decoder = { MBART_DECODER, .positions = "decoder.embed_positions",
                 .embedding_norm = "decoder.layernorm_embedding" },
    .head = BART_HEAD,
    .positions = HL_POSITIONS_LEARNED,
    .position_offset = 2,
    BART_RULES,
  },
  {
    .label = "M2M-100, NLLB",
    .types = LIST ("m2m_100"),
    .stack = { MBART_ENCODER },
    .decoder = { MBART_DECODER },
    .head = { OWN_OR_TIED (TRUE, "/lm_head.weight") },
    .positions = HL_POSITIONS_SINUSOID_AFTER_PADDING,
    BART_RULES,
  },
  {
    .label = "Pegasus",
    .types = LIST ("pegasus"),
    .stack = { MBART_ENCODER },
    .decoder = { MBART_DECODER },
    .head = BART_HEAD,
    .positions = HL_POSITIONS_SINUSOID,
    BART_RULES,
  },
  {
    .label = "BlenderBot",
    .types = LIST ("blenderbot"),
    .stack = { MBART_ENCODER, .positions = "encoder.embed_positions" },
    .decoder = { MBART_DECODER, .positions = "decoder.embed_positions" },
    .head = BART_HEAD,
    .positions = HL_POSITIONS_LEARNED,
    BART_RULES,
  },
};

const HlFamilyRows hl_two_stack_families = { rows, G_N_ELEMENTS (rows) };
