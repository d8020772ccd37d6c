/* SPDX-License-Identifier: MIT */
/* Where the tokens of a file of attention come from. */
#pragma once

#include "core/tokenizer/hl-tokenizer.h"

G_BEGIN_DECLS

/**
 * HlTokenOrigin:
 * @HL_TOKEN_ORIGIN_FILE: as the file has them, if it has any
 * @HL_TOKEN_ORIGIN_LINES: somebody wrote them, one a line
 * @HL_TOKEN_ORIGIN_TOKENIZER: a tokenizer makes them of a text
 *
 * Where tokens come from.
 */
typedef enum
{
  HL_TOKEN_ORIGIN_FILE,
  HL_TOKEN_ORIGIN_LINES,
  HL_TOKEN_ORIGIN_TOKENIZER,
} HlTokenOrigin;

/**
 * HlTokenChoice:
 * @origin: where tokens come from
 * @text: (nullable): the lines, or the text
 * @second_text: (nullable): a second text for a tokenizer
 * @folder: (nullable): of the tokenizer, or its file
 * @tokenizer: (nullable): that of @folder, if it was read before
 *
 * What somebody chose about tokens.
 */
typedef struct
{
  HlTokenOrigin origin;
  char         *text;
  char         *second_text;
  GFile        *folder;
  HlTokenizer  *tokenizer;
} HlTokenChoice;

void     hl_token_choice_copy  (HlTokenChoice        *self,
                                const HlTokenChoice  *from);
void     hl_token_choice_clear (HlTokenChoice        *self);
gboolean hl_token_choice_make  (HlTokenChoice        *self,
                                char               ***tokens,
                                GError              **error);
char    *hl_token_choice_write (char                **tokens);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlTokenChoice, hl_token_choice_clear)

G_END_DECLS
