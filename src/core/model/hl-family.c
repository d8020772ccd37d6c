/* SPDX-License-Identifier: MIT */
/* The families of models, one table entry each. No code is of a family: what is peculiar about one is said here. */
#include "core/model/hl-family.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define ALWAYS                                                                                                         \
  {                                                                                                                    \
    NULL, TRUE                                                                                                         \
  }
#define NEVER                                                                                                          \
  {                                                                                                                    \
    NULL, FALSE                                                                                                        \
  }

/* What BERT's descendants call the parts of a layer. */
#define BERT_STACK                                                                                                     \
  .words = LIST ("embeddings.word_embeddings.weight"), .positions = "embeddings.position_embeddings",                  \
  .segments = "embeddings.token_type_embeddings", .embedding_norm = "embeddings.LayerNorm",                            \
  .layer = "encoder.layer.%u.",                                                                                        \
  .attention = { .query = "attention.self.query",                                                                      \
                 .key = "attention.self.key",                                                                          \
                 .value = "attention.self.value",                                                                      \
                 .output = "attention.output.dense",                                                                   \
                 .after = "attention.output.LayerNorm" },                                                              \
  .feed_forward = { .in = "intermediate.dense", .out = "output.dense", .after = "output.LayerNorm" }

/* All that BERT's descendants share besides. */
#define BERT_RULES                                                                                                     \
  .qkv_bias = ALWAYS, .output_bias = ALWAYS, .feed_forward_bias = ALWAYS, .norm_bias = ALWAYS, .norm_before = ALWAYS,  \
  .projection_bias = TRUE, .activation = "gelu", .epsilon = 1e-12

/* The rows of its own that a head has, or those of the words. */
#define OWN_OR_TIED(fallback, ...) .rows = LIST (__VA_ARGS__), .tied = { "tie_word_embeddings", fallback }

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

static const HlFamily families[] = {
  {
    .label = "BERT",
    .types = LIST ("bert"),
    .prefixes = LIST ("bert.", ""),
    .stack = { BERT_STACK },
    .head = { OWN_OR_TIED (TRUE, "/cls.predictions.decoder.weight"),
              .bias = LIST ("/cls.predictions.bias", "/cls.predictions.decoder.bias"), .bias_needed = ALWAYS,
              .dense = "/cls.predictions.transform.dense", .dense_bias = ALWAYS, .activation = "hidden_act",
              .norm = "/cls.predictions.transform.LayerNorm" },
    .positions = HL_POSITIONS_LEARNED,
    BERT_RULES,
  },
  {
    .label = "RoBERTa",
    .types = LIST ("roberta", "xlm-roberta", "camembert"),
    .prefixes = LIST ("roberta.", ""),
    .stack = { BERT_STACK },
    .head = { OWN_OR_TIED (TRUE, "/lm_head.decoder.weight"), .bias = LIST ("/lm_head.bias", "/lm_head.decoder.bias"),
              .bias_needed = ALWAYS, .dense = "/lm_head.dense", .dense_bias = ALWAYS, .norm = "/lm_head.layer_norm" },
    .positions = HL_POSITIONS_AFTER_PADDING,
    BERT_RULES,
  },
  {
    .label = "DistilBERT",
    .types = LIST ("distilbert"),
    .prefixes = LIST ("distilbert.", ""),
    .stack = { .words = LIST ("embeddings.word_embeddings.weight"),
               .positions = "embeddings.position_embeddings",
               .embedding_norm = "embeddings.LayerNorm",
               .layer = "transformer.layer.%u.",
               .attention = { .query = "attention.q_lin",
                              .key = "attention.k_lin",
                              .value = "attention.v_lin",
                              .output = "attention.out_lin",
                              .after = "sa_layer_norm" },
               .feed_forward = { .in = "ffn.lin1", .out = "ffn.lin2", .after = "output_layer_norm" } },
    .head = { OWN_OR_TIED (TRUE, "/vocab_projector.weight"), .bias = LIST ("/vocab_projector.bias"),
              .bias_needed = ALWAYS, .dense = "/vocab_transform", .dense_bias = ALWAYS, .activation = "activation",
              .norm = "/vocab_layer_norm" },
    .positions = HL_POSITIONS_LEARNED,
    BERT_RULES,
  },
  {
    .label = "ELECTRA",
    .types = LIST ("electra"),
    .prefixes = LIST ("electra.", ""),
    .stack = { BERT_STACK, .projection = "embeddings_project" },
    .head = { OWN_OR_TIED (TRUE, "/generator_lm_head.weight"), .bias = LIST ("/generator_lm_head.bias"),
              .bias_needed = ALWAYS, .dense = "/generator_predictions.dense", .dense_bias = ALWAYS,
              .norm = "/generator_predictions.LayerNorm", .discriminator = "/discriminator_predictions.dense.weight" },
    .positions = HL_POSITIONS_LEARNED,
    BERT_RULES,
  },
  {
    .label = "ALBERT",
    .types = LIST ("albert"),
    .prefixes = LIST ("albert.", ""),
    .stack = { .words = LIST ("embeddings.word_embeddings.weight"),
               .positions = "embeddings.position_embeddings",
               .segments = "embeddings.token_type_embeddings",
               .embedding_norm = "embeddings.LayerNorm",
               .projection = "encoder.embedding_hidden_mapping_in",
               .layer = "encoder.albert_layer_groups.%u.albert_layers.%u.",
               .attention = { .query = "attention.query",
                              .key = "attention.key",
                              .value = "attention.value",
                              .output = "attention.dense",
                              .after = "attention.LayerNorm" },
               .feed_forward = { .in = "ffn", .out = "ffn_output", .after = "full_layer_layer_norm" } },
    .head = { OWN_OR_TIED (TRUE, "/predictions.decoder.weight"),
              .bias = LIST ("/predictions.bias", "/predictions.decoder.bias"), .bias_needed = ALWAYS,
              .dense = "/predictions.dense", .dense_bias = ALWAYS, .activation = "hidden_act",
              .norm = "/predictions.LayerNorm" },
    .positions = HL_POSITIONS_LEARNED,
    BERT_RULES,
  },
  {
    .label = "ModernBERT",
    .types = LIST ("modernbert"),
    .prefixes = LIST ("model.", ""),
    .stack = { .words = LIST ("embeddings.tok_embeddings.weight"),
               .embedding_norm = "embeddings.norm",
               .layer = "layers.%u.",
               .attention = { .fused = "attn.Wqkv", .output = "attn.Wo", .before = "attn_norm" },
               .feed_forward = { .in = "mlp.Wi", .out = "mlp.Wo", .before = "mlp_norm" },
               .final_norm = "final_norm" },
    .head = { OWN_OR_TIED (TRUE, "/decoder.weight"), .bias = LIST ("/decoder.bias"),
              .bias_needed = { "decoder_bias", TRUE }, .dense = "/head.dense",
              .dense_bias = { "classifier_bias", FALSE }, .activation = "classifier_activation", .norm = "/head.norm" },
    .rotary = TRUE,
    .rotary_fraction = 1,
    .theta = 160000,
    .local_theta = 10000,
    .windows = HL_WINDOWS_NOT_FIRST_OF_N,
    .window_period = 3,
    .gated = TRUE,
    .norm_before = ALWAYS,
    .qkv_bias = { "attention_bias", FALSE },
    .output_bias = { "attention_bias", FALSE },
    .feed_forward_bias = { "mlp_bias", FALSE },
    .norm_bias = { "norm_bias", FALSE },
    .no_first_norm = TRUE,
    .activation = "gelu",
    .epsilon = 1e-5,
  },
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

/* Returns the table, and of how many families it is. */
const HlFamily *
hl_family_get_all (guint *n_families)
{
  *n_families = G_N_ELEMENTS (families);
  return families;
}

/* What a property is for a model: the family's word, or that of its configuration. */
gboolean
hl_switch_read (const HlSwitch *self,
                HlModelConfig  *config,
                gboolean       *value,
                GError        **error)
{
  *value = self->fallback;
  return self->key == NULL || hl_model_config_read_boolean (config, self->key, self->fallback, value, error);
}

const HlFamily *
hl_family_find (const char *type,
                GError    **error)
{
  g_autoptr (GString) known = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (families); i++)
    {
      if (g_strv_contains (families[i].types, type))
        return &families[i];
      g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", families[i].label);
    }
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("models of type “%s” are not known; known are %s"), type,
               known->str);
  return NULL;
}
