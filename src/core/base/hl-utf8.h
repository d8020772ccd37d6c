/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HL_UTF8_SPELT_BYTE:
 *
 * How many bytes `<0x9F>` has.
 */
#define HL_UTF8_SPELT_BYTE 6

gsize hl_utf8_measure_mark   (const void *bytes,
                              gsize       length);
char *hl_utf8_make_valid     (const char *bytes,
                              gsize       length,
                              gboolean   *changed);
char *hl_utf8_get_bytes      (const char *text);
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

gboolean hl_utf8_is_spelt_byte         (const char *text);
gboolean hl_utf8_is_control            (gunichar    c);
gboolean hl_utf8_is_noncharacter       (gunichar    c);
char    *hl_utf8_replace_noncharacters (const char *text);

G_END_DECLS
