/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

int      hl_scratch_file_open      (guint64      size,
                                    GError     **error);
gboolean hl_scratch_file_write     (int          fd,
                                    guint64      at,
                                    const void  *bytes,
                                    gsize        size,
                                    GError     **error);
gboolean hl_scratch_file_overwrite (int          fd,
                                    guint64      at,
                                    const void  *bytes,
                                    gsize        size,
                                    GError     **error);

G_END_DECLS
