/* SPDX-License-Identifier: MIT */
/* Which tokens stand for which part of an image. Grids are few and their tokens do not mix, so that a token is found by the grid that
 * begins last before it. */
#include "core/document/picture/hl-picture.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

typedef struct
{
  double width;
  double height;
} Size;

struct _HlPicture
{
  gsize n_tokens;
  guint n_images;
  HlImage **images; /* of NULL where only the places of patches are known */
  Size *sizes;      /* of images */
  guint n_grids;
  HlPictureGrid *grids; /* by their first token */
};

/* Tokens from the first patch of a grid to behind its last; G_MAXSIZE if that overflows. */
static gsize
get_span (const HlPictureGrid *grid)
{
  gsize span;

  if (!g_size_checked_mul (&span, grid->n_rows - 1, grid->stride) || !g_size_checked_add (&span, span, grid->n_columns))
    return G_MAXSIZE;
  return span;
}

/* Negated, so that what is no number is refused. */
static gboolean
is_inside (const HlPictureBox *box,
           double              width,
           double              height)
{
  return box->x >= 0 && box->y >= 0 && box->width > 0 && box->height > 0 && box->x + box->width <= width &&
         box->y + box->height <= height;
}

/* Sizes of images, of pixels or as their grids need. All at once: grids may be thousands. */
static void
measure (HlPicture *self)
{
  self->sizes = g_new0 (Size, self->n_images);
  for (guint i = 0; i < self->n_images; i++)
    if (self->images[i] != NULL)
      self->sizes[i] = (Size){ (double) self->images[i]->width, (double) self->images[i]->height };
  for (guint i = 0; i < self->n_grids; i++)
    {
      const guint image = self->grids[i].image;
      const HlPictureBox *box = &self->grids[i].box;
      if (image >= self->n_images || self->images[image] != NULL)
        continue;
      Size *size = &self->sizes[image];
      size->width = fmin (fmax (size->width, box->x + box->width), HL_LIMIT_POSITIONS);
      size->height = fmin (fmax (size->height, box->y + box->height), HL_LIMIT_POSITIONS);
    }
}

static gboolean
check_grid (const HlPicture *self,
            guint            index,
            GError         **error)
{
  const HlPictureGrid *grid = &self->grids[index];

  if (grid->image >= self->n_images)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("grid %u is of image %u, but there are %u"), index, grid->image,
                   self->n_images);
      return FALSE;
    }
  if (grid->n_rows == 0 || grid->n_columns == 0 || grid->stride < grid->n_columns)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                   _ ("grid %u has %zu × %zu patches and %zu tokens from one row to the next"), index, grid->n_rows,
                   grid->n_columns, grid->stride);
      return FALSE;
    }
  const gsize span = get_span (grid);
  if (grid->first_token > self->n_tokens || span > self->n_tokens - grid->first_token)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("grid %u has %zu × %zu patches from token %zu on, but there are %zu tokens"), index, grid->n_rows,
                   grid->n_columns, grid->first_token, self->n_tokens);
      return FALSE;
    }
  const Size *size = &self->sizes[grid->image];
  if (!is_inside (&grid->box, size->width, size->height))
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("grid %u covers more than its image of %.0f × %.0f pixels"),
                   index, size->width, size->height);
      return FALSE;
    }
  return TRUE;
}

static int
compare_grids (gconstpointer a,
               gconstpointer b)
{
  const gsize first = ((const HlPictureGrid *) a)->first_token, second = ((const HlPictureGrid *) b)->first_token;

  return (first > second) - (first < second);
}

/**
 * hl_picture_new:
 * @images: (array length=n_images): the images; an image may be %NULL where only the places of patches are known
 * @n_images: at least 1
 * @grids: (array length=n_grids): where tokens stand
 * @n_grids: at least 1
 * @n_tokens: how many tokens the list has
 * @error: which grid is wrong, counted from 0
 *
 * Makes a picture of a list of tokens. Images are shared, not copied.
 *
 * Returns: (transfer full) (nullable): a picture; %NULL where a grid lies outside its image or the tokens, or two claim the same token
 */
HlPicture *
hl_picture_new (HlImage *const      *images,
                guint                n_images,
                const HlPictureGrid *grids,
                guint                n_grids,
                gsize                n_tokens,
                GError             **error)
{
  g_return_val_if_fail (images != NULL && n_images > 0, NULL);
  g_return_val_if_fail (grids != NULL && n_grids > 0, NULL);

  if (n_images > HL_LIMIT_PICTURES)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there are %u images; at most %u are read"), n_images,
                   HL_LIMIT_PICTURES);
      return NULL;
    }
  if (n_grids > HL_LIMIT_PICTURE_GRIDS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("there are %u grids of patches; at most %u are read"),
                   n_grids, HL_LIMIT_PICTURE_GRIDS);
      return NULL;
    }
  g_autoptr (HlPicture) self = g_atomic_rc_box_new0 (HlPicture);
  self->n_tokens = n_tokens;
  self->n_images = n_images;
  self->images = g_new0 (HlImage *, n_images);
  for (guint i = 0; i < n_images; i++)
    self->images[i] = images[i] != NULL ? hl_image_ref (images[i]) : NULL;
  self->n_grids = n_grids;
  self->grids = g_memdup2 (grids, n_grids * sizeof *grids);
  measure (self);
  for (guint i = 0; i < n_grids; i++)
    if (!check_grid (self, i, error))
      return NULL;
  qsort (self->grids, n_grids, sizeof *self->grids, compare_grids);
  for (guint i = 1; i < n_grids; i++)
    if (self->grids[i].first_token - self->grids[i - 1].first_token < get_span (&self->grids[i - 1]))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("two grids of patches claim token %zu"),
                     self->grids[i].first_token);
        return NULL;
      }
  return g_steal_pointer (&self);
}

/* “patch 2,3”: row and column, from 1. */
static gboolean
parse_name (const char *name,
            gsize      *row,
            gsize      *column)
{
  guint64 at[2];

  if (name == NULL || !g_str_has_prefix (name, "patch "))
    return FALSE;
  name += strlen ("patch ");
  for (guint i = 0; i < 2; i++)
    {
      char *end;
      if (!g_ascii_isdigit (*name))
        return FALSE;
      at[i] = g_ascii_strtoull (name, &end, 10);
      if (at[i] == 0 || at[i] > HL_LIMIT_POSITIONS || *end != (i == 0 ? ',' : '\0'))
        return FALSE;
      name = end + 1;
    }
  *row = at[0] - 1;
  *column = at[1] - 1;
  return TRUE;
}

/**
 * hl_picture_new_for_names:
 * @tokens: (array length=n_named): tokens as they are spelled
 * @n_named: how many
 * @image: (nullable): the image that the patches cover, all of it
 * @n_tokens: how many tokens the list has, at least @n_named: those at the end may have no spelling
 *
 * Finds the patches of tokens that say where they stand: `patch 2,3` is in row 2, column 3, both from 1. They stand row by row, as many in each
 * row; other tokens may stand before, behind and between rows.
 *
 * Returns: (transfer full) (nullable): a picture; %NULL where tokens do not name a whole grid of at least two patches
 */
HlPicture *
hl_picture_new_for_names (const char *const *tokens,
                          gsize              n_named,
                          HlImage           *image,
                          gsize              n_tokens)
{
  HlPictureGrid grid = { .stride = 0 };
  gsize n_patches = 0, row, column;

  for (gsize i = 0; i < n_named; i++)
    {
      if (!parse_name (tokens[i], &row, &column))
        continue;
      if (n_patches == 0)
        grid.first_token = i;
      if (row == 1 && column == 0 && grid.stride == 0)
        grid.stride = i - grid.first_token;
      grid.n_rows = MAX (grid.n_rows, row + 1);
      grid.n_columns = MAX (grid.n_columns, column + 1);
      n_patches++;
    }
  if (n_patches < 2 || n_patches / grid.n_columns != grid.n_rows || n_patches % grid.n_columns != 0)
    return NULL;
  if (grid.n_rows == 1)
    grid.stride = grid.n_columns;
  for (gsize i = 0; i < n_patches; i++)
    {
      const gsize token = grid.first_token + i / grid.n_columns * grid.stride + i % grid.n_columns;
      if (token >= n_named || !parse_name (tokens[token], &row, &column) || row != i / grid.n_columns ||
          column != i % grid.n_columns)
        return NULL;
    }
  grid.box.width = image != NULL ? (double) image->width : (double) grid.n_columns;
  grid.box.height = image != NULL ? (double) image->height : (double) grid.n_rows;

  HlPicture *self = g_atomic_rc_box_new0 (HlPicture);
  self->n_tokens = n_tokens;
  self->n_images = 1;
  self->images = g_new0 (HlImage *, 1);
  self->images[0] = image != NULL ? hl_image_ref (image) : NULL;
  self->n_grids = 1;
  self->grids = g_memdup2 (&grid, sizeof grid);
  measure (self);
  return self;
}

HlPicture *
hl_picture_ref (HlPicture *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  HlPicture *self = data;

  for (guint i = 0; i < self->n_images; i++)
    g_clear_pointer (&self->images[i], hl_image_unref);
  g_free (self->images);
  g_free (self->sizes);
  g_free (self->grids);
}

void
hl_picture_unref (HlPicture *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, clear);
}

/**
 * hl_picture_get_n_images:
 * @self: a picture
 *
 * Returns: how many images it has, at least 1
 */
guint
hl_picture_get_n_images (const HlPicture *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_images;
}

/**
 * hl_picture_get_image:
 * @self: a picture
 * @image: which of the images
 *
 * Returns: (transfer none) (nullable): its pixels; %NULL where only the places of patches are known
 */
HlImage *
hl_picture_get_image (const HlPicture *self,
                      guint            image)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (image < self->n_images, NULL);

  return self->images[image];
}

/**
 * hl_picture_get_size:
 * @self: a picture
 * @image: which of the images
 * @width: (out): its width
 * @height: (out): its height
 *
 * Gives the size that boxes are inside of, in pixels; without pixels it is as large as its grids need.
 */
void
hl_picture_get_size (const HlPicture *self,
                     guint            image,
                     double          *width,
                     double          *height)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (image < self->n_images);

  *width = self->sizes[image].width;
  *height = self->sizes[image].height;
}

/**
 * hl_picture_get_grids:
 * @self: a picture
 * @n_grids: (out): how many, at least 1
 *
 * Returns: (transfer none) (array length=n_grids): its grids, by their first token
 */
const HlPictureGrid *
hl_picture_get_grids (const HlPicture *self,
                      guint           *n_grids)
{
  g_return_val_if_fail (self != NULL, NULL);

  *n_grids = self->n_grids;
  return self->grids;
}

/**
 * hl_picture_get_n_tokens:
 * @self: a picture
 *
 * Returns: how many tokens the list has, those without a patch too
 */
gsize
hl_picture_get_n_tokens (const HlPicture *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_tokens;
}

/**
 * hl_picture_get_box:
 * @self: a picture
 * @grid: which of its grids
 * @row: a row of it, from 0
 * @column: a column of it, from 0
 * @box: (out): what the patch covers of the image
 *
 * Says where a patch lies.
 */
void
hl_picture_get_box (const HlPicture *self,
                    guint            grid,
                    gsize            row,
                    gsize            column,
                    HlPictureBox    *box)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (grid < self->n_grids);

  const HlPictureGrid *of = &self->grids[grid];
  box->width = of->box.width / (double) of->n_columns;
  box->height = of->box.height / (double) of->n_rows;
  box->x = of->box.x + (double) column * box->width;
  box->y = of->box.y + (double) row * box->height;
}

/**
 * hl_picture_find:
 * @self: a picture
 * @token: a token of the list, from 0
 * @patch: (out): what it stands for
 *
 * Returns: whether it stands for a part of an image
 */
gboolean
hl_picture_find (const HlPicture *self,
                 gsize            token,
                 HlPicturePatch  *patch)
{
  g_return_val_if_fail (self != NULL && patch != NULL, FALSE);

  guint low = 0, high = self->n_grids;
  while (low < high)
    {
      const guint middle = low + (high - low) / 2;
      if (self->grids[middle].first_token <= token)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return FALSE;

  const HlPictureGrid *grid = &self->grids[low - 1];
  const gsize at = token - grid->first_token;
  patch->grid = low - 1;
  patch->image = grid->image;
  patch->row = at / grid->stride;
  patch->column = at % grid->stride;
  if (patch->row >= grid->n_rows || patch->column >= grid->n_columns)
    return FALSE;
  hl_picture_get_box (self, patch->grid, patch->row, patch->column, &patch->box);
  return TRUE;
}

/**
 * hl_picture_pick:
 * @self: a picture
 * @grid: which of its grids: several may cover the same part of an image
 * @x: from the left of the image, in pixels
 * @y: from above, in pixels
 * @token: (out): the token there
 *
 * Returns: whether a patch of the grid lies there
 */
gboolean
hl_picture_pick (const HlPicture *self,
                 guint            grid,
                 double           x,
                 double           y,
                 gsize           *token)
{
  g_return_val_if_fail (self != NULL && token != NULL, FALSE);
  g_return_val_if_fail (grid < self->n_grids, FALSE);

  const HlPictureGrid *of = &self->grids[grid];
  const double column = floor ((x - of->box.x) / of->box.width * (double) of->n_columns);
  const double row = floor ((y - of->box.y) / of->box.height * (double) of->n_rows);
  if (!(column >= 0 && column < (double) of->n_columns && row >= 0 && row < (double) of->n_rows))
    return FALSE;
  *token = of->first_token + (gsize) row * of->stride + (gsize) column;
  return TRUE;
}

/**
 * hl_picture_name_patch:
 * @self: a picture
 * @patch: one of its patches
 *
 * Names a patch as tokens do that say where they stand: `patch 2,3`, row and column from 1; where there are several grids with the number of
 * its grid, from 1: `2: patch 2,3`.
 *
 * Returns: (transfer full): its name, in no language
 */
char *
hl_picture_name_patch (const HlPicture      *self,
                       const HlPicturePatch *patch)
{
  g_return_val_if_fail (self != NULL && patch != NULL, NULL);

  return self->n_grids == 1 ? g_strdup_printf ("patch %zu,%zu", patch->row + 1, patch->column + 1)
                            : g_strdup_printf ("%u: patch %zu,%zu", patch->grid + 1, patch->row + 1, patch->column + 1);
}

/**
 * hl_picture_equal:
 * @a: (nullable): a picture
 * @b: (nullable): another
 *
 * Returns: whether both have the same images and the same grids of as many tokens
 */
gboolean
hl_picture_equal (const HlPicture *a,
                  const HlPicture *b)
{
  if (a == b || a == NULL || b == NULL)
    return a == b;
  if (a->n_tokens != b->n_tokens || a->n_images != b->n_images || a->n_grids != b->n_grids)
    return FALSE;
  for (guint i = 0; i < a->n_images; i++)
    if (!hl_image_equal (a->images[i], b->images[i]))
      return FALSE;
  for (guint i = 0; i < a->n_grids; i++)
    {
      const HlPictureGrid *one = &a->grids[i], *other = &b->grids[i];
      if (one->image != other->image || one->first_token != other->first_token || one->n_rows != other->n_rows ||
          one->n_columns != other->n_columns || one->stride != other->stride || one->box.x != other->box.x ||
          one->box.y != other->box.y || one->box.width != other->box.width || one->box.height != other->box.height)
        return FALSE;
    }
  return TRUE;
}
