/* SPDX-License-Identifier: MIT */
/* Files that are one dump together: each example has a name of its own, and what is found by it is of that example. */
#include "core/archive/format/hl-format.h"
#include "test-dumps.h"

#include <string.h>

/* A file of two, with examples whose only token tells where they are. */
static char *
write_rank (const char        *folder,
            guint              rank,
            const char        *root,
            const char *const *names)
{
  g_autofree char *name = g_strdup_printf ("run.rank%u.json", rank);
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_string_printf (text, "{\"rank\": %u, \"ranks\": 2, \"sharding\": \"examples\", %s \"examples\": {", rank, root);
  for (guint i = 0; names[i] != NULL; i++)
    g_string_append_printf (text, "%s\"%s\": {\"tokens\": [\"%s of %u\"], \"attention\": [[[[1]]]]}", i > 0 ? ", " : "",
                            names[i], names[i], rank);
  g_string_append (text, "}}");
  g_file_set_contents (path, text->str, -1, &error);
  g_assert_no_error (error);
  return path;
}

/* Each as it is called, and its token. */
static void
assert_examples (const char        *path,
                 const char *const *expected)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) archive = hl_archive_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_auto (GStrv) names = hl_archive_list (archive, "examples", &error);
  g_assert_no_error (error);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *member = g_strdup_printf ("examples/%s/tokens", names[i]);
      g_auto (GStrv) tokens = hl_archive_read_strings (archive, member, &error);
      g_assert_no_error (error);
      g_autofree char *found = g_strdup_printf ("%s: %s", names[i], tokens[0]);
      g_assert_cmpstr (found, ==, expected[i]);
    }
  g_assert_cmpuint (g_strv_length (names), ==, g_strv_length ((char **) expected));
}

static void
check (const char        *root,
       const char *const *first,
       const char *const *second,
       const char *const *expected)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = write_rank (folder, 0, root, first);
  g_autofree char *other = write_rank (folder, 1, "", second);

  assert_examples (path, expected);
  test_remove_folder (folder);
}

#define NAMES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Of a name that several files use, the rank stands behind; of one that is another's then, a number, too. */
static void
test_names (void)
{
  check ("", NAMES ("a"), NAMES ("b"), NAMES ("a: a of 0", "b: b of 1"));
  check ("", NAMES ("a"), NAMES ("a"), NAMES ("a, rank 0: a of 0", "a, rank 1: a of 1"));
  check ("", NAMES ("a", "a, rank 1"), NAMES ("a"),
         NAMES ("a, rank 0: a of 0", "a, rank 1: a, rank 1 of 0", "a, rank 1 (2): a of 1"));
  check ("", NAMES ("a", "a, rank 1", "a, rank 1 (2)"), NAMES ("a"),
         NAMES ("a, rank 0: a of 0", "a, rank 1: a, rank 1 of 0", "a, rank 1 (2): a, rank 1 (2) of 0",
                "a, rank 1 (3): a of 1"));
}

/* So it is with that at the root. */
static void
test_root (void)
{
  static const char root[] = "\"tokens\": [\"the root\"], \"attention\": [[[[1]]]],";

  check (root, NAMES ("a"), NAMES ("b"), NAMES ("rank 0: the root", "a: a of 0", "b: b of 1"));
  check (root, NAMES ("rank 0"), NAMES ("b"), NAMES ("rank 0 (2): the root", "rank 0: rank 0 of 0", "b: b of 1"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/shards/names", test_names);
  g_test_add_func ("/shards/root", test_root);
  return g_test_run ();
}
