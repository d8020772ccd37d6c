/* SPDX-License-Identifier: MIT */
/* The tokens of one side: how they are spelt and read, what of an image or of a sound they stand for. */
#include "core/document/attention/hl-attention-tokens.h"

#include "core/document/tokens/hl-token-text.h"
#include "core/document/tokens/hl-token-time.h"

/**
 * hl_attention_tokens_spell: (skip)
 * @self: tokens whose number is known
 * @tokens: (nullable) (array zero-terminated=1): as the tokenizer spells them, or fewer
 * @first: the position of the first
 *
 * Gives each a string: a token as far as there are any, then a position.
 */
void
hl_attention_tokens_spell (HlAttentionTokens *self,
                           const char *const *tokens,
                           gsize              first)
{
  char **strings = g_new0 (char *, self->n + 1);
  gsize i = 0;

  for (; tokens != NULL && i < self->n && tokens[i] != NULL; i++)
    strings[i] = g_strdup (tokens[i]);
  self->n_known = i;
  for (; i < self->n; i++)
    strings[i] = g_strdup_printf ("%zu", first + i);
  self->strings = hl_token_strings_new (strings);
}

/**
 * hl_attention_tokens_spell_as: (skip)
 * @self: tokens whose number is known
 * @other: as many, spelt
 *
 * Shares their strings: those of a million positions are 40 MB.
 */
void
hl_attention_tokens_spell_as (HlAttentionTokens       *self,
                              const HlAttentionTokens *other)
{
  self->n_known = other->n_known;
  self->strings = hl_token_strings_ref (other->strings);
}

/**
 * hl_attention_tokens_copy: (skip)
 * @self: tokens
 * @copy: (out): tokens that share all with them
 */
void
hl_attention_tokens_copy (const HlAttentionTokens *self,
                          HlAttentionTokens       *copy)
{
  *copy = *self;
  hl_token_strings_ref (copy->strings);
  hl_token_strings_ref (copy->texts);
  if (copy->map != NULL)
    hl_token_map_ref (copy->map);
  if (copy->picture != NULL)
    hl_picture_ref (copy->picture);
  if (copy->times != NULL)
    hl_token_times_ref (copy->times);
}

/**
 * hl_attention_tokens_clear: (skip)
 * @self: tokens
 *
 * Frees what they point to.
 */
void
hl_attention_tokens_clear (HlAttentionTokens *self)
{
  g_clear_pointer (&self->strings, hl_token_strings_unref);
  g_clear_pointer (&self->texts, hl_token_strings_unref);
  g_clear_pointer (&self->map, hl_token_map_unref);
  g_clear_pointer (&self->picture, hl_picture_unref);
  g_clear_pointer (&self->times, hl_token_times_unref);
}

/**
 * hl_attention_tokens_get_span: (skip)
 * @self: tokens
 * @index: a query or key
 *
 * Returns: which tokens of the first attention it stands for
 */
HlTokenSpan
hl_attention_tokens_get_span (const HlAttentionTokens *self,
                              gsize                    index)
{
  return self->map != NULL ? hl_token_map_get_spans (self->map)[index] : (HlTokenSpan){ index, 1 };
}

/**
 * hl_attention_tokens_knows: (skip)
 * @self: tokens
 * @index: a query or key
 *
 * Returns: whether it is spelt by the tokens that it stands for, and not by its position
 */
gboolean
hl_attention_tokens_knows (const HlAttentionTokens *self,
                           gsize                    index)
{
  const HlTokenSpan span = hl_attention_tokens_get_span (self, index);

  return span.first + span.n <= self->n_known;
}

/**
 * hl_attention_tokens_find_patch: (skip)
 * @self: tokens
 * @index: a query or key
 * @patch: (out): what it stands for, of the images of @self
 *
 * Returns: whether it is one token that stands for a part of an image
 */
gboolean
hl_attention_tokens_find_patch (const HlAttentionTokens *self,
                                gsize                    index,
                                HlPicturePatch          *patch)
{
  const HlTokenSpan span = hl_attention_tokens_get_span (self, index);

  return self->picture != NULL && span.n == 1 && hl_picture_find (self->picture, span.first, patch);
}

/**
 * hl_attention_tokens_name_patches: (skip)
 * @self: the tokens of a side
 * @texts: (inout): what people read in their place, one for each query or key
 *
 * Names those by where they stand in an image that stand for a part of one: models of images and text spell all of them alike.
 */
void
hl_attention_tokens_name_patches (const HlAttentionTokens *self,
                                  char                   **texts)
{
  HlPicturePatch patch;

  for (gsize i = 0; self->picture != NULL && i < self->n; i++)
    if (hl_attention_tokens_find_patch (self, i, &patch))
      {
        g_free (texts[i]);
        texts[i] = hl_picture_name_patch (self->picture, &patch);
      }
}

/**
 * hl_attention_tokens_make_texts: (skip)
 * @self: tokens that are spelt
 *
 * Returns: (transfer full): what people read in their place, one for each query or key
 */
HlTokenStrings *
hl_attention_tokens_make_texts (const HlAttentionTokens *self)
{
  /* A position is read as it is spelt. */
  if (self->n_known == 0 && self->picture == NULL)
    return hl_token_strings_ref (self->strings);
  char **texts = hl_token_text_make_labels (hl_token_strings_get (self->strings), self->n);
  hl_attention_tokens_name_patches (self, texts);
  return hl_token_strings_new (texts);
}

/**
 * hl_attention_tokens_dup_time: (skip)
 * @self: tokens
 * @index: a query or key
 *
 * Returns: (transfer full) (nullable): when it is, see hl_attention_dup_time()
 */
char *
hl_attention_tokens_dup_time (const HlAttentionTokens *self,
                              gsize                    index)
{
  const HlTokenSpan span = hl_attention_tokens_get_span (self, index);
  double start, end;

  if (self->times == NULL || span.n == 0 || span.first + span.n > self->times->n ||
      hl_token_time_parse (hl_token_strings_get (self->texts)[index], &start, &end))
    return NULL;
  return hl_token_times_format (self->times, span.first, span.n);
}
