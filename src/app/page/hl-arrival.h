/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/page/hl-document-page.h"

G_BEGIN_DECLS

/* Files that came together, in their order. */
typedef struct _HlArrival HlArrival;

HlArrival      *hl_arrival_new      (void);
void            hl_arrival_unref    (HlArrival      *self);
void            hl_arrival_add      (HlArrival      *self,
                                     HlDocumentPage *page);
gboolean        hl_arrival_is_first (HlDocumentPage *page);
gboolean        hl_arrival_settle   (HlDocumentPage *page);
HlDocumentPage *hl_arrival_leave    (HlDocumentPage *page);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlArrival, hl_arrival_unref)

G_END_DECLS
