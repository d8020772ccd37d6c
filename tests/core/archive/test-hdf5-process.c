/* SPDX-License-Identifier: MIT */
/* Others use the HDF5 library in the same process: what they have open is closed when it ends, and what they choose stays. */
#include "core/archive/format/hl-format.h"
#include "core/archive/hdf5/hl-hdf5.h"
#include "core/archive/hl-archive-writer.h"
#include "core/document/hl-document.h"
#include "test-children.h"

#include <glib/gstdio.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define N 1000
#define VARIABLE "HEADLIGHT_TEST_FILE"

static char *
get_sample (void)
{
  return g_test_build_filename (G_TEST_DIST, "..", "..", "data", "samples", "minilm-time-flies.h5", NULL);
}

static HlDocument *
load (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_load (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return document;
}

static HlDocument *
load_sample (void)
{
  g_autofree char *path = get_sample ();

  return load (path);
}

static HlDocument *
load_fixture (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", name, NULL);

  return load (path);
}

/* Numbers in a file that nobody closes, which is returned. */
static hid_t
write_numbers (void)
{
  const hid_t file = H5Fcreate (g_getenv (VARIABLE), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple (1, &(hsize_t){ N }, NULL);
  const hid_t dataset = H5Dcreate2 (file, "numbers", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int numbers[N];

  for (int i = 0; i < N; i++)
    numbers[i] = i;
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), >=, 0);
  return file;
}

static void
assert_numbers (const char *path)
{
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  g_auto (HlHdf5Id) file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT);
  g_auto (HlHdf5Id) dataset = file >= 0 ? H5Dopen2 (file, "numbers", H5P_DEFAULT) : H5I_INVALID_HID;
  int numbers[N] = { 0 };

  g_assert_cmpint (file, >=, 0);
  g_assert_cmpint (dataset, >=, 0);
  g_assert_cmpint (H5Dread (dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), >=, 0);
  for (int i = 0; i < N; i++)
    g_assert_cmpint (numbers[i], ==, i);
}

static void
end_after_reading (void)
{
  g_autoptr (HlDocument) document = load_sample ();

  write_numbers ();
  exit (0);
}

static void
end_before_reading (void)
{
  write_numbers ();
  g_autoptr (HlDocument) document = load_sample ();
  exit (0);
}

/* The file is closed, and not the numbers in it. */
static void
end_without_dataset (void)
{
  g_autoptr (HlDocument) document = load_sample ();

  g_assert_cmpint (H5Fclose (write_numbers ()), >=, 0);
  exit (0);
}

static HlArchiveWriter *
begin_writing (GFile *file)
{
  g_autoptr (GError) error = NULL;
  HlArchiveWriter *writer = hl_archive_writer_new (file, &error);

  g_assert_no_error (error);
  return writer;
}

static gboolean
write_all (HlArchiveWriter *writer,
           GError         **error)
{
  const HlShape shape = { .rank = 2, .dims = { 100, 100 } };
  const guint64 chunk[] = { 10, 100 };
  g_autofree float *numbers = g_new (float, 10000);
  g_autoptr (GVariant) value = g_variant_ref_sink (g_variant_new_int64 (1));

  for (guint i = 0; i < 10000; i++)
    numbers[i] = (float) (i * 7919 % 10007);
  return hl_archive_writer_set_attribute (writer, "", "causal", value, error) &&
         hl_archive_writer_begin_tensor (writer, "a/b", HL_DTYPE_F32, &shape, chunk, error) &&
         hl_archive_writer_write (writer, numbers, 10000, error) && hl_archive_writer_close (writer, error);
}

static gssize
count_open (void)
{
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();

  return H5Fget_obj_count (H5F_OBJ_ALL, H5F_OBJ_ALL);
}

/* What a full disk broke off is closed all the same. */
static void
fill_disk (void)
{
  static const rlim_t limits[] = { 0, 100, 1000, 4000, 12000 };
  g_autofree char *path = g_strconcat (g_getenv (VARIABLE), "-full.h5", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);

  signal (SIGXFSZ, SIG_IGN);
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    {
      g_autoptr (GError) error = NULL;
      HlArchiveWriter *writer = begin_writing (target);
      struct rlimit old;

      g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &old), ==, 0);
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &(struct rlimit){ limits[i], old.rlim_max }), ==, 0);
      g_assert_false (write_all (writer, &error));
      g_object_unref (writer);
      g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &old), ==, 0);
      g_assert_error (error, HL_ERROR, HL_ERROR_IO);
      g_assert_nonnull (strstr (error->message, g_strerror (EFBIG)));
      g_assert_cmpint (count_open (), ==, 0);
    }
}

static void
end_after_full_disk (void)
{
  fill_disk ();
  write_numbers ();
  exit (0);
}

static void
end_after_full_disk_and_closing (void)
{
  fill_disk ();
  H5close ();
  write_numbers ();
  g_autoptr (HlDocument) document = load_sample ();
  exit (0);
}

/* The file has the number that ours had before. */
static void
end_after_closing (void)
{
  HlDocument *document = load_sample ();

  H5close ();
  write_numbers ();
  g_object_unref (document);
  exit (0);
}

static gpointer
read_for_ever (gpointer data)
{
  for (;;)
    {
      g_autoptr (HlDocument) document = load_sample ();
      g_async_queue_push (data, data);
    }
  return NULL;
}

static void
end_while_reading (void)
{
  GAsyncQueue *read = g_async_queue_new ();

  g_thread_new (NULL, read_for_ever, read);
  g_async_queue_pop (read);
  {
    /* The library may be one that is not made for threads. */
    g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
    write_numbers ();
  }
  exit (0);
}

static void
end_child (void)
{
  g_autoptr (HlDocument) document = load_sample ();
  const pid_t child = test_fork ();

  if (child == 0)
    {
      write_numbers ();
      exit (0);
    }
  test_assert_ends (child);
  _exit (0);
}

static void
test_end (gconstpointer data)
{
  void (*const end) (void) = *(void (*const *) (void)) data;

  if (g_test_subprocess ())
    end ();
  g_autofree char *folder = g_dir_make_tmp ("headlight-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "numbers.h5", NULL);
  g_setenv (VARIABLE, path, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
  assert_numbers (path);
  g_remove (path);
  g_rmdir (folder);
}

static HlArchive *
open_fixture (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "fixtures", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlArchive *archive = hl_archive_open (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return archive;
}

static HlTensor *
open_attention (HlArchive *archive)
{
  g_autoptr (GError) error = NULL;
  HlTensor *tensor = hl_archive_open_tensor (archive, "attention", &error);

  g_assert_no_error (error);
  return tensor;
}

static float *
read_all (HlTensor *tensor,
          gsize    *n_bytes,
          GError  **error)
{
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  const HlShape *shape = hl_tensor_get_shape (tensor);
  guint64 n;

  g_assert_true (hl_shape_get_n_elements (shape, &n));
  g_autofree float *numbers = g_new (float, n);
  *n_bytes = n * sizeof *numbers;
  return hl_tensor_read_f32 (tensor, start, shape->dims, numbers, NULL, error) ? g_steal_pointer (&numbers) : NULL;
}

typedef struct
{
  GAsyncQueue *begun;
  GAsyncQueue *ends;
  GThread *thread;
} Reading;

static gpointer
read_until_told (gpointer data)
{
  Reading *self = data;
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();

  g_async_queue_push (self->begun, self);
  g_async_queue_pop (self->ends);
  return NULL;
}

/* Another thread reads, as on slow storage. */
static Reading *
begin_reading (void)
{
  Reading *self = g_new (Reading, 1);

  *self = (Reading){ .begun = g_async_queue_new (), .ends = g_async_queue_new () };
  self->thread = g_thread_new (NULL, read_until_told, self);
  g_async_queue_pop (self->begun);
  return self;
}

static void
end_reading (Reading *self)
{
  g_async_queue_push (self->ends, self);
  g_thread_join (self->thread);
  g_async_queue_unref (self->begun);
  g_async_queue_unref (self->ends);
  g_free (self);
}

/* Who lets go of a file does not wait for who reads another; it is closed all the same. */
static void
test_let_go (void)
{
  if (g_test_subprocess ())
    {
      HlArchive *archive = open_fixture ("f32-crossing-chunks.h5");
      HlTensor *tensor = open_attention (archive);

      g_assert_cmpint (count_open (), >=, 2);
      Reading *reading = begin_reading ();
      g_object_unref (tensor);
      g_object_unref (archive);
      end_reading (reading);
      g_assert_cmpint (count_open (), ==, 0);
      exit (0);
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* A program that nobody else reads in ends though it still reads. */
static void
test_end_of_reader (void)
{
  if (g_test_subprocess ())
    {
      begin_reading ();
      exit (0);
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

static void
assert_lost (GError *error)
{
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);
  g_assert_nonnull (strstr (error->message, "this process was forked while another thread read HDF5"));
}

/* A child that began while another thread of its parent read does not wait for that, neither when it lets go of what it has of its
 * parent nor when it ends, and is told that it cannot read. */
static void
test_child_of_reader (void)
{
  if (g_test_subprocess ())
    {
      g_autofree char *path = get_sample ();
      g_autoptr (GFile) file = g_file_new_for_path (path);
      HlArchive *archive = open_fixture ("f32-crossing-chunks.h5");
      HlTensor *tensor = open_attention (archive);

      begin_reading ();
      const pid_t child = test_fork ();
      if (child == 0)
        {
          GError *errors[4] = { NULL };
          gsize n;

          g_assert_null (read_all (tensor, &n, &errors[0]));
          assert_lost (errors[0]);
          g_assert_null (hl_archive_list (archive, "", &errors[1]));
          assert_lost (errors[1]);
          g_object_unref (tensor);
          g_object_unref (archive);
          g_assert_null (hl_archive_open (file, NULL, NULL, &errors[2]));
          assert_lost (errors[2]);
          g_autofree char *name = g_build_filename (g_get_tmp_dir (), "headlight-not-written.h5", NULL);
          g_autoptr (GFile) target = g_file_new_for_path (name);
          g_assert_null (hl_archive_writer_new (target, &errors[3]));
          assert_lost (errors[3]);
          exit (0);
        }
      test_assert_ends (child);
      _exit (0);
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

static void
assert_driver_is_ours (void)
{
  g_autofree char *path = get_sample ();
  g_autoptr (GError) error = NULL;
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
  g_auto (HlHdf5Id) file = hl_hdf5_open_file (path, &error);

  g_assert_no_error (error);
  g_auto (HlHdf5Id) access = H5Fget_access_plist (file);
  g_assert_cmpint (H5Pget_driver (access), !=, H5FD_SEC2);
}

/* What another part of the program has in the library after it closed that: it has the numbers of what was open before. */
static hid_t others[1 + 4 * 8];

static void
begin_anew (void)
{
  guint n = 0;

  H5close ();
  const hid_t access = H5Pcreate (H5P_FILE_ACCESS);
  H5Pset_fapl_core (access, 1 << 16, 0);
  others[n++] = H5Fcreate ("others", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  while (n < G_N_ELEMENTS (others))
    {
      g_autofree char *name = g_strdup_printf ("%u", n);
      const hid_t group = H5Gcreate2 (others[0], name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      const hid_t type = H5Tcopy (H5T_IEEE_F32LE);
      const hid_t space = H5Screate_simple (2, (hsize_t[]){ 100, 100 }, NULL);
      const hid_t dataset = H5Dcreate2 (group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

      g_assert_cmpint (dataset, >=, 0);
      others[n++] = group;
      others[n++] = type;
      others[n++] = space;
      others[n++] = dataset;
    }
}

static void
assert_others_are_open (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_cmpint (H5Iget_ref (others[i]), ==, 1);
}

/* Who closes the library closes our files too, but new ones are read as before, through our driver. */
static void
test_closed (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (HlDocument) before = load_sample ();
      assert_driver_is_ours ();
      begin_anew ();
      assert_driver_is_ours ();
      g_autoptr (HlDocument) after = load_sample ();
      g_autoptr (HlArchive) archive = open_fixture ("tokens-vlen-utf8.h5");
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) tokens = hl_archive_read_strings (archive, "tokens", &error);
      g_assert_no_error (error);
      exit (0);
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* Of a file that was open when somebody closed the library nobody is shown numbers of another. */
static void
test_closed_while_open (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (HlArchive) packed = open_fixture ("f32-crossing-chunks.h5");
      g_autoptr (HlArchive) plain = open_fixture ("f32-contiguous.h5");
      g_autoptr (HlDocument) several = load_fixture ("examples.h5");
      g_autoptr (HlTensor) chunks = open_attention (packed);
      g_autoptr (HlTensor) piece = open_attention (plain);
      g_autoptr (GError) error = NULL;
      gsize n_before, n_after;
      g_autofree float *before = read_all (piece, &n_before, &error);
      g_assert_no_error (error);

      begin_anew ();
      g_assert_null (read_all (chunks, &n_after, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_IO);
      g_assert_nonnull (strstr (error->message, "another part of the program has closed it"));
      g_clear_error (&error);
      g_assert_null (hl_archive_list (packed, "", &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_IO);
      g_clear_error (&error);
      g_assert_null (hl_document_get_example (several, 1, NULL, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_IO);
      g_assert_true (g_str_has_prefix (error->message, "another part of the program has closed it"));
      g_clear_error (&error);

      /* These are read without the library, also when another file is open meanwhile. */
      g_autoptr (HlArchive) another = open_fixture ("f64.h5");
      g_autofree float *after = read_all (piece, &n_after, &error);
      g_assert_no_error (error);
      g_assert_cmpmem (before, n_before, after, n_after);

      g_clear_object (&chunks);
      g_clear_object (&packed);
      g_clear_object (&piece);
      g_clear_object (&plain);
      g_clear_object (&several);
      assert_others_are_open ();
      exit (0);
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* Somebody does not ask whether we are reading. */
static void
test_closed_while_reading (void)
{
  if (g_test_subprocess ())
    {
      g_autofree char *path = get_sample ();
      g_autoptr (GError) error = NULL;
      g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();
      g_auto (HlHdf5Id) file = hl_hdf5_open_file (path, &error);

      g_assert_no_error (error);
      begin_anew ();
      g_assert_cmpint (hl_hdf5_open_file (path, &error), <, 0);
      g_assert_error (error, HL_ERROR, HL_ERROR_IO);
      g_assert_nonnull (strstr (error->message, "another part of the program has closed it"));
      hl_hdf5_close (file);
      assert_others_are_open ();
      file = H5I_INVALID_HID;
      exit (0);
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* What is being written when somebody closes the library does not go on in another file; what is written later is as before. */
static void
test_closed_while_writing (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr (GFile) target = g_file_new_for_path (g_getenv (VARIABLE));
      const HlShape shape = { .rank = 2, .dims = { 100, 100 } };
      g_autofree float *numbers = g_new0 (float, 10000);
      g_autoptr (GError) error = NULL;
      HlArchiveWriter *writer = begin_writing (target);

      g_assert_true (hl_archive_writer_begin_tensor (writer, "attention", HL_DTYPE_F32, &shape, NULL, &error));
      begin_anew ();
      g_assert_false (hl_archive_writer_write (writer, numbers, 10000, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_IO);
      g_assert_nonnull (strstr (error->message, "another part of the program has closed it"));
      g_clear_error (&error);
      g_object_unref (writer);
      assert_others_are_open ();

      for (guint i = 0; i < 2; i++)
        {
          g_autoptr (HlArchiveWriter) next = begin_writing (target);
          g_assert_true (write_all (next, &error));
          g_assert_no_error (error);
          g_autoptr (HlDocument) document = load_sample ();
          g_autoptr (HlArchive) archive = hl_archive_open (target, NULL, NULL, &error);
          g_assert_no_error (error);
        }
      exit (0);
    }
  g_autofree char *folder = g_dir_make_tmp ("headlight-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "written.h5", NULL);
  g_setenv (VARIABLE, path, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
  g_remove (path);
  g_rmdir (folder);
}

static unsigned
get_plugins (void)
{
  unsigned plugins;

  g_assert_cmpint (H5PLget_loading_state (&plugins), >=, 0);
  return plugins;
}

static void
test_plugins (void)
{
  const unsigned before = get_plugins ();

  g_assert_cmpint (H5PLset_loading_state (H5PL_FILTER_PLUGIN), >=, 0);
  HlHdf5Lock *lock = hl_hdf5_lock ();
  g_assert_cmphex (get_plugins () & H5PL_ALL_PLUGIN, ==, 0);
  HlHdf5Lock *second = hl_hdf5_lock ();
  hl_hdf5_unlock (second);
  g_assert_cmphex (get_plugins () & H5PL_ALL_PLUGIN, ==, 0);
  hl_hdf5_unlock (lock);
  g_assert_cmphex (get_plugins (), ==, H5PL_FILTER_PLUGIN);

  /* Another thread forbids them while this one reads. */
  lock = hl_hdf5_lock ();
  H5PLset_loading_state (0);
  hl_hdf5_unlock (lock);
  g_assert_cmphex (get_plugins (), ==, 0);

  /* Another thread forbids them for a while, which begins while this one reads. */
  H5PLset_loading_state (H5PL_FILTER_PLUGIN);
  lock = hl_hdf5_lock ();
  const unsigned found = get_plugins ();
  H5PLset_loading_state (0);
  hl_hdf5_unlock (lock);
  H5PLset_loading_state (found);
  hl_hdf5_unlock (hl_hdf5_lock ());
  g_assert_cmphex (get_plugins (), ==, H5PL_FILTER_PLUGIN);

  H5PLset_loading_state (before);
}

int
main (int   argc,
      char *argv[])
{
  static const struct
  {
    const char *name;
    void (*end) (void);
  } ends[] = {
    { "/hdf5-process/end/after-reading", end_after_reading },
    { "/hdf5-process/end/before-reading", end_before_reading },
    { "/hdf5-process/end/while-reading", end_while_reading },
    { "/hdf5-process/end/child", end_child },
    { "/hdf5-process/end/without-dataset", end_without_dataset },
    { "/hdf5-process/end/after-full-disk", end_after_full_disk },
    { "/hdf5-process/end/after-full-disk-and-closing", end_after_full_disk_and_closing },
    { "/hdf5-process/end/after-closing", end_after_closing },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    g_test_add_data_func (ends[i].name, &ends[i].end, test_end);
  g_test_add_func ("/hdf5-process/let-go", test_let_go);
  g_test_add_func ("/hdf5-process/end-of-reader", test_end_of_reader);
  g_test_add_func ("/hdf5-process/child-of-reader", test_child_of_reader);
  g_test_add_func ("/hdf5-process/closed/read", test_closed);
  g_test_add_func ("/hdf5-process/closed/while-open", test_closed_while_open);
  g_test_add_func ("/hdf5-process/closed/while-reading", test_closed_while_reading);
  g_test_add_func ("/hdf5-process/closed/while-writing", test_closed_while_writing);
  g_test_add_func ("/hdf5-process/plugins", test_plugins);
  return g_test_run ();
}
