/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_LONG_LABEL (hl_long_label_get_type ())
G_DECLARE_FINAL_TYPE (HlLongLabel, hl_long_label, HL, LONG_LABEL, GtkWidget)

GtkWidget *hl_long_label_new (const char *text);

G_END_DECLS
