/* SPDX-License-Identifier: MIT */
/* What the program says. Names and tokens come from files, so they must neither break a line nor
 * steer the terminal. */
#include "cli/base/cli-text.h"

#include "core/base/hl-utf8.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of terminals; NULL where it is UTF-8, or nobody knows. */
static char *terminal_charset;

/* In a terminal that is not UTF-8, the bytes of a letter may be what it acts on. What programs read is UTF-8 everywhere. */
static void
print (FILE       *stream,
       const char *text)
{
  if (terminal_charset == NULL || !isatty (fileno (stream)))
    {
      fputs (text, stream);
      return;
    }
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *shown = g_convert_with_fallback (valid, -1, terminal_charset, "UTF-8", "?", NULL, NULL, NULL);
  if (shown == NULL)
    shown = g_str_to_ascii (valid, NULL);
  fputs (shown, stream);
}

static void
print_output (const char *text)
{
  print (stdout, text);
}

static void
print_problem (const char *text)
{
  print (stderr, text);
}

/* All is printed by g_print() and g_printerr(), as GLib prints --help. The locale is that of terminals at this time. */
void
cli_print_settle (void)
{
  const char *charset;

  /* The locale “C”, which is also what there is without one, says nothing of terminals. */
  if (!g_get_charset (&charset) && !g_str_equal (charset, "ANSI_X3.4-1968"))
    terminal_charset = g_strconcat (charset, "//TRANSLIT", NULL);
  g_set_print_handler (print_output);
  g_set_printerr_handler (print_problem);
}

/* Replaces characters that hl_utf8_is_control() has: those below space by their pictures (U+2400 and on), others by
 * U+FFFD. */
char *
cli_make_printable (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr (GString) printable = g_string_new (NULL);

  for (const char *c = valid; *c != '\0'; c = g_utf8_next_char (c))
    {
      const gunichar unicode = g_utf8_get_char (c);
      if (unicode < 0x20)
        g_string_append_unichar (printable, 0x2400 + unicode);
      else if (hl_utf8_is_control (unicode))
        g_string_append_unichar (printable, 0xfffd);
      else
        g_string_append_unichar (printable, unicode);
    }
  return g_string_free (g_steal_pointer (&printable), FALSE);
}

/* Spells them out in JSON, whose strings alone can have them: the same to who reads it. */
char *
cli_escape_json (const char *json)
{
  g_autoptr (GString) escaped = g_string_new (NULL);

  for (const char *c = json; *c != '\0'; c = g_utf8_next_char (c))
    {
      const gunichar unicode = g_utf8_get_char (c);
      if (unicode < 0x7f || !hl_utf8_is_control (unicode))
        g_string_append_unichar (escaped, unicode);
      else if (unicode < 0x10000)
        g_string_append_printf (escaped, "\\u%04x", unicode);
      else
        g_string_append_printf (escaped, "\\u%04x\\u%04x", 0xd7c0 + (unicode >> 10), 0xdc00 + (unicode & 0x3ff));
    }
  return g_string_free (g_steal_pointer (&escaped), FALSE);
}

/* Prints text of several lines, with their ends and tabs. */
void
cli_print_text (const char *text)
{
  while (*text != '\0')
    {
      const gsize length = strcspn (text, "\n\t");
      g_autofree char *part = g_strndup (text, length);
      g_autofree char *printable = cli_make_printable (part);

      g_print ("%s%.1s", printable, text + length);
      text += length + (text[length] != '\0');
    }
}

/* Prints what programs read, as it is; a terminal is given nothing that it would act on. */
void
cli_print_data (const char *text)
{
  if (!isatty (STDOUT_FILENO))
    {
      g_print ("%s", text);
      return;
    }
  g_auto (GStrv) lines = g_strsplit (text, "\r\n", -1);
  g_autofree char *joined = g_strjoinv ("\n", lines);
  cli_print_text (joined);
}

/* How many columns of a terminal the text takes: East Asian characters two, combining ones none. */
static guint
count_columns (const char *text)
{
  guint n = 0;

  for (const char *c = text; *c != '\0'; c = g_utf8_next_char (c))
    {
      const gunichar unicode = g_utf8_get_char (c);
      n += g_unichar_iszerowidth (unicode) ? 0 : g_unichar_iswide (unicode) ? 2 : 1;
    }
  return n;
}

/* Prints a line of a table. A @left that is too long pushes @right on. */
void
cli_print_columns (const char *left,
                   guint       width,
                   const char *right)
{
  const guint n = count_columns (left);

  g_print ("  %s%*s %s\n", left, (int) (width - MIN (n, width)), "", right);
}

/* Says on standard error, in one line, what could not be done. */
void
cli_print_error (const char *file,
                 const char *sentence)
{
  g_autofree char *name = g_filename_display_name (file);
  g_autofree char *bounded = hl_utf8_bound (sentence);
  g_autofree char *line = g_strdup_printf ("%s: %s", name, bounded);
  g_autofree char *printable = cli_make_printable (line);

  g_printerr ("headlight-cli: %s\n", printable);
}

/* Says on standard error how the program was called wrongly. */
int
cli_print_misuse (const char *format,
                  ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *sentence = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *bounded = hl_utf8_bound (sentence);
  g_autofree char *printable = cli_make_printable (bounded);
  g_printerr (_ ("headlight-cli: %s\nTry “headlight-cli --help”.\n"), printable);
  return 2;
}

/* What is worth knowing of what was printed. */
void
cli_print_note (const char *sentence)
{
  g_autofree char *bounded = hl_utf8_bound (sentence);
  g_autofree char *printable = cli_make_printable (bounded);

  g_printerr ("headlight-cli: %s\n", printable);
}
