/* SPDX-License-Identifier: MIT */
/* Images of a dump, and which tokens stand for which part of them. Attention can be shown without: what is wrong with them is said, and they
 * are left out. */
#include "core/document/read/hl-dump-picture.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

/* Numbers that are read at a time: rows of pixels, as many as these hold, or one. */
#define BAND (1u << 20)

/* What a row of `image_tokens` says: image, first token, rows, columns, tokens from one row to the next, x, y, width, height. */
#define N_SAID 9

/* Names of these rows, the most particular first, as those of the lists of tokens are. */
static const char *const names[][2][3] = {
  [HL_ATTENTION_SELF] = { { "query_image_tokens", "image_tokens" }, { "key_image_tokens", "image_tokens" } },
  [HL_ATTENTION_ENCODER] = { { "encoder_image_tokens", "image_tokens" }, { "encoder_image_tokens", "image_tokens" } },
  [HL_ATTENTION_DECODER] = { { "decoder_image_tokens", "image_tokens" }, { "decoder_image_tokens", "image_tokens" } },
  [HL_ATTENTION_CROSS] = { { "decoder_image_tokens", "query_image_tokens" },
                           { "encoder_image_tokens", "key_image_tokens" } },
};

static gboolean
take_pixels (const char  *path,
             const float *numbers,
             gsize        n,
             guint8      *pixels,
             GError     **error)
{
  for (gsize i = 0; i < n; i++)
    {
      if (!(numbers[i] >= 0 && numbers[i] <= 255 && numbers[i] == (float) (guint8) numbers[i]))
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                       _ ("“%s” holds %g; whole numbers from 0 to 255 are needed, as pixels have them"), path,
                       (double) numbers[i]);
          return FALSE;
        }
      pixels[i] = (guint8) numbers[i];
    }
  return TRUE;
}

/* One image, [height, width, 3], or with a fourth axis before them the one of that index. @n_pixels: of those before it, to which its own are
 * added */
static HlImage *
read_image (const HlDumpContext *context,
            const char          *path,
            HlTensor            *tensor,
            guint64              index,
            guint64             *n_pixels,
            GError             **error)
{
  const HlShape *shape = hl_tensor_get_shape (tensor);
  const guint before = shape->rank == 4;
  guint64 start[4] = { index }, count[4] = { 1 };

  if (shape->rank != 3 + before || shape->dims[before + 2] != 3 ||
      hl_dtype_get_block (hl_tensor_get_dtype (tensor)) > 1)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("“%s” is %s; height × width × 3 is needed: red, green and blue"),
                   path, sizes);
      return NULL;
    }
  const guint64 height = shape->dims[before], width = shape->dims[before + 1];
  g_autoptr (HlImage) image = hl_image_new (height, width, error);
  if (image == NULL)
    {
      g_prefix_error (error, "“%s”: ", path);
      return NULL;
    }
  *n_pixels += height * width;
  if (*n_pixels > HL_LIMIT_PICTURE_PIXELS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("“images” has more than %u pixels in all its images"),
                   HL_LIMIT_PICTURE_PIXELS);
      return NULL;
    }
  const guint64 band = CLAMP (BAND / (width * 3), 1, height);
  g_autofree float *numbers = g_new (float, band *width * 3);
  count[before + 1] = width;
  count[before + 2] = 3;
  for (guint64 row = 0; row < height; row += band)
    {
      start[before] = row;
      count[before] = MIN (band, height - row);
      if (!hl_tensor_read_f32 (tensor, start, count, numbers, context->cancellable, error) ||
          !take_pixels (path, numbers, count[before] * width * 3, image->pixels + row * width * 3, error))
        return NULL;
    }
  return g_steal_pointer (&image);
}

static gboolean
check_n (guint64  n,
         GError **error)
{
  if (n > 0 && n <= HL_LIMIT_PICTURES)
    return TRUE;
  g_set_error (error, HL_ERROR, n == 0 ? HL_ERROR_MISSING : HL_ERROR_TOO_LARGE,
               _ ("“images” holds %" PRIu64 " images; 1 to %u are read"), n, HL_LIMIT_PICTURES);
  return FALSE;
}

static gboolean
read_tensor (const HlDumpContext *context,
             const char          *path,
             GPtrArray           *images,
             guint64             *n_pixels,
             GError             **error)
{
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, path, error);

  if (tensor == NULL)
    return FALSE;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  const guint64 n = shape->rank == 4 ? shape->dims[0] : 1;
  if (!check_n (n, error))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    {
      HlImage *image = read_image (context, path, tensor, i, n_pixels, error);
      if (image == NULL)
        return FALSE;
      g_ptr_array_add (images, image);
    }
  return TRUE;
}

static gboolean
read_group (const HlDumpContext *context,
            const char          *path,
            GPtrArray           *images,
            guint64             *n_pixels,
            GError             **error)
{
  g_auto (GStrv) members = hl_archive_list (context->archive, path, error);

  if (members == NULL || !check_n (g_strv_length (members), error))
    return FALSE;
  for (guint i = 0; members[i] != NULL; i++)
    {
      g_autofree char *number = g_strdup_printf ("%u", i);
      g_autofree char *member = hl_archive_join (path, number);
      if (hl_archive_get_kind (context->archive, member) != HL_MEMBER_TENSOR)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_MISSING, _ ("“%s” has no image %u, but %u members"), path, i,
                       g_strv_length (members));
          return FALSE;
        }
      if (!read_tensor (context, member, images, n_pixels, error))
        return FALSE;
    }
  return TRUE;
}

/* Returns the images of an example, none if they cannot be read, which is noted; NULL when somebody stopped it. */
GPtrArray *
hl_dump_images_read (const HlDumpContext *context,
                     GError             **error)
{
  g_autoptr (GPtrArray) images = g_ptr_array_new_with_free_func ((GDestroyNotify) hl_image_unref);
  guint64 n_pixels = 0;

  for (guint i = 0; i < 2 && images->len == 0; i++)
    {
      g_autofree char *path = hl_dump_context_get_path (context, i == 0 ? "image" : "images");
      const HlMemberKind kind = hl_archive_get_kind (context->archive, path);
      GError *reason = NULL;

      if ((kind == HL_MEMBER_TENSOR && !read_tensor (context, path, images, &n_pixels, &reason)) ||
          (kind == HL_MEMBER_GROUP && !read_group (context, path, images, &n_pixels, &reason)))
        {
          g_ptr_array_set_size (images, 0);
          if (!hl_dump_context_leave_out (context, reason, error))
            return NULL;
          break;
        }
    }
  return g_steal_pointer (&images);
}

static float *
read_said (const HlDumpContext *context,
           const char          *path,
           gsize                n_tokens,
           guint               *n,
           GError             **error)
{
  const guint64 start[2] = { 0 };
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (context->archive, path, error);

  if (tensor == NULL)
    return NULL;
  const HlShape *shape = hl_tensor_get_shape (tensor);
  if (shape->rank != 2 || shape->dims[1] != N_SAID || shape->dims[0] == 0 || shape->dims[0] > n_tokens)
    {
      g_autofree char *sizes = hl_shape_to_string (shape);
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE,
                   _ ("“%s” is %s; rows of %d numbers are needed, at most one for each of %zu tokens"), path, sizes,
                   N_SAID, n_tokens);
      return NULL;
    }
  g_autofree float *said = g_new (float, shape->dims[0] * N_SAID);
  *n = (guint) shape->dims[0];
  return hl_tensor_read_f32 (tensor, start, shape->dims, said, context->cancellable, error) ? g_steal_pointer (&said)
                                                                                            : NULL;
}

static gboolean
take_grid (const char    *path,
           guint          index,
           const float   *said,
           HlPictureGrid *grid,
           GError       **error)
{
  for (guint i = 0; i < N_SAID; i++)
    if (!(said[i] >= 0 && said[i] <= HL_LIMIT_POSITIONS) || (i < 5 && said[i] != (float) (guint32) said[i]))
      {
        g_set_error (error, HL_ERROR, HL_ERROR_VALUE,
                     _ ("“%s” holds %g in row %u; whole numbers from 0 to %d are needed"), path, (double) said[i],
                     index, HL_LIMIT_POSITIONS);
        return FALSE;
      }
  *grid = (HlPictureGrid){ (guint) said[0], (gsize) said[1], (gsize) said[2],
                           (gsize) said[3], (gsize) said[4], { said[5], said[6], said[7], said[8] } };
  return TRUE;
}

/* @n: the tokens of the side, of which the first is @first in the list that the file speaks of */
static HlPicture *
make_picture (const HlDumpContext *context,
              GPtrArray           *images,
              const char          *path,
              gsize                first,
              gsize                n,
              GError             **error)
{
  guint n_grids, n_kept = 0, n_images = images->len;
  g_autofree float *said = read_said (context, path, first + n, &n_grids, error);

  if (said == NULL)
    return NULL;
  g_autofree HlPictureGrid *grids = g_new (HlPictureGrid, n_grids);
  for (guint i = 0; i < n_grids; i++)
    {
      HlPictureGrid *grid = &grids[n_kept];
      if (!take_grid (path, i, said + (gsize) i * N_SAID, grid, error))
        return NULL;
      /* Queries that came from a cache are not among these. */
      if (grid->first_token < first)
        continue;
      grid->first_token -= first;
      if (images->len == 0)
        n_images = MAX (n_images, grid->image + 1);
      n_kept++;
    }
  if (n_kept == 0)
    return NULL;
  if (n_images > HL_LIMIT_PICTURES)
    {
      check_n (n_images, error);
      return NULL;
    }
  g_autofree HlImage **pixels = g_new0 (HlImage *, MAX (n_images, 1));
  for (guint i = 0; i < images->len; i++)
    pixels[i] = images->pdata[i];
  HlPicture *picture = hl_picture_new (pixels, MAX (n_images, 1), grids, n_kept, n, error);
  if (picture == NULL)
    g_prefix_error (error, "“%s”: ", path);
  return picture;
}

/* Finds the images of one side of an attention. @tokens: (nullable): how they are spelled; @first: which token of the list the first is. Fails
 * only when somebody stopped it. */
gboolean
hl_dump_picture_read (const HlDumpContext *context,
                      GPtrArray           *images,
                      HlAttentionKind      kind,
                      HlSide               side,
                      char               **tokens,
                      gsize                first,
                      gsize                n,
                      HlPicture          **picture,
                      GError             **error)
{
  *picture = NULL;
  for (guint i = 0; names[kind][side][i] != NULL; i++)
    {
      g_autofree char *path = hl_dump_context_get_path (context, names[kind][side][i]);
      const gboolean is_shared = i > 0 && kind != HL_ATTENTION_CROSS;
      GError *reason = NULL;

      if (hl_archive_get_kind (context->archive, path) != HL_MEMBER_TENSOR)
        continue;
      *picture = make_picture (context, images, path, is_shared ? first : 0, n, &reason);
      return reason == NULL || hl_dump_context_leave_out (context, reason, error);
    }
  if (tokens != NULL)
    *picture = hl_picture_new_for_names ((const char *const *) tokens, MIN (g_strv_length (tokens), n),
                                         images->len == 1 ? images->pdata[0] : NULL, n);
  return TRUE;
}

/* Notes images of which nothing says where their tokens are. */
void
hl_dump_picture_note (const HlDumpContext *context,
                      GPtrArray           *images,
                      GPtrArray           *attentions)
{
  if (images->len == 0)
    return;
  for (guint i = 0; i < attentions->len; i++)
    for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
      {
        const HlPicture *picture = hl_attention_get_picture (attentions->pdata[i], side);
        if (picture != NULL && hl_picture_get_image (picture, 0) != NULL)
          return;
      }
  hl_dump_context_add_check (context, HL_SEVERITY_WARNING,
                             images->len == 1
                               ? _ ("there is an image, but neither “image_tokens” nor tokens called “patch 1,1” say "
                                    "where its tokens are; it is left out")
                               : _ ("there are images, but no “image_tokens” say where their tokens are; they are left "
                                    "out"));
}
