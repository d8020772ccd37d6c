/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/tokenizer/hl-added-tokens.h"

G_BEGIN_DECLS

/**
 * HlTokenizerBeside:
 * @tokens: tokens that are looked for besides those of the tokenizer
 * @trees: what their spellings are in
 * @normalizer: (nullable): what takes the place of its own
 * @pre_tokenizer: (nullable): likewise
 *
 * What files beside a tokenizer say of it.
 */
typedef struct
{
  HlMoreTokens tokens;
  GPtrArray   *trees;
  HlJsonTree  *normalizer;
  HlJsonTree  *pre_tokenizer;
} HlTokenizerBeside;

gboolean hl_tokenizer_beside_read_tokens  (HlTokenizerBeside *self,
                                           GFile             *folder,
                                           GError           **error);
gboolean hl_tokenizer_beside_read_options (HlTokenizerBeside *self,
                                           GFile             *folder,
                                           HlJsonValue        tokenizer,
                                           GError           **error);
void     hl_tokenizer_beside_clear        (HlTokenizerBeside *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HlTokenizerBeside, hl_tokenizer_beside_clear)

G_END_DECLS
