/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GFile *hl_cache_folder_from_environment (const char *variable,
                                         const char *below);

G_END_DECLS
