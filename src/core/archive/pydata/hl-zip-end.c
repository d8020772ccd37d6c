/* SPDX-License-Identifier: MIT */
/* The end of a zip file, which says where its directory is: APPNOTE 6.3, 4.3.14 to 4.3.16. */
#include "core/archive/pydata/hl-zip-end.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/archive/hl-archive.h"
#include "core/base/hl-error.h"

#define END_SIZE 22
#define LOCATOR_SIZE 20
#define WIDE_END_SIZE 56
#define MAX_COMMENT 65535

/* Entries are 46 bytes and a name; with longer ones than this the file is not of ours. */
#define MAX_DIRECTORY ((guint64) 64 << 20)

/**
 * hl_zip_get: (skip)
 * @bytes: (array length=size): a number as zip files hold it, its lowest byte first
 * @size: at most 8
 *
 * Returns: the number
 */
guint64
hl_zip_get (const guint8 *bytes,
            guint         size)
{
  guint64 value = 0;

  for (guint i = size; i-- > 0;)
    value = value << 8 | bytes[i];
  return value;
}

/* The sizes that did not fit, if the file has any. @at is where the plain end stands. */
static gboolean
read_wide (HlZipEnd *self,
           HlSpan   *file,
           guint64  *at,
           GError  **error)
{
  guint8 locator[LOCATOR_SIZE];
  guint8 end[WIDE_END_SIZE];

  if (*at < LOCATOR_SIZE)
    return TRUE;
  if (!hl_span_read (file, *at - LOCATOR_SIZE, locator, sizeof locator, error))
    return FALSE;
  if (hl_zip_get (locator, 4) != 0x07064b50)
    return TRUE;
  const guint64 place = hl_zip_get (locator + 8, 8);
  if (place > *at || *at - place < WIDE_END_SIZE + LOCATOR_SIZE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("the end of the zip file is damaged"));
      return FALSE;
    }
  if (!hl_span_read (file, place, end, sizeof end, error))
    return FALSE;
  if (hl_zip_get (end, 4) != 0x06064b50)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("the end of the zip file is damaged"));
      return FALSE;
    }
  self->n_members = hl_zip_get (end + 32, 8);
  self->size = hl_zip_get (end + 40, 8);
  self->start = hl_zip_get (end + 48, 8);
  *at = place;
  return TRUE;
}

/**
 * hl_zip_end_find: (skip)
 * @self: (out caller-allocates): what it says
 * @file: all of a file
 * @error: %HL_ERROR_TRUNCATED, %HL_ERROR_CORRUPT, %HL_ERROR_TOO_LARGE, %HL_ERROR_IO
 *
 * Finds the directory. That it lies within the file and is not too large has been checked then.
 *
 * Returns: whether there is one
 */
gboolean
hl_zip_end_find (HlZipEnd *self,
                 HlSpan   *file,
                 GError  **error)
{
  const guint64 size = hl_span_get_size (file);
  const gsize n = (gsize) MIN (size, END_SIZE + MAX_COMMENT);
  g_autofree guint8 *tail = g_malloc (n + 1);
  gsize i;

  if (!hl_span_read (file, size - n, tail, n, error))
    return FALSE;
  for (i = n >= END_SIZE ? n - END_SIZE + 1 : 0; i > 0; i--)
    if (hl_zip_get (tail + i - 1, 4) == 0x06054b50 && hl_zip_get (tail + i - 1 + 20, 2) == n - (i - 1) - END_SIZE)
      break;
  if (i == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("the zip file has no directory: it was not written to its end"));
      return FALSE;
    }

  const guint8 *end = tail + i - 1;
  guint64 at = size - n + (i - 1);
  self->n_members = hl_zip_get (end + 10, 2);
  self->size = hl_zip_get (end + 12, 4);
  self->start = hl_zip_get (end + 16, 4);
  if (!read_wide (self, file, &at, error))
    return FALSE;
  if (self->start > at || self->size > at - self->start)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                   _ ("the directory of the zip file lies outside the file"));
      return FALSE;
    }
  if (self->n_members > HL_MAX_MEMBERS || self->size > MAX_DIRECTORY)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the zip file has too many members; at most %d are read"), HL_MAX_MEMBERS);
      return FALSE;
    }
  return TRUE;
}
