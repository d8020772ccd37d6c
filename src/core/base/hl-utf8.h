/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *hl_utf8_make_valid (const char *bytes,
                          gsize       length,
                          gboolean   *changed);
void  hl_utf8_flatten    (char       *text);

G_END_DECLS
