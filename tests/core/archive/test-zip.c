/* SPDX-License-Identifier: MIT */
/* Zip files whose sizes and places are said in 64 bits, as those beyond 4 GiB are; here small ones. */
#include <string.h>

#include "core/archive/format/hl-format.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "test-dumps.h"

#define END_SIZE 22
#define ENTRY_SIZE 46

static void
put (GByteArray *bytes,
     guint64     value,
     guint       size)
{
  for (guint i = 0; i < size; i++)
    g_byte_array_append (bytes, &(guint8){ value >> (8 * i) & 0xff }, 1);
}

static guint64
get (const guint8 *bytes,
     guint         size)
{
  return size > 0 ? bytes[0] | get (bytes + 1, size - 1) << 8 : 0;
}

/* The same members behind a directory of 64 bits, of which @n_said are told. */
static GByteArray *
widen (const guint8 *bytes,
       gsize         size,
       guint         n_said)
{
  GByteArray *wide = g_byte_array_new ();
  const guint8 *end = bytes + size - END_SIZE;
  const guint64 n = get (end + 10, 2), start = get (end + 16, 4);
  const guint8 *entry = bytes + start;

  g_assert_cmpuint (get (end, 4), ==, 0x06054b50);
  g_byte_array_append (wide, bytes, (guint) start);
  for (guint64 i = 0; i < n; i++)
    {
      const guint64 values[] = { get (entry + 24, 4), get (entry + 20, 4), get (entry + 42, 4) };
      const guint64 n_name = get (entry + 28, 2);

      g_byte_array_append (wide, entry, 20);
      put (wide, G_MAXUINT64, 8); /* both sizes */
      put (wide, n_name, 2);
      put (wide, 4 + 8 * n_said, 2);
      put (wide, 0, 2); /* comment */
      g_byte_array_append (wide, entry + 34, 8);
      put (wide, G_MAXUINT32, 4);
      g_byte_array_append (wide, entry + ENTRY_SIZE, (guint) n_name);
      put (wide, 1, 2);
      put (wide, 8 * n_said, 2);
      for (guint k = 0; k < n_said; k++)
        put (wide, values[k], 8);
      entry += ENTRY_SIZE + n_name + get (entry + 30, 2) + get (entry + 32, 2);
    }

  const guint64 at = wide->len;
  put (wide, 0x06064b50, 4);
  put (wide, 44, 8);
  put (wide, 45 | 45 << 16, 4);
  put (wide, 0, 8);
  put (wide, n, 8);
  put (wide, n, 8);
  put (wide, at - start, 8);
  put (wide, start, 8);
  put (wide, 0x07064b50, 4);
  put (wide, 0, 4);
  put (wide, at, 8);
  put (wide, 1, 4);
  put (wide, 0x06054b50, 4);
  put (wide, 0, 4);
  put (wide, G_MAXUINT64, 8); /* how many, twice, and the size */
  put (wide, G_MAXUINT32, 4);
  put (wide, 0, 2);
  return wide;
}

static HlArchive *
open_wide (const char *name,
           guint       n_said,
           GError    **error)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFile) plain = test_get_file ("fixtures/foreign", name);
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (g_file_peek_path (plain), &bytes, &size, NULL));
  g_autoptr (GByteArray) wide = widen ((const guint8 *) bytes, size, n_said);
  g_assert_true (g_file_set_contents (path, (const char *) wide->data, wide->len, NULL));
  HlArchive *archive = hl_archive_open (file, NULL, NULL, error);
  test_remove_folder (folder);
  return archive;
}

static void
test_same (gconstpointer name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = test_get_file ("fixtures/foreign", name);
  g_autoptr (HlArchive) plain = hl_archive_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlArchive) wide = open_wide (name, 3, &error);
  g_assert_no_error (error);
  g_auto (GStrv) names = hl_archive_list (plain, "", NULL);
  g_auto (GStrv) wide_names = hl_archive_list (wide, "", NULL);
  guint n_tensors = 0;

  g_assert_cmpstrv (names, wide_names);
  for (guint i = 0; names[i] != NULL; i++)
    {
      const guint64 start[HL_LIMIT_RANK] = { 0 };
      guint64 n;

      if (hl_archive_get_kind (plain, names[i]) != HL_MEMBER_TENSOR)
        continue;
      g_autoptr (HlTensor) first = hl_archive_open_tensor (plain, names[i], NULL);
      g_autoptr (HlTensor) second = hl_archive_open_tensor (wide, names[i], &error);
      g_assert_no_error (error);
      const HlShape *shape = hl_tensor_get_shape (first);
      g_assert_true (hl_shape_get_n_elements (shape, &n));
      g_autofree float *a = g_new (float, n);
      g_autofree float *b = g_new (float, n);
      g_assert_true (hl_tensor_read_f32 (first, start, shape->dims, a, NULL, NULL));
      g_assert_true (hl_tensor_read_f32 (second, start, shape->dims, b, NULL, &error));
      g_assert_cmpmem (a, n * sizeof *a, b, n * sizeof *b);
      n_tensors++;
    }
  g_assert_cmpuint (n_tensors, >, 0);
}

static void
test_missing (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchive) archive = open_wide ("stored.npz", 1, &error);

  g_assert_null (archive);
  g_assert_error (error, HL_ERROR, HL_ERROR_CORRUPT);
  g_assert_nonnull (strstr (error->message, "are missing"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/zip/wide-stored", "stored.npz", test_same);
  g_test_add_data_func ("/zip/wide-deflated", "deflated.npz", test_same);
  g_test_add_data_func ("/zip/wide-torch", "shared.pt", test_same);
  g_test_add_func ("/zip/wide-missing", test_missing);
  return g_test_run ();
}
