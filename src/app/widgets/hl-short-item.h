/* SPDX-License-Identifier: MIT */
/* What is chosen of a list, which may be cut where there is little room. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void hl_short_item_set_up (GtkDropDown *list, int min_chars, int max_chars);

G_END_DECLS
