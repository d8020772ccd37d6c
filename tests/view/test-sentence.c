/* SPDX-License-Identifier: MIT */
/* Errors that a window says by themselves begin as sentences do, and names in them stay as they are. */
#include "view/hl-sentence.h"

#include <gio/gio.h>

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

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view/sentence/words", test_words);
  g_test_add_func ("/view/sentence/names", test_names);
  g_test_add_func ("/view/sentence/error", test_error);
  return g_test_run ();
}
