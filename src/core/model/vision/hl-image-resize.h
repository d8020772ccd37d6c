/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/picture/hl-image.h"

G_BEGIN_DECLS

/**
 * HlImageFilter:
 * @HL_IMAGE_FILTER_NEAREST: the pixel that is nearest
 * @HL_IMAGE_FILTER_LANCZOS: a windowed sinc of three lobes
 * @HL_IMAGE_FILTER_BILINEAR: a triangle
 * @HL_IMAGE_FILTER_BICUBIC: Keys 1981, with −1/2
 * @HL_IMAGE_FILTER_BOX: each pixel by its area
 * @HL_IMAGE_FILTER_HAMMING: a windowed sinc of one lobe
 *
 * How pixels between pixels are made. The numbers are those of Pillow, which image processors are saved with.
 */
typedef enum {
  HL_IMAGE_FILTER_NEAREST,
  HL_IMAGE_FILTER_LANCZOS,
  HL_IMAGE_FILTER_BILINEAR,
  HL_IMAGE_FILTER_BICUBIC,
  HL_IMAGE_FILTER_BOX,
  HL_IMAGE_FILTER_HAMMING,
} HlImageFilter;

/**
 * HlImageRounding:
 * @HL_IMAGE_ROUNDING_PILLOW: weights are multiples of 2⁻²²
 * @HL_IMAGE_ROUNDING_TORCH: weights have 16 bits
 *
 * How exact the weights of pixels are, of those who count in whole numbers.
 */
typedef enum {
  HL_IMAGE_ROUNDING_PILLOW,
  HL_IMAGE_ROUNDING_TORCH,
} HlImageRounding;

HlImage *hl_image_resize        (HlImage         *image,
                                 gsize            height,
                                 gsize            width,
                                 HlImageFilter    filter,
                                 HlImageRounding  rounding,
                                 GError         **error);
float   *hl_image_resize_floats (HlImage         *image,
                                 gsize            height,
                                 gsize            width,
                                 HlImageFilter    filter,
                                 double           factor,
                                 GError         **error);

G_END_DECLS
