/* SPDX-License-Identifier: MIT */
/* HDF5 files as an archive: names, regions of tensors, what was never written, attributes, and many threads at once. */
#include "test-dumps.h"

#include <string.h>
#include <unistd.h>

#include "core/archive/format/hl-format.h"
#include "core/archive/hdf5/hl-hdf5-archive.h"
#include "core/archive/hdf5/hl-hdf5.h"
#include "core/archive/hl-archive-writer.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/document/hl-document.h"

static HlArchive *
open_fixture (const char *name)
{
  g_autoptr (GFile) file = test_get_file ("fixtures", name);
  g_autoptr (GError) error = NULL;
  HlArchive *archive = hl_archive_open (file, NULL, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (HL_IS_HDF5_ARCHIVE (archive));
  return archive;
}

static float *
read_all (HlTensor *tensor,
          guint64  *n)
{
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  const HlShape *shape = hl_tensor_get_shape (tensor);
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_shape_get_n_elements (shape, n));
  float *numbers = g_new (float, *n);
  hl_tensor_read_f32 (tensor, start, shape->dims, numbers, NULL, &error);
  g_assert_no_error (error);
  return numbers;
}

static void
test_names (void)
{
  g_autoptr (HlArchive) archive = open_fixture ("group-twelve-layers.h5");
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) root = hl_archive_list (archive, "", &error);
  g_auto (GStrv) layers = hl_archive_list (archive, "attention", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (hl_archive_get_container (archive), ==, "HDF5");
  g_assert_true (g_strv_contains ((const char *const *) root, "attention"));
  g_assert_cmpuint (g_strv_length (layers), ==, 12);
  for (guint i = 0; i < 12; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);
      g_assert_cmpstr (layers[i], ==, name);
    }

  g_assert_cmpint (hl_archive_get_kind (archive, ""), ==, HL_MEMBER_GROUP);
  g_assert_cmpint (hl_archive_get_kind (archive, "attention"), ==, HL_MEMBER_GROUP);
  g_assert_cmpint (hl_archive_get_kind (archive, "attention/11"), ==, HL_MEMBER_TENSOR);
  g_assert_cmpint (hl_archive_get_kind (archive, "attention/12"), ==, HL_MEMBER_NONE);
  g_assert_cmpint (hl_archive_get_kind (archive, "attention/0/x"), ==, HL_MEMBER_NONE);
  g_assert_cmpint (hl_archive_get_kind (archive, "tokens"), ==, HL_MEMBER_STRINGS);
  g_assert_cmpint (hl_archive_get_kind (archive, "nothing"), ==, HL_MEMBER_NONE);

  g_assert_null (hl_archive_open_tensor (archive, "nothing", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
  g_clear_error (&error);
  g_assert_null (hl_archive_open_tensor (archive, "tokens", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_DTYPE);
  g_clear_error (&error);
  g_assert_null (hl_archive_read_strings (archive, "attention/0", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_DTYPE);
  g_clear_error (&error);
  g_assert_null (hl_archive_list (archive, "tokens", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
}

static void
test_attributes (void)
{
  g_autoptr (HlArchive) archive = open_fixture ("attribute-kinds.h5");
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) model = hl_archive_get_attribute (archive, "", "model", &error);
  g_autoptr (GVariant) causal = hl_archive_get_attribute (archive, "", "causal", &error);
  g_autoptr (GVariant) split = hl_archive_get_attribute (archive, "", "sentence_b_start", &error);
  g_autoptr (GVariant) scale = hl_archive_get_attribute (archive, "", "scale", &error);
  g_autoptr (GVariant) absent = hl_archive_get_attribute (archive, "", "absent", &error);

  g_assert_no_error (error);
  g_assert_cmpstr (g_variant_get_string (model, NULL), ==, "modèle");
  g_assert_cmpint (g_variant_get_int64 (causal), ==, 1);
  g_assert_cmpint (g_variant_get_int64 (split), ==, 4);
  g_assert_cmpfloat (g_variant_get_double (scale), ==, 0.125);
  g_assert_null (absent);
}

/* Every region of a tensor is the same part of all of it, however it is stored. */
static void
test_regions (gconstpointer name)
{
  g_autoptr (HlArchive) archive = open_fixture (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, "attention", &error);
  g_assert_no_error (error);
  const HlShape *shape = hl_tensor_get_shape (tensor);
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  guint64 n_all;
  g_autofree float *all = read_all (tensor, &n_all);
  g_autofree float *part = g_new (float, n_all);

  for (guint round = 0; round < 200; round++)
    {
      guint64 start[HL_LIMIT_RANK], count[HL_LIMIT_RANK], at[HL_LIMIT_RANK] = { 0 };
      gsize n = 1;

      for (guint i = 0; i < shape->rank; i++)
        {
          start[i] = (guint64) g_rand_int_range (rand, 0, (gint32) shape->dims[i]);
          count[i] = (guint64) g_rand_int_range (rand, round == 0 ? 0 : 1, (gint32) (shape->dims[i] - start[i] + 1));
          n *= count[i];
        }
      hl_tensor_read_f32 (tensor, start, count, part, NULL, &error);
      g_assert_no_error (error);
      for (gsize i = 0; i < n; i++)
        {
          gsize rest = i, index = 0;
          for (guint axis = shape->rank; axis-- > 0;)
            {
              at[axis] = start[axis] + rest % count[axis];
              rest /= count[axis];
            }
          for (guint axis = 0; axis < shape->rank; axis++)
            index = index * shape->dims[axis] + at[axis];
          g_assert_cmpfloat (part[i], ==, all[index]);
        }
    }
}

typedef struct
{
  HlTensor *tensor;
  const float *expected;
  guint64 n;
  guint seed;
} ThreadData;

static gpointer
read_in_thread (gpointer data)
{
  const ThreadData *self = data;
  const HlShape *shape = hl_tensor_get_shape (self->tensor);
  const gsize n_map = shape->dims[2] * shape->dims[3];
  g_autoptr (GRand) rand = g_rand_new_with_seed (self->seed);
  g_autofree float *map = g_new (float, n_map);
  guint n_wrong = 0;

  for (guint i = 0; i < 500; i++)
    {
      const guint64 layer = (guint64) g_rand_int_range (rand, 0, (gint32) shape->dims[0]);
      const guint64 head = (guint64) g_rand_int_range (rand, 0, (gint32) shape->dims[1]);
      const guint64 start[] = { layer, head, 0, 0 };
      const guint64 count[] = { 1, 1, shape->dims[2], shape->dims[3] };

      if (!hl_tensor_read_f32 (self->tensor, start, count, map, NULL, NULL) ||
          memcmp (map, self->expected + (layer * shape->dims[1] + head) * n_map, n_map * sizeof *map) != 0)
        n_wrong++;
    }
  return GUINT_TO_POINTER (n_wrong);
}

/* Two threads on one tensor and two on another, of the same file and through the library. */
static void
test_threads (void)
{
  g_autoptr (HlArchive) archive = open_fixture ("f16-gzip.h5");
  g_autoptr (HlArchive) other = open_fixture ("f32-crossing-chunks.h5");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) first = hl_archive_open_tensor (archive, "attention", &error);
  g_autoptr (HlTensor) second = hl_archive_open_tensor (other, "attention", &error);
  g_assert_no_error (error);
  HlTensor *tensors[2] = { first, second };
  float *expected[2];
  ThreadData data[4];
  GThread *threads[4];

  for (guint i = 0; i < 2; i++)
    expected[i] = read_all (tensors[i], &data[i].n);
  for (guint i = 0; i < 4; i++)
    {
      data[i] = (ThreadData){ tensors[i % 2], expected[i % 2], data[i % 2].n, i };
      threads[i] = g_thread_new ("reader", read_in_thread, &data[i]);
    }
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (GPOINTER_TO_UINT (g_thread_join (threads[i])), ==, 0);
  g_free (expected[0]);
  g_free (expected[1]);
}

static gpointer
open_in_thread (gpointer data)
{
  for (guint i = 0; i < 100; i++)
    {
      g_autoptr (HlArchive) archive = open_fixture ("f16-gzip.h5");
      g_autoptr (GError) error = NULL;
      g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, "attention", &error);
      float number;

      g_assert_no_error (error);
      g_assert_true (hl_tensor_read_f32 (tensor, (guint64[4]){ 0 }, (guint64[]){ 1, 1, 1, 1 }, &number, NULL, &error));
      g_assert_no_error (error);
    }
  return NULL;
}

/* Who lets go of a file while another thread has the library leaves it to that: nothing stays open. */
static void
test_let_go (void)
{
  GThread *threads[3];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("opener", open_in_thread, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);

  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  g_assert_cmpint (H5Fget_obj_count (H5F_OBJ_ALL, H5F_OBJ_ALL), ==, 0);
}

static void
test_cancelled (void)
{
  g_autoptr (HlArchive) archive = open_fixture ("f16-gzip.h5");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, "attention", &error);
  const guint64 start[] = { 0, 0, 0, 0 };
  const guint64 count[] = { 1, 1, 1, 1 };
  float number;

  g_cancellable_cancel (cancellable);
  g_assert_false (hl_tensor_read_f32 (tensor, start, count, &number, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* A tensor keeps its archive, and nothing else does. */
static void
test_lifetime (void)
{
  HlArchive *archive = open_fixture ("bf16-gzip.h5");
  HlArchive *other = open_fixture ("f32-contiguous.h5");
  g_autoptr (GError) error = NULL;
  HlTensor *chunked = hl_archive_open_tensor (archive, "attention", &error);
  HlTensor *contiguous = hl_archive_open_tensor (other, "attention", &error);
  guint64 n;

  g_object_add_weak_pointer (G_OBJECT (archive), (gpointer *) &archive);
  g_object_add_weak_pointer (G_OBJECT (other), (gpointer *) &other);
  g_object_unref (archive);
  g_object_unref (other);
  g_assert_nonnull (archive);
  g_assert_nonnull (other);
  g_free (read_all (chunked, &n));
  g_free (read_all (contiguous, &n));
  g_assert_finalize_object (chunked);
  g_assert_finalize_object (contiguous);
  g_assert_null (archive);
  g_assert_null (other);
}

/* A dump that another program writes anew while it is open: what was open gives an error or numbers, and opening it again gives
 * what is there now. */
static void
test_rewritten (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "dump.h5", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GFile) before = test_get_file ("fixtures", "f32-contiguous.h5");
  g_autoptr (GFile) after = test_get_file ("fixtures", "tokens-vlen-utf8.h5");
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  gsize size;
  guint64 n;

  g_assert_true (g_file_copy (before, target, G_FILE_COPY_NONE, NULL, NULL, NULL, &error));
  g_autoptr (HlArchive) archive = hl_archive_open (target, NULL, NULL, &error);
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, "attention", &error);
  g_assert_no_error (error);
  g_free (read_all (tensor, &n));

  g_assert_true (g_file_load_contents (after, NULL, &bytes, &size, NULL, &error));
  g_assert_cmpint (truncate (path, 0), ==, 0);
  const guint64 start[] = { 0, 0, 0, 0 };
  g_autofree float *numbers = g_new (float, n);
  g_assert_false (hl_tensor_read_f32 (tensor, start, hl_tensor_get_shape (tensor)->dims, numbers, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
  g_clear_error (&error);

  /* In the same place, as h5py's "w" does. */
  g_autoptr (GFileOutputStream) stream = g_file_append_to (target, G_FILE_CREATE_NONE, NULL, &error);
  g_assert_true (g_output_stream_write_all (G_OUTPUT_STREAM (stream), bytes, size, NULL, NULL, &error));
  g_assert_true (g_output_stream_close (G_OUTPUT_STREAM (stream), NULL, &error));
  g_autoptr (HlArchive) again = hl_archive_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlTensor) anew = hl_archive_open_tensor (again, "attention", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_tensor_get_shape (anew)->dims[2], ==, 16);
  test_remove_folder (folder);
}

/* However large a chunk is, it is not unpacked for every row: the next one is there when the file is gone. */
static void
test_large_chunk (void)
{
  const HlShape shape = { 2, { 1100, 16384 } };
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "large.h5", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autofree float *row = g_new0 (float, shape.dims[1]);
  guint64 start[] = { 0, 0 };
  const guint64 count[] = { 1, shape.dims[1] };

  g_autoptr (HlArchiveWriter) writer = hl_archive_writer_new (file, &error);
  g_assert_no_error (error);
  g_assert_true (hl_archive_writer_begin_tensor (writer, "numbers", HL_DTYPE_F32, &shape, shape.dims, &error));
  for (guint64 i = 0; i < shape.dims[0]; i++)
    {
      row[0] = (float) i;
      g_assert_true (hl_archive_writer_write (writer, row, shape.dims[1], &error));
    }
  g_assert_true (hl_archive_writer_close (writer, &error));
  g_autoptr (HlArchive) archive = hl_archive_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, "numbers", &error);
  g_assert_no_error (error);
  g_assert_true (hl_tensor_read_f32 (tensor, start, count, row, NULL, &error));
  g_assert_cmpint (truncate (path, 0), ==, 0);
  for (start[0] = 0; start[0] < shape.dims[0]; start[0] += 157)
    {
      g_assert_true (hl_tensor_read_f32 (tensor, start, count, row, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpfloat (row[0], ==, (float) start[0]);
    }
  test_remove_folder (folder);
}

static hid_t
create_file (const char  *path,
             H5F_libver_t version)
{
  const hid_t access = H5Pcreate (H5P_FILE_ACCESS);

  H5Pset_libver_bounds (access, version, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  g_assert_cmpint (file, >=, 0);
  H5Pclose (access);
  return file;
}

/* A square matrix of which the first @n rows and columns are written. */
static void
put_square (hid_t       file,
            const char *name,
            hid_t       type,
            hid_t       plist,
            guint       size,
            guint       n,
            const void *numbers,
            hid_t       memory)
{
  const hsize_t sizes[] = { size, size }, start[] = { 0, 0 }, count[] = { n, n };
  const hid_t space = H5Screate_simple (2, sizes, NULL), part = H5Screate_simple (2, count, NULL);
  const hid_t dataset = H5Dcreate2 (file, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);

  g_assert_cmpint (dataset, >=, 0);
  if (n > 0)
    {
      H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL);
      g_assert_cmpint (H5Dwrite (dataset, memory, part, space, H5P_DEFAULT, numbers), >=, 0);
    }
  H5Dclose (dataset);
  H5Sclose (part);
  H5Sclose (space);
}

static float *
read_member (HlArchive  *archive,
             const char *name,
             guint64    *n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, name, &error);

  g_assert_no_error (error);
  return read_all (tensor, n);
}

/* Chunks that reach over the edge are neither shuffled nor packed, and without a checksum. */
static void
test_bare_edges (void)
{
  static const char *const names[] = { "shuffled", "packed", "summed" };
  const hsize_t chunk[] = { 8, 8 };
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "edges.h5", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  const hid_t file = create_file (path, H5F_LIBVER_V110);
  float numbers[100];

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    numbers[i] = (float) i / 7;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const hid_t plist = H5Pcreate (H5P_DATASET_CREATE);

      H5Pset_chunk (plist, 2, chunk);
      g_assert_cmpint (H5Pset_chunk_opts (plist, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS), >=, 0);
      H5Pset_shuffle (plist);
      if (i == 1)
        H5Pset_deflate (plist, 6);
      if (i == 2)
        H5Pset_fletcher32 (plist);
      put_square (file, names[i], H5T_IEEE_F32LE, plist, 10, 10, numbers, H5T_NATIVE_FLOAT);
      H5Pclose (plist);
    }
  H5Fclose (file);

  g_autoptr (HlArchive) archive = hl_archive_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      guint64 n;
      g_autofree float *read = read_member (archive, names[i], &n);
      g_assert_cmpmem (read, n * sizeof *read, numbers, sizeof numbers);
    }
}

/* What was never written is what the file says, in whatever type and version; 0 if that is never put there. */
static void
test_fill (gconstpointer data)
{
  const H5F_libver_t version = (H5F_libver_t) GPOINTER_TO_INT (data);
  const hid_t types[] = { H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_IEEE_F64BE, H5T_STD_I16BE };
  static const float fills[] = { 0, -3, -3 };
  static const float expected[] = { 0, -3, 0 };
  static const H5D_fill_time_t times[] = { H5D_FILL_TIME_IFSET, H5D_FILL_TIME_IFSET, H5D_FILL_TIME_NEVER };
  const hsize_t chunk[] = { 2, 2 };
  const float ones[] = { 1, 1, 1, 1 };
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "fill.h5", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  const hid_t file = create_file (path, version);

  for (guint i = 0; i < G_N_ELEMENTS (types) * G_N_ELEMENTS (fills); i++)
    {
      const hid_t plist = H5Pcreate (H5P_DATASET_CREATE);
      g_autofree char *parts = g_strdup_printf ("part %u", i);
      g_autofree char *nothing = g_strdup_printf ("nothing %u", i);

      H5Pset_fill_value (plist, H5T_NATIVE_FLOAT, &fills[i % 3]);
      H5Pset_fill_time (plist, times[i % 3]);
      put_square (file, nothing, types[i / 3], plist, 4, 0, NULL, H5T_NATIVE_FLOAT);
      H5Pset_chunk (plist, 2, chunk);
      put_square (file, parts, types[i / 3], plist, 4, 2, ones, H5T_NATIVE_FLOAT);
      H5Pclose (plist);
    }
  H5Fclose (file);

  g_autoptr (HlArchive) archive = hl_archive_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (types) * G_N_ELEMENTS (fills); i++)
    {
      g_autofree char *parts = g_strdup_printf ("part %u", i);
      g_autofree char *nothing = g_strdup_printf ("nothing %u", i);
      guint64 n;
      g_autofree float *some = read_member (archive, parts, &n);
      g_autofree float *none = read_member (archive, nothing, &n);

      g_assert_cmpuint (n, ==, 16);
      for (guint j = 0; j < n; j++)
        {
          g_assert_cmpfloat (some[j], ==, j / 4 < 2 && j % 4 < 2 ? 1 : expected[i % 3]);
          g_assert_cmpfloat (none[j], ==, expected[i % 3]);
        }
    }
}

/* A list of which the first @n are written, in chunks of 2, or one value without axes, which is not. */
static void
put_list (hid_t       file,
          const char *name,
          hid_t       type,
          const void *fill,
          guint       size,
          guint       n,
          const void *values)
{
  const hsize_t sizes[] = { size }, chunk[] = { 2 }, start[] = { 0 }, count[] = { n };
  const hid_t space = size > 0 ? H5Screate_simple (1, sizes, NULL) : H5Screate (H5S_SCALAR);
  const hid_t plist = H5Pcreate (H5P_DATASET_CREATE);

  if (fill != NULL)
    H5Pset_fill_value (plist, type, fill);
  if (n > 0)
    H5Pset_chunk (plist, 1, chunk);
  const hid_t dataset = H5Dcreate2 (file, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
  g_assert_cmpint (dataset, >=, 0);
  if (n > 0)
    {
      const hid_t part = H5Screate_simple (1, count, NULL);
      H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL);
      g_assert_cmpint (H5Dwrite (dataset, type, part, space, H5P_DEFAULT, values), >=, 0);
      H5Sclose (part);
    }
  H5Dclose (dataset);
  H5Pclose (plist);
  H5Sclose (space);
}

static void
assert_list (HlArchive  *archive,
             const char *name,
             const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) strings = hl_archive_read_strings (archive, name, &error);

  g_assert_no_error (error);
  g_autofree char *all = g_strjoinv (" ", strings);
  g_assert_cmpstr (all, ==, expected);
}

/* So are single values and lists of strings. */
static void
test_fill_list (gconstpointer data)
{
  const H5F_libver_t version = (H5F_libver_t) GPOINTER_TO_INT (data);
  static const gint64 one = 1;
  static const double eighth = 0.125;
  static const char *const none = NULL, *const text = "tok", *const words[] = { "uno", "dos", "tres" };
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "fill.h5", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  const hid_t file = create_file (path, version);
  const hid_t fixed = H5Tcopy (H5T_C_S1), variable = H5Tcopy (H5T_C_S1);

  H5Tset_size (fixed, 3);
  H5Tset_strpad (fixed, H5T_STR_NULLPAD);
  H5Tset_size (variable, H5T_VARIABLE);
  put_list (file, "causal", H5T_STD_I64LE, &one, 0, 0, NULL);
  put_list (file, "scale", H5T_IEEE_F64LE, &eighth, 0, 0, NULL);
  put_list (file, "model", fixed, "abc", 0, 0, NULL);
  put_list (file, "tokens", fixed, "tok", 3, 0, NULL);
  put_list (file, "some", fixed, "tok", 7, 3, "unodostre");
  put_list (file, "empty", fixed, NULL, 3, 0, NULL);
  put_list (file, "variable", variable, NULL, 5, 3, words);
  put_list (file, "no words", variable, &none, 5, 3, words);
  put_list (file, "words", variable, &text, 5, 3, words);
  H5Tclose (fixed);
  H5Tclose (variable);
  H5Fclose (file);

  g_autoptr (HlArchive) archive = hl_archive_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GVariant) causal = hl_archive_get_attribute (archive, "", "causal", &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_variant_get_int64 (causal), ==, 1);
  g_autoptr (GVariant) scale = hl_archive_get_attribute (archive, "", "scale", &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (g_variant_get_double (scale), ==, 0.125);
  g_autoptr (GVariant) model = hl_archive_get_attribute (archive, "", "model", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (g_variant_get_string (model, NULL), ==, "abc");
  assert_list (archive, "tokens", "tok tok tok");
  assert_list (archive, "some", "uno dos tre tok tok tok tok");
  assert_list (archive, "empty", "  ");
  assert_list (archive, "variable", "uno dos tres  ");
  assert_list (archive, "no words", "uno dos tres  ");

  /* It lies where the library is not let, and is called what it is. */
  g_assert_null (hl_archive_read_strings (archive, "words", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "fill value is of variable length"));
}

/* One that is not found stands for nothing: the message is what it was before HDF5 1.6. */
static void
test_fill_unknown (void)
{
  static const char fill[] = "what stands for the rest";
  static const guint8 now[] = { 0x05, 0x00 }, then[] = { 0x04, 0x00 };
  const gsize head = 16; /* of the message, and what comes before the value in it */
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "fill.h5", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autofree char *bytes = NULL;
  gsize size;
  const hid_t file = create_file (path, H5F_LIBVER_EARLIEST);
  const hid_t type = H5Tcopy (H5T_C_S1);

  H5Tset_size (type, sizeof fill);
  put_list (file, "contiguous", type, fill, 3, 0, NULL);
  put_list (file, "chunked", type, fill, 3, 1, fill);
  put_list (file, "written", type, fill, 2, 2, (char[2 * sizeof fill]){ "a" });
  H5Tclose (type);
  H5Fclose (file);
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  for (gsize i = head; i + sizeof fill <= size; i++)
    if (memcmp (bytes + i, fill, sizeof fill) == 0 && memcmp (bytes + i - head, now, sizeof now) == 0)
      {
        memcpy (bytes + i - head, then, sizeof then);
        memcpy (bytes + i - 8, bytes + i - 4, 4);
      }
  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));

  g_autoptr (HlArchive) archive = hl_archive_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_null (hl_archive_read_strings (archive, i == 0 ? "contiguous" : "chunked", &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
      g_assert_nonnull (strstr (error->message, "what stands for the rest is not found"));
      g_clear_error (&error);
    }
  assert_list (archive, "written", "a ");
}

/* In place of an attribute, of whatever rank. */
static void
test_single_value (void)
{
  static const float number = 3;
  static const hsize_t chunk[] = { 1, 1 };
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "single.h5", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  const hid_t file = create_file (path, H5F_LIBVER_EARLIEST);
  const hid_t plist = H5Pcreate (H5P_DATASET_CREATE);

  put_square (file, "plain", H5T_STD_I64LE, H5P_DEFAULT, 1, 1, &number, H5T_NATIVE_FLOAT);
  H5Pset_chunk (plist, 2, chunk);
  put_square (file, "chunked", H5T_STD_I64LE, plist, 1, 1, &number, H5T_NATIVE_FLOAT);
  H5Pclose (plist);
  H5Fclose (file);

  g_autoptr (HlArchive) archive = hl_archive_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GVariant) value = hl_archive_get_attribute (archive, "", i == 0 ? "plain" : "chunked", &error);
      g_assert_no_error (error);
      g_assert_cmpint (g_variant_get_int64 (value), ==, 3);
    }
}

/* One of a file's table is called what it is. */
static void
test_shared_fill (void)
{
  static const float fill = 0, numbers[] = { 1, 0, 0.5f, 0.5f };
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "shared.h5", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  const hid_t creation = H5Pcreate (H5P_FILE_CREATE), plist = H5Pcreate (H5P_DATASET_CREATE);

  H5Pset_shared_mesg_nindexes (creation, 1);
  H5Pset_shared_mesg_index (creation, 0, H5O_SHMESG_FILL_FLAG, 1);
  H5Pset_fill_value (plist, H5T_NATIVE_FLOAT, &fill);
  const hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, creation, H5P_DEFAULT);
  put_square (file, "first", H5T_IEEE_F32LE, plist, 2, 2, numbers, H5T_NATIVE_FLOAT);
  put_square (file, "second", H5T_IEEE_F32LE, plist, 2, 2, numbers, H5T_NATIVE_FLOAT);
  H5Pclose (creation);
  H5Pclose (plist);
  H5Fclose (file);

  g_autoptr (HlArchive) archive = hl_archive_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (hl_archive_open_tensor (archive, "second", &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "shares its fill value"));
}

/* Names in Latin-1 are found as they are listed, also where two differ in such bytes alone, and do no harm to others. */
static void
test_other_names (void)
{
  static const char *const written[] = { "gr\xf6\xdf"
                                         "e",
                                         "gr\xfc\xdf"
                                         "e",
                                         "größe" };
  static const char *const listed[] = { "gr<0xF6><0xDF>e", "gr<0xFC><0xDF>e", "größe" };
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "names.h5", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  const hid_t file = create_file (path, H5F_LIBVER_EARLIEST);

  for (guint i = 0; i < G_N_ELEMENTS (written); i++)
    {
      const float numbers[] = { (float) i, 0, 0, 0 };
      const hid_t group = H5Gcreate2 (file, written[i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      put_square (group, written[i], H5T_NATIVE_FLOAT, H5P_DEFAULT, 2, 2, numbers, H5T_NATIVE_FLOAT);
      H5Gclose (group);
    }
  H5Fclose (file);

  g_autoptr (HlArchive) archive = hl_archive_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  g_auto (GStrv) names = hl_archive_list (archive, "", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, G_N_ELEMENTS (listed));
  for (guint i = 0; i < G_N_ELEMENTS (listed); i++)
    {
      g_autofree char *name = hl_archive_join (listed[i], listed[i]);
      guint64 n;
      g_assert_true (g_strv_contains ((const char *const *) names, listed[i]));
      g_assert_cmpint (hl_archive_get_kind (archive, listed[i]), ==, HL_MEMBER_GROUP);
      g_autofree float *numbers = read_member (archive, name, &n);
      g_assert_cmpfloat (numbers[0], ==, (float) i);
    }
  g_assert_cmpint (hl_archive_get_kind (archive, "gr<0xF6>"), ==, HL_MEMBER_NONE);
}

/* Two names over a byte are booleans if they are 0 and 1. */
static void
test_enumerations (void)
{
  static const gint8 values[][2] = { { 0, 1 }, { 1, 0 }, { -1, 1 }, { 0, 100 }, { 0, -1 } };
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "names.h5", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  const hid_t file = create_file (path, H5F_LIBVER_EARLIEST);

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);
      const hid_t type = H5Tenum_create (H5T_STD_I8LE);
      const gint8 numbers[] = { values[i][0], values[i][1], values[i][1], values[i][0] };

      H5Tenum_insert (type, "a", &values[i][0]);
      H5Tenum_insert (type, "b", &values[i][1]);
      put_square (file, name, type, H5P_DEFAULT, 2, 2, numbers, type);
      H5Tclose (type);
    }
  H5Fclose (file);

  g_autoptr (HlArchive) archive = hl_archive_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);
      guint64 n;
      g_autofree float *numbers = read_member (archive, name, &n);

      g_assert_cmpuint (n, ==, 4);
      for (guint j = 0; j < n; j++)
        g_assert_cmpfloat (numbers[j], ==, values[i][j == 1 || j == 2]);
    }
  for (guint i = 2; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *name = g_strdup_printf ("%u", i);

      g_assert_null (hl_archive_open_tensor (archive, name, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_DTYPE);
      g_clear_error (&error);
    }
}

static void
test_recognise (void)
{
  g_autoptr (GFile) file = test_get_file ("fixtures", "f32-userblock.h5");
  g_autoptr (GFile) other = test_get_file ("fixtures", "minified.json");
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (hl_hdf5_archive_recognise (file, (const guint8 *) "", 0));
  g_assert_true (g_file_load_contents (other, NULL, &bytes, &size, NULL, NULL));
  g_assert_false (hl_hdf5_archive_recognise (other, (const guint8 *) bytes, size));
}

static gpointer
open_damaged (gpointer data)
{
  g_autoptr (GFile) folder = test_get_file ("malformed", "");
  g_autoptr (GDir) names = g_dir_open (g_file_peek_path (folder), 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (names)) != NULL)
    {
      g_autoptr (GFile) file = g_file_get_child (folder, name);
      g_autoptr (HlDocument) document = g_str_has_suffix (name, ".h5") ? hl_document_load (file, NULL, NULL, NULL)
                                                                       : NULL;
    }
  return NULL;
}

/* What the library thinks of a file is ours to say, in every thread. */
static void
test_quiet (void)
{
  if (g_test_subprocess ())
    {
      open_damaged (NULL);
      g_thread_join (g_thread_new ("opener", open_damaged, NULL));
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr_unmatched ("*HDF5-DIAG*");
}

int
main (int   argc,
      char *argv[])
{
  static const char *const stored[] = {
    "f32-contiguous.h5", "f32-compact.h5",    "f16-gzip.h5",        "bf16-contiguous.h5",     "f64.h5",
    "f32-big-endian.h5", "f16-big-endian.h5", "f32-auto-chunks.h5", "f32-crossing-chunks.h5", "f32-fletcher.h5",
    "f32-resizable.h5",  "f32-latest.h5",     "f32-userblock.h5",   "batch-three.h5"
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (stored); i++)
    {
      g_autofree char *path = g_strconcat ("/hdf5/regions/", stored[i], NULL);
      g_test_add_data_func (path, stored[i], test_regions);
    }
  g_test_add_func ("/hdf5/names", test_names);
  g_test_add_func ("/hdf5/attributes", test_attributes);
  g_test_add_func ("/hdf5/threads", test_threads);
  g_test_add_func ("/hdf5/let-go", test_let_go);
  g_test_add_func ("/hdf5/cancelled", test_cancelled);
  g_test_add_func ("/hdf5/lifetime", test_lifetime);
  g_test_add_func ("/hdf5/rewritten", test_rewritten);
  g_test_add_func ("/hdf5/large-chunk", test_large_chunk);
  g_test_add_func ("/hdf5/bare-edges", test_bare_edges);
  g_test_add_data_func ("/hdf5/fill/earliest", GINT_TO_POINTER (H5F_LIBVER_EARLIEST), test_fill);
  g_test_add_func ("/hdf5/fill/shared", test_shared_fill);
  g_test_add_data_func ("/hdf5/fill/1.10", GINT_TO_POINTER (H5F_LIBVER_V110), test_fill);
  g_test_add_data_func ("/hdf5/fill/list/earliest", GINT_TO_POINTER (H5F_LIBVER_EARLIEST), test_fill_list);
  g_test_add_data_func ("/hdf5/fill/list/1.10", GINT_TO_POINTER (H5F_LIBVER_V110), test_fill_list);
  g_test_add_func ("/hdf5/fill/unknown", test_fill_unknown);
  g_test_add_func ("/hdf5/single-value", test_single_value);
  g_test_add_func ("/hdf5/other-names", test_other_names);
  g_test_add_func ("/hdf5/enumerations", test_enumerations);
  g_test_add_func ("/hdf5/recognise", test_recognise);
  g_test_add_func ("/hdf5/quiet", test_quiet);
  return g_test_run ();
}
