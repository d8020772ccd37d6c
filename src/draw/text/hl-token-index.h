/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

typedef struct _HlTokenIndex HlTokenIndex;

HlTokenIndex *hl_token_index_new  (const char *const  *tokens,
                                   gsize               n);
void          hl_token_index_free (HlTokenIndex       *self);
GArray       *hl_token_index_find (const HlTokenIndex *self,
                                   const char         *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlTokenIndex, hl_token_index_free)

G_END_DECLS
