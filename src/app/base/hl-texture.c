/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/base/hl-texture.h"

/* Of an image of 32 bits a pixel. The texture takes the surface's own bytes: they are as GDK wants them, and nobody may paint on them any more. */
GdkTexture *
hl_texture_new_for_surface (cairo_surface_t *surface)
{
  const int n_columns = cairo_image_surface_get_width (surface);
  const int n_rows = cairo_image_surface_get_height (surface);
  const gsize stride = (gsize) cairo_image_surface_get_stride (surface);
  g_autoptr (GBytes)
    bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface), stride * (gsize) n_rows,
                                        (GDestroyNotify) cairo_surface_destroy, cairo_surface_reference (surface));

  return gdk_memory_texture_new (n_columns, n_rows, GDK_MEMORY_DEFAULT, bytes, stride);
}
