/* SPDX-License-Identifier: MIT */
/* A model may be in a folder within that which was opened, elsewhere, or in several files: what happens to it there is seen. */
#include "core/model/local/hl-file-stamp.h"
#include "app/session/hl-file-watch.h"

#include <string.h>

/* Of a busy machine. */
#define PATIENCE_SECONDS 60

typedef struct
{
  GFile *root;
  HlFileWatch *watch;
  guint n_changes;
} Stage;

static void
copy (GFile *from,
      GFile *to)
{
  g_autoptr (GError) error = NULL;
  GFileInfo *info = NULL;

  if (g_file_query_file_type (from, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_DIRECTORY)
    {
      g_file_copy (from, to, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
      return;
    }
  g_file_make_directory_with_parents (to, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GFileEnumerator)
    children = g_file_enumerate_children (from, G_FILE_ATTRIBUTE_STANDARD_NAME, G_FILE_QUERY_INFO_NONE, NULL, &error);
  g_assert_no_error (error);
  while (g_file_enumerator_iterate (children, &info, NULL, NULL, &error) && info != NULL)
    {
      g_autoptr (GFile) inner_from = g_file_get_child (from, g_file_info_get_name (info));
      g_autoptr (GFile) inner_to = g_file_get_child (to, g_file_info_get_name (info));
      copy (inner_from, inner_to);
    }
  g_assert_no_error (error);
}

static void
drop (GFile *file)
{
  g_autoptr (GFileEnumerator) children =
    g_file_enumerate_children (file, G_FILE_ATTRIBUTE_STANDARD_NAME, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, NULL, NULL);
  GFileInfo *info = NULL;
  GFile *child = NULL;

  while (children != NULL && g_file_enumerator_iterate (children, &info, &child, NULL, NULL) && info != NULL)
    drop (child);
  g_file_delete (file, NULL, NULL);
}

static void
on_changed (Stage *self)
{
  self->n_changes++;
}

/* A folder of the models of the tests, copied to where its path leads from the root. */
static GFile *
place (Stage      *self,
       const char *model,
       const char *path)
{
  g_autofree char *from_path = g_test_build_filename (G_TEST_DIST, "..", "model", model, NULL);
  g_autoptr (GFile) from = g_file_new_for_path (from_path);
  GFile *to = g_file_resolve_relative_path (self->root, path);

  copy (from, to);
  return to;
}

static void
set_up (Stage        *self,
        gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_dir_make_tmp ("headlight-watch-XXXXXX", &error);

  g_assert_no_error (error);
  self->root = g_file_new_for_path (path);
}

static void
tear_down (Stage        *self,
           gconstpointer data)
{
  if (self->watch != NULL)
    g_object_run_dispose (G_OBJECT (self->watch));
  g_clear_object (&self->watch);
  drop (self->root);
  g_clear_object (&self->root);
}

/* Begins to watch, and waits until nothing more is heard of what was there before. */
static void
watch (Stage *self,
       GFile *file)
{
  g_autofree char *stamp = hl_file_stamp_take (file, NULL, NULL);
  const gint64 end = g_get_monotonic_time () + 2 * G_USEC_PER_SEC;

  g_assert_nonnull (stamp);
  self->watch = hl_file_watch_new (file, stamp);
  g_signal_connect_swapped (self->watch, "changed", G_CALLBACK (on_changed), self);
  while (g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
  g_assert_cmpuint (self->n_changes, ==, 0);
}

static void
wait_changed (Stage *self)
{
  const gint64 end = g_get_monotonic_time () + PATIENCE_SECONDS * G_USEC_PER_SEC;

  while (self->n_changes == 0 && g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
  g_assert_cmpuint (self->n_changes, >, 0);
  g_assert_cmpint (hl_file_watch_get_state (self->watch), ==, HL_FILE_CHANGED);
  self->n_changes = 0;
}

static void
write_text (GFile      *folder,
            const char *name,
            const char *text)
{
  g_autoptr (GFile) file = g_file_get_child (folder, name);
  g_autoptr (GError) error = NULL;

  g_file_replace_contents (file, text, strlen (text), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
test_module (Stage        *self,
             gconstpointer data)
{
  g_autoptr (GFile) folder = place (self, "folders/sentences", "sentences");
  g_autoptr (GFile) inner = g_file_get_child (folder, "0_Transformer");

  watch (self, folder);
  write_text (folder, "README.md", "no part of it");
  write_text (inner, "config.json", "{}");
  wait_changed (self);
}

/* A banner about a change is shown anew with each picture, also while somebody looks again whether the file is gone. */
static void
test_change_then_gone (Stage        *self,
                       gconstpointer data)
{
  g_autoptr (GFile) folder = place (self, "checkpoints/gpt2", "gone");
  const gint64 end = g_get_monotonic_time () + PATIENCE_SECONDS * G_USEC_PER_SEC;

  watch (self, folder);
  write_text (folder, "config.json", "{}");
  wait_changed (self);
  g_assert_nonnull (hl_file_watch_get_said (self->watch));
  drop (folder);
  while (hl_file_watch_get_state (self->watch) == HL_FILE_CHANGED && g_get_monotonic_time () < end)
    {
      g_assert_nonnull (hl_file_watch_get_said (self->watch));
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_cmpint (hl_file_watch_get_state (self->watch), ==, HL_FILE_GONE);
  g_assert_null (hl_file_watch_get_said (self->watch));
}

static void
test_checkpoint (Stage        *self,
                 gconstpointer data)
{
  g_autoptr (GFile) first = place (self, "checkpoints/gpt2", "run/checkpoint-10");
  g_autoptr (GFile) run = g_file_get_child (self->root, "run");

  watch (self, run);
  g_autoptr (GFile) second = place (self, "checkpoints/gpt2", "run/checkpoint-20");
  wait_changed (self);
}

static void
test_parts (Stage        *self,
            gconstpointer data)
{
  g_autoptr (GFile) folder = place (self, "../gguf/models/llama-split", "split");
  g_autoptr (GFile) first = g_file_get_child (folder, "model-00001-of-00003.gguf");
  g_autoptr (GFile) third = g_file_get_child (folder, "model-00003-of-00003.gguf");
  g_autoptr (GError) error = NULL;

  watch (self, first);
  write_text (folder, "model-00003-of-00004.gguf", "of another");
  write_text (folder, "model-00003-of-00003.gguf", "another");
  wait_changed (self);
  g_file_delete (third, NULL, &error);
  g_assert_no_error (error);
  wait_changed (self);
}

/* Whichever is opened, the stamp is of all, and of nothing beside them. */
static void
test_parts_stamp (Stage        *self,
                  gconstpointer data)
{
  g_autoptr (GFile) folder = place (self, "../gguf/models/llama-split", "split");
  g_autoptr (GFile) first = g_file_get_child (folder, "model-00001-of-00003.gguf");
  g_autoptr (GFile) second = g_file_get_child (folder, "model-00002-of-00003.gguf");
  g_autofree char *before = hl_file_stamp_take (first, NULL, NULL);
  g_autofree char *of_second = hl_file_stamp_take (second, NULL, NULL);

  g_assert_cmpstr (before, ==, of_second);
  write_text (folder, "model-00001-of-00004.gguf", "of another");
  write_text (folder, "other-00001-of-00003.gguf", "of another");
  write_text (folder, "model-1-of-3.gguf", "of none");
  g_autofree char *beside = hl_file_stamp_take (first, NULL, NULL);
  g_assert_cmpstr (beside, ==, before);
  write_text (folder, "model-00002-of-00003.gguf", "another");
  g_autofree char *after = hl_file_stamp_take (first, NULL, NULL);
  g_assert_cmpstr (after, !=, before);
}

/* Its index says which files are parts of it, whatever they are called. */
static void
test_index (Stage        *self,
            gconstpointer data)
{
  g_autoptr (GFile) folder = place (self, "checkpoints/bert-sharded", "model");
  g_autoptr (GFile) index = g_file_get_child (folder, "model.safetensors.index.json");
  g_autoptr (GFile) part = g_file_get_child (folder, "model-00004-of-00005.safetensors");
  g_autoptr (GFile) renamed = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_file_load_contents (index, NULL, &text, NULL, NULL, &error);
  g_assert_no_error (error);
  g_auto (GStrv) pieces = g_strsplit (text, "model-00004-of-00005.safetensors", -1);
  g_autofree char *other = g_strjoinv ("fourth.safetensors", pieces);
  write_text (folder, "model.safetensors.index.json", other);
  renamed = g_file_set_display_name (part, "fourth.safetensors", NULL, &error);
  g_assert_no_error (error);

  watch (self, folder);
  write_text (folder, "optimizer.safetensors", "no part of it");
  write_text (folder, "fourth.safetensors", "another");
  wait_changed (self);
}

/* Also where that is in a folder within. */
static void
test_index_within (Stage        *self,
                   gconstpointer data)
{
  g_autoptr (GFile) folder = place (self, "checkpoints/bert-sharded", "model");
  g_autoptr (GFile) parts = g_file_get_child (folder, "parts");

  g_assert_true (g_file_make_directory (parts, NULL, NULL));
  write_text (folder, "model.safetensors.index.json", "{\"weight_map\":{\"a\":\"parts/first.bin\"}}");
  write_text (parts, "first.bin", "one");
  write_text (parts, "other.bin", "no part of it");
  g_autofree char *before = hl_file_stamp_take (folder, NULL, NULL);
  write_text (parts, "other.bin", "still no part of it");
  g_autofree char *beside = hl_file_stamp_take (folder, NULL, NULL);
  g_assert_cmpstr (beside, ==, before);
  write_text (parts, "first.bin", "another");
  g_autofree char *after = hl_file_stamp_take (folder, NULL, NULL);
  g_assert_cmpstr (after, !=, before);
}

static void
test_base (Stage        *self,
           gconstpointer data)
{
  g_autoptr (GFile) base = place (self, "checkpoints/llama", "checkpoints/llama");
  g_autoptr (GFile) adapter = place (self, "folders/lora", "folders/lora");

  watch (self, adapter);
  write_text (base, "model.safetensors", "another");
  wait_changed (self);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/file-watch/module", Stage, NULL, set_up, test_module, tear_down);
  g_test_add ("/file-watch/change-then-gone", Stage, NULL, set_up, test_change_then_gone, tear_down);
  g_test_add ("/file-watch/checkpoint", Stage, NULL, set_up, test_checkpoint, tear_down);
  g_test_add ("/file-watch/parts", Stage, NULL, set_up, test_parts, tear_down);
  g_test_add ("/file-watch/parts-stamp", Stage, NULL, set_up, test_parts_stamp, tear_down);
  g_test_add ("/file-watch/index", Stage, NULL, set_up, test_index, tear_down);
  g_test_add ("/file-watch/index-within", Stage, NULL, set_up, test_index_within, tear_down);
  g_test_add ("/file-watch/base", Stage, NULL, set_up, test_base, tear_down);

  return g_test_run ();
}
