/* SPDX-License-Identifier: MIT */
/* Texts of lines: lists of texts, annotated sentences, vocabularies. */
#include "core/base/text/hl-lines.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/file/hl-file-read.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/base/hl-utf8.h"

static void
take (HlLines    *self,
      const char *bytes,
      gsize       size)
{
  const gsize mark = hl_utf8_measure_mark (bytes, size);

  self->bytes = bytes + mark;
  self->size = size - mark;
}

static gboolean
read_pipe (HlLines      *self,
           GFile        *file,
           GCancellable *cancellable,
           GError      **error)
{
  g_autoptr (GBytes) bytes = hl_file_read_head (file, HL_LIMIT_PIPE + 1, cancellable, error);

  if (bytes == NULL)
    return FALSE;
  if (g_bytes_get_size (bytes) > HL_LIMIT_PIPE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("what is not a file is read up to %u MiB"),
                   HL_LIMIT_PIPE >> 20);
      return FALSE;
    }
  gsize size;
  self->copy = g_bytes_unref_to_data (g_steal_pointer (&bytes), &size);
  take (self, size > 0 ? self->copy : "", size);
  return TRUE;
}

/**
 * hl_lines_init_file:
 * @self: (out caller-allocates): lines
 * @file: a local file, or what a program writes into a pipe
 * @cancellable: (nullable): ends the wait for a pipe
 * @error: that it cannot be read, or %HL_ERROR_TOO_LARGE of a pipe
 *
 * Maps a file, and reads a pipe to its end. hl_lines_clear() frees what it needs, and may be called without success, too.
 *
 * Returns: whether it could be opened
 */
gboolean
hl_lines_init_file (HlLines      *self,
                    GFile        *file,
                    GCancellable *cancellable,
                    GError      **error)
{
  g_return_val_if_fail (self != NULL && G_IS_FILE (file), FALSE);

  *self = (HlLines){ 0 };
  /* A pipe is opened once: whoever writes would take the first reader for the only one. */
  if (g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) == G_FILE_TYPE_SPECIAL)
    return read_pipe (self, file, cancellable, error);
  self->file = hl_mapped_file_open (file, error);
  if (self->file == NULL)
    return FALSE;
  const gsize size = hl_mapped_file_get_size (self->file);
  take (self, size > 0 ? hl_mapped_file_get_data (self->file) : "", size);
  return TRUE;
}

/**
 * hl_lines_init_copy:
 * @self: (out caller-allocates): lines
 * @text: (array length=size): what is copied
 * @size: its bytes
 */
void
hl_lines_init_copy (HlLines    *self,
                    const char *text,
                    gsize       size)
{
  g_return_if_fail (self != NULL && text != NULL);

  *self = (HlLines){ .copy = g_memdup2 (text, MAX (size, 1)) };
  take (self, self->copy, size);
}

/**
 * hl_lines_clear:
 * @self: lines
 */
void
hl_lines_clear (HlLines *self)
{
  g_clear_pointer (&self->file, hl_mapped_file_unref);
  g_clear_pointer (&self->copy, g_free);
}

/**
 * hl_lines_check:
 * @self: lines
 * @error: that the file has been changed meanwhile
 *
 * To be called after something was read of them and before it is used: another program can write over a mapped file.
 *
 * Returns: whether what was read was there
 */
gboolean
hl_lines_check (const HlLines *self,
                GError       **error)
{
  return self->file == NULL || hl_mapped_file_check (self->file, error);
}

/**
 * hl_line_before:
 * @text: (array length=size): some lines
 * @size: their bytes
 * @number: of the first of them
 *
 * Returns: the place before the first of them, for hl_line_next()
 */
HlLine
hl_line_before (const char *text,
                gsize       size,
                guint       number)
{
  return (HlLine){ .text = text, .number = number - 1, .next = text, .end = text + size };
}

/**
 * hl_line_next:
 * @self: (inout): a line, or hl_line_before() the first
 *
 * Goes on to the next line. What stands behind the last line feed is a line unless it is empty.
 *
 * Returns: whether there is one
 */
gboolean
hl_line_next (HlLine *self)
{
  if (self->next >= self->end)
    return FALSE;
  const char *feed = memchr (self->next, '\n', (gsize) (self->end - self->next));
  const char *stop = feed != NULL ? feed : self->end;
  self->text = self->next;
  self->size = (gsize) (stop - self->text);
  if (self->size > 0 && self->text[self->size - 1] == '\r')
    self->size--;
  self->number++;
  self->next = feed != NULL ? feed + 1 : self->end;
  return TRUE;
}

/**
 * hl_line_check:
 * @self: a line
 * @error: %HL_ERROR_TOO_LARGE or %HL_ERROR_ENCODING, which name the line by its number
 *
 * Returns: whether it is text in UTF-8 without zeros, of at most %HL_LIMIT_LINE bytes
 */
gboolean
hl_line_check (const HlLine *self,
               GError      **error)
{
  if (self->size > HL_LIMIT_LINE)
    g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("line %u is longer than 1 MiB"), self->number);
  else if (!g_utf8_validate_len (self->text, self->size, NULL))
    g_set_error (error, HL_ERROR, HL_ERROR_ENCODING, _ ("line %u is not text in UTF-8"), self->number);
  else
    return TRUE;
  return FALSE;
}

/**
 * hl_line_next_checked:
 * @self: (inout): a line, or hl_line_before() the first
 * @cancellable: (nullable): ends the way through many lines
 * @error: as hl_line_check(), or that @cancellable ended it
 *
 * Goes on to the next line and checks it. A line that is too long is refused before its end is looked for: it may be a file without one.
 *
 * Returns: whether there is one, and it is sound; if not, and @error is not set, there is none
 */
gboolean
hl_line_next_checked (HlLine       *self,
                      GCancellable *cancellable,
                      GError      **error)
{
  const gsize left = (gsize) (self->end - self->next), longest = HL_LIMIT_LINE + strlen ("\r\n");

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (left > longest && memchr (self->next, '\n', longest) == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("line %u is longer than 1 MiB"), self->number + 1);
      return FALSE;
    }
  return hl_line_next (self) && hl_line_check (self, error);
}
