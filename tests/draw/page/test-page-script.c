/* SPDX-License-Identifier: MIT */
/* What the script of a page has from the program. */
#include "draw/page/hl-page.h"

#include <string.h>

#include "core/base/hl-utf8.h"
#include "test-scenes.h"

/* What the script calls @name, an expression of JavaScript for one character, as GLib spells it. */
static GRegex *
find_expression (const char *name)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 1, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) page = hl_page_make (state, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *html = g_strndup (g_bytes_get_data (page, NULL), g_bytes_get_size (page));
  g_autofree char *beginning = g_strdup_printf ("const %s = /", name);
  const char *start = strstr (html, beginning);
  g_assert_nonnull (start);
  start += strlen (beginning);
  g_autofree char *javascript = g_strndup (start, (gsize) (strstr (start, "/u;") - start));
  g_autoptr (GRegex) escapes = g_regex_new ("\\\\u(?:\\{([0-9a-f]+)\\}|([0-9a-f]{4}))", 0, 0, NULL);
  g_autofree char *pattern = g_regex_replace (escapes, javascript, -1, 0, "\\\\x{\\1\\2}", 0, &error);
  g_assert_no_error (error);
  GRegex *expression = g_regex_new (pattern, 0, 0, &error);
  g_assert_no_error (error);
  return expression;
}

/* Those below U+0080 have signs of their own. */
static void
test_hidden (void)
{
  g_autoptr (GRegex) hidden = find_expression ("HIDDEN");
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) all = g_string_new (NULL), expected = g_string_new (NULL);

  for (gunichar c = 0x80; c <= 0x10FFFF; c++)
    if (g_unichar_validate (c))
      {
        g_string_append_unichar (all, c);
        if (!hl_utf8_is_control (c))
          g_string_append_unichar (expected, c);
      }
  g_autofree char *left = g_regex_replace_literal (hidden, all->str, -1, 0, "", 0, &error);
  g_assert_no_error (error);
  for (const char *p = left, *q = expected->str; *p != '\0' || *q != '\0';
       p = g_utf8_next_char (p), q = g_utf8_next_char (q))
    g_assert_cmphex (g_utf8_get_char (p), ==, g_utf8_get_char (q));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/page-script/hidden", test_hidden);
  return g_test_run ();
}
