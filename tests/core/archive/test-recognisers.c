/* SPDX-License-Identifier: MIT */
/* All that tells what a file is by its first bytes, or opens one, with files that end too early: an empty one, one byte, … as far as any
 * looks. What is asked answers or refuses in a sentence; the sanitizers see whether it looked further. */
#include <gio/gio.h>
#include <string.h>

#include "core/analysis/corpus/hl-conllu.h"
#include "core/analysis/corpus/hl-text-list.h"
#include "core/archive/format/hl-format.h"
#include "core/archive/gguf/hl-gguf-archive.h"
#include "core/document/hl-document.h"
#include "core/model/adapter/hl-adapter.h"
#include "core/model/hl-model.h"
#include "core/model/vision/hl-pixels.h"
#include "core/tokenizer/hl-token-file.h"
#include "core/tokenizer/pieces/hl-piece-file.h"

/* Bytes: the longest beginning that a recogniser asks for is below. */
#define LONGEST 72

/* One of each kind, below tests/. */
static const char *const files[] = {
  "fixtures/batch-one.h5",
  "fixtures/batch-one.json",
  "fixtures/byte-order-mark.json",
  "fixtures/foreign/batch.pt",
  "fixtures/foreign/legacy-tuple.pt",
  "fixtures/foreign/layers.npy",
  "fixtures/foreign/version-3.npy",
  "fixtures/foreign/stored.npz",
  "fixtures/foreign/deflated.npz",
  "fixtures/foreign/layers.safetensors",
  "fixtures/pages/bertviz-head-pair.html",
  "fixtures/session.headlight",
  "fixtures/foreign/protocol-0.pkl",
  "fixtures/foreign/protocol-5.pkl",
  "../data/samples/minilm-l6-v2.gguf",
  "../data/samples/sentences.conllu",
  "model/checkpoints/bert/config.json",
  "model/checkpoints/bert/model.safetensors",
};

static const char *const suffixes[] = { "h5",          "json", "npy",  "npz",   "pt",  "pkl",
                                        "safetensors", "gguf", "html", "ipynb", "txt", "model" };

static void
assert_sentence (const GError *error,
                 const char   *asked)
{
  if (error == NULL || error->message == NULL || *error->message == '\0' || strchr (error->message, '\n') != NULL)
    g_error ("%s says “%s”", asked, error != NULL ? error->message : "nothing");
}

#define ASK(call, free)                                                                                                \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_autoptr (GError) error_ = NULL;                                                                                  \
    gpointer answer_ = call;                                                                                           \
                                                                                                                       \
    if (answer_ != NULL)                                                                                               \
      free (answer_);                                                                                                  \
    else                                                                                                               \
      assert_sentence (error_, #call);                                                                                 \
  }                                                                                                                    \
  G_STMT_END

static void
ask_all (const guint8 *bytes,
         gsize         size,
         GFile        *folder,
         const char   *suffix)
{
  g_autofree char *name = g_strconcat ("file.", suffix, NULL);
  g_autoptr (GFile) file = g_file_get_child (folder, name);
  g_autoptr (GError) error = NULL;
  guint n_formats;
  const HlFormat *formats = hl_format_get_all (&n_formats);

  g_file_replace_contents (file, (const char *) bytes, size, NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < n_formats; i++)
    {
      /* In memory of its own, so that the sanitizers know where it ends. */
      g_autofree guint8 *head = g_memdup2 (bytes, size);

      if (formats[i].recognise (file, head, size))
        ASK (formats[i].open (file, NULL, NULL, &error_), g_object_unref);
    }
  ASK (hl_archive_open (file, NULL, NULL, &error_), g_object_unref);
  ASK (hl_document_load (file, NULL, NULL, &error_), g_object_unref);
  ASK (hl_token_file_load (file, NULL, &error_), g_strfreev);
  ASK (hl_piece_file_load (file, &error_), hl_piece_file_free);
  ASK (hl_pixels_load (file, &error_), hl_pixels_unref);
  ASK (hl_text_list_load (file, NULL, &error_), hl_text_list_unref);
  ASK (hl_conllu_load (file, NULL, &error_), hl_conllu_unref);
  if (hl_model_is_model (file) || hl_gguf_archive_is_such (file) || hl_adapter_is_such (file))
    ASK (hl_model_load (file, &error_), g_object_unref);
  g_file_delete (file, NULL, &error);
  g_assert_no_error (error);
}

static void
test_beginnings (gconstpointer data)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", data, NULL);
  g_autofree char *name = g_dir_make_tmp ("headlight-XXXXXX", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (name);
  g_autoptr (GError) error = NULL;
  g_autofree char *contents = NULL;
  gsize size;
  const char *suffix = strrchr (path, '.') + 1;

  g_file_get_contents (path, &contents, &size, &error);
  g_assert_no_error (error);
  for (gsize n = 0; n <= MIN (size, LONGEST); n++)
    ask_all ((const guint8 *) contents, n, folder, suffix);
  g_file_delete (folder, NULL, &error);
  g_assert_no_error (error);
}

/* Nothing, and a little of nothing in particular, by every name. */
static void
test_names (void)
{
  static const char *const contents[] = { "",  "\n",   " ",  "\xef\xbb\xbf", "{",       "[",
                                          "<", "\x80", "PK", "GGUF",         "\x89HDF", "\x93NUMPY" };
  g_autofree char *name = g_dir_make_tmp ("headlight-XXXXXX", NULL);
  g_autoptr (GFile) folder = g_file_new_for_path (name);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    for (guint k = 0; k < G_N_ELEMENTS (contents); k++)
      ask_all ((const guint8 *) contents[k], strlen (contents[k]), folder, suffixes[i]);
  g_file_delete (folder, NULL, &error);
  g_assert_no_error (error);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_strconcat ("/recognisers/", strrchr (files[i], '/') + 1, NULL);

      g_test_add_data_func (path, files[i], test_beginnings);
    }
  g_test_add_func ("/recognisers/names", test_names);
  return g_test_run ();
}
