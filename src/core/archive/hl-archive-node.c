/* SPDX-License-Identifier: MIT */
/* What a file holds that is read as a whole when it is opened: groups and their members, as a tree. */
#include "core/archive/hl-archive-node.h"

#include "core/base/hl-natural.h"

#include <string.h>

/**
 * hl_archive_node_new:
 * @kind: what it is
 *
 * Returns: (transfer full): a node with nothing in it
 */
HlArchiveNode *
hl_archive_node_new (HlMemberKind kind)
{
  HlArchiveNode *self = g_new0 (HlArchiveNode, 1);

  self->kind = kind;
  return self;
}

/**
 * hl_archive_node_free:
 * @self: a node
 *
 * Frees it with all that is in it.
 */
void
hl_archive_node_free (HlArchiveNode *self)
{
  /* This recurses as deep as the parser lets objects be, which is not deep. */
  g_clear_pointer (&self->members, g_tree_unref);
  g_clear_object (&self->tensor);
  g_clear_pointer (&self->strings, g_strfreev);
  g_clear_pointer (&self->attribute, g_variant_unref);
  g_clear_error (&self->problem);
  g_free (self);
}

static int
compare_names (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  return hl_natural_compare (a, b);
}

/**
 * hl_archive_node_add:
 * @self: a group
 * @name: a name that it does not have yet
 * @member: (transfer full): what it stands for
 *
 * Adds a member. A tree rather than a hash table: names that are made to collide do no harm.
 */
void
hl_archive_node_add (HlArchiveNode *self,
                  const char *name,
                  HlArchiveNode *member)
{
  if (self->members == NULL)
    self->members =
      g_tree_new_full (compare_names, NULL, g_free, (GDestroyNotify) hl_archive_node_free);
  g_tree_insert (self->members, g_strdup (name), member);
}

/**
 * hl_archive_node_get:
 * @self: a group
 * @name: a name
 *
 * Returns: (transfer none) (nullable): its member of that name
 */
HlArchiveNode *
hl_archive_node_get (const HlArchiveNode *self,
                  const char       *name)
{
  return self->members != NULL ? g_tree_lookup (self->members, name) : NULL;
}

/**
 * hl_archive_node_resolve:
 * @self: a group
 * @path: names with slashes between them
 *
 * Follows a path. Names come from the file and may have slashes in them, so every way to cut the
 * path is tried.
 *
 * Returns: (transfer none) (nullable): where the path leads
 */
const HlArchiveNode *
hl_archive_node_resolve (const HlArchiveNode *self,
                      const char       *path)
{
  const HlArchiveNode *found = hl_archive_node_get (self, path);

  for (const char *slash = strchr (path, '/'); found == NULL && slash != NULL;
       slash = strchr (slash + 1, '/'))
    {
      g_autofree char *name = g_strndup (path, (gsize) (slash - path));
      const HlArchiveNode *inner = hl_archive_node_get (self, name);
      if (inner != NULL && inner->kind == HL_MEMBER_GROUP)
        found = hl_archive_node_resolve (inner, slash + 1);
    }
  return found;
}
