/* SPDX-License-Identifier: MIT */
/* Names of files, for people. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

char *hl_file_dup_display_name (GFile *file);
char *hl_file_dup_display_path (GFile *file);

G_END_DECLS
