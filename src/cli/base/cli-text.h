/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void  cli_print_settle   (void);
char *cli_make_printable (const char *text);
char *cli_escape_json    (const char *json);
void  cli_print_text     (const char *text);
void  cli_print_data     (const char *text);
void  cli_print_columns  (const char *left,
                          guint       width,
                          const char *right);
void  cli_print_error    (const char *file,
                          const char *sentence);
void  cli_print_note     (const char *sentence);
int   cli_print_misuse   (const char *format,
                          ...) G_GNUC_PRINTF (1, 2);

G_END_DECLS
