/* SPDX-License-Identifier: MIT */
/* Images of another size, as Pillow and PyTorch make them: rows and columns apart, each new pixel a sum of old ones within a reach that
 * grows when there are to be fewer. Where they count in whole numbers, what comes of the first step is rounded, too. */
#include "core/model/vision/hl-image-resize.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#define N_CHANNELS 3

/* Sums of 8 bits with weights of so many fit 32. */
#define PILLOW_BITS 22
#define MAX_BITS 22

/* Rows that are made by more than one thread. */
#define MIN_PARALLEL 32

typedef double (*Filter) (double distance);

static double
get_box (double x)
{
  return x > -0.5 && x <= 0.5 ? 1 : 0;
}

static double
get_triangle (double x)
{
  return MAX (1 - fabs (x), 0);
}

static double
get_hamming (double x)
{
  const double angle = G_PI * fabs (x);

  if (x == 0)
    return 1;
  return fabs (x) < 1 ? sin (angle) / angle * (0.54 + 0.46 * cos (angle)) : 0;
}

static double
get_cubic (double distance)
{
  const double a = -0.5, x = fabs (distance);

  if (x < 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

static double
get_sinc (double x)
{
  return x == 0 ? 1 : sin (G_PI * x) / (G_PI * x);
}

static double
get_lanczos (double x)
{
  return x >= -3 && x < 3 ? get_sinc (x) * get_sinc (x / 3) : 0;
}

static const struct
{
  Filter get;
  double reach;
} filters[] = {
  [HL_IMAGE_FILTER_NEAREST] = { NULL, 0 },          [HL_IMAGE_FILTER_LANCZOS] = { get_lanczos, 3 },
  [HL_IMAGE_FILTER_BILINEAR] = { get_triangle, 1 }, [HL_IMAGE_FILTER_BICUBIC] = { get_cubic, 2 },
  [HL_IMAGE_FILTER_BOX] = { get_box, 0.5 },         [HL_IMAGE_FILTER_HAMMING] = { get_hamming, 1 },
};

/* What each of the new pixels of a row is made of: count[i] old ones from first[i] on, by weights[i * most …]. */
typedef struct
{
  gsize most;
  gsize *first;
  gsize *count;
  double *weights;
} Axis;

static void
clear_axis (Axis *self)
{
  g_free (self->first);
  g_free (self->count);
  g_free (self->weights);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Axis, clear_axis)

static void
weigh (Axis  *self,
       gsize  i,
       Filter get,
       double centre,
       double stretch)
{
  double *weights = self->weights + i * self->most, sum = 0;

  for (gsize k = 0; k < self->count[i]; k++)
    {
      weights[k] = get (((double) (self->first[i] + k) - centre + 0.5) / stretch);
      sum += weights[k];
    }
  for (gsize k = 0; k < self->count[i] && sum != 0; k++)
    weights[k] /= sum;
}

static void
make_axis (Axis         *self,
           HlImageFilter filter,
           gsize         n_old,
           gsize         n_new)
{
  const double scale = (double) n_old / (double) n_new, stretch = MAX (scale, 1);
  const double reach = filters[filter].reach * stretch;

  self->most = 2 * (gsize) ceil (reach) + 1;
  self->first = g_new (gsize, n_new);
  self->count = g_new (gsize, n_new);
  self->weights = g_new (double, n_new * self->most);
  for (gsize i = 0; i < n_new; i++)
    {
      const double centre = scale * ((double) i + 0.5);

      if (filters[filter].get == NULL)
        {
          self->first[i] = MIN ((gsize) centre, n_old - 1);
          self->count[i] = 1;
          self->weights[i * self->most] = 1;
          continue;
        }
      const double first = MAX (trunc (centre - reach + 0.5), 0), end = trunc (centre + reach + 0.5);
      self->first[i] = MIN ((gsize) first, n_old - 1);
      self->count[i] = MIN ((gsize) end, n_old) - self->first[i];
      self->count[i] = MIN (self->count[i], self->most);
      weigh (self, i, filters[filter].get, centre, stretch);
    }
}

/* As many bits as leave the greatest weight 15, as PyTorch has it. */
static guint
count_bits (const Axis     *axis,
            gsize           n,
            HlImageRounding rounding)
{
  double greatest = 0;
  guint bits = 0;

  if (rounding == HL_IMAGE_ROUNDING_PILLOW)
    return PILLOW_BITS;
  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < axis->count[i]; k++)
      greatest = MAX (greatest, axis->weights[i * axis->most + k]);
  while (bits < MAX_BITS && (gint64) (0.5 + greatest * (double) (1 << (bits + 1))) < (1 << 15))
    bits++;
  return bits;
}

static gint32 *
round_weights (const Axis *axis,
               gsize       n,
               guint       bits)
{
  gint32 *weights = g_new (gint32, n * axis->most);

  for (gsize i = 0; i < n; i++)
    for (gsize k = 0; k < axis->count[i]; k++)
      {
        const double weight = axis->weights[i * axis->most + k] * (double) (1 << bits);
        weights[i * axis->most + k] = (gint32) (weight < 0 ? weight - 0.5 : weight + 0.5);
      }
  return weights;
}

static guint8
to_byte (gint32 sum,
         guint  bits)
{
  return (guint8) CLAMP (sum >> bits, 0, 255);
}

static void
resize_row (const Axis   *axis,
            const gint32 *weights,
            guint         bits,
            const guint8 *row,
            gsize         n,
            guint8       *target)
{
  const gint32 half = bits > 0 ? 1 << (bits - 1) : 0;

  for (gsize i = 0; i < n; i++)
    {
      const gint32 *own = weights + i * axis->most;
      const guint8 *from = row + axis->first[i] * N_CHANNELS;
      gint32 sums[N_CHANNELS] = { half, half, half };

      for (gsize k = 0; k < axis->count[i]; k++, from += N_CHANNELS)
        for (guint channel = 0; channel < N_CHANNELS; channel++)
          sums[channel] += own[k] * from[channel];
      for (guint channel = 0; channel < N_CHANNELS; channel++)
        target[i * N_CHANNELS + channel] = to_byte (sums[channel], bits);
    }
}

static void
add_rows (const Axis   *axis,
          const gint32 *weights,
          guint         bits,
          gsize         i,
          const guint8 *rows,
          gsize         n,
          gint32       *sums,
          guint8       *target)
{
  for (gsize j = 0; j < n; j++)
    sums[j] = bits > 0 ? 1 << (bits - 1) : 0;
  for (gsize k = 0; k < axis->count[i]; k++)
    {
      const guint8 *row = rows + (axis->first[i] + k) * n;
      const gint32 weight = weights[i * axis->most + k];

      for (gsize j = 0; j < n; j++)
        sums[j] += weight * row[j];
    }
  for (gsize j = 0; j < n; j++)
    target[j] = to_byte (sums[j], bits);
}

/* What comes of the first of the two steps may be larger than both images. */
static gpointer
take_memory (gsize    height,
             gsize    width,
             gsize    size,
             GError **error)
{
  if (height > HL_LIMIT_PICTURE_PIXELS / width)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("on the way it would have %zu × %zu pixels; %u are possible"), width, height,
                   HL_LIMIT_PICTURE_PIXELS);
      return NULL;
    }
  gpointer memory = g_try_malloc (height * width * N_CHANNELS * size);
  if (memory == NULL)
    hl_error_set_no_memory (error);
  return memory;
}

static void
resize_across (const guint8   *from,
               gsize           n_rows,
               gsize           n_old,
               gsize           n_new,
               HlImageFilter   filter,
               HlImageRounding rounding,
               guint8         *target)
{
  g_auto (Axis) axis = { 0 };

  make_axis (&axis, filter, n_old, n_new);
  const guint bits = count_bits (&axis, n_new, rounding);
  g_autofree gint32 *weights = round_weights (&axis, n_new, bits);
#pragma omp parallel for schedule(static) if (n_rows >= MIN_PARALLEL)
  for (gsize i = 0; i < n_rows; i++)
    resize_row (&axis, weights, bits, from + i * n_old * N_CHANNELS, n_new, target + i * n_new * N_CHANNELS);
}

static void
resize_down (const guint8   *from,
             gsize           n_columns,
             gsize           n_old,
             gsize           n_new,
             HlImageFilter   filter,
             HlImageRounding rounding,
             guint8         *target)
{
  g_auto (Axis) axis = { 0 };

  make_axis (&axis, filter, n_old, n_new);
  const gsize n = n_columns * N_CHANNELS;
  const guint bits = count_bits (&axis, n_new, rounding);
  g_autofree gint32 *weights = round_weights (&axis, n_new, bits);
#pragma omp parallel if (n_new >= MIN_PARALLEL)
  {
    g_autofree gint32 *sums = g_new (gint32, n);
#pragma omp for schedule(static)
    for (gsize i = 0; i < n_new; i++)
      add_rows (&axis, weights, bits, i, from, n, sums, target + i * n);
  }
}

/* Since version 13, Pillow begins with columns where that leaves clearly less to do. */
static gboolean
begins_with_columns (const HlImage  *image,
                     gsize           height,
                     gsize           width,
                     HlImageRounding rounding)
{
  const gint64 fewer_rows = (gint64) image->height - (gint64) height;
  const gint64 fewer_columns = (gint64) image->width - (gint64) width;

  return rounding == HL_IMAGE_ROUNDING_PILLOW && fewer_rows > 0 && fewer_rows > 2 * fewer_columns;
}

/**
 * hl_image_resize:
 * @image: an image
 * @height: rows that it is to have, at least 1
 * @width: columns that it is to have, at least 1
 * @filter: how
 * @rounding: whose
 * @error: %HL_ERROR_TOO_LARGE, or no memory
 *
 * Makes an image of another size. Equal to what Pillow's Image.resize() gives, or PyTorch's interpolate() of bytes with antialiasing. Blocks.
 *
 * Returns: (transfer full) (nullable): an image; @image itself where it has the size
 */
HlImage *
hl_image_resize (HlImage        *image,
                 gsize           height,
                 gsize           width,
                 HlImageFilter   filter,
                 HlImageRounding rounding,
                 GError        **error)
{
  g_return_val_if_fail (image != NULL && height > 0 && width > 0 && filter < G_N_ELEMENTS (filters), NULL);

  if (image->height == height && image->width == width)
    return hl_image_ref (image);
  const gboolean down_first = begins_with_columns (image, height, width, rounding);
  g_autoptr (HlImage) result = hl_image_new (height, width, error);
  g_autofree guint8 *between = NULL;
  if (result != NULL)
    between = take_memory (down_first ? height : image->height, down_first ? image->width : width, 1, error);
  if (between == NULL)
    return NULL;
  if (down_first)
    {
      resize_down (image->pixels, image->width, image->height, height, filter, rounding, between);
      resize_across (between, height, image->width, width, filter, rounding, result->pixels);
    }
  else
    {
      resize_across (image->pixels, image->height, image->width, width, filter, rounding, between);
      resize_down (between, width, image->height, height, filter, rounding, result->pixels);
    }
  return g_steal_pointer (&result);
}

static void
resize_row_floats (const Axis   *axis,
                   const guint8 *row,
                   double        factor,
                   gsize         n,
                   float        *target)
{
  for (gsize i = 0; i < n; i++)
    {
      const double *own = axis->weights + i * axis->most;
      const guint8 *from = row + axis->first[i] * N_CHANNELS;
      double sums[N_CHANNELS] = { 0 };

      for (gsize k = 0; k < axis->count[i]; k++, from += N_CHANNELS)
        for (guint channel = 0; channel < N_CHANNELS; channel++)
          sums[channel] += own[k] * from[channel];
      for (guint channel = 0; channel < N_CHANNELS; channel++)
        target[i * N_CHANNELS + channel] = (float) (sums[channel] * factor);
    }
}

/**
 * hl_image_resize_floats:
 * @image: an image
 * @height: rows that it is to have, at least 1
 * @width: columns that it is to have, at least 1
 * @filter: how
 * @factor: what the numbers of its pixels are multiplied by beforehand
 * @error: %HL_ERROR_TOO_LARGE, or no memory
 *
 * hl_image_resize() of numbers that are not rounded, as PyTorch's interpolate() has them. Blocks.
 *
 * Returns: (array) (transfer full) (nullable): [height, width, 3]; free with g_free()
 */
float *
hl_image_resize_floats (HlImage      *image,
                        gsize         height,
                        gsize         width,
                        HlImageFilter filter,
                        double        factor,
                        GError      **error)
{
  g_return_val_if_fail (image != NULL && height > 0 && width > 0 && filter < G_N_ELEMENTS (filters), NULL);

  const gsize n = width * N_CHANNELS;
  g_autofree float *wide = take_memory (image->height, width, sizeof (float), error);
  float *result = wide != NULL ? g_try_new0 (float, height *n) : NULL;
  if (wide != NULL && result == NULL)
    hl_error_set_no_memory (error);
  if (result == NULL)
    return NULL;
  g_auto (Axis) across = { 0 }, down = { 0 };
  make_axis (&across, filter, image->width, width);
  make_axis (&down, filter, image->height, height);

#pragma omp parallel for schedule(static) if (image->height >= MIN_PARALLEL)
  for (gsize i = 0; i < image->height; i++)
    resize_row_floats (&across, image->pixels + i * image->width * N_CHANNELS, factor, width, wide + i * n);
#pragma omp parallel for schedule(static) if (height >= MIN_PARALLEL)
  for (gsize i = 0; i < height; i++)
    for (gsize k = 0; k < down.count[i]; k++)
      {
        const float *row = wide + (down.first[i] + k) * n;
        const double weight = down.weights[i * down.most + k];

        for (gsize j = 0; j < n; j++)
          result[i * n + j] += (float) (weight * (double) row[j]);
      }
  return result;
}
