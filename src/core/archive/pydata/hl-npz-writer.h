/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive-writer.h"

G_BEGIN_DECLS

#define HL_TYPE_NPZ_WRITER (hl_npz_writer_get_type ())
G_DECLARE_FINAL_TYPE (HlNpzWriter, hl_npz_writer, HL, NPZ_WRITER, GObject)

HlArchiveWriter *hl_npz_writer_new (GFile   *file,
                                    GError **error);

G_END_DECLS
