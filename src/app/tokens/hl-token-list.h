/* SPDX-License-Identifier: MIT */
/* The rows of the token panel as a list model. */
#pragma once

#include "app/tokens/hl-token-weights.h"

G_BEGIN_DECLS

#define HL_TYPE_TOKEN_LIST (hl_token_list_get_type ())
G_DECLARE_FINAL_TYPE (HlTokenList, hl_token_list, HL, TOKEN_LIST, GObject)

/**
 * HL_TOKEN_LIST_NOTHING:
 *
 * Stands for no token where an index is asked for.
 */
#define HL_TOKEN_LIST_NOTHING G_MAXSIZE

HlTokenList    *hl_token_list_new         (void);
void            hl_token_list_reserve     (HlTokenList    *self,
                                           gsize           n);
HlTokenWeights *hl_token_list_get_weights (HlTokenList    *self);
void            hl_token_list_set_weights (HlTokenList    *self,
                                           HlTokenWeights *weights);
gsize           hl_token_list_get_marked  (HlTokenList    *self);
void            hl_token_list_set_marked  (HlTokenList    *self,
                                           gsize           index);

G_END_DECLS
