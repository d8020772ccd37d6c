/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

char **hl_token_file_parse (const char  *text,
                            gsize        size,
                            GError     **error);
char **hl_token_file_load  (GFile        *file,
                            GCancellable *cancellable,
                            GError      **error);

G_END_DECLS
