/* SPDX-License-Identifier: MIT */
/* Errors that a window says by themselves begin as sentences do, and names in them stay as they are. */
#include "view/hl-sentence.h"

#include <gio/gio.h>
#include <string.h>

static void
check (const char *text,
       const char *expected)
{
  g_autofree char *sentence = hl_sentence_new (text);

  g_assert_cmpstr (sentence, ==, expected);
}

static void
test_words (void)
{
  check ("this checkpoint has no head", "This checkpoint has no head");
  check ("a spread needs two texts", "A spread needs two texts");
  check ("none; or one", "None; or one");
  check ("über diese Datei", "Über diese Datei");
  check ("Already one", "Already one");
  check ("", "");
}

static void
test_names (void)
{
  check ("config.json is missing", "config.json is missing");
  check ("d_model is not positive", "d_model is not positive");
  check ("pad2 is a token", "pad2 is a token");
  check ("“queries” is not a number", "“queries” is not a number");
  check ("/tmp/a: no such file", "/tmp/a: no such file");
  check ("dump: it is empty", "dump: it is empty");
  check ("3 tokens are too few", "3 tokens are too few");
  check ("文件无法打开", "文件无法打开");
}

static void
test_error (void)
{
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "it cannot be read");
  g_autofree char *sentence = hl_sentence_of_error (error);

  g_assert_cmpstr (sentence, ==, "It cannot be read");
}

/* What a file says may be quoted whole; what is the matter with it stands at the end. */
static void
test_bounded (void)
{
  g_autofree char *name = g_strnfill (100000, 'a');

  for (gsize i = 99; i < 99950; i += 100)
    name[i] = ' ';
  g_autoptr (GError) error = g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "the model “%s” is not known", name);
  g_autoptr (GError) brief = g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "the model “%.1899s” is not known", name);
  g_autofree char *sentence = hl_sentence_of_error (error);
  g_autofree char *whole = hl_sentence_of_error (brief);

  g_assert_cmpint (g_utf8_strlen (sentence, -1), ==, 2001);
  g_assert_true (g_str_has_prefix (sentence, "The model “aaa"));
  g_assert_true (g_str_has_suffix (sentence, "aaa” is not known"));
  g_assert_nonnull (strstr (sentence, "a…a"));
  g_assert_cmpstr (whole + 1, ==, brief->message + 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view/sentence/words", test_words);
  g_test_add_func ("/view/sentence/names", test_names);
  g_test_add_func ("/view/sentence/error", test_error);
  g_test_add_func ("/view/sentence/bounded", test_bounded);
  return g_test_run ();
}
