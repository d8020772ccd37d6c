/* SPDX-License-Identifier: MIT */
/* A text view that may grow with its text. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_TEXT_AREA (hl_text_area_get_type ())
G_DECLARE_FINAL_TYPE (HlTextArea, hl_text_area, HL, TEXT_AREA, GtkTextView)

G_END_DECLS
