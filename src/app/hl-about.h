/* SPDX-License-Identifier: MIT */
/* The window that says what the program is, and whose. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *hl_about_new (void);

G_END_DECLS
