/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

GBytes *hl_chunk_cache_get    (gconstpointer  owner,
                               guint64        index);
void    hl_chunk_cache_add    (gconstpointer  owner,
                               guint64        index,
                               GBytes        *bytes);
void    hl_chunk_cache_forget (gconstpointer  owner);

G_END_DECLS
