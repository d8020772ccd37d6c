/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* How rows are printed: for people, for spreadsheets, for programs. */
typedef enum {
  CLI_FORMAT_TABLE,
  CLI_FORMAT_CSV,
  CLI_FORMAT_JSON,
} CliFormat;

#define CLI_FORMAT_ENTRY(written) \
  { "format", 0, 0, G_OPTION_ARG_STRING, (written), N_ ("How to print them; a table otherwise"), "table|csv|json" }

/* The most characters of a text that people are shown: a token of a file may be as long as the file. */
#define CLI_MAX_CELL 200

typedef struct _CliTable CliTable;

int       cli_format_parse        (const char     *written,
                                   CliFormat      *format);

CliTable *cli_table_new           (void);
void      cli_table_free          (CliTable       *self);
void      cli_table_add_column    (CliTable       *self,
                                   const char     *name,
                                   const char     *heading,
                                   int             width,
                                   int             digits);
void      cli_table_add_string    (CliTable       *self,
                                   const char     *text);
void      cli_table_add_integer   (CliTable       *self,
                                   guint64         number);
void      cli_table_add_index     (CliTable       *self,
                                   const char     *name,
                                   guint           index);
void      cli_table_add_real      (CliTable       *self,
                                   double          number);
void      cli_table_add_nothing   (CliTable       *self);
void      cli_table_print         (const CliTable *self,
                                   CliFormat       format);

void      cli_json_add_real       (JsonBuilder    *builder,
                                   double          number);
void      cli_print_json          (JsonBuilder    *builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliTable, cli_table_free)

G_END_DECLS
