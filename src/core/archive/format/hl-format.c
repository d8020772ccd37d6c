/* SPDX-License-Identifier: MIT */
/* The containers: which one a file is, by its first bytes, and which one a new file gets, by its name. */
#include "core/archive/format/hl-format.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/archive/format/hl-shard-archive.h"
#include "core/archive/gguf/hl-gguf-archive.h"
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
#include "core/base/file/hl-file-read.h"
#include "core/base/hl-error.h"

/* Enough for every magic: HDF5's may stand behind a user block of 512 bytes, which the type itself looks into. */
#define HEAD_SIZE 4096

// clang-format off
/* One row a container. */
static const HlFormat formats[] = {
  { N_ ("HDF5"), { "h5", "hdf5" }, { "application/x-hdf", "application/x-hdf5" }, FALSE,
    hl_hdf5_archive_recognise, hl_hdf5_archive_open, hl_hdf5_writer_new },
  { N_ ("PyTorch"), { "pt", "pth", "bin", "pkl", "pickle" },
    { "application/x-pytorch", "application/x-python-pickle" }, TRUE,
    hl_torch_archive_recognise, hl_torch_archive_open, NULL },
  /* Zip files are of NumPy or, since 1.6, of PyTorch. */
  { N_ ("NumPy"), { "npz" }, { "application/x-npz" }, FALSE,
    hl_zip_archive_recognise, hl_zip_archive_open, hl_npz_writer_new },
  { N_ ("NumPy"), { "npy" }, { "application/x-npy" }, FALSE,
    hl_npy_archive_recognise, hl_npy_archive_open, NULL },
  { NULL, { "safetensors" }, { "application/x-safetensors" }, FALSE,
    hl_safetensors_archive_recognise, hl_safetensors_archive_open, NULL },
  { NULL, { "gguf" }, { "application/x-gguf" }, FALSE,
    hl_gguf_archive_recognise, hl_gguf_archive_open, NULL },
  { N_ ("JSON"), { "json" }, { "application/json" }, TRUE,
    hl_json_archive_recognise, hl_json_archive_open, hl_json_writer_new },
  { N_ ("web pages"), { "html", "htm" }, { "text/html" }, FALSE,
    hl_page_archive_recognise, hl_page_archive_open, NULL },
  { N_ ("notebooks"), { "ipynb" }, { "application/x-ipynb+json" }, FALSE,
    hl_notebook_archive_recognise, hl_notebook_archive_open, NULL },
};
// clang-format on

/**
 * hl_format_get_all: (skip)
 * @n_formats: (out): how many
 *
 * Returns: (transfer none) (array length=n_formats): what can be opened, and some of it written
 */
const HlFormat *
hl_format_get_all (guint *n_formats)
{
  *n_formats = G_N_ELEMENTS (formats);
  return formats;
}

/**
 * hl_format_list_labels:
 *
 * Returns: (transfer full): what can be opened, translated, with commas between
 */
char *
hl_format_list_labels (void)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i].label != NULL && (i == 0 || g_strcmp0 (formats[i].label, formats[i - 1].label) != 0))
      /* Translators: between the items of a list */
      g_string_append_printf (list, "%s%s", list->len > 0 ? _ (", ") : "", _ (formats[i].label));
  return g_string_free (list, FALSE);
}

static int
compare_endings (gconstpointer a,
                 gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/**
 * hl_format_list_endings:
 *
 * Returns: (transfer full): the endings of names of what can be written, such as `.a, .b or .c`, translated
 */
char *
hl_format_list_endings (void)
{
  g_autoptr (GPtrArray) endings = g_ptr_array_new ();
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    for (guint k = 0; formats[i].create != NULL && formats[i].suffixes[k] != NULL; k++)
      g_ptr_array_add (endings, (gpointer) formats[i].suffixes[k]);
  g_ptr_array_sort (endings, compare_endings);
  for (guint i = 0; i + 1 < endings->len; i++)
    g_string_append_printf (list, "%s.%s", i > 0 ? _ (", ") : "", (const char *) endings->pdata[i]);
  /* Translators: a list of endings of file names with commas, and the last one */
  return g_strdup_printf (_ ("%s or .%s"), list->str, (const char *) endings->pdata[endings->len - 1]);
}

/**
 * hl_format_find_writable: (skip)
 * @name: the name of a file
 *
 * Returns: (transfer none) (nullable): the container that the name asks for, if it can be written
 */
const HlFormat *
hl_format_find_writable (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    for (guint k = 0; formats[i].create != NULL && formats[i].suffixes[k] != NULL; k++)
      {
        g_autofree char *ending = g_strconcat (".", formats[i].suffixes[k], NULL);
        const gsize n = strlen (name), n_ending = strlen (ending);

        if (n > n_ending && g_ascii_strcasecmp (name + n - n_ending, ending) == 0)
          return &formats[i];
      }
  return NULL;
}

static gboolean
read_head (GFile        *file,
           guint8       *head,
           gsize        *size,
           GCancellable *cancellable,
           GError      **error)
{
  g_autoptr (GFileInfo) info = g_file_query_info (file,
                                                  G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE
                                                                                 "," G_FILE_ATTRIBUTE_ACCESS_CAN_READ,
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

  if (!g_file_info_get_attribute_boolean (info, G_FILE_ATTRIBUTE_ACCESS_CAN_READ))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "");
      return FALSE;
    }

  /* By now it may be a pipe, for which nobody waits. */
  g_autoptr (GBytes) bytes = hl_file_read_regular (file, HEAD_SIZE, cancellable, error);
  const guint8 *first = bytes != NULL ? g_bytes_get_data (bytes, size) : NULL;
  if (first != NULL)
    memcpy (head, first, *size);
  return bytes != NULL;
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

/* One file alone. */
static HlArchive *
open_one (GFile        *file,
          HlProgress   *progress,
          GCancellable *cancellable,
          GError      **error)
{
  guint8 head[HEAD_SIZE];
  gsize size = 0;
  g_autoptr (GError) local_error = NULL;

  if (!read_head (file, head, &size, cancellable, &local_error))
    {
      reword_io_error (&local_error);
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }

  for (gboolean is_guess = FALSE; is_guess <= TRUE; is_guess++)
    for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
      if (formats[i].is_guess == is_guess && formats[i].recognise (file, head, size))
        return formats[i].open (file, progress, cancellable, error);

  g_set_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT,
               _ ("this is none of the kinds of file that Headlight can read"));
  return NULL;
}

/**
 * hl_archive_open:
 * @file: a local file
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: any of #HlError, or %G_IO_ERROR_CANCELLED
 *
 * Opens a file as whatever container its content shows it to be; the name does not matter, unless the file says that it is one of several that are
 * a dump together, see hl_shard_archive_gather(). Blocks: call it from a worker.
 *
 * Returns: (transfer full) (nullable): the archive
 */
HlArchive *
hl_archive_open (GFile        *file,
                 HlProgress   *progress,
                 GCancellable *cancellable,
                 GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  if (!g_file_is_native (file))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("only local files can be opened"));
      return NULL;
    }
  g_autoptr (HlArchive) archive = open_one (file, progress, cancellable, error);
  return archive != NULL ? hl_shard_archive_gather (file, archive, open_one, progress, cancellable, error) : NULL;
}

/**
 * hl_archive_writer_new:
 * @file: a local file, which may exist; its name ends as hl_format_list_endings() says
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
  const HlFormat *format = hl_format_find_writable (name);
  if (format != NULL)
    return format->create (file, error);

  g_autofree char *endings = hl_format_list_endings ();
  g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("the name must end in %s, which tells the container to write"),
               endings);
  return NULL;
}
