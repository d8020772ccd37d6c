/* SPDX-License-Identifier: MIT */
/* What a file holds that is read as a whole when it is opened: groups and their members, as a tree; and that tree as an
 * archive, whatever kind of file it comes from. What stands alone is an attribute of its group. */
#include "core/archive/hl-tree-archive.h"

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/text/hl-text-hash.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* That a search for a path comes by. A way leads through fewer, but each slash can double the ways. */
#define MAX_MEMBERS 100

/* What a member without a name is called: its path would be that of its group. */
#define NO_NAME "∅"

/* Returns a node with nothing in it. */
HlArchiveNode *
hl_archive_node_new (HlMemberKind kind)
{
  HlArchiveNode *self = g_new0 (HlArchiveNode, 1);

  self->kind = kind;
  return self;
}

void
hl_archive_node_free (HlArchiveNode *self)
{
  /* This recurses as deep as the parser lets objects be, which is not deep. */
  g_clear_pointer (&self->members, g_tree_unref);
  g_clear_pointer (&self->slashed, g_hash_table_unref);
  g_clear_object (&self->tensor);
  g_clear_pointer (&self->strings, g_strfreev);
  g_clear_pointer (&self->attribute, g_variant_unref);
  g_clear_error (&self->problem);
  g_free (self);
}

static const char *
get_own_name (const char *name)
{
  return *name != '\0' ? name : NO_NAME;
}

static int
compare_names (gconstpointer a,
               gconstpointer b,
               gpointer      data)
{
  return strverscmp (a, b);
}

/* Adds a member; one without a name is called “∅”, and found by either. A tree rather than a hash table: names that are made to collide do no harm. */
void
hl_archive_node_add (HlArchiveNode *self,
                     const char    *name,
                     HlArchiveNode *member)
{
  if (self->members == NULL)
    self->members = g_tree_new_full (compare_names, NULL, g_free, (GDestroyNotify) hl_archive_node_free);
  g_tree_insert (self->members, g_strdup (get_own_name (name)), member);
  if (strchr (name, '/') == NULL)
    return;
  if (self->slashed == NULL)
    self->slashed = g_hash_table_new (NULL, NULL);
  g_hash_table_add (self->slashed, GSIZE_TO_POINTER (hl_text_hash_add (hl_text_hash_begin (), name, strlen (name))));
}

HlArchiveNode *
hl_archive_node_get (const HlArchiveNode *self,
                     const char          *name)
{
  return self->members != NULL ? g_tree_lookup (self->members, get_own_name (name)) : NULL;
}

/* A group that a search came by. */
typedef struct Way Way;

struct Way
{
  const Way *outer; /* nullable: the group that it is in, of those below the first */
  const char *end;  /* where the path to it ends */
};

/* A search for what a path leads to. */
typedef struct
{
  const HlArchiveNode *found;
  const Way *found_in; /* nullable */
  gboolean is_found_twice;
  guint n_members;
  guint n_groups;
  Way groups[MAX_MEMBERS];
} Search;

/* The path stays as it is, but for the time that a part of it is looked up. A name can have any number of slashes: what stands before each of them
 * is looked up only where it has none, or has the hash of a member. */
static void
search (Search              *self,
        const HlArchiveNode *group,
        const Way           *way,
        char                *path)
{
  const HlArchiveNode *member = hl_archive_node_get (group, path);
  guint64 hash = hl_text_hash_begin ();
  const char *hashed = path;

  self->is_found_twice |= member != NULL && self->found != NULL;
  if (self->found == NULL)
    {
      self->found = member;
      self->found_in = way;
    }
  for (char *slash = strchr (path, '/'); slash != NULL && self->n_members < MAX_MEMBERS;
       slash = strchr (slash + 1, '/'))
    {
      const gboolean is_first = hashed == path;

      if (!is_first && group->slashed == NULL)
        break;
      hash = hl_text_hash_add (hash, hashed, (gsize) (slash - hashed));
      hashed = slash;
      if (!is_first && !g_hash_table_contains (group->slashed, GSIZE_TO_POINTER (hash)))
        continue;
      *slash = '\0';
      const HlArchiveNode *inner = hl_archive_node_get (group, path);
      *slash = '/';
      if (inner == NULL)
        continue;
      self->n_members++;
      if (inner->kind != HL_MEMBER_GROUP)
        continue;
      Way *further = &self->groups[self->n_groups++];
      *further = (Way){ way, slash };
      search (self, inner, further, slash + 1);
    }
}

/* Whether what was found may not be what is meant: it is there twice, or in one of several groups with the same path. */
static gboolean
is_ambiguous_search (const Search *self)
{
  if (self->is_found_twice)
    return TRUE;
  for (const Way *way = self->found_in; way != NULL; way = way->outer)
    for (guint i = 0; i < self->n_groups; i++)
      if (&self->groups[i] != way && self->groups[i].end == way->end)
        return TRUE;
  return FALSE;
}

/* Follows a path. Names come from the file and may have slashes in them, so every way to cut the path is tried, until there were too many.
 * Where two of them lead to something, or to groups with what is found in one of them, nobody knows which is meant. */
const HlArchiveNode *
hl_archive_node_resolve (const HlArchiveNode *self,
                         const char          *path,
                         gboolean            *is_ambiguous)
{
  g_autofree char *copy = g_strdup (path);
  Search found = { NULL };

  search (&found, self, NULL, copy);
  if (is_ambiguous != NULL)
    *is_ambiguous = found.found != NULL && is_ambiguous_search (&found);
  return found.found;
}

struct _HlTreeArchive
{
  GObject parent_instance;

  const char *container;
  HlArchiveNode *root;
  GPtrArray *mapped;   /* of HlSpan: where its numbers lie */
  HlTreeVerify verify; /* nullable: what has checksums */
  gpointer verify_data;
  GDestroyNotify free_verify_data;
};

static void hl_tree_archive_iface_init (HlArchiveInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlTreeArchive,
                               hl_tree_archive,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ARCHIVE, hl_tree_archive_iface_init))

static const HlArchiveNode *
hl_tree_archive_find (HlTreeArchive *self,
                      const char    *path)
{
  return *path == '\0' ? self->root : hl_archive_node_resolve (self->root, path, NULL);
}

/* As hl_tree_archive_find(), where one thing alone can be meant. Returns FALSE where several can. */
static gboolean
hl_tree_archive_find_only (HlTreeArchive        *self,
                           const char           *path,
                           const HlArchiveNode **node,
                           GError              **error)
{
  gboolean is_ambiguous = FALSE;

  *node = *path == '\0' ? self->root : hl_archive_node_resolve (self->root, path, &is_ambiguous);
  if (is_ambiguous)
    g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("“%s” can be meant in two ways, by names that have slashes"),
                 path);
  return !is_ambiguous;
}

/* A member as asked for by the interface: there, free of problems and of the right kind. */
static const HlArchiveNode *
hl_tree_archive_require (HlTreeArchive *self,
                         const char    *path,
                         HlMemberKind   kind,
                         GError       **error)
{
  const HlArchiveNode *node;

  if (!hl_tree_archive_find_only (self, path, &node, error))
    return NULL;
  if (node == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("there is no “%s”"), path);
      return NULL;
    }
  if (node->problem != NULL)
    {
      g_propagate_error (error, g_error_copy (node->problem));
      return NULL;
    }
  if (node->kind == kind)
    return node;
  if (kind == HL_MEMBER_TENSOR)
    g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” is not a list of numbers"), path);
  else if (kind == HL_MEMBER_STRINGS)
    g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” is not a list of strings"), path);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” is not an object"), path);
  return NULL;
}

static const char *
hl_tree_archive_get_container (HlArchive *archive)
{
  return HL_TREE_ARCHIVE (archive)->container;
}

static char **
hl_tree_archive_list (HlArchive  *archive,
                      const char *group,
                      GError    **error)
{
  const HlArchiveNode *node = hl_tree_archive_require (HL_TREE_ARCHIVE (archive), group, HL_MEMBER_GROUP, error);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  if (node == NULL)
    return NULL;
  if (node->members != NULL && g_tree_nnodes (node->members) > HL_LIMIT_MEMBERS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“%s” has %d members; at most %d are read"),
                   *group != '\0' ? group : "/", g_tree_nnodes (node->members), HL_LIMIT_MEMBERS);
      return NULL;
    }
  for (GTreeNode *i = node->members != NULL ? g_tree_node_first (node->members) : NULL; i != NULL;
       i = g_tree_node_next (i))
    g_strv_builder_add (names, g_tree_node_key (i));
  return g_strv_builder_end (names);
}

static HlMemberKind
hl_tree_archive_get_kind (HlArchive  *archive,
                          const char *name)
{
  const HlArchiveNode *node = hl_tree_archive_find (HL_TREE_ARCHIVE (archive), name);

  return node != NULL ? node->kind : HL_MEMBER_NONE;
}

static HlTensor *
hl_tree_archive_open_tensor (HlArchive  *archive,
                             const char *name,
                             GError    **error)
{
  const HlArchiveNode *node = hl_tree_archive_require (HL_TREE_ARCHIVE (archive), name, HL_MEMBER_TENSOR, error);

  return node != NULL ? g_object_ref (node->tensor) : NULL;
}

static char **
hl_tree_archive_read_strings (HlArchive  *archive,
                              const char *name,
                              GError    **error)
{
  HlTreeArchive *self = HL_TREE_ARCHIVE (archive);
  const HlArchiveNode *node;

  if (!hl_tree_archive_find_only (self, name, &node, error))
    return NULL;
  /* An empty list could be either; it counts as a tensor. */
  if (node != NULL && node->tensor != NULL && hl_tensor_get_shape (node->tensor)->rank == 1 &&
      hl_tensor_get_shape (node->tensor)->dims[0] == 0)
    return g_new0 (char *, 1);

  node = hl_tree_archive_require (self, name, HL_MEMBER_STRINGS, error);
  return node != NULL ? g_strdupv (node->strings) : NULL;
}

static gsize
hl_tree_archive_count_repaired (HlArchive  *archive,
                                const char *name)
{
  const HlArchiveNode *node = hl_tree_archive_find (HL_TREE_ARCHIVE (archive), name);

  return node != NULL ? node->n_repaired : 0;
}

static GVariant *
hl_tree_archive_get_attribute (HlArchive  *archive,
                               const char *group,
                               const char *name,
                               GError    **error)
{
  const HlArchiveNode *parent;

  if (!hl_tree_archive_find_only (HL_TREE_ARCHIVE (archive), group, &parent, error))
    return NULL;
  const HlArchiveNode *node = parent != NULL ? hl_archive_node_get (parent, name) : NULL;
  if (node == NULL)
    return NULL;
  if (node->problem != NULL)
    {
      g_propagate_error (error, g_error_copy (node->problem));
      return NULL;
    }
  if (node->attribute == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” is neither a number nor a string"), name);
      return NULL;
    }
  return g_variant_ref (node->attribute);
}

static gboolean
hl_tree_archive_check (HlArchive *archive,
                       GError   **error)
{
  HlTreeArchive *self = HL_TREE_ARCHIVE (archive);

  for (guint i = 0; i < self->mapped->len; i++)
    if (!hl_span_check (self->mapped->pdata[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
hl_tree_archive_verify (HlArchive    *archive,
                        guint        *n_verified,
                        HlProgress   *progress,
                        GCancellable *cancellable,
                        GError      **error)
{
  HlTreeArchive *self = HL_TREE_ARCHIVE (archive);

  return self->verify == NULL || self->verify (self->verify_data, n_verified, progress, cancellable, error);
}

static void
hl_tree_archive_iface_init (HlArchiveInterface *iface)
{
  iface->get_container = hl_tree_archive_get_container;
  iface->list = hl_tree_archive_list;
  iface->get_kind = hl_tree_archive_get_kind;
  iface->open_tensor = hl_tree_archive_open_tensor;
  iface->read_strings = hl_tree_archive_read_strings;
  iface->count_repaired = hl_tree_archive_count_repaired;
  iface->get_attribute = hl_tree_archive_get_attribute;
  iface->check = hl_tree_archive_check;
  iface->verify = hl_tree_archive_verify;
}

static void
hl_tree_archive_finalize (GObject *object)
{
  HlTreeArchive *self = HL_TREE_ARCHIVE (object);

  g_clear_pointer (&self->root, hl_archive_node_free);
  g_ptr_array_unref (self->mapped);
  if (self->free_verify_data != NULL)
    self->free_verify_data (self->verify_data);
  G_OBJECT_CLASS (hl_tree_archive_parent_class)->finalize (object);
}

static void
hl_tree_archive_class_init (HlTreeArchiveClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_tree_archive_finalize;
}

static void
hl_tree_archive_init (HlTreeArchive *self)
{
  self->mapped = g_ptr_array_new_with_free_func (g_object_unref);
}

HlArchive *
hl_tree_archive_new (const char    *container,
                     HlArchiveNode *root)
{
  HlTreeArchive *self = g_object_new (HL_TYPE_TREE_ARCHIVE, NULL);

  self->container = container;
  self->root = root;
  return HL_ARCHIVE (self);
}

/* What is not a group becomes the only member of one, and is called %HL_TREE_ONLY_NAME. */
HlArchive *
hl_tree_archive_new_for_node (const char    *container,
                              HlArchiveNode *node)
{
  if (node->kind == HL_MEMBER_GROUP)
    return hl_tree_archive_new (container, node);
  HlArchiveNode *root = hl_archive_node_new (HL_MEMBER_GROUP);
  hl_archive_node_add (root, HL_TREE_ONLY_NAME, node);
  return hl_tree_archive_new (container, root);
}

/* For an archive whose numbers are used where they lie: hl_archive_check() asks that span, too, from now on. */
void
hl_tree_archive_add_mapped (HlTreeArchive *self,
                            HlSpan        *span)
{
  g_return_if_fail (HL_IS_TREE_ARCHIVE (self));
  g_return_if_fail (HL_IS_SPAN (span));

  g_ptr_array_add (self->mapped, g_object_ref (span));
}

/* For an archive with checksums, once, before it is handed out; @data is freed with it. */
void
hl_tree_archive_set_verify (HlTreeArchive *self,
                            HlTreeVerify   verify,
                            gpointer       data,
                            GDestroyNotify free_data)
{
  g_return_if_fail (HL_IS_TREE_ARCHIVE (self));
  g_return_if_fail (self->verify == NULL && verify != NULL);

  self->verify = verify;
  self->verify_data = data;
  self->free_verify_data = free_data;
}
