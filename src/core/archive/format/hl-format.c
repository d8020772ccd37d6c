/* SPDX-License-Identifier: MIT */
/* The containers: which one a file is, by its first bytes, and which one a new file gets, by its name. */
#include "core/archive/format/hl-format.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/archive/hdf5/hl-hdf5-archive.h"
#include "core/archive/hdf5/hl-hdf5-writer.h"
#include "core/archive/json/hl-json-archive.h"
#include "core/archive/json/hl-json-writer.h"
#include "core/archive/pydata/hl-npy-archive.h"
#include "core/archive/pydata/hl-npz-writer.h"
#include "core/archive/pydata/hl-torch-archive.h"
#include "core/archive/safetensors/hl-safetensors-archive.h"
#include "core/archive/web/hl-notebook-archive.h"
#include "core/archive/web/hl-page-archive.h"
#include "core/base/hl-error.h"

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
} readers[] = {
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

static const struct
{
  const char *extension;
  HlArchiveWriter *(*create) (GFile *file, GError **error);
} writers[] = {
  { ".h5", hl_hdf5_writer_new },
  { ".hdf5", hl_hdf5_writer_new },
  { ".json", hl_json_writer_new },
  { ".npz", hl_npz_writer_new },
};

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

  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    if (readers[i].recognise (file, head, size))
      return readers[i].open (file, progress, cancellable, error);

  g_set_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT,
               _ ("this is none of the kinds of file that Headlight can read"));
  return NULL;
}

static gboolean
has_extension (const char *name,
               const char *extension)
{
  const gsize n = strlen (name);
  const gsize n_extension = strlen (extension);

  return n > n_extension && g_ascii_strcasecmp (name + n - n_extension, extension) == 0;
}

/**
 * hl_archive_writer_new:
 * @file: a local file, which may exist; its name ends in `.h5`, `.hdf5`, `.json` or `.npz`
 * @error: %HL_ERROR_UNSUPPORTED for another name, %HL_ERROR_IO or %HL_ERROR_NOT_A_FILE
 *
 * Begins a file of the container that its name asks for.
 *
 * Returns: (transfer full) (nullable): the writer
 */
HlArchiveWriter *
hl_archive_writer_new (GFile   *file,
                       GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autofree char *name = g_file_get_basename (file);
  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    if (has_extension (name, writers[i].extension))
      return writers[i].create (file, error);

  g_set_error (
    error, HL_ERROR, HL_ERROR_UNSUPPORTED,
    _ ("the name must end in .h5, .hdf5, .json or .npz, which tells the container to write"));
  return NULL;
}
