/* SPDX-License-Identifier: MIT */
/* Buttons with something that drops down come into view before it does, and do not go without it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void hl_into_view_bring (GtkWidget *widget);
void hl_into_view_leave (GtkWidget *widget);
void hl_into_view_watch (void);

G_END_DECLS
