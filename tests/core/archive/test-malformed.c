/* SPDX-License-Identifier: MIT */
/* Files that are damaged, hostile or odd: each has the outcome that its table names, and none ends the program. */
#include "test-dumps.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "core/base/hl-error.h"

/* What all of them together may take at the most. Sanitizers take a multiple, so it is not looked at with them. */
#define BUDGET_KIB (600 * 1024)

#if defined(__SANITIZE_ADDRESS__)
/* The library forgets some of its own memory when it gives up on a damaged file. */
const char *__lsan_default_suppressions (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:libhdf5\n";
}
#endif

typedef struct
{
  char *path;
  char *outcome;
  char *contains;
} Case;

static void
free_case (gpointer data)
{
  Case *one = data;

  g_free (one->path);
  g_free (one->outcome);
  g_free (one->contains);
  g_free (one);
}

static void
run_case (const Case *one)
{
  g_autoptr (GFile) file = g_file_new_for_path (one->path);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  const gboolean opened = document != NULL;
  guint n_warnings = 0;
  const gboolean read = opened && test_read_everything (document, &n_warnings, &error);

  if (error != NULL)
    {
      test_assert_sentence (error);
      g_test_message ("%s", error->message);
      if (*one->contains != '\0' && strstr (error->message, one->contains) == NULL)
        g_test_fail_printf ("“%s” does not contain “%s”", error->message, one->contains);
    }
  g_assert_true (read == (error == NULL));

  if (g_str_equal (one->outcome, "error") && opened)
    g_test_fail_printf ("opened, but should not have");
  else if (g_str_equal (one->outcome, "error-on-read") && read)
    g_test_fail_printf ("was read, but should not have been");
  else if (g_str_has_prefix (one->outcome, "opens") && !read)
    g_test_fail_printf ("could not be read: %s", error->message);
  else if (g_str_equal (one->outcome, "opens-with-warning") && n_warnings == 0)
    g_test_fail_printf ("nothing odd was said");
}

static void
test_case (gconstpointer data)
{
  run_case (data);
}

static gboolean
is_outcome (const char *text)
{
  static const char *const outcomes[] = { "error", "error-on-read", "opens", "opens-with-warning", "any", NULL };

  return g_strv_contains (outcomes, text);
}

static GPtrArray *
read_table (const char *folder)
{
  GPtrArray *cases = g_ptr_array_new_with_free_func (free_case);
  g_autofree char *path = g_build_filename (folder, "expected.tsv", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], "\t", -1);
      Case *one = g_new0 (Case, 1);

      g_assert_cmpuint (g_strv_length (fields), ==, 4);
      g_assert_true (is_outcome (fields[1]));
      one->path = g_build_filename (folder, fields[0], NULL);
      one->outcome = g_strdup (fields[1]);
      one->contains = g_strdup (fields[2]);
      g_ptr_array_add (cases, one);
    }
  return cases;
}

/* Those too big to keep, as far as they are HDF5 or no file at all. */
static void
test_generated (void)
{
  static const char *const names[] = { "layers-100000.h5", "examples-100000.h5", "deep-groups.h5", "deep-examples.h5",
                                       "long-chain.h5",    "many-heads.h5",      "folder.h5",      "fifo.h5",
                                       "link-to-itself.h5" };
  g_autofree char *python = test_find_python ();
  g_autofree char *folder = test_make_folder ();
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "..", "malformed", "make-malformed.py", NULL);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GError) error = NULL;
  int status = -1;

  if (python == NULL)
    {
      g_test_skip ("no Python with h5py to make the files with");
      test_remove_folder (folder);
      return;
    }
  g_strv_builder_add_many (builder, python, "-B", script, "--big", folder, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_strv_builder_add_many (builder, "--only", names[i], NULL);
  g_auto (GStrv) arguments = g_strv_builder_end (builder);
  g_spawn_sync (NULL, arguments, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, NULL,
                &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);

  g_autoptr (GPtrArray) cases = read_table (folder);
  g_assert_cmpuint (cases->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < cases->len; i++)
    {
      const Case *one = g_ptr_array_index (cases, i);
      g_test_message ("%s", one->path);
      run_case (one);
    }
  test_remove_folder (folder);
}

/* Good small files with one byte changed, at seeded places. Some open and some do not; none may do more than that. */
static void
test_flipped_bytes (void)
{
  static const char *const names[] = { "f16-gzip.h5",         "f32-latest.h5",      "group-heads-differ.h5",
                                       "tokens-vlen-utf8.h5", "attribute-kinds.h5", "examples.h5",
                                       "qk-grouped.h5",       "f32-fletcher.h5",    "minified.json" };
  const guint n_each = 60;
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "flipped", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  guint n_opened = 0, n_refused = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GFile) file = test_get_file ("fixtures", names[i]);
      g_autofree char *bytes = NULL;
      gsize size;

      g_assert_true (g_file_load_contents (file, NULL, &bytes, &size, NULL, NULL));
      for (guint j = 0; j < n_each; j++)
        {
          const gsize at = (gsize) g_rand_int_range (rand, 0, (gint32) size);
          const char change = (char) (1 << g_rand_int_range (rand, 0, 8));
          g_autoptr (GError) error = NULL;
          guint n_warnings;

          bytes[at] ^= change;
          g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
          bytes[at] ^= change;

          g_autoptr (HlDocument) document = hl_document_load (target, NULL, NULL, &error);
          if (document != NULL && test_read_everything (document, &n_warnings, &error))
            {
              n_opened++;
              continue;
            }
          n_refused++;
          test_assert_sentence (error);
        }
    }
  /* Most bytes are numbers; some hold the file together. */
  g_assert_cmpuint (n_opened, >, 50);
  g_assert_cmpuint (n_refused, >, 50);
  test_remove_folder (folder);
}

static void
test_unreadable (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "secret.h5", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  if (geteuid () == 0)
    {
      g_test_skip ("root may read everything");
      test_remove_folder (folder);
      return;
    }
  g_assert_true (g_file_set_contents (path, "\211HDF\r\n\032\n", 8, NULL));
  g_assert_cmpint (g_chmod (path, 0), ==, 0);
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_null (document);
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);
  test_remove_folder (folder);
}

static void
test_missing (void)
{
  g_autoptr (GFile) file = test_get_file ("fixtures", "no-such-file.h5");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);

  g_assert_null (document);
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_autofree char *folder = g_test_build_filename (G_TEST_DIST, "..", "malformed", NULL);
  g_autoptr (GPtrArray) cases = read_table (folder);
  for (guint i = 0; i < cases->len; i++)
    {
      const Case *one = g_ptr_array_index (cases, i);
      g_autofree char *name = g_path_get_basename (one->path);
      g_autofree char *path = g_strconcat ("/malformed/", name, NULL);
      g_test_add_data_func (path, one, test_case);
    }
  g_test_add_func ("/malformed/generated", test_generated);
  g_test_add_func ("/malformed/flipped-bytes", test_flipped_bytes);
  g_test_add_func ("/malformed/unreadable", test_unreadable);
  g_test_add_func ("/malformed/missing", test_missing);
  const int status = g_test_run ();

#if !defined(__SANITIZE_ADDRESS__)
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  if (usage.ru_maxrss > BUDGET_KIB)
    {
      g_printerr ("took %ld KiB, the budget is %d KiB\n", usage.ru_maxrss, BUDGET_KIB);
      return 1;
    }
#endif
  return status;
}
