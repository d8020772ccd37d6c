/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkRecentManager *hl_recent_get_manager (void);
void              hl_recent_add         (GFile     *file,
                                         gboolean   is_folder);
GPtrArray        *hl_recent_list        (guint      max);
GStrv             hl_recent_list_names  (GPtrArray *files);
char             *hl_recent_dup_place   (GFile     *file);
char             *hl_recent_dup_time    (GFile     *file);
void              hl_recent_remove      (GFile     *file);

G_END_DECLS
