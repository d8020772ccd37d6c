/* SPDX-License-Identifier: MIT */
/* Zip files: what they are depends on what is in them. */
#include "core/archive/pydata/hl-zip-archive.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/archive/pydata/hl-npy-archive.h"
#include "core/archive/pydata/hl-torch-archive.h"
#include "core/archive/pydata/hl-zip-reader.h"
#include "core/base/hl-error.h"

/**
 * hl_zip_archive_recognise:
 * @file: the file
 * @head: its first bytes
 * @size: how many
 *
 * Returns: whether it begins as a zip file does
 */
gboolean
hl_zip_archive_recognise (GFile        *file,
                          const guint8 *head,
                          gsize         size)
{
  return size >= 4 && (memcmp (head, "PK\3\4", 4) == 0 || memcmp (head, "PK\5\6", 4) == 0);
}

/**
 * hl_zip_archive_open:
 * @file: a local file
 * @progress: (nullable): unused: opening reads the directory only
 * @cancellable: (nullable): stops it
 * @error: as hl_zip_reader_new(); %HL_ERROR_UNKNOWN_FORMAT when there is nothing in it that can be read
 *
 * Opens a zip file of PyTorch or NumPy.
 *
 * Returns: (transfer full) (nullable): the archive
 */
HlArchive *
hl_zip_archive_open (GFile        *file,
                     HlProgress   *progress,
                     GCancellable *cancellable,
                     GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlSpan) bytes = hl_span_open (file, error);
  g_autoptr (HlZipReader) zip = bytes != NULL ? hl_zip_reader_new (bytes, cancellable, error)
                                              : NULL;
  if (zip == NULL)
    return NULL;
  if (hl_torch_archive_find_pickle (zip) != NULL)
    return hl_torch_archive_new_for_zip (zip, cancellable, error);
  if (hl_npy_archive_is_npz (zip))
    return hl_npy_archive_new_for_zip (zip, cancellable, error);
  g_set_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT,
               _ ("this is a zip file, but neither PyTorch nor NumPy wrote it"));
  return NULL;
}
