/* SPDX-License-Identifier: MIT */
/* Families that take pixels, and the texts that go with them. */
#include "core/model/family/hl-family-rows.h"

/* What vision models share. */
#define VISION_RULES .norm_before = ALWAYS, .norm_bias = ALWAYS, .output_bias = ALWAYS, .feed_forward_bias = ALWAYS

/* ViT, and what came of it. */
#define VIT_STACK                                                                                                      \
  .layer = "encoder.layer.%u.",                                                                                        \
  .attention = { .query = "attention.attention.query",                                                                 \
                 .key = "attention.attention.key",                                                                     \
                 .value = "attention.attention.value",                                                                 \
                 .output = "attention.output.dense",                                                                   \
                 .before = "layernorm_before" },                                                                       \
  .feed_forward = { .in = "intermediate.dense", .out = "output.dense", .before = "layernorm_after" },                  \
  .final_norm = "layernorm"
#define VIT_PATCHES                                                                                                    \
  .projection = "embeddings.patch_embeddings.projection", .first = "embeddings.cls_token",                             \
  .positions = "embeddings.position_embeddings"
#define VIT_RULES                                                                                                      \
  VISION_RULES, .qkv_bias = { "qkv_bias", TRUE }, .patch_bias = TRUE, .activation = "gelu",                            \
                .usual = { 768, 12, 12, 3072, 0, 224, 16 }

/* Classes of images, told by the first token. */
#define VIT_HEAD                                                                                                       \
  {                                                                                                                    \
    .rows = LIST ("/classifier.weight"), .bias = LIST ("/classifier.bias"), .bias_needed = ALWAYS                      \
  }

#define DINO_STACK                                                                                                     \
  .layer = "encoder.layer.%u.",                                                                                        \
  .attention = { .query = "attention.attention.query",                                                                 \
                 .key = "attention.attention.key",                                                                     \
                 .value = "attention.attention.value",                                                                 \
                 .output = "attention.output.dense",                                                                   \
                 .before = "norm1",                                                                                    \
                 .scale = "layer_scale1.lambda1" },                                                                    \
  .feed_forward = { .in = "mlp.fc1", .out = "mlp.fc2", .before = "norm2", .scale = "layer_scale2.lambda1" },           \
  .final_norm = "layernorm"

/* Towers of CLIP and SigLIP call the parts of their layers alike, and so do models of several inputs that they came into. */
#define TOWER_STACK                                                                                                    \
  .layer = "encoder.layers.%u.",                                                                                       \
  .attention = { .query = "self_attn.q_proj",                                                                          \
                 .key = "self_attn.k_proj",                                                                            \
                 .value = "self_attn.v_proj",                                                                          \
                 .output = "self_attn.out_proj",                                                                       \
                 .before = "layer_norm1" },                                                                            \
  .feed_forward = { .in = "mlp.fc1", .out = "mlp.fc2", .before = "layer_norm2" }
#define TOWER_PREFIXES                                                                                                 \
  LIST ("vision_model.", "", "vision_tower.vision_model.", "model.vision_tower.vision_model.", "vision_tower.",        \
        "model.vision_tower.")
#define TEXT_STACK                                                                                                     \
  TOWER_STACK, .words = LIST ("embeddings.token_embedding.weight"), .positions = "embeddings.position_embedding",      \
               .final_norm = "final_layer_norm"
#define SIGLIP_STACK                                                                                                   \
  TOWER_STACK,                                                                                                         \
    .patches = { .projection = "embeddings.patch_embedding", .positions = "embeddings.position_embedding.weight" },    \
    .final_norm = "post_layernorm"

static const HlFamily rows[] = {
  {
    .label = "ViT",
    .image_processor = "ViTImageProcessor",
    .types = LIST ("vit"),
    .prefixes = LIST ("vit.", ""),
    .stack = { VIT_STACK, .patches = { VIT_PATCHES } },
    .head = VIT_HEAD,
    VIT_RULES,
    .epsilon = 1e-12,
  },
  {
    .label = "DeiT",
    .image_processor = "DeiTImageProcessor",
    .types = LIST ("deit"),
    .prefixes = LIST ("deit.", ""),
    .stack = { VIT_STACK, .patches = { VIT_PATCHES, .second = "embeddings.distillation_token" } },
    .head = VIT_HEAD,
    VIT_RULES,
    .epsilon = 1e-12,
  },
  {
    .label = "DINOv2",
    .image_processor = "BitImageProcessor",
    .types = LIST ("dinov2"),
    .prefixes = LIST ("dinov2.", ""),
    .stack = { DINO_STACK, .patches = { VIT_PATCHES } },
    VIT_RULES,
    .inner_ratio = "mlp_ratio",
    .any_size = TRUE,
    .resampling = HL_RESAMPLING_BICUBIC,
    .refused = LIST ("use_swiglu_ffn"),
    .epsilon = 1e-6,
  },
  {
    .label = "DINOv2 with registers",
    .image_processor = "BitImageProcessor",
    .types = LIST ("dinov2_with_registers"),
    .prefixes = LIST ("dinov2_with_registers.", ""),
    .stack = { DINO_STACK, .patches = { VIT_PATCHES, .registers = "embeddings.register_tokens" } },
    VIT_RULES,
    .inner_ratio = "mlp_ratio",
    .any_size = TRUE,
    .resampling = HL_RESAMPLING_SMOOTH_BICUBIC,
    .refused = LIST ("use_swiglu_ffn"),
    .epsilon = 1e-6,
  },
  {
    .label = "DINOv3",
    .image_processor = "DINOv3ViTImageProcessor",
    .types = LIST ("dinov3_vit"),
    .prefixes = LIST ("model.", "dinov3_vit.", ""),
    .stack = { .patches = { .projection = "embeddings.patch_embeddings",
                            .first = "embeddings.cls_token",
                            .registers = "embeddings.register_tokens" },
               .layer = "layer.%u.",
               .attention = { .query = "attention.q_proj",
                              .key = "attention.k_proj",
                              .value = "attention.v_proj",
                              .output = "attention.o_proj",
                              .before = "norm1",
                              .scale = "layer_scale1.lambda1" },
               .feed_forward = { .in = "mlp.up_proj",
                                 .out = "mlp.down_proj",
                                 .before = "norm2",
                                 .scale = "layer_scale2.lambda1" },
               .final_norm = "norm" },
    .norm_before = ALWAYS,
    .norm_bias = ALWAYS,
    .qkv_bias = { "query_bias", TRUE },
    .unbiased_keys = TRUE,
    .output_bias = { "proj_bias", TRUE },
    .feed_forward_bias = { "mlp_bias", TRUE },
    .patch_bias = TRUE,
    .any_size = TRUE,
    .rotary = TRUE,
    .rotary_fraction = 1,
    .theta = 100,
    .grid_rope = TRUE,
    .refused = LIST ("use_gated_mlp", "key_bias"),
    .activation = "gelu",
    .usual = { 384, 12, 6, 1536, 0, 224, 16 },
    .epsilon = 1e-5,
  },
  {
    .label = "CLIP",
    .types = LIST ("clip", "clip_text_model"),
    .prefixes = LIST ("text_model.", ""),
    .stack = { TEXT_STACK },
    .positions = HL_POSITIONS_LEARNED,
    VISION_RULES,
    .causal = TRUE,
    .qkv_bias = ALWAYS,
    .activation = "quick_gelu",
    .usual = { 512, 12, 8, 2048, 49408, 0, 0 },
    .epsilon = 1e-5,
  },
  {
    .label = "CLIP vision",
    .image_processor = "CLIPImageProcessor",
    .types = LIST ("clip_vision_model"),
    .prefixes = TOWER_PREFIXES,
    .stack = { TOWER_STACK,
               .patches = { .projection = "embeddings.patch_embedding",
                            .first = "embeddings.class_embedding",
                            .positions = "embeddings.position_embedding.weight" },
               .embedding_norm = "pre_layrnorm", .final_norm = "post_layernorm" },
    VISION_RULES,
    .qkv_bias = ALWAYS,
    .activation = "quick_gelu",
    .usual = { 768, 12, 12, 3072, 0, 224, 32 },
    .epsilon = 1e-5,
  },
  {
    .label = "SigLIP",
    .types = LIST ("siglip", "siglip_text_model", "siglip2", "siglip2_text_model"),
    .prefixes = LIST ("text_model.", ""),
    .stack = { TEXT_STACK },
    .positions = HL_POSITIONS_LEARNED,
    VISION_RULES,
    .qkv_bias = ALWAYS,
    .activation = "gelu_pytorch_tanh",
    .usual = { 768, 12, 12, 3072, 32000, 0, 0 },
    .epsilon = 1e-6,
  },
  {
    .label = "SigLIP vision",
    .image_processor = "SiglipImageProcessor",
    .types = LIST ("siglip_vision_model"),
    .prefixes = TOWER_PREFIXES,
    .stack = { SIGLIP_STACK },
    VISION_RULES,
    .qkv_bias = ALWAYS,
    .patch_bias = TRUE,
    .activation = "gelu_pytorch_tanh",
    .usual = { 768, 12, 12, 3072, 0, 224, 16 },
    .epsilon = 1e-6,
  },
  {
    .label = "SigLIP 2 vision",
    .image_processor = "Siglip2ImageProcessor",
    .types = LIST ("siglip2_vision_model"),
    .prefixes = TOWER_PREFIXES,
    .stack = { SIGLIP_STACK },
    VISION_RULES,
    .qkv_bias = ALWAYS,
    .patch_bias = TRUE,
    .channels_last = TRUE,
    .any_size = TRUE,
    .resampling = HL_RESAMPLING_SMOOTH_BILINEAR,
    .activation = "gelu_pytorch_tanh",
    .usual = { 768, 12, 12, 3072, 0, 224, 16 },
    .epsilon = 1e-6,
  },
};

const HlFamilyRows hl_vision_families = { rows, G_N_ELEMENTS (rows) };
