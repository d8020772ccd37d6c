/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/hl-progress.h"
#include "core/source/save/hl-dump-store.h"

G_BEGIN_DECLS

gboolean hl_dump_writer_save (HlDocument    *document,
                              HlDumpStore    store,
                              const HlLens  *lens,
                              GPtrArray     *left_out,
                              GFile         *target,
                              HlProgress    *progress,
                              GCancellable  *cancellable,
                              GError       **error);

G_END_DECLS
