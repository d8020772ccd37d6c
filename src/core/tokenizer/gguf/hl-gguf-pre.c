/* SPDX-License-Identifier: MIT */
/* The names that GGUF files have for how a text is cut before merging, and the patterns of the tokenizers that they were made from. A row
 * for each way; names in it are aliases. */
#include "core/tokenizer/gguf/hl-gguf-pre.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/tokenizer/text/hl-byte-level.h"

#define GPT2 HL_BYTE_LEVEL_REGEX
#define SHORT_FORMS "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define WORDS "[^\\r\\n\\p{L}\\p{N}]?\\p{L}+"
#define UPPER "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define LOWER "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define SIGNS " ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*"
#define SPACES "\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define IDEOGRAPHS "[一-龥぀-ゟ゠-ヿ]+"
#define DEEPSEEK                                                                                                       \
  "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+"                  \
  "| ?[\\p{P}\\p{S}]+[\\r\\n]*|" SPACES
#define CASED(digits, end)                                                                                             \
  "[^\\r\\n\\p{L}\\p{N}]?" UPPER "*" LOWER "+" end "|[^\\r\\n\\p{L}\\p{N}]?" UPPER "+" LOWER "*" end "|" digits        \
  "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|" SPACES
#define CASED_DIGITS CASED ("\\p{N}{1,3}", SHORT_FORMS "?")
#define PUNCTUATED " ?[^(\\s|.,!?…。，、।۔،)]+"

static const HlGgufPre rows[] = {
  { "default", { "[\\p{P}\\$\\+<=>\\^~\\|]+", GPT2, "\\p{N}+", "[0-9][0-9][0-9]" } },
  { "gpt-2 phi-2 jina-es jina-de jina-v2-es jina-v2-de gigachat a.x-4.0 mellum jais trillion granite-docling exaone4",
    { GPT2 } },
  { "mpt olmo modern-bert", { GPT2 }, .nfc = TRUE },
  { "roberta-bpe jina-v1-en jina-v2-code", { GPT2 }, .add_sep = TRUE },
  { "smollm starcoder refact codeshell exaone minerva-7b mellum2", { "\\p{N}", GPT2 } },
  { "command-r", { "\\p{N}", GPT2 }, .nfc = TRUE },
  { "falcon", { "[\\p{P}\\$\\+<=>\\^~\\|`]+", GPT2, "[0-9][0-9][0-9]" } },
  { "llama-bpe llama3 llama-v3 falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano",
    { SHORT_FORMS "|" WORDS "|\\p{N}{1,3}|" SIGNS "|" SPACES },
    .ignore_merges = TRUE,
    .add_bos = TRUE },
  { "dbrx smaug-bpe glm4 chatglm-bpe", { SHORT_FORMS "|" WORDS "|\\p{N}{1,3}|" SIGNS "|" SPACES } },
  { "qwen2 deepseek-r1-qwen megrez kormo f2llmv2", { SHORT_FORMS "|" WORDS "|\\p{N}|" SIGNS "|" SPACES }, .nfc = TRUE },
  { "stablelm2 hunyuan grok-2 solar-open", { SHORT_FORMS "|" WORDS "|\\p{N}|" SIGNS "|" SPACES } },
  { "qwen35",
    { SHORT_FORMS "|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|" SPACES },
    .nfc = TRUE },
  { "deepseek-v3 hunyuan-dense joyai-llm hy_v4", { "\\p{N}{1,3}", IDEOGRAPHS, DEEPSEEK } },
  { "deepseek-coder", { "[\\r\\n]", "\\s?\\p{L}+", "\\s?\\p{P}+", "[一-龥ࠀ-一가-퟿]+", "\\p{N}" } },
  { "tekken", { CASED ("\\p{N}", "") }, .ignore_merges = TRUE, .add_bos = TRUE },
  { "gpt-4o llama4 kanana2 minimax-m2 talkie", { CASED_DIGITS } },
  { "granite-embed-multi-97m", { CASED_DIGITS }, .ignore_merges = TRUE },
  { "superbpe", { "\\p{N}+", "\\d{1,3}(?=(?:\\d{3})*(?!\\d))" } },
  { "tiny_aya cohere2moe", { "\\d{1,3}(?=(?:\\d{3})*\\b)", CASED_DIGITS } },
  { "bloom poro-chat gpt3-finnish", { PUNCTUATED } },
  { "viking", { PUNCTUATED, "\\p{N}" } },
  { "seed-coder", { SHORT_FORMS "|" WORDS "|\\p{N}{1}| ?[^\\s\\p{L}\\p{N}\\r\\n]+|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+" } },
  { "bailingmoe bailingmoe2 llada-moe",
    { "'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]++[\\r\\n]*|\\s*[\\r\\n]"
      "|\\s+(?!\\S)|\\s+" } },
  { "minicpm5", { "\\p{N}{1,3}", SHORT_FORMS "|" WORDS "|\\p{N}+|" SIGNS "|" SPACES }, .ignore_merges = TRUE },
  { "gemma4 granite-embed-multi-311m sarvam-moe", { NULL }, .add_bos = TRUE, .characters = TRUE },
};

static gboolean
has_name (const char *names,
          const char *name)
{
  const gsize length = strlen (name);

  for (const char *at = names; (at = strstr (at, name)) != NULL; at += length)
    if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
      return TRUE;
  return FALSE;
}

const HlGgufPre *
hl_gguf_pre_find (const char *name,
                  GError    **error)
{
  if (*name != '\0' && strchr (name, ' ') == NULL)
    for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
      if (has_name (rows[i].names, name))
        return &rows[i];
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("the file cuts text as “%s” does, which is not known"), name);
  return NULL;
}
