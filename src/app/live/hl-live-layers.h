/* SPDX-License-Identifier: MIT */
/* Which layers are there of the document of a run that is under way. */
#pragma once

#include "core/document/hl-document.h"

G_BEGIN_DECLS

gboolean hl_live_layers_has   (HlDocument      *document,
                               HlAttentionKind  attention,
                               guint            layer);
void     hl_live_layers_count (HlDocument      *document,
                               guint           *n_done,
                               guint           *n_layers);

G_END_DECLS
