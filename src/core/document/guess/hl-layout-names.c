/* SPDX-License-Identifier: MIT */
/* What members of a file are called that hold attention or its tokens. */
#include "core/document/guess/hl-layout-names.h"

#include <string.h>

/* By kind, the most particular name first. Case does not matter. */
static const char *const weight_names[][16] = {
  [HL_ATTENTION_SELF] = { "attentions", "attention", "attention_weights", "attention_probs",
                           "attention_maps", "attn_weights", "attn_probs", "attn_maps", "attns",
                           "attn", "att", "self_attentions", "self_attention", "attention_scores",
                           "attn_scores" },
  [HL_ATTENTION_ENCODER] = { "encoder_attentions", "encoder_attention", "enc_attentions",
                         "enc_attention", "encoder_attn" },
  [HL_ATTENTION_DECODER] = { "decoder_attentions", "decoder_attention", "dec_attentions",
                         "dec_attention", "decoder_attn" },
  [HL_ATTENTION_CROSS] = { "cross_attentions", "cross_attention", "cross_attn",
                       "encoder_decoder_attentions" },
};

const char *const hl_layout_token_names[] = { "tokens",       "encoder_tokens", "decoder_tokens",
                                              "query_tokens", "key_tokens",     NULL };

static const char *const token_aliases[][12] = {
  { "tokens", "tokens_list", "token_list", "token_strings", "str_tokens", "input_tokens",
    "all_tokens", "wordpieces", "words" },
  { "encoder_tokens", "src_tokens", "source_tokens", "encoder_input_tokens" },
  { "decoder_tokens", "tgt_tokens", "target_tokens", "decoder_input_tokens" },
  { "query_tokens" },
  { "key_tokens" },
};

static char *
find (char             **members,
      const char *const *aliases)
{
  for (; *aliases != NULL; aliases++)
    for (char **member = members; *member != NULL; member++)
      if (g_ascii_strcasecmp (*member, *aliases) == 0)
        return *member;
  return NULL;
}

char *
hl_layout_names_find (char          **members,
                      HlAttentionKind kind)
{
  return find (members, weight_names[kind]);
}

char *
hl_layout_names_find_tokens (char      **members,
                             const char *name)
{
  for (guint i = 0; hl_layout_token_names[i] != NULL; i++)
    if (g_str_equal (name, hl_layout_token_names[i]))
      return find (members, token_aliases[i]);
  return NULL;
}

static gboolean
contains (const char *name,
          const char *word)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return strstr (lower, word) != NULL;
}

/* Weights of a model have “attention” in their names as well, but end otherwise. */
gboolean
hl_layout_names_is_attention (const char *name)
{
  return (contains (name, "att") || contains (name, "pattern")) &&
         !g_str_has_suffix (name, "weight") && !g_str_has_suffix (name, "bias");
}

/* Returns the same with `#` in place of its first number; %NULL if it has none. */
char *
hl_layout_names_get_pattern (const char *name)
{
  const gsize before = strcspn (name, "0123456789");
  const gsize digits = strspn (name + before, "0123456789");

  if (digits == 0)
    return NULL;
  return g_strdup_printf ("%.*s#%s", (int) before, name, name + before + digits);
}

/* TransformerLens has scores beside patterns, and other hooks, with the same sizes. Returns how likely it is a series
 * of attention; 0 for one that says nothing. */
int
hl_layout_names_rate (const char *pattern)
{
  if (g_str_has_suffix (pattern, "weight") || g_str_has_suffix (pattern, "bias"))
    return -1;
  return (contains (pattern, "pattern") || contains (pattern, "prob") ? 4 : 0) +
         (contains (pattern, "att") ? 2 : 0) - (contains (pattern, "score") ? 1 : 0);
}
