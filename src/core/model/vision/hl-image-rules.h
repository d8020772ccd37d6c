/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/vision/hl-image-resize.h"

G_BEGIN_DECLS

/**
 * HlImageSize:
 * @height: rows of pixels
 * @width: columns of pixels
 *
 * A size of images.
 */
typedef struct
{
  gsize height;
  gsize width;
} HlImageSize;

/**
 * HlImageFit:
 * @HL_IMAGE_FIT_EXACT: to @size of the rules, whatever shape the image has
 * @HL_IMAGE_FIT_SHORTEST: so that the shorter side is @shortest
 * @HL_IMAGE_FIT_BETWEEN: likewise, unless the longer were longer than @longest, which it then is
 * @HL_IMAGE_FIT_WITHIN: as large as fits into @size
 * @HL_IMAGE_FIT_SHARE: so that a square of @shortest is @crop_share of the shorter side, and that square; to a square where it is large
 * @HL_IMAGE_FIT_PATCHES: as large as at most @max_patches squares of @patch cover
 *
 * Which size an image gets.
 */
typedef enum {
  HL_IMAGE_FIT_EXACT,
  HL_IMAGE_FIT_SHORTEST,
  HL_IMAGE_FIT_BETWEEN,
  HL_IMAGE_FIT_WITHIN,
  HL_IMAGE_FIT_SHARE,
  HL_IMAGE_FIT_PATCHES,
} HlImageFit;

/**
 * HlImageRules:
 * @name: the class of transformers that does so, static
 * @rounding: whose arithmetic it has
 * @scales_first: whether numbers are multiplied before the size changes, so that none is rounded
 * @resizes: whether the size changes
 * @fit: to which
 * @size: see there
 * @shortest: see there
 * @longest: see there
 * @crop_share: see there
 * @patch: see there
 * @max_patches: see there
 * @filter: how
 * @crops: whether the middle is cut out, of black where the image is smaller
 * @crop: the size of that
 * @rescales: whether numbers are multiplied by @factor
 * @factor: usually 1/255
 * @offset: what is then subtracted
 * @normalizes: whether @mean is subtracted and the rest divided by @deviation
 * @normalizes_again: whether it is divided by @deviation once more
 * @mean: of red, green and blue
 * @deviation: of these; not 0
 * @pads: whether zeros follow at the right and below
 * @pad: up to this size
 *
 * What an image processor does with an image, in this order.
 */
typedef struct
{
  const char     *name;
  HlImageRounding rounding;
  gboolean        scales_first;
  gboolean        resizes;
  HlImageFit      fit;
  HlImageSize     size;
  gsize           shortest;
  gsize           longest;
  double          crop_share;
  gsize           patch;
  gsize           max_patches;
  HlImageFilter   filter;
  gboolean        crops;
  HlImageSize     crop;
  gboolean        rescales;
  double          factor;
  double          offset;
  gboolean        normalizes;
  gboolean        normalizes_again;
  double          mean[3];
  double          deviation[3];
  gboolean        pads;
  HlImageSize     pad;
} HlImageRules;

gboolean hl_image_rules_init  (HlImageRules       *self,
                               const char         *name);
gboolean hl_image_rules_parse (HlImageRules       *self,
                               const char         *text,
                               gsize               size,
                               const char         *part,
                               const char         *usual_name,
                               GError            **error);
gboolean hl_image_rules_load  (HlImageRules       *self,
                               GFile              *folder,
                               const char         *usual_name,
                               gboolean           *is_there,
                               GError            **error);
gboolean hl_image_rules_get_size (const HlImageRules *self,
                                  const HlImageSize  *image,
                                  HlImageSize        *resized,
                                  GError            **error);

G_END_DECLS
