/* SPDX-License-Identifier: MIT */
/* Paths through groups whose names have slashes. */
#include "core/archive/hl-tree-archive.h"

#include "core/base/hl-error.h"

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
  gboolean is_ambiguous;

  /* Each beside a group that its name begins with. */
  for (guint i = 0; i < 32; i++)
    {
      add_group (group, "a");
      group = add_group (group, "a/b");
      g_string_append (path, "a/b/");
    }
  const HlArchiveNode *member = add_group (group, "m/n/o");
  g_string_append (path, "m/n/o");
  g_assert_true (hl_archive_node_resolve (root, path->str, &is_ambiguous) == member);
  g_assert_false (is_ambiguous);
  g_assert_null (hl_archive_node_resolve (root, "a/b/c", &is_ambiguous));
  g_assert_false (is_ambiguous);
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
  gboolean is_ambiguous;

  add_cuts (root, 4);
  const HlArchiveNode *member = add_group (hl_archive_node_get (root, "a/a/a/a"), "x");
  g_assert_true (hl_archive_node_resolve (root, "a/a/a/a/x", &is_ambiguous) == member);
  g_assert_true (is_ambiguous);

  /* The last of all ways comes too late. */
  add_cuts (hl_archive_node_get (root, "a/a/a/a"), 8);
  add_group (hl_archive_node_get (hl_archive_node_get (root, "a/a/a/a"), "a/a/a/a/a/a/a/a"), "x");
  g_assert_null (hl_archive_node_resolve (root, "a/a/a/a/a/a/a/a/a/a/a/a/x", &is_ambiguous));
  g_assert_false (is_ambiguous);
}

/* However many slashes a name has, its path is cut where a member ends: cut at each of them, it would take minutes. */
static void
test_many_slashes (void)
{
  g_autoptr (HlArchiveNode) root = hl_archive_node_new (HL_MEMBER_GROUP);
  g_autofree char *name = g_strnfill (1000000, '/');
  g_autofree char *path = g_strconcat (name, "/x", NULL);
  g_autofree char *beyond = g_strconcat (name, "/y", NULL);
  HlArchiveNode *const group = add_group (root, name);
  const HlArchiveNode *const member = add_group (group, "x");

  g_assert_true (hl_archive_node_resolve (root, name, NULL) == group);
  g_assert_true (hl_archive_node_resolve (root, path, NULL) == member);
  g_assert_null (hl_archive_node_resolve (root, beyond, NULL));
}

/* What is in one of two groups that are called alike is not taken for what is in the other. */
static void
test_ambiguous (void)
{
  g_autoptr (HlArchiveNode) root = hl_archive_node_new (HL_MEMBER_GROUP);
  HlArchiveNode *const all = add_group (root, "examples");
  HlArchiveNode *const outer = add_group (all, "a"), *const inner = add_group (outer, "b");
  g_autoptr (HlArchive) archive = hl_tree_archive_new ("test", g_steal_pointer (&root));
  g_autoptr (GError) error = NULL;

  add_group (inner, "tokens");
  add_group (inner, "attention");
  g_auto (GStrv) alone = hl_archive_list (archive, "examples/a/b/tokens", &error);
  g_assert_no_error (error);
  g_assert_nonnull (alone);

  add_group (add_group (all, "a/b"), "attention");
  static const char *const paths[] = { "examples/a/b", "examples/a/b/attention", "examples/a/b/tokens" };
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GError) twice = NULL;
      g_auto (GStrv) members = hl_archive_list (archive, paths[i], &twice);
      g_test_message ("%s", paths[i]);
      g_assert_cmpint (hl_archive_get_kind (archive, paths[i]), ==, HL_MEMBER_GROUP);
      g_assert_null (members);
      g_assert_error (twice, HL_ERROR, HL_ERROR_CORRUPT);
      g_clear_error (&twice);
      g_assert_null (hl_archive_get_attribute (archive, paths[i], "text", &twice));
      g_assert_error (twice, HL_ERROR, HL_ERROR_CORRUPT);
    }
  g_assert_cmpint (hl_archive_get_kind (archive, "examples/a/b/mask"), ==, HL_MEMBER_NONE);
  g_auto (GStrv) other = hl_archive_list (archive, "examples/a", &error);
  g_assert_no_error (error);
}

/* A dict of texts may have the empty one: its member is there as all others are. */
static void
test_no_name (void)
{
  g_autoptr (HlArchiveNode) root = hl_archive_node_new (HL_MEMBER_GROUP);
  HlArchiveNode *const all = add_group (root, "examples"), *const member = add_group (all, "");
  g_autoptr (GError) error = NULL;

  add_group (member, "attention");
  g_assert_true (hl_archive_node_get (all, "") == member);
  g_autoptr (HlArchive) archive = hl_tree_archive_new ("test", g_steal_pointer (&root));
  g_auto (GStrv) members = hl_archive_list (archive, "examples", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (members), ==, 1);
  g_autofree char *path = hl_archive_join ("examples", members[0]);
  g_auto (GStrv) inside = hl_archive_list (archive, path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (inside), ==, 1);
  g_assert_cmpstr (inside[0], ==, "attention");
}

/* What is there once is meant, though groups that have nothing of it are called alike. */
static void
test_alike (void)
{
  g_autoptr (HlArchiveNode) root = hl_archive_node_new (HL_MEMBER_GROUP);
  gboolean is_ambiguous;

  add_group (add_group (add_group (root, "run"), "1"), "note");
  add_group (add_group (root, "run/1"), "remark");
  const HlArchiveNode *const whole = add_group (root, "run/1/attention");
  g_assert_true (hl_archive_node_resolve (root, "run/1/attention", &is_ambiguous) == whole);
  g_assert_false (is_ambiguous);

  /* Nor is it less so if the groups that are alike come after it, or beside the way to it. */
  const HlArchiveNode *const inner = add_group (add_group (root, "a"), "b/c/x");
  add_group (add_group (hl_archive_node_get (root, "a"), "b"), "c");
  add_group (hl_archive_node_get (root, "a"), "b/c");
  g_assert_true (hl_archive_node_resolve (root, "a/b/c/x", &is_ambiguous) == inner);
  g_assert_false (is_ambiguous);

  /* One of two groups has it, which is the one that comes first or the other. */
  add_group (hl_archive_node_get (root, "run/1"), "x");
  hl_archive_node_resolve (root, "run/1/x", &is_ambiguous);
  g_assert_true (is_ambiguous);
  add_group (hl_archive_node_get (hl_archive_node_get (root, "run"), "1"), "y");
  hl_archive_node_resolve (root, "run/1/y", &is_ambiguous);
  g_assert_true (is_ambiguous);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tree-archive/deep", test_deep);
  g_test_add_func ("/tree-archive/many-ways", test_many_ways);
  g_test_add_func ("/tree-archive/many-slashes", test_many_slashes);
  g_test_add_func ("/tree-archive/ambiguous", test_ambiguous);
  g_test_add_func ("/tree-archive/alike", test_alike);
  g_test_add_func ("/tree-archive/no-name", test_no_name);
  return g_test_run ();
}
