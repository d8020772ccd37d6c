/* SPDX-License-Identifier: MIT */
/* One row of the token panel. */
#pragma once

#include "app/tokens/hl-token-list.h"

G_BEGIN_DECLS

#define HL_TYPE_TOKEN_ROW (hl_token_row_get_type ())
G_DECLARE_FINAL_TYPE (HlTokenRow, hl_token_row, HL, TOKEN_ROW, GObject)

HlTokenRow          *hl_token_row_new             (HlTokenList *list,
                                                   guint        position);
HlTokenList         *hl_token_row_get_list        (HlTokenRow  *self);
const HlTokenWeight *hl_token_row_get_weight      (HlTokenRow  *self);
const float         *hl_token_row_get_parts       (HlTokenRow  *self);
gboolean             hl_token_row_is_marked       (HlTokenRow  *self);
char                *hl_token_row_dup_token       (HlTokenRow  *self);
char                *hl_token_row_dup_spelling    (HlTokenRow  *self);
char                *hl_token_row_dup_number      (HlTokenRow  *self);
char                *hl_token_row_dup_side_number (HlTokenRow  *self,
                                                   guint        which);
char                *hl_token_row_dup_label       (HlTokenRow  *self);

G_END_DECLS
