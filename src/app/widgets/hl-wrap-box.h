/* SPDX-License-Identifier: MIT */
/* Children in a row, or in several where one has no room for them. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_WRAP_BOX (hl_wrap_box_get_type ())
G_DECLARE_FINAL_TYPE (HlWrapBox, hl_wrap_box, HL, WRAP_BOX, GtkWidget)

G_END_DECLS
