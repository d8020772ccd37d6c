/* SPDX-License-Identifier: MIT */
/* Families whose tokens see one another both ways: BERT and what came of it. */
#include "core/model/family/hl-family-rows.h"

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

static const HlFamily rows[] = {
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
};

const HlFamilyRows hl_encoder_families = { rows, G_N_ELEMENTS (rows) };
