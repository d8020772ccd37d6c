/* SPDX-License-Identifier: MIT */
/* Tensors over bytes and over files, their shapes, and text that is not UTF-8. */
#include "core/base/hl-error.h"
#include "core/base/tensor/hl-file-tensor.h"
#include "core/base/tensor/hl-float8-tensor.h"
#include "core/base/hl-utf8.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

static const HlShape shape = { 3, { 3, 4, 5 } };

static GBytes *
make_numbers (gsize n,
              gsize offset)
{
  g_autofree guint8 *bytes = g_malloc0 (n * sizeof (float) + offset);

  for (gsize i = 0; i < n; i++)
    {
      const float value = (float) i;
      memcpy (bytes + offset + i * sizeof value, &value, sizeof value);
    }
  return g_bytes_new (bytes, n * sizeof (float) + offset);
}

/* Number at a place of the tensor of make_numbers(). */
static float
get_number (guint64 i,
            guint64 j,
            guint64 k)
{
  return (float) ((i * 4 + j) * 5 + k);
}

static void
check_all_regions (HlTensor *tensor)
{
  float found[60];

  for (guint64 a = 0; a < 3; a++)
    for (guint64 b = 0; b < 4; b++)
      for (guint64 c = 0; c < 5; c++)
        for (guint64 x = 1; x <= 3 - a; x++)
          for (guint64 y = 1; y <= 4 - b; y++)
            for (guint64 z = 1; z <= 5 - c; z++)
              {
                const guint64 start[] = { a, b, c };
                const guint64 count[] = { x, y, z };
                g_autoptr (GError) error = NULL;
                const float *at = found;

                hl_tensor_read_f32 (tensor, start, count, found, NULL, &error);
                g_assert_no_error (error);
                for (guint64 i = 0; i < x; i++)
                  for (guint64 j = 0; j < y; j++)
                    for (guint64 k = 0; k < z; k++)
                      g_assert_cmpfloat (*at++, ==, get_number (a + i, b + j, c + k));
              }
}

static void
test_dense (void)
{
  g_autoptr (GBytes) bytes = make_numbers (60, 3);
  g_autoptr (GError) error = NULL;
  HlTensor *tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, bytes, 3, &error);

  g_assert_no_error (error);
  g_assert_cmpint (hl_tensor_get_dtype (tensor), ==, HL_DTYPE_F32);
  check_all_regions (tensor);
  g_assert_finalize_object (tensor);
}

/* The same numbers with axes stored the other way round, and backwards. */
static void
test_strides (void)
{
  g_autofree float *numbers = g_new (float, 60);
  const gint64 turned[] = { 4, 12, 48 };
  const gint64 backwards[] = { -80, -20, -4 };
  g_autoptr (GError) error = NULL;

  for (guint64 i = 0; i < 3; i++)
    for (guint64 j = 0; j < 4; j++)
      for (guint64 k = 0; k < 5; k++)
        numbers[i + 3 * j + 12 * k] = get_number (i, j, k);
  g_autoptr (GBytes) bytes = g_bytes_new (numbers, 60 * sizeof *numbers);
  g_autoptr (HlTensor) tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, turned, FALSE, bytes, 0, &error);
  g_assert_no_error (error);
  check_all_regions (tensor);

  for (gsize i = 0; i < 60; i++)
    numbers[59 - i] = (float) i;
  g_autoptr (GBytes) reversed = g_bytes_new (numbers, 60 * sizeof *numbers);
  g_autoptr (HlTensor)
    other = hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, backwards, FALSE, reversed, 59 * sizeof (float), &error);
  g_assert_no_error (error);
  check_all_regions (other);
}

static void
test_bounds (void)
{
  g_autoptr (GBytes) bytes = make_numbers (60, 0);
  const HlShape huge = { 3, { G_GUINT64_CONSTANT (1) << 40, G_GUINT64_CONSTANT (1) << 40, 2 } };
  const HlShape wide = { 1, { G_MAXUINT64 } };
  const gint64 far[] = { G_MAXINT64, 4, 4 };
  const gint64 before[] = { -80, 20, 4 };
  g_autoptr (GError) error = NULL;
  guint64 n;

  g_assert_null (hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, bytes, 1, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
  g_clear_error (&error);
  g_assert_null (hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, bytes, G_MAXUINT64, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
  g_clear_error (&error);
  g_assert_null (hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, far, FALSE, bytes, 0, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
  g_clear_error (&error);
  g_assert_null (hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, before, FALSE, bytes, 0, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
  g_clear_error (&error);
  g_assert_null (hl_tensor_new_for_bytes (HL_DTYPE_F32, &huge, NULL, FALSE, bytes, 0, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_clear_error (&error);

  g_assert_false (hl_shape_get_n_elements (&huge, &n));
  g_assert_false (hl_shape_get_n_elements (&wide, &n));
  g_assert_true (hl_shape_get_n_bytes (&shape, 2, &n));
  g_assert_cmpuint (n, ==, 120);
  g_autofree char *text = hl_shape_to_string (&shape);
  g_assert_cmpstr (text, ==, "3 × 4 × 5");
  const guint64 start[] = { 1, 0, G_MAXUINT64 };
  const guint64 count[] = { 2, 4, 2 };
  g_assert_false (hl_shape_contains (&shape, start, count));
}

/* Whoever asks for what is not there is told why there is nothing. */
static void
test_outside (void)
{
  g_autoptr (GBytes) bytes = make_numbers (60, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, &shape, NULL, FALSE, bytes, 0, &error);
  const guint64 start[] = { 2, 0, 0 }, count[] = { 2, 1, 1 };
  float numbers[2];

  g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_CRITICAL, "*outside*");
  g_assert_false (hl_tensor_read_f32 (tensor, start, count, numbers, NULL, &error));
  g_test_assert_expected_messages ();
  g_assert_error (error, HL_ERROR, HL_ERROR_SHAPE);
}

static void
test_file (void)
{
  g_autoptr (GBytes) bytes = make_numbers (60, 7);
  g_autoptr (GObject) owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *path = NULL;
  const int fd = g_file_open_tmp ("headlight-test-XXXXXX", &path, &error);
  const guint64 start[] = { 0, 0, 0 };
  float numbers[60];

  g_assert_no_error (error);
  g_assert_cmpint (write (fd, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)), ==, g_bytes_get_size (bytes));
  struct stat info;
  g_assert_cmpint (fstat (fd, &info), ==, 0);
  const HlFileVersion version = hl_file_version_of (&info);
  HlTensor *tensor = hl_file_tensor_new (HL_DTYPE_F32, &shape, NULL, FALSE, owner, fd, &version, 7, &error);
  g_assert_no_error (error);
  check_all_regions (tensor);

  g_assert_null (hl_file_tensor_new (HL_DTYPE_F32, &shape, NULL, FALSE, owner, fd, &version, 8, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
  g_clear_error (&error);
  g_assert_null (hl_file_tensor_new (HL_DTYPE_F32, &shape, NULL, FALSE, owner, fd, &version, G_MAXUINT64 - 3, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
  g_clear_error (&error);

  g_cancellable_cancel (cancellable);
  g_assert_false (hl_tensor_read_f32 (tensor, start, shape.dims, numbers, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);

  /* Someone else makes the file shorter. */
  g_assert_cmpint (ftruncate (fd, 100), ==, 0);
  g_assert_false (hl_tensor_read_f32 (tensor, start, shape.dims, numbers, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);

  g_assert_finalize_object (tensor);
  g_assert_finalize_object (g_steal_pointer (&owner));
  close (fd);
  g_remove (path);
}

/* Numbers that lie apart in a file: in Fortran order, backwards, each as often as it is asked for, with a page and with more than is read at a
 * time between them, and in pieces that overlap. */
static void
test_file_strides (void)
{
  static const struct
  {
    gint64 strides[3];
    guint64 offset;
  } layouts[] = {
    { { 4, 12, 48 }, 0 },       { { 4, 12, 48 }, 3 },      { { -80, -20, -4 }, 59 * sizeof (float) },
    { { 80, -20, 4 }, 60 + 5 }, { { 4, 5000, 20000 }, 1 }, { { 400000, 4, 1600000 }, 0 },
    { { 3000000, 4, 16 }, 0 },
  };
  g_autoptr (GObject) owner = g_object_new (G_TYPE_OBJECT, NULL);

  for (guint n = 0; n < G_N_ELEMENTS (layouts); n++)
    {
      const gint64 *strides = layouts[n].strides;
      g_autoptr (GError) error = NULL;
      g_autofree char *path = NULL;
      const int fd = g_file_open_tmp ("headlight-test-XXXXXX", &path, &error);
      struct stat info;

      g_assert_no_error (error);
      for (guint64 i = 0; i < 3; i++)
        for (guint64 j = 0; j < 4; j++)
          for (guint64 k = 0; k < 5; k++)
            {
              const float number = get_number (i, j, k);
              const gint64 at = (gint64) layouts[n].offset + (gint64) i * strides[0] + (gint64) j * strides[1] +
                                (gint64) k * strides[2];
              g_assert_cmpint (pwrite (fd, &number, sizeof number, at), ==, sizeof number);
            }
      g_assert_cmpint (fstat (fd, &info), ==, 0);
      const HlFileVersion version = hl_file_version_of (&info);
      g_autoptr (HlTensor) tensor =
        hl_file_tensor_new (HL_DTYPE_F32, &shape, strides, FALSE, owner, fd, &version, layouts[n].offset, &error);
      g_assert_no_error (error);
      g_assert_false (hl_tensor_is_in_memory (tensor));
      check_all_regions (tensor);
      g_assert_null (
        hl_file_tensor_new (HL_DTYPE_F32, &shape, strides, FALSE, owner, fd, &version, layouts[n].offset + 1, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
      close (fd);
      g_remove (path);
    }
}

/* Numbers that are told again and again, and more of them than are read at a time. */
static void
test_file_large (void)
{
  const HlShape large = { 3, { 3, 1500, 1100 } };
  const gint64 fortran[] = { 8, 24, 36000 }, again[] = { 0, 24, 36000 };
  const gsize n = 3 * 1500 * 1100;
  const guint64 start[] = { 1, 200, 0 }, count[] = { 2, 1300, 1099 };
  g_autoptr (GObject) owner = g_object_new (G_TYPE_OBJECT, NULL);
  g_autofree double *numbers = g_new (double, n);
  g_autofree float *found = g_new (float, n);
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  const int fd = g_file_open_tmp ("headlight-test-XXXXXX", &path, &error);
  struct stat info;

  g_assert_no_error (error);
  for (gsize i = 0; i < n; i++)
    numbers[i] = (double) i;
  g_assert_cmpint (write (fd, numbers, n * sizeof *numbers), ==, n * sizeof *numbers);
  g_assert_cmpint (fstat (fd, &info), ==, 0);
  const HlFileVersion version = hl_file_version_of (&info);
  g_autoptr (HlTensor)
    tensor = hl_file_tensor_new (HL_DTYPE_F64, &large, fortran, FALSE, owner, fd, &version, 0, &error);
  g_autoptr (HlTensor)
    repeated = hl_file_tensor_new (HL_DTYPE_F64, &large, again, FALSE, owner, fd, &version, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_tensor_get_stored (tensor), ==, n * sizeof *numbers);
  for (guint turn = 0; turn < 2; turn++)
    {
      g_assert_true (hl_tensor_read_f32 (turn == 0 ? tensor : repeated, start, count, found, NULL, &error));
      for (guint64 i = 0; i < count[0]; i++)
        for (guint64 j = 0; j < count[1]; j++)
          for (guint64 k = 0; k < count[2]; k++)
            g_assert_cmpfloat (found[(i * count[1] + j) * count[2] + k], ==,
                               (float) ((turn == 0 ? i + 1 : 0) + 3 * (j + 200) + 4500 * k));
    }
  close (fd);
  g_remove (path);
}

static void
test_utf8 (void)
{
  static const struct
  {
    const char *bytes;
    gsize length;
    const char *text;
    gboolean changed;
  } cases[] = {
    { "", 0, "", FALSE },
    { "Ġthe", 5, "Ġthe", FALSE },
    { "\xc4", 1, "<0xC4>", TRUE },
    { "a\xf0\x9f\x98"
      "b",
      5, "a<0xF0><0x9F><0x98>b", TRUE },
    { "\xc0\xaf", 2, "<0xC0><0xAF>", TRUE },
    { "\xed\xa0\x80", 3, "<0xED><0xA0><0x80>", TRUE },
    { "\xff\xe4\xbe\x8b", 4, "<0xFF>例", TRUE },
    { "a\0b", 3, "a␀b", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean changed;
      g_autofree char *text = hl_utf8_make_valid (cases[i].bytes, cases[i].length, &changed);

      g_assert_cmpstr (text, ==, cases[i].text);
      g_assert_cmpint (changed, ==, cases[i].changed);
    }
}

static void
test_quote (void)
{
  g_autofree char *whole = hl_utf8_quote ("\xc3\xa4\n\xff", 4, 8);
  g_autofree char *cut = hl_utf8_quote ("a\xc3\xa4\xc3\xa4\xc3\xa4", 7, 3);
  g_autofree char *broken = hl_utf8_quote ("ab\xe4\xbe", 4, 80);
  g_autofree char *wide = hl_utf8_quote ("\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80", 16, 1);

  g_assert_cmpstr (whole, ==, "\xc3\xa4 <0xFF>");
  g_assert_cmpstr (cut, ==, "a\xc3\xa4\xc3\xa4…");
  g_assert_cmpstr (broken, ==, "ab<0xE4><0xBE>");
  g_assert_cmpstr (wide, ==, "\xf0\x9f\x98\x80…");
}

/* Numbers of 8 bits in rows of 4, by themselves and with a scale for each square of 2 × 2; scales of another type are said to be so. */
static void
test_float8 (void)
{
  static const guint8 stored[] = { 0x00, 0x80, 0x01, 0x38, 0xb8, 0x7e, 0x3c, 0x08 };
  static const float numbers[] = { 0, -0.0f, 0x1p-9f, 1, -1, 448, 1.5f, 0x1p-6f }, sizes[] = { 2, 4 };
  const HlShape whole = { 2, { 2, 4 } }, squares = { 2, { 1, 2 } };
  g_autoptr (GBytes) stored_bytes = g_bytes_new_static (stored, sizeof stored);
  g_autoptr (GBytes) size_bytes = g_bytes_new_static (sizes, sizeof sizes);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) bytes = hl_tensor_new_for_bytes (HL_DTYPE_U8, &whole, NULL, FALSE, stored_bytes, 0, NULL);
  g_autoptr (HlTensor) scales = hl_tensor_new_for_bytes (HL_DTYPE_F32, &squares, NULL, FALSE, size_bytes, 0, NULL);
  g_autoptr (HlTensor) integers = hl_tensor_new_for_bytes (HL_DTYPE_U8, &squares, NULL, FALSE, stored_bytes, 0, NULL);
  g_autoptr (HlTensor) plain = hl_float8_tensor_new (bytes, NULL);
  g_autoptr (HlTensor) scaled = hl_float8_tensor_new_scaled (HL_FLOAT8_TENSOR (plain), scales, 2, 2, NULL);
  float found[8];

  g_assert_true (hl_tensor_read_f32 (plain, (guint64[]){ 0, 0 }, whole.dims, found, NULL, NULL));
  g_assert_cmpmem (found, sizeof found, numbers, sizeof numbers);
  g_assert_true (hl_tensor_read_f32 (scaled, (guint64[]){ 0, 1 }, (guint64[]){ 2, 2 }, found, NULL, NULL));
  for (guint row = 0; row < 2; row++)
    for (guint column = 0; column < 2; column++)
      g_assert_cmpfloat (found[row * 2 + column], ==, numbers[row * 4 + column + 1] * sizes[column]);
  g_assert_null (hl_float8_tensor_new_scaled (HL_FLOAT8_TENSOR (plain), integers, 2, 2, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_DTYPE);
  g_assert_nonnull (strstr (error->message, "uint8"));
  g_clear_error (&error);
  g_assert_null (hl_float8_tensor_new_scaled (HL_FLOAT8_TENSOR (plain), scales, 2, 1, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_SHAPE);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tensor/dense", test_dense);
  g_test_add_func ("/tensor/strides", test_strides);
  g_test_add_func ("/tensor/bounds", test_bounds);
  g_test_add_func ("/tensor/outside", test_outside);
  g_test_add_func ("/tensor/file", test_file);
  g_test_add_func ("/tensor/file-strides", test_file_strides);
  g_test_add_func ("/tensor/file-large", test_file_large);
  g_test_add_func ("/tensor/float8", test_float8);
  g_test_add_func ("/utf8/make-valid", test_utf8);
  g_test_add_func ("/utf8/quote", test_quote);
  return g_test_run ();
}
