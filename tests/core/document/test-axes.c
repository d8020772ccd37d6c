/* SPDX-License-Identifier: MIT */
/* How a file of attention can be read: which datasets it has, what their axes were taken for, and the same file read
 * otherwise. */
#include "test-dumps.h"

#include <hdf5.h>
#include <string.h>

#include "core/analysis/hl-examine.h"
#include "core/base/hl-error.h"
#include "core/document/guess/hl-dataset.h"
#include "core/source/hl-attention-source.h"
#include "core/source/make/hl-source-factory.h"

static HlDocument *
load (const char          *folder,
      const char          *name,
      const HlOpenOptions *options)
{
  g_autoptr (GFile) file = test_get_file (folder, name);
  g_autoptr (GError) error = NULL;
  HlDocument *document = hl_document_load_with (file, options, NULL, NULL, &error);

  g_assert_no_error (error);
  return document;
}

static HlDocument *
read_again (HlDocument *document,
            const char *dataset,
            const char *axes)
{
  g_autoptr (GError) error = NULL;
  HlOpenOptions options = { .dataset = (char *) dataset };

  g_assert_true (hl_layout_axes_parse (&options.axes, axes, &error));
  HlDocument *again = hl_document_new_for_archive (hl_document_get_file (document), hl_document_get_archive (document),
                                                   &options, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (hl_document_get_options (again)->axes.letters, ==, options.axes.letters);
  g_assert_cmpstr (hl_document_get_options (again)->dataset, ==, dataset);
  return again;
}

/* A map of the first attention of an example. */
static float *
read_map (HlDocument *document,
          guint       example_index,
          guint       layer,
          guint       head,
          gsize      *n_queries,
          gsize      *n_keys)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlExample) example = hl_document_get_example (document, example_index, NULL, &error);
  HlAttention *attention = hl_example_get_attention (example, 0);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  float *map = hl_attention_source_read_head (source, layer, head, NULL, &error);

  g_assert_no_error (error);
  *n_queries = hl_attention_get_n (attention, HL_QUERIES);
  *n_keys = hl_attention_get_n (attention, HL_KEYS);
  return map;
}

static guint
count_topic (GPtrArray   *checks,
             HlCheckTopic topic)
{
  guint n = 0;

  for (guint i = 0; i < checks->len; i++)
    n += hl_check_get_topic (checks->pdata[i]) == topic;
  return n;
}

static void
test_guess (void)
{
  static const struct
  {
    const char *folder;
    const char *name;
    const char *letters;
    gboolean guessed;
  } cases[] = {
    { "fixtures/foreign", "layers.npy", "lhqk", TRUE },
    { "fixtures/foreign", "heads.pth", "hqk", TRUE },
    { "fixtures/foreign", "map.pt", "qk", FALSE },
    { "fixtures/foreign", "tuple.pt", "bhqk", FALSE },
    { "fixtures/foreign", "batch-first.pt", "blhqk", FALSE },
    { "fixtures/foreign", "raw-scores.pt", "lhqk", TRUE },
    { "fixtures/several", "dense.pt", "slbhqk", TRUE },
    { "fixtures/several", "padded.npz", "slbhqk", TRUE },
    { "fixtures/several", "batches.npy", "blbhqk", TRUE },
    { "fixtures/several", "batches.pt", "lbhqk", TRUE },
    { "fixtures", "f32-contiguous.h5", "lhqk", FALSE },
    { "fixtures", "batch-three.h5", "lbhqk", FALSE },
    { "fixtures", "group-twelve-layers.h5", "hqk", FALSE },
    { "fixtures", "qk-plain.h5", "", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlDocument) document = load (cases[i].folder, cases[i].name, NULL);
      g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
      HlLayoutAxes axes;

      g_test_message ("%s", cases[i].name);
      g_assert_true (hl_document_get_axes (document, 0, &axes) == cases[i].guessed);
      g_assert_cmpstr (axes.letters, ==, cases[i].letters);
      g_assert_cmpuint (count_topic (hl_example_get_checks (example), HL_CHECK_TOPIC_AXES), ==, cases[i].guessed);
      g_assert_null (hl_document_get_options (document));
      g_assert_nonnull (hl_document_get_archive (document));
    }
}

/* Somebody who chose knows. */
static void
test_chosen (void)
{
  g_autoptr (HlDocument) document = load ("fixtures/foreign", "layers.npy", NULL);
  g_autoptr (HlDocument) swapped = read_again (document, NULL, "head,layer,key,query");
  g_autoptr (HlExample) example = hl_document_get_example (swapped, 0, NULL, NULL);
  HlLayoutAxes axes;

  g_assert_false (hl_document_get_axes (swapped, 0, &axes));
  g_assert_cmpstr (axes.letters, ==, "hlkq");
  g_assert_cmpuint (count_topic (hl_example_get_checks (example), HL_CHECK_TOPIC_AXES), ==, 0);
  for (guint layer = 0; layer < 3; layer++)
    for (guint head = 0; head < 2; head++)
      {
        gsize n_queries, n_keys;
        g_autofree float *before = read_map (document, 0, layer, head, &n_queries, &n_keys);
        g_autofree float *after = read_map (swapped, 0, head, layer, &n_queries, &n_keys);
        for (gsize query = 0; query < n_queries; query++)
          for (gsize key = 0; key < n_keys; key++)
            g_assert_cmpfloat (after[query * n_keys + key], ==, before[key * n_queries + query]);
      }
}

/* One index of an axis, beside others and alone, in files that are mapped and of HDF5. */
static void
test_index (void)
{
  static const char *const files[][2] = { { "fixtures/foreign", "layers.npy" }, { "fixtures", "f16-gzip.h5" } };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (HlDocument) document = load (files[i][0], files[i][1], NULL);
      g_autoptr (HlDocument) second = read_again (document, NULL, "1,head,query,key");
      g_autoptr (HlDocument) one = read_again (document, NULL, "1, 0, key, query");
      gsize n_queries, n_keys;
      g_autofree float *expected = read_map (document, 0, 1, 0, &n_queries, &n_keys);
      g_autofree float *layer = read_map (second, 0, 0, 0, &n_queries, &n_keys);
      g_autofree float *swapped = read_map (one, 0, 0, 0, &n_keys, &n_queries);
      HlLayoutAxes axes;

      g_assert_cmpmem (layer, n_queries * n_keys * sizeof *layer, expected, n_queries * n_keys * sizeof *expected);
      for (gsize query = 0; query < n_queries; query++)
        for (gsize key = 0; key < n_keys; key++)
          g_assert_cmpfloat (swapped[key * n_queries + query], ==, expected[query * n_keys + key]);
      hl_document_get_axes (one, 0, &axes);
      g_assert_cmpstr (axes.letters, ==, "xxkq");
      g_assert_cmpuint (axes.indices[0], ==, 1);
    }
}

static void
test_index_that_is_not_there (void)
{
  g_autoptr (HlDocument) document = load ("fixtures/foreign", "layers.npy", NULL);
  g_autoptr (GError) error = NULL;
  HlOpenOptions options = { .axes = { "lxqk", { 0, 2 } } };

  g_assert_null (hl_document_new_for_archive (hl_document_get_file (document), hl_document_get_archive (document),
                                              &options, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_VALUE);
  test_assert_sentence (error);
  g_assert_nonnull (strstr (error->message, "no index 2 on axis 1"));
}

static void
test_text (void)
{
  static const char *const bad[] = { "",
                                     "query",
                                     "query,query,key",
                                     "query,key,-1",
                                     "query,key,99999999999999999999",
                                     "layer,1,2,3,4,5,6,query,key",
                                     "example,example,example,query,key",
                                     "example,step,example,query,key" };
  g_autoptr (GError) error = NULL;
  HlLayoutAxes axes;

  g_assert_true (hl_layout_axes_parse (&axes, " Layer, 12,head,KEY,query", &error));
  g_assert_cmpstr (axes.letters, ==, "lxhkq");
  g_assert_cmpuint (axes.indices[1], ==, 12);
  g_autofree char *text = hl_layout_axes_to_string (&axes);
  g_assert_cmpstr (text, ==, "layer,12,head,key,query");
  g_autofree char *meaning = hl_layout_axes_describe (&axes);
  g_assert_cmpstr (meaning, ==, "layer × [12] × head × key × query");
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (hl_layout_axes_parse (&axes, bad[i], &error));
      g_assert_nonnull (error);
      test_assert_sentence (error);
      g_clear_error (&error);
    }
}

static void
check_datasets (const char        *folder,
                const char        *name,
                const char *const *expected)
{
  g_autoptr (HlDocument) document = load (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) datasets = hl_dataset_list (hl_document_get_archive (document), NULL, &error);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_assert_no_error (error);
  for (guint i = 0; i < datasets->len; i++)
    {
      const HlDataset *dataset = datasets->pdata[i];
      g_autofree char *sizes = hl_dataset_describe (dataset);
      g_autofree char *text =
        g_strdup_printf ("%s: %s%s", dataset->path, sizes, dataset->in_series ? " (of a series)" : "");
      HlOpenOptions options = { .dataset = dataset->path };

      g_strv_builder_add (builder, text);
      /* What is listed can be chosen, if it has axes that attention could have. */
      g_autoptr (HlDocument)
        chosen = hl_document_new_for_archive (hl_document_get_file (document), hl_document_get_archive (document),
                                              &options, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_nonnull (chosen);
    }
  g_auto (GStrv) found = g_strv_builder_end (builder);
  g_autofree char *all = g_strjoinv ("\n", found);
  g_test_message ("%s", all);
  g_assert_cmpstrv (found, expected);
}

static void
test_datasets (void)
{
  static const char *const lens[] = { "blocks.#.attn.hook_attn_scores: 2 × (1 × 3 × 5 × 5), float32",
                                      "blocks.#.attn.hook_pattern: 2 × (1 × 3 × 5 × 5), float32",
                                      "blocks.0.attn.hook_attn_scores: 1 × 3 × 5 × 5, float32 (of a series)",
                                      "blocks.0.attn.hook_pattern: 1 × 3 × 5 × 5, float32 (of a series)",
                                      "blocks.1.attn.hook_attn_scores: 1 × 3 × 5 × 5, float32 (of a series)",
                                      "blocks.1.attn.hook_pattern: 1 × 3 × 5 × 5, float32 (of a series)",
                                      "hook_embed: 1 × 5 × 8, float32",
                                      NULL };
  static const char *const nested[] = { "outputs/logits: 1 × 5 × 9, float32",
                                        "outputs/attentions: 2 × (1 × 3 × 5 × 5), float32",
                                        "outputs/attentions/0: 1 × 3 × 5 × 5, float32 (of a series)",
                                        "outputs/attentions/1: 1 × 3 × 5 × 5, float32 (of a series)", NULL };
  static const char *const alone[] = { "array: 3 × 2 × 6 × 6, float32", NULL };

  check_datasets ("fixtures/foreign", "lens.pt", lens);
  check_datasets ("fixtures/foreign", "nested.pt", nested);
  check_datasets ("fixtures/foreign", "layers.npy", alone);
}

static void
test_own_dataset (void)
{
  static const char *const cases[][3] = { { "fixtures/foreign", "layers.npy", "array" },
                                          { "fixtures/foreign", "tuple.pt", "#" },
                                          { "fixtures/foreign", "nested.pt", "outputs/attentions" },
                                          { "fixtures/foreign", "lens.pt", "blocks.#.attn.hook_pattern" },
                                          { "fixtures/foreign", "batch.pt", "attentions" },
                                          { "fixtures/several", "dense.pt", "attentions" },
                                          { "fixtures/several", "lists.pt", NULL },
                                          { "fixtures", "attentions-alias.h5", "attentions" },
                                          { "fixtures", "group-twelve-layers.h5", "attention" },
                                          { "fixtures", "encoder-decoder.h5", NULL },
                                          { "fixtures", "examples.h5", NULL },
                                          { "fixtures", "qk-plain.h5", NULL } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlDocument) document = load (cases[i][0], cases[i][1], NULL);
      g_autoptr (GPtrArray) datasets = hl_dataset_list (hl_document_get_archive (document), NULL, NULL);
      g_autofree char *own = hl_document_get_dataset (document);
      const char *found = NULL;

      g_test_message ("%s: %s", cases[i][1], own);
      for (guint k = 0; own != NULL && k < datasets->len; k++)
        if (hl_dataset_is (datasets->pdata[k], own))
          found = ((HlDataset *) datasets->pdata[k])->path;
      g_assert_cmpstr (found, ==, cases[i][2]);
      g_assert_true ((own == NULL) == (found == NULL));
    }
}

/* The scores that TransformerLens keeps beside patterns: a series that is not the one that is found. */
static void
test_series (void)
{
  g_autoptr (HlDocument) document = load ("fixtures/foreign", "lens.pt", NULL);
  g_autoptr (HlDocument) series = read_again (document, "blocks.#.attn.hook_attn_scores", "example,head,query,key");
  g_autoptr (HlDocument) one = read_again (document, "blocks.1.attn.hook_attn_scores", "example,head,query,key");
  gsize n_queries, n_keys;
  g_autofree float *expected = read_map (one, 0, 0, 2, &n_queries, &n_keys);
  g_autofree float *found = read_map (series, 0, 1, 2, &n_queries, &n_keys);
  g_autofree float *pattern = read_map (document, 0, 1, 2, &n_queries, &n_keys);

  g_assert_cmpmem (found, n_queries * n_keys * sizeof *found, expected, n_queries * n_keys * sizeof *expected);
  for (gsize i = 0; i < n_queries * n_keys; i++)
    g_assert_cmpfloat_with_epsilon (found[i], pattern[i] * 9 - 1, 1e-5);
}

static HlDocument *
load_text (const char *folder,
           const char *text)
{
  g_autofree char *path = g_build_filename (folder, "a.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  HlDocument *document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  return document;
}

static gboolean
is_said (HlDocument *document,
         const char *part)
{
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
  GPtrArray *checks = hl_example_get_checks (example);
  gboolean found = FALSE;

  for (guint i = 0; i < checks->len; i++)
    {
      g_test_message ("%s", hl_check_get_message (checks->pdata[i]));
      found |= strstr (hl_check_get_message (checks->pdata[i]), part) != NULL;
    }
  return found;
}

/* Layers are counted from 0; which of the model they are is said where some are left out. */
static void
test_left_out (void)
{
#define MAP "[[[0.5, 0.5], [0.5, 0.5]]]"
#define NEXT "[[[0.5, 0.25, 0.25]]]"
#define FLAT "[[0.5, 0.5], [0.5, 0.5]]"
  static const struct
  {
    const char *text;
    const char *said;
  } cases[] = {
    { "{\"layer_0\": " MAP ", \"layer_1\": " MAP "}", NULL },
    { "{\"layer_1\": " MAP ", \"layer_2\": " MAP "}", NULL },
    { "{\"layer_11\": " MAP ", \"layer_0\": " MAP ", \"layer_2\": " MAP "}", "counted from 0 here: 0, 2, 11" },
    { "{\"layer_7\": " MAP "}", "counted from 0 here: 7" },
    { "{\"attention-2024\": " MAP "}", NULL },
    { "[{\"4\": " MAP ", \"6\": " MAP "}, {\"4\": " NEXT ", \"6\": " NEXT "}]", "counted from 0 here: 4, 6" },
    { "{\"step_0_layer_3\": " MAP ", \"step_0_layer_9\": " MAP ", \"step_1_layer_3\": " NEXT
      ", \"step_1_layer_9\": " NEXT "}",
      "counted from 0 here: 3, 9" },
    { "{\"layer_3_step_0\": " MAP ", \"layer_3_step_1\": " NEXT ", \"layer_9_step_0\": " MAP
      ", \"layer_9_step_1\": " NEXT "}",
      "counted from 0 here: 3, 9" },
    { "{\"head_0\": " FLAT ", \"head_1\": " FLAT "}", NULL },
    { "{\"head_2\": " FLAT ", \"head_5\": " FLAT "}",
      "only these heads of a layer, which are counted from 0 here: 2, 5" },
    { "{\"layer_3_head_0\": " FLAT ", \"layer_3_head_1\": " FLAT ", \"layer_7_head_0\": " FLAT
      ", \"layer_7_head_1\": " FLAT "}",
      "only these layers of the model, which are counted from 0 here: 3, 7" },
  };
  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].text);
      g_autoptr (HlDocument) document = load_text (folder, cases[i].text);
      const char *expected = cases[i].said != NULL ? cases[i].said : "counted from 0";
      g_assert_true (is_said (document, expected) == (cases[i].said != NULL));
    }
#undef MAP
#undef NEXT
#undef FLAT
}

static void
add_numbers (GString     *text,
             const guint *sizes)
{
  if (sizes[0] == 0)
    {
      g_string_append (text, "0.5");
      return;
    }
  for (guint i = 0; i < sizes[0]; i++)
    {
      g_string_append (text, i > 0 ? ", " : "[");
      add_numbers (text, sizes + 1);
    }
  g_string_append (text, "]");
}

/* A tensor, or members of that name with one each, beside lists of two tokens. */
static char *
make_text (const char  *name,
           guint        n_tensors,
           const guint *sizes,
           guint        n_lists)
{
  g_autoptr (GString) text = g_string_new ("{");

  for (guint i = 0; i < MAX (n_tensors, 1); i++)
    {
      g_string_append_printf (text, n_tensors > 0 ? "\"%s%u\": " : "\"%s\": ", name, i);
      add_numbers (text, sizes);
      g_string_append (text, ", ");
    }
  g_string_append (text, "\"tokens\": ");
  for (guint i = 0; i < n_lists; i++)
    g_string_append_printf (text, "%s[\"text%u\", \"end\"]", i > 0 ? ", " : "[", i);
  g_string_append (text, "]}");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* As many lists of tokens tell which axis is of examples; where none is, no text lends its tokens to another. */
static void
test_lists_of_tokens (void)
{
  static const struct
  {
    const char *name;
    guint n_tensors;
    guint sizes[6];
    guint n_lists;
    guint n_examples;
    guint n_layers;
    gboolean fits;
  } cases[] = {
    { "attentions", 0, { 3, 2, 1, 2, 2 }, 2, 2, 3, TRUE },  { "attentions", 0, { 3, 3, 1, 2, 2 }, 3, 3, 3, TRUE },
    { "attentions", 0, { 4, 3, 1, 2, 2 }, 4, 4, 3, TRUE },  { "attentions", 0, { 2, 3, 1, 2, 2 }, 2, 2, 3, TRUE },
    { "attentions", 0, { 4, 3, 1, 2, 2 }, 5, 3, 4, FALSE }, { "maps", 0, { 3, 4, 2, 2 }, 3, 3, 1, TRUE },
    { "maps", 0, { 3, 4, 2, 2 }, 2, 1, 3, FALSE },          { "text", 3, { 2, 1, 2, 2 }, 3, 3, 2, TRUE },
    { "text", 3, { 2, 1, 2, 2 }, 2, 2, 3, TRUE },           { "layer", 3, { 2, 1, 2, 2 }, 3, 2, 3, FALSE },
  };
  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = make_text (cases[i].name, cases[i].n_tensors, cases[i].sizes, cases[i].n_lists);
      g_test_message ("%s", text);
      g_autoptr (HlDocument) document = load_text (folder, text);

      g_assert_true (is_said (document, "lists, and there are not as many examples") == !cases[i].fits);
      g_assert_cmpuint (hl_document_get_n_examples (document), ==, cases[i].n_examples);
      for (guint number = 0; number < cases[i].n_examples; number++)
        {
          g_autoptr (HlExample) example = hl_document_get_example (document, number, NULL, NULL);
          HlAttention *attention = hl_example_get_attention (example, 0);
          g_autofree char *expected = cases[i].fits ? g_strdup_printf ("text%u", number) : g_strdup ("0");

          g_assert_cmpuint (hl_attention_get_n_layers (attention), ==, cases[i].n_layers);
          g_assert_cmpstr (hl_attention_get_tokens (attention, HL_KEYS)[0], ==, expected);
        }
    }
}

/* Texts are told from layers by their names, or by what is beside them; where nothing tells them, that is said. */
static void
test_texts (void)
{
  static const struct
  {
    const char *name;
    guint n_tensors;
    guint sizes[6];
    const char *rest;
    guint n_examples;
    guint n_layers;
    gboolean is_open;
  } cases[] = {
    { "sent", 2, { 3, 1, 2, 2 }, "", 2, 3, FALSE },
    { "My Text ", 2, { 3, 1, 2, 2 }, "", 2, 3, FALSE },
    { "sample_", 2, { 2, 2 }, "", 2, 1, FALSE },
    { "text_encoder.", 2, { 3, 1, 2, 2 }, "", 3, 2, TRUE },
    { "", 2, { 3, 1, 2, 2 }, "", 3, 2, TRUE },
    { "", 2, { 1, 1, 2, 2 }, "", 1, 2, FALSE },
    { "attn_", 2, { 3, 1, 2, 2 }, ", \"tokens\": [[\"a\", \"b\"], [\"c\", \"d\"], [\"e\", \"f\"]]", 3, 2, FALSE },
    { "attn_", 2, { 2, 1, 2, 2 }, ", \"tokens\": [[\"a\", \"b\"], [\"c\", \"d\"]]", 2, 2, TRUE },
    { "attn_", 2, { 3, 1, 2, 2 }, ", \"logits\": [[0], [0], [0]]", 3, 2, FALSE },
    { "layer_", 2, { 3, 1, 2, 2 }, "", 3, 2, FALSE },
    { "attentions", 0, { 2, 3, 1, 2, 2 }, "", 3, 2, TRUE },
    { "attentions", 0, { 2, 3, 1, 2, 2 }, ", \"format\": \"headlight-attention\"", 3, 2, FALSE },
    { "attentions", 0, { 2, 3, 1, 2, 2 }, ", \"contacts\": [[[0, 0]], [[0, 0]]]", 2, 3, FALSE },
    { "attentions", 0, { 2, 3, 1, 2, 2 }, ", \"input_ids\": [[1, 2], [1, 2]]", 2, 3, FALSE },
    { "attentions", 0, { 2, 3, 1, 2, 2 }, ", \"attention_mask\": [[1, 1], [1, 1], [1, 0]]", 3, 2, FALSE },
    { "attentions", 0, { 2, 3, 1, 2, 2 }, ", \"logits\": [[0], [0], [0], [0]]", 3, 2, TRUE },
    { "attentions", 0, { 3, 3, 1, 2, 2 }, ", \"logits\": [[0], [0], [0]]", 3, 3, TRUE },
  };
  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new ("{");

      for (guint k = 0; k < MAX (cases[i].n_tensors, 1); k++)
        {
          g_string_append_printf (text, cases[i].n_tensors > 0 ? "%s\"%s%u\": " : "%s\"%s\": ", k > 0 ? ", " : "",
                                  cases[i].name, k);
          add_numbers (text, cases[i].sizes);
        }
      g_string_append_printf (text, "%s}", cases[i].rest);
      g_test_message ("%s", text->str);
      g_autoptr (HlDocument) document = load_text (folder, text->str);
      g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);

      g_assert_cmpuint (hl_document_get_n_examples (document), ==, cases[i].n_examples);
      g_assert_cmpuint (hl_attention_get_n_layers (hl_example_get_attention (example, 0)), ==, cases[i].n_layers);
      g_assert_true (is_said (document, "nothing in the file says so") == cases[i].is_open);
    }
}

/* Maps in groups, each of them of a number of its own in both rows. */
static char *
make_groups (const char *outer,
             guint       n_outer,
             const char *inner,
             guint       n_inner,
             const char *rest)
{
  g_autoptr (GString) text = g_string_new ("{");

  for (guint i = 0; i < n_outer; i++)
    {
      g_string_append_printf (text, "%s\"%s%u\": {", i > 0 ? ", " : "", outer, i);
      for (guint k = 0; k < n_inner; k++)
        g_string_append_printf (text, "%s\"%s%u\": [[1, 0], [0.%u%u, 0.5]]", k > 0 ? ", " : "", inner, k, i, k);
      g_string_append (text, "}");
    }
  g_string_append_printf (text, "%s}", rest);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Groups of maps are layers of heads where something is called so, and else examples. */
static void
test_heads_apart (void)
{
  static const struct
  {
    const char *outer;
    const char *inner;
    const char *rest;
    const char *around;
    gboolean are_heads;
  } cases[] = {
    { "layer", "", "", NULL, TRUE },
    { "block", "h", "", NULL, TRUE },
    { "", "head_", "", NULL, TRUE },
    { "", "", "", "attention", TRUE },
    { "", "", "", "attn_maps", TRUE },
    { "", "", "", NULL, FALSE },
    { "text", "map", "", NULL, FALSE },
    { "sample_", "layer_", "", "attn_maps", FALSE },
    { "layer", "head", ", \"tokens\": [\"a\", \"b\"]", NULL, TRUE },
    { "layer", "head", ", \"tokens\": [[\"a\", \"b\"], [\"c\", \"d\"], [\"e\", \"f\"]]", NULL, FALSE },
  };
  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *inside = make_groups (cases[i].outer, 3, cases[i].inner, 2, cases[i].rest);
      g_autofree char *text = cases[i].around != NULL ? g_strdup_printf ("{\"%s\": %s}", cases[i].around, inside)
                                                      : g_strdup (inside);
      g_test_message ("%s", text);
      g_autoptr (HlDocument) document = load_text (folder, text);
      g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
      HlAttention *attention = hl_example_get_attention (example, 0);
      HlLayoutAxes axes;
      gsize n_queries, n_keys;

      g_assert_cmpuint (hl_document_get_n_examples (document), ==, cases[i].are_heads ? 1 : 3);
      g_assert_cmpuint (hl_attention_get_n_layers (attention), ==, cases[i].are_heads ? 3 : 2);
      g_assert_cmpuint (hl_attention_get_n_heads (attention, 0), ==, cases[i].are_heads ? 2 : 1);
      g_assert_true (is_said (document, "3 layers with a tensor for each of 2 heads") == cases[i].are_heads);
      hl_document_get_axes (document, 0, &axes);
      g_assert_cmpstr (axes.letters, ==, cases[i].are_heads ? "hqk" : "qk");
      g_autofree float *map = cases[i].are_heads ? read_map (document, 0, 2, 1, &n_queries, &n_keys)
                                                 : read_map (document, 2, 1, 0, &n_queries, &n_keys);
      g_assert_cmpfloat_with_epsilon (map[2], 0.21f, 1e-6);
      g_autofree char *own = hl_document_get_dataset (document);
      if (!cases[i].are_heads || strstr (text, "tokens") != NULL)
        continue;
      g_autoptr (HlDocument) turned = read_again (document, own, "head,key,query");
      g_autofree float *again = read_map (turned, 0, 2, 1, &n_queries, &n_keys);
      g_assert_cmpfloat_with_epsilon (again[1], 0.21f, 1e-6);
    }
}

/* Strings beside attention are its tokens only if they can be. */
static void
test_strings (void)
{
#define FULL "[[[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]]]"
#define PADDED "[[[0.5, 0.5, 0], [0.5, 0.5, 0], [1, 0, 0]]]"
#define STEPS "[[" FULL "], [[[[0.25, 0.25, 0.25, 0.25]]]]]"
  static const struct
  {
    const char *text;
    const char *first; /* the first token that is shown */
    const char *left_out;
  } cases[] = {
    { "{\"attn\": " FULL ", \"pieces\": [\"a\", \"b\", \"c\"]}", "a", NULL },
    { "{\"attn\": " FULL ", \"pieces\": [\"a b c\"]}", "a", NULL },
    { "{\"attn\": " FULL ", \"pieces\": [\"b\"]}", "[CLS]", NULL },
    { "{\"attn\": " FULL ", \"classes\": [\"a\", \"b\"]}", "0", "classes" },
    { "{\"attn\": " FULL ", \"columns\": [\"a\", \"b\", \"c\", \"d\"]}", "0", "columns" },
    { "{\"attn\": " PADDED ", \"pieces\": [\"a\", \"b\"]}", "a", NULL },
    { "{\"attn\": " FULL ", \"tokens\": [\"a\", \"b\"]}", "a", NULL },
    { "{\"attn\": " FULL ", \"layer_names\": [\"a\", \"b\", \"c\"]}", "0", NULL },
    { "{\"attn\": " FULL ", \"layer_types\": [\"a\", \"b\", \"c\"], \"pieces\": [\"d\", \"e\", \"f\"]}", "d", NULL },
    { "{\"attn\": " FULL ", \"relns\": [\"a\", \"b\", \"c\"]}", "0", NULL },
    { "{\"attn\": " STEPS ", \"pieces\": [\"a\", \"b\", \"c\", \"d\", \"e\"]}", "a", NULL },
    { "{\"attn\": " STEPS ", \"classes\": [\"a\", \"b\", \"c\"]}", "0", "classes" },
    { "{\"attn\": " STEPS ", \"classes\": [\"a\", \"b\", \"c\", \"d\", \"e\", \"f\"]}", "0", "classes" },
  };
  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].text);
      g_autoptr (HlDocument) document = load_text (folder, cases[i].text);
      g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
      HlAttention *attention = hl_example_get_attention (example, 0);

      g_assert_cmpstr (hl_attention_get_tokens (attention, HL_KEYS)[0], ==, cases[i].first);
      g_assert_true (is_said (document, "are not taken for tokens") == (cases[i].left_out != NULL));
      g_assert_true (cases[i].left_out == NULL || is_said (document, cases[i].left_out));
    }
#undef FULL
#undef PADDED
#undef STEPS
}

static void
add_text (hid_t       object,
          const char *name,
          const char *text)
{
  const hid_t type = H5Tcopy (H5T_C_S1), space = H5Screate (H5S_SCALAR);

  H5Tset_size (type, strlen (text));
  const hid_t attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint (H5Awrite (attribute, type, text), >=, 0);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

/* Numbers of which each is its place in the file. */
static void
write_numbers (const char    *path,
               const char    *name,
               const hsize_t *sizes,
               gboolean       is_matlab,
               gboolean       has_format)
{
  const hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  int rank = 0;
  gsize n = 1;

  for (; sizes[rank] != 0; rank++)
    n *= sizes[rank];
  g_autofree float *numbers = g_new (float, n);
  for (gsize i = 0; i < n; i++)
    numbers[i] = (float) i;
  const hid_t space = H5Screate_simple (rank, sizes, NULL);
  const hid_t dataset = H5Dcreate2 (file, name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers), >=, 0);
  if (is_matlab)
    add_text (dataset, "MATLAB_class", "single");
  if (has_format)
    add_text (file, "format", "headlight-attention");
  H5Dclose (dataset);
  H5Sclose (space);
  H5Fclose (file);
}

/* MATLAB reverses the order of axes. */
static void
test_matlab (void)
{
  static const struct
  {
    const char *name;
    hsize_t sizes[6];
    gboolean is_matlab;
    gboolean has_format;
    const char *letters;
    guint number; /* of the last layer and head, the second query and the first key */
  } cases[] = {
    { "attention", { 6, 5, 3, 4 }, TRUE, FALSE, "kqhl", 12 + 11 },
    { "attn", { 6, 5, 3, 4 }, TRUE, FALSE, "kqhl", 12 + 11 },
    { "attn", { 5, 5, 3, 3 }, TRUE, FALSE, "kqhl", 9 + 8 },
    { "attention", { 4, 3, 5, 5 }, TRUE, FALSE, "lhkq", 275 + 1 },
    { "layer_1", { 6, 5, 3 }, TRUE, FALSE, "kqh", 3 + 2 },
    { "attn", { 6, 5 }, TRUE, FALSE, "kq", 1 },
    { "attn", { 4, 3, 5, 6 }, FALSE, FALSE, "lhqk", 330 + 6 },
    { "attention", { 4, 3, 5, 6 }, TRUE, TRUE, "lhqk", 330 + 6 },
  };
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.h5", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      HlLayoutAxes axes;
      gsize n_queries, n_keys;

      g_test_message ("%u: %s", i, cases[i].name);
      write_numbers (path, cases[i].name, cases[i].sizes, cases[i].is_matlab, cases[i].has_format);
      g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
      g_assert_no_error (error);
      hl_document_get_axes (document, 0, &axes);
      g_assert_cmpstr (axes.letters, ==, cases[i].letters);
      g_assert_true (is_said (document, "MATLAB") == (cases[i].is_matlab && !cases[i].has_format));
      g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
      HlAttention *attention = hl_example_get_attention (example, 0);
      const guint layer = hl_attention_get_n_layers (attention) - 1;
      g_autofree float *map =
        read_map (document, 0, layer, hl_attention_get_n_heads (attention, layer) - 1, &n_queries, &n_keys);
      g_assert_cmpfloat (map[n_keys], ==, cases[i].number);
    }
}

/* What is called the weight of attention is one, and the weights of a model are not. */
static void
test_weight (void)
{
#define MAP "[[[0.5, 0.5], [0.5, 0.5]]]"
  static const struct
  {
    const char *text;
    guint n_layers;
  } cases[] = {
    { "{\"layers.0.self_attn.attention_weight\": " MAP ", \"layers.1.self_attn.attention_weight\": " MAP "}", 2 },
    { "{\"attn_weight\": " MAP ", \"attn_mask\": " MAP "}", 1 },
    { "{\"my.att_weight\": " MAP ", \"out.weight\": " MAP "}", 1 },
    { "{\"layers.0.attention.weight\": " MAP ", \"layers.1.attention.weight\": " MAP "}", 0 },
    { "{\"layers.0.attn.in_proj_weight\": " MAP ", \"layers.0.attn.in_proj_bias\": " MAP "}", 0 },
    { "{\"attention.weight\": " MAP "}", 0 },
  };
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_test_message ("%s", cases[i].text);
      g_assert_true (g_file_set_contents (path, cases[i].text, -1, NULL));
      g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
      if (cases[i].n_layers == 0)
        {
          g_assert_null (document);
          g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
          continue;
        }
      g_assert_no_error (error);
      g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
      g_assert_cmpuint (hl_attention_get_n_layers (hl_example_get_attention (example, 0)), ==, cases[i].n_layers);
    }
#undef MAP
}

/* Attention to an encoder is of a decoder, whose layers call the other attention by no kind. */
static void
test_kinds (void)
{
  static const struct
  {
    struct
    {
      const char *name;
      guint sizes[5];
      const char *expected; /* the kind, and the last tokens of queries and keys */
    } attentions[3];
    guint n_told;
  } cases[] = {
    { { { "self_attn", { 2, 1, 2, 2 }, "decoder d1 d1" }, { "cross_attn", { 2, 1, 2, 3 }, "cross d1 e2" } }, 1 },
    { { { "self_attn", { 2, 1, 3, 3 }, "encoder e2 e2" }, { "cross_attn", { 2, 1, 2, 3 }, "cross d1 e2" } }, 1 },
    { { { "self_attns", { 2, 1, 2, 2 }, "decoder d1 d1" }, { "cross_attns", { 2, 1, 2, 2 }, "cross d1 e1" } }, 1 },
    { { { "Self_Attn", { 2, 1, 2, 2 }, "decoder d1 d1" }, { "encoder_attn", { 2, 1, 2, 2 }, "cross d1 e1" } }, 2 },
    { { { "self_attn", { 2, 1, 2, 2 }, "decoder d1 d1" }, { "encoder_attn", { 2, 1, 2, 3 }, "cross d1 e2" } }, 2 },
    { { { "decoder_attn", { 2, 1, 2, 2 }, "decoder d1 d1" }, { "encoder_attn", { 2, 1, 2, 3 }, "cross d1 e2" } }, 1 },
    { { { "decoder_attn", { 2, 1, 2, 2 }, "decoder d1 d1" }, { "encoder_attn", { 2, 1, 3, 3 }, "encoder e2 e2" } }, 0 },
    { { { "cross_attn", { 2, 1, 2, 3 }, "cross d1 e2" },
        { "decoder_attn", { 2, 1, 2, 2 }, "decoder d1 d1" },
        { "encoder_attn", { 2, 1, 3, 3 }, "encoder e2 e2" } },
      0 },
    { { { "enc_atts", { 2, 1, 3, 3 }, "encoder e2 e2" },
        { "dec_atts", { 2, 1, 2, 2 }, "decoder d1 d1" },
        { "encdec_atts", { 2, 1, 2, 3 }, "cross d1 e2" } },
      0 },
    { { { "encoder_attn", { 2, 1, 2, 2 }, "encoder e1 e1" } }, 0 },
    { { { "encoder_attn", { 2, 1, 2, 3 }, "cross d1 e2" } }, 1 },
    { { { "self_attn", { 2, 1, 2, 2 }, "attention 1 1" } }, 0 },
  };
  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new ("{\"src_tokens\": [\"e0\", \"e1\"");
      g_autoptr (GHashTable) expected = g_hash_table_new (g_str_hash, g_str_equal);
      gboolean is_long = FALSE;
      guint n = 0, n_told = 0;

      for (; n < G_N_ELEMENTS (cases[i].attentions) && cases[i].attentions[n].name != NULL; n++)
        {
          g_hash_table_add (expected, (char *) cases[i].attentions[n].expected);
          is_long |= cases[i].attentions[n].sizes[3] == 3;
        }
      g_string_append_printf (text, "%s], \"tgt_tokens\": [\"d0\", \"d1\"]", is_long ? ", \"e2\"" : "");
      for (guint k = 0; k < n; k++)
        {
          g_string_append_printf (text, ", \"%s\": ", cases[i].attentions[k].name);
          add_numbers (text, cases[i].attentions[k].sizes);
        }
      g_string_append (text, "}");
      g_test_message ("%s", text->str);
      g_autoptr (HlDocument) document = load_text (folder, text->str);
      g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
      GPtrArray *checks = hl_example_get_checks (example);

      g_assert_cmpuint (hl_example_get_n_attentions (example), ==, n);
      for (guint k = 0; k < n; k++)
        {
          HlAttention *attention = hl_example_get_attention (example, k);
          g_autofree char *found =
            g_strdup_printf ("%s %s %s", hl_attention_kind_get_name (hl_attention_get_kind (attention)),
                             hl_attention_get_tokens (attention,
                                                      HL_QUERIES)[hl_attention_get_n (attention, HL_QUERIES) - 1],
                             hl_attention_get_tokens (attention, HL_KEYS)[hl_attention_get_n (attention, HL_KEYS) - 1]);
          g_test_message ("%s", found);
          g_assert_true (g_hash_table_remove (expected, found));
        }
      for (guint k = 0; k < checks->len; k++)
        n_told += strstr (hl_check_get_message (checks->pdata[k]), "was taken for the attention called") != NULL;
      g_assert_cmpuint (n_told, ==, cases[i].n_told);
    }
}

/* The heads of a layer must be of one size. */
static void
test_heads_that_do_not_fit (void)
{
  g_autoptr (TestFolder) folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "a.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path,
                                      "{\"layer0\": {\"0\": [[1, 0], [0, 1]], \"1\": [[1]]},"
                                      " \"layer1\": {\"0\": [[1, 0], [0, 1]], \"1\": [[1]]}}",
                                      -1, NULL));
  g_assert_null (hl_document_load (file, NULL, NULL, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_SHAPE);
  test_assert_sentence (error);
}

/* Tensors whose names have two numbers, or three, of which some are part of the name; each of a number of its own. */
static char *
make_pairs (const char *format,
            guint       n_first,
            guint       n_second,
            gboolean    has_heads,
            const char *around)
{
  g_autoptr (GString) text = g_string_new ("{");

  if (around != NULL)
    g_string_append_printf (text, "\"%s\": {", around);
  for (guint i = 0; i < n_first; i++)
    for (guint k = 0; k < n_second; k++)
      {
        g_autofree char *first = g_strdup_printf ("%u", i), *second = g_strdup_printf ("%u", k);
        g_auto (GStrv) parts = g_strsplit (format, "#", -1);
        g_autofree char *name = parts[2] != NULL ? g_strconcat (parts[0], first, parts[1], second, parts[2], NULL)
                                                 : g_strconcat (parts[0], second, parts[1], NULL);
        g_string_append_printf (text, "%s\"%s\": %s[[1, 0], [0.%u%u, 0.5]]%s", i + k > 0 ? ", " : "", name,
                                has_heads ? "[" : "", i, k, has_heads ? "]" : "");
      }
  g_string_append (text, around != NULL ? "}}" : "}");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Of the numbers in names, those count that are not the same in all: none of layers, heads and examples is lost. */
static void
test_numbers_in_names (void)
{
  static const struct
  {
    const char *name;
    const char *around;
    guint sizes[2];
    gboolean has_heads; /* in each tensor */
    guint n_examples, n_layers, n_heads;
    guint place[3]; /* of the last: example, layer and head */
    const char *dataset;
  } cases[] = {
    { "gpt2_layer_#_attn", NULL, { 1, 4 }, TRUE, 1, 4, 1, { 0, 3, 0 }, "gpt2_layer_#_attn" },
    { "wav2vec2.layers.#.attn", NULL, { 1, 12 }, TRUE, 1, 12, 1, { 0, 11, 0 }, "wav2vec2.layers.#.attn" },
    { "vit_b_16_blocks_#.attn", NULL, { 1, 4 }, TRUE, 1, 4, 1, { 0, 3, 0 }, "vit_b_16_blocks_#.attn" },
    { "bert_L12_layer#", "attn_weights", { 1, 4 }, TRUE, 1, 4, 1, { 0, 3, 0 }, "attn_weights/bert_L12_layer#" },
    { "layer_#_head_#", "attn_weights", { 3, 2 }, FALSE, 1, 3, 2, { 0, 2, 1 }, "attn_weights/layer_#_head_#" },
    { "layer_#_head_#", NULL, { 3, 2 }, FALSE, 1, 3, 2, { 0, 2, 1 }, "layer_#_head_#" },
    { "head#_layer#", "attn", { 2, 3 }, FALSE, 1, 3, 2, { 0, 2, 1 }, "attn/head#_layer#" },
    { "L#H#", "attn", { 3, 2 }, FALSE, 1, 3, 2, { 0, 2, 1 }, "attn/L#H#" },
    { "attn_#_head_#", NULL, { 3, 2 }, FALSE, 1, 3, 2, { 0, 2, 1 }, "attn_#_head_#" },
    { "gpt2_attn_layer_#_head_#", NULL, { 3, 2 }, FALSE, 1, 3, 2, { 0, 2, 1 }, "gpt2_attn_layer_#_head_#" },
    { "text#_layer#_attn", NULL, { 3, 2 }, TRUE, 3, 2, 1, { 2, 1, 0 }, "text#_layer#_attn" },
    { "attn_layer#_sample#", NULL, { 3, 2 }, TRUE, 2, 3, 1, { 1, 2, 0 }, "attn_layer#_sample#" },
    { "head_#", NULL, { 1, 4 }, FALSE, 1, 1, 4, { 0, 0, 3 }, "head_#" },
    { "head_#", "attn", { 1, 4 }, FALSE, 1, 1, 4, { 0, 0, 3 }, "attn/head_#" },
    { "layer_7_head#", "attn", { 1, 4 }, FALSE, 1, 1, 4, { 0, 0, 3 }, "attn/layer_7_head#" },
    { "head_#", "attn", { 1, 4 }, TRUE, 1, 4, 1, { 0, 3, 0 }, "attn/head_#" },
    { "multihead_attn_#", NULL, { 1, 4 }, FALSE, 1, 4, 1, { 0, 3, 0 }, "multihead_attn_#" },
  };
  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text =
        make_pairs (cases[i].name, cases[i].sizes[0], cases[i].sizes[1], cases[i].has_heads, cases[i].around);
      g_test_message ("%s", text);
      g_autoptr (HlDocument) document = load_text (folder, text);
      g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
      HlAttention *attention = hl_example_get_attention (example, 0);
      g_autoptr (GPtrArray) datasets = hl_dataset_list (hl_document_get_archive (document), NULL, NULL);
      g_autofree char *own = hl_document_get_dataset (document);
      gsize n_queries, n_keys;
      gboolean is_listed = FALSE;

      g_assert_cmpuint (hl_document_get_n_examples (document), ==, cases[i].n_examples);
      g_assert_cmpuint (hl_attention_get_n_layers (attention), ==, cases[i].n_layers);
      g_assert_cmpuint (hl_attention_get_n_heads (attention, 0), ==, cases[i].n_heads);
      const guint *place = cases[i].place;
      g_autofree float *map = read_map (document, place[0], place[1], place[2], &n_queries, &n_keys);
      g_autofree char *expected = g_strdup_printf ("0.%u%u", cases[i].sizes[0] - 1, cases[i].sizes[1] - 1);
      g_assert_cmpfloat_with_epsilon (map[2], (float) g_ascii_strtod (expected, NULL), 1e-6);

      g_assert_cmpstr (own, ==, cases[i].dataset);
      for (guint k = 0; k < datasets->len; k++)
        is_listed |= hl_dataset_is (datasets->pdata[k], own);
      g_assert_true (is_listed);
      g_autoptr (HlDocument) turned =
        read_again (document, own, cases[i].has_heads || cases[i].n_heads > 1 ? "head,key,query" : "key,query");
      g_assert_cmpuint (hl_document_get_n_examples (turned), ==, cases[i].n_examples);
      g_autofree float *again = read_map (turned, place[0], place[1], place[2], &n_queries, &n_keys);
      g_assert_cmpfloat_with_epsilon (again[1], map[2], 1e-6);
    }
}

/* Of series, the likeliest is read of each kind that they are called, and what is left is said. */
static void
test_kinds_of_series (void)
{
#define MAP(queries, keys)                                                                                             \
  {                                                                                                                    \
    1, 1, queries, keys                                                                                                \
  }
  static const struct
  {
    const char *around;
    const struct
    {
      const char *before, *after;
      guint sizes[5];
    } series[4];
    const char *kinds; /* in their order: those of the first letters, with how many queries and keys */
    const char *left;
  } cases[] = {
    { NULL,
      { { "model.encoder.layers.", ".self_attn", MAP (3, 3) },
        { "model.decoder.layers.", ".self_attn", MAP (2, 2) },
        { "model.decoder.layers.", ".encoder_attn", MAP (2, 3) } },
      "E3x3 D2x2 C2x3",
      NULL },
    { NULL,
      { { "encoder.", ".attn.hook_pattern", MAP (3, 3) },
        { "decoder.", ".attn.hook_pattern", MAP (2, 2) },
        { "decoder.", ".cross_attn.hook_pattern", MAP (2, 3) } },
      "E3x3 D2x2 C2x3",
      NULL },
    { "attention_weights",
      { { "decoder_layer", "_block1", MAP (2, 2) }, { "decoder_layer", "_block2", MAP (2, 3) } },
      "D2x2 C2x3",
      NULL },
    { "attention_weights",
      { { "decoder_layer", "_block1", MAP (2, 2) }, { "decoder_layer", "_block2", MAP (2, 2) } },
      "S2x2",
      "decoder_layer#_block2" },
    { NULL, { { "layer_", "_cross_attn", MAP (2, 3) }, { "layer_", "_self_attn", MAP (2, 2) } }, "D2x2 C2x3", NULL },
    { NULL, { { "layer_", "_attn_out", { 1, 2, 3 } }, { "layer_", "_attn_weights", MAP (2, 2) } }, "S2x2", NULL },
    { NULL, { { "layer_", "_attn_a", MAP (2, 2) }, { "layer_", "_attn_b", MAP (2, 2) } }, "S2x2", "layer_#_attn_b" },
    { NULL, { { "bert.encoder.layer.", ".attn", MAP (2, 2) } }, "S2x2", NULL },
    { NULL, { { "decoder.", ".cross_attn", MAP (2, 3) } }, "C2x3", NULL },
    { "cross_attn", { { "decoder_layer", "", MAP (2, 3) } }, "C2x3", NULL },
  };
#undef MAP
  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new ("{"), kinds = g_string_new (NULL);

      if (cases[i].around != NULL)
        g_string_append_printf (text, "\"%s\": {", cases[i].around);
      for (guint k = 0; k < G_N_ELEMENTS (cases[i].series) && cases[i].series[k].before != NULL; k++)
        for (guint layer = 0; layer < 2; layer++)
          {
            g_string_append_printf (text, "%s\"%s%u%s\": ", k + layer > 0 ? ", " : "", cases[i].series[k].before, layer,
                                    cases[i].series[k].after);
            add_numbers (text, cases[i].series[k].sizes);
          }
      g_string_append (text, cases[i].around != NULL ? "}}" : "}");
      g_test_message ("%s", text->str);
      g_autoptr (HlDocument) document = load_text (folder, text->str);
      g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);

      for (guint k = 0; k < hl_example_get_n_attentions (example); k++)
        {
          HlAttention *attention = hl_example_get_attention (example, k);
          g_assert_cmpuint (hl_attention_get_n_layers (attention), ==, 2);
          g_string_append_printf (kinds, "%s%c%zux%zu", k > 0 ? " " : "", "SEDC"[hl_attention_get_kind (attention)],
                                  hl_attention_get_n (attention, HL_QUERIES), hl_attention_get_n (attention, HL_KEYS));
        }
      g_assert_cmpstr (kinds->str, ==, cases[i].kinds);
      g_assert_true (is_said (document, "could be attention as well") == (cases[i].left != NULL));
      g_assert_true (cases[i].left == NULL || is_said (document, cases[i].left));
    }
}

/* A group that somebody names, of series of one kind: the only attention there is, unless tokens of that kind are beside it. */
static void
test_kind_of_dataset (void)
{
  static const char *const names[] = { "encoder", "decoder" };
  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < 4; i++)
    {
      const HlAttentionKind kinds[] = { HL_ATTENTION_ENCODER, HL_ATTENTION_DECODER };
      const char *name = names[i % 2];
      g_autofree char *tokens = i < 2 ? g_strdup ("") : g_strdup_printf (", \"%s_tokens\": [\"a\", \"b\"]", name);
      g_autofree char *text = g_strdup_printf ("{\"run\": {\"%s_layer_0_attn\": [[[1, 0], [0.5, 0.5]]], "
                                               "\"%s_layer_1_attn\": [[[1, 0], [0.25, 0.75]]]}%s}",
                                               name, name, tokens);
      g_test_message ("%s", text);
      g_autoptr (HlDocument) document = load_text (folder, text);
      const HlOpenOptions options = { .dataset = (char *) "run" };
      g_autoptr (GError) error = NULL;
      g_autoptr (HlDocument)
        chosen = hl_document_new_for_archive (hl_document_get_file (document), hl_document_get_archive (document),
                                              &options, NULL, NULL, &error);
      g_assert_no_error (error);
      g_autoptr (HlExample) example = hl_document_get_example (chosen, 0, NULL, &error);
      g_assert_no_error (error);
      HlAttention *attention = hl_example_get_attention (example, 0);

      g_assert_cmpuint (hl_example_get_n_attentions (example), ==, 1);
      g_assert_cmpuint (hl_attention_get_n_layers (attention), ==, 2);
      g_assert_cmpint (hl_attention_get_kind (attention), ==, i < 2 ? HL_ATTENTION_SELF : kinds[i % 2]);
    }
}

/* Groups that are called layers are layers, of whatever is called attention in them, or of examples; where they are not
 * read so, that is said. */
static void
test_groups_of_layers (void)
{
#define HEADS "[[[1, 0], [0.25, 0.75]], [[1, 0], [0.25, 0.75]]]"
#define CROSS "[[[1, 0, 0], [0.25, 0.75, 0]]]"
#define WIDE "[[[1, 0, 0], [0.25, 0.75, 0], [0, 0, 1]]]"
  static const struct
  {
    const char *text;
    guint n_examples, n_attentions, n_layers, n_heads;
    gboolean is_warned;
    const char *dataset;
  } cases[] = {
    { "{\"layer_0\": {\"attention\": " HEADS "}, \"layer_1\": {\"attention\": " HEADS "}}", 1, 1, 2, 2, FALSE,
      "layer_#" },
    { "{\"layer_0\": {\"my_att\": " HEADS ", \"out\": [[1]]}, \"layer_1\": {\"my_att\": " HEADS ", \"out\": [[1]]}}", 1,
      1, 2, 2, FALSE, "layer_#" },
    { "{\"x_1\": [[1]], \"x_2\": [[1]], \"layer_0\": {\"attn\": " HEADS "}, \"layer_1\": {\"attn\": " HEADS "}}", 1, 1,
      2, 2, FALSE, "layer_#" },
    { "{\"attn_maps\": {\"layer_0\": {\"probs_att\": " HEADS "}, \"layer_1\": {\"probs_att\": " HEADS "}}}", 1, 1, 2, 2,
      FALSE, "attn_maps/layer_#" },
    { "{\"layer_0\": {\"self_attn\": " HEADS ", \"cross_attn\": " CROSS "},"
      " \"layer_1\": {\"self_attn\": " HEADS ", \"cross_attn\": " CROSS "}}",
      1, 2, 2, 2, FALSE, NULL },
    { "{\"layer_0\": {\"sample_0\": " HEADS ", \"sample_1\": " HEADS ", \"sample_2\": " HEADS "},"
      " \"layer_1\": {\"sample_0\": " HEADS ", \"sample_1\": " HEADS ", \"sample_2\": " HEADS "}}",
      3, 1, 2, 2, FALSE, "layer_#" },
    { "{\"layer_0\": {\"0\": " HEADS ", \"1\": " WIDE "}, \"layer_1\": {\"0\": " HEADS ", \"1\": " WIDE "}}", 2, 1, 2,
      2, FALSE, "layer_#" },
    { "{\"sample_0\": {\"layer_0\": " HEADS "}, \"sample_1\": {\"layer_0\": " HEADS "}}", 2, 1, 1, 2, FALSE,
      "sample_#" },
    { "{\"layer_0\": {\"attention\": " HEADS ", \"tokens\": [\"a\", \"b\"]},"
      " \"layer_1\": {\"attention\": " HEADS ", \"tokens\": [\"a\", \"b\"]}}",
      2, 1, 1, 2, TRUE, NULL },
    { "{\"layer_0\": {\"attention\": " HEADS "}, \"layer_1\": {\"attention\": " WIDE "}}", 2, 1, 1, 2, TRUE, NULL },
    { "{\"format\": \"headlight-attention\", \"layer_0\": {\"attention\": " HEADS
      "}, \"layer_1\": {\"attention\": " HEADS "}}",
      2, 1, 1, 2, TRUE, NULL },
    { "[{\"layer\": 0, \"attention\": " HEADS "}, {\"layer\": 1, \"attention\": " HEADS "}]", 2, 1, 1, 2, TRUE, NULL },
    { "{\"layer_0\": {\"attention\": " HEADS "}}", 1, 1, 1, 2, FALSE, NULL },
    { "{\"text_0\": {\"attention\": " HEADS "}, \"text_1\": {\"attention\": " HEADS "}}", 2, 1, 1, 2, FALSE, NULL },
  };
#undef HEADS
#undef CROSS
#undef WIDE
  g_autoptr (TestFolder) folder = test_make_folder ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("%s", cases[i].text);
      g_autoptr (HlDocument) document = load_text (folder, cases[i].text);
      g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
      HlAttention *attention = hl_example_get_attention (example, 0);
      g_autofree char *own = hl_document_get_dataset (document);

      g_assert_cmpuint (hl_document_get_n_examples (document), ==, cases[i].n_examples);
      g_assert_cmpuint (hl_example_get_n_attentions (example), ==, cases[i].n_attentions);
      g_assert_cmpuint (hl_attention_get_n_layers (attention), ==, cases[i].n_layers);
      g_assert_cmpuint (hl_attention_get_n_heads (attention, 0), ==, cases[i].n_heads);
      g_assert_true (is_said (document, "said to be a layer") == cases[i].is_warned);
      if (cases[i].dataset == NULL)
        continue;
      g_assert_cmpstr (own, ==, cases[i].dataset);
      g_autoptr (HlDocument) turned = read_again (document, own, "head,key,query");
      g_assert_cmpuint (hl_document_get_n_examples (turned), ==, cases[i].n_examples);
    }
}

static void
test_cancelled_list (void)
{
  g_autoptr (HlDocument) document = load ("fixtures/foreign", "lens.pt", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (hl_dataset_list (hl_document_get_archive (document), cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Whether the numbers of a file are taken for scores. */
static gboolean
looks_like_scores (const char *name,
                   gboolean    softmax)
{
  const HlOpenOptions options = { .softmax = softmax };
  g_autoptr (HlDocument) document = load ("fixtures/foreign", name, &options);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, NULL);
  HlAttention *attention = hl_example_get_attention (example, 0);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (GPtrArray) checks = hl_examine_attention (attention, source, NULL, NULL);

  return count_topic (checks, HL_CHECK_TOPIC_SCORES) > 0;
}

static void
test_scores (void)
{
  g_assert_true (looks_like_scores ("raw-scores.pt", FALSE));
  g_assert_false (looks_like_scores ("raw-scores.pt", TRUE));
  g_assert_false (looks_like_scores ("layers.npy", FALSE));
  g_assert_false (looks_like_scores ("linformer.pt", FALSE));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/axes/guess", test_guess);
  g_test_add_func ("/axes/chosen", test_chosen);
  g_test_add_func ("/axes/index", test_index);
  g_test_add_func ("/axes/index-that-is-not-there", test_index_that_is_not_there);
  g_test_add_func ("/axes/text", test_text);
  g_test_add_func ("/axes/datasets", test_datasets);
  g_test_add_func ("/axes/own-dataset", test_own_dataset);
  g_test_add_func ("/axes/series", test_series);
  g_test_add_func ("/axes/left-out", test_left_out);
  g_test_add_func ("/axes/lists-of-tokens", test_lists_of_tokens);
  g_test_add_func ("/axes/heads-apart", test_heads_apart);
  g_test_add_func ("/axes/texts", test_texts);
  g_test_add_func ("/axes/strings", test_strings);
  g_test_add_func ("/axes/matlab", test_matlab);
  g_test_add_func ("/axes/weight", test_weight);
  g_test_add_func ("/axes/kinds", test_kinds);
  g_test_add_func ("/axes/heads-that-do-not-fit", test_heads_that_do_not_fit);
  g_test_add_func ("/axes/numbers-in-names", test_numbers_in_names);
  g_test_add_func ("/axes/kinds-of-series", test_kinds_of_series);
  g_test_add_func ("/axes/kind-of-dataset", test_kind_of_dataset);
  g_test_add_func ("/axes/groups-of-layers", test_groups_of_layers);
  g_test_add_func ("/axes/cancelled-list", test_cancelled_list);
  g_test_add_func ("/axes/scores", test_scores);
  return g_test_run ();
}
