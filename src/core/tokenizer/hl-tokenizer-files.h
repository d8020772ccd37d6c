/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GFile      *hl_tokenizer_files_find_pieces (GFile        *file);
gboolean    hl_tokenizer_files_are_in (GFile             *folder);
char       *hl_tokenizer_files_read   (GFile             *folder,
                                       gsize             *size,
                                       GError           **error);

G_END_DECLS
