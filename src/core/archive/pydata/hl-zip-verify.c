/* SPDX-License-Identifier: MIT */
/* Holding the members of a zip file against their checksums. Opening does not: it would read all of the file. All processors do it: one
 * would take seconds for a gigabyte. */
#include "core/archive/pydata/hl-zip-reader.h"

#include <glib/gi18n-lib.h>
#include <zlib.h>

#include "core/archive/pydata/hl-inflate.h"
#include "core/base/hl-error.h"
#include "core/base/hl-fork.h"

#define PIECE ((gsize) 256 << 10)

/* Of a stored member: checksums of parts make that of the whole. */
#define SHARE ((guint64) 8 << 20)

/* A packed member, or a part of a stored one, which one thread reads. */
typedef struct
{
  const HlZipMember *member;
  guint64 offset; /* in its bytes in the file */
  guint64 size;
  guint32 sum; /* of a stored one */
  GError *error;
} Share;

/* How far it is, over all members. */
typedef struct
{
  HlZipReader *zip;
  GArray *shares; /* of Share, in the order of the file */
  int end;        /* the first that is wrong, behind which nothing need be looked at */
  HlProgress *progress;
  GCancellable *cancellable;
  GMutex lock; /* guards what follows */
  guint64 n_done;
  guint64 n_bytes;
} Way;

static void
clear_share (gpointer data)
{
  g_clear_error (&((Share *) data)->error);
}

static void
advance (Way    *way,
         guint64 n)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&way->lock);

  way->n_done += n;
  hl_progress_set (way->progress, way->n_bytes > 0 ? (double) way->n_done / (double) way->n_bytes : 1,
                   _ ("Holding the file against its checksums"));
}

static gboolean
set_damaged (GError **error)
{
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("its checksum is wrong: the bytes are damaged"));
  return FALSE;
}

/* PyTorch can be told to write no checksums, which leaves zeros in their place. */
static gboolean
has_sum (const HlZipMember *member)
{
  return member->crc != 0 || member->size == 0;
}

static void
divide (Way *way)
{
  const GPtrArray *members = way->zip->members;

  for (guint i = 0; i < members->len; i++)
    {
      const HlZipMember *member = members->pdata[i];
      Share share = { .member = member };

      if (!has_sum (member))
        continue;
      way->n_bytes += member->packed_size;
      do
        {
          const guint64 left = member->packed_size - share.offset;
          share.size = member->is_packed ? left : MIN (left, SHARE);
          g_array_append_val (way->shares, share);
          share.offset += share.size;
        }
      while (share.offset < member->packed_size);
    }
}

static gboolean
sum_stored (Share        *share,
            HlSpan       *bytes,
            GCancellable *cancellable,
            GError      **error)
{
  g_autofree guint8 *piece = g_malloc (MAX (MIN (PIECE, share->size), 1));
  gulong sum = crc32_z (0, NULL, 0);

  for (guint64 at = 0; at < share->size; at += PIECE)
    {
      const gsize n = (gsize) MIN (PIECE, share->size - at);
      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !hl_span_read (bytes, share->offset + at, piece, n, error))
        return FALSE;
      sum = crc32_z (sum, piece, n);
    }
  share->sum = (guint32) sum;
  return TRUE;
}

static void
read_share (Way *way,
            int  index)
{
  Share *share = &g_array_index (way->shares, Share, index);
  const HlZipMember *member = share->member;
  g_autoptr (HlSpan) bytes = hl_zip_reader_get_bytes (way->zip, member);

  if (member->is_packed ? hl_inflate_verify (bytes, member->size, member->crc, way->cancellable, &share->error)
                        : sum_stored (share, bytes, way->cancellable, &share->error))
    {
      advance (way, share->size);
      return;
    }
  for (int end = g_atomic_int_get (&way->end);
       index < end && !g_atomic_int_compare_and_exchange (&way->end, end, index); end = g_atomic_int_get (&way->end))
    ;
}

/* The shares of a member from @first on. */
static gboolean
check_member (const Way *way,
              guint     *first,
              GError   **error)
{
  const Share *share = &g_array_index (way->shares, Share, *first);
  const HlZipMember *member = share->member;
  gulong sum = crc32_z (0, NULL, 0);

  for (; *first < way->shares->len; (*first)++)
    {
      Share *next = &g_array_index (way->shares, Share, *first);
      if (next->member != member)
        break;
      if (next->error != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&next->error));
          return FALSE;
        }
      sum = crc32_combine (sum, next->sum, (z_off_t) next->size);
    }
  return member->is_packed || (guint32) sum == member->crc || set_damaged (error);
}

/* See hl_archive_verify(). */
gboolean
hl_zip_reader_verify (HlZipReader  *self,
                      guint        *n_verified,
                      HlProgress   *progress,
                      GCancellable *cancellable,
                      GError      **error)
{
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (Share));
  Way way = { .zip = self, .shares = shares, .progress = progress, .cancellable = cancellable };

  g_array_set_clear_func (shares, clear_share);
  g_mutex_init (&way.lock);
  divide (&way);
  way.end = (int) shares->len;
  hl_fork_mind ();
#pragma omp parallel for schedule(dynamic, 1) if (shares->len > 1)
  for (int i = 0; i < (int) shares->len; i++)
    if (i < g_atomic_int_get (&way.end))
      read_share (&way, i);
  g_mutex_clear (&way.lock);

  for (guint i = 0; i < shares->len;)
    {
      const HlZipMember *member = g_array_index (shares, Share, i).member;
      GError *reason = NULL;

      if (!check_member (&way, &i, &reason))
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
