/* SPDX-License-Identifier: MIT */
/* What a page has from the program. */
#include "draw/page/hl-page.h"

#include <libintl.h>
#include <locale.h>
#include <string.h>

#include "config.h"
#include "core/base/hl-utf8.h"
#include "test-scenes.h"

static char *
make_page (void)
{
  g_autoptr (HlViewState) state = test_make_random_state (1, 1, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) page = hl_page_make (state, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return g_strndup (g_bytes_get_data (page, NULL), g_bytes_get_size (page));
}

/* What the script calls @name, an expression of JavaScript for one character, as GLib spells it. */
static GRegex *
find_expression (const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *html = make_page ();
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

/* It is that of the words, whatever the computer is set to. */
static void
test_language (void)
{
  static const char *const languages[] = { "none", "en", "de", "de", "zh_CN", "zh-CN" };
  g_autofree char *folder = g_build_filename (g_getenv ("G_TEST_BUILDDIR"), "..", "..", "po", NULL);

  g_assert_nonnull (setlocale (LC_ALL, "C.UTF-8"));
  for (guint i = 0; i < G_N_ELEMENTS (languages); i += 2)
    {
      g_autofree char *catalogue = g_build_filename (folder, languages[i], "LC_MESSAGES", "headlight.mo", NULL);
      g_autofree char *wanted = g_strdup_printf ("<html lang=\"%s\">", languages[i + 1]);
      if (i > 0 && !g_file_test (catalogue, G_FILE_TEST_EXISTS))
        {
          g_test_skip ("the translations are not built");
          return;
        }
      g_setenv ("LANGUAGE", languages[i], TRUE);
      bindtextdomain (GETTEXT_PACKAGE, folder);
      bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
      /* What was translated before is forgotten. */
      textdomain (GETTEXT_PACKAGE);
      g_autofree char *html = make_page ();
      g_assert_nonnull (strstr (html, wanted));
    }
  g_unsetenv ("LANGUAGE");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/page-script/hidden", test_hidden);
  g_test_add_func ("/page-script/language", test_language);
  return g_test_run ();
}
