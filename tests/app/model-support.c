/* SPDX-License-Identifier: MIT */
/* A tiny checkpoint, copied beside a tokenizer whose words are w0, w1 … w99. The checkpoints know tokens up to 59. */
#include "model-support.h"

#include <glib/gstdio.h>

#define N_WORDS 100

static const char *const names[] = { "config.json", "model.safetensors" };
static const char *const adapter_names[] = { "adapter_config.json", "adapter_model.safetensors" };

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

/**
 * adapter_write:
 * @folder: a path
 * @base: a model in the same folder as that
 *
 * Writes the files of an adapter that changes the model.
 */
void
adapter_write (const char *folder,
               GFile      *base)
{
  g_autofree char *base_name = g_file_get_basename (base);

  for (guint i = 0; i < G_N_ELEMENTS (adapter_names); i++)
    {
      g_autofree char *source =
        g_test_build_filename (G_TEST_DIST, "..", "model", "folders", "lora", adapter_names[i], NULL);
      g_autofree char *target = g_build_filename (folder, adapter_names[i], NULL);
      g_autofree char *bytes = NULL;
      gsize size;
      g_assert_true (g_file_get_contents (source, &bytes, &size, NULL));
      g_autoptr (GString) content = g_string_new_len (bytes, (gssize) size);
      if (i == 0)
        g_assert_cmpuint (g_string_replace (content, "../checkpoints/llama", base_name, 0), ==, 1);
      g_assert_true (g_file_set_contents (target, content->str, (gssize) content->len, NULL));
    }
}

/**
 * adapter_folder_new:
 * @base: what model_folder_new() made of "llama"
 *
 * Returns: (transfer full): an adapter that changes it
 */
GFile *
adapter_folder_new (GFile *base)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("headlight-adapter-XXXXXX", &error);

  g_assert_no_error (error);
  adapter_write (folder, base);
  return g_file_new_for_path (folder);
}

/**
 * adapter_remove:
 * @folder: where adapter_write() wrote
 *
 * Removes its files, and nothing else.
 */
void
adapter_remove (GFile *folder)
{
  for (guint i = 0; i < G_N_ELEMENTS (adapter_names); i++)
    {
      g_autoptr (GFile) file = g_file_get_child (folder, adapter_names[i]);
      g_assert_true (g_file_delete (file, NULL, NULL));
    }
}

/**
 * adapter_folder_remove:
 * @folder: (transfer full): what adapter_folder_new() made
 */
void
adapter_folder_remove (GFile *folder)
{
  adapter_remove (folder);
  g_assert_true (g_file_delete (folder, NULL, NULL));
  g_object_unref (folder);
}
