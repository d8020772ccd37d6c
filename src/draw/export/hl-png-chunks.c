/* SPDX-License-Identifier: MIT */
/* What cairo does not write into a PNG: how large its pixels are, and what the picture is of. */
#include "draw/export/hl-png-chunks.h"

#include <math.h>
#include <string.h>

/* Pixels a metre at scale 1: 96 an inch. */
#define PIXELS_PER_METRE (96 / 0.0254)

/* The signature, and the IHDR chunk with its length, name and checksum. */
#define HEADER_SIZE (8 + 4 + 4 + 13 + 4)

/* ISO 3309, as the PNG specification says in annex D. */
static guint32
get_checksum (const guint8 *data,
              gsize         length)
{
  guint32 sum = 0xFFFFFFFFu;

  for (gsize i = 0; i < length; i++)
    {
      sum ^= data[i];
      for (guint bit = 0; bit < 8; bit++)
        sum = sum & 1 ? sum >> 1 ^ 0xEDB88320u : sum >> 1;
    }
  return ~sum;
}

static void
append_u32 (GByteArray *bytes,
            guint32     number)
{
  const guint32 big_endian = GUINT32_TO_BE (number);

  g_byte_array_append (bytes, (const guint8 *) &big_endian, 4);
}

static void
append_chunk (GByteArray   *chunks,
              const char   *name,
              const guint8 *data,
              gsize         length)
{
  append_u32 (chunks, (guint32) length);
  const gsize begin = chunks->len;
  g_byte_array_append (chunks, (const guint8 *) name, 4);
  g_byte_array_append (chunks, data, (guint) length);
  append_u32 (chunks, get_checksum (chunks->data + begin, chunks->len - begin));
}

/* An iTXt chunk: UTF-8, not compressed, no language. */
static void
append_text (GByteArray *chunks,
             const char *keyword,
             const char *text)
{
  g_autoptr (GByteArray) data = g_byte_array_new ();
  static const guint8 zeros[5] = { 0 };

  g_byte_array_append (data, (const guint8 *) keyword, (guint) strlen (keyword));
  g_byte_array_append (data, zeros, 5);
  g_byte_array_append (data, (const guint8 *) text, (guint) strlen (text));
  append_chunk (chunks, "iTXt", data->data, data->len);
}

/**
 * hl_png_chunks_add:
 * @png: (inout): a PNG file
 * @scale: pixels a logical pixel
 * @title: (nullable): the title of the picture
 * @description: what it shows
 *
 * Says how many pixels make a metre (pHYs), and adds text: Software, Title, Description.
 */
void
hl_png_chunks_add (GByteArray *png,
                   double      scale,
                   const char *title,
                   const char *description)
{
  g_autoptr (GByteArray) chunks = g_byte_array_new ();
  g_autoptr (GByteArray) size = g_byte_array_new ();
  const guint32 density = (guint32) lround (PIXELS_PER_METRE * scale);
  const guint8 metre = 1;

  g_return_if_fail (png->len > HEADER_SIZE);

  append_u32 (size, density);
  append_u32 (size, density);
  g_byte_array_append (size, &metre, 1);
  append_chunk (chunks, "pHYs", size->data, size->len);
  append_text (chunks, "Software", "Headlight");
  if (title != NULL && *title != '\0')
    append_text (chunks, "Title", title);
  append_text (chunks, "Description", description);

  const guint rest = png->len - HEADER_SIZE;
  g_byte_array_set_size (png, png->len + chunks->len);
  memmove (png->data + HEADER_SIZE + chunks->len, png->data + HEADER_SIZE, rest);
  memcpy (png->data + HEADER_SIZE, chunks->data, chunks->len);
}
