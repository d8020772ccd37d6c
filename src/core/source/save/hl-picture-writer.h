/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive-writer.h"
#include "core/document/attention/hl-example.h"

G_BEGIN_DECLS

gboolean hl_picture_writer_save (HlArchiveWriter  *writer,
                                 const char       *group,
                                 HlExample        *example,
                                 GCancellable     *cancellable,
                                 GError          **error);

G_END_DECLS
