/* SPDX-License-Identifier: MIT */
/* A JSON file as an archive: objects are groups, lists of numbers are tensors, lists of strings are
 * strings, and what stands alone is an attribute of its object. The text is read once, from a
 * mapping, without a tree of its numbers: they go straight into float32. */
#include "core/archive/hl-json-archive.h"

#include "core/archive/hl-json-parser.h"
#include "core/base/hl-error.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

struct _HlJsonArchive
{
  GObject parent_instance;

  HlJsonNode *root;
};

static void hl_json_archive_iface_init (HlArchiveInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (HlJsonArchive,
                               hl_json_archive,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ARCHIVE, hl_json_archive_iface_init))

static const HlJsonNode *
hl_json_archive_find (HlJsonArchive *self,
                      const char    *path)
{
  return *path == '\0' ? self->root : hl_json_node_resolve (self->root, path);
}

/* A member as asked for by the interface: there, free of problems and of the right kind. */
static const HlJsonNode *
hl_json_archive_require (HlJsonArchive *self,
                         const char    *path,
                         HlMemberKind   kind,
                         GError       **error)
{
  const HlJsonNode *node = hl_json_archive_find (self, path);

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
hl_json_archive_get_container (HlArchive *archive)
{
  return "JSON";
}

static char **
hl_json_archive_list (HlArchive  *archive,
                      const char *group,
                      GError    **error)
{
  const HlJsonNode *node =
    hl_json_archive_require (HL_JSON_ARCHIVE (archive), group, HL_MEMBER_GROUP, error);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  if (node == NULL)
    return NULL;
  if (node->members != NULL && g_tree_nnodes (node->members) > HL_MAX_MEMBERS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("“%s” has %d members; at most %d are read"), group,
                   g_tree_nnodes (node->members), HL_MAX_MEMBERS);
      return NULL;
    }
  for (GTreeNode *i = node->members != NULL ? g_tree_node_first (node->members) : NULL; i != NULL;
       i = g_tree_node_next (i))
    {
      const char *name = g_tree_node_key (i);
      if (*name != '\0') /* the path of a member without a name would be its group's */
        g_strv_builder_add (names, name);
    }
  return g_strv_builder_end (names);
}

static HlMemberKind
hl_json_archive_get_kind (HlArchive  *archive,
                          const char *name)
{
  const HlJsonNode *node = hl_json_archive_find (HL_JSON_ARCHIVE (archive), name);

  return node != NULL ? node->kind : HL_MEMBER_NONE;
}

static HlTensor *
hl_json_archive_open_tensor (HlArchive  *archive,
                             const char *name,
                             GError    **error)
{
  const HlJsonNode *node =
    hl_json_archive_require (HL_JSON_ARCHIVE (archive), name, HL_MEMBER_TENSOR, error);

  return node != NULL ? g_object_ref (node->tensor) : NULL;
}

static char **
hl_json_archive_read_strings (HlArchive  *archive,
                              const char *name,
                              GError    **error)
{
  HlJsonArchive *self = HL_JSON_ARCHIVE (archive);
  const HlJsonNode *node = hl_json_archive_find (self, name);

  /* An empty list could be either; it counts as a tensor. */
  if (node != NULL && node->tensor != NULL && hl_tensor_get_shape (node->tensor)->rank == 1 &&
      hl_tensor_get_shape (node->tensor)->dims[0] == 0)
    return g_new0 (char *, 1);

  node = hl_json_archive_require (self, name, HL_MEMBER_STRINGS, error);
  return node != NULL ? g_strdupv (node->strings) : NULL;
}

static GVariant *
hl_json_archive_get_attribute (HlArchive  *archive,
                               const char *group,
                               const char *name,
                               GError    **error)
{
  const HlJsonNode *parent = hl_json_archive_find (HL_JSON_ARCHIVE (archive), group);
  const HlJsonNode *node = parent != NULL ? hl_json_node_get (parent, name) : NULL;

  if (node == NULL)
    return NULL;
  if (node->problem != NULL)
    {
      g_propagate_error (error, g_error_copy (node->problem));
      return NULL;
    }
  if (node->attribute == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("“%s” is neither a number nor a string"),
                   name);
      return NULL;
    }
  return g_variant_ref (node->attribute);
}

static void
hl_json_archive_iface_init (HlArchiveInterface *iface)
{
  iface->get_container = hl_json_archive_get_container;
  iface->list = hl_json_archive_list;
  iface->get_kind = hl_json_archive_get_kind;
  iface->open_tensor = hl_json_archive_open_tensor;
  iface->read_strings = hl_json_archive_read_strings;
  iface->get_attribute = hl_json_archive_get_attribute;
}

/* A byte order mark of UTF-16 or UTF-32, or none but a bracket beside a zero byte. */
static gboolean
is_utf16 (const char *text,
          gsize       size)
{
  if (size < 2)
    return FALSE;
  if (memcmp (text, "\xff\xfe", 2) == 0 || memcmp (text, "\xfe\xff", 2) == 0)
    return TRUE;
  const char first = text[0] != '\0' ? text[0] : text[1];
  return (first == '{' || first == '[') && (text[0] == '\0') != (text[1] == '\0');
}

static void
hl_json_archive_finalize (GObject *object)
{
  HlJsonArchive *self = HL_JSON_ARCHIVE (object);

  g_clear_pointer (&self->root, hl_json_node_free);
  G_OBJECT_CLASS (hl_json_archive_parent_class)->finalize (object);
}

static void
hl_json_archive_class_init (HlJsonArchiveClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_json_archive_finalize;
}

static void
hl_json_archive_init (HlJsonArchive *self)
{
}

/**
 * hl_json_archive_recognise:
 * @file: the file
 * @head: its first bytes
 * @size: how many
 *
 * Returns: whether it begins as an object or a list of JSON does, in UTF-8 or UTF-16, or with
 * nothing but white space so far
 */
gboolean
hl_json_archive_recognise (GFile        *file,
                           const guint8 *head,
                           gsize         size)
{
  gsize i = 0;

  if (is_utf16 ((const char *) head, size))
    return TRUE;
  if (size >= 3 && memcmp (head, "\xef\xbb\xbf", 3) == 0)
    i = 3;
  while (i < size && strchr (" \t\r\n", head[i]) != NULL && head[i] != '\0')
    i++;
  return i == size || head[i] == '{' || head[i] == '[';
}

/**
 * hl_json_archive_open:
 * @file: a local file
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_TRUNCATED, %HL_ERROR_ENCODING, %HL_ERROR_TOO_LARGE,
 *   %HL_ERROR_MISSING, %HL_ERROR_IO or %G_IO_ERROR_CANCELLED
 *
 * Reads all of a JSON file. Its numbers take 4 bytes each, at most 1 GiB; names and strings at most
 * 256 MiB.
 *
 * Returns: (transfer full) (nullable): the archive
 */
HlArchive *
hl_json_archive_open (GFile        *file,
                      HlProgress   *progress,
                      GCancellable *cancellable,
                      GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autofree char *path = g_file_get_path (file);
  g_autoptr (GMappedFile) mapped = g_mapped_file_new (path, FALSE, NULL);
  if (mapped == NULL)
    {
      /* GLib's own sentence names the file, which is up to who shows it. */
      g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("it cannot be read: %s"), g_strerror (errno));
      return NULL;
    }
  const char *text = g_mapped_file_get_contents (mapped);
  const gsize size = g_mapped_file_get_length (mapped);
  if (is_utf16 (text, size))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_ENCODING,
                   _ ("this is JSON in UTF-16 or UTF-32; only UTF-8 can be read"));
      return NULL;
    }

  g_autoptr (HlJsonNode) root = hl_json_parse (text, size, progress, cancellable, error);
  if (root == NULL)
    return NULL;
  HlJsonArchive *self = g_object_new (HL_TYPE_JSON_ARCHIVE, NULL);
  self->root = g_steal_pointer (&root);
  return HL_ARCHIVE (self);
}
