/* SPDX-License-Identifier: MIT */
/* What subcommands print in rows: columns that line up, CSV as RFC 4180 has it, or a JSON array of objects. */
#include "cli/base/cli-table.h"

#include "cli/base/cli-text.h"
#include "core/base/hl-utf8.h"
#include "core/source/save/hl-head-csv.h"

#include <glib/gi18n-lib.h>
#include <math.h>

typedef struct
{
  char *name;    /* in CSV and JSON */
  char *heading; /* for people */
  int width;     /* below 0: text that begins at the left */
  int digits;    /* behind the point, for people */
} Column;

/* A string, else an integer, else a real number, which is nothing if it is none. */
typedef struct
{
  char *text;
  gboolean is_integer;
  guint64 integer;
  double real;
} Cell;

struct _CliTable
{
  GArray *columns;
  GArray *cells; /* row by row */
};

static const char *const formats[] = { "table", "csv", "json" };

/* Returns 0, or the exit status for wrong usage, which has been said. */
int
cli_format_parse (const char *written,
                  CliFormat  *format)
{
  *format = CLI_FORMAT_TABLE;
  while (written != NULL && *format < G_N_ELEMENTS (formats) && !g_str_equal (formats[*format], written))
    (*format)++;
  return *format < G_N_ELEMENTS (formats)
           ? 0
           : cli_print_misuse (_ ("--format cannot be “%s”; it is table, csv or json"), written);
}

static void
clear_column (gpointer data)
{
  g_free (((Column *) data)->name);
  g_free (((Column *) data)->heading);
}

static void
clear_cell (gpointer data)
{
  g_free (((Cell *) data)->text);
}

CliTable *
cli_table_new (void)
{
  CliTable *self = g_new (CliTable, 1);

  self->columns = g_array_new (FALSE, FALSE, sizeof (Column));
  g_array_set_clear_func (self->columns, clear_column);
  self->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  g_array_set_clear_func (self->cells, clear_cell);
  return self;
}

void
cli_table_free (CliTable *self)
{
  g_array_unref (self->columns);
  g_array_unref (self->cells);
  g_free (self);
}

/* @heading is what people read, %NULL for @name; @width is below 0 for text, @digits are those behind the point. */
void
cli_table_add_column (CliTable   *self,
                      const char *name,
                      const char *heading,
                      int         width,
                      int         digits)
{
  const Column column = { g_strdup (name), g_strdup (heading != NULL ? heading : name), width, digits };

  g_array_append_val (self->columns, column);
}

void
cli_table_add_string (CliTable   *self,
                      const char *text)
{
  const Cell cell = { .text = g_strdup (text) };

  g_array_append_val (self->cells, cell);
}

void
cli_table_add_integer (CliTable *self,
                       guint64   number)
{
  const Cell cell = { .is_integer = TRUE, .integer = number };

  g_array_append_val (self->cells, cell);
}

/* A number, or the name of what is made of several. */
void
cli_table_add_index (CliTable   *self,
                     const char *name,
                     guint       index)
{
  if (name != NULL)
    cli_table_add_string (self, name);
  else
    cli_table_add_integer (self, index);
}

/* NaN is nothing. */
void
cli_table_add_real (CliTable *self,
                    double    number)
{
  const Cell cell = { .real = number };

  g_array_append_val (self->cells, cell);
}

void
cli_table_add_nothing (CliTable *self)
{
  cli_table_add_real (self, NAN);
}

static const Column *
get_column (const CliTable *self,
            guint           index)
{
  return &g_array_index (self->columns, Column, index % self->columns->len);
}

static void
print_for_people (const CliTable *self)
{
  for (guint i = 0; i < self->columns->len; i++)
    g_print ("%s%*s", i > 0 ? " " : "", get_column (self, i)->width, get_column (self, i)->heading);
  for (guint i = 0; i < self->cells->len; i++)
    {
      const Column *column = get_column (self, i);
      const Cell *cell = &g_array_index (self->cells, Cell, i);

      g_print ("%s", i % self->columns->len > 0 ? " " : "\n");
      if (cell->text != NULL)
        {
          g_autofree char *start = hl_utf8_shorten (cell->text, CLI_MAX_CELL);
          g_autofree char *printable = cli_make_printable (start);
          g_print ("%*s", column->width, printable);
        }
      else if (cell->is_integer)
        g_print ("%*" G_GUINT64_FORMAT, column->width, cell->integer);
      else if (isnan (cell->real))
        g_print ("%*s", column->width, "-");
      else
        g_print ("%*.*f", column->width, column->digits, cell->real);
    }
  g_print ("\n");
}

static void
print_csv (const CliTable *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->columns->len; i++)
    {
      g_string_append (text, i > 0 ? "," : "");
      hl_head_csv_append_field (text, get_column (self, i)->name);
    }
  for (guint i = 0; i < self->cells->len; i++)
    {
      const Cell *cell = &g_array_index (self->cells, Cell, i);
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append (text, i % self->columns->len > 0 ? "," : "\r\n");
      if (cell->text != NULL)
        hl_head_csv_append_field (text, cell->text);
      else if (cell->is_integer)
        g_string_append_printf (text, "%" G_GUINT64_FORMAT, cell->integer);
      else if (!isnan (cell->real))
        g_string_append (text, g_ascii_formatd (number, sizeof number, "%.6g", cell->real));
    }
  g_string_append (text, "\r\n");
  cli_print_data (text->str);
}

static void
print_json (const CliTable *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();
  const guint n_columns = self->columns->len;

  json_builder_begin_array (builder);
  for (guint i = 0; i < self->cells->len; i++)
    {
      const Cell *cell = &g_array_index (self->cells, Cell, i);

      if (i % n_columns == 0)
        json_builder_begin_object (builder);
      json_builder_set_member_name (builder, get_column (self, i)->name);
      if (cell->text != NULL)
        json_builder_add_string_value (builder, cell->text);
      else if (cell->is_integer)
        json_builder_add_int_value (builder, (gint64) cell->integer);
      else
        cli_json_add_real (builder, cell->real);
      if (i % n_columns == n_columns - 1)
        json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  cli_print_json (builder);
}

void
cli_table_print (const CliTable *self,
                 CliFormat       format)
{
  void (*const print[]) (const CliTable *table) = { print_for_people, print_csv, print_json };

  print[format](self);
}

/* JSON has no numbers that are none, and no infinite ones: they are null. */
void
cli_json_add_real (JsonBuilder *builder,
                   double       number)
{
  if (isfinite (number))
    json_builder_add_double_value (builder, number);
  else
    json_builder_add_null_value (builder);
}

/* What a builder built, and a line break. */
void
cli_print_json (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = json_to_string (root, TRUE);
  g_autofree char *escaped = cli_escape_json (text);

  g_print ("%s\n", escaped);
}
