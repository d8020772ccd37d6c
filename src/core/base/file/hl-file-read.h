/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include <sys/stat.h>

G_BEGIN_DECLS

gboolean hl_file_is_local     (GFile         *file);
gboolean hl_file_leaves_room  (int            fd);
void     hl_file_make_room    (void);

int      hl_file_open_regular (GFile         *file,
                               struct stat   *info,
                               GError       **error);
GBytes  *hl_file_read_head    (GFile         *file,
                               gsize          max,
                               GCancellable  *cancellable,
                               GError       **error);

GBytes  *hl_file_read_regular (GFile         *file,
                               gsize          max,
                               GCancellable  *cancellable,
                               GError       **error);

char    *hl_file_load_regular (GFile         *file,
                               gsize         *size,
                               gsize          max,
                               GError       **error);

G_END_DECLS
