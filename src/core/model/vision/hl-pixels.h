/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HlPixels:
 * @n_channels: colours
 * @height: rows of pixels
 * @width: columns of pixels
 * @numbers: [n_channels, height, width], as an image processor gives them: resized, cropped and normalised; all finite
 *
 * What a vision model is run on. Immutable; reference counted; from any thread.
 */
typedef struct
{
  gsize n_channels;
  gsize height;
  gsize width;
  float numbers[];
} HlPixels;

HlPixels *hl_pixels_new   (gsize     n_channels,
                           gsize     height,
                           gsize     width);
HlPixels *hl_pixels_load  (GFile    *file,
                           GError  **error);
HlPixels *hl_pixels_ref   (HlPixels *self);
void      hl_pixels_unref (HlPixels *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPixels, hl_pixels_unref)

G_END_DECLS
