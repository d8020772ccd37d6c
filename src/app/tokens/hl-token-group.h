/* SPDX-License-Identifier: MIT */
/* Where tokens come from, to be chosen. */
#pragma once

#include <adwaita.h>

#include "app/tokens/hl-token-choice.h"

G_BEGIN_DECLS

#define HL_TYPE_TOKEN_GROUP (hl_token_group_get_type ())
G_DECLARE_FINAL_TYPE (HlTokenGroup, hl_token_group, HL, TOKEN_GROUP, AdwPreferencesGroup)

void hl_token_group_set_beside    (HlTokenGroup   *self,
                                   GFile          *beside);
void hl_token_group_set_tokens    (HlTokenGroup   *self,
                                   char          **tokens);
void hl_token_group_get_choice    (HlTokenGroup   *self,
                                   HlTokenChoice  *choice);
void hl_token_group_set_tokenizer (HlTokenGroup   *self,
                                   HlTokenizer    *tokenizer,
                                   GFile          *folder);

G_END_DECLS
