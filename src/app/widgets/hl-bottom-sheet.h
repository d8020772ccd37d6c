/* SPDX-License-Identifier: MIT */
/* What comes up over a narrow page from below, in place of a panel beside it. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_BOTTOM_SHEET (hl_bottom_sheet_get_type ())
G_DECLARE_FINAL_TYPE (HlBottomSheet, hl_bottom_sheet, HL, BOTTOM_SHEET, GtkWidget)

void     hl_bottom_sheet_set_child (HlBottomSheet *self,
                                    GtkWidget     *child);
gboolean hl_bottom_sheet_get_open  (HlBottomSheet *self);
void     hl_bottom_sheet_set_open  (HlBottomSheet *self,
                                    gboolean       open);

G_END_DECLS
