/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/hl-tree-archive.h"
#include "core/json/hl-json-reader.h"

G_BEGIN_DECLS

gboolean       hl_json_archive_recognise (GFile         *file,
                                          const guint8  *head,
                                          gsize          size);
HlArchive     *hl_json_archive_open      (GFile         *file,
                                          HlProgress    *progress,
                                          GCancellable  *cancellable,
                                          GError       **error);

HlArchiveNode *hl_json_parse             (HlJsonReader  *reader,
                                          const char    *name,
                                          GError       **error);
HlArchiveNode *hl_json_parse_value       (HlJsonReader  *reader,
                                          HlJsonBudget  *budget,
                                          const char    *name,
                                          GError       **error);

G_END_DECLS
