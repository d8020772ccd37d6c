/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

GByteArray *hl_piece_text_join (const char *const *tokens,
                                gsize              n,
                                GArray            *owners);

G_END_DECLS
