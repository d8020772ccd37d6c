/* SPDX-License-Identifier: MIT */
/* An image as a model sees it: of another size, cut, and its numbers moved to where those of the training were. */
#include "core/model/vision/hl-image-processor.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#define N_CHANNELS 3

/* Numbers of an image of a new size, either bytes or already multiplied, and which part of them counts. */
typedef struct
{
  HlImage *image;
  float *floats; /* nullable: in place of those of the image */
  HlImageSize size;
  gint64 top; /* of the part, below 0 where black is before it */
  gint64 left;
  HlImageSize part;
} Stage;

static void
clear_stage (Stage *self)
{
  g_clear_pointer (&self->image, hl_image_unref);
  g_free (self->floats);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stage, clear_stage)

static gboolean
resize (Stage              *self,
        const HlImageRules *rules,
        HlImage            *image,
        GError            **error)
{
  const HlImageSize old = { image->height, image->width };

  if (!hl_image_rules_get_size (rules, &old, &self->size, error))
    return FALSE;
  self->part = self->size;
  if (rules->scales_first && (self->size.height != old.height || self->size.width != old.width))
    self->floats = hl_image_resize_floats (image, self->size.height, self->size.width, rules->filter,
                                           rules->rescales ? rules->factor : 1, error);
  else
    self->image = hl_image_resize (image, self->size.height, self->size.width, rules->filter, rules->rounding, error);
  return self->image != NULL || self->floats != NULL;
}

/* Where the middle begins. Where the image is the smaller one, those who count with Pillow have the greater half of the black before it. */
static gint64
find_middle (gsize           n,
             gsize           n_part,
             HlImageRounding rounding)
{
  const gint64 rest = (gint64) n - (gint64) n_part;

  return rest >= 0 ? rest / 2 : -((-rest + (rounding == HL_IMAGE_ROUNDING_PILLOW ? 1 : 0)) / 2);
}

static void
crop (Stage              *self,
      const HlImageRules *rules,
      const HlImageSize  *size)
{
  self->top += find_middle (self->part.height, size->height, rules->rounding);
  self->left += find_middle (self->part.width, size->width, rules->rounding);
  self->part = *size;
}

/* Below 384, the smaller squares of ConvNeXT are cut out of what is a little larger. */
static void
crop_all (Stage              *self,
          const HlImageRules *rules)
{
  const HlImageSize square = { rules->shortest, rules->shortest };

  if (rules->resizes && rules->fit == HL_IMAGE_FIT_SHARE)
    crop (self, rules, &square);
  if (rules->crops)
    crop (self, rules, &rules->crop);
}

static float
map_number (const HlImageRules *rules,
            gboolean            is_scaled,
            double              number,
            guint               channel)
{
  if (rules->rescales)
    number = (is_scaled ? number : number * rules->factor) - rules->offset;
  if (rules->normalizes)
    number = (number - rules->mean[channel]) / rules->deviation[channel];
  if (rules->normalizes_again)
    number /= rules->deviation[channel];
  return (float) number;
}

static void
write_channel (const Stage        *self,
               const HlImageRules *rules,
               guint               channel,
               gsize               width,
               float              *target)
{
  float of_bytes[256];

  for (guint i = 0; i < G_N_ELEMENTS (of_bytes); i++)
    of_bytes[i] = map_number (rules, FALSE, i, channel);
  for (gsize i = 0; i < self->part.height; i++)
    for (gsize j = 0; j < self->part.width; j++)
      {
        const gint64 row = (gint64) i + self->top, column = (gint64) j + self->left;
        const gboolean is_black = row < 0 || column < 0 || row >= (gint64) self->size.height ||
                                  column >= (gint64) self->size.width;
        const gsize at = is_black ? 0 : ((gsize) row * self->size.width + (gsize) column) * N_CHANNELS + channel;

        target[i * width + j] = is_black               ? of_bytes[0]
                                : self->floats != NULL ? map_number (rules, TRUE, (double) self->floats[at], channel)
                                                       : of_bytes[self->image->pixels[at]];
      }
}

static HlPixels *
write_pixels (const Stage        *self,
              const HlImageRules *rules,
              GError            **error)
{
  const HlImageSize size = rules->pads ? rules->pad : self->part;

  if (size.height < self->part.height || size.width < self->part.width)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“%s” of %zu × %zu is smaller than the image, which becomes %zu × %zu"), "pad_size", size.width,
                   size.height, self->part.width, self->part.height);
      return NULL;
    }
  if (size.height * size.width > HL_LIMIT_IMAGE_NUMBERS / N_CHANNELS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the image becomes %zu × %zu pixels; %u of three colours are possible"), size.width, size.height,
                   HL_LIMIT_IMAGE_NUMBERS / N_CHANNELS);
      return NULL;
    }
  g_autoptr (HlPixels) pixels = hl_pixels_new (N_CHANNELS, size.height, size.width);
  memset (pixels->numbers, 0, N_CHANNELS * size.height * size.width * sizeof (float));
  for (guint channel = 0; channel < N_CHANNELS; channel++)
    write_channel (self, rules, channel, size.width, pixels->numbers + channel * size.height * size.width);
  for (gsize i = 0; i < N_CHANNELS * size.height * size.width; i++)
    if (!isfinite (pixels->numbers[i]))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("its numbers make pixels that are infinite"));
        return NULL;
      }
  return g_steal_pointer (&pixels);
}

/**
 * hl_image_process:
 * @rules: what a processor does
 * @image: an image
 * @view: (out): what of it the pixels are
 * @error: %HL_ERROR_TOO_LARGE for images that would become too large on the way, %HL_ERROR_VALUE for numbers that overflow
 *
 * Does it. Blocks, some milliseconds for a million pixels: from any thread but the main one.
 *
 * Returns: (transfer full) (nullable): pixels, of three colours
 */
HlPixels *
hl_image_process (const HlImageRules *rules,
                  HlImage            *image,
                  HlImageView        *view,
                  GError            **error)
{
  g_return_val_if_fail (rules != NULL && image != NULL && view != NULL, NULL);

  g_auto (Stage) stage = { 0 };

  if (!resize (&stage, rules, image, error))
    return NULL;
  crop_all (&stage, rules);
  view->x_scale = (double) image->width / (double) stage.size.width;
  view->y_scale = (double) image->height / (double) stage.size.height;
  view->x = (double) stage.left * view->x_scale;
  view->y = (double) stage.top * view->y_scale;
  return write_pixels (&stage, rules, error);
}
