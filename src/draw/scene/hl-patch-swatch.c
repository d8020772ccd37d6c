/* SPDX-License-Identifier: MIT */
#include "draw/scene/hl-patch-swatch.h"

#include <math.h>

#include "draw/paint/hl-cairo.h"

/* Logical pixels of a side: in less nothing can be told from anything. */
#define MIN_SIZE 4

/* Device pixels of a side: what is larger is no swatch. */
#define MAX_SIDE 64

/* Where the pixels of one row or column of a swatch begin in the image. */
static gsize
get_start (double first,
           double length,
           guint  index,
           guint  n,
           gsize  end)
{
  return MIN ((gsize) (first + length * index / n), end - 1);
}

/* Each pixel is the mean of those that it stands for, of so many in each direction where there are more: a patch may be most of a large image. */
#define MAX_SAMPLES 8

static cairo_surface_t *
make_surface (const HlImage      *image,
              const HlPictureBox *box,
              guint               n)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) n, (int) n);

  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    return surface;
  guint8 *data = cairo_image_surface_get_data (surface);
  const gsize stride = (gsize) cairo_image_surface_get_stride (surface);
  for (guint i = 0; i < n; i++)
    {
      const gsize top = get_start (box->y, box->height, i, n, image->height);
      const gsize bottom = MAX (get_start (box->y, box->height, i + 1, n, image->height), top + 1);
      for (guint j = 0; j < n; j++)
        {
          const gsize left = get_start (box->x, box->width, j, n, image->width);
          const gsize right = MAX (get_start (box->x, box->width, j + 1, n, image->width), left + 1);
          const gsize down = (bottom - top + MAX_SAMPLES - 1) / MAX_SAMPLES;
          const gsize across = (right - left + MAX_SAMPLES - 1) / MAX_SAMPLES;
          guint64 sums[3] = { 0 }, count = 0;
          for (gsize row = top; row < bottom; row += down)
            for (gsize column = left; column < right; column += across, count++)
              for (guint channel = 0; channel < 3; channel++)
                sums[channel] += image->pixels[(row * image->width + column) * 3 + channel];
          ((guint32 *) (gpointer) (data + i * stride))[j] = 0xff000000u | (guint32) (sums[0] / count) << 16 |
                                                            (guint32) (sums[1] / count) << 8 |
                                                            (guint32) (sums[2] / count);
        }
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}

/* What swatches of that size and their gaps take beside names of that side; 0 where there is no image. */
double
hl_patch_swatch_get_room (HlAttention *attention,
                          HlSide       side,
                          double       size)
{
  HlPicture *picture = hl_attention_get_picture (attention, side);

  return picture != NULL && hl_picture_get_image (picture, 0) != NULL ? size + HL_PATCH_SWATCH_GAP : 0;
}

/* Whether that token has a swatch of that size: it is a patch of an image that is known, and there are enough pixels to see what it is. */
gboolean
hl_patch_swatch_is_there (HlAttention *attention,
                          HlSide       side,
                          gsize        token,
                          double       size)
{
  HlPicturePatch patch;

  return size >= MIN_SIZE && hl_attention_find_patch (attention, side, token, &patch) &&
         hl_picture_get_image (hl_attention_get_picture (attention, side), patch.image) != NULL;
}

/* A square of the patch, of so many logical pixels, size × scale device pixels a side; NULL unless the token is one, of an image that is known. */
cairo_surface_t *
hl_patch_swatch_create (HlAttention *attention,
                        HlSide       side,
                        gsize        token,
                        double       size,
                        double       scale)
{
  HlPicturePatch patch;

  if (!hl_patch_swatch_is_there (attention, side, token, size) ||
      !hl_attention_find_patch (attention, side, token, &patch))
    return NULL;
  const HlImage *image = hl_picture_get_image (hl_attention_get_picture (attention, side), patch.image);
  return make_surface (image, &patch.box, (guint) CLAMP (lround (size * scale), 1, MAX_SIDE));
}

/* Draws a square of the patch with its upper left corner there; whether the token is one, of an image that is known. */
gboolean
hl_patch_swatch_draw (HlAttention *attention,
                      HlSide       side,
                      gsize        token,
                      double       x,
                      double       y,
                      double       size,
                      double       scale,
                      cairo_t     *cr)
{
  g_autoptr (cairo_surface_t) surface = hl_patch_swatch_create (attention, side, token, size, scale);

  if (surface == NULL)
    return FALSE;
  const int n = cairo_image_surface_get_width (surface);
  cairo_save (cr);
  cairo_translate (cr, hl_cairo_snap (x, scale), hl_cairo_snap (y, scale));
  cairo_scale (cr, size / n, size / n);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, 0, 0, n, n);
  cairo_fill (cr);
  cairo_restore (cr);
  return TRUE;
}
