/* SPDX-License-Identifier: MIT */
/* The cache of the hub's own tools, as they lay it out:
 *
 *   models--ORG--NAME/refs/REVISION        the hash of a commit
 *   models--ORG--NAME/blobs/HASH           a file by its hash, HASH.incomplete while it comes
 *   models--ORG--NAME/snapshots/COMMIT/…   links to blobs, by the names that the files have; the files themselves, where
 *                                          the file system has no links
 *   .locks/models--ORG--NAME/HASH.lock     held while a blob comes
 */
#include "core/model/hub/hl-hub-store.h"

#include "core/base/hl-error.h"
#include "core/base/file/hl-file-read.h"
#include "core/base/file/hl-temp-file.h"
#include "core/model/hub/hl-hub-place.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define INCOMPLETE ".incomplete"
#define FOLDER_MODE 0777

static gboolean
set_unwritten (GError    **error,
               const char *path,
               int         code)
{
  g_autofree char *shown = g_filename_display_name (path);

  g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("%s cannot be written: %s"), shown, g_strerror (code));
  return FALSE;
}

/* Returns the folder of a model. */
char *
hl_hub_store_get_model (const char *repository)
{
  g_autoptr (GFile) folder = hl_hub_place_get_folder ();
  g_auto (GStrv) pieces = g_strsplit (repository, "/", -1);
  g_autofree char *name = g_strjoinv ("--", pieces), *full = g_strconcat ("models--", name, NULL);

  return g_build_filename (g_file_peek_path (folder), full, NULL);
}

char *
hl_hub_store_get_blob (const char      *model,
                       const HlHubFile *file)
{
  return g_build_filename (model, "blobs", file->hash, NULL);
}

char *
hl_hub_store_get_lock (const char      *model,
                       const HlHubFile *file)
{
  g_autofree char *folder = g_path_get_dirname (model), *name = g_path_get_basename (model);
  g_autofree char *lock = g_strconcat (file->hash, ".lock", NULL);

  return g_build_filename (folder, ".locks", name, lock, NULL);
}

static char *
make_path (const char      *model,
           const char      *commit,
           const HlHubFile *file)
{
  return g_build_filename (model, "snapshots", commit, file->path, NULL);
}

/* Returns whether a snapshot has a file itself in place of a link to its blob. */
gboolean
hl_hub_store_has_file (const char      *model,
                       const char      *commit,
                       const HlHubFile *file)
{
  g_autofree char *path = make_path (model, commit, file);
  GStatBuf info;

  return g_lstat (path, &info) == 0 && S_ISREG (info.st_mode) && (guint64) info.st_size == file->size;
}

/* Returns how many bytes of a file are there. */
guint64
hl_hub_store_measure (const char      *model,
                      const char      *commit,
                      const HlHubFile *file)
{
  g_autofree char *blob = hl_hub_store_get_blob (model, file), *incomplete = g_strconcat (blob, INCOMPLETE, NULL);
  GStatBuf info;

  if (hl_hub_store_has_file (model, commit, file) ||
      (g_stat (blob, &info) == 0 && S_ISREG (info.st_mode) && (guint64) info.st_size == file->size))
    return file->size;
  if (g_stat (incomplete, &info) == 0 && S_ISREG (info.st_mode) && (guint64) info.st_size <= file->size)
    return (guint64) info.st_size;
  return 0;
}

/* Whether so many bytes can be written; where the system does not tell, it will when they are. */
gboolean
hl_hub_store_check_space (guint64  needed,
                          GError **error)
{
  g_autoptr (GFile) folder = hl_hub_place_get_folder ();

  for (g_autoptr (GFile) at = g_object_ref (folder); at != NULL;)
    {
      g_autoptr (GFileInfo) info = g_file_query_filesystem_info (at, G_FILE_ATTRIBUTE_FILESYSTEM_FREE, NULL, NULL);
      if (info != NULL && g_file_info_has_attribute (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE))
        {
          const guint64 left = g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_FILESYSTEM_FREE);
          g_autofree char *place = g_file_get_parse_name (folder);
          g_autofree char *wanted = g_format_size (needed), *free_bytes = g_format_size (left);
          if (left < needed)
            g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("it needs %s more in %s, where %s are free"), wanted,
                         place, free_bytes);
          return left >= needed;
        }
      /* It is not there yet: what it will be in is. */
      GFile *parent = g_file_get_parent (at);
      g_set_object (&at, parent);
      g_clear_object (&parent);
    }
  return TRUE;
}

/* Makes a folder, and those it is in. */
gboolean
hl_hub_store_make_folder (const char *path,
                          GError    **error)
{
  return g_mkdir_with_parents (path, FOLDER_MODE) == 0 || set_unwritten (error, path, errno);
}

/* From a file in a snapshot, folders up to the model. */
static char *
make_target (const HlHubFile *file)
{
  GString *target = g_string_new ("../../");

  for (const char *at = file->path; *at != '\0'; at++)
    if (*at == '/')
      g_string_append (target, "../");
  g_string_append_printf (target, "blobs/%s", file->hash);
  return g_string_free (target, FALSE);
}

/* What symlink() fails with on a file system that has no such links. */
static gboolean
has_no_links (int code)
{
  return code == EPERM || code == ENOTSUP || code == ENOSYS;
}

static gboolean
copy_blob (const char *blob,
           const char *path,
           GError    **error)
{
  g_autoptr (GFile) from = g_file_new_for_path (blob), to = g_file_new_for_path (path);
  g_autoptr (GError) local_error = NULL;

  if (g_file_copy (from, to, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &local_error))
    return TRUE;
  g_autofree char *shown = g_filename_display_name (path);
  g_set_error (error, HL_ERROR, HL_ERROR_IO, _ ("%s cannot be written: %s"), shown, local_error->message);
  return FALSE;
}

/* Makes the link of a snapshot to a blob that is there. Where the file system has none, the blob itself becomes the file, as the hub's own
 * tools have it; or a copy of it, if it @is_shared with another file, which is yet to come. */
gboolean
hl_hub_store_link (const char      *model,
                   const char      *commit,
                   const HlHubFile *file,
                   gboolean         is_shared,
                   GError         **error)
{
  g_autofree char *path = make_path (model, commit, file), *blob = hl_hub_store_get_blob (model, file);
  g_autofree char *folder = g_path_get_dirname (path), *target = make_target (file);
  g_autofree char *present = g_file_read_link (path, NULL);

  if (g_strcmp0 (present, target) == 0 || hl_hub_store_has_file (model, commit, file))
    return TRUE;
  if (!hl_hub_store_make_folder (folder, error))
    return FALSE;
  if (g_unlink (path) != 0 && errno != ENOENT)
    return set_unwritten (error, path, errno);
  /* Another program may have made it meanwhile. */
  if (symlink (target, path) == 0 || errno == EEXIST)
    return TRUE;
  if (!has_no_links (errno))
    return set_unwritten (error, path, errno);
  if (!is_shared)
    return g_rename (blob, path) == 0 || set_unwritten (error, path, errno);
  return copy_blob (blob, path, error);
}

/* Notes which commit a branch or tag is. A commit is not noted as what it is. */
gboolean
hl_hub_store_note (const char *model,
                   const char *revision,
                   const char *commit,
                   GError    **error)
{
  g_autofree char *path = g_build_filename (model, "refs", revision, NULL), *folder = g_path_get_dirname (path);

  if (g_str_equal (revision, commit))
    return TRUE;
  if (!hl_hub_store_make_folder (folder, error))
    return FALSE;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (HlTempFile) temp = hl_temp_file_new (file, error);
  return temp != NULL && hl_temp_file_write (temp, commit, strlen (commit), error) && hl_temp_file_commit (temp, error);
}

/* Returns a snapshot, or a file in it. */
GFile *
hl_hub_store_get_file (const char *model,
                       const char *commit,
                       const char *path)
{
  return g_file_new_build_filename (model, "snapshots", commit, path, NULL);
}

/* The commit that a revision was when it was last asked for. */
static char *
find_commit (const char *model,
             const char *revision)
{
  g_autofree char *path = g_build_filename (model, "refs", revision, NULL);

  if (hl_hub_is_hash (revision, HL_HUB_SHA1_DIGITS))
    return g_strdup (revision);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GBytes) bytes = hl_file_read_regular (file, HL_HUB_SHA1_DIGITS + 1, NULL, NULL);
  if (bytes == NULL || g_bytes_get_size (bytes) == 0)
    return NULL;
  g_autofree char *text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return hl_hub_is_hash (g_strstrip (text), HL_HUB_SHA1_DIGITS) ? g_steal_pointer (&text) : NULL;
}

/* Finds a GGUF file by its path or its quantisation, among the files of a folder and those one folder below. */
static GFile *
find_part (const char *folder,
           const char *part,
           guint       depth)
{
  g_autoptr (GDir) entries = g_dir_open (folder, 0, NULL);
  const char *name;
  gsize stem;

  while (entries != NULL && (name = g_dir_read_name (entries)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *label = g_str_has_suffix (name, ".gguf") ? hl_hub_make_quantisation (name) : NULL;
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          GFile *found = depth > 0 ? find_part (path, part, depth - 1) : NULL;
          if (found != NULL)
            return found;
        }
      else if (g_str_equal (name, part) ||
               (label != NULL && g_ascii_strcasecmp (label, part) == 0 && hl_hub_get_shard (name, ".gguf", &stem) <= 1))
        return g_file_new_for_path (path);
    }
  return NULL;
}

/**
 * hl_hub_store_find:
 * @name: a model
 *
 * Looks for what has been downloaded by this or another program. Blocks.
 *
 * Returns: (transfer full) (nullable): the folder, or the GGUF file that the name asks for; %NULL when it is not there
 */
GFile *
hl_hub_store_find (const HlHubName *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  g_autofree char *model = hl_hub_store_get_model (name->repository);
  g_autofree char *commit = find_commit (model, name->revision);

  if (commit == NULL)
    return NULL;
  g_autofree char *snapshot = g_build_filename (model, "snapshots", commit, NULL);
  if (name->part != NULL)
    {
      g_autoptr (GFile) direct = hl_hub_store_get_file (model, commit, name->part);
      return g_file_query_exists (direct, NULL) ? g_steal_pointer (&direct) : find_part (snapshot, name->part, 1);
    }
  return g_file_test (snapshot, G_FILE_TEST_IS_DIR) ? g_file_new_for_path (snapshot) : NULL;
}
