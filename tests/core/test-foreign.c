/* SPDX-License-Identifier: MIT */
/* Files as PyTorch, NumPy and Python's pickle write them: each of tests/fixtures/foreign against what NumPy reads in it. */
#include "test-dumps.h"
#include "test-expected.h"

static JsonObject *expected;

static void
test_file (gconstpointer data)
{
  test_check_expected (expected, "fixtures/foreign", data);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_autoptr (GFile) file = test_get_file ("fixtures/foreign", "expected.json");
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) error = NULL;
  json_parser_load_from_file (parser, g_file_peek_path (file), &error);
  g_assert_no_error (error);
  expected = json_node_get_object (json_parser_get_root (parser));

  g_autoptr (GList) names = json_object_get_members (expected);
  g_assert_nonnull (names);
  for (GList *i = names; i != NULL; i = i->next)
    {
      g_autofree char *path = g_strconcat ("/foreign/", i->data, NULL);
      g_test_add_data_func (path, i->data, test_file);
    }
  return g_test_run ();
}
