/* SPDX-License-Identifier: MIT */
/* Pages and notebooks: each of tests/fixtures/pages against what NumPy reads in it, and what is said of those that are damaged. */
#include "test-dumps.h"
#include "test-expected.h"

#include "core/archive/web/hl-notebook-archive.h"
#include "core/base/hl-error.h"

#include <string.h>

#include <glib/gstdio.h>

#define BERTVIZ(text) "<div></div>\n<script>\nconst params = " text "; // HACK\n</script>"
#define INSPECTUS(text)                                                                                                \
  "<script>window.chartsEmbed('id_1',{\"attention\": " text "}, {'line_grid': 'blue'}, 'auto')</script>"
#define CIRCUITSVIS(text) "<script>render(\n\"id\",\nAttentionHeads,\n{\"attention\": " text "}\n)</script>"
#define HEADLIGHT(text) "<script type=\"application/json\" class=\"headlight-attention\">\n" text "</script>"
#define NOTEBOOK(outputs) "{\"cells\": [{\"cell_type\": \"code\", \"outputs\": " outputs "}], \"nbformat\": 4}"
#define OUTPUT(text) "[{\"data\": {\"application/javascript\": " text "}}]"

/* One map of two tokens, as inspectus has it. */
#define VALUES "\"values\": \"AAAAPwAAAD8AAAA/AAAAPw==\""

/* Headlight's own: one head of two tokens, 1 and 0, 0 and 1. */
#define OWN_SCALE "{\"range\": [0, 1], \"steps\": 65532"
#define OWN_TOKENS ", \"tokens\": [\"a\", \"b\"]"
#define OWN_LAYER "\"layer\": 0, \"heads\": [0], "
#define OWN_NUMBERS "\"numbers\": \"/P8AAAAA/P8=\""

static JsonObject *expected;

static void
test_page (gconstpointer data)
{
  test_check_expected (expected, "fixtures/pages", data);
}

static HlDocument *
load (const char *text,
      gssize      size,
      GError    **error)
{
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "page", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (g_file_set_contents (path, text, size, NULL));
  HlDocument *document = hl_document_load (file, NULL, NULL, error);
  test_remove_folder (folder);
  return document;
}

static const struct
{
  const char *name;
  const char *text;
  const char *sentence;
} malformed[] = {
  { "nothing", "<!DOCTYPE html><html><body>const params = 1</body></html>",
    "this web page holds no attention as Headlight, BertViz, inspectus or CircuitsVis write it" },
  { "other-params", BERTVIZ ("{\"attention_colour\": 1}"), "holds no attention" },
  { "other-script", BERTVIZ ("{attention: 1}"),
    "not valid JSON at line 3, column 17: “a” where the name of a member should be" },
  { "single-quotes", BERTVIZ ("{'attention': []}"), "line 3, column 17: “'” where the name of a member should be" },
  { "breaks-off", "<script>const params = {\"attention\": [{\"attn\": [[[[0.5, 0.5],",
    "the JSON breaks off at line 1, column 62, where a value should follow" },
  { "trailing-comma", BERTVIZ ("{\"attention\": [{\"attn\": [[[[1,]]]]}]}"), "“]” where a value should be" },
  { "nan-lower-case", BERTVIZ ("{\"attention\": [{\"attn\": [[[[nan]]]]}]}"), "line 3, column 44" },
  { "ragged", BERTVIZ ("{\"attention\": [{\"attn\": [[[[1, 0], [1]]]]}]}"), "“attention/0/attn” is ragged: " },
  { "no-weights", BERTVIZ ("{\"attention\": {\"all\": {\"left_text\": [\"a\"]}}}"),
    "“attention/all” of the page has no “attn”" },
  { "weights-of-words", BERTVIZ ("{\"attention\": {\"all\": {\"attn\": [\"a\"]}}}"),
    "“attention” is not a list of numbers" },
  { "no-entries", BERTVIZ ("{\"attention\": []}"), "“attention” of the page holds none" },
  { "entries-of-nothing", BERTVIZ ("{\"attention\": [null]}"), "it has null" },
  { "rank-1-of-bertviz", BERTVIZ ("{\"attention\": [{\"attn\": [1]}]}"), "has rank 1" },
  { "empty-map", BERTVIZ ("{\"attention\": [{\"attn\": [[[[]]]]}]}"), "is empty: its sizes are" },
  { "twice", BERTVIZ ("{\"attention\": [{\"attn\": [[[[1]]]], \"attn\": [[[[1]]]]}]}"),
    "“attention/0/attn” is there more than once" },
  { "not-utf-8", BERTVIZ ("{\"attention\": [{\"attn\": [[[[1]]]], \"left_text\": [\"\xe9\"]}]}"),
    "is not UTF-8: it has the byte 0xE9" },
  { "no-maps", INSPECTUS ("[]"), "“attention” of the page holds none" },
  { "own-no-range", HEADLIGHT ("{\"headlight\": 1}"), "“range” of the page is not two numbers in rising order" },
  { "own-range-falls", HEADLIGHT ("{\"range\": [1, 0]}"), "“range” of the page is not two numbers in rising order" },
  { "own-no-steps", HEADLIGHT ("{\"range\": [0, 1]}"), "“steps” of the page is not 1 to 65535" },
  { "own-no-tokens", HEADLIGHT (OWN_SCALE "}"), "“tokens” of the page holds none" },
  { "own-no-layers", HEADLIGHT (OWN_SCALE OWN_TOKENS "}"), "“layers” of the page holds none" },
  { "own-empty-layer", HEADLIGHT (OWN_SCALE OWN_TOKENS ", \"layers\": [{}]}"),
    "“layers” of the page has a member without “layer”, “heads” or “numbers”" },
  { "own-few-numbers", HEADLIGHT (OWN_SCALE OWN_TOKENS ", \"layers\": [{" OWN_LAYER "\"numbers\": \"AAAA\"}]}"),
    "“layers” of the page does not have as many “numbers” as heads and tokens say" },
  { "own-not-base64", HEADLIGHT (OWN_SCALE OWN_TOKENS ", \"layers\": [{" OWN_LAYER "\"numbers\": \"//8A?AAA//8=\"}]}"),
    "“numbers” of the page is not base64" },
  { "own-layer-twice",
    HEADLIGHT (OWN_SCALE OWN_TOKENS ", \"layers\": [{" OWN_LAYER OWN_NUMBERS "}, {" OWN_LAYER OWN_NUMBERS "}]}"),
    "“layers” of the page has a layer twice" },
  { "map-of-numbers", INSPECTUS ("[{\"values\": [1], \"shape\": [1, 1]}]"),
    "“attention/0” of the page has no “values” in base64" },
  { "no-shape", INSPECTUS ("[{" VALUES "}]"), "“attention/0” of the page has no “shape” of two sizes" },
  { "shape-of-three", INSPECTUS ("[{" VALUES ", \"shape\": [1, 2, 2]}]"), "has no “shape” of two sizes" },
  { "shape-negative", INSPECTUS ("[{" VALUES ", \"shape\": [-2, -2]}]"), "has no “shape” of two sizes" },
  { "shape-nan", INSPECTUS ("[{" VALUES ", \"shape\": [NaN, 2]}]"), "has no “shape” of two sizes" },
  { "shape-huge", INSPECTUS ("[{" VALUES ", \"shape\": [16777216, 16777216]}]"),
    "does not have as many “values” as its “shape” says" },
  { "values-missing", INSPECTUS ("[{" VALUES ", \"shape\": [2, 3]}]"),
    "does not have as many “values” as its “shape” says" },
  { "values-not-base64", INSPECTUS ("[{\"values\": \"AAAAPwAAAD8AAAA/AAA?Pw==\", \"shape\": [2, 2]}]"),
    "has “values” that are not base64" },
  { "shapes-differ",
    INSPECTUS ("[{" VALUES ", \"shape\": [2, 2], \"info\": {\"head\": 0}}, {" VALUES
               ", \"shape\": [1, 4], \"info\": {\"head\": 1}}]"),
    "“attention/1” of the page has another “shape” than the others" },
  { "same-place", INSPECTUS ("[{" VALUES ", \"shape\": [2, 2]}, {" VALUES ", \"shape\": [2, 2]}]"),
    "has the layer and head of another one" },
  { "number", CIRCUITSVIS ("1"), "“attention” of the page is not a list of numbers" },
  { "rank-1", CIRCUITSVIS ("[1]"), "“attention” of the page has rank 1" },
  { "rank-5", CIRCUITSVIS ("[[[[[1]]]]]"), "“attention” of the page has rank 5" },
  { "mixed", CIRCUITSVIS ("[[[1, \"a\"]]]"), "“attention” has a string among its numbers" },
  { "no-outputs", NOTEBOOK ("[]"), "none of the outputs of this notebook is attention" },
  { "source-alone", "{\"cells\": [{\"cell_type\": \"code\", \"source\": \"params = {\\\"attention\\\": 1}\"}]}",
    "none of the outputs of this notebook is attention" },
  { "output-breaks-off", NOTEBOOK (OUTPUT ("[\"\\n\", \"window.params = {\\\"attention\\\": \"]")),
    "cell 1, output 1: the JSON breaks off at line 2, column 31" },
  { "output-of-numbers", NOTEBOOK (OUTPUT ("[1]")), "“1” where a line of the output should be" },
  { "lines-without-comma", NOTEBOOK (OUTPUT ("[\"a\" \"b\"]")), "“\"” where “,” or “]” should be" },
  { "notebook-breaks-off", "{\"cells\": [{\"cell_type\": \"code\", \"outputs\": [",
    "the JSON breaks off at line 1, column 46" },
  { "after-output", NOTEBOOK (OUTPUT ("\"a\\nb\"") " 1"), "this is not valid JSON at line 1, column 92: “1”" },
};

static void
test_malformed (gconstpointer data)
{
  const gsize i = GPOINTER_TO_SIZE (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = load (malformed[i].text, -1, &error);

  g_assert_null (document);
  test_assert_sentence (error);
  g_test_message ("%s", error->message);
  if (strstr (error->message, malformed[i].sentence) == NULL)
    g_test_fail_printf ("“%s” does not contain “%s”", error->message, malformed[i].sentence);
}

static void
append_times (GString    *text,
              const char *part,
              guint       n)
{
  for (guint i = 0; i < n; i++)
    g_string_append (text, part);
}

/* Neither lists nor objects inside one another take more of the stack than others. */
static void
test_deep (void)
{
  static const char *const parts[][2] = { { "const params = ", "{\"a\":" },
                                          { "const params = {\"a\":", "[" },
                                          { "const params = {\"a\":", "[{\"a\":" } };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autoptr (GString) text = g_string_new ("<script>");
      g_autoptr (GError) error = NULL;

      g_string_append (text, parts[i][0]);
      append_times (text, parts[i][1], 100000);
      g_autoptr (HlDocument) document = load (text->str, (gssize) text->len, &error);
      g_assert_null (document);
      test_assert_sentence (error);
      g_assert_nonnull (strstr (error->message, "inside one another"));
    }

  g_autoptr (GString) text = g_string_new ("{\"cell_type\": ");
  g_autoptr (GError) error = NULL;
  append_times (text, "[", 100000);
  g_autoptr (HlDocument) document = load (text->str, (gssize) text->len, &error);
  g_assert_null (document);
  g_assert_nonnull (strstr (error->message, "inside one another"));
}

/* What is broken does not hide what is whole, and is said; a script that is none of a tool's is not. */
static void
test_one_of_two (void)
{
  static const struct
  {
    const char *text;
    const char *said;
  } cases[] = {
    { "<script>params = {\"attention\": 1};</script>",
      "something else in the file is left out: “attention” of the page holds none" },
    { "<script>params = {\"attention\": [[};</script>",
      "something else in the file is left out: this is not valid JSON at line 1, column 34" },
    { "<script>params = {colour: 1};</script>", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = g_strconcat (cases[i].text,
                                           BERTVIZ ("{\"attention\": [{\"attn\": [[[[1]]]], \"left_text\": [\"a\"], "
                                                    "\"right_text\": [\"a\"]}]}"),
                                           NULL);
      g_autoptr (HlDocument) document = load (text, -1, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (hl_document_get_n_examples (document), ==, 1);
      g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
      GPtrArray *checks = hl_example_get_checks (example);

      g_assert_cmpuint (checks->len, ==, cases[i].said != NULL);
      if (cases[i].said != NULL)
        g_assert_nonnull (strstr (hl_check_get_message (checks->pdata[0]), cases[i].said));
    }
}

/* A notebook stays as it is on disk. */
static void
test_notebook_unchanged (void)
{
  g_autoptr (GFile) file = test_get_file ("fixtures/pages", "notebook.ipynb");
  g_autoptr (GError) error = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  g_assert_true (g_file_load_contents (file, NULL, &before, NULL, NULL, NULL));
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_load_contents (file, NULL, &after, NULL, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
}

/* What has been read of a page of some megabytes is let go of, also the copy behind it; what follows is still found. */
static void
test_long_page (void)
{
  g_autoptr (GString) text = g_string_new ("<script>\nconst params = {\"attention\": [{\"attn\": [[[");
  g_autoptr (GError) error = NULL;
  const guint n = 600;

  for (guint i = 0; i < n; i++)
    {
      g_string_append (text, i > 0 ? ", [1" : "[1");
      append_times (text, ", 0.0000000", n - 1);
      g_string_append_c (text, ']');
    }
  g_string_append (text, "]]]}]}; // HACK: ");
  append_times (text, "0123456789abcdef", 200000);
  g_string_append (text, "\n</script>\n" CIRCUITSVIS ("[[1]]"));
  g_autoptr (HlDocument) document = load (text->str, (gssize) text->len, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_document_get_n_examples (document), ==, 2);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hl_attention_get_n (hl_example_get_attention (example, 0), HL_QUERIES), ==, n);
}

/* Objects within the strings of others, and none of them whole: where each breaks off is not counted from the beginning of the page. */
static void
test_nested_failures (void)
{
  g_autoptr (GString) text = g_string_new ("<html>\n");
  g_autoptr (GError) error = NULL;

  append_times (text, "0123456789abcdef", 1 << 17);
  append_times (text, "\nparams={\"x\":\" params={1 \",!}", 100000);
  g_autoptr (HlDocument) document = load (text->str, (gssize) text->len, &error);
  g_assert_null (document);
  test_assert_sentence (error);
  g_assert_nonnull (strstr (error->message, "line 3, column 27: “!”"));
}

/* All examples of a page have the tokens that it holds once, which together are too many for memory. */
static void
test_many_examples (void)
{
  g_autoptr (GString) text = g_string_new ("<script>window.chartsEmbed('id',{\"src_tokens\": [\"a\"");
  g_autoptr (GError) error = NULL;

  append_times (text, ",\"a\"", 1999);
  g_string_append (text, "], \"attention\": [");
  for (guint i = 0; i < 2500; i++)
    g_string_append_printf (text, "%s{" VALUES ", \"shape\": [2, 2], \"info\": {\"step\": %u}}", i > 0 ? "," : "", i);
  g_string_append (text, "]})</script>");
  g_autoptr (HlDocument) document = load (text->str, (gssize) text->len, &error);
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "its names and strings need more than the 128 MiB"));
  g_assert_null (document);
}

/* More layers than can be shown are not compared with one another. */
static void
test_many_layers (void)
{
  g_autoptr (GString)
    text = g_string_new ("<script class=\"headlight-attention\">" OWN_SCALE OWN_TOKENS ", \"layers\": [");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 4097; i++)
    g_string_append_printf (text, "%s{\"layer\": %u, \"heads\": [0], " OWN_NUMBERS "}", i > 0 ? "," : "", i);
  g_string_append (text, "]}</script>");
  g_autoptr (HlDocument) document = load (text->str, (gssize) text->len, &error);
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "“layers” has 4097 layers; at most 4096 can be shown"));
  g_assert_null (document);
}

/* Examples share the numbers of the page that say which layers and heads they are. */
static void
test_shared_numbers (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument)
    document = load (BERTVIZ ("{\"include_layers\": [3], \"include_heads\": [7], \"attention\": {\"x\": {\"attn\": "
                              "[[[[1]]]]}, \"y\": {\"attn\": [[[[1]]]]}}}"),
                     -1, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (hl_document_get_n_examples (document), ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (HlExample) example = hl_document_get_example (document, i, NULL, &error);

      g_assert_no_error (error);
      GPtrArray *checks = hl_example_get_checks (example);
      guint n_said = 0;

      for (guint j = 0; j < checks->len; j++)
        n_said += g_str_has_suffix (hl_check_get_message (checks->pdata[j]), " 3") ||
                  g_str_has_suffix (hl_check_get_message (checks->pdata[j]), " 7");
      g_assert_cmpuint (n_said, ==, 2);
    }
}

/* An output of ten megabytes with many escapes. */
static void
test_long_notebook (void)
{
  g_autoptr (GString)
    text = g_string_new ("{\"cells\": [{\"cell_type\": \"code\", \"outputs\": [{\"data\": {\"text/html\": ["
                         "\"<script>const params = {\\\"attention\\\": [{\\\"left_text\\\": [");
  g_autoptr (GError) error = NULL;
  const guint n = 900;

  for (guint i = 0; i < n; i++)
    g_string_append (text, i > 0 ? ", \\\"\\ud83d\\ude42\\\"" : "\\\"\\ud83d\\ude42\\\"");
  g_string_append (text, "], \\\"attn\\\": [[[");
  for (guint i = 0; i < n; i++)
    {
      g_string_append (text, i > 0 ? ", [1" : "[1");
      append_times (text, ",\\u00200.00000", n - 1);
      g_string_append_c (text, ']');
    }
  g_string_append (text, "]]]}]};</script>\"]}}]}], \"nbformat\": 4}");
  g_autoptr (HlDocument) document = load (text->str, (gssize) text->len, &error);
  g_assert_no_error (error);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  g_assert_no_error (error);
  HlAttention *attention = hl_example_get_attention (example, 0);
  g_assert_cmpuint (hl_attention_get_n (attention, HL_QUERIES), ==, n);
  g_assert_cmpstr (hl_attention_get_tokens (attention, HL_QUERIES)[n - 1], ==, "🙂");
}

/* An output for which a file is needed, in one piece or in lines, and what is behind it. */
static void
test_large_output (void)
{
#define PAGE "<script>window.params = {\\\"attention\\\": {\\\"all\\\": {\\\"attn\\\": [[[[1]]]]}}}"
  g_autofree char *filling = g_strnfill (3 << 20, 'a');
  g_autofree char *one_piece = g_strconcat ("\"", filling, filling, PAGE "\"", NULL);
  g_autofree char *lines = g_strconcat ("[\"", filling, "\", \"", filling, "\", \"" PAGE "\"]", NULL);
  const char *const large[] = { one_piece, lines };

  for (guint i = 0; i < G_N_ELEMENTS (large); i++)
    {
      g_autofree char *text = g_strconcat ("{\"cells\": [{}, {\"outputs\": [{\"text/html\": ", large[i],
                                           "}, {\"text/html\": \"" PAGE "\"}]}]}", NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (HlArchive)
        archive = hl_notebook_archive_read (text, strlen (text), FALSE, 8 << 20, NULL, NULL, &error);

      g_assert_no_error (error);
      g_auto (GStrv) names = hl_archive_list (archive, "examples", &error);
      g_assert_cmpstrv (names, ((const char *const[]){ "cell 2, output 1", "cell 2, output 2", NULL }));

      /* One that is too large is left out, which is said, and what is behind it is read. */
      g_autoptr (HlArchive) rest = hl_notebook_archive_read (text, strlen (text), FALSE, 5 << 20, NULL, NULL, &error);
      g_assert_no_error (error);
      g_autoptr (GVariant) unreadable = hl_archive_get_attribute (rest, "", "unreadable", &error);
      g_assert_no_error (error);
      g_assert_cmpstr (g_variant_get_string (unreadable, NULL), ==,
                       "cell 2, output 1: it has more than 5 MiB, the most that is read of one output");
      g_assert_cmpint (hl_archive_get_kind (rest, "attention"), ==, HL_MEMBER_TENSOR);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_autoptr (GFile) file = test_get_file ("fixtures/pages", "expected.json");
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) error = NULL;
  json_parser_load_from_file (parser, g_file_peek_path (file), &error);
  g_assert_no_error (error);
  expected = json_node_get_object (json_parser_get_root (parser));

  g_autoptr (GList) names = json_object_get_members (expected);
  for (GList *i = names; i != NULL; i = i->next)
    {
      g_autofree char *path = g_strconcat ("/pages/", i->data, NULL);
      g_test_add_data_func (path, i->data, test_page);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (malformed); i++)
    {
      g_autofree char *path = g_strconcat ("/pages/malformed/", malformed[i].name, NULL);
      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_malformed);
    }
  g_test_add_func ("/pages/deep", test_deep);
  g_test_add_func ("/pages/one-of-two", test_one_of_two);
  g_test_add_func ("/pages/notebook-unchanged", test_notebook_unchanged);
  g_test_add_func ("/pages/long", test_long_page);
  g_test_add_func ("/pages/nested-failures", test_nested_failures);
  g_test_add_func ("/pages/many-examples", test_many_examples);
  g_test_add_func ("/pages/many-layers", test_many_layers);
  g_test_add_func ("/pages/shared-numbers", test_shared_numbers);
  g_test_add_func ("/pages/long-notebook", test_long_notebook);
  g_test_add_func ("/pages/large-output", test_large_output);
  return g_test_run ();
}
