/* SPDX-License-Identifier: MIT */
/* The architectures of GGUF files, one table entry each. */
#include "core/model/gguf/hl-gguf-architecture.h"

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"

static const HlGgufArchitecture architectures[] = {
  { "llama", "llama", TRUE },       { "qwen2", "qwen2", FALSE },
  { "qwen3", "qwen3", FALSE },      { "gemma2", "gemma2", FALSE },
  { "gemma3", "gemma3", FALSE },    { "gpt2", "gpt2", FALSE },
  { "gptneox", "gpt_neox", FALSE }, { "phi2", "phi", FALSE },
  { "bert", "bert", FALSE },        { "t5", "t5", FALSE },
  { "smollm3", "smollm3", TRUE },   { "command-r", "cohere", TRUE },
  { "cohere2", "cohere2", TRUE },
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
