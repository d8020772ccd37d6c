/* SPDX-License-Identifier: MIT */
/* The help: its pages, by the program for help of the desktop, or else by the browser. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

char    *hl_help_find (const char          *page,
                       GError             **error);
void     hl_help_show (GtkWindow           *window,
                       const char          *page,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data);
gboolean hl_help_show_finish (GAsyncResult *result,
                              GError      **error);

G_END_DECLS
