/* SPDX-License-Identifier: MIT */
/* Tokens of pixels (Dosovitskiy et al. 2021). The convolution of a patch with a stride of its own size is a product of its pixels; what is
 * left at the right and the bottom of the image is in no patch. */
#include "core/model/vision/hl-patches.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/model/vision/hl-resample.h"

/* Pixels at a time, as many as products are fast with. */
#define ROWS_AT_ONCE 256

struct _HlPatches
{
  gsize width; /* features of a token */
  gsize n_channels;
  HlImageSize patch;
  HlImageSize image; /* of the training */
  gboolean any_size;
  gboolean channels_last;
  HlLinear projection;
  gsize n_first; /* tokens that have positions, but no patch */
  gboolean has_second;
  gsize n_registers;
  float *first;        /* [n_first, width] */
  float *registers;    /* [n_registers, width] */
  HlTensor *positions; /* nullable: [n_first + patches of the grid, width] */
  HlImageSize grid;    /* that the positions are of */
  HlResampling resampling;
};

void
hl_patches_free (HlPatches *self)
{
  hl_linear_clear (&self->projection);
  g_clear_object (&self->positions);
  g_free (self->first);
  g_free (self->registers);
  g_free (self);
}

/* A number, or two of height and width. */
static gboolean
read_side (HlModelConfig *config,
           const char    *key,
           guint          usual,
           HlImageSize   *size,
           GError       **error)
{
  g_autofree double *numbers = NULL;
  guint64 side = 0;
  gsize n;

  if (!hl_model_config_read_numbers (config, key, 2, &numbers, &n, error) ||
      (n == 0 && !hl_model_config_read_size (config, key, usual > 0 ? usual : HL_CONFIG_REQUIRED, &side, error)))
    return FALSE;
  const double height = n > 0 ? numbers[0] : (double) side, width = n > 0 ? numbers[n - 1] : (double) side;
  if (!(height >= 1 && height <= HL_LIMIT_IMAGE_SIDE && width >= 1 && width <= HL_LIMIT_IMAGE_SIDE) ||
      height != floor (height) || width != floor (width))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is not a size from 1 to %d"), key,
                   HL_LIMIT_IMAGE_SIDE);
      return FALSE;
    }
  *size = (HlImageSize){ (gsize) height, (gsize) width };
  return TRUE;
}

static gboolean
read_sizes (HlPatches      *self,
            const HlFamily *family,
            HlModelConfig  *config,
            GError        **error)
{
  guint64 n_channels;

  if (!hl_model_config_read_size (config, "num_channels", 3, &n_channels, error) ||
      !read_side (config, "patch_size", family->usual.patch, &self->patch, error) ||
      !read_side (config, "image_size", family->usual.image, &self->image, error))
    return FALSE;
  self->n_channels = n_channels;
  if (!hl_model_config_check_size ("num_channels", n_channels, HL_LIMIT_CHANNELS, error) ||
      !hl_model_config_check_size ("num_channels × patch_size × patch_size",
                                   n_channels * self->patch.height * self->patch.width, HL_LIMIT_PATCH_NUMBERS, error))
    return FALSE;
  if (n_channels == 0 || self->patch.height > self->image.height || self->patch.width > self->image.width)
    {
      g_set_error (
        error, HL_ERROR, HL_ERROR_VALUE,
        _ ("the sizes in config.json do not fit one another: patches of %zu × %zu × %zu, images of %zu × %zu"),
        self->n_channels, self->patch.height, self->patch.width, self->image.height, self->image.width);
      return FALSE;
    }
  return TRUE;
}

static gsize
get_patch_size (const HlPatches *self)
{
  return self->n_channels * self->patch.height * self->patch.width;
}

/* Another look at numbers that lie dense, or else a copy of them. */
static HlTensor *
reshape (HlTensor      *tensor,
         const HlShape *shape,
         GError       **error)
{
  const HlShape *old = hl_tensor_get_shape (tensor);
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  const void *data = hl_tensor_get_data (tensor);
  HlDType dtype = hl_tensor_get_dtype (tensor);
  const gsize n = shape->dims[0] * shape->dims[1];

  if (data != NULL)
    {
      g_autoptr (GBytes)
        seen = g_bytes_new_with_free_func (data, n * hl_dtype_get_size (dtype), g_object_unref, g_object_ref (tensor));
      return hl_tensor_new_for_bytes (dtype, shape, NULL, FALSE, seen, 0, error);
    }
  g_autofree float *numbers = g_new (float, n);
  if (!hl_tensor_read_f32 (tensor, start, old->dims, numbers, NULL, error))
    return NULL;
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&numbers), n * sizeof (float));
  return hl_tensor_new_for_bytes (HL_DTYPE_F32, shape, NULL, FALSE, bytes, 0, error);
}

/* The weights of a convolution, as those of a product. */
static gboolean
load_projection (HlPatches      *self,
                 HlWeights      *weights,
                 const HlFamily *family,
                 GError        **error)
{
  const gsize n_in = get_patch_size (self);
  const guint64 flat[2] = { self->width, n_in };
  const guint64 deep[4] = { self->width, self->n_channels, self->patch.height, self->patch.width };
  g_autofree char *weight = g_strconcat (family->stack.patches.projection, ".weight", NULL);
  g_autofree char *bias = g_strconcat (family->stack.patches.projection, ".bias", NULL);
  g_autoptr (HlTensor) tensor =
    hl_weights_get (weights, weight, family->channels_last ? 2 : 4, family->channels_last ? flat : deep, error);
  const HlShape shape = { 2, { self->width, n_in } };

  if (tensor == NULL)
    return FALSE;
  self->projection.n_in = n_in;
  self->projection.n_out = self->width;
  self->projection.tensor = reshape (tensor, &shape, error);
  if (self->projection.tensor == NULL)
    return FALSE;
  if (family->patch_bias)
    self->projection.bias = hl_weights_get_vector (weights, bias, self->width, error);
  return !family->patch_bias || self->projection.bias != NULL;
}

/* Rows of a tensor that may have axes of 1 before them. */
static HlTensor *
open_rows (HlWeights  *weights,
           const char *name,
           gsize       width,
           GError    **error)
{
  g_autoptr (HlTensor) tensor = hl_weights_find (weights, (const char *const[]){ name, NULL }, error);
  HlShape rows = { 2, { 1, width } };

  if (tensor == NULL)
    return NULL;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  gboolean fits = shape->rank >= 1 && shape->dims[shape->rank - 1] == width;
  for (guint axis = 0; fits && axis + 1 < shape->rank; axis++)
    fits = axis + 2 == shape->rank || shape->dims[axis] == 1;
  if (!fits)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("tensor “%s” is %s; rows of %zu numbers are needed"), name,
                   sizes, width);
      return NULL;
    }
  rows.dims[0] = shape->rank > 1 ? shape->dims[shape->rank - 2] : 1;
  return reshape (tensor, &rows, error);
}

/* Reads rows of that name behind those that are there. */
static gboolean
add_rows (HlPatches  *self,
          HlWeights  *weights,
          const char *name,
          gsize      *n_rows,
          float     **rows,
          GError    **error)
{
  if (name == NULL)
    return TRUE;
  g_autoptr (HlTensor) tensor = open_rows (weights, name, self->width, error);
  if (tensor == NULL)
    return FALSE;
  const guint64 start[2] = { 0 }, *count = hl_tensor_get_shape (tensor)->dims;
  if (count[0] > HL_LIMIT_IMAGE_SIDE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("tensor “%s” has more than %d rows"), name,
                   HL_LIMIT_IMAGE_SIDE);
      return FALSE;
    }
  *rows = g_renew (float, *rows, MAX ((*n_rows + count[0]) * self->width, 1));
  *n_rows += count[0];
  return hl_tensor_read_f32 (tensor, start, count, *rows + (*n_rows - count[0]) * self->width, NULL, error);
}

/* The grid that positions are of: that of the training's images, or a square where they are made to fit. */
static gboolean
load_positions (HlPatches  *self,
                HlWeights  *weights,
                const char *name,
                GError    **error)
{
  if (name == NULL)
    return TRUE;
  self->positions = open_rows (weights, name, self->width, error);
  if (self->positions == NULL)
    return FALSE;
  const guint64 n_rows = hl_tensor_get_shape (self->positions)->dims[0];
  self->grid = (HlImageSize){ self->image.height / self->patch.height, self->image.width / self->patch.width };
  if (self->resampling != HL_RESAMPLING_NONE && n_rows > self->n_first)
    self->grid.height = self->grid.width = (gsize) sqrt ((double) (n_rows - self->n_first));
  if (self->grid.height == 0 || n_rows != self->n_first + self->grid.height * self->grid.width)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("tensor “%s” has %" PRIu64 " rows, which fit no grid of patches behind %zu other tokens"), name,
                   n_rows, self->n_first);
      return FALSE;
    }
  return TRUE;
}

/* Finds its tensors and checks their shapes. Tokens that are no patches are read. */
HlPatches *
hl_patches_load (HlWeights      *weights,
                 HlModelConfig  *config,
                 const HlFamily *family,
                 gsize           width,
                 GError        **error)
{
  const HlPatchNames *names = &family->stack.patches;
  g_autoptr (HlPatches) self = g_new0 (HlPatches, 1);

  self->width = width;
  self->any_size = family->any_size;
  self->channels_last = family->channels_last;
  self->resampling = family->resampling;
  self->has_second = names->second != NULL;
  if (!read_sizes (self, family, config, error) || !load_projection (self, weights, family, error) ||
      !add_rows (self, weights, names->first, &self->n_first, &self->first, error) ||
      !add_rows (self, weights, names->second, &self->n_first, &self->first, error) ||
      !add_rows (self, weights, names->registers, &self->n_registers, &self->registers, error) ||
      !load_positions (self, weights, names->positions, error))
    return NULL;
  if (self->n_first != (names->first != NULL ? 1u : 0u) + (names->second != NULL ? 1u : 0u))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("tensor “%s” has more than one row"), names->first);
      return NULL;
    }
  return g_steal_pointer (&self);
}

/* Returns what pixels it takes, as “3 × 224 × 224”. */
char *
hl_patches_describe (const HlPatches *self)
{
  return g_strdup_printf ("%zu × %zu × %zu", self->n_channels, self->image.height, self->image.width);
}

/* Returns whether tokens can be made of such pixels. */
gboolean
hl_patches_check (const HlPatches *self,
                  const HlPixels  *pixels,
                  GError         **error)
{
  const gboolean has_size = pixels->height == self->image.height && pixels->width == self->image.width;

  if (pixels->n_channels == self->n_channels && (has_size || self->any_size) && pixels->height >= self->patch.height &&
      pixels->width >= self->patch.width)
    return TRUE;
  if (self->any_size)
    g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                 _ ("the pixels are %zu × %zu × %zu; the model takes %zu channels of at least %zu × %zu"),
                 pixels->n_channels, pixels->height, pixels->width, self->n_channels, self->patch.height,
                 self->patch.width);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                 _ ("the pixels are %zu × %zu × %zu; the model takes %zu × %zu × %zu and no others"),
                 pixels->n_channels, pixels->height, pixels->width, self->n_channels, self->image.height,
                 self->image.width);
  return FALSE;
}

static HlImageSize
get_grid (const HlPatches *self,
          const HlPixels  *pixels)
{
  return (HlImageSize){ pixels->height / self->patch.height, pixels->width / self->patch.width };
}

/* Returns whether it takes images of other sizes than those of the training. */
gboolean
hl_patches_take_any_size (const HlPatches *self)
{
  return self->any_size;
}

HlImageSize
hl_patches_get_image_size (const HlPatches *self)
{
  return self->image;
}

HlImageSize
hl_patches_get_patch_size (const HlPatches *self)
{
  return self->patch;
}

/* Says which tokens stand for which part of pixels that hl_patches_check() has found good. */
void
hl_patches_get_grid (const HlPatches *self,
                     const HlPixels  *pixels,
                     HlPictureGrid   *grid)
{
  const HlImageSize size = get_grid (self, pixels);

  *grid = (HlPictureGrid){
    .first_token = self->n_first + self->n_registers,
    .n_rows = size.height,
    .n_columns = size.width,
    .stride = size.width,
    .box = { 0, 0, (double) (size.width * self->patch.width), (double) (size.height * self->patch.height) },
  };
}

/* Returns how many patches the pixels are cut into, as “14 × 14”: rows and columns. */
char *
hl_patches_describe_grid (const HlPatches *self,
                          const HlPixels  *pixels)
{
  const HlImageSize grid = get_grid (self, pixels);

  return g_strdup_printf ("%zu × %zu", grid.height, grid.width);
}

gsize
hl_patches_count_tokens (const HlPatches *self,
                         const HlPixels  *pixels)
{
  const HlImageSize grid = get_grid (self, pixels);

  return self->n_first + self->n_registers + grid.height * grid.width;
}

/* Returns what the tokens are called; %NULL-terminated. Rows and columns of patches count from 1. */
char **
hl_patches_dup_names (const HlPatches *self,
                      const HlPixels  *pixels)
{
  const HlImageSize grid = get_grid (self, pixels);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (gsize i = 0; i < self->n_first; i++)
    g_strv_builder_add (names, i == 0 ? "CLS" : "distillation");
  for (gsize i = 0; i < self->n_registers; i++)
    {
      g_autofree char *name = g_strdup_printf ("register %zu", i + 1);
      g_strv_builder_add (names, name);
    }
  for (gsize row = 0; row < grid.height; row++)
    for (gsize column = 0; column < grid.width; column++)
      {
        g_autofree char *name = g_strdup_printf ("patch %zu,%zu", row + 1, column + 1);
        g_strv_builder_add (names, name);
      }
  return g_strv_builder_end (names);
}

/* The pixels of a patch in the order of the weights. */
static void
take_patch (const HlPatches *self,
            const HlPixels  *pixels,
            gsize            row,
            gsize            column,
            float           *target)
{
  const gsize height = self->patch.height, width = self->patch.width, n_channels = self->n_channels;

  for (gsize channel = 0; channel < n_channels; channel++)
    for (gsize y = 0; y < height; y++)
      {
        const float *line = pixels->numbers + (channel * pixels->height + row * height + y) * pixels->width +
                            column * width;

        if (self->channels_last)
          for (gsize x = 0; x < width; x++)
            target[(y * width + x) * n_channels + channel] = line[x];
        else
          memcpy (target + (channel * height + y) * width, line, width * sizeof (float));
      }
}

static void
project (const HlPatches *self,
         const HlPixels  *pixels,
         float           *target)
{
  const HlImageSize grid = get_grid (self, pixels);
  const gsize n = grid.height * grid.width, size = get_patch_size (self);
  g_autofree float *rows = g_new (float, MIN (n, ROWS_AT_ONCE) * size);
  g_auto (HlScratch) scratch = { 0 };

  for (gsize first = 0; first < n; first += ROWS_AT_ONCE)
    {
      const gsize n_rows = MIN (n - first, ROWS_AT_ONCE);
      float *products = target + first * self->width;

      for (gsize i = 0; i < n_rows; i++)
        take_patch (self, pixels, (first + i) / grid.width, (first + i) % grid.width, rows + i * size);
      hl_linear_apply (&self->projection, n_rows, rows, size, products, self->width, &scratch);
      for (gsize i = 0; self->projection.bias != NULL && i < n_rows * self->width; i++)
        products[i] += self->projection.bias[i % self->width];
    }
}

static gboolean
add_positions (const HlPatches   *self,
               const HlImageSize *grid,
               float             *first,
               float             *patches,
               GError           **error)
{
  const gsize width = self->width, n = grid->height * grid->width, n_old = self->grid.height * self->grid.width;
  const guint64 start[2] = { 0 }, count[2] = { self->n_first + n_old, width };
  g_autofree float *rows = g_new (float, count[0] * width);
  g_autofree float *fitted = NULL;

  if (!hl_tensor_read_f32 (self->positions, start, count, rows, NULL, error))
    return FALSE;
  for (gsize i = 0; i < self->n_first * width; i++)
    first[i] += rows[i];
  const float *own = rows + self->n_first * width;
  if (grid->height != self->grid.height || grid->width != self->grid.width)
    own = fitted =
      hl_resample_grid (self->resampling, own, self->grid.height, self->grid.width, width, grid->height, grid->width);
  for (gsize i = 0; i < n * width; i++)
    patches[i] += own[i];
  return TRUE;
}

/* Writes what the first layer gets of pixels that hl_patches_check() has found good, [tokens, width]. */
gboolean
hl_patches_embed (const HlPatches *self,
                  const HlPixels  *pixels,
                  float           *target,
                  GError         **error)
{
  const HlImageSize grid = get_grid (self, pixels);
  float *registers = target + self->n_first * self->width;
  float *patches = registers + self->n_registers * self->width;

  if (self->n_first > 0)
    memcpy (target, self->first, self->n_first * self->width * sizeof (float));
  if (self->n_registers > 0)
    memcpy (registers, self->registers, self->n_registers * self->width * sizeof (float));
  project (self, pixels, patches);
  return self->positions == NULL || add_positions (self, &grid, target, patches, error);
}

/* The table of all tokens for hl_rotary_apply(), by the centres of patches from −1 to 1: half of the pairs are turned by the row, half by the
 * column. Tokens that are no patches are not turned. */
float *
hl_patches_new_rope_table (const HlPatches *self,
                           const HlPixels  *pixels,
                           const HlRope    *rope)
{
  const HlImageSize grid = get_grid (self, pixels);
  const gsize n_before = self->n_first + self->n_registers, n_pairs = rope->n_pairs, n_half = n_pairs / 2;
  float *table = g_new (float, MAX (hl_patches_count_tokens (self, pixels) * 2 * n_pairs, 1));

  for (gsize i = 0; i < hl_patches_count_tokens (self, pixels); i++)
    for (gsize k = 0; k < n_pairs; k++)
      {
        const gboolean by_row = k < n_half;
        const gsize patch = i - n_before;
        const double at = by_row ? ((double) (patch / grid.width) + 0.5) / (double) grid.height
                                 : ((double) (patch % grid.width) + 0.5) / (double) grid.width;
        const double frequency = pow (rope->base, -(double) (by_row ? k : k - n_half) / (double) MAX (n_half, 1));
        const double angle = i < n_before ? 0 : 2 * G_PI * (2 * at - 1) * frequency;

        table[i * 2 * n_pairs + k] = (float) cos (angle);
        table[i * 2 * n_pairs + n_pairs + k] = (float) sin (angle);
      }
  return table;
}
