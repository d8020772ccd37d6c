/* SPDX-License-Identifier: MIT */
/* Pixels from an array of NumPy. The file is untrusted: what it says of itself is held against bounds before there is room for it. */
#include "core/model/vision/hl-pixels.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "core/archive/hl-tree-archive.h"
#include "core/archive/pydata/hl-npy-archive.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

/* Channels, height and width; a batch of one before them, as processors have it, is left out. */
static gboolean
take_shape (const HlShape *shape,
            HlShape       *pixels,
            GError       **error)
{
  const gboolean is_batch = shape->rank == 4;
  guint64 n;

  if (shape->rank != 3 && !is_batch)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_RANK, _ ("the array has %u axes; channels × height × width are needed"),
                   shape->rank);
      return FALSE;
    }
  if (is_batch && shape->dims[0] != 1)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("the array holds %" PRIu64 " images; one is needed"),
                   shape->dims[0]);
      return FALSE;
    }
  const guint64 *dims = shape->dims + (is_batch ? 1 : 0);
  *pixels = (HlShape){ 3, { dims[0], dims[1], dims[2] } };
  if (!hl_shape_get_n_elements (pixels, &n) || n > HL_LIMIT_IMAGE_NUMBERS || n == 0)
    {
      g_autofree char *sizes = hl_shape_to_string (pixels);
      g_set_error (error, HL_ERROR, n == 0 ? HL_ERROR_SHAPE : HL_ERROR_TOO_LARGE,
                   _ ("the array is %s, channels × height × width; 1 to %u numbers are read"), sizes,
                   HL_LIMIT_IMAGE_NUMBERS);
      return FALSE;
    }
  return TRUE;
}

/* Makes some whose numbers are anything; of sizes that are within bounds. */
HlPixels *
hl_pixels_new (gsize n_channels,
               gsize height,
               gsize width)
{
  HlPixels *self = g_atomic_rc_box_alloc (sizeof (HlPixels) + n_channels * height * width * sizeof (float));

  self->n_channels = n_channels;
  self->height = height;
  self->width = width;
  return self;
}

static HlPixels *
read_pixels (GFile   *file,
             GError **error)
{
  g_autoptr (HlArchive) archive = hl_npy_archive_open (file, NULL, NULL, error);
  const guint64 start[4] = { 0 };
  HlShape shape;

  if (archive == NULL)
    return NULL;
  if (hl_archive_get_kind (archive, HL_TREE_ONLY_NAME) != HL_MEMBER_TENSOR)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE, _ ("this is no array of numbers with channels, height and width"));
      return NULL;
    }
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, HL_TREE_ONLY_NAME, error);
  if (tensor == NULL || !take_shape (hl_tensor_get_shape (tensor), &shape, error))
    return NULL;
  if (!hl_dtype_is_float (hl_tensor_get_dtype (tensor)))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_DTYPE,
                   _ ("the array is of %s; floating-point numbers are needed, as an image processor gives them"),
                   hl_dtype_get_name (hl_tensor_get_dtype (tensor)));
      return NULL;
    }
  const gsize n = shape.dims[0] * shape.dims[1] * shape.dims[2];
  g_autoptr (HlPixels) self = hl_pixels_new (shape.dims[0], shape.dims[1], shape.dims[2]);
  if (!hl_tensor_read_f32 (tensor, start, hl_tensor_get_shape (tensor)->dims, self->numbers, NULL, error) ||
      !hl_archive_check (archive, error))
    return NULL;
  for (gsize i = 0; i < n; i++)
    if (!isfinite (self->numbers[i]))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("a number of the array is NaN or infinite"));
        return NULL;
      }
  return g_steal_pointer (&self);
}

/**
 * hl_pixels_load:
 * @file: an array that `numpy.save` wrote: [channels, height, width], or a batch of one of these; floating-point numbers of any byte order,
 *   C or Fortran order
 * @error: what is wrong with it, in one sentence that does not name the file
 *
 * Reads the pixels of one image. They are taken as they are: resizing and normalising are for the image processor of the model. Blocks.
 *
 * Returns: (transfer full) (nullable): pixels
 */
HlPixels *
hl_pixels_load (GFile   *file,
                GError **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  return read_pixels (file, error);
}

HlPixels *
hl_pixels_ref (HlPixels *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
hl_pixels_unref (HlPixels *self)
{
  g_atomic_rc_box_release (self);
}
