/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint8 *hl_token_words_find (const char *const *tokens,
                             gsize              n);

G_END_DECLS
