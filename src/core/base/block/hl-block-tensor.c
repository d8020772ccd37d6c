/* SPDX-License-Identifier: MIT */
/* Quantised numbers in a mapped file. */
#include "core/base/block/hl-block-tensor.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/block/hl-block.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

/* A block of any type. */
#define MAX_BLOCK_BYTES 256

struct _HlBlockTensor
{
  HlTensor parent_instance;

  const HlBlockType *type;
  HlMappedFile *file;
  const guint8 *first;
  gboolean swapped;
};

G_DEFINE_FINAL_TYPE (HlBlockTensor, hl_block_tensor, HL_TYPE_TENSOR)

/* Returns the bytes of a tensor of any type; whether its rows are whole blocks and the bytes can be counted. */
gboolean
hl_block_shape_get_n_bytes (HlDType        dtype,
                            const HlShape *shape,
                            guint64       *n_bytes)
{
  const gsize block = hl_dtype_get_block (dtype);
  guint64 n_elements;

  return hl_shape_get_n_elements (shape, &n_elements) &&
         (block == 1 || (shape->rank > 0 && shape->dims[shape->rank - 1] % block == 0)) &&
         g_uint64_checked_mul (n_bytes, n_elements / block, hl_dtype_get_size (dtype));
}

/* One block, of this machine's byte order. */
static const guint8 *
get_block (HlBlockTensor *self,
           guint64        index,
           guint8        *room)
{
  const gsize size = hl_dtype_get_size (self->type->dtype);
  const guint8 *block = self->first + index * size;

  if (!self->swapped)
    return block;
  memcpy (room, block, size);
  for (int i = 0; i < self->type->words; i++)
    {
      guint8 *word = room + self->type->offsets[i];
      const guint8 first = word[0];

      word[0] = word[1];
      word[1] = first;
    }
  if (self->type->wide > 0)
    {
      guint32 number;

      memcpy (&number, room + self->type->wide, sizeof number);
      number = GUINT32_SWAP_LE_BE (number);
      memcpy (room + self->type->wide, &number, sizeof number);
    }
  return room;
}

/* Some neighbours of a row, which may begin and end within a block. */
static void
read_run (HlBlockTensor *self,
          guint64        first,
          guint64        n,
          float         *target)
{
  const gsize block = hl_dtype_get_block (self->type->dtype);
  const guint64 end = first + n;
  float numbers[HL_DTYPE_MAX_BLOCK];
  guint8 room[MAX_BLOCK_BYTES];

  while (first < end)
    {
      const guint64 index = first / block, skip = first % block;
      const guint64 n_here = MIN (end - first, block - skip);

      if (!self->swapped && skip == 0 && n_here == block)
        {
          const guint64 n_whole = (end - first) / block;

          self->type->widen (get_block (self, index, room), n_whole, target);
          first += n_whole * block;
          target += n_whole * block;
          continue;
        }
      self->type->widen (get_block (self, index, room), 1, numbers);
      memcpy (target, numbers + skip, n_here * sizeof *numbers);
      first += n_here;
      target += n_here;
    }
}

static gboolean
hl_block_tensor_read_f32 (HlTensor      *tensor,
                          const guint64 *start,
                          const guint64 *count,
                          float         *target,
                          GCancellable  *cancellable,
                          GError       **error)
{
  HlBlockTensor *self = HL_BLOCK_TENSOR (tensor);
  const HlShape *shape = hl_tensor_get_shape (tensor);
  const guint rank = shape->rank;
  guint64 index[HL_LIMIT_RANK] = { 0 };

  for (guint i = 0; i < rank; i++)
    if (count[i] == 0)
      return TRUE;
  for (;;)
    {
      guint64 first = 0;

      for (guint i = 0; i < rank; i++)
        first = first * shape->dims[i] + start[i] + index[i];
      read_run (self, first, count[rank - 1], target);
      target += count[rank - 1];

      /* All axes but the last, which was one run. */
      const int axis = hl_shape_advance (index, NULL, count, rank - 1);
      if (axis < 0)
        return hl_mapped_file_check (self->file, error);
      if (axis == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
}

static const void *
hl_block_tensor_get_data (HlTensor *tensor)
{
  HlBlockTensor *self = HL_BLOCK_TENSOR (tensor);

  return self->swapped ? NULL : self->first;
}

static void
hl_block_tensor_finalize (GObject *object)
{
  HlBlockTensor *self = HL_BLOCK_TENSOR (object);

  g_clear_pointer (&self->file, hl_mapped_file_unref);
  G_OBJECT_CLASS (hl_block_tensor_parent_class)->finalize (object);
}

static void
hl_block_tensor_class_init (HlBlockTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_block_tensor_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = hl_block_tensor_read_f32;
  HL_TENSOR_CLASS (klass)->get_data = hl_block_tensor_get_data;
}

static void
hl_block_tensor_init (HlBlockTensor *self)
{
}

/* Makes a tensor over blocks in a file, whose rows are whole blocks. That all of them lie within the file is checked here, once. */
HlTensor *
hl_block_tensor_new (HlDType        dtype,
                     const HlShape *shape,
                     gboolean       swapped,
                     HlMappedFile  *file,
                     guint64        offset,
                     GError       **error)
{
  const HlBlockType *type = hl_block_type_get (dtype);
  const gsize available = hl_mapped_file_get_size (file);
  guint64 n_bytes;

  g_return_val_if_fail (type != NULL, NULL);

  if (!hl_block_shape_get_n_bytes (dtype, shape, &n_bytes) || offset > available || n_bytes > available - offset)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("%s elements of %s do not fit in the file"), sizes,
                   hl_dtype_get_name (dtype));
      return NULL;
    }
  if (swapped && type->words < 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("numbers of type %s in the other byte order are not read"),
                   hl_dtype_get_name (dtype));
      return NULL;
    }
  HlBlockTensor *self = g_object_new (HL_TYPE_BLOCK_TENSOR, NULL);
  hl_tensor_set_layout (HL_TENSOR (self), dtype, shape);
  self->type = type;
  self->file = hl_mapped_file_ref (file);
  self->first = (const guint8 *) hl_mapped_file_get_data (file) + offset;
  self->swapped = swapped;
  return HL_TENSOR (self);
}
