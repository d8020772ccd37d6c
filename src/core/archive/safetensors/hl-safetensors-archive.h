/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive.h"

G_BEGIN_DECLS

#define HL_TYPE_SAFETENSORS_ARCHIVE (hl_safetensors_archive_get_type ())
G_DECLARE_FINAL_TYPE (HlSafetensorsArchive, hl_safetensors_archive, HL, SAFETENSORS_ARCHIVE, GObject)

gboolean   hl_safetensors_archive_recognise (GFile         *file,
                                             const guint8  *head,
                                             gsize          size);
HlArchive *hl_safetensors_archive_open      (GFile         *file,
                                             HlProgress    *progress,
                                             GCancellable  *cancellable,
                                             GError       **error);

G_END_DECLS
