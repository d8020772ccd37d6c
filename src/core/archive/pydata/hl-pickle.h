/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/pydata/hl-pickle-global.h"

G_BEGIN_DECLS

gboolean       hl_pickle_recognise (const guint8    *head,
                                    gsize            size);
HlPickleValue *hl_pickle_load      (HlPickleHeap    *heap,
                                    HlSpan          *span,
                                    guint64         *offset,
                                    HlPickleUnpack   unpack,
                                    gpointer         data,
                                    GCancellable    *cancellable,
                                    GError         **error);

G_END_DECLS
