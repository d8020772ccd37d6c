/* SPDX-License-Identifier: MIT */
/* Deflated bytes (RFC 1951, without a header, as zip files hold them), unpacked into memory and never further than
 * announced. */
#include "core/archive/hl-inflate.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <zlib.h>

#include "core/base/hl-error.h"

#define PIECE ((gsize) 64 << 10)

/* Deflate cannot pack better than this (zlib's technical details); more is a lie that would only cost memory. */
#define MAX_RATIO 1032

typedef struct
{
  z_stream stream;
  HlSpan *packed;
  guint64 n_taken; /* bytes of @packed given to zlib */
  guint8 piece[PIECE];
} Inflater;

static void
set_corrupt (GError **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("its packed bytes are damaged"));
}

/* Fills @target as far as there is anything; whether the stream came to its end is in @ended. */
static gboolean
fill (Inflater     *self,
      guint8       *target,
      gsize         size,
      gsize        *n_filled,
      gboolean     *ended,
      GCancellable *cancellable,
      GError      **error)
{
  *n_filled = 0;
  while (*n_filled < size && !*ended)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (self->stream.avail_in == 0)
        {
          const gsize n = (gsize) MIN (PIECE, hl_span_get_size (self->packed) - self->n_taken);
          if (!hl_span_read (self->packed, self->n_taken, self->piece, n, error))
            return FALSE;
          self->n_taken += n;
          self->stream.next_in = self->piece;
          self->stream.avail_in = (uInt) n;
        }
      const gsize room = MIN (size - *n_filled, (gsize) 1 << 20);
      self->stream.next_out = target + *n_filled;
      self->stream.avail_out = (uInt) room;
      const int status = inflate (&self->stream, Z_NO_FLUSH);
      *n_filled += room - self->stream.avail_out;
      *ended = status == Z_STREAM_END;
      /* No progress means that the packed bytes have come to their end before the stream has. */
      if (status != Z_OK && status != Z_STREAM_END)
        {
          set_corrupt (error);
          return FALSE;
        }
    }
  return TRUE;
}

/* The first bytes of the stream, or all of them and then nothing may follow. */
static GBytes *
unpack (Inflater     *self,
        guint64       size,
        guint64       n_wanted,
        guint32       crc,
        GCancellable *cancellable,
        GError      **error)
{
  g_autofree guint8 *bytes = g_try_malloc (MAX (n_wanted, 1));
  gboolean ended = FALSE;
  guint8 more;
  gsize n_filled, n_more;

  if (bytes == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("there is not enough memory to unpack %" PRIu64 " bytes"), n_wanted);
      return NULL;
    }
  if (!fill (self, bytes, n_wanted, &n_filled, &ended, cancellable, error))
    return NULL;
  if (n_filled < n_wanted)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                   _ ("it unpacks to %zu bytes, but %" PRIu64 " are announced"), n_filled, size);
      return NULL;
    }
  if (n_wanted == size)
    {
      if (!fill (self, &more, 1, &n_more, &ended, cancellable, error))
        return NULL;
      if (n_more > 0)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                       _ ("it unpacks to more than the %" PRIu64 " bytes that are announced"),
                       size);
          return NULL;
        }
      if ((guint32) crc32_z (crc32_z (0, NULL, 0), bytes, size) != crc)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                       _ ("its checksum is wrong: the bytes are damaged"));
          return NULL;
        }
    }
  return g_bytes_new_take (g_steal_pointer (&bytes), n_wanted);
}

/**
 * hl_inflate:
 * @packed: deflated bytes
 * @size: how many bytes they are said to unpack to; the caller has checked that so many may be
 * @n_wanted: how many of those are wanted, from the first on
 * @crc: their checksum, looked at when all are wanted
 * @cancellable: (nullable): stops it
 * @error: %HL_ERROR_CORRUPT, %HL_ERROR_TOO_LARGE, %HL_ERROR_IO
 *
 * Returns: (transfer full) (nullable): @n_wanted bytes
 */
GBytes *
hl_inflate (HlSpan       *packed,
            guint64       size,
            guint64       n_wanted,
            guint32       crc,
            GCancellable *cancellable,
            GError      **error)
{
  g_return_val_if_fail (HL_IS_SPAN (packed), NULL);
  g_return_val_if_fail (n_wanted <= size, NULL);

  if (size / MAX_RATIO > hl_span_get_size (packed))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                   _ ("%" PRIu64 " bytes cannot unpack to the %" PRIu64 " that are announced"),
                   hl_span_get_size (packed), size);
      return NULL;
    }
  g_autofree Inflater *self = g_new0 (Inflater, 1);
  self->packed = packed;
  if (inflateInit2 (&self->stream, -MAX_WBITS) != Z_OK)
    g_error ("zlib cannot be started");
  GBytes *bytes = unpack (self, size, n_wanted, crc, cancellable, error);
  inflateEnd (&self->stream);
  return bytes;
}
