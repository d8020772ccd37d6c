/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tokenizer/hl-tokenizer.h"

G_BEGIN_DECLS

/**
 * HlTokenDecoder:
 *
 * Turns token numbers back into the text that they stand for, one after the other.
 */
typedef struct _HlTokenDecoder HlTokenDecoder;

HlTokenDecoder *hl_token_decoder_new      (HlTokenizer     *tokenizer,
                                           gboolean         begins_text);
void            hl_token_decoder_free     (HlTokenDecoder  *self);
void            hl_token_decoder_append   (HlTokenDecoder  *self,
                                           guint32          id);
char           *hl_token_decoder_dup_label
                                          (HlTokenDecoder  *self,
                                           guint32          id);
const char     *hl_token_decoder_get_text (HlTokenDecoder  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTokenDecoder, hl_token_decoder_free)

G_END_DECLS
