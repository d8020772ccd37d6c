/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * HlImage:
 * @height: rows of pixels, at least 1
 * @width: columns of pixels, at least 1
 * @pixels: [height, width, 3]: red, green and blue of each pixel, 0 to 255, sRGB, without gaps between rows
 *
 * An image. Immutable once more than its maker has it; reference counted; from any thread.
 */
typedef struct
{
  gsize  height;
  gsize  width;
  guint8 pixels[];
} HlImage;

HlImage *hl_image_new   (gsize          height,
                         gsize          width,
                         GError       **error);
HlImage *hl_image_load  (GFile         *file,
                         GCancellable  *cancellable,
                         GError       **error);
HlImage *hl_image_parse (gconstpointer  data,
                         gsize          size,
                         GCancellable  *cancellable,
                         GError       **error);
HlImage *hl_image_scale (HlImage       *self,
                         gsize          height,
                         gsize          width,
                         GError       **error);
HlImage *hl_image_ref   (HlImage       *self);
void     hl_image_unref (HlImage       *self);
gboolean hl_image_equal (const HlImage *a,
                         const HlImage *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlImage, hl_image_unref)

G_END_DECLS
