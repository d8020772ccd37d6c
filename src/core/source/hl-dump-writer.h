/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"
#include "core/document/hl-document.h"

G_BEGIN_DECLS

gboolean hl_dump_writer_save (HlDocument    *document,
                              GFile         *target,
                              HlProgress    *progress,
                              GCancellable  *cancellable,
                              GError       **error);

G_END_DECLS
