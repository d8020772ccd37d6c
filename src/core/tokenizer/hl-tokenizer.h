/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/tokenizer/text/hl-encoding.h"

G_BEGIN_DECLS

/**
 * HlSpecialToken:
 * @HL_SPECIAL_PAD: fills up
 * @HL_SPECIAL_CLS: stands for the whole text
 * @HL_SPECIAL_SEP: ends a text
 * @HL_SPECIAL_BOS: begins a text
 * @HL_SPECIAL_EOS: ends what is generated
 * @HL_SPECIAL_MASK: is to be guessed
 * @HL_SPECIAL_UNK: is not in the vocabulary
 *
 * What a special token is for.
 */
typedef enum
{
  HL_SPECIAL_PAD,
  HL_SPECIAL_CLS,
  HL_SPECIAL_SEP,
  HL_SPECIAL_BOS,
  HL_SPECIAL_EOS,
  HL_SPECIAL_MASK,
  HL_SPECIAL_UNK,
} HlSpecialToken;

#define HL_N_SPECIAL_TOKENS (HL_SPECIAL_UNK + 1)

/* What a tokenizer is made of; see hl-tokenizer-parts.h. */
typedef struct _HlTokenizerParts HlTokenizerParts;

#define HL_TYPE_TOKENIZER (hl_tokenizer_get_type ())
/**
 * HlTokenizer:
 *
 * Turns text into the tokens of a model. Immutable; usable from any thread.
 */
G_DECLARE_FINAL_TYPE (HlTokenizer, hl_tokenizer, HL, TOKENIZER, GObject)

HlTokenizer *hl_tokenizer_load              (GFile           *folder,
                                             GError         **error);
HlTokenizer *hl_tokenizer_new_from_json     (const char      *text,
                                             gsize            size,
                                             GError         **error);
gboolean     hl_tokenizer_load_configs      (HlTokenizer      *self,
                                             GFile            *folder,
                                             GError          **error);
HlTokenizer *hl_tokenizer_new_from_parts    (HlTokenizerParts *parts);
HlEncoding  *hl_tokenizer_encode            (HlTokenizer     *self,
                                             const char      *text,
                                             const char      *text_pair,
                                             guint            max_length,
                                             GError         **error);
const char  *hl_tokenizer_get_token         (HlTokenizer     *self,
                                             guint32          id);
gboolean     hl_tokenizer_get_id            (HlTokenizer     *self,
                                             const char      *token,
                                             guint32         *id);
guint32      hl_tokenizer_get_n_tokens      (HlTokenizer     *self);
guint        hl_tokenizer_get_max_length    (HlTokenizer     *self);
gboolean     hl_tokenizer_get_special_token (HlTokenizer     *self,
                                             HlSpecialToken   role,
                                             guint32         *id);

G_END_DECLS
