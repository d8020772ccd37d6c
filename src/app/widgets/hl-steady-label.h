/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_STEADY_LABEL (hl_steady_label_get_type ())
G_DECLARE_FINAL_TYPE (HlSteadyLabel, hl_steady_label, HL, STEADY_LABEL, GtkWidget)

PangoLayout *hl_steady_label_get_layout    (HlSteadyLabel *self);
void         hl_steady_label_set_text      (HlSteadyLabel *self,
                                            const char    *text);
void         hl_steady_label_set_markup    (HlSteadyLabel *self,
                                            const char    *markup);
void         hl_steady_label_set_max_lines (HlSteadyLabel *self,
                                            guint          max_lines);

G_END_DECLS
