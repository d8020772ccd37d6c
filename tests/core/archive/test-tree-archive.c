/* SPDX-License-Identifier: MIT */
/* Paths through groups whose names have slashes. */
#include "core/archive/hl-tree-archive.h"

static HlArchiveNode *
add_group (HlArchiveNode *parent,
           const char    *name)
{
  HlArchiveNode *group = hl_archive_node_new (HL_MEMBER_GROUP);

  hl_archive_node_add (parent, name, group);
  return group;
}

static void
test_deep (void)
{
  g_autoptr (HlArchiveNode) root = hl_archive_node_new (HL_MEMBER_GROUP);
  g_autoptr (GString) path = g_string_new (NULL);
  HlArchiveNode *group = root;

  /* Each beside a group that its name begins with. */
  for (guint i = 0; i < 32; i++)
    {
      add_group (group, "a");
      group = add_group (group, "a/b");
      g_string_append (path, "a/b/");
    }
  const HlArchiveNode *member = add_group (group, "m/n/o");
  g_string_append (path, "m/n/o");
  g_assert_true (hl_archive_node_resolve (root, path->str) == member);
  g_assert_null (hl_archive_node_resolve (root, "a/b/c"));
}

/* Groups below one, so that a path of as many names can be cut in every way. */
static void
add_cuts (HlArchiveNode *parent,
          guint          n_names)
{
  g_autoptr (GString) name = g_string_new ("a");

  for (guint i = 1; i <= n_names; i++)
    {
      add_cuts (add_group (parent, name->str), n_names - i);
      g_string_append (name, "/a");
    }
}

static void
test_many_ways (void)
{
  g_autoptr (HlArchiveNode) root = hl_archive_node_new (HL_MEMBER_GROUP);

  add_cuts (root, 4);
  const HlArchiveNode *member = add_group (hl_archive_node_get (root, "a/a/a/a"), "x");
  g_assert_true (hl_archive_node_resolve (root, "a/a/a/a/x") == member);

  /* The last of all ways comes too late. */
  add_cuts (hl_archive_node_get (root, "a/a/a/a"), 8);
  add_group (hl_archive_node_get (hl_archive_node_get (root, "a/a/a/a"), "a/a/a/a/a/a/a/a"), "x");
  g_assert_null (hl_archive_node_resolve (root, "a/a/a/a/a/a/a/a/a/a/a/a/x"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tree-archive/deep", test_deep);
  g_test_add_func ("/tree-archive/many-ways", test_many_ways);
  return g_test_run ();
}
