/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void hl_head_grid_install_keys (GtkWidgetClass *widget_class);

G_END_DECLS
