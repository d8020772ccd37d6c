/* SPDX-License-Identifier: MIT */
/* Images from files that cameras and browsers write. gdk-pixbuf would open many kinds, some by programs that nobody looks after: only what
 * begins like one of three is given to it, with the name of its kind, and its size is asked for before there is room for it. */
#include "core/document/picture/hl-image.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#include "core/base/file/hl-mapped-file.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/document/picture/hl-image-orientation.h"

/* So much is decoded between two looks at whether anybody still waits: few bytes can be a whole pass over a JPEG. */
#define PART 4096

/* Of each chunk of a PNG: the length of what it holds, its name, that, and a sum. */
#define PNG_SIGNATURE 8
#define PNG_AROUND 12

/* Some time goes by in each pass over a JPEG, however small it is. */
#define LEAST_PASS (1u << 16)

typedef gboolean (*IsWhole) (const guint8 *data, gsize size);
typedef gboolean (*Check) (const guint8 *data, gsize size, GError **error);
typedef gboolean (
  *Feed) (GdkPixbufLoader *loader, const guint8 *data, gsize size, GCancellable *cancellable, GError **error);

typedef struct
{
  const char *loader;
  const char *label;
  /* How its files begin; bytes of 0 in @mask may be any. */
  const char *magic;
  const char *mask;
  gsize n_magic;
  /* Whether its end is there; what follows does not matter. */
  IsWhole is_whole;
  /* What is to be known of it before it is given to the loader, or NULL; and how it is given. */
  Check check;
  Feed feed;
} Kind;

static gsize
get_png_length (const guint8 *chunk)
{
  return (gsize) chunk[0] << 24 | (gsize) chunk[1] << 16 | (gsize) chunk[2] << 8 | chunk[3];
}

/* How many bytes the passes of an interlaced PNG are: each row of one begins with a byte that says how it was packed. */
static guint64
count_passes (const guint8 *png)
{
  static const struct
  {
    guint64 left, top, columns, rows; /* where the first pixel of a pass is, and how far it is to the next ones */
  } passes[] = { { 0, 0, 8, 8 }, { 4, 0, 8, 8 }, { 0, 4, 4, 8 }, { 2, 0, 4, 4 },
                 { 0, 2, 2, 4 }, { 1, 0, 2, 2 }, { 0, 1, 1, 2 } };
  static const guint8 n_channels[] = { 1, 0, 3, 1, 2, 0, 4, 0 };
  const guint64 width = get_png_length (png + 16), height = get_png_length (png + 20);
  const guint64 n_bits = (guint64) png[24] * n_channels[png[25] & 7];
  guint64 n = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (passes); i++)
    {
      const guint64 n_columns = (width + passes[i].columns - 1 - passes[i].left) / passes[i].columns;
      const guint64 n_rows = (height + passes[i].rows - 1 - passes[i].top) / passes[i].rows;
      if (n_columns > 0)
        n += n_rows * (1 + (n_columns * n_bits + 7) / 8);
    }
  return n;
}

/* A loader has rows from the first to the last of each pass of a PNG, and is content with one. @end: behind its chunks */
static gboolean
has_all_passes (const guint8 *png,
                gsize         end)
{
  g_autofree guint8 *unpacked = g_malloc (PART);
  guint64 n_missing = count_passes (png);
  z_stream stream = { 0 };

  if (inflateInit (&stream) != Z_OK)
    return FALSE;
  for (gsize at = PNG_SIGNATURE; n_missing > 0 && at < end; at += PNG_AROUND + get_png_length (png + at))
    {
      int status = Z_OK;
      if (memcmp (png + at + 4, "IDAT", 4) != 0)
        continue;
      stream.next_in = (Bytef *) png + at + 8;
      stream.avail_in = (uInt) get_png_length (png + at);
      while (n_missing > 0 && status == Z_OK)
        {
          stream.next_out = unpacked;
          stream.avail_out = PART;
          status = inflate (&stream, Z_NO_FLUSH);
          n_missing -= MIN (n_missing, PART - stream.avail_out);
        }
    }
  inflateEnd (&stream);
  return n_missing == 0;
}

static gboolean
is_whole_png (const guint8 *data,
              gsize         size)
{
  const gboolean is_interlaced = size > 28 && data[28] == 1;

  for (gsize at = PNG_SIGNATURE; at < size && size - at >= PNG_AROUND;)
    {
      const gsize length = get_png_length (data + at);
      if (memcmp (data + at + 4, "IEND", 4) == 0)
        return !is_interlaced || has_all_passes (data, at);
      if (length > size - at - PNG_AROUND)
        return FALSE;
      at += PNG_AROUND + length;
    }
  return FALSE;
}

/* Goes on to the next mark of a JPEG, and behind what belongs to it; 0 if there is none that is whole. Segments have a length, and so a small picture
 * within one is skipped; pixels follow the segment before them until something else begins. */
static guint8
find_jpeg_mark (const guint8  *data,
                gsize          size,
                gsize         *at,
                const guint8 **segment)
{
  while (*at < size)
    {
      const guint8 *found = memchr (data + *at, 0xff, size - *at);
      if (found == NULL)
        return 0;
      *at = (gsize) (found - data) + 1;
      while (*at < size && data[*at] == 0xff)
        (*at)++;
      if (*at >= size)
        return 0;
      const guint8 mark = data[(*at)++];
      if (mark == 0xd9)
        return mark;
      /* A byte of pixels, or a mark among them. Those below the frames have no length: where a decoder looks for the next restart, it goes over
       * them to whatever mark there is. */
      if (mark < 0xc0 || (mark >= 0xd0 && mark <= 0xd8))
        continue;
      if (size - *at < 2)
        return 0;
      *segment = data + *at;
      *at += (gsize) data[*at] << 8 | data[*at + 1];
      return mark;
    }
  return 0;
}

static gboolean
is_whole_jpeg (const guint8 *data,
               gsize         size)
{
  const guint8 *segment;
  gsize at = 2;
  guint8 mark;

  while ((mark = find_jpeg_mark (data, size, &at, &segment)) != 0)
    if (mark == 0xd9)
      return TRUE;
  return FALSE;
}

/* All of it is one chunk, which says its length. A last byte of padding may be missing. */
static gboolean
is_whole_webp (const guint8 *data,
               gsize         size)
{
  const gsize length = data[4] | (gsize) data[5] << 8 | (gsize) data[6] << 16 | (gsize) data[7] << 24;

  return length <= size - 8 + 1;
}

static gboolean
check_size (gsize    height,
            gsize    width,
            GError **error)
{
  if (height == 0 || width == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_SHAPE, _ ("the image has no pixels"));
      return FALSE;
    }
  if (height > HL_LIMIT_PICTURE_SIDE || width > HL_LIMIT_PICTURE_SIDE || height * width > HL_LIMIT_PICTURE_PIXELS)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
                   _ ("the image has %zu × %zu pixels; at most %u a side, and %u in all, are read"), width, height,
                   HL_LIMIT_PICTURE_SIDE, HL_LIMIT_PICTURE_PIXELS);
      return FALSE;
    }
  return TRUE;
}

/**
 * hl_image_new:
 * @height: rows of pixels
 * @width: columns of pixels
 * @error: why there is none: %HL_ERROR_SHAPE, %HL_ERROR_TOO_LARGE, or no memory
 *
 * Makes an image whose pixels the caller writes before anybody else has it.
 *
 * Returns: (transfer full) (nullable): an image, whose pixels are anything
 */
HlImage *
hl_image_new (gsize    height,
              gsize    width,
              GError **error)
{
  HlImage *self;

  if (!check_size (height, width, error))
    return NULL;
  self = g_atomic_rc_box_alloc (sizeof (HlImage) + height * width * 3);
  self->height = height;
  self->width = width;
  return self;
}

/* What is seen through the pixels is white. */
static HlImage *
take_pixels (GdkPixbuf *pixbuf,
             GError   **error)
{
  const gsize height = (gsize) gdk_pixbuf_get_height (pixbuf), width = (gsize) gdk_pixbuf_get_width (pixbuf);
  const gsize n_channels = (gsize) gdk_pixbuf_get_n_channels (pixbuf);
  const gsize stride = (gsize) gdk_pixbuf_get_rowstride (pixbuf);
  const guint8 *from = gdk_pixbuf_read_pixels (pixbuf);
  HlImage *self = hl_image_new (height, width, error);

  if (self == NULL)
    return NULL;
  for (gsize row = 0; row < height; row++, from += stride)
    {
      guint8 *to = self->pixels + row * width * 3;
      if (n_channels == 3)
        {
          memcpy (to, from, width * 3);
          continue;
        }
      for (gsize i = 0; i < width; i++)
        for (gsize channel = 0; channel < 3; channel++)
          {
            const guint alpha = from[4 * i + 3];
            to[3 * i + channel] = (guint8) ((from[4 * i + channel] * alpha + 255 * (255 - alpha) + 127) / 255);
          }
    }
  return self;
}

typedef struct
{
  gboolean is_refused;
  GError *error;
  int end; /* of the rows that have come; -1 if nothing was said of any */
} Decoding;

/* A loader asks this before it takes memory. There is no other way to stop it than a size of nothing, which all three refuse. */
static void
on_size (GdkPixbufLoader *loader,
         int              width,
         int              height,
         gpointer         data)
{
  Decoding *decoding = data;

  if (decoding->is_refused || check_size ((gsize) MAX (height, 0), (gsize) MAX (width, 0), &decoding->error))
    return;
  decoding->is_refused = TRUE;
  gdk_pixbuf_loader_set_size (loader, 0, 0);
}

/* A loader is content with half a file, and leaves the rest of the pixels as they are. */
static void
on_rows (GdkPixbufLoader *loader,
         int              x,
         int              y,
         int              width,
         int              height,
         gpointer         data)
{
  Decoding *decoding = data;

  decoding->end = MAX (decoding->end, y + height);
}

/* A mark of how a JPEG was packed, with its size: all in this range but tables (DHT, DAC) and one of no meaning (JPG). */
static gboolean
is_jpeg_frame (guint8 mark)
{
  return mark >= 0xc0 && mark <= 0xcf && mark != 0xc4 && mark != 0xc8 && mark != 0xcc;
}

/* A JPEG that has several passes is decoded as a whole in each, and one that changes nothing takes some bytes. */
static gboolean
check_jpeg (const guint8 *data,
            gsize         size,
            GError      **error)
{
  guint64 n_passes = 0, height = 0, width = 0;
  const guint8 *segment;
  gsize at = 2;
  guint8 mark;

  while ((mark = find_jpeg_mark (data, size, &at, &segment)) != 0 && mark != 0xd9)
    if (mark == 0xda)
      n_passes++;
    else if (is_jpeg_frame (mark) && size - (gsize) (segment - data) >= 7)
      {
        height = MAX (height, (guint64) segment[3] << 8 | segment[4]);
        width = MAX (width, (guint64) segment[5] << 8 | segment[6]);
      }
  if (height * width == 0 || n_passes <= HL_LIMIT_PICTURE_PASSES / MAX (height * width, LEAST_PASS))
    return TRUE;
  g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE,
               _ ("the JPEG image is decoded in %" PRIu64 " passes over %" PRIu64 " × %" PRIu64
                  " pixels; at most %u pixels in all are decoded"),
               n_passes, width, height, HL_LIMIT_PICTURE_PASSES);
  return FALSE;
}

/* WebP says its size in one of three headers; its loader takes memory for what it says before it asks. */
static gboolean
check_webp (const guint8 *data,
            gsize         size,
            GError      **error)
{
  gsize width = 1, height = 1;

  if (size < 30)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TRUNCATED, _ ("the WebP image ends in its header"));
      return FALSE;
    }
  if (memcmp (data + 12, "VP8X", 4) == 0)
    {
      /* Its loader says it wrongly where one of its pictures is damaged. */
      if ((data[20] & 2) != 0)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                       _ ("the WebP image moves; one of its pictures alone can be read"));
          return FALSE;
        }
      width = 1 + (data[24] | (gsize) data[25] << 8 | (gsize) data[26] << 16);
      height = 1 + (data[27] | (gsize) data[28] << 8 | (gsize) data[29] << 16);
    }
  else if (memcmp (data + 12, "VP8L", 4) == 0)
    {
      const guint32 bits = data[21] | (guint32) data[22] << 8 | (guint32) data[23] << 16 | (guint32) data[24] << 24;
      width = 1 + (bits & 0x3fff);
      height = 1 + (bits >> 14 & 0x3fff);
    }
  else
    {
      width = (data[26] | (gsize) data[27] << 8) & 0x3fff;
      height = (data[28] | (gsize) data[29] << 8) & 0x3fff;
    }
  return check_size (height, width, error);
}

/* The library's own words are for its users; here they stand behind what the file is. */
static void
set_undecodable (const Kind *kind,
                 GError     *reason,
                 GError    **error)
{
  if (g_error_matches (reason, GDK_PIXBUF_ERROR, GDK_PIXBUF_ERROR_UNKNOWN_TYPE))
    g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED,
                 strcmp (kind->loader, "webp") == 0
                   ? _ ("%s images need a loader of gdk-pixbuf, which is not installed: webp-pixbuf-loader")
                   : _ ("%s images need a loader of gdk-pixbuf, which is not installed"),
                 kind->label);
  else
    g_set_error (error, HL_ERROR, HL_ERROR_CORRUPT, _ ("the %s image cannot be decoded: %s"), kind->label,
                 reason != NULL ? reason->message : _ ("it ends too early"));
}

static gboolean
feed (GdkPixbufLoader *loader,
      const guint8    *data,
      gsize            size,
      GCancellable    *cancellable,
      GError         **error)
{
  for (gsize at = 0; at < size; at += PART)
    if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
        !gdk_pixbuf_loader_write (loader, data + at, MIN (PART, size - at), error))
      return FALSE;
  return TRUE;
}

/* Nothing but what pixels are made of: the loader unpacks texts and profiles too, a thousand times as large as they are in the file. */
static gboolean
feed_png (GdkPixbufLoader *loader,
          const guint8    *data,
          gsize            size,
          GCancellable    *cancellable,
          GError         **error)
{
  gsize fed = 0;

  for (gsize at = PNG_SIGNATURE; at < size && size - at >= PNG_AROUND;)
    {
      const gsize end = at + PNG_AROUND + MIN (get_png_length (data + at), size - at - PNG_AROUND);

      /* A small letter begins the names of those that can be left out. */
      if (g_ascii_isupper (data[at + 4]) || memcmp (data + at + 4, "tRNS", 4) == 0)
        {
          at = end;
          continue;
        }
      if (!feed (loader, data + fed, at - fed, cancellable, error))
        return FALSE;
      fed = at = end;
    }
  return feed (loader, data + fed, size - fed, cancellable, error);
}

static const Kind kinds[] = {
  { "png", "PNG", "\x89PNG\r\n\x1a\n", "\xff\xff\xff\xff\xff\xff\xff\xff", 8, is_whole_png, NULL, feed_png },
  { "jpeg", "JPEG", "\xff\xd8\xff", "\xff\xff\xff", 3, is_whole_jpeg, check_jpeg, feed },
  { "webp", "WebP", "RIFF\0\0\0\0WEBP", "\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff", 12, is_whole_webp, check_webp,
    feed },
};

static const Kind *
find_kind (const guint8 *data,
           gsize         size)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gsize n = 0;
      while (n < kinds[i].n_magic && n < size &&
             ((data[n] ^ (guint8) kinds[i].magic[n]) & (guint8) kinds[i].mask[n]) == 0)
        n++;
      if (n == kinds[i].n_magic)
        return &kinds[i];
    }
  return NULL;
}

/* The library turns it, also where it does not read which way. */
static GdkPixbuf *
turn_upright (GdkPixbuf    *pixbuf,
              const guint8 *data,
              gsize         size)
{
  const guint orientation = hl_image_orientation_find (data, size);
  g_autofree char *written = g_strdup_printf ("%u", orientation);

  if (orientation > 0 && gdk_pixbuf_get_option (pixbuf, "orientation") == NULL)
    gdk_pixbuf_set_option (pixbuf, "orientation", written);
  return gdk_pixbuf_apply_embedded_orientation (pixbuf);
}

/**
 * hl_image_parse:
 * @data: (array length=size): the bytes of a PNG, JPEG or WebP file
 * @size: how many
 * @cancellable: (nullable): to give up
 * @error: what is wrong with it, in one sentence
 *
 * Decodes an image: it is recognised by how it begins, turned as its EXIF orientation says, and laid over white where it is transparent.
 *
 * Returns: (transfer full) (nullable): the image
 */
HlImage *
hl_image_parse (gconstpointer data,
                gsize         size,
                GCancellable *cancellable,
                GError      **error)
{
  const Kind *kind = find_kind (data, size);
  GError *reason = NULL;

  if (kind == NULL)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT, _ ("this is no PNG, JPEG or WebP image"));
      return NULL;
    }
  if (kind->check != NULL && !kind->check (data, size, error))
    return NULL;

  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new_with_type (kind->loader, &reason);
  if (loader == NULL)
    {
      set_undecodable (kind, reason, error);
      g_clear_error (&reason);
      return NULL;
    }
  Decoding asked = { .end = -1 };
  g_signal_connect (loader, "size-prepared", G_CALLBACK (on_size), &asked);
  g_signal_connect (loader, "area-updated", G_CALLBACK (on_rows), &asked);
  const gboolean is_fed = kind->feed (loader, data, size, cancellable, &reason);
  /* Who tells of rows while they come may tell of all in the end, whether they came or not. */
  const int end = asked.end;
  const gboolean is_closed = gdk_pixbuf_loader_close (loader, is_fed ? &reason : NULL);
  GdkPixbuf *pixbuf = is_fed && is_closed && asked.error == NULL ? gdk_pixbuf_loader_get_pixbuf (loader) : NULL;
  /* A loader makes up what is missing of a JPEG, and of rows that come again and again has them all soon. */
  if (pixbuf != NULL && ((end >= 0 ? end : asked.end) < gdk_pixbuf_get_height (pixbuf) || !kind->is_whole (data, size)))
    pixbuf = NULL;
  if (asked.error != NULL)
    g_propagate_error (error, g_steal_pointer (&asked.error));
  else if (g_error_matches (reason, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&reason));
  else if (pixbuf == NULL)
    set_undecodable (kind, reason, error);
  g_clear_error (&reason);
  if (pixbuf == NULL)
    return NULL;

  g_autoptr (GdkPixbuf) upright = turn_upright (pixbuf, data, size);
  if (upright == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  return take_pixels (upright, error);
}

/**
 * hl_image_load:
 * @file: a PNG, JPEG or WebP file
 * @cancellable: (nullable): to give up
 * @error: what is wrong with it, in one sentence that does not name the file
 *
 * Reads an image, see hl_image_parse(). Blocks, and takes about 20 ms for a million pixels: from any thread but the main one.
 *
 * Returns: (transfer full) (nullable): the image
 */
HlImage *
hl_image_load (GFile        *file,
               GCancellable *cancellable,
               GError      **error)
{
  g_return_val_if_fail (G_IS_FILE (file), NULL);

  g_autoptr (HlMappedFile) mapped = hl_mapped_file_open (file, error);
  if (mapped == NULL)
    return NULL;
  const gsize size = hl_mapped_file_get_size (mapped);
  if (size > HL_LIMIT_PICTURE_FILE)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_TOO_LARGE, _ ("the image has %zu bytes; at most %u are read"), size,
                   HL_LIMIT_PICTURE_FILE);
      return NULL;
    }
  g_autoptr (HlImage) image = hl_image_parse (hl_mapped_file_get_data (mapped), size, cancellable, error);
  return image != NULL && hl_mapped_file_check (mapped, error) ? g_steal_pointer (&image) : NULL;
}

/**
 * hl_image_scale:
 * @self: an image
 * @height: rows that are wanted
 * @width: columns that are wanted
 * @error: as hl_image_new() has it
 *
 * Makes the image larger or smaller, for people to look at: where several pixels become one it is their mean. Takes about 10 ms for a million pixels.
 *
 * Returns: (transfer full) (nullable): the image in that size, @self where it has it
 */
HlImage *
hl_image_scale (HlImage *self,
                gsize    height,
                gsize    width,
                GError **error)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->height == height && self->width == width)
    return hl_image_ref (self);
  if (!check_size (height, width, error))
    return NULL;
  g_autoptr (GdkPixbuf)
    pixbuf = gdk_pixbuf_new_from_data (self->pixels, GDK_COLORSPACE_RGB, FALSE, 8, (int) self->width,
                                       (int) self->height, (int) self->width * 3, NULL, NULL);
  g_autoptr (GdkPixbuf) scaled = gdk_pixbuf_scale_simple (pixbuf, (int) width, (int) height, GDK_INTERP_BILINEAR);
  if (scaled == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  return take_pixels (scaled, error);
}

HlImage *
hl_image_ref (HlImage *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

void
hl_image_unref (HlImage *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release (self);
}

/**
 * hl_image_equal:
 * @a: (nullable): an image
 * @b: (nullable): another
 *
 * Returns: whether both are of the same pixels
 */
gboolean
hl_image_equal (const HlImage *a,
                const HlImage *b)
{
  return a == b || (a != NULL && b != NULL && a->height == b->height && a->width == b->width &&
                    memcmp (a->pixels, b->pixels, a->height * a->width * 3) == 0);
}
