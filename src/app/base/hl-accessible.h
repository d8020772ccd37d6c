/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void hl_accessible_name_buttons (GtkWidget *root);

G_END_DECLS
