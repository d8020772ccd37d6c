/* SPDX-License-Identifier: MIT */
/* A tensor whose numbers lie in an open file and are read when they are asked for. A mapping would do the same without a copy, but when
 * another program writes the file anew, as happens to dumps, all of it would be lost and not only what is gone; and of numbers that lie
 * apart a single head would have all of the file in memory. */
#include "core/base/tensor/hl-file-tensor.h"

#include <errno.h>
#include <unistd.h>

#include <glib/gi18n-lib.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

/* As much is read at a time: large enough that calls do not count, small enough to stop soon and stay in the cache. */
#define BAND_BYTES ((gsize) 1 << 20)

/* As much of numbers that lie apart, so that several rows of a map are in it. */
#define WINDOW_BYTES ((guint64) 4 << 20)

/* What is not asked for is read all the same if it is no longer than this: a call costs about as much. */
#define GAP_BYTES ((guint64) 8 << 10)

struct _HlFileTensor
{
  HlTensor parent_instance;

  GObject *owner;
  int fd;
  HlFileVersion version;
  guint64 offset;
  gboolean swapped;
  guint64 extent; /* bytes from the first to the last number */
  gboolean is_strided;
  gint64 strides[HL_LIMIT_RANK]; /* bytes, if they lie apart */
};

G_DEFINE_FINAL_TYPE (HlFileTensor, hl_file_tensor, HL_TYPE_TENSOR)

static gboolean
read_bytes (int      fd,
            guint64  offset,
            void    *target,
            gsize    size,
            GError **error)
{
  guint8 *at = target;

  while (size > 0)
    {
      const gssize n = pread (fd, at, size, (off_t) offset);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return hl_error_set_unread (error, errno);
      if (n == 0)
        return hl_error_set_shorter (error);
      at += n;
      offset += (guint64) n;
      size -= (gsize) n;
    }
  return TRUE;
}

/* @n numbers in a row, from element @first on. */
static gboolean
read_run (HlFileTensor *self,
          HlDType       dtype,
          guint64       first,
          guint64       n,
          float        *target,
          GCancellable *cancellable,
          GError      **error)
{
  const gsize size = hl_dtype_get_size (dtype);
  const gboolean direct = dtype == HL_DTYPE_F32 && !self->swapped;
  const guint64 band = BAND_BYTES / size;
  g_autofree guint8 *bytes = direct ? NULL : g_malloc (MIN (n, band) * size);

  for (guint64 done = 0; done < n; done += band)
    {
      const guint64 part = MIN (band, n - done);
      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !read_bytes (self->fd, self->offset + (first + done) * size, direct ? (void *) (target + done) : bytes,
                       part * size, error))
        return FALSE;
      if (!direct)
        hl_dtype_convert_to_f32 (dtype, self->swapped, bytes, size, target + done, part);
    }
  return TRUE;
}

/* Numbers that lie one after the other. */
static gboolean
read_dense (HlFileTensor  *self,
            const guint64 *start,
            const guint64 *count,
            float         *target,
            GCancellable  *cancellable,
            GError       **error)
{
  const HlShape *shape = hl_tensor_get_shape (HL_TENSOR (self));
  const HlDType dtype = hl_tensor_get_dtype (HL_TENSOR (self));
  guint64 index[HL_LIMIT_RANK] = { 0 };
  guint64 run = 1;
  guint outer = shape->rank;

  /* Axes that are read whole lie in one run with the axis before them. */
  while (outer > 0)
    {
      outer--;
      run *= count[outer];
      if (count[outer] != shape->dims[outer])
        break;
    }

  for (;;)
    {
      guint64 first = 0;
      for (guint i = 0; i < shape->rank; i++)
        first = first * shape->dims[i] + start[i] + index[i];
      if (!read_run (self, dtype, first, run, target, cancellable, error))
        return FALSE;
      target += run;
      if (hl_shape_advance (index, NULL, count, outer) < 0)
        return TRUE;
    }
}

/* An axis of the region that is read, with more than one index. */
typedef struct
{
  guint64 n;
  guint64 step; /* bytes in the file */
  gint64 place; /* numbers in the target */
} Axis;

/* A region of numbers that lie apart, in the order in which they lie. */
typedef struct
{
  HlFileTensor *tensor;
  HlDType dtype;
  gsize size; /* of a number */
  Axis axes[HL_LIMIT_RANK];
  guint n_axes;
  guint64 extents[HL_LIMIT_RANK + 1]; /* bytes from the first to the last number, of the axes from each on */
  guint n_apart;                      /* axes whose gaps are not read */
  guint8 *bytes;
  GCancellable *cancellable;
} Region;

static void
place_run (const Region *self,
           const Axis   *run,
           const guint8 *from,
           float        *to)
{
  float numbers[512];

  if (run->place == 1)
    {
      hl_dtype_convert_to_f32 (self->dtype, self->tensor->swapped, from, run->step, to, run->n);
      return;
    }
  for (guint64 done = 0; done < run->n; done += G_N_ELEMENTS (numbers))
    {
      const guint64 n = MIN (G_N_ELEMENTS (numbers), run->n - done);
      hl_dtype_convert_to_f32 (self->dtype, self->tensor->swapped, from + done * run->step, run->step, numbers, n);
      for (guint64 i = 0; i < n; i++)
        to[(gint64) (done + i) * run->place] = numbers[i];
    }
}

/* Puts what was read where it belongs: @n indices of an axis and all of those within it. */
static void
place (const Region *self,
       guint         level,
       guint64       n,
       float        *target)
{
  guint64 index[HL_LIMIT_RANK] = { 0 }, counts[HL_LIMIT_RANK];
  Axis axes[HL_LIMIT_RANK];
  Axis run = { 1, self->size, 1 };
  guint n_axes = 0;

  /* Along the rows of the target if several of their numbers are there, else as they lie. */
  for (guint i = level; i < self->n_axes; i++)
    {
      Axis axis = self->axes[i];
      if (i == level)
        axis.n = n;
      if (run.n > 1 && run.place == 1)
        {
          counts[n_axes] = axis.n;
          axes[n_axes++] = axis;
          continue;
        }
      if (run.n > 1)
        {
          counts[n_axes] = run.n;
          axes[n_axes++] = run;
        }
      run = axis;
    }
  for (;;)
    {
      const guint8 *from = self->bytes;
      float *to = target;
      for (guint i = 0; i < n_axes; i++)
        {
          from += index[i] * axes[i].step;
          to += (gint64) index[i] * axes[i].place;
        }
      place_run (self, &run, from, to);
      if (hl_shape_advance (index, NULL, counts, n_axes) < 0)
        return;
    }
}

static gboolean
read_window (const Region *self,
             guint         level,
             guint64       n,
             guint64       offset,
             float        *target,
             GError      **error)
{
  const guint64 size = level < self->n_axes ? (n - 1) * self->axes[level].step + self->extents[level + 1] : self->size;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, error) ||
      !read_bytes (self->tensor->fd, offset, self->bytes, size, error))
    return FALSE;
  place (self, level, n, target);
  return TRUE;
}

/* The axes from @level on, as many indices at a time as fit into a window. */
static gboolean
read_axes (const Region *self,
           guint         level,
           guint64       offset,
           float        *target,
           GError      **error)
{
  if (level == self->n_axes)
    return read_window (self, level, 1, offset, target, error);

  const Axis *axis = &self->axes[level];
  const gboolean fits = level >= self->n_apart && self->extents[level + 1] <= WINDOW_BYTES;
  const guint64 n_most = !fits             ? 1
                         : axis->step == 0 ? axis->n
                                           : (WINDOW_BYTES - self->extents[level + 1]) / axis->step + 1;
  for (guint64 i = 0; i < axis->n; i += n_most)
    {
      const guint64 from = offset + i * axis->step;
      float *to = target + (gint64) i * axis->place;
      if (!(fits ? read_window (self, level, MIN (n_most, axis->n - i), from, to, error)
                 : read_axes (self, level + 1, from, to, error)))
        return FALSE;
    }
  return TRUE;
}

/* The axes by how far apart their indices lie, the farthest first. */
static void
add_axis (Region *self,
          Axis    axis)
{
  guint at = self->n_axes++;

  for (; at > 0 && self->axes[at - 1].step < axis.step; at--)
    self->axes[at] = self->axes[at - 1];
  self->axes[at] = axis;
}

/* Numbers that lie apart, such as those of an array in Fortran order. They are read in the order in which they lie. */
static gboolean
read_apart (HlFileTensor  *self,
            const guint64 *start,
            const guint64 *count,
            float         *target,
            GCancellable  *cancellable,
            GError       **error)
{
  const HlShape *shape = hl_tensor_get_shape (HL_TENSOR (self));
  const HlDType dtype = hl_tensor_get_dtype (HL_TENSOR (self));
  Region region = { .tensor = self, .dtype = dtype, .size = hl_dtype_get_size (dtype), .cancellable = cancellable };
  guint64 offset = self->offset;
  gint64 step = 1;

  for (guint i = shape->rank; i-- > 0;)
    {
      const gint64 stride = self->strides[i];
      offset += (guint64) ((gint64) start[i] * stride);
      if (count[i] > 1 && stride >= 0)
        add_axis (&region, (Axis){ count[i], (guint64) stride, step });
      if (count[i] > 1 && stride < 0)
        {
          const gint64 last = (gint64) count[i] - 1;
          offset += (guint64) (last * stride);
          target += last * step;
          add_axis (&region, (Axis){ count[i], (guint64) -stride, -step });
        }
      step *= (gint64) count[i];
    }

  region.extents[region.n_axes] = region.size;
  region.n_apart = region.n_axes;
  for (guint i = region.n_axes; i-- > 0;)
    {
      const Axis *axis = &region.axes[i];
      if (region.n_apart == i + 1 && axis->step <= region.extents[i + 1] + GAP_BYTES)
        region.n_apart = i;
      region.extents[i] = region.extents[i + 1] + (axis->n - 1) * axis->step;
    }
  g_autofree guint8 *bytes = g_malloc (MIN (region.extents[region.n_apart], WINDOW_BYTES));
  region.bytes = bytes;
  return read_axes (&region, 0, offset, target, error);
}

static gboolean
hl_file_tensor_read_f32 (HlTensor      *tensor,
                         const guint64 *start,
                         const guint64 *count,
                         float         *target,
                         GCancellable  *cancellable,
                         GError       **error)
{
  HlFileTensor *self = HL_FILE_TENSOR (tensor);

  for (guint i = 0; i < hl_tensor_get_shape (tensor)->rank; i++)
    if (count[i] == 0)
      return TRUE;
  return (self->is_strided ? read_apart : read_dense) (self, start, count, target, cancellable, error) &&
         hl_file_version_check (&self->version, self->fd, error);
}

static guint64
hl_file_tensor_get_stored (HlTensor *tensor)
{
  return HL_FILE_TENSOR (tensor)->extent;
}

static gboolean
hl_file_tensor_lies_apart (HlTensor *tensor)
{
  return HL_FILE_TENSOR (tensor)->is_strided;
}

static guint64
hl_file_tensor_get_unpacked (HlTensor      *tensor,
                             const guint64 *count,
                             gboolean      *stays)
{
  return 0;
}

static void
hl_file_tensor_finalize (GObject *object)
{
  g_clear_object (&HL_FILE_TENSOR (object)->owner);
  G_OBJECT_CLASS (hl_file_tensor_parent_class)->finalize (object);
}

static void
hl_file_tensor_class_init (HlFileTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_file_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_file_tensor_read_f32;
  HL_TENSOR_CLASS (klass)->get_stored = hl_file_tensor_get_stored;
  HL_TENSOR_CLASS (klass)->lies_apart = hl_file_tensor_lies_apart;
  HL_TENSOR_CLASS (klass)->get_unpacked = hl_file_tensor_get_unpacked;
}

static void
hl_file_tensor_init (HlFileTensor *self)
{
}

/* Makes a tensor over a part of a file; without @strides its numbers lie one after the other. That the file is long enough is checked here,
 * and that it is what it was each time it is read. */
HlTensor *
hl_file_tensor_new (HlDType              dtype,
                    const HlShape       *shape,
                    const gint64        *strides,
                    gboolean             swapped,
                    GObject             *owner,
                    int                  fd,
                    const HlFileVersion *version,
                    guint64              offset,
                    GError             **error)
{
  guint64 n_bytes;
  gint64 low, high;

  g_return_val_if_fail (shape->rank <= HL_LIMIT_RANK, NULL);
  g_return_val_if_fail (G_IS_OBJECT (owner), NULL);

  if (!hl_shape_check_n_bytes (shape, hl_dtype_get_size (dtype), &n_bytes, error))
    return NULL;
  if (!hl_shape_get_extent (shape, strides, hl_dtype_get_size (dtype), &low, &high) || offset > version->size ||
      (guint64) -low > offset || (guint64) high > version->size - offset)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED,
                   _ ("a tensor of %s elements of %s reaches past the end of the file"), sizes,
                   hl_dtype_get_name (dtype));
      return NULL;
    }

  HlFileTensor *self = g_object_new (HL_TYPE_FILE_TENSOR, NULL);
  hl_tensor_set_layout (HL_TENSOR (self), dtype, shape);
  self->owner = g_object_ref (owner);
  self->fd = fd;
  self->version = *version;
  self->offset = offset;
  self->swapped = swapped;
  self->extent = (guint64) (high - low);
  self->is_strided = !hl_shape_is_dense (shape, strides, hl_dtype_get_size (dtype));
  for (guint i = 0; self->is_strided && i < shape->rank; i++)
    self->strides[i] = strides[i];
  return HL_TENSOR (self);
}
