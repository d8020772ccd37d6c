/* SPDX-License-Identifier: MIT */
/* Images from files, and which token stands for which part of them. */
#include "core/document/picture/hl-image-orientation.h"
#include "core/document/picture/hl-picture.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

/* Left half red, right half blue, the upper row of pixels green; half seen through where @alpha is. */
static GdkPixbuf *
make_pixbuf (int      width,
             int      height,
             gboolean alpha)
{
  GdkPixbuf *pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, alpha, 8, width, height);
  guint8 *pixels = gdk_pixbuf_get_pixels (pixbuf);
  const int n = gdk_pixbuf_get_n_channels (pixbuf), stride = gdk_pixbuf_get_rowstride (pixbuf);

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        guint8 *pixel = pixels + y * stride + x * n;
        pixel[0] = y > 0 && x < width / 2 ? 255 : 0;
        pixel[1] = y == 0 ? 255 : 0;
        pixel[2] = y > 0 && x >= width / 2 ? 255 : 0;
        if (alpha)
          pixel[3] = 128;
      }
  return pixbuf;
}

static GBytes *
encode (GdkPixbuf  *pixbuf,
        const char *kind)
{
  g_autoptr (GError) error = NULL;
  char *data;
  gsize size;

  gdk_pixbuf_save_to_buffer (pixbuf, &data, &size, kind, &error, NULL);
  g_assert_no_error (error);
  return g_bytes_new_take (data, size);
}

static HlImage *
parse (GBytes  *bytes,
       GError **error)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (bytes, &size);

  return hl_image_parse (data, size, NULL, error);
}

static void
assert_pixel (const HlImage *image,
              gsize          row,
              gsize          column,
              int            red,
              int            green,
              int            blue)
{
  const guint8 *pixel = image->pixels + (row * image->width + column) * 3;

  g_assert_cmpint (ABS (pixel[0] - red) + ABS (pixel[1] - green) + ABS (pixel[2] - blue), <=, 12);
}

static void
test_png (void)
{
  for (int alpha = 0; alpha < 2; alpha++)
    {
      g_autoptr (GdkPixbuf) pixbuf = make_pixbuf (7, 5, alpha);
      g_autoptr (GBytes) bytes = encode (pixbuf, "png");
      g_autoptr (GError) error = NULL;
      g_autoptr (HlImage) image = parse (bytes, &error);
      const int white = alpha ? 127 : 0;

      g_assert_no_error (error);
      g_assert_cmpuint (image->width, ==, 7);
      g_assert_cmpuint (image->height, ==, 5);
      assert_pixel (image, 0, 0, white, 255, white);
      assert_pixel (image, 4, 0, 255, white, white);
      assert_pixel (image, 4, 6, white, white, 255);
    }
}

/* A camera that was held upright: pixels lie on their side, and EXIF says so. */
static GBytes *
add_orientation (GBytes *jpeg,
                 guint8  orientation)
{
  const guint8 exif[] = { 0xff, 0xe1, 0, 34,   'E', 'x', 'i', 'f', 0, 0, 'M', 'M',         0, 42, 0, 0, 0, 8,
                          0,    1,    1, 0x12, 0,   3,   0,   0,   0, 1, 0,   orientation, 0, 0,  0, 0, 0, 0 };
  gsize size;
  const guint8 *data = g_bytes_get_data (jpeg, &size);
  GByteArray *made = g_byte_array_new ();

  g_byte_array_append (made, data, 2);
  g_byte_array_append (made, exif, sizeof exif);
  g_byte_array_append (made, data + 2, (guint) size - 2);
  return g_byte_array_free_to_bytes (made);
}

static void
test_jpeg (void)
{
  g_autoptr (GdkPixbuf) pixbuf = make_pixbuf (64, 32, FALSE);
  g_autoptr (GBytes) bytes = encode (pixbuf, "jpeg");
  g_autoptr (GBytes) turned = add_orientation (bytes, 6);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlImage) image = parse (bytes, &error);
  g_assert_no_error (error);
  g_autoptr (HlImage) upright = parse (turned, &error);
  g_assert_no_error (error);

  g_assert_cmpuint (image->width, ==, 64);
  assert_pixel (image, 24, 12, 254, 0, 0);
  /* 6: what was left is above. */
  g_assert_cmpuint (upright->width, ==, 32);
  g_assert_cmpuint (upright->height, ==, 64);
  assert_pixel (upright, 12, 8, 254, 0, 0);
  assert_pixel (upright, 52, 8, 0, 0, 254);
}

/* Of PNG and WebP too, in either order of bytes, and as the library turns a JPEG. The left half is black, the right half white. */
static void
test_orientation (void)
{
  const guint8 png[] = { 0x89, 'P',  'N',  'G',  13,   10,   26,   10,   0,    0,    0,    13,   'I',  'H',  'D',  'R',
                         0,    0,    0,    16,   0,    0,    0,    8,    8,    2,    0,    0,    0,    0x7f, 0x14, 0xe8,
                         0xc0, 0,    0,    0,    0x1a, 'e',  'X',  'I',  'f',  'M',  'M',  0,    42,   0,    0,    0,
                         8,    0,    1,    1,    0x12, 0,    3,    0,    0,    0,    1,    0,    6,    0,    0,    0,
                         0,    0,    0,    0xd6, 0x67, 0x4b, 0x69, 0,    0,    0,    0x1a, 'I',  'D',  'A',  'T',  0x78,
                         0x9c, 0x63, 0x64, 0xc0, 0x01, 0xfe, 0xff, 0xff, 0x8f, 0x55, 0x9c, 0x09, 0x97, 0x06, 0x5c, 0x60,
                         0x54, 0x03, 0x31, 0,    0,    0x53, 0xba, 0x03, 0x0d, 0xab, 0xa6, 0xb5, 0x2e, 0,    0,    0,
                         0,    'I',  'E',  'N',  'D',  0xae, 0x42, 0x60, 0x82 };
  const guint8 webp[] = { 'R',  'I',  'F',  'F',  0x5c, 0,    0,    0,    'W',  'E',  'B',  'P',  'V', 'P',  '8',
                          'X',  10,   0,    0,    0,    8,    0,    0,    0,    15,   0,    0,    7,   0,    0,
                          'V',  'P',  '8',  ' ',  28,   0,    0,    0,    0x50, 0x01, 0,    0x9d, 1,   42,   0x10,
                          0,    8,    0,    0x01, 0x40, 0x26, 0x25, 0xa4, 0,    4,    0x74, 0,    0,   0xfd, 0xb3,
                          0xff, 0xfd, 0x90, 0xd0, 0,    0,    'E',  'X',  'I',  'F',  26,   0,    0,   0,    'M',
                          'M',  0,    42,   0,    0,    0,    8,    0,    1,    1,    0x12, 0,    3,   0,    0,
                          0,    1,    0,    6,    0,    0,    0,    0,    0,    0 };
  const guint8 little[] = { 'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0 };
  const struct
  {
    const guint8 *data;
    gsize size;
    gsize exif;
  } files[] = { { png, sizeof png, 41 }, { webp, sizeof webp, 74 } };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree guint8 *data = g_memdup2 (files[i].data, files[i].size);
      g_autoptr (GError) error = NULL;
      g_assert_cmpuint (hl_image_orientation_find (data, files[i].size), ==, 6);
      g_autoptr (HlImage) image = hl_image_parse (data, files[i].size, NULL, &error);
      if (g_error_matches (error, HL_ERROR, HL_ERROR_UNSUPPORTED))
        {
          g_test_message ("%s", error->message);
        }
      else
        {
          g_assert_no_error (error);
          g_assert_cmpuint (image->width, ==, 8);
          g_assert_cmpuint (image->height, ==, 16);
          assert_pixel (image, 2, 4, 0, 0, 0);
          assert_pixel (image, 13, 4, 255, 255, 255);
        }
      memcpy (data + files[i].exif, little, sizeof little);
      g_assert_cmpuint (hl_image_orientation_find (data, files[i].size), ==, 8);
      /* 9 is nothing. */
      data[files[i].exif + 18] = 9;
      g_assert_cmpuint (hl_image_orientation_find (data, files[i].size), ==, 0);
      /* Cut anywhere, or with any of its bytes other, nothing is read behind the end. */
      for (gsize size = 0; size <= files[i].size; size++)
        {
          g_autofree guint8 *cut = g_memdup2 (files[i].data, size);
          g_assert_cmpuint (hl_image_orientation_find (cut, size), ==, size >= files[i].exif + 26 ? 6 : 0);
        }
      for (gsize at = 0; at < files[i].size; at++)
        for (guint value = 0; value < 256; value += 51)
          {
            g_autofree guint8 *other = g_memdup2 (files[i].data, files[i].size);
            other[at] = (guint8) value;
            g_assert_cmpuint (hl_image_orientation_find (other, files[i].size), <=, 8);
          }
    }
}

static void
test_webp (void)
{
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new_with_type ("webp", NULL);
  guint8 lossless[64] = "RIFF\x38\0\0\0WEBPVP8L\x2c\0\0\0\x2f\xff\xff\xff\x0f";
  guint8 extended[64] = "RIFF\x38\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff";
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_image_parse (extended, sizeof extended, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_clear_error (&error);
  extended[20] = 2;
  g_assert_null (hl_image_parse (extended, sizeof extended, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "moves"));
  g_clear_error (&error);
  g_assert_null (hl_image_parse (lossless, sizeof lossless, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_clear_error (&error);
  g_assert_null (hl_image_parse (lossless, 20, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
  g_clear_error (&error);
  lossless[21] = lossless[22] = lossless[23] = lossless[24] = 0;
  g_assert_null (hl_image_parse (lossless, sizeof lossless, NULL, &error));
  if (loader == NULL)
    {
      g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (error->message, "webp-pixbuf-loader"));
      g_test_skip ("no loader of WebP is installed");
      return;
    }
  g_assert_error (error, HL_ERROR, HL_ERROR_CORRUPT);
  g_clear_error (&error);
  gdk_pixbuf_loader_close (loader, NULL);

  g_autoptr (GdkPixbuf) pixbuf = make_pixbuf (64, 32, TRUE);
  g_autoptr (GBytes) bytes = encode (pixbuf, "webp");
  g_autoptr (HlImage) image = parse (bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (image->width, ==, 64);
  g_assert_cmpuint (image->height, ==, 32);
  assert_pixel (image, 24, 12, 255, 127, 127);
}

static GdkPixbuf *
make_noise (int width,
            int height)
{
  GdkPixbuf *pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  guint8 *pixels = gdk_pixbuf_get_pixels (pixbuf);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (gsize i = 0; i < gdk_pixbuf_get_byte_length (pixbuf); i++)
    pixels[i] = (guint8) g_rand_int_range (rand, 0, 256);
  return pixbuf;
}

/* Some of the pixels of a WebP whose headers say that this is all; in one part for the loader, and in many. */
static void
test_half_webp (void)
{
  const int sides[] = { 32, 400 };
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new_with_type ("webp", NULL);

  if (loader == NULL)
    {
      g_test_skip ("no loader of WebP is installed");
      return;
    }
  gdk_pixbuf_loader_close (loader, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      g_autoptr (GdkPixbuf) pixbuf = make_noise (sides[i], sides[i]);
      g_autoptr (GBytes) bytes = encode (pixbuf, "webp");
      gsize size;
      const guint8 *data = g_bytes_get_data (bytes, &size);
      g_autofree guint8 *half = g_memdup2 (data, size);
      const guint32 n_kept = (guint32) (size - 20) / 4 * 2;
      const guint32 lengths[] = { GUINT32_TO_LE (12 + n_kept), GUINT32_TO_LE (n_kept) };
      g_autoptr (GError) error = NULL;

      g_assert_cmpmem (data + 12, 4, "VP8 ", 4);
      g_autoptr (HlImage) image = parse (bytes, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (image->height, ==, (guint) sides[i]);
      memcpy (half + 4, &lengths[0], sizeof lengths[0]);
      memcpy (half + 16, &lengths[1], sizeof lengths[1]);
      g_assert_null (hl_image_parse (half, 20 + n_kept, NULL, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_CORRUPT);
    }
}

/* A header that announces more than there will be room for. */
static GBytes *
make_large_png (guint32 width,
                guint32 height)
{
  g_autoptr (GdkPixbuf) pixbuf = make_pixbuf (4, 4, FALSE);
  g_autoptr (GBytes) small = encode (pixbuf, "png");
  gsize size;
  guint8 *data = g_bytes_unref_to_data (g_steal_pointer (&small), &size);
  const guint32 sizes[] = { GUINT32_TO_BE (width), GUINT32_TO_BE (height) };

  memcpy (data + 16, sizes, sizeof sizes);
  const guint32 sum = GUINT32_TO_BE ((guint32) crc32 (0, data + 12, 17));
  memcpy (data + 29, &sum, sizeof sum);
  return g_bytes_new_take (data, size);
}

static void
test_sizes (void)
{
  const guint32 sizes[][2] = { { HL_LIMIT_PICTURE_SIDE + 1, 1 },
                               { 1, HL_LIMIT_PICTURE_SIDE + 1 },
                               { HL_LIMIT_PICTURE_PIXELS / 4096 + 1, 4096 } };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GBytes) bytes = make_large_png (sizes[i][0], sizes[i][1]);
      g_autoptr (GError) error = NULL;
      g_assert_null (parse (bytes, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
    }
}

/* A chunk of a PNG. */
static void
append_chunk (GByteArray   *png,
              const char   *name,
              const guint8 *content,
              gsize         size)
{
  const guint32 length = GUINT32_TO_BE ((guint32) size);
  const uLong start = crc32 (0, (const Bytef *) name, 4);
  const guint32 sum = GUINT32_TO_BE ((guint32) crc32 (start, content, (uInt) size));

  g_byte_array_append (png, (const guint8 *) &length, sizeof length);
  g_byte_array_append (png, (const guint8 *) name, 4);
  g_byte_array_append (png, content, (guint) size);
  g_byte_array_append (png, (const guint8 *) &sum, sizeof sum);
}

static gsize
get_peak (void)
{
  struct rusage usage;

  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  return (gsize) usage.ru_maxrss << 10;
}

/* Texts of a file are not unpacked, of which a few hundred kilobytes can be a gigabyte. */
static void
test_packed_texts (void)
{
  const uLong length = 7 << 20;
  g_autoptr (GdkPixbuf) pixbuf = make_pixbuf (64, 32, FALSE);
  g_autoptr (GBytes) bytes = encode (pixbuf, "png");
  g_autofree guint8 *text = g_malloc0 (length);
  uLongf n_packed = compressBound (length);
  g_autofree guint8 *chunk = g_malloc (3 + n_packed);
  g_autoptr (GByteArray) png = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  memcpy (chunk, "k\0", 3);
  g_assert_cmpint (compress2 (chunk + 3, &n_packed, text, length, 9), ==, Z_OK);
  g_byte_array_append (png, data, 33);
  for (guint i = 0; i < 100; i++)
    append_chunk (png, "zTXt", chunk, 3 + n_packed);
  g_byte_array_append (png, data + 33, (guint) size - 33);
  const gsize before = get_peak ();
  g_autoptr (HlImage) image = hl_image_parse (png->data, png->len, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (image->width, ==, 64);
  assert_pixel (image, 24, 12, 255, 0, 0);
  g_assert_cmpuint (get_peak () - before, <, 100 << 20);
}

/* An interlaced PNG of so many bytes of its passes, in chunks of a few, that says that this is all. */
static GByteArray *
make_interlaced (const guint8 *header,
                 gsize         n)
{
  g_autofree guint8 *passes = g_malloc0 (n);
  uLongf n_packed = compressBound (n);
  g_autofree guint8 *packed = g_malloc (n_packed);
  GByteArray *png = g_byte_array_new ();

  g_assert_cmpint (compress2 (packed, &n_packed, passes, n, 9), ==, Z_OK);
  g_byte_array_append (png, (const guint8 *) "\x89PNG\r\n\x1a\n", 8);
  append_chunk (png, "IHDR", header, 13);
  for (gsize at = 0; at < n_packed; at += 5)
    append_chunk (png, "IDAT", packed + at, MIN (5, n_packed - at));
  append_chunk (png, "IEND", (const guint8 *) "", 0);
  return png;
}

/* Each pass of a PNG has rows from the first to the last, so that one row is not enough to tell that all are there. */
static void
test_interlaced (void)
{
  static const struct
  {
    guint8 width, height, depth, type;
    gsize n; /* of all passes */
  } cases[] = {
    { 1, 1, 8, 2, 4 },  { 3, 1, 8, 0, 6 },    { 8, 8, 8, 2, 207 },
    { 8, 8, 1, 0, 30 }, { 9, 2, 16, 6, 149 }, { 5, 9, 8, 4, 109 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const guint8 header[13] = { 0, 0, 0, cases[i].width, 0, 0, 0, cases[i].height, cases[i].depth, cases[i].type,
                                  0, 0, 1 };
      for (gsize n = 1; n <= cases[i].n; n++)
        {
          g_autoptr (GByteArray) png = make_interlaced (header, n);
          g_autoptr (GError) error = NULL;
          g_autoptr (HlImage) image = hl_image_parse (png->data, png->len, NULL, &error);

          g_assert_cmpint (image != NULL, ==, n == cases[i].n);
          if (image == NULL)
            g_assert_error (error, HL_ERROR, HL_ERROR_CORRUPT);
          else
            g_assert_cmpuint (image->width, ==, cases[i].width);
        }
    }
}

/* A grey JPEG of n × n pixels that so many passes make no sharper; all but the first @is_hidden behind a mark that has no length. */
static GByteArray *
make_passes (guint16  n,
             guint    n_passes,
             guint8   frame_mark,
             gboolean is_hidden)
{
  const guint8 start[] = { 0xff, 0xd8, 0xff, 0xdb, 0, 67, 0 };
  const guint8 frame[] = { 0xff, frame_mark, 0, 11, 8, n >> 8, n & 0xff, n >> 8, n & 0xff, 1, 1, 0x11, 0 };
  const guint8 even[] = { 0xff, 0xc4, 0, 20, 0x00, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
  const guint8 odd[] = { 0xff, 0xc4, 0, 20, 0x10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xe0 };
  const guint8 first[] = { 0xff, 0xda, 0, 8, 1, 1, 0, 0, 0, 0 };
  const guint8 next[] = { 0xff, 0xda, 0, 8, 1, 1, 0, 1, 63, 0, 0, 1 };
  const guint8 restarts[] = { 0xff, 0xdd, 0, 4, 0, 1 };
  const gsize length = 2 + (n_passes - 1) * sizeof next;
  const guint8 hiding[] = { 0xff, 0x02, (guint8) (length >> 8), (guint8) length };
  GByteArray *jpeg = g_byte_array_new ();

  g_byte_array_append (jpeg, start, sizeof start);
  for (guint i = 0; i < 64; i++)
    g_byte_array_append (jpeg, &(guint8){ 1 }, 1);
  g_byte_array_append (jpeg, frame, sizeof frame);
  g_byte_array_append (jpeg, even, sizeof even);
  g_byte_array_append (jpeg, odd, sizeof odd);
  if (is_hidden)
    g_byte_array_append (jpeg, restarts, sizeof restarts);
  g_byte_array_append (jpeg, first, sizeof first);
  for (guint i = 0; i < (guint) n * n / 64 / 8; i++)
    g_byte_array_append (jpeg, &(guint8){ 0 }, 1);
  if (is_hidden)
    g_byte_array_append (jpeg, hiding, sizeof hiding);
  for (guint i = 1; i < n_passes; i++)
    g_byte_array_append (jpeg, next, sizeof next);
  g_byte_array_append (jpeg, (const guint8 *) "\xff\xd9", 2);
  return jpeg;
}

/* Passes of some bytes each over all of a picture are counted before any is made, also where it becomes no sharper by them. */
static void
test_passes (void)
{
  const guint n = 1024;
  const guint8 frame_marks[] = { 0xc0, 0xc1, 0xc2, 0xc3, 0xc9, 0xca, 0xcb };
  g_autoptr (GByteArray) few = make_passes (64, 10, 0xc2, FALSE);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlImage) image = hl_image_parse (few->data, few->len, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (image->width, ==, 64);
  assert_pixel (image, 24, 12, 128, 128, 128);
  for (gsize i = 0; i < 2 * G_N_ELEMENTS (frame_marks); i++)
    {
      g_autoptr (GByteArray)
        many = make_passes (n, HL_LIMIT_PICTURE_PASSES / (n * n) + 1, frame_marks[i / 2], i % 2 == 1);
      g_assert_null (hl_image_parse (many->data, many->len, NULL, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
      g_assert_cmpstr (error->message, ==,
                       "the JPEG image is decoded in 1025 passes over 1024 × 1024 pixels; at most 1073741824 pixels in "
                       "all are decoded");
      g_clear_error (&error);
    }
}

static void
test_refused (void)
{
  g_autoptr (GdkPixbuf) pixbuf = make_pixbuf (64, 64, FALSE);
  g_autoptr (GBytes) bytes = encode (pixbuf, "png");
  g_autoptr (GBytes) half = g_bytes_new_from_bytes (bytes, 0, g_bytes_get_size (bytes) / 2);
  g_autoptr (GBytes) icon = encode (pixbuf, "ico");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_assert_null (parse (half, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_CORRUPT);
  g_clear_error (&error);
  g_assert_null (parse (icon, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT);
  g_clear_error (&error);
  g_assert_null (hl_image_parse ("", 0, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_UNKNOWN_FORMAT);
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_null (hl_image_parse (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* What ends early is refused wherever it ends, however much of it could be made up; what follows the end is nothing to the image. */
static void
test_cut (void)
{
  g_autoptr (GdkPixbuf) pixbuf = make_noise (200, 150);

  for (int i = 0; i < 2; i++)
    {
      const char *kind = i == 0 ? "jpeg" : "png";
      g_autoptr (GBytes) bytes = encode (pixbuf, kind);
      const gsize size = g_bytes_get_size (bytes);
      const gsize sizes[] = { size / 4, 5000, size / 2, size * 9 / 10, size - 300, size - 1 };
      for (gsize k = 0; k < G_N_ELEMENTS (sizes); k++)
        {
          g_autoptr (GBytes) part = g_bytes_new_from_bytes (bytes, 0, sizes[k]);
          g_autoptr (GError) error = NULL;
          /* Of the sum of the last chunk, nobody needs any. */
          g_autoptr (HlImage) image = parse (part, &error);
          if (i == 1 && sizes[k] == size - 1)
            continue;
          g_assert_null (image);
          g_assert_error (error, HL_ERROR, HL_ERROR_CORRUPT);
          if (i == 0)
            g_assert_cmpstr (error->message, ==, "the JPEG image cannot be decoded: it ends too early");
        }
      g_autoptr (GByteArray) longer = g_byte_array_new ();
      g_byte_array_append (longer, g_bytes_get_data (bytes, NULL), (guint) size);
      g_byte_array_append (longer, (const guint8 *) "and then something", 18);
      g_autoptr (GError) error = NULL;
      g_autoptr (HlImage) whole = hl_image_parse (longer->data, longer->len, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (whole->height, ==, 150);
    }
}

/* A file at the limit is read, and found to be no image; one past it is not read. */
static void
test_large_files (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headlight-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "hole.png", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  for (int past = 0; past < 2; past++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_cmpint (truncate (path, (off_t) HL_LIMIT_PICTURE_FILE + past), ==, 0);
      g_assert_null (hl_image_load (file, NULL, &error));
      const HlError code = past ? HL_ERROR_TOO_LARGE : HL_ERROR_UNKNOWN_FORMAT;
      g_assert_error (error, HL_ERROR, (int) code);
    }
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_load (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headlight-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "picture.gif", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GdkPixbuf) pixbuf = make_pixbuf (9, 3, FALSE);
  g_autoptr (GBytes) bytes = encode (pixbuf, "png");
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), &error);
  g_assert_no_error (error);
  g_autoptr (HlImage) image = hl_image_load (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (image->width, ==, 9);
  g_unlink (path);
  g_assert_null (hl_image_load (file, NULL, &error));
  g_assert_nonnull (error);
  g_rmdir (folder);
}

/* CLS, 2 × 3 patches whose rows end in another token, then a small image with one row of 2, and a word. */
static HlPicture *
make_picture (void)
{
  HlImage *images[] = { hl_image_new (40, 60, NULL), hl_image_new (10, 10, NULL) };
  const HlPictureGrid grids[] = { { 1, 9, 1, 2, 2, { 0, 5, 10, 5 } }, { 0, 1, 2, 3, 4, { 0, 0, 60, 40 } } };
  g_autoptr (GError) error = NULL;
  HlPicture *picture = hl_picture_new (images, 2, grids, 2, 12, &error);

  g_assert_no_error (error);
  hl_image_unref (images[0]);
  hl_image_unref (images[1]);
  return picture;
}

static void
test_places (void)
{
  g_autoptr (HlPicture) picture = make_picture ();
  const int patches[12][3] = { { -1 },      { 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, 2 }, { -1 },      { 0, 1, 0 },
                               { 0, 1, 1 }, { 0, 1, 2 }, { -1 },      { 1, 0, 0 }, { 1, 0, 1 }, { -1 } };

  for (gsize i = 0; i < 13; i++)
    {
      HlPicturePatch patch;
      const gboolean is_patch = hl_picture_find (picture, i, &patch);
      gsize token;
      g_assert_cmpint (is_patch, ==, i < 12 && patches[i][0] >= 0);
      if (!is_patch)
        continue;
      g_assert_cmpuint (patch.image, ==, patches[i][0]);
      g_assert_cmpuint (patch.row, ==, patches[i][1]);
      g_assert_cmpuint (patch.column, ==, patches[i][2]);
      g_assert_true (
        hl_picture_pick (picture, patch.grid, patch.box.x + 0.1, patch.box.y + patch.box.height - 0.1, &token));
      g_assert_cmpuint (token, ==, i);
    }

  gsize token;
  g_assert_false (hl_picture_pick (picture, 0, -0.1, 10, &token));
  g_assert_false (hl_picture_pick (picture, 0, 60.1, 10, &token));
  g_assert_false (hl_picture_pick (picture, 1, 1, 4.9, &token));
  HlPicturePatch patch;
  g_assert_true (hl_picture_find (picture, 7, &patch));
  g_assert_cmpfloat (patch.box.x, ==, 40);
  g_assert_cmpfloat (patch.box.y, ==, 20);
  g_assert_cmpfloat (patch.box.width, ==, 20);
  g_assert_cmpfloat (patch.box.height, ==, 20);
}

static void
test_wrong_grids (void)
{
  const struct
  {
    HlPictureGrid grids[2];
    const char *words;
  } cases[] = {
    { { { 1, 0, 1, 1, 1, { 0, 0, 1, 1 } }, { 0, 5, 1, 1, 1, { 0, 0, 1, 1 } } }, "of image 1" },
    { { { 0, 0, 0, 1, 1, { 0, 0, 1, 1 } }, { 0, 5, 1, 1, 1, { 0, 0, 1, 1 } } }, "0 × 1 patches" },
    { { { 0, 0, 2, 2, 1, { 0, 0, 1, 1 } }, { 0, 5, 1, 1, 1, { 0, 0, 1, 1 } } }, "1 tokens from one row" },
    { { { 0, 0, 2, 2, 2, { 0, 0, 1, 1 } }, { 0, 5, 2, 2, 2, { 0, 0, 1, 1 } } }, "there are 8 tokens" },
    { { { 0, 9, 1, 1, 1, { 0, 0, 1, 1 } }, { 0, 5, 1, 1, 1, { 0, 0, 1, 1 } } }, "there are 8 tokens" },
    { { { 0, 1, 3, 2, G_MAXSIZE / 2, { 0, 0, 1, 1 } }, { 0, 5, 1, 1, 1, { 0, 0, 1, 1 } } }, "there are 8 tokens" },
    { { { 0, 0, 2, 2, 4, { 0, 0, 1, 1 } }, { 0, 5, 1, 1, 1, { 0, 0, 1, 1 } } }, "claim token 5" },
    { { { 0, 0, 1, 1, 1, { 0, 0, 5, 1 } }, { 0, 5, 1, 1, 1, { 0, 0, 1, 1 } } }, "4 × 4" },
    { { { 0, 0, 1, 1, 1, { -1, 0, 2, 1 } }, { 0, 5, 1, 1, 1, { 0, 0, 1, 1 } } }, "4 × 4" },
  };
  g_autoptr (HlImage) image = hl_image_new (4, 4, NULL);
  g_autofree HlImage **many = g_new0 (HlImage *, HL_LIMIT_PICTURES + 1);
  const HlPictureGrid grid = { 0, 0, 1, 1, 1, { 0, 0, 1, 1 } };

  for (guint past = 0; past < 2; past++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HlPicture) picture = hl_picture_new (many, HL_LIMIT_PICTURES + past, &grid, 1, 8, &error);
      g_assert_cmpint (picture != NULL, ==, past == 0);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (hl_picture_new (&image, 1, cases[i].grids, 2, 8, &error));
      g_assert_nonnull (error);
      g_assert_cmpint (error->domain, ==, HL_ERROR);
      if (strstr (error->message, cases[i].words) == NULL)
        g_error ("“%s” is not said in “%s”", cases[i].words, error->message);
    }
}

/* Grids side by side on two images whose pixels nobody has: as wide as the last of each reaches. */
static void
test_many_grids (void)
{
  const guint n = HL_LIMIT_PICTURE_GRIDS;
  g_autoptr (HlImage) image = hl_image_new (5, 7, NULL);
  HlImage *images[] = { NULL, NULL, NULL, image };
  const double sizes[][2] = { { n - 1, 1 }, { n, 2 }, { 0, 0 }, { 7, 5 } };
  g_autofree HlPictureGrid *grids = g_new (HlPictureGrid, n + 1);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i <= n; i++)
    grids[i] = (HlPictureGrid){ i % 2, i, 1, 1, 1, { i, i % 2, 1, 1 } };
  g_autoptr (HlPicture) picture = hl_picture_new (images, 4, grids, n, n + 1, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      double width, height;
      hl_picture_get_size (picture, i, &width, &height);
      g_assert_cmpfloat (width, ==, sizes[i][0]);
      g_assert_cmpfloat (height, ==, sizes[i][1]);
    }
  g_assert_null (hl_picture_new (images, 4, grids, n + 1, n + 1, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_cmpstr (error->message, ==, "there are 4097 grids of patches; at most 4096 are read");
}

static void
test_names (void)
{
  const char *const whole[] = { "CLS", "patch 1,1", "patch 1,2", "\n", "patch 2,1", "patch 2,2", "\n", "word", NULL };
  const char *const missing[] = { "patch 1,1", "patch 1,2", "patch 2,1", NULL };
  const char *const mixed[] = { "patch 1,2", "patch 1,1", "patch 2,1", "patch 2,2", NULL };
  const char *const huge[] = { "patch 1,1", "patch 1048576,1048576", NULL };
  const char *const words[] = { "patch",     "patch 1",    "patch 1,",   "patch ,1",
                                "patch 0,1", "patch 1,1x", "patch -1,1", NULL };
  HlPicturePatch patch;
  double width, height;

  g_autoptr (HlPicture) plain = hl_picture_new_for_names (whole, 8, NULL, 8);
  g_assert_nonnull (plain);
  g_assert_null (hl_picture_get_image (plain, 0));
  hl_picture_get_size (plain, 0, &width, &height);
  g_assert_cmpfloat (width, ==, 2);
  g_assert_cmpfloat (height, ==, 2);
  g_assert_true (hl_picture_find (plain, 4, &patch));
  g_assert_cmpuint (patch.row, ==, 1);
  g_assert_false (hl_picture_find (plain, 3, &patch));

  g_autoptr (HlImage) image = hl_image_new (20, 10, NULL);
  g_autoptr (HlPicture) of_image = hl_picture_new_for_names (whole, 8, image, 8);
  g_assert_true (hl_picture_get_image (of_image, 0) == image);
  g_assert_true (hl_picture_find (of_image, 5, &patch));
  g_assert_cmpfloat (patch.box.x, ==, 5);
  g_assert_cmpfloat (patch.box.y, ==, 10);
  g_assert_false (hl_picture_equal (plain, of_image));
  g_autoptr (HlPicture) again = hl_picture_new_for_names (whole, 8, image, 8);
  g_assert_true (hl_picture_equal (again, of_image));

  g_assert_null (hl_picture_new_for_names (missing, 3, NULL, 3));
  g_assert_null (hl_picture_new_for_names (mixed, 4, NULL, 4));
  g_assert_null (hl_picture_new_for_names (huge, 2, NULL, 2));
  g_assert_null (hl_picture_new_for_names (words, 7, NULL, 7));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/picture/png", test_png);
  g_test_add_func ("/picture/jpeg", test_jpeg);
  g_test_add_func ("/picture/orientation", test_orientation);
  g_test_add_func ("/picture/webp", test_webp);
  g_test_add_func ("/picture/half-webp", test_half_webp);
  g_test_add_func ("/picture/sizes", test_sizes);
  g_test_add_func ("/picture/packed-texts", test_packed_texts);
  g_test_add_func ("/picture/interlaced", test_interlaced);
  g_test_add_func ("/picture/passes", test_passes);
  g_test_add_func ("/picture/refused", test_refused);
  g_test_add_func ("/picture/cut", test_cut);
  g_test_add_func ("/picture/large-files", test_large_files);
  g_test_add_func ("/picture/load", test_load);
  g_test_add_func ("/picture/places", test_places);
  g_test_add_func ("/picture/wrong-grids", test_wrong_grids);
  g_test_add_func ("/picture/many-grids", test_many_grids);
  g_test_add_func ("/picture/names", test_names);
  return g_test_run ();
}
