/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void       hl_recent_add       (GFile    *file,
                                gboolean  is_folder);
GPtrArray *hl_recent_list      (guint     max);
char      *hl_recent_dup_place (GFile    *file);
GFile     *hl_sample_get_file  (void);

G_END_DECLS
