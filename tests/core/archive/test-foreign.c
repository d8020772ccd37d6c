/* SPDX-License-Identifier: MIT */
/* Files as PyTorch, NumPy and Python's pickle write them, JSON of other names and nestings, and what generate() of
 * transformers returns: each of tests/fixtures/foreign, nested and generation against what NumPy reads in it. */
#include "test-dumps.h"
#include "test-expected.h"

typedef struct
{
  const char *folder;
  JsonParser *parser;
  const char *name;
} Case;

static void
test_file (gconstpointer data)
{
  const Case *one = data;

  test_check_expected (json_node_get_object (json_parser_get_root (one->parser)), one->folder, one->name);
}

static void
free_case (gpointer data)
{
  Case *one = data;

  g_object_unref (one->parser);
  g_free (one);
}

static void
add_folder (const char *folder)
{
  g_autoptr (GFile) file = test_get_file (folder, "expected.json");
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) error = NULL;

  json_parser_load_from_file (parser, g_file_peek_path (file), &error);
  g_assert_no_error (error);
  g_autoptr (GList) names = json_object_get_members (json_node_get_object (json_parser_get_root (parser)));
  g_assert_nonnull (names);
  for (GList *i = names; i != NULL; i = i->next)
    {
      g_autofree char *path = g_strconcat ("/", folder, "/", i->data, NULL);
      Case *one = g_new (Case, 1);

      *one = (Case){ folder, g_object_ref (parser), i->data };
      g_test_add_data_func_full (path, one, test_file, free_case);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add_folder ("fixtures/foreign");
  add_folder ("fixtures/nested");
  add_folder ("fixtures/generation");
  add_folder ("fixtures/several");
  return g_test_run ();
}
