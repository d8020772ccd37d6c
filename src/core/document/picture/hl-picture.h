/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "core/document/picture/hl-image.h"

G_BEGIN_DECLS

/**
 * HlPictureBox:
 * @x: the left edge, from the left of the image, in pixels
 * @y: the upper edge, from above, in pixels
 * @width: in pixels, above 0
 * @height: in pixels, above 0
 *
 * A part of an image.
 */
typedef struct
{
  double x;
  double y;
  double width;
  double height;
} HlPictureBox;

/**
 * HlPictureGrid:
 * @image: which of the images
 * @first_token: the token of the patch above at the left, among the tokens of the list, from 0
 * @n_rows: rows of patches, at least 1
 * @n_columns: patches of a row, at least 1
 * @stride: tokens from a patch to the one below it; more than @n_columns where other tokens end a row
 * @box: what of the image the patches cover, each an equal part
 *
 * Tokens that stand for parts of an image, row by row.
 */
typedef struct
{
  guint        image;
  gsize        first_token;
  gsize        n_rows;
  gsize        n_columns;
  gsize        stride;
  HlPictureBox box;
} HlPictureGrid;

/**
 * HlPicturePatch:
 * @grid: the grid it is of
 * @image: which of the images
 * @row: its row in the grid, from 0; people count from 1
 * @column: its column, from 0
 * @box: what it covers of the image
 *
 * What one token stands for.
 */
typedef struct
{
  guint        grid;
  guint        image;
  gsize        row;
  gsize        column;
  HlPictureBox box;
} HlPicturePatch;

/**
 * HlPicture:
 *
 * The images of a list of tokens, and which of the tokens stand for which part of them. Immutable; reference counted; from any thread.
 */
typedef struct _HlPicture HlPicture;

HlPicture           *hl_picture_new          (HlImage *const       *images,
                                              guint                 n_images,
                                              const HlPictureGrid  *grids,
                                              guint                 n_grids,
                                              gsize                 n_tokens,
                                              GError              **error);
HlPicture           *hl_picture_new_for_names (const char *const   *tokens,
                                              gsize                 n_named,
                                              HlImage              *image,
                                              gsize                 n_tokens);
HlPicture           *hl_picture_ref          (HlPicture            *self);
void                 hl_picture_unref        (HlPicture            *self);
guint                hl_picture_get_n_images (const HlPicture      *self);
HlImage             *hl_picture_get_image    (const HlPicture      *self,
                                              guint                 image);
void                 hl_picture_get_size     (const HlPicture      *self,
                                              guint                 image,
                                              double               *width,
                                              double               *height);
const HlPictureGrid *hl_picture_get_grids    (const HlPicture      *self,
                                              guint                *n_grids);
gsize                hl_picture_get_n_tokens (const HlPicture      *self);
gboolean             hl_picture_find         (const HlPicture      *self,
                                              gsize                 token,
                                              HlPicturePatch       *patch);
void                 hl_picture_get_box      (const HlPicture      *self,
                                              guint                 grid,
                                              gsize                 row,
                                              gsize                 column,
                                              HlPictureBox         *box);
gboolean             hl_picture_pick         (const HlPicture      *self,
                                              guint                 grid,
                                              double                x,
                                              double                y,
                                              gsize                *token);
char                *hl_picture_name_patch   (const HlPicture      *self,
                                              const HlPicturePatch *patch);
gboolean             hl_picture_equal        (const HlPicture      *a,
                                              const HlPicture      *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlPicture, hl_picture_unref)

G_END_DECLS
