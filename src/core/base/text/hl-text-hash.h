/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint   hl_text_hash       (gconstpointer  text);
guint64 hl_text_hash_begin (void);
guint64 hl_text_hash_add   (guint64        hash,
                            const char    *bytes,
                            gsize          length);

G_END_DECLS
