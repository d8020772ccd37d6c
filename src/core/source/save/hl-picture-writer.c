/* SPDX-License-Identifier: MIT */
/* Images of an example into a dump (data/dump-format.md, “Pictures”): each once, and for each list of tokens where it stands in them. */
#include "core/source/save/hl-picture-writer.h"

#include "core/archive/hl-archive.h"

/* Numbers that are written at a time: rows of pixels, as many as these hold, or one. */
#define BAND (1u << 18)

#define N_SAID 9

typedef struct
{
  const char *name;
  HlPicture *picture;
} List;

/* The lists of tokens, as hl_dump_writer_save() calls them; two for an attention whose sides differ. */
static guint
find_lists (HlExample *example,
            List       lists[2])
{
  static const struct
  {
    HlAttentionKind kind;
    HlSide side;
    const char *name;
  } places[] = { { HL_ATTENTION_ENCODER, HL_QUERIES, "encoder_image_tokens" },
                 { HL_ATTENTION_CROSS, HL_KEYS, "encoder_image_tokens" },
                 { HL_ATTENTION_DECODER, HL_QUERIES, "decoder_image_tokens" },
                 { HL_ATTENTION_CROSS, HL_QUERIES, "decoder_image_tokens" } };
  HlAttention *self = hl_example_find_attention (example, HL_ATTENTION_SELF);
  guint n = 0;

  if (self != NULL)
    {
      HlPicture *queries = hl_attention_get_picture (self, HL_QUERIES);
      HlPicture *keys = hl_attention_get_picture (self, HL_KEYS);
      if (hl_picture_equal (queries, keys))
        lists[n++] = (List){ "image_tokens", queries };
      else
        {
          lists[n++] = (List){ "query_image_tokens", queries };
          lists[n++] = (List){ "key_image_tokens", keys };
        }
      return n;
    }
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      HlAttention *attention = hl_example_find_attention (example, places[i].kind);
      HlPicture *picture = attention != NULL ? hl_attention_get_picture (attention, places[i].side) : NULL;
      if (picture != NULL && (n == 0 || !g_str_equal (lists[n - 1].name, places[i].name)))
        lists[n++] = (List){ places[i].name, picture };
    }
  return n;
}

/* Where an image is among those that are written, which it joins. */
static guint
add_image (GPtrArray *images,
           HlImage   *image)
{
  guint index;

  for (index = 0; index < images->len; index++)
    if (hl_image_equal (images->pdata[index], image))
      return index;
  g_ptr_array_add (images, image);
  return index;
}

static gboolean
save_image (HlArchiveWriter *writer,
            const char      *path,
            const HlImage   *image,
            GCancellable    *cancellable,
            GError         **error)
{
  const gsize line = image->width * 3, band = CLAMP (BAND / line, 1, image->height);
  const HlShape shape = { 3, { image->height, image->width, 3 } };
  const guint64 chunk[] = { band, image->width, 3 };
  g_autofree float *numbers = g_new (float, band *line);

  if (!hl_archive_writer_begin_tensor (writer, path, HL_DTYPE_U8, &shape, chunk, error))
    return FALSE;
  for (gsize row = 0; row < image->height; row += band)
    {
      const gsize n = MIN (band, image->height - row) * line;
      const guint8 *pixels = image->pixels + row * line;
      for (gsize i = 0; i < n; i++)
        numbers[i] = pixels[i];
      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !hl_archive_writer_write (writer, numbers, n, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
save_list (HlArchiveWriter *writer,
           const char      *group,
           const List      *list,
           GPtrArray       *images,
           GError         **error)
{
  guint n_grids;
  const HlPictureGrid *grids = hl_picture_get_grids (list->picture, &n_grids);
  g_autofree char *path = hl_archive_join (group, list->name);
  const HlShape shape = { 2, { n_grids, N_SAID } };
  gboolean is_whole = TRUE;

  for (guint i = 0; i < n_grids; i++)
    is_whole = is_whole && grids[i].box.x == (double) (gint32) grids[i].box.x &&
               grids[i].box.y == (double) (gint32) grids[i].box.y &&
               grids[i].box.width == (double) (gint32) grids[i].box.width &&
               grids[i].box.height == (double) (gint32) grids[i].box.height;
  if (!hl_archive_writer_begin_tensor (writer, path, is_whole ? HL_DTYPE_I32 : HL_DTYPE_F32, &shape, shape.dims, error))
    return FALSE;
  for (guint i = 0; i < n_grids; i++)
    {
      const HlPictureGrid *grid = &grids[i];
      HlImage *image = hl_picture_get_image (list->picture, grid->image);
      const float said[N_SAID] = { (float) (image != NULL ? add_image (images, image) : grid->image),
                                   (float) grid->first_token,
                                   (float) grid->n_rows,
                                   (float) grid->n_columns,
                                   (float) grid->stride,
                                   (float) grid->box.x,
                                   (float) grid->box.y,
                                   (float) grid->box.width,
                                   (float) grid->box.height };
      if (!hl_archive_writer_write (writer, said, N_SAID, error))
        return FALSE;
    }
  return TRUE;
}

/* Writes what an example has of images; nothing where it has none. */
gboolean
hl_picture_writer_save (HlArchiveWriter *writer,
                        const char      *group,
                        HlExample       *example,
                        GCancellable    *cancellable,
                        GError         **error)
{
  List lists[2];
  const guint n_lists = find_lists (example, lists);
  g_autoptr (GPtrArray) images = g_ptr_array_new ();

  for (guint i = 0; i < n_lists; i++)
    for (guint image = 0; lists[i].picture != NULL && image < hl_picture_get_n_images (lists[i].picture); image++)
      if (hl_picture_get_image (lists[i].picture, image) != NULL)
        add_image (images, hl_picture_get_image (lists[i].picture, image));
  for (guint i = 0; i < images->len; i++)
    {
      g_autofree char *name = images->len == 1 ? g_strdup ("image") : g_strdup_printf ("images/%u", i);
      g_autofree char *path = hl_archive_join (group, name);
      if (!save_image (writer, path, images->pdata[i], cancellable, error))
        return FALSE;
    }
  for (guint i = 0; i < n_lists; i++)
    if (lists[i].picture != NULL && !save_list (writer, group, &lists[i], images, error))
      return FALSE;
  return TRUE;
}
