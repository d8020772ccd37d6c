/* SPDX-License-Identifier: MIT */
/* What would move is where it moves to at once. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void hl_motion_hold   (GtkWidget *widget);
void hl_motion_resume (GtkWidget *widget);

G_END_DECLS
