/* SPDX-License-Identifier: MIT */
/* A tiny checkpoint, copied beside a tokenizer whose words are w0, w1 … w99. The checkpoints know tokens up to 59. */
#include "model-support.h"

#include <glib/gstdio.h>

#define N_WORDS 100

static const char *const names[] = { "config.json", "model.safetensors" };

static void
write_tokenizer (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "tokenizer.json", NULL);
  g_autoptr (GString)
    text = g_string_new ("{\"version\": \"1.0\", \"truncation\": null, \"padding\": null, \"added_tokens\": [], "
                         "\"normalizer\": null, \"pre_tokenizer\": {\"type\": \"WhitespaceSplit\"}, "
                         "\"post_processor\": null, \"decoder\": null, "
                         "\"model\": {\"type\": \"WordLevel\", \"unk_token\": \"w0\", \"vocab\": {");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < N_WORDS; i++)
    g_string_append_printf (text, "%s\"w%u\": %u", i > 0 ? ", " : "", i, i);
  g_string_append (text, "}}}");
  g_file_set_contents (path, text->str, (gssize) text->len, &error);
  g_assert_no_error (error);
}

/**
 * model_folder_new:
 * @checkpoint: a folder of tests/model/checkpoints
 *
 * Returns: (transfer full): a copy of it with a tokenizer
 */
GFile *
model_folder_new (const char *checkpoint)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-model-XXXXXX", &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path =
        g_test_build_filename (G_TEST_DIST, "..", "model", "checkpoints", checkpoint, names[i], NULL);
      g_autoptr (GFile) source = g_file_new_for_path (path);
      g_autoptr (GFile) target = g_file_new_build_filename (folder, names[i], NULL);
      g_file_copy (source, target, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);
      g_assert_no_error (error);
    }
  write_tokenizer (folder);
  return g_file_new_for_path (folder);
}

/**
 * model_folder_remove:
 * @folder: (transfer full): what model_folder_new() made
 */
void
model_folder_remove (GFile *folder)
{
  const char *path = g_file_peek_path (folder);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *file = g_build_filename (path, names[i], NULL);
      g_remove (file);
    }
  g_autofree char *tokenizer = g_build_filename (path, "tokenizer.json", NULL);
  g_remove (tokenizer);
  g_assert_cmpint (g_rmdir (path), ==, 0);
  g_object_unref (folder);
}
