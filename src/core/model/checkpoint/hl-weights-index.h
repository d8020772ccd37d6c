/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

GHashTable *hl_weights_index_parse (const char  *text,
                                    gsize        size,
                                    const char  *name,
                                    GError     **error);

G_END_DECLS
