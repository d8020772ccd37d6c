/* SPDX-License-Identifier: MIT */
/* Texts that are cut, in characters. */
#include "core/base/hl-utf8.h"

#include <string.h>

static void
check_middle (const char *text,
              glong       length,
              glong       end,
              const char *expected)
{
  g_autofree char *shortened = hl_utf8_shorten_middle (text, length, end);

  g_assert_cmpstr (shortened, ==, expected);
}

static void
test_middle (void)
{
  check_middle ("", 0, 0, "");
  check_middle ("attention.h5", 12, 3, "attention.h5");
  check_middle ("attention.h5", 11, 3, "attentio….h5");
  check_middle ("attention.h5", 3, 3, "….h5");
  check_middle ("attention.h5", 3, 0, "att…");
  check_middle ("äöü→猫🐈‍", 4, 2, "äö…🐈‍");
}

/* The end of a sentence says what is the matter. */
static void
test_bound (void)
{
  g_autofree char *word = g_strnfill (5000, 'n'), *longest = g_strnfill (255, 'n');
  g_autoptr (GString) path = g_string_new (NULL);
  for (guint i = 0; i < 20; i++)
    g_string_append_printf (path, "/%s", longest);
  g_autofree char *of_path = g_strdup_printf ("“%s” cannot be read", path->str);
  g_autofree char *of_word = g_strdup_printf ("“%s” cannot be read, /%s/é", word, word);
  g_autofree char *of_name = g_strdup_printf ("“%s” cannot be read", longest);
  g_autofree char *bounded = hl_utf8_bound (of_path), *shortened = hl_utf8_bound (of_word),
                  *same = hl_utf8_bound (of_name);

  g_assert_cmpint (g_utf8_strlen (bounded, -1), ==, 2001);
  g_assert_true (g_str_has_prefix (bounded, "“/nnn"));
  g_assert_nonnull (strstr (bounded, "n…n"));
  g_assert_true (g_str_has_suffix (bounded, "n” cannot be read"));
  /* No word is as long as no name of a file is. */
  g_assert_cmpint (g_utf8_strlen (shortened, -1), ==, 301 + 18 + 301 + 2);
  g_assert_true (g_str_has_prefix (shortened, "“nnn"));
  g_assert_nonnull (strstr (shortened, "n” cannot be read, /n"));
  g_assert_true (g_str_has_suffix (shortened, "n/é"));
  g_assert_cmpstr (same, ==, of_name);
}

/* A byte that begins a character is followed by none where the name of a file ends. */
static void
test_bound_name (void)
{
  const char *const names[][2] = {
    { "bad\xfd", "bad\xef\xbf\xbd" },
    { "\xf0/\xe2\x82 x", "\xef\xbf\xbd/\xef\xbf\xbd\xef\xbf\xbd x" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *bounded = hl_utf8_bound (names[i][0]);
      g_assert_cmpstr (bounded, ==, names[i][1]);
    }
}

/* A terminal is given nothing that it obeys. */
static void
test_bound_line (void)
{
  g_autofree char *line = hl_utf8_bound_line ("a\x1b]0;x\a\n\u202e\xc2\x9b"
                                              "1mfugg\xfd: no");

  g_assert_cmpstr (line, ==, "a ]0;x  \ufffd  1mfugg\ufffd: no");
}

/* What is escaped is found again by its bytes. */
static void
test_bytes (void)
{
  static const char *const texts[][2] = {
    { "gr\xf6\xdf"
      "e",
      "gr<0xF6><0xDF>e" },
    { "größe", "größe" },
    { "\xe2\x82<0x", "<0xE2><0x82><0x" },
    { "<0x41>", "<0x41>" },
    { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *text = hl_utf8_make_valid (texts[i][0], strlen (texts[i][0]), NULL);
      g_autofree char *bytes = hl_utf8_get_bytes (text);
      g_assert_cmpstr (text, ==, texts[i][1]);
      g_assert_cmpstr (bytes, ==, texts[i][0]);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/utf8/middle", test_middle);
  g_test_add_func ("/utf8/bound", test_bound);
  g_test_add_func ("/utf8/bound-name", test_bound_name);
  g_test_add_func ("/utf8/bound-line", test_bound_line);
  g_test_add_func ("/utf8/bytes", test_bytes);
  return g_test_run ();
}
