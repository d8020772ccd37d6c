/* SPDX-License-Identifier: MIT */
/* HlArchive: which container a file is, by its first bytes, and the calls that every container answers. */
#include "core/archive/hl-archive.h"

#include "core/archive/hl-hdf5-archive.h"
#include "core/archive/hl-json-archive.h"
#include "core/archive/hl-notebook-archive.h"
#include "core/archive/hl-npy-archive.h"
#include "core/archive/hl-page-archive.h"
#include "core/archive/hl-safetensors-archive.h"
#include "core/archive/hl-torch-archive.h"
#include "core/archive/hl-zip-archive.h"
#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

G_DEFINE_INTERFACE (HlArchive, hl_archive, G_TYPE_OBJECT)

/* Enough for every magic: HDF5's may stand behind a user block of 512 bytes, which the type itself looks into. */
#define HEAD_SIZE 4096

/* One line a container. The first that recognises the head of the file opens it. */
static const struct
{
  gboolean (*recognise) (GFile        *file,
                         const guint8 *head,
                         gsize         size);
  HlArchive *(*open) (GFile         *file,
                      HlProgress    *progress,
                      GCancellable  *cancellable,
                      GError       **error);
} containers[] = {
  { hl_hdf5_archive_recognise, hl_hdf5_archive_open },
  { hl_zip_archive_recognise, hl_zip_archive_open },
  { hl_npy_archive_recognise, hl_npy_archive_open },
  /* Before JSON, which a length of 123, “{” and a zero, could be taken for. */
  { hl_safetensors_archive_recognise, hl_safetensors_archive_open },
  { hl_torch_archive_recognise, hl_torch_archive_open },
  { hl_page_archive_recognise, hl_page_archive_open },
  /* A notebook is JSON, too. */
  { hl_notebook_archive_recognise, hl_notebook_archive_open },
  { hl_json_archive_recognise, hl_json_archive_open },
};

static void
hl_archive_default_init (HlArchiveInterface *iface)
{
}

static gboolean
read_head (GFile         *file,
           guint8        *head,
           gsize         *size,
           GCancellable  *cancellable,
           GError       **error)
{
  g_autoptr (GFileInfo) info = g_file_query_info (file,
                                                  G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE,
                                                  G_FILE_QUERY_INFO_NONE, cancellable, error);
  if (info == NULL)
    return FALSE;

  switch (g_file_info_get_file_type (info))
    {
    case G_FILE_TYPE_REGULAR:
      break;
    case G_FILE_TYPE_DIRECTORY:
      g_set_error (error, HL_ERROR, HL_ERROR_NOT_A_FILE, _ ("this is a folder, not a file with attention"));
      return FALSE;
    default:
      g_set_error (error, HL_ERROR, HL_ERROR_NOT_A_FILE, _ ("this is not a regular file"));
      return FALSE;
    }
  if (g_file_info_get_size (info) == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("the file is empty"));
      return FALSE;
    }

  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);
  return stream != NULL &&
         g_input_stream_read_all (G_INPUT_STREAM (stream), head, HEAD_SIZE, size, cancellable, error);
}

/* GIO's own messages name the file; ours must not, because whoever shows them does. */
static void
reword_io_error (GError **error)
{
  const char *message = NULL;
  HlError code = HL_ERROR_IO;

  if (error == NULL || *error == NULL || (*error)->domain != G_IO_ERROR)
    return;
  switch ((*error)->code)
    {
    case G_IO_ERROR_CANCELLED:
      return;
    case G_IO_ERROR_NOT_FOUND:
      message = _ ("there is no such file");
      break;
    case G_IO_ERROR_PERMISSION_DENIED:
      message = _ ("you have no permission to read it");
      break;
    case G_IO_ERROR_IS_DIRECTORY:
      message = _ ("this is a folder, not a file with attention");
      code = HL_ERROR_NOT_A_FILE;
      break;
    default:
      {
        g_autofree char *text = g_strdup_printf (_ ("it cannot be read: %s"), (*error)->message);
        g_clear_error (error);
        g_set_error_literal (error, HL_ERROR, HL_ERROR_IO, text);
        return;
      }
    }
  g_clear_error (error);
  g_set_error_literal (error, HL_ERROR, code, message);
}

/**
 * hl_archive_open:
 * @file: a local file
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: any of #HlError, or %G_IO_ERROR_CANCELLED
 *
 * Opens a file as whatever container its content shows it to be; the name does not matter. Blocks: call it from
 * a worker.
 *
 * Returns: (transfer full) (nullable): the archive
 */
HlArchive *
hl_archive_open (GFile         *file,
                 HlProgress    *progress,
                 GCancellable  *cancellable,
                 GError       **error)
{
  guint8 head[HEAD_SIZE];
  gsize size = 0;
  g_autoptr (GError) local_error = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  if (!g_file_is_native (file))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("only local files can be opened"));
      return NULL;
    }
  if (!read_head (file, head, &size, cancellable, &local_error))
    {
      reword_io_error (&local_error);
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }

  for (guint i = 0; i < G_N_ELEMENTS (containers); i++)
    if (containers[i].recognise (file, head, size))
      return containers[i].open (file, progress, cancellable, error);

  g_set_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT,
               _ ("this is none of the kinds of file that Headlight can read"));
  return NULL;
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
