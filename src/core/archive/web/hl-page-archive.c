/* SPDX-License-Identifier: MIT */
/* A saved web page as an archive: what BertViz, inspectus and CircuitsVis wrote into it, under the names of a dump. The
 * page is mapped and read once; no script is run. */
#include "core/archive/web/hl-page-archive.h"

#include "core/archive/web/hl-page-reader.h"
#include "core/base/hl-mapped-file.h"

#include <string.h>

/**
 * hl_page_archive_recognise:
 * @file: the file
 * @head: its first bytes
 * @size: how many
 *
 * Returns: whether it begins with a tag, as web pages do
 */
gboolean
hl_page_archive_recognise (GFile        *file,
                           const guint8 *head,
                           gsize         size)
{
  gsize i = size >= 3 && memcmp (head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  while (i < size && g_ascii_isspace (head[i]))
    i++;
  return i + 1 < size && head[i] == '<' &&
         (g_ascii_isalpha (head[i + 1]) || head[i + 1] == '!' || head[i + 1] == '?');
}

/**
 * hl_page_archive_open:
 * @file: a local file
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_MISSING, %HL_ERROR_CORRUPT, %HL_ERROR_TRUNCATED, %HL_ERROR_ENCODING, %HL_ERROR_TOO_LARGE,
 *   %HL_ERROR_IO or %G_IO_ERROR_CANCELLED
 *
 * Reads the attention of a web page. Numbers take 4 bytes each, at most 1 GiB; names and strings at most 256 MiB.
 *
 * Returns: (transfer full) (nullable): the archive
 */
HlArchive *
hl_page_archive_open (GFile        *file,
                      HlProgress   *progress,
                      GCancellable *cancellable,
                      GError      **error)
{
  g_auto (HlPageReader) reader = { 0 };
  HlJsonLexer lexer;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlMappedFile) mapped = hl_mapped_file_open (file, error);
  if (mapped == NULL)
    return NULL;
  hl_page_reader_init (&reader);
  hl_json_lexer_init (&lexer, hl_mapped_file_get_data (mapped), hl_mapped_file_get_size (mapped), progress, cancellable);
  hl_json_lexer_set_mapped (&lexer);
  g_autoptr (HlArchive) archive = hl_page_reader_read (&reader, &lexer, error)
                                    ? hl_page_reader_finish (&reader, NULL, error)
                                    : NULL;
  return hl_mapped_file_check (mapped, error) ? g_steal_pointer (&archive) : NULL;
}
