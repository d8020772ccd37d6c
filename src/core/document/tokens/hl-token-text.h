/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/document/tokens/hl-token-map.h"

G_BEGIN_DECLS

gboolean hl_special_token_is (const char *token);

/**
 * HlTokenSpelling:
 * @HL_TOKEN_SPELLING_PLAIN: no mark tells pieces from words
 * @HL_TOKEN_SPELLING_WORD_PIECE: what continues a word begins with `##`, as BERT's vocabularies have it
 * @HL_TOKEN_SPELLING_BYTES: bytes as visible characters, so that a space is `Ġ`: GPT-2, RoBERTa, LLaMA 3, Qwen
 * @HL_TOKEN_SPELLING_SENTENCE_PIECE: a space is `▁`, bytes of rare characters are `<0xE4>`: LLaMA, T5, XLM-R, DeBERTa
 * @HL_TOKEN_SPELLING_SPACES: a space is a space, bytes that are no whole character are `<0xE4>`: tokens that were
 *   decoded one by one
 * @HL_TOKEN_SPELLING_WORD_END: what ends a word ends with `</w>`: GPT, XLM
 * @HL_TOKEN_SPELLING_WORD_END_BYTES: likewise, and bytes as visible characters: CLIP
 * @HL_TOKEN_SPELLING_CONTINUED: what does not end a word ends with `@@`: fastBPE
 *
 * How tokens are written.
 */
typedef enum {
  HL_TOKEN_SPELLING_PLAIN,
  HL_TOKEN_SPELLING_WORD_PIECE,
  HL_TOKEN_SPELLING_BYTES,
  HL_TOKEN_SPELLING_SENTENCE_PIECE,
  HL_TOKEN_SPELLING_SPACES,
  HL_TOKEN_SPELLING_WORD_END,
  HL_TOKEN_SPELLING_WORD_END_BYTES,
  HL_TOKEN_SPELLING_CONTINUED,
} HlTokenSpelling;

HlTokenSpelling hl_token_spelling_detect         (const char *const *tokens,
                                                  gsize              n);
void            hl_token_spelling_append         (HlTokenSpelling    self,
                                                  const char        *token,
                                                  GString           *text);
gboolean        hl_token_spelling_marks_spaces   (HlTokenSpelling    self);
gboolean        hl_token_spelling_continues_next (HlTokenSpelling    self,
                                                  const char        *token);
gboolean        hl_token_spelling_continues_last (HlTokenSpelling    self,
                                                  const char        *token);

char **hl_token_text_make_labels (const char *const *tokens,
                                  gsize              n);
char **hl_token_text_make_words  (const char *const *tokens,
                                  const HlTokenMap  *map);

G_END_DECLS
