/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_PREFERENCES (hl_preferences_get_type ())
G_DECLARE_FINAL_TYPE (HlPreferences, hl_preferences, HL, PREFERENCES, AdwWindow)

GtkWidget *hl_preferences_new (void);

G_END_DECLS
