/* SPDX-License-Identifier: MIT */
/* Rows of a drop-down that are made when its list is first seen. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void hl_late_list_hold (GtkDropDown        *drop_down,
                        GtkListItemFactory *rows);

G_END_DECLS
