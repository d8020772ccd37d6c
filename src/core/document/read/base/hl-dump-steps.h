/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/read/base/hl-dump-maps.h"

G_BEGIN_DECLS

/**
 * HL_DUMP_ALL_STEPS:
 *
 * In place of a step: all of them together.
 */
#define HL_DUMP_ALL_STEPS (-1)

gboolean hl_dump_steps_open (HlDumpMaps              *self,
                             HlArchive               *archive,
                             const HlLayoutAttention *attention,
                             gint64                   step,
                             GCancellable            *cancellable,
                             GError                 **error);

G_END_DECLS
