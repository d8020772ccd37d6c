/* SPDX-License-Identifier: MIT */
/* A line over a window that offers what was open when the program ended unexpectedly. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_LOST_BAR (hl_lost_bar_get_type ())
G_DECLARE_FINAL_TYPE (HlLostBar, hl_lost_bar, HL, LOST_BAR, AdwBin)

G_END_DECLS
