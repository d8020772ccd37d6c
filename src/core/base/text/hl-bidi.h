/* SPDX-License-Identifier: MIT */
/* Text that runs from right to left, alone and inside a sentence that does not. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean hl_bidi_is_right_to_left (gunichar    c);
char    *hl_bidi_isolate          (const char *text);
char    *hl_bidi_strip            (const char *text);

G_END_DECLS
