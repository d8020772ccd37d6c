/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

double hl_text_scale_get (GtkWidget *widget);

G_END_DECLS
