/* SPDX-License-Identifier: MIT */
/* Names of models of the hub, which files of a repository a model needs, and files of the cache while they come. */
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/model/hub/hl-hub-blob.h"
#include "core/model/hub/hl-hub-choice.h"
#include "core/model/hub/hl-hub-name.h"
#include "core/model/hub/hl-hub-place.h"
#include "core/model/hub/hl-hub-store.h"
#include "test-dumps.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void
check_name (const char *text,
            const char *repository,
            const char *revision,
            const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlHubName) name = hl_hub_name_parse (text, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (name->repository, ==, repository);
  g_assert_cmpstr (name->revision, ==, revision);
  g_assert_cmpstr (name->part, ==, part);
}

static void
test_names (void)
{
  static const char *const wrong[] = { "",     "/",    "a/",   "/b",      "a/b/c",   "a/b:",
                                       "a/b@", ".a/b", "a/b-", "a/b\xff", "a/b:\x01" };

  check_name ("gpt2", "gpt2", "main", NULL);
  check_name ("org/name", "org/name", "main", NULL);
  check_name ("org/name@refs/pr/1", "org/name", "refs/pr/1", NULL);
  check_name ("org/name:Q4_K_M", "org/name", "main", "Q4_K_M");
  check_name ("org/name@v1:sub/a.gguf", "org/name", "v1", "sub/a.gguf");
  check_name ("org/name/sub/a.gguf", "org/name", "main", "sub/a.gguf");
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HlHubName) name = hl_hub_name_parse (wrong[i], &error);
      g_assert_null (name);
      g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
    }
}

static void
test_quantisations (void)
{
  static const char *const names[][2] = {
    { "model-Q4_K_M.gguf", "Q4_K_M" },
    { "smollm2-135m-instruct-q8_0.gguf", "Q8_0" },
    { "Model.IQ2_XXS.gguf", "IQ2_XXS" },
    { "model-UD-Q4_K_XL.gguf", "Q4_K_XL" },
    { "sub/model-BF16-00001-of-00002.gguf", "BF16" },
    { "gpt-oss-20b-mxfp4.gguf", "MXFP4" },
    { "f16.gguf", "F16" },
    { "Qwen3-4B.gguf", NULL },
    { "model.gguf", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *found = hl_hub_make_quantisation (names[i][0]);
      g_assert_cmpstr (found, ==, names[i][1]);
    }
}

static void
test_links (void)
{
  static const char *const headers[][2] = {
    { "<https://hub/next?a=1&b=2>; rel=\"next\"", "https://hub/next?a=1&b=2" },
    { "<https://hub/first>; rel=\"first\", </next>; rel=\"next\"", "/next" },
    { "<https://hub/first>; rel=\"first\"", NULL },
    { "<https://hub/next; rel=\"next\"", NULL },
    { "", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (headers); i++)
    {
      g_autofree char *found = hl_hub_link_find_next (headers[i][0]);
      g_assert_cmpstr (found, ==, headers[i][1]);
    }
}

static void
add_file (GPtrArray  *files,
          const char *path,
          guint64     size)
{
  HlHubFile *file = g_new (HlHubFile, 1);

  *file = (HlHubFile){ g_strdup (path), size, g_strdup ("0123456789abcdef0123456789abcdef01234567") };
  g_ptr_array_add (files, file);
}

static void
test_choices (void)
{
  g_autoptr (GPtrArray) files = hl_hub_tree_new ();
  g_autoptr (GError) error = NULL;

  add_file (files, "one-Q8_0.gguf", 80);
  add_file (files, "two-Q8_0.gguf", 90);
  add_file (files, "one-Q4_K_M.gguf", 99);
  add_file (files, "big-F16-00002-of-00002.gguf", 100);
  add_file (files, "big-F16-00001-of-00002.gguf", 100);
  add_file (files, "big-F16-00001-of-00003.gguf", 100);
  add_file (files, "lost-F32-00002-of-00002.gguf", 1);
  g_autoptr (GPtrArray) choices = hl_hub_choices_new (files, NULL, &error);
  g_assert_no_error (error);
  static const struct
  {
    const char *label;
    guint64 size;
  } expected[] = {
    { "one-Q8_0.gguf", 80 },
    { "two-Q8_0.gguf", 90 },
    { "Q4_K_M", 99 },
    { "big-F16-00001-of-00003.gguf", 100 },
    { "big-F16-00001-of-00002.gguf", 200 },
  };
  g_assert_cmpuint (choices->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < choices->len; i++)
    {
      const HlHubChoice *choice = choices->pdata[i];
      g_assert_cmpstr (choice->label, ==, expected[i].label);
      g_assert_cmpuint (choice->size, ==, expected[i].size);
    }
  g_assert_cmpuint (hl_hub_choices_get_default (choices), ==, 2);

  /* Weights of a folder go first. */
  add_file (files, "model.safetensors", 1000);
  add_file (files, "config.json", 10);
  g_autoptr (GPtrArray) folder = hl_hub_choices_new (files, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (folder->len, ==, 1);
  g_assert_cmpuint (((HlHubChoice *) folder->pdata[0])->size, ==, 1010);
  g_assert_null (((HlHubChoice *) folder->pdata[0])->file);
}

/* What cannot be opened is not downloaded, and what can is, once. */
static void
test_indices (void)
{
  static const struct
  {
    const char *weights;
    guint64 size; /* 0: it is refused */
    int code;
    const char *contains;
  } cases[] = {
    { "{\"a\":\"one.safetensors\",\"b\":\"two/part.safetensors\",\"c\":\"one.safetensors\"}", 311, 0, NULL },
    /* Of what is taken for its name, too. */
    { "{\"a\":\"one.safetensors\",\"b\":\"config.json\"}", 111, 0, NULL },
    { "{\"a\":\"three.safetensors\"}", 0, HL_ERROR_MISSING, "the hub has no “three.safetensors”" },
    { "{\"a\":\"../x/one.safetensors\"}", 0, HL_ERROR_EXTERNAL, "“../x/one.safetensors”, which cannot be a file" },
    { "{\"a\":\"one.safetensors\",\"b\":7}", 0, HL_ERROR_VALUE, "the file of tensor “b” is not a name" },
    { "{}", 0, HL_ERROR_CORRUPT, "names no weights" },
    { "[\"one.safetensors\"]", 0, HL_ERROR_CORRUPT, "names no weights" },
  };
  g_autoptr (GPtrArray) files = hl_hub_tree_new ();

  add_file (files, "0_Transformer/config.json", 1);
  add_file (files, "0_Transformer/model.safetensors.index.json", 10);
  add_file (files, "0_Transformer/one.safetensors", 100);
  add_file (files, "0_Transformer/two/part.safetensors", 200);
  add_file (files, "one.safetensors", 1000);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"weight_map\":%s}", cases[i].weights);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) choices = hl_hub_choices_new (files, NULL, &error);
      g_assert_no_error (error);
      HlHubChoice *choice = choices->pdata[0];
      const gboolean good = hl_hub_choice_add_indexed (choice, files, text, strlen (text), &error);

      g_assert_cmpint (good, ==, cases[i].size > 0);
      if (good)
        {
          g_assert_cmpuint (choice->size, ==, cases[i].size);
          continue;
        }
      g_assert_error (error, HL_ERROR, cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].contains));
      g_assert_nonnull (strstr (error->message, "0_Transformer/model.safetensors.index.json"));
    }
}

/* As many as are opened. */
static void
test_many_indexed (void)
{
  g_autoptr (GPtrArray) files = hl_hub_tree_new ();
  g_autoptr (GString) text = g_string_new ("{\"weight_map\":{\"t\":\"0.safetensors\"");
  g_autoptr (GError) error = NULL;

  add_file (files, "config.json", 1);
  add_file (files, "model.safetensors.index.json", 1);
  for (guint i = 0; i <= HL_LIMIT_SHARDS; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.safetensors", i);
      add_file (files, name, 1);
      g_string_append_printf (text, ",\"t%u\":\"%s\"", i, name);
    }
  g_string_append (text, "}}");
  g_autoptr (GPtrArray) choices = hl_hub_choices_new (files, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (hl_hub_choice_add_indexed (choices->pdata[0], files, text->str, text->len, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
}

typedef struct
{
  char *folder;
  char *model;
  HlHubFile file;
  HlHubMeter meter;
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->folder = test_make_folder ();
  fixture->model = g_build_filename (fixture->folder, "models--a--b", NULL);
  /* What git has for these twelve bytes, “hello world\n”. */
  fixture->file = (HlHubFile){ (char *) "config.json", 12, (char *) "3b18e512dba79e4c8300dd08aeb37f8e728b8dad" };
  hl_hub_meter_init (&fixture->meter, NULL, 12);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  test_folder_free (fixture->folder);
  g_free (fixture->model);
}

static HlHubBlob *
open_blob (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  HlHubBlob *blob = hl_hub_blob_open (fixture->model, &fixture->file, &fixture->meter, NULL, &error);

  g_assert_no_error (error);
  return blob;
}

static void
append (HlHubBlob  *blob,
        const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_hub_blob_append (blob, text, strlen (text), &error));
  g_assert_no_error (error);
}

static void
test_blob (Fixture      *fixture,
           gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  HlHubBlob *blob = open_blob (fixture);
  append (blob, "hello");
  g_assert_false (hl_hub_blob_is_right (blob));
  hl_hub_blob_free (blob);

  /* It goes on where it was left, and takes no more than there is to be. */
  hl_hub_meter_init (&fixture->meter, NULL, 12);
  blob = open_blob (fixture);
  g_assert_cmpuint (hl_hub_blob_get_length (blob), ==, 5);
  g_assert_cmpuint (fixture->meter.done, ==, 5);
  g_assert_false (hl_hub_blob_append (blob, " world\n!", 8, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_CORRUPT);
  g_clear_error (&error);
  append (blob, " world?");
  g_assert_cmpuint (hl_hub_blob_get_length (blob), ==, 12);
  g_assert_false (hl_hub_blob_is_right (blob));
  g_assert_true (hl_hub_blob_restart (blob, &error));
  g_assert_cmpuint (fixture->meter.done, ==, 0);
  append (blob, "hello world\n");
  g_assert_true (hl_hub_blob_is_right (blob));
  g_assert_true (hl_hub_blob_commit (blob, NULL, &error));
  hl_hub_blob_free (blob);

  blob = open_blob (fixture);
  g_assert_true (hl_hub_blob_is_complete (blob));
  hl_hub_blob_free (blob);
  g_assert_cmpuint (hl_hub_store_measure (fixture->model, "0123abc", &fixture->file), ==, 12);
}

/* What is there while it comes. */
static char *
find_incomplete (Fixture *fixture)
{
  g_autofree char *blob = hl_hub_store_get_blob (fixture->model, &fixture->file), *path = g_path_get_dirname (blob);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_suffix (name, ".incomplete"))
      return g_build_filename (path, name, NULL);
  return NULL;
}

/* Another program writes into the file, makes it shorter, or puts another one there; what that comes to is not taken for what came. */
static void
test_touched (Fixture      *fixture,
              gconstpointer data)
{
  static const char *const moments[] = { "hello", " world\n" };

  for (guint i = 0; i < 6; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (HlHubBlob) blob = open_blob (fixture);
      g_autofree char *path = find_incomplete (fixture);

      for (guint j = 0; j < 2; j++)
        {
          append (blob, moments[j]);
          if (j != i % 2)
            continue;
          /* As files are dated. */
          g_usleep (20000);
          if (i < 2)
            g_assert_cmpint (truncate (path, 2), ==, 0);
          else if (i < 4)
            {
              const int fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);
              g_assert_cmpint (pwrite (fd, "J", 1, 0), ==, 1);
              close (fd);
            }
          else
            g_assert_true (g_file_set_contents (path, "other", -1, NULL));
        }
      g_assert_true (hl_hub_blob_is_right (blob));
      g_assert_false (hl_hub_blob_commit (blob, NULL, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_CORRUPT);
      g_assert_cmpuint (hl_hub_blob_get_length (blob), ==, 0);
      g_remove (path);
    }
  g_assert_cmpuint (hl_hub_store_measure (fixture->model, "0123abc", &fixture->file), ==, 0);
}

/* A time that goes on is no harm, if what is there is what came. */
static void
test_dated (Fixture      *fixture,
            gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlHubBlob) blob = open_blob (fixture);
  g_autofree char *path = find_incomplete (fixture);

  append (blob, "hello world\n");
  g_assert_cmpint (utimensat (AT_FDCWD, path, NULL, 0), ==, 0);
  g_assert_true (hl_hub_blob_commit (blob, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (hl_hub_store_measure (fixture->model, "0123abc", &fixture->file), ==, 12);
}

static gboolean has_no_locks;

/* In place of that of the system. */
int
flock (int fd,
       int operation)
{
  if (!has_no_locks)
    return (int) syscall (SYS_flock, fd, operation);
  errno = ENOSYS;
  return -1;
}

/* Where there are no locks, two programs write into files of their own, and nothing of them is left. */
static void
test_no_locks (Fixture      *fixture,
               gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  has_no_locks = TRUE;
  g_autoptr (HlHubBlob) one = open_blob (fixture);
  append (one, "hello ");
  HlHubBlob *other = open_blob (fixture);
  g_assert_cmpuint (hl_hub_blob_get_length (other), ==, 0);
  append (other, "hello");
  append (one, "world\n");
  g_assert_true (hl_hub_blob_commit (one, NULL, &error));
  g_assert_no_error (error);
  hl_hub_blob_free (other);
  has_no_locks = FALSE;
  g_assert_null (find_incomplete (fixture));
  g_assert_cmpuint (hl_hub_store_measure (fixture->model, "0123abc", &fixture->file), ==, 12);
}

static void
test_waits (Fixture      *fixture,
            gconstpointer data)
{
  g_autoptr (HlHubBlob) blob = open_blob (fixture);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_autoptr (HlHubBlob) other = hl_hub_blob_open (fixture->model, &fixture->file, &fixture->meter, cancellable, &error);
  g_assert_null (other);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* A link that somebody else has left where a file is to be is not followed. */
static void
test_link_in_place (Fixture      *fixture,
                    gconstpointer data)
{
  g_autofree char *blob = hl_hub_store_get_blob (fixture->model, &fixture->file);
  g_autofree char *incomplete = g_strconcat (blob, ".incomplete", NULL), *folder = g_path_get_dirname (blob);
  g_autofree char *target = g_build_filename (fixture->folder, "precious", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (target, "precious", -1, NULL));
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_autoptr (GFile) link = g_file_new_for_path (incomplete);
  g_assert_true (g_file_make_symbolic_link (link, target, NULL, NULL));
  g_autoptr (HlHubBlob) opened = hl_hub_blob_open (fixture->model, &fixture->file, &fixture->meter, NULL, &error);
  g_assert_null (opened);
  g_assert_error (error, HL_ERROR, HL_ERROR_IO);
}

static void
test_place (void)
{
  const char *variable;

  g_setenv ("HF_ENDPOINT", "https://hub.example/mirror//", TRUE);
  g_autofree char *endpoint = hl_hub_place_get_endpoint ();
  g_assert_cmpstr (endpoint, ==, "https://hub.example/mirror");
  g_unsetenv ("HF_ENDPOINT");
  g_autofree char *usual = hl_hub_place_get_endpoint ();
  g_assert_cmpstr (usual, ==, "https://huggingface.co");

  g_setenv ("HF_HUB_OFFLINE", "", TRUE);
  g_setenv ("TRANSFORMERS_OFFLINE", "ON", TRUE);
  g_assert_true (hl_hub_place_is_offline (&variable));
  g_assert_cmpstr (variable, ==, "TRANSFORMERS_OFFLINE");
  g_setenv ("HF_HUB_OFFLINE", "0", TRUE);
  g_assert_false (hl_hub_place_is_offline (&variable));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hub/names", test_names);
  g_test_add_func ("/hub/quantisations", test_quantisations);
  g_test_add_func ("/hub/links", test_links);
  g_test_add_func ("/hub/choices", test_choices);
  g_test_add_func ("/hub/indices", test_indices);
  g_test_add_func ("/hub/many-indexed", test_many_indexed);
  g_test_add_func ("/hub/place", test_place);
  g_test_add ("/hub/blob", Fixture, NULL, set_up, test_blob, tear_down);
  g_test_add ("/hub/blob/touched", Fixture, NULL, set_up, test_touched, tear_down);
  g_test_add ("/hub/blob/dated", Fixture, NULL, set_up, test_dated, tear_down);
  g_test_add ("/hub/blob/no-locks", Fixture, NULL, set_up, test_no_locks, tear_down);
  g_test_add ("/hub/blob/waits", Fixture, NULL, set_up, test_waits, tear_down);
  g_test_add ("/hub/blob/link-in-place", Fixture, NULL, set_up, test_link_in_place, tear_down);
  return g_test_run ();
}
