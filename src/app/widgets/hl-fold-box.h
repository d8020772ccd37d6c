/* SPDX-License-Identifier: MIT */
/* Its children stand side by side where there is room for that, and one below the other where there is not. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_FOLD_BOX (hl_fold_box_get_type ())
G_DECLARE_FINAL_TYPE (HlFoldBox, hl_fold_box, HL, FOLD_BOX, GtkWidget)

G_END_DECLS
