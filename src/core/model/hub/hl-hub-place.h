/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GFile   *hl_hub_place_get_folder   (void);
char    *hl_hub_place_get_endpoint (void);
gboolean hl_hub_place_is_offline   (const char **variable);
char    *hl_hub_place_describe_token (void);
gboolean hl_hub_place_load_token   (char   **token,
                                    GError **error);

G_END_DECLS
