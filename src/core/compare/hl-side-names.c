/* SPDX-License-Identifier: MIT */
/* What two examples that are compared are called: as short as tells them apart. */
#include "core/compare/hl-side-names.h"

#include "core/base/hl-file-name.h"

#include <glib/gi18n-lib.h>

/* Of a text, as much as a title has room for. */
#define MAX_TEXT 40

/* One line, cut at a character. */
static char *
make_text (const char *text)
{
  g_autofree char *line = g_utf8_make_valid (text, -1);

  g_strdelimit (line, "\n\r\t\v\f", ' ');
  if (g_utf8_strlen (line, -1) <= MAX_TEXT)
    return g_strdup (line);
  g_autofree char *beginning = g_utf8_substring (line, 0, MAX_TEXT - 1);
  return g_strconcat (beginning, "…", NULL);
}

static void
append (char      **name,
        const char *part)
{
  if (part == NULL)
    return;
  char *longer = g_strdup_printf ("%s, %s", *name, part);
  g_free (*name);
  *name = longer;
}

static void
append_text (char      **name,
             const char *text)
{
  if (text == NULL)
    return;
  g_autofree char *line = make_text (text);
  /* Translators: the text that a model reads, in the name of one side of a comparison */
  g_autofree char *part = g_strdup_printf (_ ("“%s”"), line);
  append (name, part);
}

/**
 * hl_side_names_make:
 * @document_a: a document
 * @example_a: the example of it that is looked at
 * @document_b: what that is compared with; may be the same
 * @example_b: likewise
 * @name_a: (out) (transfer full): the name of the first side
 * @name_b: (out) (transfer full): the name of the second side
 *
 * The names of the files; where these are the same, also the names of the examples, and their texts, as far as they
 * differ.
 */
void
hl_side_names_make (HlDocument *document_a,
                    HlExample  *example_a,
                    HlDocument *document_b,
                    HlExample  *example_b,
                    char      **name_a,
                    char      **name_b)
{
  g_return_if_fail (HL_IS_DOCUMENT (document_a) && HL_IS_DOCUMENT (document_b));
  g_return_if_fail (HL_IS_EXAMPLE (example_a) && HL_IS_EXAMPLE (example_b));

  *name_a = hl_file_dup_display_name (hl_document_get_file (document_a));
  *name_b = hl_file_dup_display_name (hl_document_get_file (document_b));
  if (!g_str_equal (*name_a, *name_b))
    return;
  if (g_strcmp0 (hl_example_get_name (example_a), hl_example_get_name (example_b)) != 0)
    {
      append (name_a, hl_example_get_name (example_a));
      append (name_b, hl_example_get_name (example_b));
    }
  if (g_strcmp0 (hl_example_get_text (example_a), hl_example_get_text (example_b)) != 0)
    {
      append_text (name_a, hl_example_get_text (example_a));
      append_text (name_b, hl_example_get_text (example_b));
    }
}
