/* SPDX-License-Identifier: MIT */
/* The rows of the token panel as a list model, and one such row. */
#pragma once

#include "app/tokens/hl-token-weights.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Stands for no token where an index is asked for. */
#define HL_TOKEN_LIST_NOTHING G_MAXSIZE

#define HL_TYPE_TOKEN_LIST (hl_token_list_get_type ())
G_DECLARE_FINAL_TYPE (HlTokenList, hl_token_list, HL, TOKEN_LIST, GObject)

#define HL_TYPE_TOKEN_ROW (hl_token_row_get_type ())
G_DECLARE_FINAL_TYPE (HlTokenRow, hl_token_row, HL, TOKEN_ROW, GObject)

HlTokenList         *hl_token_list_new            (void);
void                 hl_token_list_reserve        (HlTokenList    *self,
                                                   gsize           n);
HlTokenWeights      *hl_token_list_get_weights    (HlTokenList    *self);
void                 hl_token_list_set_weights    (HlTokenList    *self,
                                                   HlTokenWeights *weights);
void                 hl_token_list_set_in_text_order (HlTokenList *self,
                                                   gboolean        in_text_order);
guint                hl_token_list_get_place_length (HlTokenList  *self);
gsize                hl_token_list_get_marked     (HlTokenList    *self);
void                 hl_token_list_set_marked     (HlTokenList    *self,
                                                   gsize           index);
gboolean             hl_token_list_dims_head      (HlTokenList    *self,
                                                   guint           colour);
void                 hl_token_list_set_pointed    (HlTokenList    *self,
                                                   const HlPick   *pick);

HlTokenList         *hl_token_row_get_list        (HlTokenRow     *self);
const HlTokenWeight *hl_token_row_get_weight      (HlTokenRow     *self);
const float         *hl_token_row_get_parts       (HlTokenRow     *self);
gboolean             hl_token_row_is_marked       (HlTokenRow     *self);
char                *hl_token_row_dup_token       (HlTokenRow     *self);
gboolean             hl_token_row_is_patch        (HlTokenRow     *self);
GdkTexture          *hl_token_row_get_swatch      (HlTokenRow     *self,
                                                   double          size,
                                                   int             scale);
char                *hl_token_row_dup_place       (HlTokenRow     *self);
char                *hl_token_row_dup_spelling    (HlTokenRow     *self);
char                *hl_token_row_dup_number      (HlTokenRow     *self);
char                *hl_token_row_dup_side_number (HlTokenRow     *self,
                                                   guint           which);
char                *hl_token_row_dup_label       (HlTokenRow     *self);

G_END_DECLS
