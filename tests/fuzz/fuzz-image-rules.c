/* SPDX-License-Identifier: MIT */
/* Any bytes as the preprocessor_config.json of a model, or the processor_config.json: what it says, and what becomes of small images. */
#include "fuzz.h"

#include "core/base/hl-limits.h"
#include "core/model/vision/hl-image-picture.h"

#include <math.h>
#include <string.h>

/* Larger ones take time, and are made by the same code. */
#define MOST 20000

static const HlImageSize sizes[] = { { 1, 1 }, { 3, 40 }, { 17, 9 } };

static void
check (const GError *error)
{
  g_assert (error != NULL && g_utf8_validate (error->message, -1, NULL) && strchr (error->message, '\n') == NULL);
}

static gboolean
is_small (const HlImageRules *rules,
          const HlImageSize  *resized)
{
  return resized->height * resized->width <= MOST && rules->shortest * rules->shortest <= MOST &&
         (!rules->crops || rules->crop.height * rules->crop.width <= MOST) &&
         (!rules->pads || rules->pad.height * rules->pad.width <= MOST);
}

static void
process (const HlImageRules *rules,
         const HlImageSize  *size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlImage) image = hl_image_new (size->height, size->width, &error);
  HlImageSize resized;
  HlImageView view;

  for (gsize i = 0; i < size->height * size->width * 3; i++)
    image->pixels[i] = (guint8) (i * 37);
  if (!hl_image_rules_get_size (rules, size, &resized, &error))
    {
      check (error);
      return;
    }
  if (!is_small (rules, &resized))
    return;
  g_autoptr (HlPixels) pixels = hl_image_process (rules, image, &view, &error);
  if (pixels == NULL)
    {
      check (error);
      return;
    }
  for (gsize i = 0; i < pixels->n_channels * pixels->height * pixels->width; i++)
    g_assert (isfinite (pixels->numbers[i]));
  const HlPictureGrid grid = {
    .n_rows = 1, .n_columns = 1, .stride = 1, .box = { 0, 0, (double) pixels->width, (double) pixels->height }
  };
  g_autoptr (HlPicture) picture = hl_image_view_make_picture (&view, image, &grid, 1, &error);
  if (picture == NULL)
    check (error);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes,
                        gsize         size)
{
  for (guint part = 0; part < 2; part++)
    {
      g_autoptr (GError) error = NULL;
      HlImageRules rules;

      if (!hl_image_rules_parse (&rules, (const char *) bytes, size, part > 0 ? "image_processor" : NULL,
                                 "ViTImageProcessor", &error))
        {
          check (error);
          continue;
        }
      for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
        process (&rules, &sizes[i]);
    }
  return 0;
}
