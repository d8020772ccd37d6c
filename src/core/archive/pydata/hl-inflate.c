/* SPDX-License-Identifier: MIT */
/* Deflated bytes (RFC 1951, without a header, as zip files hold them), unpacked into memory or into a file, and never further than
 * announced. */
#include "core/archive/pydata/hl-inflate.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <zlib.h>

#include "core/base/file/hl-scratch-file.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#define PIECE ((gsize) 64 << 10)

/* Stays in the cache from one use to the next. */
#define OUT_PIECE ((gsize) 256 << 10)

typedef struct
{
  z_stream stream;
  HlSpan *packed;
  guint64 n_taken; /* bytes of @packed given to zlib */
  gboolean ended;  /* the stream came to its end */
  guint8 piece[PIECE];
} Inflater;

static void
set_corrupt (GError **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("its packed bytes are damaged"));
}

/* Fills @target as far as there is anything. */
static gboolean
fill (Inflater     *self,
      guint8       *target,
      gsize         size,
      gsize        *n_filled,
      GCancellable *cancellable,
      GError      **error)
{
  *n_filled = 0;
  while (*n_filled < size && !self->ended)
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
      self->ended = status == Z_STREAM_END;
      /* No progress means that the packed bytes have come to their end before the stream has. */
      if (status != Z_OK && status != Z_STREAM_END)
        {
          set_corrupt (error);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
check_length (guint64  n_filled,
              guint64  size,
              GError **error)
{
  if (n_filled == size)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("it unpacks to %zu bytes, but %" PRIu64 " are announced"),
               (gsize) n_filled, size);
  return FALSE;
}

/* After the last byte: nothing may follow, and the checksum has to be right. */
static gboolean
check_end (Inflater     *self,
           guint64       size,
           gulong        sum,
           guint32       crc,
           GCancellable *cancellable,
           GError      **error)
{
  guint8 more;
  gsize n_more;

  if (!fill (self, &more, 1, &n_more, cancellable, error))
    return FALSE;
  if (n_more > 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                   _ ("it unpacks to more than the %" PRIu64 " bytes that are announced"), size);
      return FALSE;
    }
  if ((guint32) sum == crc)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("its checksum is wrong: the bytes are damaged"));
  return FALSE;
}

/* The first bytes of the stream, or all of them and then nothing may follow. */
static GBytes *
inflate_to_memory (Inflater     *self,
                   guint64       size,
                   guint64       n_wanted,
                   guint32       crc,
                   GCancellable *cancellable,
                   GError      **error)
{
  g_autofree guint8 *bytes = g_try_malloc (MAX (n_wanted, 1));
  gsize n_filled;

  if (bytes == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory to unpack %" PRIu64 " bytes"),
                   n_wanted);
      return NULL;
    }
  if (!fill (self, bytes, n_wanted, &n_filled, cancellable, error))
    return NULL;
  if (n_filled < n_wanted && !check_length (n_filled, size, error))
    return NULL;
  if (n_wanted == size && !check_end (self, size, crc32_z (crc32_z (0, NULL, 0), bytes, size), crc, cancellable, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&bytes), n_wanted);
}

/* As many as are announced, or fewer where there are no more, piece by piece: into a part of a file, or with -1 into none. Tells how many
 * there were, and their checksum. */
static gboolean
inflate_pieces (Inflater     *self,
                guint64       size,
                int           fd,
                guint64       place,
                guint64      *n,
                gulong       *sum,
                GCancellable *cancellable,
                GError      **error)
{
  g_autofree guint8 *bytes = g_malloc (OUT_PIECE);
  gsize n_filled;

  *n = 0;
  *sum = crc32_z (0, NULL, 0);
  while (*n < size && !self->ended)
    {
      if (!fill (self, bytes, (gsize) MIN (OUT_PIECE, size - *n), &n_filled, cancellable, error) ||
          (fd >= 0 && !hl_scratch_file_write (fd, place + *n, bytes, n_filled, error)))
        return FALSE;
      *sum = crc32_z (*sum, bytes, n_filled);
      *n += n_filled;
    }
  return TRUE;
}

static void
inflater_free (Inflater *self)
{
  inflateEnd (&self->stream);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Inflater, inflater_free)

static Inflater *
inflater_new (HlSpan  *packed,
              guint64  size,
              GError **error)
{
  if (size / HL_LIMIT_ZIP_RATIO > hl_span_get_size (packed))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                   _ ("%" PRIu64 " bytes cannot unpack to the %" PRIu64 " that are announced"),
                   hl_span_get_size (packed), size);
      return NULL;
    }
  Inflater *self = g_new0 (Inflater, 1);
  self->packed = packed;
  if (inflateInit2 (&self->stream, -MAX_WBITS) != Z_OK)
    g_error ("zlib cannot be started");
  return self;
}

/* The first @n_wanted of the @size bytes that are announced; that so many may be, the caller has checked. The checksum is
 * looked at when all are wanted. */
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

  g_autoptr (Inflater) self = inflater_new (packed, size, error);
  return self != NULL ? inflate_to_memory (self, size, n_wanted, crc, cancellable, error) : NULL;
}

/* All of them into a part of a file where nothing but the same was written, see hl_scratch_file_write(). */
gboolean
hl_inflate_to_file (HlSpan       *packed,
                    guint64       size,
                    guint32       crc,
                    int           fd,
                    guint64       place,
                    GCancellable *cancellable,
                    GError      **error)
{
  g_return_val_if_fail (HL_IS_SPAN (packed), FALSE);
  g_return_val_if_fail (fd >= 0, FALSE);

  g_autoptr (Inflater) self = inflater_new (packed, size, error);
  guint64 n;
  gulong sum;

  return self != NULL && inflate_pieces (self, size, fd, place, &n, &sum, cancellable, error) &&
         check_length (n, size, error) && check_end (self, size, sum, crc, cancellable, error);
}

/* Whether they unpack to what was packed; none of it is kept. */
gboolean
hl_inflate_verify (HlSpan       *packed,
                   guint64       size,
                   guint32       crc,
                   GCancellable *cancellable,
                   GError      **error)
{
  g_return_val_if_fail (HL_IS_SPAN (packed), FALSE);

  g_autoptr (Inflater) self = inflater_new (packed, size, error);
  guint64 n;
  gulong sum;
  guint8 more;
  gsize n_more;

  if (self == NULL || !inflate_pieces (self, size, -1, 0, &n, &sum, cancellable, error) ||
      !fill (self, &more, 1, &n_more, cancellable, error))
    return FALSE;
  if (n == size && n_more == 0 && (guint32) sum == crc)
    return TRUE;
  set_corrupt (error);
  return FALSE;
}
