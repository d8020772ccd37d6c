/* SPDX-License-Identifier: MIT */
/* Families whose tokens see what stands before them. */
#include "core/model/family/hl-family-rows.h"

#define LLAMA_ATTENTION                                                                                                \
  .query = "self_attn.q_proj", .key = "self_attn.k_proj", .value = "self_attn.v_proj", .output = "self_attn.o_proj",   \
  .before = "input_layernorm"
#define LLAMA_FEED_FORWARD .gate = "mlp.gate_proj", .in = "mlp.up_proj", .out = "mlp.down_proj"
#define LLAMA_STACK                                                                                                    \
  .words = LIST ("embed_tokens.weight", "/lm_head.weight"), .layer = "layers.%u.",                                     \
  .feed_forward = { LLAMA_FEED_FORWARD, .before = "post_attention_layernorm" }, .final_norm = "norm"
#define LLAMA_HEAD                                                                                                     \
  {                                                                                                                    \
    OWN_OR_TIED (FALSE, "/lm_head.weight")                                                                             \
  }
#define LLAMA_RULES                                                                                                    \
  .prefixes = LIST ("model.", ""), .rotary = TRUE, .rotary_fraction = 1, .theta = 10000, .causal = TRUE, .rms = TRUE,  \
  .gated = TRUE, .norm_before = ALWAYS, .activation = "silu", .epsilon = 1e-6
#define GEMMA_PARTS                                                                                                    \
  .words = LIST ("embed_tokens.weight", "/lm_head.weight"), .layer = "layers.%u.",                                     \
  .feed_forward = { LLAMA_FEED_FORWARD, .before = "pre_feedforward_layernorm",                                         \
                    .inner = "post_feedforward_layernorm" },                                                           \
  .final_norm = "norm"
#define GEMMA_HEAD                                                                                                     \
  {                                                                                                                    \
    OWN_OR_TIED (TRUE, "/lm_head.weight", "/language_model.lm_head.weight"), .softcap = "final_logit_softcapping"      \
  }

/* Attention and feed-forward side by side behind one layer norm; rotary embedding of neighbouring features. */
#define COHERE_STACK                                                                                                   \
  .words = LIST ("embed_tokens.weight", "/lm_head.weight"), .layer = "layers.%u.", .attention = { LLAMA_ATTENTION },   \
  .feed_forward = { LLAMA_FEED_FORWARD }, .final_norm = "norm"
#define COHERE_HEAD                                                                                                    \
  {                                                                                                                    \
    OWN_OR_TIED (TRUE, "/lm_head.weight"), .multiplier = "logit_scale", .multiplier_fallback = 0.0625                  \
  }
#define COHERE_RULES                                                                                                   \
  .prefixes = LIST ("model.", ""), .rotary = TRUE, .rotary_fraction = 1, .theta = 10000, .causal = TRUE,               \
  .permuted = TRUE, .gated = TRUE, .parallel = ALWAYS, .norm_before = ALWAYS, .qkv_bias = { "attention_bias", FALSE }, \
  .output_bias = { "attention_bias", FALSE }, .activation = "silu", .refused = LIST ("use_qk_norm"), .epsilon = 1e-5

static const HlFamily rows[] = {
  {
    .label = "GPT-2",
    .types = LIST ("gpt2"),
    .prefixes = LIST ("transformer.", ""),
    .stack = { .words = LIST ("wte.weight", "/lm_head.weight"),
               .positions = "wpe",
               .layer = "h.%u.",
               .attention = { .fused = "attn.c_attn", .output = "attn.c_proj", .before = "ln_1" },
               .feed_forward = { .in = "mlp.c_fc", .out = "mlp.c_proj", .before = "ln_2" },
               .final_norm = "ln_f" },
    .head = { OWN_OR_TIED (TRUE, "/lm_head.weight") },
    .positions = HL_POSITIONS_LEARNED,
    .causal = TRUE,
    .transposed = TRUE,
    .norm_before = ALWAYS,
    .qkv_bias = ALWAYS,
    .output_bias = ALWAYS,
    .feed_forward_bias = ALWAYS,
    .norm_bias = ALWAYS,
    .activation = "gelu_new",
    .epsilon = 1e-5,
  },
  {
    .label = "GPT-NeoX",
    .types = LIST ("gpt_neox"),
    .prefixes = LIST ("gpt_neox.", ""),
    .stack = { .words = LIST ("embed_in.weight"),
               .layer = "layers.%u.",
               .attention = { .fused = "attention.query_key_value",
                              .output = "attention.dense",
                              .before = "input_layernorm" },
               .feed_forward = { .in = "mlp.dense_h_to_4h",
                                 .out = "mlp.dense_4h_to_h",
                                 .before = "post_attention_layernorm" },
               .final_norm = "final_layer_norm" },
    .head = { OWN_OR_TIED (FALSE, "/embed_out.weight", "/lm_head.weight") },
    .rotary = TRUE,
    .rotary_fraction = 0.25,
    .theta = 10000,
    .causal = TRUE,
    .per_head = TRUE,
    .parallel = { "use_parallel_residual", TRUE },
    .norm_before = ALWAYS,
    .qkv_bias = { "attention_bias", TRUE },
    .output_bias = { "attention_bias", TRUE },
    .feed_forward_bias = ALWAYS,
    .norm_bias = ALWAYS,
    .activation = "gelu",
    .epsilon = 1e-5,
  },
  {
    .label = "OPT",
    .types = LIST ("opt"),
    .prefixes = LIST ("model.decoder.", "decoder.", ""),
    .stack = { .words = LIST ("embed_tokens.weight", "/lm_head.weight"),
               .positions = "embed_positions",
               .projection = "project_in",
               .layer = "layers.%u.",
               .attention = { .query = "self_attn.q_proj",
                              .key = "self_attn.k_proj",
                              .value = "self_attn.v_proj",
                              .output = "self_attn.out_proj",
                              .before = "self_attn_layer_norm" },
               .feed_forward = { .in = "fc1", .out = "fc2", .before = "final_layer_norm" },
               .final_norm = "final_layer_norm" },
    .head = { OWN_OR_TIED (TRUE, "/lm_head.weight"), .project = "project_out" },
    .positions = HL_POSITIONS_LEARNED,
    .position_offset = 2,
    .causal = TRUE,
    .norm_before = { "do_layer_norm_before", TRUE },
    .qkv_bias = { "enable_bias", TRUE },
    .output_bias = { "enable_bias", TRUE },
    .feed_forward_bias = { "enable_bias", TRUE },
    .norm_bias = { "layer_norm_elementwise_affine", TRUE },
    .activation = "relu",
    .epsilon = 1e-5,
  },
  {
    .label = "LLaMA",
    .types = LIST ("llama"),
    .stack = { LLAMA_STACK, .attention = { LLAMA_ATTENTION } },
    .head = LLAMA_HEAD,
    .qkv_bias = { "attention_bias", FALSE },
    .output_bias = { "attention_bias", FALSE },
    .feed_forward_bias = { "mlp_bias", FALSE },
    LLAMA_RULES,
  },
  {
    .label = "Mistral",
    .types = LIST ("mistral"),
    .stack = { LLAMA_STACK, .attention = { LLAMA_ATTENTION } },
    .head = LLAMA_HEAD,
    .windows = HL_WINDOWS_ALL,
    LLAMA_RULES,
  },
  {
    .label = "Qwen2",
    .types = LIST ("qwen2"),
    .stack = { LLAMA_STACK, .attention = { LLAMA_ATTENTION } },
    .head = LLAMA_HEAD,
    .windows = HL_WINDOWS_UPPER,
    .qkv_bias = ALWAYS,
    LLAMA_RULES,
  },
  {
    .label = "Qwen3",
    .types = LIST ("qwen3"),
    .stack = { LLAMA_STACK,
               .attention = { LLAMA_ATTENTION, .query_norm = "self_attn.q_norm", .key_norm = "self_attn.k_norm" } },
    .head = LLAMA_HEAD,
    .windows = HL_WINDOWS_UPPER,
    .head_norm = ALWAYS,
    .qkv_bias = { "attention_bias", FALSE },
    .output_bias = { "attention_bias", FALSE },
    LLAMA_RULES,
  },
  {
    .label = "Gemma 2",
    .types = LIST ("gemma2"),
    .prefixes = LIST ("model.", ""),
    .stack = { GEMMA_PARTS, .attention = { LLAMA_ATTENTION, .inner = "post_attention_layernorm" } },
    .head = GEMMA_HEAD,
    .rotary = TRUE,
    .rotary_fraction = 1,
    .theta = 10000,
    .causal = TRUE,
    .windows = HL_WINDOWS_NOT_EVERY_NTH,
    .window_period = 2,
    .rms = TRUE,
    .plus_one = TRUE,
    .gated = TRUE,
    .scaled_words = ALWAYS,
    .norm_before = ALWAYS,
    .qkv_bias = { "attention_bias", FALSE },
    .output_bias = { "attention_bias", FALSE },
    .activation = "gelu_pytorch_tanh",
    .epsilon = 1e-6,
  },
  {
    .label = "Gemma 3",
    .types = LIST ("gemma3_text", "gemma3"),
    .prefixes = LIST ("model.", "model.language_model.", "language_model.model.", ""),
    .stack = { GEMMA_PARTS, .attention = { LLAMA_ATTENTION, .inner = "post_attention_layernorm",
                                           .query_norm = "self_attn.q_norm", .key_norm = "self_attn.k_norm" } },
    .head = GEMMA_HEAD,
    .rotary = TRUE,
    .rotary_fraction = 1,
    .theta = 1000000,
    .local_theta = 10000,
    .causal = TRUE,
    .windows = HL_WINDOWS_NOT_EVERY_NTH,
    .window_period = 6,
    .rms = TRUE,
    .plus_one = TRUE,
    .gated = TRUE,
    .scaled_words = ALWAYS,
    .norm_before = ALWAYS,
    .qkv_bias = { "attention_bias", FALSE },
    .output_bias = { "attention_bias", FALSE },
    .head_norm = ALWAYS,
    .activation = "gelu_pytorch_tanh",
    .epsilon = 1e-6,
  },
  {
    .label = "SmolLM3",
    .types = LIST ("smollm3"),
    .prefixes = LIST ("model.", ""),
    .stack = { LLAMA_STACK, .attention = { LLAMA_ATTENTION } },
    .head = { OWN_OR_TIED (TRUE, "/lm_head.weight") },
    .rotary = TRUE,
    .rotary_fraction = 1,
    .rope_layers = HL_ROPE_LAYERS_LISTED,
    .theta = 2000000,
    .causal = TRUE,
    .windows = HL_WINDOWS_UPPER,
    .rms = TRUE,
    .gated = TRUE,
    .norm_before = ALWAYS,
    .qkv_bias = { "attention_bias", FALSE },
    .output_bias = { "attention_bias", FALSE },
    .feed_forward_bias = { "mlp_bias", FALSE },
    .activation = "silu",
    .epsilon = 1e-6,
  },
  {
    .label = "Command R",
    .types = LIST ("cohere"),
    .stack = { COHERE_STACK },
    .head = COHERE_HEAD,
    COHERE_RULES,
  },
  {
    .label = "Command R7B",
    .types = LIST ("cohere2"),
    .stack = { COHERE_STACK },
    .head = COHERE_HEAD,
    .rope_layers = HL_ROPE_LAYERS_WITH_WINDOW,
    .windows = HL_WINDOWS_NOT_EVERY_NTH,
    .window_period = 4,
    COHERE_RULES,
  },
  {
    .label = "Phi",
    .types = LIST ("phi"),
    .prefixes = LIST ("model.", ""),
    .stack = { .words = LIST ("embed_tokens.weight", "/lm_head.weight"),
               .layer = "layers.%u.",
               .attention = { .query = "self_attn.q_proj",
                              .key = "self_attn.k_proj",
                              .value = "self_attn.v_proj",
                              .output = "self_attn.dense",
                              .query_norm = "self_attn.q_layernorm",
                              .key_norm = "self_attn.k_layernorm",
                              .before = "input_layernorm" },
               .feed_forward = { .in = "mlp.fc1", .out = "mlp.fc2" },
               .final_norm = "final_layernorm" },
    .head = { OWN_OR_TIED (FALSE, "/lm_head.weight"), .bias = LIST ("/lm_head.bias"), .bias_needed = ALWAYS },
    .rotary = TRUE,
    .rotary_fraction = 0.5,
    .theta = 10000,
    .causal = TRUE,
    .parallel = ALWAYS,
    .norm_before = ALWAYS,
    .qkv_bias = ALWAYS,
    .output_bias = ALWAYS,
    .feed_forward_bias = ALWAYS,
    .norm_bias = ALWAYS,
    .head_norm = { "qk_layernorm", FALSE },
    .activation = "gelu_new",
    .epsilon = 1e-5,
  },
};

const HlFamilyRows hl_decoder_families = { rows, G_N_ELEMENTS (rows) };
