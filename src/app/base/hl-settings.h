/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GSettings *hl_settings_new             (void);
void       hl_settings_bind_colour_map (GSettings  *settings,
                                        gpointer    object,
                                        const char *property);

G_END_DECLS
