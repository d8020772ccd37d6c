/* SPDX-License-Identifier: MIT */
/* Zip files with stored members, as NumPy reads them: PKWARE's APPNOTE 6.3, with its 64-bit
 * extension only where a size or an offset needs it. Times are 1980-01-01, so that the same content
 * gives the same bytes. */
#include "core/archive/pydata/hl-zip-writer.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <zlib.h>

#define LOCAL_HEADER_SIZE 30
#define LOCAL_CRC_OFFSET 14
#define ZIP64_EXTRA 0x0001
#define PADDING_EXTRA 0xd935 /* as Android's zipalign has it: the alignment, then zeros */
#define DOS_DATE 0x0021      /* 1980-01-01 */
#define UTF8_FLAG 0x0800

typedef struct
{
  char *name;
  guint64 offset;
  guint64 size;
  guint32 crc;
} Member;

struct _HlZipWriter
{
  HlTempFile *file;
  guint64 offset;
  GArray *members;
  guint64 n_missing; /* bytes of the last member that have not come yet */
};

static void
clear_member (gpointer data)
{
  g_free (((Member *) data)->name);
}

static void
put (GByteArray *bytes,
     guint64     value,
     guint       size)
{
  const guint64 little = GUINT64_TO_LE (value);

  g_byte_array_append (bytes, (const guint8 *) &little, size);
}

static gboolean
write_out (HlZipWriter *self,
           const void  *bytes,
           gsize        size,
           GError     **error)
{
  self->offset += size;
  return hl_temp_file_write (self->file, bytes, size, error);
}

/**
 * hl_zip_writer_new: (skip)
 * @file: a local file
 * @error: %HL_ERROR_IO or %HL_ERROR_NOT_A_FILE
 *
 * Returns: (transfer full) (nullable): a writer, whose file is there once it is closed
 */
HlZipWriter *
hl_zip_writer_new (GFile   *file,
                   GError **error)
{
  HlTempFile *temp = hl_temp_file_new (file, error);

  if (temp == NULL)
    return NULL;
  HlZipWriter *self = g_new0 (HlZipWriter, 1);
  self->file = temp;
  self->members = g_array_new (FALSE, FALSE, sizeof (Member));
  g_array_set_clear_func (self->members, clear_member);
  return self;
}

/**
 * hl_zip_writer_free: (skip)
 * @self: a writer
 *
 * Forgets about the file, unless it was closed.
 */
void
hl_zip_writer_free (HlZipWriter *self)
{
  hl_temp_file_free (self->file);
  g_array_unref (self->members);
  g_free (self);
}

static gboolean
needs_zip64 (guint64 value)
{
  return value >= G_MAXUINT32;
}

/* What local headers and the central directory have in common, from the version to the length of
 * the name. */
static void
put_common (GByteArray   *bytes,
            const Member *member,
            gboolean      wide)
{
  put (bytes, wide ? 45 : 20, 2);
  put (bytes, UTF8_FLAG, 2);
  put (bytes, 0, 2); /* stored */
  put (bytes, 0, 2);
  put (bytes, DOS_DATE, 2);
  put (bytes, member->crc, 4);
  put (bytes, MIN (member->size, G_MAXUINT32), 4);
  put (bytes, MIN (member->size, G_MAXUINT32), 4);
  put (bytes, strlen (member->name), 2);
}

/**
 * hl_zip_writer_begin_member: (skip)
 * @self: a writer
 * @name: the member's path in UTF-8
 * @size: how many bytes it will have
 * @error: %HL_ERROR_IO, or %HL_ERROR_TOO_LARGE for a name of 65,536 bytes
 *
 * Announces a member, whose bytes follow.
 *
 * Returns: whether they can be written
 */
gboolean
hl_zip_writer_begin_member (HlZipWriter *self,
                            const char  *name,
                            guint64      size,
                            GError     **error)
{
  g_autoptr (GByteArray) header = g_byte_array_new ();
  const gboolean wide = needs_zip64 (size);
  Member member = { .offset = self->offset, .size = size };

  g_return_val_if_fail (self->n_missing == 0, FALSE);

  if (strlen (name) > G_MAXUINT16)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("a name of more than 65,535 bytes does not fit a zip file"));
      return FALSE;
    }
  member.name = g_strdup (name);
  member.crc = (guint32) crc32 (0, NULL, 0);

  const gsize n_wide = wide ? 20 : 0;
  const guint64 unpadded = self->offset + LOCAL_HEADER_SIZE + strlen (name) + n_wide + 6;
  const gsize n_zeros =
    (gsize) ((HL_ZIP_ALIGNMENT - unpadded % HL_ZIP_ALIGNMENT) % HL_ZIP_ALIGNMENT);
  put (header, 0x04034b50, 4);
  put_common (header, &member, wide);
  put (header, n_wide + 6 + n_zeros, 2);
  g_byte_array_append (header, (const guint8 *) name, (guint) strlen (name));
  if (wide)
    {
      put (header, ZIP64_EXTRA, 2);
      put (header, 16, 2);
      put (header, size, 8);
      put (header, size, 8);
    }
  put (header, PADDING_EXTRA, 2);
  put (header, 2 + n_zeros, 2);
  put (header, HL_ZIP_ALIGNMENT, 2);
  for (gsize i = 0; i < n_zeros; i++)
    put (header, 0, 1);

  g_array_append_val (self->members, member);
  self->n_missing = size;
  return write_out (self, header->data, header->len, error);
}

/* The checksum is known only now, but stands before the bytes. */
static gboolean
patch_crc (HlZipWriter *self,
           GError     **error)
{
  const Member *member = &g_array_index (self->members, Member, self->members->len - 1);
  const guint32 little = GUINT32_TO_LE (member->crc);

  return hl_temp_file_seek (self->file, member->offset + LOCAL_CRC_OFFSET, error) &&
         hl_temp_file_write (self->file, &little, sizeof little, error) &&
         hl_temp_file_seek (self->file, self->offset, error);
}

/**
 * hl_zip_writer_write: (skip)
 * @self: a writer with a member begun
 * @bytes: the next of its bytes
 * @size: how many; not more than are missing
 * @error: %HL_ERROR_IO
 *
 * Returns: whether they were written
 */
gboolean
hl_zip_writer_write (HlZipWriter *self,
                     const void  *bytes,
                     gsize        size,
                     GError     **error)
{
  g_return_val_if_fail (size <= self->n_missing, FALSE);

  Member *member = &g_array_index (self->members, Member, self->members->len - 1);
  member->crc = (guint32) crc32_z (member->crc, bytes, size);
  self->n_missing -= size;
  return write_out (self, bytes, size, error) && (self->n_missing > 0 || patch_crc (self, error));
}

static void
put_central_header (GByteArray   *bytes,
                    const Member *member)
{
  const gboolean wide_size = needs_zip64 (member->size);
  const gboolean wide_offset = needs_zip64 (member->offset);
  const guint n_extra = (wide_size ? 16 : 0) + (wide_offset ? 8 : 0);

  put (bytes, 0x02014b50, 4);
  put (bytes, n_extra > 0 ? 45 : 20, 2);
  put_common (bytes, member, n_extra > 0);
  put (bytes, n_extra > 0 ? n_extra + 4 : 0, 2);
  put (bytes, 0, 2); /* comment */
  put (bytes, 0, 2); /* disk */
  put (bytes, 0, 2); /* internal attributes */
  put (bytes, 0, 4); /* external attributes */
  put (bytes, MIN (member->offset, G_MAXUINT32), 4);
  g_byte_array_append (bytes, (const guint8 *) member->name, (guint) strlen (member->name));
  if (n_extra == 0)
    return;
  put (bytes, ZIP64_EXTRA, 2);
  put (bytes, n_extra, 2);
  if (wide_size)
    {
      put (bytes, member->size, 8);
      put (bytes, member->size, 8);
    }
  if (wide_offset)
    put (bytes, member->offset, 8);
}

static void
put_end (GByteArray *bytes,
         guint64     n_members,
         guint64     start,
         guint64     size)
{
  if (n_members >= G_MAXUINT16 || needs_zip64 (start) || needs_zip64 (size))
    {
      put (bytes, 0x06064b50, 4);
      put (bytes, 44, 8);
      put (bytes, 45, 2);
      put (bytes, 45, 2);
      put (bytes, 0, 4);
      put (bytes, 0, 4);
      put (bytes, n_members, 8);
      put (bytes, n_members, 8);
      put (bytes, size, 8);
      put (bytes, start, 8);

      put (bytes, 0x07064b50, 4);
      put (bytes, 0, 4);
      put (bytes, start + size, 8);
      put (bytes, 1, 4);
    }
  put (bytes, 0x06054b50, 4);
  put (bytes, 0, 2);
  put (bytes, 0, 2);
  put (bytes, MIN (n_members, G_MAXUINT16), 2);
  put (bytes, MIN (n_members, G_MAXUINT16), 2);
  put (bytes, MIN (size, G_MAXUINT32), 4);
  put (bytes, MIN (start, G_MAXUINT32), 4);
  put (bytes, 0, 2);
}

/**
 * hl_zip_writer_close: (skip)
 * @self: a writer with every member complete
 * @error: %HL_ERROR_IO
 *
 * Writes the directory and puts the file at its place.
 *
 * Returns: whether the file is there
 */
gboolean
hl_zip_writer_close (HlZipWriter *self,
                     GError     **error)
{
  g_autoptr (GByteArray) directory = g_byte_array_new ();
  const guint64 start = self->offset;

  g_return_val_if_fail (self->n_missing == 0, FALSE);

  for (guint i = 0; i < self->members->len; i++)
    put_central_header (directory, &g_array_index (self->members, Member, i));
  put_end (directory, self->members->len, start, directory->len);
  return write_out (self, directory->data, directory->len, error) &&
         hl_temp_file_commit (self->file, error);
}
