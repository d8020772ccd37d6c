/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Files of the folder in which the program keeps what it wants to know again. Nobody named them, and somebody else may have put something in
 * their place: only what is a file itself is read, and what is written goes nowhere else. From any thread; all functions block.
 */
GBytes  *hl_kept_file_read  (GFile       *file,
                             gsize        max,
                             gsize       *budget,
                             GError     **error);
gboolean hl_kept_file_write (const char  *path,
                             GBytes      *bytes,
                             GError     **error);

G_END_DECLS
