/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gsize hl_utf8_measure_mark   (const void *bytes,
                              gsize       length);
char *hl_utf8_make_valid     (const char *bytes,
                              gsize       length,
                              gboolean   *changed);
void  hl_utf8_flatten        (char       *text);
char *hl_utf8_shorten        (const char *text,
                              glong       length);
char *hl_utf8_shorten_middle (const char *text,
                              glong       length,
                              glong       end);
char *hl_utf8_bound          (const char *sentence);
char *hl_utf8_bound_line     (const char *sentence);
char *hl_utf8_quote          (const char *bytes,
                              gsize       length,
                              glong       n_characters);

gboolean hl_utf8_is_control            (gunichar    c);
gboolean hl_utf8_is_noncharacter       (gunichar    c);
char    *hl_utf8_replace_noncharacters (const char *text);

G_END_DECLS
