/* SPDX-License-Identifier: MIT */
/* Keeps a click from being lost while a window is busy. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void hl_press_guard_attach (GtkWidget *window);

G_END_DECLS
