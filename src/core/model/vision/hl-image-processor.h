/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/vision/hl-image-rules.h"
#include "core/model/vision/hl-pixels.h"

G_BEGIN_DECLS

/**
 * HlImageView:
 * @x: where in the image the left edge of the pixels is, in its pixels; below 0 where there is black before it
 * @y: likewise, of the upper edge
 * @x_scale: pixels of the image from one column to the next
 * @y_scale: likewise, from one row to the next
 *
 * What of an image a model sees.
 */
typedef struct
{
  double x;
  double y;
  double x_scale;
  double y_scale;
} HlImageView;

HlPixels *hl_image_process (const HlImageRules  *rules,
                            HlImage             *image,
                            HlImageView         *view,
                            GError             **error);

G_END_DECLS
