/* SPDX-License-Identifier: MIT */
/* Containers that are written: read back they hold what was put in, and a file that is not
 * completed is not there. NPZ is read back by NumPy, in tests/cli. */
#include "test-dumps.h"

#include "core/archive/format/hl-format.h"
#include "core/archive/hl-archive-writer.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *folder;
  GFile *file;
} Fixture;

/* @data is the name of the file. */
static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->folder = test_make_folder ();
  g_autofree char *path = g_build_filename (fixture->folder, data, NULL);
  fixture->file = g_file_new_for_path (path);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  test_remove_folder (fixture->folder);
  g_free (fixture->folder);
  g_object_unref (fixture->file);
}

static guint
count_files (Fixture *fixture)
{
  g_autoptr (GDir) folder = g_dir_open (fixture->folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (folder) != NULL)
    n++;
  return n;
}

static HlArchiveWriter *
begin (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  HlArchiveWriter *writer = hl_archive_writer_new (fixture->file, &error);

  g_assert_no_error (error);
  g_assert_nonnull (writer);
  return writer;
}

/* Numbers of every magnitude, the same each time. */
static float *
make_numbers (gsize n)
{
  float *numbers = g_new (float, n);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (gsize i = 0; i < n; i++)
    numbers[i] = (float) (g_rand_double (random) * pow (10, g_rand_int_range (random, -9, 2)));
  numbers[0] = 0;
  numbers[1] = 1;
  numbers[2] = 1e-41f;
  numbers[3] = -0.5f;
  return numbers;
}

/* Writes in pieces that have nothing to do with rows or chunks. */
static void
add_tensor (HlArchiveWriter *writer,
            const char      *name,
            HlDType          dtype,
            const HlShape   *shape,
            const guint64   *chunk,
            const float     *numbers)
{
  g_autoptr (GError) error = NULL;
  guint64 n;

  g_assert_true (hl_shape_get_n_elements (shape, &n));
  g_assert_true (hl_archive_writer_begin_tensor (writer, name, dtype, shape, chunk, &error));
  g_assert_no_error (error);
  for (guint64 i = 0, piece = 1; i < n; i += piece, piece = MIN (piece * 3 + 1, n - i))
    {
      piece = MIN (piece, n - i);
      g_assert_true (hl_archive_writer_write (writer, numbers + i, piece, &error));
      g_assert_no_error (error);
      if (i + piece == n)
        break;
    }
}

static void
finish (HlArchiveWriter *writer)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_archive_writer_close (writer, &error));
  g_assert_no_error (error);
}

static HlArchive *
open_archive (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  HlArchive *archive = hl_archive_open (fixture->file, NULL, NULL, &error);

  g_assert_no_error (error);
  return archive;
}

static void
assert_tensor (HlArchive     *archive,
               const char    *name,
               HlDType        dtype,
               const HlShape *shape,
               const float   *numbers)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, name, &error);
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  guint64 n;

  g_assert_no_error (error);
  g_assert_true (hl_shape_get_n_elements (shape, &n));
  g_autofree float *found = g_new (float, n);
  g_autofree char *sizes = hl_shape_to_string (shape);
  g_autofree char *found_sizes = hl_shape_to_string (hl_tensor_get_shape (tensor));
  g_assert_cmpstr (found_sizes, ==, sizes);
  g_assert_cmpint (hl_tensor_get_dtype (tensor), ==, dtype);
  g_assert_true (hl_tensor_read_f32 (tensor, start, shape->dims, found, NULL, &error));
  g_assert_no_error (error);
  for (guint64 i = 0; i < n; i++)
    {
      /* bfloat16 has 8 bits of precision, float16 has 11 and no less than 2^-24. */
      const double tolerance = dtype == HL_DTYPE_F32    ? 0
                               : dtype == HL_DTYPE_BF16 ? fabs ((double) numbers[i]) / 256 + 1e-40
                                                        : fabs ((double) numbers[i]) / 2048 + 6e-8;
      if (!(fabs ((double) found[i] - (double) numbers[i]) <= tolerance))
        g_error ("“%s” has %.9g instead of %.9g", name, (double) found[i], (double) numbers[i]);
    }
}

static void
assert_attribute (HlArchive  *archive,
                  const char *group,
                  const char *name,
                  const char *printed)
{
  g_autoptr (GVariant) value = hl_archive_get_attribute (archive, group, name, NULL);

  g_assert_nonnull (value);
  g_autofree char *text = g_variant_print (value, TRUE);
  g_assert_cmpstr (text, ==, printed);
}

static const char *const words[] = {
  "[CLS]", "", "Ġthe", "例", "🙂", "a\"b\\c", "\t\n", "\x7f", "\u202e\u05d0\u05d1"
};
static const HlShape four_axes = { 4, { 2, 3, 7, 5 } };
static const HlShape one_layer = { 3, { 2, 4, 4 } };
static const HlShape smaller_layer = { 3, { 1, 4, 4 } };
static const HlShape vector = { 1, { 11 } };

static void
write_all_kinds (HlArchiveWriter *writer,
                 const float     *numbers)
{
  const guint64 chunk[] = { 1, 1, 3, 5 };

  g_assert_true (hl_archive_writer_set_attribute (writer, "", "text", g_variant_new_string ("“a”\n\\"), NULL));
  g_assert_true (hl_archive_writer_set_attribute (writer, "", "integer", g_variant_new_int64 (G_MININT64 + 1), NULL));
  g_assert_true (hl_archive_writer_set_attribute (writer, "", "number", g_variant_new_double (0.1), NULL));
  g_assert_true (hl_archive_writer_add_strings (writer, "words", words, G_N_ELEMENTS (words), NULL));
  add_tensor (writer, "whole", HL_DTYPE_F32, &four_axes, NULL, numbers);
  add_tensor (writer, "chunks", HL_DTYPE_F32, &four_axes, chunk, numbers);
  add_tensor (writer, "vector", HL_DTYPE_F32, &vector, NULL, numbers);
  add_tensor (writer, "layers/0", HL_DTYPE_F32, &one_layer, NULL, numbers);
  add_tensor (writer, "layers/1", HL_DTYPE_F32, &smaller_layer, NULL, numbers + 32);
  add_tensor (writer, "layers/2", HL_DTYPE_F32, &one_layer, NULL, numbers + 48);
  g_assert_true (hl_archive_writer_set_attribute (writer, "a/é", "inner", g_variant_new_int64 (3), NULL));
  add_tensor (writer, "a/é/deep", HL_DTYPE_F32, &vector, NULL, numbers);
  g_assert_true (hl_archive_writer_add_strings (writer, "a/none", words, 0, NULL));
  add_tensor (writer, "b/x", HL_DTYPE_F32, &vector, NULL, numbers + 1);
  finish (writer);
}

static void
test_round_trip (Fixture      *fixture,
                 gconstpointer data)
{
  g_autofree float *numbers = make_numbers (2 * 3 * 7 * 5);
  g_autoptr (HlArchiveWriter) writer = begin (fixture);

  write_all_kinds (writer, numbers);
  g_assert_finalize_object (g_steal_pointer (&writer));
  g_assert_cmpuint (count_files (fixture), ==, 1);

  g_autoptr (HlArchive) archive = open_archive (fixture);
  assert_attribute (archive, "", "text", "'“a”\\n\\\\'");
  assert_attribute (archive, "", "integer", "int64 -9223372036854775807");
  assert_attribute (archive, "", "number", "0.10000000000000001");
  assert_attribute (archive, "a/é", "inner", "int64 3");
  assert_tensor (archive, "whole", HL_DTYPE_F32, &four_axes, numbers);
  assert_tensor (archive, "chunks", HL_DTYPE_F32, &four_axes, numbers);
  assert_tensor (archive, "vector", HL_DTYPE_F32, &vector, numbers);
  g_assert_cmpint (hl_archive_get_kind (archive, "layers"), ==, HL_MEMBER_GROUP);
  assert_tensor (archive, "layers/0", HL_DTYPE_F32, &one_layer, numbers);
  assert_tensor (archive, "layers/1", HL_DTYPE_F32, &smaller_layer, numbers + 32);
  assert_tensor (archive, "layers/2", HL_DTYPE_F32, &one_layer, numbers + 48);
  assert_tensor (archive, "a/é/deep", HL_DTYPE_F32, &vector, numbers);
  assert_tensor (archive, "b/x", HL_DTYPE_F32, &vector, numbers + 1);

  g_auto (GStrv) found = hl_archive_read_strings (archive, "words", NULL);
  g_assert_cmpuint (g_strv_length (found), ==, G_N_ELEMENTS (words));
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    g_assert_cmpstr (found[i], ==, words[i]);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) none = hl_archive_read_strings (archive, "a/none", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (none), ==, 0);
}

static void
test_half_precision (Fixture      *fixture,
                     gconstpointer data)
{
  g_autofree float *numbers = make_numbers (2 * 3 * 7 * 5);
  g_autoptr (HlArchiveWriter) writer = begin (fixture);

  numbers[5] = NAN;
  numbers[6] = INFINITY;
  add_tensor (writer, "f16", HL_DTYPE_F16, &four_axes, NULL, numbers);
  add_tensor (writer, "bf16", HL_DTYPE_BF16, &four_axes, NULL, numbers);
  finish (writer);

  g_autoptr (HlArchive) archive = open_archive (fixture);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, i == 0 ? "f16" : "bf16", NULL);
      const guint64 start[] = { 0, 0, 1, 0 }, count[] = { 1, 1, 1, 2 };
      float odd[2];
      g_assert_true (hl_tensor_read_f32 (tensor, start, count, odd, NULL, NULL));
      g_assert_true (isnan (odd[0]));
      g_assert_true (isinf (odd[1]) && odd[1] > 0);
    }
  g_clear_object (&writer);
  g_clear_object (&archive);

  numbers[5] = numbers[6] = 0.25f;
  writer = begin (fixture);
  add_tensor (writer, "f16", HL_DTYPE_F16, &four_axes, NULL, numbers);
  add_tensor (writer, "bf16", HL_DTYPE_BF16, &four_axes, NULL, numbers);
  finish (writer);
  archive = open_archive (fixture);
  assert_tensor (archive, "f16", HL_DTYPE_F16, &four_axes, numbers);
  assert_tensor (archive, "bf16", HL_DTYPE_BF16, &four_axes, numbers);
}

static void
test_same_bytes (Fixture      *fixture,
                 gconstpointer data)
{
  g_autofree float *numbers = make_numbers (2 * 3 * 7 * 5);
  g_autoptr (GBytes) first = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (HlArchiveWriter) writer = begin (fixture);
      write_all_kinds (writer, numbers);
      g_autoptr (GBytes) bytes = g_file_load_bytes (fixture->file, NULL, NULL, NULL);
      if (i == 0)
        {
          first = g_steal_pointer (&bytes);
          g_usleep (1100000); /* times in whole seconds would differ */
        }
      else
        {
          g_assert_true (g_bytes_equal (first, bytes));
        }
    }
}

/* Dropped at any point, a writer leaves no trace, and an earlier file as it was. */
static void
test_abandoned (Fixture      *fixture,
                gconstpointer data)
{
  const float numbers[11] = { 1, 2, 3 };

  for (guint stage = 0; stage < 4; stage++)
    {
      g_assert_true (g_file_replace_contents (fixture->file, "before", 6, NULL, FALSE, 0, NULL, NULL, NULL));
      g_autoptr (HlArchiveWriter) writer = begin (fixture);
      if (stage > 0)
        g_assert_true (hl_archive_writer_add_strings (writer, "words", words, G_N_ELEMENTS (words), NULL));
      if (stage > 1)
        g_assert_true (hl_archive_writer_begin_tensor (writer, "x", HL_DTYPE_F32, &vector, NULL, NULL));
      if (stage > 2)
        g_assert_true (hl_archive_writer_write (writer, numbers, 5, NULL));
      g_assert_finalize_object (g_steal_pointer (&writer));

      g_autoptr (GBytes) bytes = g_file_load_bytes (fixture->file, NULL, NULL, NULL);
      g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), "before", 6);
      g_assert_cmpuint (count_files (fixture), ==, 1);
    }
}

static void
test_permissions (Fixture      *fixture,
                  gconstpointer data)
{
  const mode_t before = umask (027);
  struct stat info;

  {
    g_autoptr (HlArchiveWriter) writer = begin (fixture);
    finish (writer);
  }
  umask (before);
  g_assert_cmpint (g_stat (g_file_peek_path (fixture->file), &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0640);
}

static void
test_symbolic_link (Fixture      *fixture,
                    gconstpointer data)
{
  g_autofree char *real = g_build_filename (fixture->folder, "real", NULL);
  g_autofree char *target = NULL;

  g_assert_true (g_file_set_contents (real, "before", 6, NULL));
  g_assert_cmpint (symlink ("real", g_file_peek_path (fixture->file)), ==, 0);
  {
    g_autoptr (HlArchiveWriter) writer = begin (fixture);
    finish (writer);
  }
  target = g_file_read_link (g_file_peek_path (fixture->file), NULL);
  g_assert_cmpstr (target, ==, "real");
  g_autoptr (HlArchive) archive = open_archive (fixture);
  g_assert_nonnull (archive);
}

static void
assert_refused (GFile      *file,
                HlError     code,
                const char *contains)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (hl_archive_writer_new (file, &error));
  g_assert_error (error, HL_ERROR, (int) code);
  g_assert_nonnull (strstr (error->message, contains));
}

static void
test_refused (Fixture      *fixture,
              gconstpointer data)
{
  g_autoptr (GFile) parent = g_file_get_parent (fixture->file);
  g_autoptr (GFile) text = g_file_get_child (parent, "dump.txt");
  g_autoptr (GFile) bare = g_file_get_child (parent, ".h5");
  g_autoptr (GFile) nowhere = g_file_resolve_relative_path (parent, "no/such/folder.h5");
  g_autoptr (GFile) folder = g_file_get_child (parent, "folder.h5");

  assert_refused (text, HL_ERROR_UNSUPPORTED, ".h5, .hdf5, .json or .npz");
  assert_refused (bare, HL_ERROR_UNSUPPORTED, ".npz");
  assert_refused (nowhere, HL_ERROR_IO, "cannot be written");
  g_assert_true (g_file_make_directory (folder, NULL, NULL));
  assert_refused (folder, HL_ERROR_NOT_A_FILE, "folder");
  g_assert_cmpuint (count_files (fixture), ==, 1);
}

static void
test_json_not_finite (Fixture      *fixture,
                      gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree float *numbers = make_numbers (2 * 3 * 7 * 5);
  g_autoptr (HlArchiveWriter) writer = begin (fixture);

  numbers[(1 * 3 + 2) * 35 + 4 * 5 + 3] = NAN;
  g_assert_true (hl_archive_writer_begin_tensor (writer, "attention", HL_DTYPE_F32, &four_axes, NULL, NULL));
  g_assert_false (hl_archive_writer_write (writer, numbers, 2 * 3 * 7 * 5, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_assert_nonnull (strstr (error->message, "attention[1][2][4][3]"));
  g_clear_error (&error);
  g_clear_object (&writer);

  writer = begin (fixture);
  g_assert_false (hl_archive_writer_set_attribute (writer, "", "scale", g_variant_new_double (NAN), &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  g_clear_object (&writer);
  g_assert_cmpuint (count_files (fixture), ==, 0);
}

static void
test_json_text (Fixture      *fixture,
                gconstpointer data)
{
  const float numbers[] = { 0.5f, 1, 0.1f, 1e-7f, 3, 4 };
  const HlShape shape = { 3, { 1, 2, 3 } };
  g_autoptr (HlArchiveWriter) writer = begin (fixture);
  g_autofree char *text = NULL;

  g_assert_true (hl_archive_writer_set_attribute (writer, "", "n", g_variant_new_int64 (1), NULL));
  add_tensor (writer, "a/x", HL_DTYPE_F32, &shape, NULL, numbers);
  g_assert_true (hl_archive_writer_add_strings (writer, "t", words, 3, NULL));
  finish (writer);
  g_assert_true (g_file_load_contents (fixture->file, NULL, &text, NULL, NULL, NULL));
  g_assert_cmpstr (text, ==,
                   "{\n\"n\":1,\n\"a\":{\n\"x\":[[\n[0.5,1,0.1],\n[1e-7,3,4]]]\n},\n\"t\":[\"[CLS]"
                   "\",\"\",\"Ġthe\"]\n}\n");
}

static void
test_npz_absurd_token (Fixture      *fixture,
                       gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlArchiveWriter) writer = begin (fixture);
  g_autofree char *absurd = g_strnfill (1000000, 'a');
  g_autofree const char **many = g_new (const char *, 1000);

  for (guint i = 0; i < 1000; i++)
    many[i] = i == 500 ? absurd : "a";
  g_assert_false (hl_archive_writer_add_strings (writer, "tokens", many, 1000, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
}

#define ADD(path, name, function) g_test_add ("/writers/" path, Fixture, name, set_up, function, tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("hdf5/round-trip", "dump.h5", test_round_trip);
  ADD ("hdf5/extension", "dump.HDF5", test_round_trip);
  ADD ("hdf5/half-precision", "dump.h5", test_half_precision);
  ADD ("hdf5/same-bytes", "dump.h5", test_same_bytes);
  ADD ("hdf5/abandoned", "dump.h5", test_abandoned);
  ADD ("hdf5/permissions", "dump.h5", test_permissions);
  ADD ("hdf5/symbolic-link", "dump.h5", test_symbolic_link);
  ADD ("json/round-trip", "dump.json", test_round_trip);
  ADD ("json/same-bytes", "dump.json", test_same_bytes);
  ADD ("json/abandoned", "dump.json", test_abandoned);
  ADD ("json/permissions", "dump.json", test_permissions);
  ADD ("json/symbolic-link", "dump.json", test_symbolic_link);
  ADD ("json/not-finite", "dump.json", test_json_not_finite);
  ADD ("json/text", "dump.json", test_json_text);
  ADD ("npz/same-bytes", "dump.npz", test_same_bytes);
  ADD ("npz/abandoned", "dump.npz", test_abandoned);
  ADD ("npz/permissions", "dump.npz", test_permissions);
  ADD ("npz/absurd-token", "dump.npz", test_npz_absurd_token);
  ADD ("refused", "dump.h5", test_refused);
  return g_test_run ();
}
