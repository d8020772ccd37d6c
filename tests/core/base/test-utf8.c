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
  g_autofree char *name = g_strnfill (5000, 'n');
  g_autofree char *sentence = g_strdup_printf ("“%s” cannot be read", name);
  g_autofree char *bounded = hl_utf8_bound (sentence);
  g_autofree char *same = hl_utf8_bound ("“a” cannot be read");

  g_assert_cmpint (g_utf8_strlen (bounded, -1), ==, 2001);
  g_assert_true (g_str_has_prefix (bounded, "“nnn"));
  g_assert_nonnull (strstr (bounded, "n…n"));
  g_assert_true (g_str_has_suffix (bounded, "n” cannot be read"));
  g_assert_cmpstr (same, ==, "“a” cannot be read");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/utf8/middle", test_middle);
  g_test_add_func ("/utf8/bound", test_bound);
  return g_test_run ();
}
