/* SPDX-License-Identifier: MIT */
/* A JSON file as an archive: objects are groups, and so are lists of them or of lists of strings;
 * lists of numbers are tensors, lists of strings are strings, and what stands alone is an attribute
 * of its object. The text is read once, from a mapping, without a tree of its numbers: they go
 * straight into float32. */
#include "core/archive/json/hl-json-archive.h"

#include "core/archive/hl-tree-archive.h"
#include "core/archive/json/hl-json-parser.h"
#include "core/base/hl-error.h"
#include "core/base/hl-mapped-file.h"

#include <glib/gi18n-lib.h>
#include <string.h>

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
  HlJsonLexer lexer;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlMappedFile) mapped = hl_mapped_file_open (file, error);
  if (mapped == NULL)
    return NULL;
  const char *text = hl_mapped_file_get_data (mapped);
  const gsize size = hl_mapped_file_get_size (mapped);
  if (is_utf16 (text, size))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_ENCODING,
                   _ ("this is JSON in UTF-16 or UTF-32; only UTF-8 can be read"));
      return NULL;
    }

  hl_json_lexer_init (&lexer, text, size, progress, cancellable);
  hl_json_lexer_set_mapped (&lexer);
  g_autoptr (HlArchiveNode) root = hl_json_parse (&lexer, HL_TREE_ONLY_NAME, error);
  if (!hl_mapped_file_check (mapped, error) || root == NULL)
    return NULL;
  return hl_tree_archive_new_for_node ("JSON", g_steal_pointer (&root));
}
