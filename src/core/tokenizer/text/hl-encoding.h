/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/tokenizer/text/hl-aligned.h"

G_BEGIN_DECLS

/**
 * HlEncoding:
 * @n_tokens: how many tokens
 * @ids: (array length=n_tokens): their ids
 * @tokens: (array length=n_tokens): as the vocabulary spells them; %NULL-terminated
 * @segments: (array length=n_tokens): their segments (token type ids)
 * @special: (array length=n_tokens): 1 for those that stand around the text and are not of it, else 0
 * @offsets: (array length=n_tokens): the bytes of the text, or of the second text, that each was made
 *   from; those of special tokens are empty
 * @sentence_b_start: the first token of the second text; -1 if there is none
 * @n_cut: how many tokens were left out because there were too many
 *
 * A text as tokens.
 */
typedef struct
{
  guint      n_tokens;
  guint32   *ids;
  char     **tokens;
  guint32   *segments;
  guint8    *special;
  HlOffsets *offsets;
  gssize     sentence_b_start;
  guint      n_cut;
} HlEncoding;

HlEncoding *hl_encoding_new  (guint       n_tokens);
void        hl_encoding_free (HlEncoding *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlEncoding, hl_encoding_free)

G_END_DECLS
