/* SPDX-License-Identifier: MIT */
/* How a camera was held that wrote a PNG or WebP file, by the EXIF that is in it. gdk-pixbuf tells it of JPEG alone. */
#include "core/document/picture/hl-image-orientation.h"

#include <string.h>

#define SIGNATURE_BYTES 8
/* The length and the name before what is in a chunk of PNG, the sum behind it. */
#define PNG_CHUNK_BYTES 8
#define PNG_SUM_BYTES 4
/* "RIFF", a length and "WEBP"; then chunks, of an even length each. */
#define WEBP_HEADER_BYTES 12
#define WEBP_CHUNK_BYTES 8

#define TIFF_HEADER_BYTES 8
#define ENTRY_BYTES 12
#define TAG_ORIENTATION 0x0112
#define TYPE_SHORT 3

static guint
read_16 (const guint8 *data,
         gboolean      is_big)
{
  return is_big ? (guint) data[0] << 8 | data[1] : (guint) data[1] << 8 | data[0];
}

static guint32
read_32 (const guint8 *data,
         gboolean      is_big)
{
  const guint32 first = read_16 (data, is_big), second = read_16 (data + 2, is_big);

  return is_big ? first << 16 | second : second << 16 | first;
}

/* EXIF is a TIFF file whose first directory is of the image; some write before it what stands before it in JPEG. */
static guint
find_in_exif (const guint8 *data,
              gsize         size)
{
  if (size >= 6 && memcmp (data, "Exif\0\0", 6) == 0)
    {
      data += 6;
      size -= 6;
    }
  if (size < TIFF_HEADER_BYTES || (memcmp (data, "MM\0*", 4) != 0 && memcmp (data, "II*\0", 4) != 0))
    return 0;
  const gboolean is_big = data[0] == 'M';
  const gsize at = read_32 (data + 4, is_big);
  if (at > size - 2)
    return 0;
  const gsize n_entries = MIN (read_16 (data + at, is_big), (size - at - 2) / ENTRY_BYTES);
  for (gsize i = 0; i < n_entries; i++)
    {
      const guint8 *entry = data + at + 2 + i * ENTRY_BYTES;
      if (read_16 (entry, is_big) == TAG_ORIENTATION && read_16 (entry + 2, is_big) == TYPE_SHORT &&
          read_32 (entry + 4, is_big) == 1)
        return read_16 (entry + 8, is_big);
    }
  return 0;
}

static guint
find_in_png (const guint8 *data,
             gsize         size)
{
  for (gsize at = SIGNATURE_BYTES; at < size && size - at >= PNG_CHUNK_BYTES;)
    {
      const gsize length = read_32 (data + at, TRUE);
      const guint8 *content = data + at + PNG_CHUNK_BYTES;
      if (length > size - at - PNG_CHUNK_BYTES || memcmp (data + at + 4, "IEND", 4) == 0)
        return 0;
      if (memcmp (data + at + 4, "eXIf", 4) == 0)
        return find_in_exif (content, length);
      at += PNG_CHUNK_BYTES + length + PNG_SUM_BYTES;
    }
  return 0;
}

static guint
find_in_webp (const guint8 *data,
              gsize         size)
{
  for (gsize at = WEBP_HEADER_BYTES; at < size && size - at >= WEBP_CHUNK_BYTES;)
    {
      const gsize length = read_32 (data + at + 4, FALSE);
      const guint8 *content = data + at + WEBP_CHUNK_BYTES;
      if (length > size - at - WEBP_CHUNK_BYTES)
        return 0;
      if (memcmp (data + at, "EXIF", 4) == 0)
        return find_in_exif (content, length);
      at += WEBP_CHUNK_BYTES + length + length % 2;
    }
  return 0;
}

/**
 * hl_image_orientation_find:
 * @data: (array length=size): the bytes of an image
 * @size: how many
 *
 * Reads the orientation of EXIF in a PNG or WebP file: 1 for an image that is upright, 6 for one that is to be turned by 90° clockwise, and
 * so on. What is wrong with EXIF is no matter: the image is seen without.
 *
 * Returns: from 1 to 8; 0 where it is not told, and of other files
 */
guint
hl_image_orientation_find (const guint8 *data,
                           gsize         size)
{
  guint orientation = 0;

  g_return_val_if_fail (data != NULL || size == 0, 0);

  if (size >= SIGNATURE_BYTES && memcmp (data, "\x89PNG\r\n\x1a\n", SIGNATURE_BYTES) == 0)
    orientation = find_in_png (data, size);
  else if (size >= WEBP_HEADER_BYTES && memcmp (data, "RIFF", 4) == 0 && memcmp (data + 8, "WEBP", 4) == 0)
    orientation = find_in_webp (data, size);
  return orientation <= 8 ? orientation : 0;
}
