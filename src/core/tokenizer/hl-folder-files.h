/* SPDX-License-Identifier: MIT */
/* The small files of a model's folder, by their names. */
#pragma once

#include <gio/gio.h>

#include "core/json/hl-json-tree.h"

G_BEGIN_DECLS

gboolean    hl_folder_files_has       (GFile       *folder,
                                       const char  *name);
char       *hl_folder_files_read      (GFile       *folder,
                                       const char  *name,
                                       gsize       *size,
                                       GError     **error);
HlJsonTree *hl_folder_files_read_json (GFile       *folder,
                                       const char  *name,
                                       GError     **error);
gboolean    hl_folder_files_read_text (GFile       *folder,
                                       const char  *name,
                                       const char  *key,
                                       char       **text,
                                       GError     **error);

G_END_DECLS
