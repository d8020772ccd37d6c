/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/family/hl-family-rows.h"

/* What families have in common that call their tensors as LLaMA does. */
#define LLAMA_ATTENTION                                                                                                \
  .query = "self_attn.q_proj", .key = "self_attn.k_proj", .value = "self_attn.v_proj", .output = "self_attn.o_proj",   \
  .before = "input_layernorm"
#define LLAMA_FEED_FORWARD .gate = "mlp.gate_proj", .in = "mlp.up_proj", .out = "mlp.down_proj"
#define LLAMA_STACK                                                                                                    \
  .words = LIST ("embed_tokens.weight", "/lm_head.weight"), .layer = "layers.%u.",                                     \
  .feed_forward = { LLAMA_FEED_FORWARD, .before = "post_attention_layernorm" }, .final_norm = "norm"
#define LLAMA_HEAD                                                                                                     \
  {                                                                                                                    \
    OWN_OR_TIED (FALSE, "/lm_head.weight", "/language_model.lm_head.weight")                                           \
  }
#define LLAMA_RULES_WITH(base, small)                                                                                  \
  .prefixes = LIST ("model.", "language_model.model.", "model.language_model.", ""), .rotary = TRUE,                   \
  .rotary_fraction = 1, .theta = (base), .causal = TRUE, .rms = TRUE, .gated = TRUE, .norm_before = ALWAYS,            \
  .activation = "silu", .epsilon = (small)
#define LLAMA_RULES LLAMA_RULES_WITH (10000, 1e-6)
#define GEMMA_PARTS                                                                                                    \
  .words = LIST ("embed_tokens.weight", "/lm_head.weight"), .layer = "layers.%u.",                                     \
  .feed_forward = { LLAMA_FEED_FORWARD, .before = "pre_feedforward_layernorm",                                         \
                    .inner = "post_feedforward_layernorm" },                                                           \
  .final_norm = "norm"
#define GEMMA_HEAD                                                                                                     \
  {                                                                                                                    \
    OWN_OR_TIED (TRUE, "/lm_head.weight", "/language_model.lm_head.weight"), .softcap = "final_logit_softcapping"      \
  }

/* Qwen's families with layers that have no map: what these have in place of attention, and the attention of the others. */
#define DELTA_PARTS                                                                                                    \
  .attention = { LLAMA_ATTENTION, .query_norm = "self_attn.q_norm", .key_norm = "self_attn.k_norm" },                  \
  .delta = { .mixed_and_gate = "linear_attn.in_proj_qkvz",                                                             \
             .write_and_decay = "linear_attn.in_proj_ba",                                                              \
             .mixed = "linear_attn.in_proj_qkv",                                                                       \
             .gate = "linear_attn.in_proj_z",                                                                          \
             .write = "linear_attn.in_proj_b",                                                                         \
             .decay = "linear_attn.in_proj_a",                                                                         \
             .taps = "linear_attn.conv1d",                                                                             \
             .decay_bias = "linear_attn.dt_bias",                                                                      \
             .rates = "linear_attn.A_log",                                                                             \
             .norm = "linear_attn.norm.weight",                                                                        \
             .output = "linear_attn.out_proj" }
#define DELTA_RULES                                                                                                    \
  .prefixes = LIST ("model.language_model.", "model.", ""), .rotary = TRUE, .rotary_fraction = 0.25,                   \
  .theta = 10000000, .causal = TRUE, .rms = TRUE, .plus_one = TRUE, .gated = TRUE, .norm_before = ALWAYS,              \
  .qkv_bias = { "attention_bias", FALSE }, .output_bias = { "attention_bias", FALSE }, .head_norm = ALWAYS,            \
  .output_gate = TRUE, .activation = "silu", .epsilon = 1e-6
