/* SPDX-License-Identifier: MIT */
/* What the metadata of a GGUF file says of its tokens. */
#pragma once

#include "core/archive/gguf/hl-gguf-archive.h"
#include "core/tokenizer/hl-tokenizer.h"
#include "core/tokenizer/model/hl-vocabulary.h"

G_BEGIN_DECLS

/* What a token is, by its number in files. */
typedef enum {
  HL_GGUF_TOKEN_UNDEFINED,
  HL_GGUF_TOKEN_NORMAL,
  HL_GGUF_TOKEN_UNKNOWN,
  HL_GGUF_TOKEN_CONTROL,
  HL_GGUF_TOKEN_USER_DEFINED,
  HL_GGUF_TOKEN_UNUSED,
  HL_GGUF_TOKEN_BYTE,
} HlGgufTokenType;

#define HL_N_GGUF_TOKEN_TYPES (HL_GGUF_TOKEN_BYTE + 1)

/* Checked metadata; what is in the file stays there. */
typedef struct
{
  HlGgufArchive     *archive;
  const HlGgufValue *spellings;
  guint32            n;
  guint8            *types;  /* HlGgufTokenType of each */
  float             *scores; /* nullable; of each */
  guint32            roles[HL_N_SPECIAL_TOKENS]; /* HL_NO_TOKEN: it does not say */
} HlGgufTokens;

/* Writes how a token is to be spelt, where that is not how the file spells it; returns whether it did. */
typedef gboolean (*HlGgufSpell) (const char      *token,
                                 gsize            length,
                                 HlGgufTokenType  type,
                                 GString         *spelling);

gboolean      hl_gguf_tokens_read            (HlGgufTokens        *self,
                                              HlGgufArchive       *archive,
                                              GError             **error);
void          hl_gguf_tokens_clear           (HlGgufTokens        *self);
HlVocabulary *hl_gguf_tokens_make_vocabulary (const HlGgufTokens  *self,
                                              HlGgufSpell          spell,
                                              GError             **error);
gboolean      hl_gguf_tokens_read_flag       (const HlGgufTokens  *self,
                                              const char          *key,
                                              gboolean            *flag,
                                              GError             **error);
gboolean      hl_gguf_tokens_require_scores  (const HlGgufTokens  *self,
                                              GError             **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlGgufTokens, hl_gguf_tokens_clear)

G_END_DECLS
