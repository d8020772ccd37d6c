/* SPDX-License-Identifier: MIT */
/* Others use the HDF5 library in the same process: what they have open is closed when it ends, and what they choose stays. */
#include "core/archive/hdf5/hl-hdf5.h"
#include "core/document/hl-document.h"

#include <glib/gstdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 1000
#define VARIABLE "HEADLIGHT_TEST_FILE"

/* A child that hangs is ended after as long as no machine takes. */
#define PATIENCE 120

#if defined(__SANITIZE_ADDRESS__)
/* In a child, what only threads of its parent know is none. */
int __lsan_is_turned_off (void);

int
__lsan_is_turned_off (void)
{
  return 1;
}
#endif

static char *
get_sample (void)
{
  return g_test_build_filename (G_TEST_DIST, "..", "..", "data", "samples", "minilm-time-flies.h5", NULL);
}

static HlDocument *
load_sample (void)
{
  g_autofree char *path = get_sample ();
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_load (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return document;
}

/* Numbers in a file that nobody closes. */
static void
write_numbers (void)
{
  const hid_t file = H5Fcreate (g_getenv (VARIABLE), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple (1, &(hsize_t){ N }, NULL);
  const hid_t dataset = H5Dcreate2 (file, "numbers", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int numbers[N];

  for (int i = 0; i < N; i++)
    numbers[i] = i;
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), >=, 0);
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
assert_ends (pid_t child)
{
  int status;

  g_assert_cmpint (child, >, 0);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
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
  const pid_t child = fork ();

  if (child == 0)
    {
      alarm (PATIENCE);
      write_numbers ();
      exit (0);
    }
  assert_ends (child);
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

static gpointer
read_without_end (gpointer data)
{
  g_autoptr (HlHdf5Lock) lock = hl_hdf5_lock ();

  g_async_queue_push (data, data);
  for (;;)
    pause ();
  return NULL;
}

/* A child that began while another thread of its parent read does not wait for that when it ends. */
static void
test_child_of_reader (void)
{
  if (g_test_subprocess ())
    {
      GAsyncQueue *reads = g_async_queue_new ();

      g_thread_new (NULL, read_without_end, reads);
      g_async_queue_pop (reads);
      const pid_t child = fork ();
      if (child == 0)
        {
          alarm (PATIENCE);
          exit (0);
        }
      assert_ends (child);
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

/* Who closes the library closes our files too, but new ones are read as before, through our driver. */
static void
test_closed (void)
{
  if (g_test_subprocess ())
    {
      assert_driver_is_ours ();
      H5close ();
      assert_driver_is_ours ();
      exit (0);
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
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
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    g_test_add_data_func (ends[i].name, &ends[i].end, test_end);
  g_test_add_func ("/hdf5-process/child-of-reader", test_child_of_reader);
  g_test_add_func ("/hdf5-process/closed", test_closed);
  g_test_add_func ("/hdf5-process/plugins", test_plugins);
  return g_test_run ();
}
