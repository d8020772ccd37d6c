/* SPDX-License-Identifier: MIT */
/* HlArchive: the calls that every container answers. */
#include "core/archive/hl-archive.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

G_DEFINE_INTERFACE (HlArchive, hl_archive, G_TYPE_OBJECT)

static void
hl_archive_default_init (HlArchiveInterface *iface)
{
}

/**
 * hl_archive_get_container:
 * @self: an archive
 *
 * Returns: the name of its container, such as `HDF5`
 */
const char *
hl_archive_get_container (HlArchive *self)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), NULL);

  return HL_ARCHIVE_GET_IFACE (self)->get_container (self);
}

/**
 * hl_archive_list:
 * @self: an archive
 * @group: the name of a group; empty for the root
 * @error: %HL_ERROR_TOO_LARGE with more than %HL_MAX_MEMBERS members …
 *
 * Returns: (transfer full) (nullable): the names inside the group
 */
char **
hl_archive_list (HlArchive   *self,
                 const char  *group,
                 GError     **error)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (group != NULL, NULL);

  return HL_ARCHIVE_GET_IFACE (self)->list (self, group, error);
}

/**
 * hl_archive_get_kind:
 * @self: an archive
 * @name: the path of a member
 *
 * Returns: what it is
 */
HlMemberKind
hl_archive_get_kind (HlArchive  *self,
                     const char *name)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), HL_MEMBER_NONE);
  g_return_val_if_fail (name != NULL, HL_MEMBER_NONE);

  return HL_ARCHIVE_GET_IFACE (self)->get_kind (self, name);
}

/**
 * hl_archive_open_tensor:
 * @self: an archive
 * @name: the path of a tensor
 * @error: any of #HlError
 *
 * Returns: (transfer full) (nullable): the tensor, which keeps the archive open
 */
HlTensor *
hl_archive_open_tensor (HlArchive   *self,
                        const char  *name,
                        GError     **error)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return HL_ARCHIVE_GET_IFACE (self)->open_tensor (self, name, error);
}

/**
 * hl_archive_read_strings:
 * @self: an archive
 * @name: the path of strings, of rank 0 or 1
 * @error: %HL_ERROR_ENCODING, %HL_ERROR_RANK, %HL_ERROR_TOO_LARGE …
 *
 * Returns: (transfer full) (nullable): the strings, valid UTF-8
 */
char **
hl_archive_read_strings (HlArchive   *self,
                         const char  *name,
                         GError     **error)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return HL_ARCHIVE_GET_IFACE (self)->read_strings (self, name, error);
}

/**
 * hl_archive_count_repaired:
 * @self: an archive
 * @name: the path of strings
 *
 * Strings that are not UTF-8 are read all the same, see hl_utf8_make_valid(); this tells whether that happened.
 *
 * Returns: how many strings of the member hold escaped bytes
 */
gsize
hl_archive_count_repaired (HlArchive  *self,
                           const char *name)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), 0);
  g_return_val_if_fail (name != NULL, 0);

  HlArchiveInterface *iface = HL_ARCHIVE_GET_IFACE (self);
  return iface->count_repaired != NULL ? iface->count_repaired (self, name) : 0;
}

/**
 * hl_archive_get_attribute:
 * @self: an archive
 * @group: the path of a group; empty for the root
 * @name: the attribute's name
 * @error: %HL_ERROR_DTYPE, %HL_ERROR_ENCODING …
 *
 * Returns: (transfer full) (nullable): a value of type `s`, `x` or `d`; %NULL without an error if there is none
 */
GVariant *
hl_archive_get_attribute (HlArchive   *self,
                          const char  *group,
                          const char  *name,
                          GError     **error)
{
  GVariant *value;

  g_return_val_if_fail (HL_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (group != NULL && name != NULL, NULL);

  value = HL_ARCHIVE_GET_IFACE (self)->get_attribute (self, group, name, error);
  return value != NULL ? g_variant_take_ref (value) : NULL;
}

/**
 * hl_archive_join:
 * @group: the name of a group; empty for the root
 * @name: that of a member within it
 *
 * Returns: (transfer full): the member's name within the archive
 */
char *
hl_archive_join (const char *group,
                 const char *name)
{
  return *group != '\0' ? g_strconcat (group, "/", name, NULL) : g_strdup (name);
}
