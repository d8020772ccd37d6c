/* SPDX-License-Identifier: MIT */
/* Deflated bytes (RFC 1951, without a header, as zip files hold them), unpacked into memory and never further than
 * announced; and a tensor of them: opening a file does not unpack what nobody looks at. */
#include "core/archive/pydata/hl-packed-tensor.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <zlib.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#define PIECE ((gsize) 64 << 10)

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
inflate_all (Inflater     *self,
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
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there is not enough memory to unpack %" PRIu64 " bytes"),
                   n_wanted);
      return NULL;
    }
  if (!fill (self, bytes, n_wanted, &n_filled, &ended, cancellable, error))
    return NULL;
  if (n_filled < n_wanted)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("it unpacks to %zu bytes, but %" PRIu64 " are announced"),
                   n_filled, size);
      return NULL;
    }
  if (n_wanted == size)
    {
      if (!fill (self, &more, 1, &n_more, &ended, cancellable, error))
        return NULL;
      if (n_more > 0)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
                       _ ("it unpacks to more than the %" PRIu64 " bytes that are announced"), size);
          return NULL;
        }
      if ((guint32) crc32_z (crc32_z (0, NULL, 0), bytes, size) != crc)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("its checksum is wrong: the bytes are damaged"));
          return NULL;
        }
    }
  return g_bytes_new_take (g_steal_pointer (&bytes), n_wanted);
}

static gboolean
check_ratio (HlSpan  *packed,
             guint64  size,
             GError **error)
{
  if (size / HL_LIMIT_ZIP_RATIO <= hl_span_get_size (packed))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT,
               _ ("%" PRIu64 " bytes cannot unpack to the %" PRIu64 " that are announced"), hl_span_get_size (packed),
               size);
  return FALSE;
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

  if (!check_ratio (packed, size, error))
    return NULL;
  g_autofree Inflater *self = g_new0 (Inflater, 1);
  self->packed = packed;
  if (inflateInit2 (&self->stream, -MAX_WBITS) != Z_OK)
    g_error ("zlib cannot be started");
  GBytes *bytes = inflate_all (self, size, n_wanted, crc, cancellable, error);
  inflateEnd (&self->stream);
  return bytes;
}

static gboolean
sum_all (Inflater     *self,
         guint64       size,
         guint32       crc,
         GCancellable *cancellable,
         GError      **error)
{
  g_autofree guint8 *bytes = g_malloc (PIECE);
  gboolean ended = FALSE;
  guint64 n = 0;
  gsize n_filled;
  gulong sum = crc32_z (0, NULL, 0);

  while (!ended && n <= size)
    {
      if (!fill (self, bytes, PIECE, &n_filled, &ended, cancellable, error))
        return FALSE;
      sum = crc32_z (sum, bytes, n_filled);
      n += n_filled;
    }
  if (n == size && (guint32) sum == crc)
    return TRUE;
  set_corrupt (error);
  return FALSE;
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

  if (!check_ratio (packed, size, error))
    return FALSE;
  g_autofree Inflater *self = g_new0 (Inflater, 1);
  self->packed = packed;
  if (inflateInit2 (&self->stream, -MAX_WBITS) != Z_OK)
    g_error ("zlib cannot be started");
  const gboolean sound = sum_all (self, size, crc, cancellable, error);
  inflateEnd (&self->stream);
  return sound;
}

struct _HlPackedTensor
{
  HlTensor parent_instance;

  HlSpan *packed;
  guint64 size;
  guint32 crc;
  gint64 strides[HL_LIMIT_RANK];
  gboolean is_strided;
  gboolean swapped;
  guint64 offset;
  GMutex lock;
  HlTensor *unpacked; /* guarded by the lock; once it is there it stays */
};

G_DEFINE_FINAL_TYPE (HlPackedTensor, hl_packed_tensor, HL_TYPE_TENSOR)

static HlTensor *
unpack (HlPackedTensor *self,
        GCancellable   *cancellable,
        GError        **error)
{
  HlTensor *tensor = HL_TENSOR (self);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (self->unpacked == NULL)
    {
      g_autoptr (GBytes) bytes = hl_inflate (self->packed, self->size, self->size, self->crc, cancellable, error);
      if (bytes != NULL)
        self->unpacked = hl_tensor_new_for_bytes (hl_tensor_get_dtype (tensor), hl_tensor_get_shape (tensor),
                                                  self->is_strided ? self->strides : NULL, self->swapped, bytes,
                                                  self->offset, error);
    }
  return self->unpacked;
}

static gboolean
hl_packed_tensor_read_f32 (HlTensor      *tensor,
                           const guint64 *start,
                           const guint64 *count,
                           float         *target,
                           GCancellable  *cancellable,
                           GError       **error)
{
  HlTensor *unpacked = unpack (HL_PACKED_TENSOR (tensor), cancellable, error);

  return unpacked != NULL && hl_tensor_read_f32 (unpacked, start, count, target, cancellable, error);
}

static guint64
hl_packed_tensor_get_stored (HlTensor *tensor)
{
  return hl_span_get_size (HL_PACKED_TENSOR (tensor)->packed);
}

static void
hl_packed_tensor_finalize (GObject *object)
{
  HlPackedTensor *self = HL_PACKED_TENSOR (object);

  g_clear_object (&self->unpacked);
  g_clear_object (&self->packed);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (hl_packed_tensor_parent_class)->finalize (object);
}

static void
hl_packed_tensor_class_init (HlPackedTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_packed_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_packed_tensor_read_f32;
  HL_TENSOR_CLASS (klass)->get_stored = hl_packed_tensor_get_stored;
}

static void
hl_packed_tensor_init (HlPackedTensor *self)
{
  g_mutex_init (&self->lock);
}

/* That the elements lie within the bytes is checked when they are unpacked. */
HlTensor *
hl_packed_tensor_new (HlSpan        *packed,
                      guint64        size,
                      guint32        crc,
                      HlDType        dtype,
                      const HlShape *shape,
                      const gint64  *strides,
                      gboolean       swapped,
                      guint64        offset)
{
  g_return_val_if_fail (HL_IS_SPAN (packed), NULL);
  g_return_val_if_fail (shape->rank <= HL_LIMIT_RANK, NULL);

  HlPackedTensor *self = g_object_new (HL_TYPE_PACKED_TENSOR, NULL);
  hl_tensor_set_layout (HL_TENSOR (self), dtype, shape);
  self->packed = g_object_ref (packed);
  self->size = size;
  self->crc = crc;
  self->is_strided = strides != NULL;
  for (guint i = 0; strides != NULL && i < shape->rank; i++)
    self->strides[i] = strides[i];
  self->swapped = swapped;
  self->offset = offset;
  return HL_TENSOR (self);
}
