/* SPDX-License-Identifier: MIT */
/* The architectures of GGUF files, one table entry each. */
#include "core/model/gguf/hl-gguf-architecture.h"

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"

static const HlGgufArchitecture architectures[] = {
  { "llama", "llama", .permuted = TRUE },
  { "qwen2", "qwen2" },
  { "qwen3", "qwen3" },
  { "gemma2", "gemma2", .n_wide_layers = 46, .usual_window = 4096 },
  { "gemma3", "gemma3", .n_wide_layers = 62 },
  { "gpt2", "gpt2" },
  { "gptneox", "gpt_neox" },
  { "phi2", "phi" },
  { "bert", "bert" },
  { "t5", "t5" },
  { "qwen3moe", "qwen3_moe", .renormalised = TRUE },
  { "gpt-oss", "gpt_oss" },
  { "olmoe", "olmoe" },
  { "smollm3", "smollm3", .permuted = TRUE },
  { "command-r", "cohere" },
  { "cohere2", "cohere2" },
  { "gemma", "gemma" },
  { "starcoder", "gpt_bigcode" },
  { "starcoder2", "starcoder2" },
  { "stablelm", "stablelm" },
  { "bloom", "bloom" },
  { "nemotron", "nemotron" },
  { "olmo2", "olmo2", .windowed_type = "olmo3" },
  { "phi3", "phi3" },
  { "phimoe", "phimoe" },
  { "falcon", "falcon" },
  { "mpt", "mpt" },
  { "olmo", "olmo", .permuted = TRUE },
  { "granite", "granite", .permuted = TRUE, .divided = TRUE },
  { "granitemoe", "granitemoe", .permuted = TRUE, .divided = TRUE },
  { "chatglm", "glm" },
  { "glm4", "glm4" },
  { "qwen2moe", "qwen2_moe" },
  { "deepseek2", "deepseek_v2", .sigmoid_type = "deepseek_v3" },
  { "gptoss", "gpt_oss", .scaling = "yarn" },
  { "qwen3next", "qwen3_next", .renormalised = TRUE },
  { "qwen35", "qwen3_5", .tiled = TRUE },
  { "qwen35moe", "qwen3_5_moe", .renormalised = TRUE, .tiled = TRUE },
  { "llama4", "llama4", .n_unnormed_experts = 128 },
  { "mistral3", "ministral3", .permuted = TRUE },
  { "glm4moe", "glm4_moe" },
  { "arcee", "arcee", .permuted = TRUE },
  { "ernie4_5", "ernie4_5" },
  { "seed_oss", "seed_oss" },
  { "nomic-bert", "nomic_bert" },
  { "modern-bert", "modernbert" },
  { "gemma-embedding", "gemma3", .both_ways = TRUE },
  { "gemma4", "gemma4" },
};

/* Returns the row of an architecture. */
const HlGgufArchitecture *
hl_gguf_architecture_find (const char *name,
                           GError    **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (architectures); i++)
    if (g_str_equal (architectures[i].name, name))
      return &architectures[i];
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("models of architecture “%s” are not known"), name);
  return NULL;
}
