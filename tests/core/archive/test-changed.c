/* SPDX-License-Identifier: MIT */
/* Files that another program changes once they are open: each read gives the numbers that were there, or an error. Never those of two
 * versions, nor those of a version that was not opened. */
#include "core/archive/format/hl-format.h"
#include "core/archive/hl-span.h"
#include "core/base/hl-error.h"
#include "core/base/file/hl-file-version.h"
#include "core/document/hl-document.h"
#include "core/model/hl-model.h"
#include "core/source/hl-attention-source.h"
#include "core/source/make/hl-source-factory.h"
#include "test-dumps.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef enum
{
  CUT,
  EMPTIED,
  GROWN,
  WRITTEN,
  REWRITTEN,
  REPLACED,
  DELETED,
  N_CHANGES,
} Change;

static const char *const names[N_CHANGES] = {
  "cut", "emptied", "grown", "written", "rewritten", "replaced", "deleted",
};

/* Files of each container, read from their place, through a mapping, or unpacked. */
static const char *const files[] = {
  "f32-contiguous.h5",
  "f16-gzip.h5",
  "f32-compact.h5",
  "f32-crossing-chunks.h5",
  "tokens-vlen-utf8.h5",
  "qk-grouped.h5",
  "minified.json",
  "foreign/layers.npy",
  "foreign/heads-fortran-big.npy",
  "foreign/stored.npz",
  "foreign/deflated.npz",
  "foreign/tuple.pt",
  "foreign/transposed.pt",
  "foreign/legacy-tuple.pt",
  "foreign/list-of-dictionaries.pkl",
  "foreign/layers.safetensors",
  "pages/bertviz-head.html",
  "pages/notebook.ipynb",
};

static void
write_at_end (const char *path,
              gboolean    appended)
{
  const int fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);
  struct stat info;

  g_assert_cmpint (fstat (fd, &info), ==, 0);
  g_autofree guint8 *bytes = g_malloc (info.st_size);
  for (gsize i = 0; i < (gsize) info.st_size; i++)
    bytes[i] = (guint8) (i * 37);
  if (appended)
    g_assert_cmpint (pwrite (fd, bytes, 16, info.st_size), ==, 16);
  else
    g_assert_cmpint (pwrite (fd, bytes, info.st_size, 0), ==, info.st_size);
  close (fd);
}

static void
change (const char *path,
        Change      kind)
{
  g_autofree char *other = g_strconcat (path, ".other", NULL);
  g_autofree char *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  switch (kind)
    {
    case CUT:
      g_assert_cmpint (truncate (path, (off_t) size / 2), ==, 0);
      break;
    case EMPTIED:
      g_assert_cmpint (truncate (path, 0), ==, 0);
      break;
    case GROWN:
      write_at_end (path, TRUE);
      break;
    case WRITTEN:
      write_at_end (path, FALSE);
      break;
    case REWRITTEN:
      g_assert_cmpint (truncate (path, 0), ==, 0);
      g_assert_cmpint (truncate (path, (off_t) size), ==, 0);
      write_at_end (path, FALSE);
      break;
    case REPLACED:
      memset (bytes, 'x', size);
      g_assert_true (g_file_set_contents (other, bytes, (gssize) size, NULL));
      g_assert_cmpint (g_rename (other, path), ==, 0);
      break;
    default:
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
}

/* A copy that was last written long ago, so that its time differs from that of any change. */
static char *
copy (const char *folder,
      GFile      *file)
{
  g_autofree char *name = g_file_get_basename (file);
  char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  const struct timespec times[2] = { { .tv_sec = 1000000000 }, { .tv_sec = 1000000000 } };
  g_autoptr (GError) error = NULL;

  g_file_copy (file, target, G_FILE_COPY_OVERWRITE | G_FILE_COPY_TARGET_DEFAULT_PERMS, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (utimensat (AT_FDCWD, path, times, 0), ==, 0);
  return path;
}

/* The weights of a head; %NULL with an error. */
static GBytes *
read_head (HlAttention *attention,
           guint        layer,
           guint        head,
           GError     **error)
{
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  const HlAttentionRequest request = {
    .layer = layer,
    .head = head,
    .n_queries = hl_attention_get_n (attention, HL_QUERIES),
    .n_keys = hl_attention_get_n (attention, HL_KEYS),
    .n_rows = hl_attention_get_n (attention, HL_QUERIES),
    .n_columns = hl_attention_get_n (attention, HL_KEYS),
  };
  const gsize n_bytes = request.n_queries * request.n_keys * sizeof (float);
  g_autofree float *weights = g_malloc (n_bytes);

  return hl_attention_source_read (source, &request, weights, NULL, error)
           ? g_bytes_new_take (g_steal_pointer (&weights), n_bytes)
           : NULL;
}

static GPtrArray *
read_heads (HlAttention *attention)
{
  GPtrArray *heads = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++)
      {
        g_autoptr (GError) error = NULL;
        GBytes *weights = read_head (attention, layer, head, &error);
        g_assert_no_error (error);
        g_ptr_array_add (heads, weights);
      }
  return heads;
}

static HlExample *
open_example (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);

  g_assert_no_error (error);
  HlExample *example = hl_document_get_example (document, 0, NULL, &error);
  g_assert_no_error (error);
  return example;
}

static void
check_file (const char *folder,
            GFile      *file,
            Change      kind)
{
  g_autofree char *path = copy (folder, file);
  g_autoptr (HlExample) before = open_example (path);
  g_autoptr (GPtrArray) heads = read_heads (hl_example_get_attention (before, 0));
  g_autoptr (HlExample) example = open_example (path);
  HlAttention *attention = hl_example_get_attention (example, 0);
  guint n = 0, n_refused = 0;

  /* One that was read before may be kept; the others are not. */
  g_bytes_unref (read_head (attention, 0, 0, NULL));
  change (path, kind);
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    for (guint head = 0; head < hl_attention_get_n_heads (attention, layer); head++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (GBytes) weights = read_head (attention, layer, head, &error);

        g_assert_true ((weights == NULL) == (error != NULL));
        if (weights != NULL)
          g_assert_true (g_bytes_equal (weights, heads->pdata[n]));
        else
          n_refused++;
        if (error != NULL)
          test_assert_sentence (error);
        n++;
      }
  if (kind == REPLACED || kind == DELETED)
    g_assert_cmpuint (n_refused, ==, 0);
  g_test_message ("%s: %u of %u heads refused", path, n_refused, n);
}

/* Maps of numbers of 8 bits, each 1. */
static GFile *
write_float8 (const char *folder)
{
  static const char header[] =
    "{\"attention\":{\"dtype\":\"F8_E4M3\",\"shape\":[2,2,64,64],\"data_offsets\":[0,16384]}}    ";
  const guint64 length = GUINT64_TO_LE (sizeof header - 1);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  GFile *file = g_file_new_build_filename (folder, "float8.safetensors", NULL);

  g_byte_array_append (bytes, (const guint8 *) &length, sizeof length);
  g_byte_array_append (bytes, (const guint8 *) header, (guint) length);
  const guint first = bytes->len;
  g_byte_array_set_size (bytes, first + 16384);
  memset (bytes->data + first, 0x38, 16384);
  g_assert_true (g_file_set_contents (g_file_peek_path (file), (char *) bytes->data, bytes->len, NULL));
  return file;
}

static void
test_files (gconstpointer data)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *other = test_make_folder ();
  g_autoptr (GFile) float8 = write_float8 (other);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GFile) file = test_get_file ("fixtures", files[i]);
      check_file (folder, file, GPOINTER_TO_UINT (data));
    }
  check_file (folder, float8, GPOINTER_TO_UINT (data));
  test_remove_folder (folder);
  test_remove_folder (other);
}

/* Of a file that was written to, the next example is not said to lack or to hold anything. */
static void
test_next_example (void)
{
  static const char *const several[] = { "examples.h5", "examples-mixed.h5", "batch-three.h5" };
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GError) expected = NULL;

  hl_file_version_set_changed (&expected);
  for (guint i = 0; i < G_N_ELEMENTS (several); i++)
    {
      g_autoptr (GFile) source = test_get_file ("fixtures", several[i]);
      g_autofree char *path = copy (folder, source);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (GError) error = NULL;
      g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);

      g_assert_no_error (error);
      change (path, GROWN);
      g_assert_null (hl_document_get_example (document, 1, NULL, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_IO);
      g_assert_cmpstr (error->message, ==, expected->message);
    }
  test_remove_folder (folder);
}

/* What is kept of a layer when its queries are known. */
static void
keep_queries (const HlLayerProjections *layer,
              gpointer                  data)
{
  g_byte_array_append (data, (const guint8 *) layer->queries,
                       (guint) (layer->n_heads * layer->n_queries * layer->head_size * sizeof (float)));
}

/* What a model comes to, %NULL with an error. */
static GBytes *
run (HlModel *model,
     GError **error)
{
  static const guint32 ids[] = { 1, 2, 3, 0 };
  const HlModelInput input = { .ids = ids, .n_ids = G_N_ELEMENTS (ids) };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  return hl_model_forward (model, &input, keep_queries, bytes, NULL, NULL, error)
           ? g_byte_array_free_to_bytes (g_steal_pointer (&bytes))
           : NULL;
}

static HlModel *
load (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  HlModel *model = hl_model_load (file, &error);

  g_assert_no_error (error);
  return model;
}

static void
check_model (const char *model_path,
             const char *weights_path,
             Change      kind)
{
  g_autoptr (HlModel) before = load (model_path);
  g_autoptr (GBytes) expected = run (before, NULL);
  g_autoptr (HlModel) model = load (model_path);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (expected);
  change (weights_path, kind);
  g_autoptr (GBytes) found = run (model, &error);
  g_assert_true ((found == NULL) == (error != NULL));
  if (kind == REPLACED || kind == DELETED)
    {
      g_assert_no_error (error);
      g_assert_true (g_bytes_equal (found, expected));
    }
  else
    {
      g_assert_nonnull (error);
      test_assert_sentence (error);
    }
}

static void
test_models (gconstpointer data)
{
  const Change kind = GPOINTER_TO_UINT (data);
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GFile) config = test_get_file ("model/checkpoints/bert", "config.json");
  g_autoptr (GFile) weights = test_get_file ("model/checkpoints/bert", "model.safetensors");
  g_autoptr (GFile) gguf = test_get_file ("gguf/models/llama", "model.gguf");
  g_autofree char *config_path = copy (folder, config);
  g_autofree char *weights_path = copy (folder, weights);
  g_autofree char *gguf_path = copy (folder, gguf);

  check_model (folder, weights_path, kind);
  check_model (gguf_path, gguf_path, kind);
  test_remove_folder (folder);
}

/* The whole of a folder, each file copied; returns the path of one. */
static char *
copy_all (const char *folder,
          const char *from,
          const char *wanted)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", from, NULL);
  g_autoptr (GDir) dir = g_dir_open (source, 0, NULL);
  char *found = NULL;
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autoptr (GFile) file = g_file_new_build_filename (source, name, NULL);
      g_autofree char *path = copy (folder, file);
      if (g_str_equal (name, wanted))
        found = g_steal_pointer (&path);
    }
  g_assert_nonnull (found);
  return found;
}

/* Whichever of its files is changed, and whichever was opened. */
static void
test_parts (gconstpointer data)
{
  static const struct
  {
    const char *folder;
    const char *opened; /* NULL: the folder */
    const char *changed;
  } models[] = {
    { "model/checkpoints/bert-sharded", NULL, "model-00003-of-00005.safetensors" },
    { "gguf/models/llama-split", "model-00001-of-00003.gguf", "model-00003-of-00003.gguf" },
    { "gguf/models/llama-split", "model-00002-of-00003.gguf", "model-00001-of-00003.gguf" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    {
      g_autofree char *folder = test_make_folder ();
      g_autofree char *changed = copy_all (folder, models[i].folder, models[i].changed);
      g_autofree char *opened = g_build_filename (folder, models[i].opened, NULL);

      check_model (opened, changed, GPOINTER_TO_UINT (data));
      test_remove_folder (folder);
    }
}

/* Numbers that lie apart are mapped, and not those of another version than the sizes that were read before. */
static void
test_apart (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autoptr (GFile) file = test_get_file ("fixtures", "foreign/heads-fortran-big.npy");
  g_autofree char *path = copy (folder, file);
  g_autoptr (GFile) copied = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlSpan) span = hl_span_open (copied, &error);
  const HlShape shape = { 2, { 2, 2 } };
  const gint64 strides[] = { sizeof (float), 4 * sizeof (float) };
  char first;

  g_assert_true (hl_span_read (span, 0, &first, 1, &error));
  change (path, WRITTEN);
  g_assert_null (hl_span_open_tensor (span, HL_DTYPE_F32, &shape, strides, FALSE, 0, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);
  test_assert_sentence (error);
  test_remove_folder (folder);
}

/* What is written in the same step of the clock has the same time, so that a file is not opened before that is over. */
static void
test_fresh (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "file", NULL);
  struct timespec now;
  struct stat info;

  g_assert_true (g_file_set_contents (path, "one", -1, NULL));
  const int fd = g_open (path, O_RDWR | O_CLOEXEC, 0);
  g_assert_cmpint (clock_gettime (CLOCK_REALTIME_COARSE, &now), ==, 0);
  const struct timespec times[2] = { now, now };
  g_assert_cmpint (futimens (fd, times), ==, 0);
  g_assert_cmpint (fstat (fd, &info), ==, 0);
  const HlFileVersion version = hl_file_version_take (fd, &info);
  g_assert_cmpint (clock_gettime (CLOCK_REALTIME_COARSE, &now), ==, 0);
  g_assert_true (now.tv_sec > info.st_mtim.tv_sec || now.tv_nsec > info.st_mtim.tv_nsec);
  g_assert_true (hl_file_version_check (&version, fd, NULL));
  close (fd);
  test_remove_folder (folder);
}

/* Who is in the middle of writing something at once, of which the time is that of its beginning. */
typedef struct
{
  int fd;
  int is_done;
} Writer;

static gpointer
end_writing (gpointer data)
{
  Writer *self = data;
  struct stat info;

  g_usleep (100000);
  g_assert_cmpint (fstat (self->fd, &info), ==, 0);
  const struct timespec times[2] = { info.st_atim, info.st_mtim };
  g_assert_cmpint (write (self->fd, "two", 3), ==, 3);
  g_assert_cmpint (futimens (self->fd, times), ==, 0);
  g_atomic_int_set (&self->is_done, TRUE);
  close (self->fd);
  return NULL;
}

/* However busy the computer is, what is read is not of before and after. */
static void
test_writing (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "file", NULL);
  struct timespec now;
  struct stat info;

  g_assert_true (g_file_set_contents (path, "one", -1, NULL));
  Writer writer = { g_open (path, O_WRONLY | O_CLOEXEC, 0), FALSE };
  const int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  if (fcntl (fd, F_SETLEASE, F_RDLCK) != -1 || errno != EAGAIN)
    {
      fcntl (fd, F_SETLEASE, F_UNLCK);
      close (writer.fd);
      g_test_skip ("the file system does not tell who writes");
    }
  else
    {
      g_assert_cmpint (clock_gettime (CLOCK_REALTIME_COARSE, &now), ==, 0);
      now.tv_sec -= now.tv_nsec < 100000000;
      now.tv_nsec += now.tv_nsec < 100000000 ? 900000000 : -100000000;
      const struct timespec times[2] = { now, now };
      g_assert_cmpint (futimens (writer.fd, times), ==, 0);
      GThread *thread = g_thread_new ("writer", end_writing, &writer);
      g_assert_cmpint (fstat (fd, &info), ==, 0);
      const HlFileVersion version = hl_file_version_take (fd, &info);
      g_assert_true (g_atomic_int_get (&writer.is_done));
      g_assert_true (hl_file_version_check (&version, fd, NULL));
      g_thread_join (thread);
    }
  close (fd);
  test_remove_folder (folder);
}

static gboolean
is_said_to_be_written (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  GPtrArray *checks = hl_example_get_checks (example);

  for (guint i = 0; i < checks->len; i++)
    if (hl_check_get_topic (checks->pdata[i]) == HL_CHECK_TOPIC_WRITER)
      return TRUE;
  return FALSE;
}

/* What the folders of the tests are taken to be on; 0 for what they are. */
static long network;

/* Goes before that of the system. */
int
fstatfs (int            fd,
         struct statfs *info)
{
  if (network == 0)
    return (int) syscall (SYS_fstatfs, fd, info);
  *info = (struct statfs){ .f_type = (__typeof__ (info->f_type)) network };
  return 0;
}

/* Over a network the system lends nothing as long as the server does not, whoever writes: that tells of nobody. */
static void
check_networks (const char *path)
{
  static const long types[] = { 0x6969, 0x517b, 0xff534d42, 0xfe534d42 };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      network = types[i];
      g_assert_false (is_said_to_be_written (path));
    }
  network = 0;
}

/* What is written into a mapping does not change the time of the file: that somebody may write is said, and not once nobody may. */
static void
test_mapped_by_others (void)
{
  static const char *const opened[] = { "f32-userblock.h5", "minified.json", "foreign/layers.npy", "foreign/tuple.pt" };
  g_autofree char *folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (opened); i++)
    {
      g_autoptr (GFile) from = test_get_file ("fixtures", opened[i]);
      g_autofree char *name = g_path_get_basename (opened[i]);
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *bytes = NULL;
      gsize size;

      g_assert_true (g_file_load_contents (from, NULL, &bytes, &size, NULL, NULL));
      g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
      g_assert_false (is_said_to_be_written (path));
      const int fd = g_open (path, O_RDWR | O_CLOEXEC, 0);
      char *mapped = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      g_assert_true (mapped != MAP_FAILED);
      close (fd);
      const int reader = g_open (path, O_RDONLY | O_CLOEXEC, 0);
      const gboolean is_told = fcntl (reader, F_SETLEASE, F_RDLCK) == -1 && errno == EAGAIN;
      close (reader);
      if (is_told)
        g_assert_true (is_said_to_be_written (path));
      check_networks (path);
      g_assert_cmpint (munmap (mapped, size), ==, 0);
      g_assert_false (is_said_to_be_written (path));
      if (!is_told)
        g_test_skip ("the file system does not tell who writes");
    }
  test_remove_folder (folder);
}

/* A name that leads to one thing and to another, until it is to stop. */
typedef struct
{
  char *name;
  char *other;
  int stop;
} Swap;

static gpointer
swap_names (gpointer data)
{
  Swap *self = data;

  while (!g_atomic_int_get (&self->stop))
    {
      syscall (SYS_renameat2, AT_FDCWD, self->name, AT_FDCWD, self->other, 2 /* RENAME_EXCHANGE */);
      g_usleep (g_random_int_range (1, 300));
    }
  return NULL;
}

static GThread *
begin_swap (Swap       *self,
            const char *folder,
            const char *name,
            const char *other)
{
  *self = (Swap){ g_build_filename (folder, name, NULL), g_build_filename (folder, other, NULL), 0 };
  return g_thread_new ("swap", swap_names, self);
}

static void
end_swap (Swap    *self,
          GThread *thread)
{
  g_atomic_int_set (&self->stop, 1);
  g_thread_join (thread);
  g_free (self->name);
  g_free (self->other);
}

/* Between the look at what a file is and its opening it may have become a pipe, for which nobody waits. */
static void
test_pipes (void)
{
  static const char *const opened[] = { "f32-userblock.h5", "minified.json", "foreign/layers.npy", "foreign/tuple.pt" };

  for (guint i = 0; i < G_N_ELEMENTS (opened); i++)
    {
      g_autofree char *folder = test_make_folder ();
      g_autoptr (GFile) file = test_get_file ("fixtures", opened[i]);
      g_autofree char *path = copy (folder, file);
      g_autofree char *name = g_path_get_basename (path);
      g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);
      g_autoptr (GFile) copied = g_file_new_for_path (path);
      guint n_read = 0;
      Swap swap;

      g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
      GThread *thread = begin_swap (&swap, folder, name, "pipe");
      for (guint n = 0; n < 2000; n++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (HlArchive) archive = hl_archive_open (copied, NULL, NULL, &error);
          n_read += archive != NULL;
        }
      end_swap (&swap, thread);
      g_test_message ("%s was opened %u times", name, n_read);
      test_remove_folder (folder);
    }
}

/* Two versions of a model, and a folder that is one of them at any time. */
typedef struct
{
  char *folder;
  char *configs[2];
  char *weights[2];
  gsize n_weights;
  int stop;
} Versions;

static void
write_version (Versions   *self,
               const char *path,
               guint       version)
{
  g_autofree char *config = g_build_filename (path, "config.json", NULL);
  g_autofree char *weights = g_build_filename (path, "model.safetensors", NULL);

  g_mkdir (path, 0700);
  g_assert_true (g_file_set_contents_full (config, self->configs[version], -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  g_assert_true (g_file_set_contents_full (weights, self->weights[version], (gssize) self->n_weights,
                                           G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

/* What is put in the place of a folder was written anew each time, as by a training that goes on. */
static gpointer
replace_folder (gpointer data)
{
  Versions *self = data;
  g_autofree char *path = g_build_filename (self->folder, "model", NULL);
  g_autofree char *next = g_build_filename (self->folder, "next", NULL);

  for (guint i = 1; !g_atomic_int_get (&self->stop); i++)
    {
      write_version (self, next, i % 2);
      g_assert_cmpint (syscall (SYS_renameat2, AT_FDCWD, path, AT_FDCWD, next, 2 /* RENAME_EXCHANGE */), ==, 0);
    }
  return NULL;
}

/* A folder that is replaced by one of the same model after more training while it is opened: there is one of the two, or an error. */
static void
test_folders (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "model", NULL);
  g_autofree char *from = g_test_build_filename (G_TEST_DIST, "..", "model/checkpoints/bert", NULL);
  g_autofree char *config_path = g_build_filename (from, "config.json", NULL);
  g_autofree char *weights_path = g_build_filename (from, "model.safetensors", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  Versions versions = { .folder = folder };
  GBytes *expected[2];
  guint n_loaded[2] = { 0 };
  guint64 length, mark;

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *config = NULL;

      /* A key more tells one configuration from the other, all numbers one set of weights. */
      g_assert_true (g_file_get_contents (config_path, &config, NULL, NULL));
      versions.configs[i] = g_strdup_printf ("{\"mark\": %u,%s", i, strchr (config, '{') + 1);
      g_assert_true (g_file_get_contents (weights_path, &versions.weights[i], &versions.n_weights, NULL));
      memcpy (&length, versions.weights[i], sizeof length);
      for (gsize at = sizeof length + GUINT64_FROM_LE (length) + 1; at < versions.n_weights && i == 1;
           at += sizeof (float))
        versions.weights[i][at] ^= 0x55;
      write_version (&versions, path, i);
      g_autoptr (HlModel) model = load (path);
      expected[i] = run (model, NULL);
      g_assert_nonnull (expected[i]);
    }
  g_assert_false (g_bytes_equal (expected[0], expected[1]));
  GThread *thread = g_thread_new ("replace", replace_folder, &versions);
  for (guint n = 0; n < 300; n++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HlModel) model = hl_model_load (file, &error);

      if (model == NULL)
        {
          test_assert_sentence (error);
          continue;
        }
      g_assert_true (hl_model_config_read_size (hl_model_get_config (model), "mark", HL_CONFIG_REQUIRED, &mark, NULL));
      g_autoptr (GBytes) found = run (model, &error);
      /* The folder that was replaced is the next to be written to. */
      if (found == NULL)
        continue;
      g_assert_true (g_bytes_equal (found, expected[mark]));
      n_loaded[mark]++;
    }
  g_atomic_int_set (&versions.stop, 1);
  g_thread_join (thread);
  for (guint i = 0; i < 2; i++)
    {
      g_bytes_unref (expected[i]);
      g_free (versions.configs[i]);
      g_free (versions.weights[i]);
    }
  g_test_message ("the first was opened %u times, the second %u times", n_loaded[0], n_loaded[1]);
  test_remove_folder (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < N_CHANGES; i++)
    {
      g_autofree char *path = g_strconcat ("/changed/files/", names[i], NULL);
      g_autofree char *model_path = g_strconcat ("/changed/models/", names[i], NULL);
      g_autofree char *part_path = g_strconcat ("/changed/parts/", names[i], NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_files);
      g_test_add_data_func (model_path, GUINT_TO_POINTER (i), test_models);
      g_test_add_data_func (part_path, GUINT_TO_POINTER (i), test_parts);
    }
  g_test_add_func ("/changed/next-example", test_next_example);
  g_test_add_func ("/changed/apart", test_apart);
  g_test_add_func ("/changed/fresh", test_fresh);
  g_test_add_func ("/changed/writing", test_writing);
  g_test_add_func ("/changed/mapped-by-others", test_mapped_by_others);
  g_test_add_func ("/changed/pipes", test_pipes);
  g_test_add_func ("/changed/folders", test_folders);
  return g_test_run ();
}
