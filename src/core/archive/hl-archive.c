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

/* Returns the name of its container, such as `HDF5`. */
const char *
hl_archive_get_container (HlArchive *self)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), NULL);

  return HL_ARCHIVE_GET_IFACE (self)->get_container (self);
}

char **
hl_archive_list (HlArchive  *self,
                 const char *group,
                 GError    **error)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (group != NULL, NULL);

  return HL_ARCHIVE_GET_IFACE (self)->list (self, group, error);
}

HlMemberKind
hl_archive_get_kind (HlArchive  *self,
                     const char *name)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), HL_MEMBER_NONE);
  g_return_val_if_fail (name != NULL, HL_MEMBER_NONE);

  return HL_ARCHIVE_GET_IFACE (self)->get_kind (self, name);
}

/* Returns the tensor, which keeps the archive open. */
HlTensor *
hl_archive_open_tensor (HlArchive  *self,
                        const char *name,
                        GError    **error)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return HL_ARCHIVE_GET_IFACE (self)->open_tensor (self, name, error);
}

char **
hl_archive_read_strings (HlArchive  *self,
                         const char *name,
                         GError    **error)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  return HL_ARCHIVE_GET_IFACE (self)->read_strings (self, name, error);
}

/* Strings that are not UTF-8 are read all the same, see hl_utf8_make_valid(); this tells whether that happened.
 * Returns how many strings of the member hold escaped bytes. */
gsize
hl_archive_count_repaired (HlArchive  *self,
                           const char *name)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), 0);
  g_return_val_if_fail (name != NULL, 0);

  HlArchiveInterface *iface = HL_ARCHIVE_GET_IFACE (self);
  return iface->count_repaired != NULL ? iface->count_repaired (self, name) : 0;
}

/* For those who use what hl_tensor_get_data() gives, and who take for granted that what cannot be read is not there. Returns whether what
 * was read or looked at is of the file as it was opened. */
gboolean
hl_archive_check (HlArchive *self,
                  GError   **error)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), FALSE);

  HlArchiveInterface *iface = HL_ARCHIVE_GET_IFACE (self);
  return iface->check == NULL || iface->check (self, error);
}

/* Reads all that has a checksum, which opening does not; packed numbers are also checked when they are unpacked. Blocks. Returns whether no
 * checksum is wrong; in @n_verified is how many were right. */
gboolean
hl_archive_verify (HlArchive    *self,
                   guint        *n_verified,
                   HlProgress   *progress,
                   GCancellable *cancellable,
                   GError      **error)
{
  g_return_val_if_fail (HL_IS_ARCHIVE (self), FALSE);
  g_return_val_if_fail (n_verified != NULL, FALSE);

  HlArchiveInterface *iface = HL_ARCHIVE_GET_IFACE (self);
  *n_verified = 0;
  return iface->verify == NULL || iface->verify (self, n_verified, progress, cancellable, error);
}

/* Returns a value of type `s`, `x`, `d`, `as` or `ad`; %NULL without an error if there is none. */
GVariant *
hl_archive_get_attribute (HlArchive  *self,
                          const char *group,
                          const char *name,
                          GError    **error)
{
  GVariant *value;

  g_return_val_if_fail (HL_IS_ARCHIVE (self), NULL);
  g_return_val_if_fail (group != NULL && name != NULL, NULL);

  value = HL_ARCHIVE_GET_IFACE (self)->get_attribute (self, group, name, error);
  return value != NULL ? g_variant_take_ref (value) : NULL;
}

/* Returns the member's name within the archive. */
char *
hl_archive_join (const char *group,
                 const char *name)
{
  return *group != '\0' ? g_strconcat (group, "/", name, NULL) : g_strdup (name);
}
