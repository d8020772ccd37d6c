/* SPDX-License-Identifier: MIT */
/* What fills a window and tells when that is as narrow as a phone, or wide enough for what a window has above it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_ADAPTIVE (hl_adaptive_get_type ())
G_DECLARE_FINAL_TYPE (HlAdaptive, hl_adaptive, HL, ADAPTIVE, GtkWidget)

/* How wide it must be to be called wide. It is asked each time there is a width, and may differ with fonts. */
typedef int (*HlAdaptiveMeasure) (gpointer user_data);

void hl_adaptive_set_measure_wide (HlAdaptive *self, HlAdaptiveMeasure measure_wide, gpointer user_data);
gboolean hl_adaptive_get_narrow (HlAdaptive *self);
gboolean hl_adaptive_get_wide (HlAdaptive *self);

G_END_DECLS
