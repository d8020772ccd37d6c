/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GFile   *hl_environment_get_folder (const char *variable,
                                    const char *below);
gboolean hl_environment_is_true    (const char *variable);

G_END_DECLS
