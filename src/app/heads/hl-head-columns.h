/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void hl_head_columns_add          (GtkColumnView *view);
void hl_head_columns_show_pair    (GtkColumnView *view,
                                   gboolean       is_shown);
void hl_head_columns_show_change  (GtkColumnView *view,
                                   gboolean       is_shown);
void hl_head_columns_sort_by_change (GtkColumnView *view);
void hl_head_columns_sort_by_pair (GtkColumnView *view);
void hl_head_columns_scroll_to    (GtkColumnView *view,
                                   guint          position);
void hl_head_columns_sort_again   (GtkColumnView *view);

G_END_DECLS
