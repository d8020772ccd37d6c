/* SPDX-License-Identifier: MIT */
/* Images for models that take pixels: the image processor that lies beside a model, or the one that its family has. */
#include "core/model/hl-model-image.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/hl-error.h"
#include "core/document/attention/hl-check.h"
#include "core/model/hl-stack.h"
#include "core/model/vision/hl-image-picture.h"

static const HlPatches *
get_patches (HlModel *self)
{
  return hl_model_get_stack (self, HL_ATTENTION_SELF)->patches;
}

static gsize
scale (gsize n,
       gsize to,
       gsize from)
{
  return (gsize) round ((double) n * (double) to / (double) MAX (from, 1));
}

/* A processor is usually that of the family's first model. One that takes images of one size only has its own. */
static void
fit_usual_rules (HlImageRules    *rules,
                 const HlPatches *patches)
{
  const HlImageSize size = hl_patches_get_image_size (patches), patch = hl_patches_get_patch_size (patches);

  if (rules->fit == HL_IMAGE_FIT_PATCHES)
    rules->patch = patch.height;
  if (hl_patches_take_any_size (patches))
    return;
  if (rules->crops)
    {
      rules->size.height = scale (rules->size.height, size.height, rules->crop.height);
      rules->size.width = scale (rules->size.width, size.width, rules->crop.width);
      rules->shortest = scale (rules->shortest, MAX (size.height, size.width), rules->crop.height);
      rules->crop = size;
    }
  else
    rules->size = size;
}

/**
 * hl_model_read_image_rules:
 * @self: a model that takes pixels
 * @rules: (out): what its image processor does
 * @is_there: (out): whether a file beside it says so, and not its family alone
 * @error: which file is wrong, and how; %HL_ERROR_UNSUPPORTED for a processor that is not known; %HL_ERROR_IO where the files are not
 *   those of the model any more
 *
 * Reads what lies beside the weights, or else beside what was opened. Blocks.
 *
 * Returns: whether it is understood
 */
gboolean
hl_model_read_image_rules (HlModel      *self,
                           HlImageRules *rules,
                           gboolean     *is_there,
                           GError      **error)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_takes_pixels (self), FALSE);

  const char *usual = hl_model_get_family_row (self)->image_processor;
  GFile *const places[] = { hl_model_get_checkpoint (self), hl_model_get_file (self) };

  *is_there = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (places) && !*is_there; i++)
    if ((i == 0 || !g_file_equal (places[i], places[0])) &&
        !hl_image_rules_load (rules, places[i], usual, is_there, error))
      return FALSE;
  if (!*is_there)
    fit_usual_rules (rules, get_patches (self));
  return hl_model_check_files (self, error);
}

static gboolean
check_patch (const HlImageRules *rules,
             const HlPatches    *patches,
             GError            **error)
{
  const HlImageSize patch = hl_patches_get_patch_size (patches);

  if (rules->fit != HL_IMAGE_FIT_PATCHES || (rules->patch == patch.height && rules->patch == patch.width))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
               _ ("the image processor cuts patches of %zu × %zu pixels, but the model takes %zu × %zu"), rules->patch,
               rules->patch, patch.height, patch.width);
  return FALSE;
}

/**
 * hl_model_process_image:
 * @self: a model that takes pixels
 * @image: an image
 * @pixels: (out) (transfer full): what the model is to be run on
 * @picture: (out) (transfer full): the image, and which part of it each token stands for
 * @checks: (element-type HlCheck): gets a note where no file says which processor it is
 * @error: as hl_model_read_image_rules(), or what the model cannot be run on
 *
 * Makes of an image what the model's own image processor makes of it. Blocks, some milliseconds for a million pixels: from any thread but the main
 * one.
 *
 * Returns: whether the model can be run on it
 */
gboolean
hl_model_process_image (HlModel    *self,
                        HlImage    *image,
                        HlPixels  **pixels,
                        HlPicture **picture,
                        GPtrArray  *checks,
                        GError    **error)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_takes_pixels (self), FALSE);
  g_return_val_if_fail (image != NULL && pixels != NULL && picture != NULL, FALSE);

  const HlPatches *patches = get_patches (self);
  HlImageRules rules;
  HlImageView view;
  HlPictureGrid grid;
  gboolean is_there;

  if (!hl_model_read_image_rules (self, &rules, &is_there, error) || !check_patch (&rules, patches, error))
    return FALSE;
  g_autoptr (HlPixels) made = hl_image_process (&rules, image, &view, error);
  if (made == NULL || !hl_model_check_pixels (self, made, error))
    return FALSE;
  hl_patches_get_grid (patches, made, &grid);
  *picture = hl_image_view_make_picture (&view, image, &grid, hl_model_count_tokens (self, made), error);
  if (*picture == NULL)
    return FALSE;
  *pixels = g_steal_pointer (&made);
  if (!is_there)
    g_ptr_array_add (checks, hl_check_new (HL_SEVERITY_INFO,
                                           _ ("there is no preprocessor_config.json beside the model: the image went "
                                              "through %s, as is usual for %s"),
                                           rules.name, hl_model_get_family_row (self)->label));
  return TRUE;
}
