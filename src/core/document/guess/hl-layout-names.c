/* SPDX-License-Identifier: MIT */
/* What the names of a file's members say of attention, and of its tokens. */
#include "core/document/guess/hl-layout-names.h"

#include <string.h>

/* By kind, the most particular name first. Case does not matter. */
static const char *const weight_names[][20] = {
  [HL_ATTENTION_SELF] = { "attentions", "attention", "attention_weights", "attention_probs", "attention_maps",
                          "attn_weights", "attn_probs", "attn_maps", "attns", "attn", "att", "self_attentions",
                          "self_attention", "self_attns", "self_attn", "attention_weight", "attn_weight",
                          "attention_scores", "attn_scores" },
  [HL_ATTENTION_ENCODER] = { "encoder_attentions", "encoder_attention", "enc_attentions", "enc_attention",
                             "encoder_attns", "encoder_attn", "enc_atts" },
  [HL_ATTENTION_DECODER] = { "decoder_attentions", "decoder_attention", "dec_attentions", "dec_attention",
                             "decoder_attns", "decoder_attn", "dec_atts" },
  [HL_ATTENTION_CROSS] = { "cross_attentions", "cross_attention", "cross_attns", "cross_attn",
                           "encoder_decoder_attentions", "encdec_atts" },
};

const char *const hl_layout_token_names[] = { "tokens",       "encoder_tokens", "decoder_tokens",
                                              "query_tokens", "key_tokens",     NULL };

static const char *const token_aliases[][12] = {
  { "tokens", "tokens_list", "token_list", "token_strings", "str_tokens", "input_tokens", "all_tokens", "wordpieces",
    "words" },
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

gboolean
hl_layout_names_are_tokens (const char *member)
{
  char *const members[] = { (char *) member, NULL };

  for (guint i = 0; hl_layout_token_names[i] != NULL; i++)
    if (find ((char **) members, token_aliases[i]) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
contains (const char *name,
          const char *word)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return strstr (lower, word) != NULL;
}

/* Whether strings of that name say something of layers or words, as in data/dump-format.md: they are no tokens. */
gboolean
hl_layout_names_are_no_tokens (const char *member)
{
  return contains (member, "layer_names") || contains (member, "layer_types") ||
         g_ascii_strcasecmp (member, "relns") == 0;
}

/* Whether it is what parameters of a model are called, such as `self_attn.in_proj_weight`. */
static gboolean
is_parameter (const char *name)
{
  static const char *const weights[] = { "attention_weight", "attn_weight", "att_weight" };

  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    if (g_str_has_suffix (name, weights[i]))
      return FALSE;
  return g_str_has_suffix (name, "weight") || g_str_has_suffix (name, "bias");
}

/* Weights of a model have “attention” in their names as well, but end otherwise. */
gboolean
hl_layout_names_is_attention (const char *name)
{
  return (contains (name, "att") || contains (name, "pattern")) && !is_parameter (name);
}

gboolean
hl_layout_names_are_layers (const char *pattern)
{
  return contains (pattern, "layer") || contains (pattern, "block");
}

/* Whether what is numbered is called a text, by the word before the number. */
gboolean
hl_layout_names_are_examples (const char *pattern)
{
  static const char *const words[] = { "sent",     "sentence", "text", "sample",   "example",   "prompt", "doc",
                                       "document", "instance", "seq",  "sequence", "utterance", NULL };
  const char *end = strchr (pattern, '#');

  while (end != NULL && end > pattern && !g_ascii_isalpha (end[-1]))
    end--;
  const char *start = end;
  while (start != NULL && start > pattern && g_ascii_isalpha (start[-1]))
    start--;
  g_autofree char *word = g_ascii_strdown (start, end - start);
  return g_strv_contains (words, word);
}

gboolean
hl_layout_names_are_heads (const char *name)
{
  return contains (name, "head");
}

/* Whether it is what attention of some kind is called. */
gboolean
hl_layout_names_are_weights (const char *member)
{
  char *const members[] = { (char *) member, NULL };

  for (guint kind = 0; kind < G_N_ELEMENTS (weight_names); kind++)
    if (find ((char **) members, weight_names[kind]) != NULL)
      return TRUE;
  return FALSE;
}

/* TransformerLens has scores beside patterns, and other hooks, with the same sizes. Returns how likely it is a series
 * of attention; 0 for one that says nothing. */
int
hl_layout_names_rate (const char *pattern)
{
  if (is_parameter (pattern))
    return -1;
  return (contains (pattern, "pattern") || contains (pattern, "prob") ? 4 : 0) + (contains (pattern, "att") ? 2 : 0) -
         (contains (pattern, "score") ? 1 : 0);
}
