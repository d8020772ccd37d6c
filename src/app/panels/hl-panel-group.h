/* SPDX-License-Identifier: MIT */
/* Panels of the sidebar that belong together, under a heading. Where none of them has anything to choose, the heading is not
 * there either. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_PANEL_GROUP (hl_panel_group_get_type ())
G_DECLARE_FINAL_TYPE (HlPanelGroup, hl_panel_group, HL, PANEL_GROUP, GtkBox)

G_END_DECLS
