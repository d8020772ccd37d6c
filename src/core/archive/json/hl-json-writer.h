/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-archive-writer.h"

G_BEGIN_DECLS

#define HL_TYPE_JSON_WRITER (hl_json_writer_get_type ())
G_DECLARE_FINAL_TYPE (HlJsonWriter, hl_json_writer, HL, JSON_WRITER, GObject)

HlArchiveWriter *hl_json_writer_new (GFile   *file,
                                    GError **error);

G_END_DECLS
