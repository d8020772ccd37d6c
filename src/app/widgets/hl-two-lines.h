/* SPDX-License-Identifier: MIT */
/* A title and a smaller line below it, for rows of lists that have many. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *hl_two_lines_new     (int         margin);
void       hl_two_lines_set     (GtkWidget  *lines,
                                 const char *title,
                                 const char *subtitle);
void       hl_two_lines_set_dim (GtkWidget  *lines,
                                 gboolean    is_dim);

G_END_DECLS
