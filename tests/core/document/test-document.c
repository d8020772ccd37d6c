/* SPDX-License-Identifier: MIT */
/* Documents from files: every small dump of tests/fixtures against what NumPy reads in it. */
#include "test-attentions.h"
#include "test-dumps.h"
#include "test-expected.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "core/archive/format/hl-format.h"
#include "core/base/hl-error.h"
#include "core/base/hl-limits.h"
#include "core/document/hl-expansion.h"
#include "core/source/hl-attention-source.h"
#include "core/source/make/hl-source-factory.h"

static JsonObject *expected;

static void
test_fixture (gconstpointer data)
{
  test_check_expected (expected, "fixtures", data);
}

/* An attention keeps what it needs alive when the document is gone. */
static void
test_outlives_document (void)
{
  g_autoptr (GFile) file = test_get_file ("fixtures", "f16-gzip.h5");
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_load (file, NULL, NULL, &error);
  HlExample *example = hl_document_get_example (document, 0, NULL, &error);

  g_assert_finalize_object (document);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (hl_example_get_attention (example, 0));
  g_assert_finalize_object (example);
  g_autofree float *map = hl_attention_source_read_head (source, 2, 3, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (map);
}

/* The same object while it is kept, and a new one after others have been asked for. */
static void
test_kept_examples (void)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "many.json", NULL);
  g_autoptr (GString) text = g_string_new ("{\"examples\": {");
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 12; i++)
    g_string_append_printf (text, "%s\"%u\": {\"attention\": [[[[%g]]]], \"tokens\": [\"t%u\"]}", i > 0 ? "," : "", i,
                            i / 16.0, i);
  g_string_append (text, "}}");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_document_get_n_examples (document), ==, 12);

  HlExample *first = hl_document_get_example (document, 0, NULL, &error);
  HlExample *again = hl_document_get_example (document, 0, NULL, &error);
  g_assert_true (first == again);
  g_object_unref (again);
  g_object_unref (first);

  HlExample *fifth = hl_document_get_example (document, 5, NULL, &error);
  again = hl_document_get_example (document, 5, NULL, &error);
  g_assert_true (fifth == again);
  g_object_unref (again);
  for (guint i = 6; i < 12; i++)
    {
      g_autoptr (HlExample) other = hl_document_get_example (document, i, NULL, &error);
      g_autofree char *name = g_strdup_printf ("%u", i);
      g_assert_cmpstr (hl_example_get_name (other), ==, name);
    }
  /* No longer kept by the document, so this reference was the last one. */
  g_assert_finalize_object (fifth);
  test_remove_folder (folder);
}

static void
take_document (GObject      *source,
               GAsyncResult *result,
               gpointer      data)
{
  HlDocument **document = data;
  g_autoptr (GError) error = NULL;

  *document = hl_document_load_finish (result, &error);
  g_assert_no_error (error);
  g_main_context_wakeup (NULL);
}

static void
take_cancelled (GObject      *source,
                GAsyncResult *result,
                gpointer      data)
{
  gboolean *done = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load_finish (result, &error);

  g_assert_null (document);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  *done = TRUE;
}

static void
test_async (void)
{
  g_autoptr (GFile) file = test_get_file ("fixtures", "examples.h5");
  g_autoptr (HlProgress) progress = hl_progress_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  HlDocument *document = NULL;
  gboolean cancelled = FALSE;

  hl_document_load_async (file, NULL, progress, NULL, take_document, &document);
  while (document == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpfloat (hl_progress_get_fraction (progress), ==, 1);
  g_assert_cmpuint (hl_document_get_n_examples (document), ==, 3);
  g_assert_finalize_object (document);

  g_cancellable_cancel (cancellable);
  hl_document_load_async (file, NULL, NULL, cancellable, take_cancelled, &cancelled);
  while (!cancelled)
    g_main_context_iteration (NULL, TRUE);
}

static float *
read_stored (HlArchive  *archive,
             const char *name,
             HlShape    *shape)
{
  const guint64 start[HL_LIMIT_RANK] = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HlTensor) tensor = hl_archive_open_tensor (archive, name, &error);
  guint64 n;

  g_assert_no_error (error);
  *shape = *hl_tensor_get_shape (tensor);
  g_assert_true (hl_shape_get_n_elements (shape, &n));
  float *numbers = g_new (float, n);
  g_assert_true (hl_tensor_read_f32 (tensor, start, shape->dims, numbers, NULL, &error));
  return numbers;
}

static HlDocument *
load_text (const char *folder,
           const char *text)
{
  g_autofree char *path = g_build_filename (folder, "text.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  HlDocument *document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  return document;
}

/* What is added by distance may be there once for all items of a batch. */
static void
test_one_for_batch (void)
{
  static const char *const texts[] = {
    "{\"queries\": [[[[[1], [1]]], [[[1], [1]]]]], \"keys\": [[[[[1], [2]]], [[[1], [2]]]]],"
    " \"bias\": [[[[0, 0, 3]]]]}",
    "{\"queries\": [[[[[1], [1]]], [[[1], [1]]]]], \"keys\": [[[[[1], [2]]], [[[1], [2]]]]],"
    " \"distance_keys\": [[[[[0], [0], [3]]]]], \"distance_rows\": [0, 1, 2]}",
  };

  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (HlDocument) document = load_text (folder, texts[i]);
      g_assert_cmpuint (hl_document_get_n_examples (document), ==, 2);

      for (guint item = 0; item < 2; item++)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (HlExample) example = hl_document_get_example (document, item, NULL, &error);
          g_assert_no_error (error);
          g_autoptr (HlAttentionSource) source = hl_attention_make_source (hl_example_get_attention (example, 0));
          g_autofree float *map = hl_attention_source_read_head (source, 0, 0, NULL, &error);
          g_assert_no_error (error);
          g_assert_cmpfloat_with_epsilon (map[1], 1 / (1 + exp (-4)), 1e-5);
          g_assert_cmpfloat_with_epsilon (map[3], 1 / (1 + exp (-1)), 1e-5);
        }
    }
}

/* Values that heads cannot share evenly are nobody's. */
static void
test_uneven_values (void)
{
  static const char *const values[] = { "[[1], [2]]", "[[1], [2]], [[3], [4]]", "[[1], [2]], [[3], [4]], [[5], [6]]" };

  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *text = g_strdup_printf ("{\"queries\": [[[[1], [1]], [[1], [1]], [[1], [1]], [[1], [1]]]], "
                                               "\"keys\": [[[[1], [1]]]], \"values\": [[%s]]}",
                                               values[i]);
      g_autoptr (HlDocument) document = load_text (folder, text);
      g_autoptr (GError) error = NULL;
      g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
      g_assert_no_error (error);
      GPtrArray *checks = hl_example_get_checks (example);
      const gboolean is_even = 4 % (i + 1) == 0;
      guint n_said = 0;

      for (guint j = 0; j < checks->len; j++)
        n_said += strstr (hl_check_get_message (g_ptr_array_index (checks, j)), "cannot share 3 heads") != NULL;
      g_assert_cmpuint (n_said, ==, is_even ? 0 : 1);
      g_assert_cmpint (hl_attention_get_values (hl_example_get_attention (example, 0), 0) != NULL, ==, is_even);
    }
}

/* Of layers without attention there is nothing to make in place of their inputs. */
static void
test_missing_inputs (void)
{
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autoptr (HlDocument)
    document = load_text (folder, "{\"layers\": 3, \"attention\": {\"0\": [[[0.5]]], \"2\": [[[0.5]]]},"
                                  " \"inputs\": {\"0\": [[0.5]], \"2\": [[0.5]]}}");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  g_assert_no_error (error);
  GPtrArray *checks = hl_example_get_checks (example);
  guint n_said = 0;

  for (guint i = 0; i < checks->len; i++)
    n_said += strstr (hl_check_get_message (g_ptr_array_index (checks, i)), "layers are missing") != NULL;
  g_assert_cmpuint (n_said, ==, 1);
  g_assert_cmpuint (hl_attention_get_n_layers (hl_example_get_attention (example, 0)), ==, 3);
  g_assert_null (hl_attention_get_inputs (hl_example_get_attention (example, 0), 0));
}

/* Values of projected positions are F·V; a part of them is that part of the whole. */
static void
test_projected_values (void)
{
  g_autoptr (GFile) file = test_get_file ("fixtures", "linformer-layers.h5");
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_autoptr (HlArchive) archive = hl_archive_open (file, NULL, NULL, &error);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  HlAttention *attention = hl_example_get_attention (example, 0);
  HlShape value_shape, shape;
  g_autofree float *values = read_stored (archive, "values", &value_shape);
  g_autofree float *projections = read_stored (archive, "value_projections", &shape);
  const gsize n_heads = value_shape.dims[1], n = value_shape.dims[2], width = value_shape.dims[3], k = shape.dims[1];

  g_assert_cmpuint (hl_attention_get_n_layers (attention), ==, value_shape.dims[0]);
  for (guint layer = 0; layer < value_shape.dims[0]; layer++)
    for (gsize head = 0; head < n_heads; head++)
      {
        const HlLayerTensor *found = hl_attention_get_values (attention, layer);
        const float *of_head = values + (layer * n_heads + head) * n * width;
        float part[2 * 3];

        g_assert_cmpuint (hl_layer_tensor_get_n_rows (found), ==, k);
        g_assert_true (hl_layer_tensor_read (found, head, 1, 2, 4, 3, part, NULL, &error));
        for (gsize row = 0; row < 2; row++)
          for (gsize column = 0; column < 3; column++)
            {
              double sum = 0;
              for (gsize i = 0; i < n; i++)
                sum += (double) projections[(layer * k + 1 + row) * n + i] * of_head[i * width + 4 + column];
              g_assert_cmpfloat_with_epsilon (part[row * 3 + column], sum, 1e-6);
            }
      }
}

/* Of what announces far more than it holds, as many heads are read without a question as are soon read. */
static void
test_expansion (void)
{
  g_autoptr (HlExample) small = test_make_hollow_example (8, 4096);
  g_autoptr (HlExample) large = test_make_hollow_example (9, 4096);
  HlAttention *attention = hl_example_get_attention (large, 0);
  const HlOpenOptions allowed = { .expansion = HL_EXPANSION_ALLOWED };
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_expansion_refuse (small, NULL, &error));
  g_assert_true (hl_expansion_refuse_maps (small, hl_example_get_attention (small, 0), G_MAXUINT64, NULL, &error));

  g_assert_true (hl_expansion_ask (small, &error));
  g_assert_true (hl_expansion_ask_maps (small, hl_example_get_attention (small, 0), G_MAXUINT64, &error));

  g_assert_true (hl_expansion_refuse_maps (large, attention, 0, NULL, &error));
  g_assert_true (hl_expansion_refuse_maps (large, attention, 16, NULL, &error));
  g_assert_true (hl_expansion_refuse_maps (large, attention, 18, &allowed, &error));
  g_assert_no_error (error);
  g_assert_false (hl_expansion_refuse_maps (large, attention, 17, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "--allow-expansion"));
  g_clear_error (&error);

  /* Whoever can be asked is told how much it is, and of no option. */
  g_assert_true (hl_expansion_ask_maps (large, attention, 16, &error));
  g_assert_no_error (error);
  g_assert_false (hl_expansion_ask_maps (large, attention, 32, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_cmpstr (error->message, ==, "this would read 2.0\302\240GiB of numbers, of which the file holds 4 bytes");
  g_clear_error (&error);
  g_assert_false (hl_expansion_ask (large, &error));
  g_assert_cmpstr (error->message, ==, "this would read 1.1\302\240GiB of numbers, of which the file holds 4 bytes");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_autoptr (GFile) file = test_get_file ("fixtures", "expected.json");
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) error = NULL;
  json_parser_load_from_file (parser, g_file_peek_path (file), &error);
  g_assert_no_error (error);
  expected = json_node_get_object (json_parser_get_root (parser));

  g_autoptr (GList) names = json_object_get_members (expected);
  for (GList *i = names; i != NULL; i = i->next)
    {
      g_autofree char *path = g_strconcat ("/document/fixtures/", i->data, NULL);
      g_test_add_data_func (path, i->data, test_fixture);
    }
  g_test_add_func ("/document/outlives", test_outlives_document);
  g_test_add_func ("/document/kept-examples", test_kept_examples);
  g_test_add_func ("/document/async", test_async);
  g_test_add_func ("/document/one-for-batch", test_one_for_batch);
  g_test_add_func ("/document/uneven-values", test_uneven_values);
  g_test_add_func ("/document/missing-inputs", test_missing_inputs);
  g_test_add_func ("/document/projected-values", test_projected_values);
  g_test_add_func ("/document/expansion", test_expansion);
  return g_test_run ();
}
