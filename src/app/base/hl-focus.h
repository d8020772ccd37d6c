/* SPDX-License-Identifier: MIT */
/* What goes lets go of the keyboard. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

gboolean hl_focus_is_in (GtkWidget *widget);
gboolean hl_focus_leave (GtkWidget *widget);

G_END_DECLS
