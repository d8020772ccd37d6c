/* SPDX-License-Identifier: MIT */
/* Names of files that are one model together: `NAME-00001-of-00003.gguf` and so on. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

guint  hl_gguf_part_name_parse    (const char *name,
                                   guint      *number);
char  *hl_gguf_part_name_make_end (guint       number,
                                   guint       n_parts);
GFile *hl_gguf_part_name_get_file (GFile      *file,
                                   guint       number);

G_END_DECLS
