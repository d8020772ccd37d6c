/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

void hl_accessible_name_buttons (GtkWidget *root);

GtkMenuButton *hl_accessible_find_menu_part (AdwSplitButton *button);

G_END_DECLS
