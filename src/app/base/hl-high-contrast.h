/* SPDX-License-Identifier: MIT */
/* The colours of what a widget draws itself, as the desktop asks for more contrast or not. */
#pragma once

#include "draw/paint/hl-theme.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

const HlTheme *hl_high_contrast_get_theme (gboolean dark);
void hl_high_contrast_follow (GtkWidget *widget);

G_END_DECLS
