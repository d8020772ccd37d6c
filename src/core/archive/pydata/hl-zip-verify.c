/* SPDX-License-Identifier: MIT */
/* Holding the members of a zip file against their checksums. Opening does not: it would read all of the file. */
#include "core/archive/pydata/hl-zip-reader.h"

#include <glib/gi18n-lib.h>
#include <zlib.h>

#include "core/archive/pydata/hl-inflate.h"
#include "core/base/hl-error.h"

#define PIECE ((gsize) 1 << 20)

/* How far it is, over all members. */
typedef struct
{
  HlProgress *progress;
  guint64 n_done;
  guint64 n_bytes;
} Way;

static void
advance (Way    *way,
         guint64 n)
{
  way->n_done += n;
  hl_progress_set (way->progress, way->n_bytes > 0 ? (double) way->n_done / (double) way->n_bytes : 1,
                   _ ("Holding the file against its checksums"));
}

static gboolean
sum_stored (HlSpan       *bytes,
            guint32       crc,
            Way          *way,
            GCancellable *cancellable,
            GError      **error)
{
  const guint64 size = hl_span_get_size (bytes);
  g_autofree guint8 *piece = g_malloc (PIECE);
  gulong sum = crc32_z (0, NULL, 0);

  for (guint64 at = 0; at < size; at += PIECE)
    {
      const gsize n = (gsize) MIN (PIECE, size - at);
      if (g_cancellable_set_error_if_cancelled (cancellable, error) || !hl_span_read (bytes, at, piece, n, error))
        return FALSE;
      sum = crc32_z (sum, piece, n);
      advance (way, n);
    }
  if ((guint32) sum == crc)
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("its checksum is wrong: the bytes are damaged"));
  return FALSE;
}

static gboolean
verify_member (HlZipReader       *self,
               const HlZipMember *member,
               Way               *way,
               GCancellable      *cancellable,
               GError           **error)
{
  g_autoptr (HlSpan) bytes = hl_zip_reader_get_bytes (self, member);

  if (!member->is_packed)
    return sum_stored (bytes, member->crc, way, cancellable, error);
  if (!hl_inflate_verify (bytes, member->size, member->crc, cancellable, error))
    return FALSE;
  advance (way, member->packed_size);
  return TRUE;
}

/* See hl_archive_verify(). PyTorch can be told to write no checksums, which leaves zeros in their place. */
gboolean
hl_zip_reader_verify (HlZipReader  *self,
                      guint        *n_verified,
                      HlProgress   *progress,
                      GCancellable *cancellable,
                      GError      **error)
{
  Way way = { .progress = progress };

  for (guint i = 0; i < self->members->len; i++)
    way.n_bytes += ((const HlZipMember *) self->members->pdata[i])->packed_size;
  for (guint i = 0; i < self->members->len; i++)
    {
      const HlZipMember *member = self->members->pdata[i];
      GError *reason = NULL;

      if (member->crc == 0 && member->size > 0)
        continue;
      if (!verify_member (self, member, &way, cancellable, &reason))
        {
          if (reason->domain == HL_ERROR)
            g_prefix_error (&reason, "“%s”: ", member->name);
          g_propagate_error (error, reason);
          return FALSE;
        }
      (*n_verified)++;
    }
  return TRUE;
}
