/* SPDX-License-Identifier: MIT */
/* The image that is kept with what a model computed of it, and which part of it its patches cover. */
#include "core/model/vision/hl-image-picture.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-limits.h"

/* A photograph has more pixels than any screen, and would make dumps large that it is kept in. */
static HlImage *
reduce (HlImage     *image,
        HlImageView *view,
        GError     **error)
{
  const double n = (double) image->height * (double) image->width;

  if (n <= HL_LIMIT_KEPT_PICTURE)
    return hl_image_ref (image);
  const double factor = sqrt (HL_LIMIT_KEPT_PICTURE / n);
  const gsize height = (gsize) MAX (factor * (double) image->height, 1);
  const gsize width = (gsize) MAX (factor * (double) image->width, 1);
  const double x_factor = (double) width / (double) image->width;
  const double y_factor = (double) height / (double) image->height;
  view->x *= x_factor;
  view->x_scale *= x_factor;
  view->y *= y_factor;
  view->y_scale *= y_factor;
  return hl_image_resize (image, height, width, HL_IMAGE_FILTER_BOX, HL_IMAGE_ROUNDING_PILLOW, error);
}

/* How many black pixels a model sees before the first and behind the last. */
static void
measure_black (double box_start,
               double box_size,
               gsize  n,
               gsize *before,
               gsize *behind)
{
  *before = (gsize) MAX (ceil (-box_start - 1e-6), 0);
  *behind = (gsize) MAX (ceil (box_start + box_size - (double) n - 1e-6), 0);
}

/* The image, with what is black around it where the model sees that, too. */
static HlImage *
surround (HlImage      *image,
          HlPictureBox *box,
          GError      **error)
{
  gsize above, below, left, right;

  measure_black (box->y, box->height, image->height, &above, &below);
  measure_black (box->x, box->width, image->width, &left, &right);
  if (above == 0 && below == 0 && left == 0 && right == 0)
    return hl_image_ref (image);
  HlImage *whole = hl_image_new (above + image->height + below, left + image->width + right, error);
  if (whole == NULL)
    return NULL;
  memset (whole->pixels, 0, whole->height * whole->width * 3);
  for (gsize i = 0; i < image->height; i++)
    memcpy (whole->pixels + ((above + i) * whole->width + left) * 3, image->pixels + i * image->width * 3,
            image->width * 3);
  box->x += (double) left;
  box->y += (double) above;
  return whole;
}

/**
 * hl_image_view_make_picture:
 * @view: what of the image the pixels are
 * @image: an image
 * @grid: where patches stand, whose box is in the pixels that the model was given
 * @n_tokens: how many tokens there are
 * @error: no memory, or black around it that makes it too large
 *
 * Makes what is shown of an image: itself, or a smaller one of a large one; black is added where the model sees some around it.
 *
 * Returns: (transfer full) (nullable): a picture
 */
HlPicture *
hl_image_view_make_picture (const HlImageView   *view,
                            HlImage             *image,
                            const HlPictureGrid *grid,
                            gsize                n_tokens,
                            GError             **error)
{
  g_return_val_if_fail (view != NULL && image != NULL && grid != NULL, NULL);

  HlImageView own = *view;
  HlPictureGrid shown = *grid;
  g_autoptr (HlImage) reduced = reduce (image, &own, error);

  if (reduced == NULL)
    return NULL;
  shown.image = 0;
  shown.box = (HlPictureBox){
    .x = own.x + grid->box.x * own.x_scale,
    .y = own.y + grid->box.y * own.y_scale,
    .width = grid->box.width * own.x_scale,
    .height = grid->box.height * own.y_scale,
  };
  g_autoptr (HlImage) whole = surround (reduced, &shown.box, error);
  if (whole == NULL)
    return NULL;
  /* What was multiplied and divided may be a little off the edge. */
  shown.box.x = MAX (shown.box.x, 0);
  shown.box.y = MAX (shown.box.y, 0);
  shown.box.width = MIN (shown.box.width, (double) whole->width - shown.box.x);
  shown.box.height = MIN (shown.box.height, (double) whole->height - shown.box.y);
  return hl_picture_new (&whole, 1, &shown, 1, n_tokens, error);
}
