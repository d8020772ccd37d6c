/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-side.h"
#include "core/document/attention/hl-attention.h"
#include "core/document/picture/hl-picture.h"
#include "core/document/read/base/hl-dump-context.h"

G_BEGIN_DECLS

GPtrArray *hl_dump_images_read  (const HlDumpContext *context,
                                 GError             **error);
gboolean   hl_dump_picture_read (const HlDumpContext *context,
                                 GPtrArray           *images,
                                 HlAttentionKind      kind,
                                 HlSide               side,
                                 char               **tokens,
                                 gsize                first,
                                 gsize                n,
                                 HlPicture          **picture,
                                 GError             **error);
void       hl_dump_picture_note (const HlDumpContext *context,
                                 GPtrArray           *images,
                                 GPtrArray           *attentions);

G_END_DECLS
