/* SPDX-License-Identifier: MIT */
/* The table of heads: a row of it, and its columns. */
#pragma once

#include "core/analysis/hl-head-numbers.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_HEAD_ROW (hl_head_row_get_type ())
G_DECLARE_FINAL_TYPE (HlHeadRow, hl_head_row, HL, HEAD_ROW, GObject)

HlHeadRow *hl_head_row_new                (guint          layer,
                                           guint          head,
                                           guint          index);
guint      hl_head_row_get_layer          (HlHeadRow     *self);
guint      hl_head_row_get_head           (HlHeadRow     *self);
void       hl_head_row_set_numbers        (HlHeadRow     *self,
                                           HlHeadNumbers *numbers,
                                           gboolean       has_name);

void       hl_head_columns_add            (GtkColumnView *view);
void       hl_head_columns_show_numbers   (GtkColumnView *view,
                                           HlHeadNumberSet numbers);
void       hl_head_columns_make_room      (GtkColumnView *view,
                                           gboolean       for_spread);
void       hl_head_columns_show_pair      (GtkColumnView *view,
                                           gboolean       is_shown);
void       hl_head_columns_show_names     (GtkColumnView *view,
                                           gboolean       is_shown);
void       hl_head_columns_show_change    (GtkColumnView *view,
                                           gboolean       is_shown);
void       hl_head_columns_sort_by_change (GtkColumnView *view);
void       hl_head_columns_sort_by_pair   (GtkColumnView *view);
void       hl_head_columns_scroll_to      (GtkColumnView *view,
                                           guint          position);
void       hl_head_columns_sort_again     (GtkColumnView *view);

G_END_DECLS
