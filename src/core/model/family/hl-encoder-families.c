/* SPDX-License-Identifier: MIT */
/* Families whose tokens see one another both ways: BERT and what came of it. */
#include "core/model/family/hl-family-rows.h"

/* What BERT's descendants call the parts of a layer. */
#define BERT_ATTENTION                                                                                                 \
  .query = "attention.self.query", .key = "attention.self.key", .value = "attention.self.value",                       \
  .output = "attention.output.dense"
#define BERT_STACK                                                                                                     \
  .words = LIST ("embeddings.word_embeddings.weight"), .positions = "embeddings.position_embeddings",                  \
  .segments = "embeddings.token_type_embeddings", .embedding_norm = "embeddings.LayerNorm",                            \
  .layer = "encoder.layer.%u.", .attention = { BERT_ATTENTION, .after = "attention.output.LayerNorm" },                \
  .feed_forward = { .in = "intermediate.dense", .out = "output.dense", .after = "output.LayerNorm" }

/* All that BERT's descendants share besides. */
#define BERT_RULES_BUT_EPSILON                                                                                         \
  .qkv_bias = ALWAYS, .output_bias = ALWAYS, .feed_forward_bias = ALWAYS, .norm_bias = ALWAYS, .norm_before = ALWAYS,  \
  .projection_bias = TRUE, .activation = "gelu"
#define BERT_RULES BERT_RULES_BUT_EPSILON, .epsilon = 1e-12

#define BERT_HEAD                                                                                                      \
  {                                                                                                                    \
    OWN_OR_TIED (TRUE, "/cls.predictions.decoder.weight"),                                                             \
      .bias = LIST ("/cls.predictions.bias", "/cls.predictions.decoder.bias"), .bias_needed = ALWAYS,                  \
      .dense = "/cls.predictions.transform.dense", .dense_bias = ALWAYS, .activation = "hidden_act",                   \
      .norm = "/cls.predictions.transform.LayerNorm"                                                                   \
  }
#define ROBERTA_HEAD                                                                                                   \
  {                                                                                                                    \
    OWN_OR_TIED (TRUE, "/lm_head.decoder.weight"), .bias = LIST ("/lm_head.bias", "/lm_head.decoder.bias"),            \
                                                   .bias_needed = ALWAYS, .dense = "/lm_head.dense",                   \
                                                   .dense_bias = ALWAYS, .norm = "/lm_head.layer_norm"                 \
  }

static const HlFamily rows[] = {
  {
    .label = "BERT",
    .types = LIST ("bert"),
    .prefixes = LIST ("bert.", ""),
    .stack = { BERT_STACK },
    .head = BERT_HEAD,
    .positions = HL_POSITIONS_LEARNED,
    BERT_RULES,
  },
  {
    .label = "RoBERTa",
    .types = LIST ("roberta", "xlm-roberta", "camembert"),
    .prefixes = LIST ("roberta.", ""),
    .stack = { BERT_STACK },
    .head = ROBERTA_HEAD,
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
    .label = "XLM-RoBERTa-XL",
    .types = LIST ("xlm-roberta-xl"),
    .prefixes = LIST ("roberta.", ""),
    .stack = { .words = LIST ("embeddings.word_embeddings.weight"),
               .positions = "embeddings.position_embeddings",
               .segments = "embeddings.token_type_embeddings",
               .layer = "encoder.layer.%u.",
               .attention = { BERT_ATTENTION, .before = "attention.self_attn_layer_norm" },
               .feed_forward = { .in = "intermediate.dense", .out = "output.dense", .before = "LayerNorm" },
               .final_norm = "encoder.LayerNorm" },
    .head = ROBERTA_HEAD,
    .positions = HL_POSITIONS_AFTER_PADDING,
    BERT_RULES,
  },
  {
    .label = "ESM",
    .types = LIST ("esm"),
    .prefixes = LIST ("esm.", ""),
    .stack = { .words = LIST ("embeddings.word_embeddings.weight"),
               .positions = "embeddings.position_embeddings",
               .embedding_norm = "embeddings.layer_norm|",
               .layer = "encoder.layer.%u.",
               .attention = { BERT_ATTENTION, .before = "attention.LayerNorm" },
               .feed_forward = { .in = "intermediate.dense", .out = "output.dense", .before = "LayerNorm" },
               .final_norm = "encoder.emb_layer_norm_after" },
    .head = ROBERTA_HEAD,
    .positions = HL_POSITIONS_AFTER_PADDING,
    .position_type = "position_embedding_type",
    .rotary = TRUE,
    .rotary_fraction = 1,
    .theta = 10000,
    .mask_dropped = { "token_dropout", FALSE },
    BERT_RULES,
  },
  {
    .label = "MPNet",
    .types = LIST ("mpnet"),
    .prefixes = LIST ("mpnet.", ""),
    .stack = { .words = LIST ("embeddings.word_embeddings.weight"),
               .positions = "embeddings.position_embeddings",
               .embedding_norm = "embeddings.LayerNorm",
               .layer = "encoder.layer.%u.",
               .attention = { .query = "attention.attn.q",
                              .key = "attention.attn.k",
                              .value = "attention.attn.v",
                              .output = "attention.attn.o",
                              .after = "attention.LayerNorm" },
               .feed_forward = { .in = "intermediate.dense", .out = "output.dense", .after = "output.LayerNorm" },
               .relative_bias = "encoder.relative_attention_bias" },
    .head = ROBERTA_HEAD,
    .positions = HL_POSITIONS_AFTER_PADDING,
    BERT_RULES,
  },
  {
    .label = "DeBERTa-v2",
    .types = LIST ("deberta-v2"),
    .prefixes = LIST ("deberta.", ""),
    .stack = { .words = LIST ("embeddings.word_embeddings.weight"),
               .positions = "embeddings.position_embeddings",
               .segments = "embeddings.token_type_embeddings",
               .embedding_norm = "embeddings.LayerNorm",
               .layer = "encoder.layer.%u.",
               .attention = { .query = "attention.self.query_proj",
                              .key = "attention.self.key_proj",
                              .value = "attention.self.value_proj",
                              .output = "attention.output.dense",
                              .distance_query = "attention.self.pos_query_proj",
                              .distance_key = "attention.self.pos_key_proj",
                              .after = "attention.output.LayerNorm" },
               .feed_forward = { .in = "intermediate.dense", .out = "output.dense", .after = "output.LayerNorm" },
               .distances = "encoder.rel_embeddings",
               .distance_norm = "encoder.LayerNorm",
               .convolution = "encoder.conv.conv",
               .convolution_norm = "encoder.conv.LayerNorm" },
    .head = BERT_HEAD,
    .positions = HL_POSITIONS_LEARNED,
    .positions_when = "position_biased_input",
    BERT_RULES_BUT_EPSILON,
    .epsilon = 1e-7,
  },
  {
    .label = "NomicBERT",
    .types = LIST ("nomic_bert"),
    .prefixes = LIST ("bert.", "nomic_bert.", ""),
    .stack = { .words = LIST ("embeddings.word_embeddings.weight"),
               .segments = "embeddings.token_type_embeddings",
               .embedding_norm = "emb_ln",
               .layer = "encoder.layers.%u.",
               .attention = { .fused = "attn.Wqkv", .output = "attn.out_proj", .after = "norm1" },
               .feed_forward = { .gate = "mlp.fc12", .in = "mlp.fc11", .out = "mlp.fc2", .after = "norm2" } },
    .head = { OWN_OR_TIED (TRUE, "/cls.predictions.decoder.weight"),
              .bias = LIST ("/cls.predictions.bias", "/cls.predictions.decoder.bias"), .bias_needed = NEVER,
              .dense = "/cls.predictions.transform.dense", .dense_bias = ALWAYS,
              .activation = "hidden_act|activation_function", .norm = "/cls.predictions.transform.layer_norm" },
    .rotary = TRUE,
    .rotary_fraction = 1,
    .theta = 1000,
    .gated = TRUE,
    .norm_before = ALWAYS,
    .qkv_bias = { "qkv_proj_bias", FALSE },
    .output_bias = { "qkv_proj_bias", FALSE },
    .feed_forward_bias = { "mlp_fc1_bias", FALSE },
    .norm_bias = ALWAYS,
    .refused = LIST ("prenorm", "use_rms_norm", "parallel_block"),
    .activation = "silu",
    .epsilon = 1e-12,
  },
};

const HlFamilyRows hl_encoder_families = { rows, G_N_ELEMENTS (rows) };
