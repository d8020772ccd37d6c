/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gsize hl_json_unescape (const char *from,
                        gsize       size,
                        char       *to);

G_END_DECLS
