/* SPDX-License-Identifier: MIT */
/* Families that are mixtures of experts. */
#include "core/model/family/hl-llama-rows.h"

#define MIXTRAL_EXPERTS                                                                                                \
  .router = "block_sparse_moe.gate", .gate = "block_sparse_moe.experts.%u.w1", .in = "block_sparse_moe.experts.%u.w3", \
  .out = "block_sparse_moe.experts.%u.w2"
#define QWEN_EXPERTS                                                                                                   \
  .router = "mlp.gate", .gate = "mlp.experts.%u.gate_proj", .in = "mlp.experts.%u.up_proj",                            \
  .out = "mlp.experts.%u.down_proj", .all_in = "mlp.experts.gate_up_proj", .all_out = "mlp.experts.down_proj"
#define QWEN_SHARED                                                                                                    \
  .shared = { .gate = "mlp.shared_expert.gate_proj",                                                                   \
              .in = "mlp.shared_expert.up_proj",                                                                       \
              .out = "mlp.shared_expert.down_proj" },                                                                  \
  .shared_gate = "mlp.shared_expert_gate"
#define DEEPSEEK_ATTENTION                                                                                             \
  .attention = { .output = "self_attn.o_proj", .before = "input_layernorm" },                                          \
  .latent = { .query = "self_attn.q_proj",                                                                             \
              .query_down = "self_attn.q_a_proj",                                                                      \
              .query_norm = "self_attn.q_a_layernorm",                                                                 \
              .query_up = "self_attn.q_b_proj",                                                                        \
              .key_down = "self_attn.kv_a_proj_with_mqa",                                                              \
              .key_norm = "self_attn.kv_a_layernorm",                                                                  \
              .key_up = "self_attn.kv_b_proj" }
#define DEEPSEEK_EXPERTS                                                                                               \
  QWEN_EXPERTS, .shared = { .gate = "mlp.shared_experts.gate_proj",                                                    \
                            .in = "mlp.shared_experts.up_proj",                                                        \
                            .out = "mlp.shared_experts.down_proj" }
#define RULES                                                                                                          \
  .prefixes = LIST ("model.", ""), .rotary = TRUE, .rotary_fraction = 1, .theta = 10000, .causal = TRUE,               \
  .gated = TRUE, .norm_before = ALWAYS, .activation = "silu"

static const HlFamily rows[] = {
  {
    .label = "Mixtral",
    .types = LIST ("mixtral"),
    .stack = { LLAMA_STACK, .attention = { LLAMA_ATTENTION }, .experts = { MIXTRAL_EXPERTS } },
    .head = LLAMA_HEAD,
    .windows = HL_WINDOWS_ALL,
    .rms = TRUE,
    .routing = HL_ROUTING_SOFTMAX_OF_CHOSEN,
    .epsilon = 1e-5,
    RULES,
  },
  {
    .label = "Qwen2-MoE",
    .types = LIST ("qwen2_moe"),
    .stack = { LLAMA_STACK, .attention = { LLAMA_ATTENTION }, .experts = { QWEN_EXPERTS, QWEN_SHARED } },
    .head = LLAMA_HEAD,
    .windows = HL_WINDOWS_UPPER,
    .rms = TRUE,
    .qkv_bias = { "qkv_bias", TRUE },
    .shares_renormalised = { "norm_topk_prob", FALSE },
    .epsilon = 1e-6,
    RULES,
  },
  {
    .label = "Qwen3-MoE",
    .types = LIST ("qwen3_moe"),
    .stack = { LLAMA_STACK,
               .attention = { LLAMA_ATTENTION, .query_norm = "self_attn.q_norm", .key_norm = "self_attn.k_norm" },
               .experts = { QWEN_EXPERTS } },
    .head = LLAMA_HEAD,
    .windows = HL_WINDOWS_UPPER,
    .rms = TRUE,
    .head_norm = ALWAYS,
    .qkv_bias = { "attention_bias", FALSE },
    .output_bias = { "attention_bias", FALSE },
    .shares_renormalised = { "norm_topk_prob", FALSE },
    .epsilon = 1e-6,
    RULES,
  },
  {
    .label = "Qwen3-Next",
    .types = LIST ("qwen3_next"),
    .stack = { LLAMA_STACK, DELTA_PARTS, .experts = { QWEN_EXPERTS, QWEN_SHARED } },
    .head = LLAMA_HEAD,
    .shares_renormalised = { "norm_topk_prob", TRUE },
    DELTA_RULES,
  },
  {
    .label = "Qwen3.5-MoE",
    .types = LIST ("qwen3_5_moe_text", "qwen3_5_moe"),
    .stack = { LLAMA_STACK, DELTA_PARTS, .experts = { QWEN_EXPERTS, QWEN_SHARED } },
    .head = LLAMA_HEAD,
    .shares_renormalised = ALWAYS,
    DELTA_RULES,
  },
  {
    .label = "LLaMA 4",
    .types = LIST ("llama4_text", "llama4"),
    .stack = { .words = LIST ("embed_tokens.weight", "/lm_head.weight"),
               .layer = "layers.%u.",
               .attention = { LLAMA_ATTENTION },
               .feed_forward = { .gate = "feed_forward.gate_proj",
                                 .in = "feed_forward.up_proj",
                                 .out = "feed_forward.down_proj",
                                 .before = "post_attention_layernorm" },
               .experts = { .router = "feed_forward.router",
                            .in = "feed_forward.experts.gate_up_proj",
                            .out = "feed_forward.experts.down_proj",
                            .shared = { .gate = "feed_forward.shared_expert.gate_proj",
                                        .in = "feed_forward.shared_expert.up_proj",
                                        .out = "feed_forward.shared_expert.down_proj" } },
               .final_norm = "norm" },
    .head = { OWN_OR_TIED (FALSE, "/lm_head.weight", "/language_model.lm_head.weight") },
    .prefixes = LIST ("model.", "language_model.model.", "model.language_model.", ""),
    .rotary = TRUE,
    .interleaved = TRUE,
    .rotary_fraction = 1,
    .rope_layers = HL_ROPE_LAYERS_LISTED,
    .theta = 500000,
    .causal = TRUE,
    .windows = HL_WINDOWS_CHUNKS,
    .rms = TRUE,
    .gated = TRUE,
    .norm_before = ALWAYS,
    .qkv_bias = { "attention_bias", FALSE },
    .output_bias = { "attention_bias", FALSE },
    .head_norm = { "use_qk_norm", TRUE },
    .head_norm_bare = TRUE,
    .heat = HL_HEAT_UNTURNED,
    .routing = HL_ROUTING_SIGMOID,
    .experts_transposed = TRUE,
    .experts_weigh_input = TRUE,
    .activation = "silu",
    .epsilon = 1e-5,
  },
  {
    .label = "GLM-4-MoE",
    .types = LIST ("glm4_moe"),
    .stack = { LLAMA_STACK,
               .attention = { LLAMA_ATTENTION, .query_norm = "self_attn.q_norm", .key_norm = "self_attn.k_norm" },
               .experts = { DEEPSEEK_EXPERTS, .correction = "mlp.gate.e_score_correction_bias" } },
    .head = LLAMA_HEAD,
    .prefixes = LIST ("model.", ""),
    .rotary = TRUE,
    .rotary_fraction = 0.5,
    .theta = 10000,
    .causal = TRUE,
    .rms = TRUE,
    .gated = TRUE,
    .norm_before = ALWAYS,
    .qkv_bias = { "attention_bias", FALSE },
    .head_norm = { "use_qk_norm", FALSE },
    .routing = HL_ROUTING_SIGMOID,
    .shares_renormalised = { "norm_topk_prob", TRUE },
    .activation = "silu",
    .epsilon = 1e-5,
  },
  {
    .label = "Phi-MoE",
    .types = LIST ("phimoe"),
    .stack = { LLAMA_STACK, .attention = { LLAMA_ATTENTION }, .experts = { MIXTRAL_EXPERTS } },
    .head = { OWN_OR_TIED (FALSE, "/lm_head.weight"), .bias = LIST ("/lm_head.bias"),
              .bias_needed = { "lm_head_bias", FALSE } },
    .windows = HL_WINDOWS_ALL,
    .qkv_bias = { "attention_bias", FALSE },
    .output_bias = { "attention_bias", FALSE },
    .norm_bias = ALWAYS,
    .routing = HL_ROUTING_MIXER,
    .epsilon = 1e-5,
    RULES,
  },
  {
    .label = "OLMoE",
    .types = LIST ("olmoe"),
    .stack = { LLAMA_STACK,
               .attention = { LLAMA_ATTENTION, .query_norm = "self_attn.q_norm", .key_norm = "self_attn.k_norm" },
               .experts = { QWEN_EXPERTS } },
    .head = LLAMA_HEAD,
    .rms = TRUE,
    .head_norm = ALWAYS,
    .head_norm_kind = HL_HEAD_NORM_WIDE,
    .qkv_bias = { "attention_bias", FALSE },
    .output_bias = { "attention_bias", FALSE },
    .shares_renormalised = { "norm_topk_prob", FALSE },
    .epsilon = 1e-5,
    RULES,
  },
  {
    .label = "Granite-MoE",
    .types = LIST ("granitemoe"),
    .stack = { LLAMA_STACK, .attention = { LLAMA_ATTENTION },
               .experts = { .router = "block_sparse_moe.router.layer",
                            .in = "block_sparse_moe.input_linear",
                            .out = "block_sparse_moe.output_linear" } },
    .head = LLAMA_HEAD,
    .rms = TRUE,
    .qkv_bias = { "attention_bias", FALSE },
    .output_bias = { "attention_bias", FALSE },
    .routing = HL_ROUTING_SOFTMAX_OF_CHOSEN,
    .epsilon = 1e-6,
    RULES,
  },
  {
    .label = "gpt-oss",
    .types = LIST ("gpt_oss"),
    .stack = { LLAMA_STACK, .attention = { LLAMA_ATTENTION, .sinks = "self_attn.sinks" },
               .experts = { .router = "mlp.router",
                            .in = "mlp.experts.gate_up_proj",
                            .out = "mlp.experts.down_proj" } },
    .head = LLAMA_HEAD,
    .windows = HL_WINDOWS_NOT_EVERY_NTH,
    .window_period = 2,
    .rms = TRUE,
    .qkv_bias = { "attention_bias", TRUE },
    .output_bias = { "attention_bias", TRUE },
    .routing = HL_ROUTING_SOFTMAX_OF_CHOSEN,
    .expert_bias = TRUE,
    .experts_transposed = TRUE,
    .experts_clamped = TRUE,
    .rope_untruncated = TRUE,
    .epsilon = 1e-5,
    RULES,
  },
  {
    .label = "DeepSeek V2",
    .types = LIST ("deepseek_v2"),
    .stack = { LLAMA_STACK, DEEPSEEK_ATTENTION, .experts = { DEEPSEEK_EXPERTS } },
    .head = LLAMA_HEAD,
    .rms = TRUE,
    .output_bias = { "attention_bias", FALSE },
    .stretched_scale = TRUE,
    .refused = LIST ("mlp_bias"),
    .epsilon = 1e-6,
    RULES,
  },
  {
    .label = "DeepSeek V3",
    .types = LIST ("deepseek_v3"),
    .stack = { LLAMA_STACK, DEEPSEEK_ATTENTION,
               .experts = { DEEPSEEK_EXPERTS, .correction = "mlp.gate.e_score_correction_bias" } },
    .head = LLAMA_HEAD,
    .rms = TRUE,
    .output_bias = { "attention_bias", FALSE },
    .stretched_scale = TRUE,
    .routing = HL_ROUTING_SIGMOID,
    .shares_renormalised = { "norm_topk_prob", TRUE },
    .epsilon = 1e-6,
    RULES,
  },
};

const HlFamilyRows hl_expert_families = { rows, G_N_ELEMENTS (rows) };
