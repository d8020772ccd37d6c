/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void hl_tooltip_set (GtkWidget *widget, const char *text);

void hl_tooltip_set_passing (GtkWidget *widget, const char *text);

G_END_DECLS
