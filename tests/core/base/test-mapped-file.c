/* SPDX-License-Identifier: MIT */
/* Files that another program shortens while they are open: whatever was mapped gives an error then, and the program goes on. */
#include "core/archive/format/hl-format.h"
#include "core/archive/hl-span.h"
#include "core/archive/pydata/hl-pickle.h"
#include "core/archive/pydata/hl-torch-archive.h"
#include "core/base/hl-error.h"
#include "core/base/file/hl-mapped-file.h"

#include "test-dumps.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zip.h>

#define MIB (1 << 20)
#define N_THREADS 8

/* A square of numbers, and its side. */
#define SIDE 128
#define N_NUMBERS (SIDE * SIDE)

static gsize page;

/* The file that is shortened to a page when what has been read of it is let go of, which is in the middle of reading. */
static const char *shortened_meanwhile;

static void
shorten (const char *path,
         gsize       size)
{
  g_assert_cmpint (truncate (path, (off_t) size), ==, 0);
}

/* In place of libc's, also for the library. */
int
madvise (void  *address,
         size_t size,
         int    advice)
{
  if (shortened_meanwhile != NULL)
    shorten (shortened_meanwhile, page);
  shortened_meanwhile = NULL;
  return (int) syscall (SYS_madvise, address, size, advice);
}

static char *
write_file (const char *folder,
            const char *name,
            GByteArray *bytes)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, bytes->len > 0 ? (const char *) bytes->data : "", bytes->len, &error);
  g_assert_no_error (error);
  return path;
}

static void
add_text (GByteArray *bytes,
          const char *text)
{
  g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text));
}

static void
add_numbers (GByteArray *bytes)
{
  for (guint i = 0; i < N_NUMBERS; i++)
    g_byte_array_append (bytes, (const guint8 *) &(float){ 1 }, sizeof (float));
}

/* Pages of ones. */
static char *
write_pages (const char *folder,
             guint       n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_set_size (bytes, (guint) (n * page));
  memset (bytes->data, 1, bytes->len);
  return write_file (folder, "file", bytes);
}

static HlMappedFile *
map (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlMappedFile *mapped = hl_mapped_file_open (file, &error);

  g_assert_no_error (error);
  return mapped;
}

static void
assert_shorter (const GError *error)
{
  g_assert_error (error, HL_ERROR, HL_ERROR_TRUNCATED);
  test_assert_sentence (error);
  g_assert_nonnull (strstr (error->message, "it has become shorter than it was when it was opened"));
}

static gpointer
read_zeros (gpointer data)
{
  const char *first = hl_mapped_file_get_data (data);
  guint n = 0;

  for (gsize i = page; i < hl_mapped_file_get_size (data); i++)
    n += first[i] != 0;
  return GUINT_TO_POINTER (n);
}

/* Several threads find zeros and the file has failed for good; another mapping has not. */
static void
test_threads (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = write_pages (folder, 64);
  g_autoptr (HlMappedFile) mapped = map (path);
  g_autoptr (GByteArray) text = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  GThread *threads[N_THREADS];

  add_text (text, "kept");
  g_autofree char *other_path = write_file (folder, "other", text);
  g_autoptr (HlMappedFile) other = map (other_path);

  g_assert_true (hl_mapped_file_check (mapped, &error));
  shorten (path, page);
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("read", read_zeros, mapped);
  for (guint i = 0; i < N_THREADS; i++)
    g_assert_cmpuint (GPOINTER_TO_UINT (g_thread_join (threads[i])), ==, 0);
  g_assert_false (hl_mapped_file_check (mapped, &error));
  assert_shorter (error);
  g_clear_error (&error);

  /* What was lost does not come back. */
  shorten (path, 64 * page);
  g_assert_false (hl_mapped_file_check (mapped, &error));
  assert_shorter (error);
  g_clear_error (&error);

  g_assert_true (hl_mapped_file_check (other, &error));
  g_assert_cmpmem (hl_mapped_file_get_data (other), hl_mapped_file_get_size (other), "kept", 4);
  test_remove_folder (folder);
}

/* Up to the end of a page, zeros are found without a fault. They are noticed just as well, and instead of what follows from them. */
static void
test_within_page (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = write_pages (folder, 1);
  g_autoptr (HlMappedFile) mapped = map (path);
  g_autoptr (GError) error = g_error_new_literal (HL_ERROR, HL_ERROR_CORRUPT, "a number is missing");

  shorten (path, page / 2);
  g_assert_cmpint (hl_mapped_file_get_data (mapped)[page - 1], ==, 0);
  g_assert_false (hl_mapped_file_check (mapped, &error));
  assert_shorter (error);
  test_remove_folder (folder);
}

static void
test_empty (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GByteArray) nothing = g_byte_array_new ();
  g_autofree char *path = write_file (folder, "file", nothing);
  g_autoptr (HlMappedFile) mapped = map (path);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (hl_mapped_file_get_size (mapped), ==, 0);
  g_assert_true (hl_mapped_file_check (mapped, &error));
  g_assert_no_error (error);
  test_remove_folder (folder);
}

/* Faults elsewhere, with a mapped file open. */
static void
fault_elsewhere (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = write_pages (folder, 2);
  g_autoptr (HlMappedFile) mapped = map (path);
  const int fd = open (path, O_RDONLY | O_CLOEXEC);
  const volatile char *bytes = mmap (NULL, 2 * page, PROT_READ, MAP_PRIVATE, fd, 0);

  shorten (path, page);
  close (fd);
  test_remove_folder (folder);
  g_assert_cmpint (bytes[page], ==, 0);
}

static void
finish (int number)
{
  _exit (EXIT_SUCCESS);
}

/* What was there before gets what is not ours, and without anything there the program ends, as it would. */
static void
test_elsewhere (gconstpointer data)
{
  const gboolean handled = GPOINTER_TO_INT (data);

  if (g_test_subprocess ())
    {
      signal (SIGBUS, handled ? finish : SIG_DFL);
      fault_elsewhere ();
      exit (EXIT_SUCCESS);
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_assert_cmpint (g_test_trap_has_passed (), ==, handled);
}

static HlArchive *
open_archive (const char *path,
              GError    **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return hl_archive_open (file, NULL, NULL, error);
}

/* The only tensor of a file is not read once the file has been shortened. */
static void
check_tensor (const char *path)
{
  g_autoptr (GError) error = NULL;
  const guint64 start[2] = { 0 }, count[2] = { SIDE, SIDE };
  g_autofree float *numbers = g_new (float, N_NUMBERS);

  g_autoptr (HlArchive) archive = open_archive (path, &error);
  g_assert_no_error (error);
  g_auto (GStrv) names = hl_archive_list (archive, "", &error);
  g_assert_cmpuint (g_strv_length (names), ==, 1);
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, names[0], &error);
  g_assert_no_error (error);
  g_assert_true (hl_tensor_read_f32 (tensor, start, count, numbers, NULL, &error));
  g_assert_cmpfloat (numbers[N_NUMBERS - 1], ==, 1);

  shorten (path, page);
  g_assert_false (hl_tensor_read_f32 (tensor, start, count, numbers, NULL, &error));
  assert_shorter (error);
}

static void
test_safetensors (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *header = g_strdup_printf ("{\"a\":{\"dtype\":\"F32\",\"shape\":[%d,%d],\"data_offsets\":[0,%zu]}}",
                                             SIDE, SIDE, N_NUMBERS * sizeof (float));
  const guint64 length = GUINT64_TO_LE (strlen (header));
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) &length, sizeof length);
  add_text (bytes, header);
  add_numbers (bytes);
  g_autofree char *path = write_file (folder, "a.safetensors", bytes);
  check_tensor (path);
  test_remove_folder (folder);
}

/* The first axis fastest. */
static void
test_fortran (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *header = g_strdup_printf ("{'descr': '%cf4', 'fortran_order': True, 'shape': (%d, %d), }\n",
                                             G_BYTE_ORDER == G_LITTLE_ENDIAN ? '<' : '>', SIDE, SIDE);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *) "\x93NUMPY\x01\x00", 8);
  g_byte_array_append (bytes, (const guint8[]){ (guint8) strlen (header), 0 }, 2);
  add_text (bytes, header);
  add_numbers (bytes);
  g_autofree char *path = write_file (folder, "a.npy", bytes);
  check_tensor (path);
  test_remove_folder (folder);
}

/* What torch.save ({"a": numbers.T}) writes, with 128 rows of 128 numbers. */
static const char transposed[] = "\x80\x02}X\x01\0\0\0actorch._utils\n_rebuild_tensor_v2\n"
                                 "((X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\0000X\x03\0\0\0cpuM\0\x40tQ"
                                 "K\0K\x80K\x80\x86K\x01K\x80\x86\x89"
                                 "ccollections\nOrderedDict\n)RtRs.";

static void
add_member (zipFile     zip,
            const char *name,
            int         method,
            const void *bytes,
            gsize       size)
{
  const zip_fileinfo info = { 0 };

  g_assert_cmpint (zipOpenNewFileInZip (zip, name, &info, NULL, 0, NULL, 0, NULL, method, Z_BEST_SPEED), ==, ZIP_OK);
  g_assert_cmpint (zipWriteInFileInZip (zip, bytes, (guint) size), ==, ZIP_OK);
}

static void
test_torch (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.pt", NULL);
  g_autoptr (GByteArray) numbers = g_byte_array_new ();
  zipFile zip = zipOpen64 (path, APPEND_STATUS_CREATE);

  G_STATIC_ASSERT (SIDE == 0x80);
  add_numbers (numbers);
  add_member (zip, "a/data.pkl", 0, transposed, sizeof transposed - 1);
  add_member (zip, "a/data/0", 0, numbers->data, numbers->len);
  g_assert_cmpint (zipClose (zip, NULL), ==, ZIP_OK);
  check_tensor (path);
  test_remove_folder (folder);
}

/* The descriptor of a file without a name that lies in a folder. */
static int
find_scratch (const char *folder)
{
  g_autoptr (GDir) descriptors = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (descriptors)) != NULL)
    {
      g_autofree char *link = g_build_filename ("/proc/self/fd", name, NULL);
      g_autofree char *path = g_file_read_link (link, NULL);
      if (path != NULL && g_str_has_prefix (path, folder))
        return atoi (name);
    }
  return -1;
}

/* Weights that are unpacked into a file, of which pages cannot be had any more; that of the zip file is as it was. */
static void
test_packed (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *scratch = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.pt", NULL);
  g_autofree char *usual = g_strdup (g_getenv ("TMPDIR"));
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GByteArray) numbers = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  zipFile zip = zipOpen64 (path, APPEND_STATUS_CREATE);

  while (numbers->len < 5 * MIB)
    add_numbers (numbers);
  add_member (zip, "a/data.pkl", 0, transposed, sizeof transposed - 1);
  add_member (zip, "a/data/0", Z_DEFLATED, numbers->data, numbers->len);
  g_assert_cmpint (zipClose (zip, NULL), ==, ZIP_OK);

  g_setenv ("TMPDIR", scratch, TRUE);
  g_autoptr (HlArchive) archive = hl_torch_archive_open_mapped (file, &error);
  if (usual != NULL)
    g_setenv ("TMPDIR", usual, TRUE);
  else
    g_unsetenv ("TMPDIR");
  g_assert_no_error (error);
  g_assert_true (hl_archive_check (archive, &error));
  g_assert_no_error (error);
  g_assert_cmpint (ftruncate (find_scratch (scratch), 0), ==, 0);
  g_assert_false (hl_archive_check (archive, &error));
  assert_shorter (error);
  test_remove_folder (scratch);
  test_remove_folder (folder);
}

/* A list of numbers, of which there are pages. */
static void
test_pickle (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (HlPickleHeap) heap = hl_pickle_heap_new ();
  g_autoptr (GError) error = NULL;
  guint64 offset = 0;

  add_text (bytes, "\x80\x02](");
  for (gsize i = 0; i < 2 * page; i++)
    add_text (bytes, "K\x01");
  add_text (bytes, "e.");
  g_autofree char *path = write_file (folder, "a.pkl", bytes);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (HlSpan) span = hl_span_open (file, &error);
  g_assert_nonnull (hl_pickle_load (heap, span, &offset, NULL, NULL, NULL, &error));
  offset = 0;
  shorten (path, page);
  g_assert_null (hl_pickle_load (heap, span, &offset, NULL, NULL, NULL, &error));
  assert_shorter (error);
  test_remove_folder (folder);
}

/* Texts that take some MiB between two others. */
static const struct
{
  const char *name;
  const char *before;
  const char *between;
  const char *after;
} texts[] = {
  { "a.json", "{\"attention\": [[[", "0.25,", "0]]]}" },
  { "a.html", "<html><script>params = {\"attention\": [[[", "0.25,", "0]]]};</script></html>" },
  { "a.ipynb", "{\"cells\": [{\"outputs\": [{\"data\": {\"text/html\": \"", "<p>some text</p>\\n", "\"}}]}]}" },
};

static void
test_text (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  add_text (bytes, texts[i].before);
  while (bytes->len < 6 * MIB)
    add_text (bytes, texts[i].between);
  add_text (bytes, texts[i].after);
  g_autofree char *path = write_file (folder, texts[i].name, bytes);
  shortened_meanwhile = path;
  g_assert_null (open_archive (path, &error));
  g_assert_null (shortened_meanwhile);
  assert_shorter (error);
  test_remove_folder (folder);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  page = (gsize) sysconf (_SC_PAGESIZE);

  g_test_add_func ("/mapped-file/threads", test_threads);
  g_test_add_func ("/mapped-file/within-page", test_within_page);
  g_test_add_func ("/mapped-file/empty", test_empty);
  g_test_add_data_func ("/mapped-file/elsewhere/handled", GINT_TO_POINTER (TRUE), test_elsewhere);
  g_test_add_data_func ("/mapped-file/elsewhere/not-handled", GINT_TO_POINTER (FALSE), test_elsewhere);
  g_test_add_func ("/mapped-file/safetensors", test_safetensors);
  g_test_add_func ("/mapped-file/fortran", test_fortran);
  g_test_add_func ("/mapped-file/torch", test_torch);
  g_test_add_func ("/mapped-file/packed", test_packed);
  g_test_add_func ("/mapped-file/pickle", test_pickle);
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *path = g_strconcat ("/mapped-file/text/", texts[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_text);
    }

  return g_test_run ();
}
