/* SPDX-License-Identifier: MIT */
/* Where a text can be cut so that no character of what is left looks other than before. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gsize *hl_text_cuts_find (const char *text,
                          gsize      *n);

G_END_DECLS
