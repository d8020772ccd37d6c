/* SPDX-License-Identifier: MIT */
/* Files whose lists of tokens do not fit their positions, or are no lists, and scores of which some are −∞: what holds weight is never taken
 * for padding, and what cannot hold any is masked. */
#include "test-dumps.h"

#include <math.h>

#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"

static HlExample *
load (const char *text,
      gboolean    softmax)
{
  const HlOpenOptions options = { .softmax = softmax };
  g_autofree char *folder = test_make_folder ();
  g_autofree char *path = g_build_filename (folder, "odd.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_autoptr (HlDocument) document = hl_document_load_with (file, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  HlExample *example = hl_document_get_example (document, 0, NULL, &error);
  g_assert_no_error (error);
  test_remove_folder (folder);
  return example;
}

static gboolean
says (HlExample  *example,
      HlSeverity  severity,
      const char *text)
{
  GPtrArray *checks = hl_example_get_checks (example);

  for (guint i = 0; i < checks->len; i++)
    if (hl_check_get_severity (checks->pdata[i]) == severity &&
        strstr (hl_check_get_message (checks->pdata[i]), text) != NULL)
      return TRUE;
  return FALSE;
}

static void
assert_tokens (HlAttention *attention,
               HlSide       side,
               const char  *wanted)
{
  g_autofree char *found = g_strjoinv ("|", (char **) hl_attention_get_tokens (attention, side));

  g_assert_cmpstr (found, ==, wanted);
}

/* [CLS] the cat [SEP], of which only the words are kept (Clark et al. 2019). */
static void
test_words (void)
{
  g_autoptr (HlExample)
    example = load ("[{\"words\": [\"the\", \"cat\"], \"attns\": [[[[0.5, 0.25, 0, 0.25], [0, 0.5, 0.25, 0.25],"
                    " [0.25, 0.25, 0, 0.5], [0, 0, 0.5, 0.5]]]]}]",
                    FALSE);
  HlAttention *attention = hl_example_get_attention (example, 0);

  for (HlSide side = HL_QUERIES; side <= HL_KEYS; side++)
    {
      assert_tokens (attention, side, "[CLS]|the|cat|[SEP]");
      g_assert_cmpuint (hl_attention_get_n_used (attention, side), ==, 4);
    }
  g_assert_true (says (example, HL_SEVERITY_INFO, "between [CLS] and [SEP]"));
}

/* Two positions that nothing attends to are padding, as before; neither are words shifted where the map is causal or its ends are named. */
static void
test_not_words (void)
{
  static const struct
  {
    const char *tokens;
    const char *rows;
    const char *wanted;
    gsize n_used;
  } cases[] = {
    { "\"the\", \"cat\"", "[0.5, 0.5, 0, 0], [0.75, 0.25, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]", "the|cat|2|3", 2 },
    { "\"the\", \"cat\"", "[0.5, 0.5, 0, 0], [0.75, 0.25, 0, 0], [0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25]",
      "the|cat|2|3", 2 },
    { "\"the\", \"cat\"", "[1, 0, 0, 0], [0.75, 0.25, 0, 0], [0.5, 0.25, 0.25, 0], [0.25, 0.25, 0.25, 0.25]",
      "the|cat|2|3", 4 },
    { "\"[CLS]\", \"cat\"", "[0.5, 0.25, 0, 0.25], [0, 0.5, 0.25, 0.25], [0.25, 0.25, 0, 0.5], [0, 0, 0.5, 0.5]",
      "[CLS]|cat|2|3", 4 },
    { "\"the\", \"cat\", \"sat\"", "[0.5, 0.25, 0, 0.25], [0, 0.5, 0.25, 0.25], [0.25, 0.25, 0, 0.5], [0, 0, 0.5, 0.5]",
      "the|cat|sat|3", 4 },
    { "\"the\", \"cat\", \"[PAD]\", \"[PAD]\"",
      "[0.5, 0.5, 0, 0], [0.75, 0.25, 0, 0], [0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0]", "the|cat|[PAD]|[PAD]", 2 },
    { "\"the\", \"cat\", \"[PAD]\", \"[PAD]\"",
      "[0.5, 0.25, 0.25, 0], [0.75, 0.25, 0, 0], [0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0]", "the|cat|[PAD]|[PAD]", 3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text =
        g_strdup_printf ("{\"tokens\": [%s], \"attention\": [[[%s]]]}", cases[i].tokens, cases[i].rows);
      g_autoptr (HlExample) example = load (text, FALSE);
      HlAttention *attention = hl_example_get_attention (example, 0);

      assert_tokens (attention, HL_QUERIES, cases[i].wanted);
      assert_tokens (attention, HL_KEYS, cases[i].wanted);
      g_assert_cmpuint (hl_attention_get_n_used (attention, HL_QUERIES), ==, cases[i].n_used);
      g_assert_cmpuint (hl_attention_get_n_used (attention, HL_KEYS), ==, cases[i].n_used);
    }
}

/* What is not named by a list of its own is padding only where it neither gives nor gets weight. */
static void
test_two_lists (void)
{
  g_autoptr (HlExample) example = load ("{\"query_tokens\": [\"a\"], \"key_tokens\": [\"x\"], \"attention\": "
                                        "[[[[0.5, 0.5, 0], [1, 0, 0], [0, 0, 0]]]]}",
                                        FALSE);
  HlAttention *attention = hl_example_get_attention (example, 0);

  g_assert_cmpuint (hl_attention_get_n_used (attention, HL_QUERIES), ==, 2);
  g_assert_cmpuint (hl_attention_get_n_used (attention, HL_KEYS), ==, 2);
  g_assert_true (says (example, HL_SEVERITY_WARNING, "(1) than positions (3); those after them hold weight"));
}

static void
test_one_string (void)
{
  g_autoptr (HlExample)
    example = load ("{\"query_tokens\": \"the cat\\tsat\", \"key_tokens\": \" p0 p1\", \"attention\": "
                    "[[[[0.5, 0.5], [1, 0], [0.25, 0.75]]]]}",
                    FALSE);
  HlAttention *attention = hl_example_get_attention (example, 0);

  assert_tokens (attention, HL_QUERIES, "the|cat|sat");
  assert_tokens (attention, HL_KEYS, "p0|p1");
  g_assert_true (says (example, HL_SEVERITY_WARNING, "“key_tokens” is one string in place of a list"));

  g_autoptr (HlExample) list = load ("{\"tokens\": [\"the cat\"], \"attention\": [[[[1]]]]}", FALSE);
  assert_tokens (hl_example_get_attention (list, 0), HL_KEYS, "the cat");
}

static void
assert_visible (HlExample  *example,
                const char *wanted)
{
  HlAttention *attention = hl_example_get_attention (example, 0);
  const HlMask *mask = &hl_attention_get_rule (attention, 0)->mask;
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autofree float *map = hl_attention_source_read_head (source, 0, 0, NULL, NULL);
  const gsize n = hl_attention_get_n (attention, HL_KEYS);
  g_autoptr (GString) found = g_string_new (NULL);

  for (gsize query = 0; query < n; query++)
    for (gsize key = 0; key < n; key++)
      {
        const gboolean visible = hl_mask_is_visible (mask, n, n, query, key);
        g_string_append_c (found, visible ? 'x' : '-');
        g_assert_cmpint (visible, ==, map[query * n + key] > 0);
      }
  g_assert_cmpstr (found->str, ==, wanted);
}

/* −∞ among scores is what a model does not let a query see: what comes after it, or padding; −10000 is the same. */
static void
test_scores (void)
{
  g_autoptr (HlExample)
    causal = load ("{\"attention\": [[[[1, -Infinity, -Infinity], [0, 2, -Infinity], [0, 1, 3]]]]}", TRUE);
  g_autoptr (HlExample) old = load ("{\"attention\": [[[[1, -9999, -10000], [0, 2, -9998], [0, 1, 3]]]]}", TRUE);
  g_autoptr (HlExample)
    end = load ("{\"attention\": [[[[1, 2, -Infinity], [0, 2, -Infinity], [0, 1, -Infinity]]]]}", TRUE);
  g_autoptr (HlExample)
    begin = load ("{\"attention\": [[[[-Infinity, 2, -1], [-Infinity, 2, 1], [-Infinity, 1, 1]]]]}", TRUE);
  g_autoptr (HlExample)
    both = load ("{\"attention\": [[[[-Infinity, -Infinity, -Infinity, -Infinity], [-Infinity, 2, -Infinity, "
                 "-Infinity], [-Infinity, 1, 1, -Infinity], [-Infinity, 1, 1, -Infinity]]]]}",
                 TRUE);
  g_autoptr (HlExample) unmasked = load ("{\"attention\": [[[[1, 2, 3], [0, 2, 1], [0, 1, 3]]]]}", TRUE);
  g_autoptr (HlExample) low = load ("{\"attention\": [[[[-200, 2, 3], [-200, 2, 1], [-200, 1, 3]]]]}", TRUE);

  assert_visible (causal, "x--xx-xxx");
  g_assert_true (says (causal, HL_SEVERITY_INFO, "looks causal"));
  assert_visible (old, "x--xx-xxx");
  assert_visible (end, "xx-xx-xx-");
  g_assert_true (says (end, HL_SEVERITY_INFO, "the last 1 keys: they are shown as masked"));
  assert_visible (begin, "-xx-xx-xx");
  assert_visible (both, "-----x---xx--xx-");
  assert_visible (unmasked, "xxxxxxxxx");
  /* Small is not masked. */
  const HlMask *mask = &hl_attention_get_rule (hl_example_get_attention (low, 0), 0)->mask;
  g_assert_false (hl_mask_hides (mask));
}

typedef gboolean (*SeesFunc) (guint layer, guint head, guint query, guint key);

static gboolean
sees_earlier (guint layer,
              guint head,
              guint query,
              guint key)
{
  return key <= query;
}

static gboolean
sees_later_in_one_head (guint layer,
                        guint head,
                        guint query,
                        guint key)
{
  return key <= query || (layer == 2 && head == 1);
}

/* As text with an image in it, whose tokens see one another (Gemma 3). */
static gboolean
sees_image (guint layer,
            guint head,
            guint query,
            guint key)
{
  return key <= query || (query >= 70 && query < 86 && key < 86);
}

/* So many layers of as many heads, with nothing but what @sees says in them; the last @n_blank rows are no numbers. */
static HlExample *
load_maps (guint    n_heads,
           guint    n,
           guint    n_blank,
           SeesFunc sees)
{
  g_autoptr (GString) text = g_string_new ("{\"attention\": [");

  for (guint map = 0; map < n_heads * n_heads; map++)
    {
      g_string_append (text, map == 0 ? "[[" : map % n_heads == 0 ? "], [[" : ", [");
      for (guint query = 0; query < n; query++)
        for (guint key = 0; key < n; key++)
          g_string_append_printf (text, "%s%s",
                                  key > 0     ? ","
                                  : query > 0 ? "],["
                                              : "[",
                                  query >= n - n_blank                              ? "NaN"
                                  : sees (map / n_heads, map % n_heads, query, key) ? "0.1"
                                                                                    : "0");
      g_string_append (text, "]]");
    }
  g_string_append (text, "]]}");
  return load (text->str, FALSE);
}

/* Where a file says nothing, one head that looks forward is enough, wherever it is, and so are some rows. */
static void
test_guessed (void)
{
  const struct
  {
    guint n_heads;
    guint n;
    guint n_blank;
    SeesFunc sees;
    gboolean is_causal;
  } cases[] = {
    { 4, 8, 0, sees_earlier, TRUE },  { 4, 8, 0, sees_later_in_one_head, FALSE },
    { 2, 96, 0, sees_earlier, TRUE }, { 2, 96, 20, sees_earlier, TRUE },
    { 2, 96, 0, sees_image, FALSE },  { 2, 96, 96, sees_earlier, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlExample) example = load_maps (cases[i].n_heads, cases[i].n, cases[i].n_blank, cases[i].sees);
      HlAttention *attention = hl_example_get_attention (example, 0);

      g_test_message ("case %u", i);
      g_assert_cmpint (says (example, HL_SEVERITY_INFO, "looks causal"), ==, cases[i].is_causal);
      g_assert_cmpint (hl_attention_get_rule (attention, 0)->mask.causal, ==, cases[i].is_causal);
    }
}

/* "-" for each cell of the maps of a lens that is masked, head by head. */
static void
assert_marked (HlExample    *example,
               const HlLens *lens,
               gsize         n_rows,
               gsize         n_columns,
               const char   *wanted)
{
  HlAttention *attention = hl_example_get_attention (example, 0);
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);
  g_autoptr (HlAttention) shown = NULL;
  g_autoptr (HlAttentionSource) source = NULL;
  g_autoptr (GString) found = g_string_new (NULL);
  HlLens whole = *lens;

  hl_head_set_add (&whole.heads, 0);
  hl_head_set_add (&whole.heads, 1);
  hl_layer_set_add (&whole.layers, 0);
  hl_lens_apply (&whole, attention, weights, &shown, &source);
  const HlMask *mask = hl_attention_source_get_mask (source, 0);
  for (guint head = 0; head < hl_attention_source_get_n_heads (source, 0); head++)
    {
      HlAttentionRequest request = {
        .head = head,
        .n_queries = hl_attention_source_get_n (source, HL_QUERIES),
        .n_keys = hl_attention_source_get_n (source, HL_KEYS),
        .n_rows = n_rows,
        .n_columns = n_columns,
        .marks_masked = TRUE,
      };
      g_autofree float *map = g_new (float, n_rows *n_columns);

      g_assert_true (hl_attention_source_read (source, &request, map, NULL, NULL));
      for (gsize i = 0; i < n_rows * n_columns; i++)
        g_string_append_c (found, hl_weight_is_masked (mask, map[i]) ? '-' : 'x');
      /* Who does not ask is not told. */
      request.marks_masked = FALSE;
      g_assert_true (hl_attention_source_read (source, &request, map, NULL, NULL));
      for (gsize i = 0; i < n_rows * n_columns; i++)
        g_assert_false (signbit (map[i]));
    }
  g_assert_cmpstr (found->str, ==, wanted);
}

/* −∞ anywhere, in another pattern in each head, is masked there; what is only small is not, though its weight is 0. What is made of cells
 * is masked where all of them are. */
static void
test_scattered (void)
{
  g_autoptr (HlExample) example = load ("{\"tokens\": [\"a\", \"b\", \"##c\", \"d\"], \"attention\": [["
                                        "[[1, -Infinity, -Infinity, 1], [-200, 1, 1, -Infinity],"
                                        " [-Infinity, 1, 1, -10000], [1, 1, -Infinity, 1]],"
                                        "[[1, -Infinity, 1, 1], [-Infinity, 1, 1, 1],"
                                        " [-Infinity, 1, 1, -Infinity], [-Infinity, -Infinity, -Infinity, -Infinity]]"
                                        "]]}",
                                        TRUE);
  const HlMask *mask = &hl_attention_get_rule (hl_example_get_attention (example, 0), 0)->mask;

  g_assert_false (hl_mask_hides (mask));
  assert_marked (example, &(HlLens){ 0 }, 4, 4, "x--xxxx--xx-xx-xx-xx-xxx-xx-----");
  assert_marked (example, &(HlLens){ 0 }, 4, 2, "xxxxxxxxxxxxxx--");
  assert_marked (example, &(HlLens){ 0 }, 2, 4, "xxxxxxxxxxxx-xx-");
  assert_marked (example, &(HlLens){ .direction = HL_DIRECTION_TRANSPOSED }, 4, 4, "xx-x-xxx-xx-x--xx----xx-xxx-xx--");
  for (HlCombine combine = HL_COMBINE_MEAN; combine <= HL_COMBINE_SUM; combine++)
    assert_marked (example, &(HlLens){ .combine = combine }, 4, 4, "x-xxxxxx-xx-xx-x");
  /* b ##c is one word: as a key it is hidden where both pieces are, as a query likewise. */
  assert_marked (example, &(HlLens){ .words = TRUE }, 3, 3, "x-xxx-xxxxxx-xx---");
  assert_marked (example, &(HlLens){ .quantity = HL_QUANTITY_RESIDUAL }, 4, 4, "x--xxxx--xx-xx-xx-xx-xxx-xx----x");
  assert_marked (example, &(HlLens){ .quantity = HL_QUANTITY_ROLLOUT }, 4, 4, "xxxxxxxxxxxxxxxx");
}

#define PADDED "\"attention\": [[[[0.5, 0.5, 0], [0.25, 0.75, 0], [0.5, 0.5, 0]]]]"

/* Masks are looked at in a file that does not say its version, as `{"attention": …}` of a few lines of Python; those of version 1 knew none. */
static void
test_version (void)
{
  g_autoptr (HlExample) unsaid = load ("{" PADDED ", \"key_mask\": [1, 1, 0]}", FALSE);
  g_autoptr (HlExample) other = load ("{\"version\": \"4.40.0\", " PADDED ", \"key_mask\": [1, 1, 0]}", FALSE);
  g_autoptr (HlExample) first = load ("{\"version\": 1, " PADDED ", \"key_mask\": [1, 1, 0]}", FALSE);
  g_autoptr (HlExample) bits = load ("{" PADDED ", \"mask\": [[3], [3], [3]]}", FALSE);
  g_autoptr (HlExample) wrong = load ("{" PADDED ", \"key_mask\": [1, 0, 1]}", FALSE);
  g_autoptr (HlExample) misfit = load ("{" PADDED ", \"mask\": [1, 1, 0]}", FALSE);

  assert_visible (unsaid, "xx-xx-xx-");
  assert_visible (other, "xx-xx-xx-");
  g_assert_true (says (unsaid, HL_SEVERITY_INFO, "the last 1 keys: they are shown as masked"));
  g_assert_false (hl_mask_hides (&hl_attention_get_rule (hl_example_get_attention (first, 0), 0)->mask));
  g_assert_false (says (first, HL_SEVERITY_INFO, "masked"));
  g_assert_true (says (bits, HL_SEVERITY_INFO, "a mask of single cells"));
  g_assert_true (hl_attention_get_rule (hl_example_get_attention (bits, 0), 0)->mask.scattered);
  g_assert_true (says (wrong, HL_SEVERITY_WARNING, "“key_mask” hides keys that queries attend to; it is left out"));
  g_assert_true (says (misfit, HL_SEVERITY_WARNING, "“mask” is 3"));
}

/* Two heads of the last queries of a text behind padding, of which @seen has a 0, as an eager model makes them: a query of padding, which sees no
 * key, has the same weight on all of them. */
static char *
write_padded (const char *seen,
              gsize       first_query,
              gsize       n_queries)
{
  const gsize n = strlen (seen);
  g_autoptr (GString) head = g_string_new ("[");

  for (gsize query = first_query; query < first_query + n_queries; query++)
    {
      gsize n_seen = 0;

      for (gsize key = 0; key <= query; key++)
        n_seen += seen[key] == '1';
      for (gsize key = 0; key < n; key++)
        g_string_append_printf (head, "%s%.9g",
                                key > 0               ? ","
                                : query > first_query ? "],["
                                                      : "[",
                                seen[query] == '0'                 ? 1 / (double) n
                                : key <= query && seen[key] == '1' ? 1 / (double) n_seen
                                                                   : 0);
    }
  g_string_append (head, "]]");
  return g_strdup_printf ("[[%s, %s]]", head->str, head->str);
}

/* As many rows as keys, with other members of the file. */
static HlExample *
load_padded (const char *seen,
             const char *members)
{
  g_autofree char *maps = write_padded (seen, 0, strlen (seen));
  g_autofree char *text = g_strdup_printf ("{%s, \"attention\": %s}", members, maps);

  return load (text, FALSE);
}

static void
assert_padding (HlExample *example,
                gboolean   causal,
                guint64    first_key,
                guint64    end_key)
{
  const HlMask *mask = &hl_attention_get_rule (hl_example_get_attention (example, 0), 0)->mask;

  g_assert_cmpint (mask->causal, ==, causal);
  g_assert_cmpuint (mask->first_key, ==, first_key);
  g_assert_cmpuint (mask->end_key, ==, end_key);
  g_assert_false (says (example, HL_SEVERITY_WARNING, ""));
}

static void
assert_left_out (HlExample  *example,
                 const char *name)
{
  g_autofree char *sentence = g_strdup_printf ("“%s” hides keys that queries attend to; it is left out", name);

  g_assert_true (says (example, HL_SEVERITY_WARNING, sentence));
  g_assert_cmpuint (hl_attention_get_rule (hl_example_get_attention (example, 0), 0)->mask.first_key, ==, 0);
}

/* What stands at a hidden key is padding: what it attends to tells nothing of the text, be it said or not that the text is causal. */
static void
test_left (void)
{
  static const struct
  {
    const char *seen;
    const char *members;
    gboolean causal;
    guint64 first_key;
    guint64 end_key;
  } cases[] = {
    { "001111", "\"causal\": 1, \"key_mask\": [0, 0, 1, 1, 1, 1]", TRUE, 2, 0 },
    { "001111", "\"key_mask\": [0, 0, 1, 1, 1, 1]", TRUE, 2, 0 },
    { "011110", "\"causal\": 1, \"key_mask\": [0, 1, 1, 1, 1, 0]", TRUE, 1, 5 },
    { "111100", "\"key_mask\": [1, 1, 1, 1, 0, 0]", TRUE, 0, 4 },
    { "111111", "\"key_mask\": [1, 1, 1, 1, 1, 1]", TRUE, 0, 0 },
    /* of two tokens none need be later than another */
    { "000011", "\"key_mask\": [0, 0, 0, 0, 1, 1]", FALSE, 4, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("case %u", i);
      g_autoptr (HlExample) example = load_padded (cases[i].seen, cases[i].members);

      assert_padding (example, cases[i].causal, cases[i].first_key, cases[i].end_key);
    }
}

/* What queries that are no padding attend to does contradict a mask, and all queries do that see nothing. */
static void
test_contradicted (void)
{
  g_autoptr (HlExample) inside = load_padded ("001111", "\"key_mask\": [0, 0, 0, 1, 1, 1]");
  g_autoptr (HlExample) turned = load_padded ("001111", "\"key_mask\": [1, 1, 0, 0, 0, 0]");
  g_autoptr (HlExample) all = load_padded ("001111", "\"key_mask\": [0, 0, 0, 0, 0, 0]");
  g_autoptr (HlExample)
    forward = load ("{\"causal\": 1, \"key_mask\": [0, 1, 1, 1], \"attention\": [[[[0.25, 0.25, 0.25, 0.25], "
                    "[0, 0.5, 0.5, 0], [0, 0.5, 0.5, 0], [0, 0, 0, 1]]]]}",
                    FALSE);

  assert_left_out (inside, "key_mask");
  assert_left_out (turned, "key_mask");
  assert_left_out (all, "key_mask");
  g_assert_true (says (forward, HL_SEVERITY_WARNING, "attribute “causal” is 1, but queries attend to keys"));
  g_assert_true (says (forward, HL_SEVERITY_INFO, "the first 1 keys"));
}

/* Padding that is longer than what is looked at hides nothing that stands before or behind it. */
static void
test_far (void)
{
  g_autofree char *zeros = g_strnfill (100, '0');
  g_autofree char *ones = g_strnfill (100, '1');
  g_autofree char *left = g_strconcat (zeros, ones, NULL);
  g_autofree char *right = g_strconcat (ones, zeros, NULL);
  const char *seen[] = { left, right };

  for (guint i = 0; i < G_N_ELEMENTS (seen); i++)
    for (guint wrong = 0; wrong < 2; wrong++)
      {
        g_autoptr (GString) members = g_string_new (i == 0 ? "\"causal\": 1, \"key_mask\": [" : "\"key_mask\": [");

        /* A key that only its own query and a few behind it attend to. */
        for (guint key = 0; key < 200; key++)
          g_string_append_printf (members, "%s%c", key > 0 ? "," : "",
                                  wrong && key == (i == 0 ? 120 : 90) ? '0' : seen[i][key]);
        g_string_append_c (members, ']');
        g_autoptr (HlExample) example = load_padded (seen[i], members->str);
        if (wrong)
          assert_left_out (example, "key_mask");
        else
          assert_padding (example, TRUE, i == 0 ? 100 : 0, i == 0 ? 0 : 100);
      }
}

/* Where queries are fewer than keys, they stand where the file says, or at the end; in cross attention at no key. */
static void
test_part (void)
{
  g_autofree char *last = write_padded ("001111", 3, 3);
  g_autofree char *one = write_padded ("001111", 5, 1);
  g_autofree char *middle = write_padded ("001111", 1, 3);
  g_autofree char *none = write_padded ("001111", 0, 2);
  g_autofree char *texts[] = {
    g_strdup_printf ("{\"causal\": 1, \"key_mask\": [0, 0, 1, 1, 1, 1], \"attention\": %s}", last),
    g_strdup_printf ("{\"causal\": 1, \"key_mask\": [0, 0, 1, 1, 1, 1], \"attention\": %s}", one),
    g_strdup_printf ("{\"causal\": 1, \"query_offset\": 1, \"key_mask\": [0, 0, 1, 1, 1, 1], \"attention\": %s}",
                     middle),
    g_strdup_printf ("{\"causal\": 1, \"query_offset\": 0, \"key_mask\": [0, 0, 1, 1, 1, 1], \"attention\": %s}", none),
    g_strdup_printf ("{\"key_mask\": [0, 0, 1, 1, 1, 1], \"attention\": %s}", one),
    g_strdup_printf ("{\"causal\": 1, \"key_mask\": [0, 0, 1, 1, 1, 1], \"attention\": %s}", middle),
    g_strdup ("{\"cross_key_mask\": [0, 1, 1, 1], \"cross_attention\": [[[[0.25, 0.25, 0.25, 0.25], [0, 0.5, 0.5, 0], "
              "[0, 0.5, 0.5, 0], [0, 0, 0, 1]]]]}"),
    NULL,
  };

  for (guint i = 0; texts[i] != NULL; i++)
    {
      g_test_message ("case %u", i);
      g_autoptr (HlExample) example = load (texts[i], FALSE);

      if (i < 5)
        assert_padding (example, i < 4, 2, 0);
      else
        assert_left_out (example, i == 6 ? "cross_key_mask" : "key_mask");
      g_clear_pointer (&texts[i], g_free);
    }
}

/* Which rows and columns a mask leaves, whichever way round the map is. */
static void
test_mask (void)
{
  const HlMask mask = { .causal = TRUE, .first_key = 1, .end_key = 3 };
  const HlMask turned = { .causal = TRUE, .transposed = TRUE, .first_key = 1, .end_key = 3 };

  for (gsize query = 0; query < 4; query++)
    for (gsize key = 0; key < 4; key++)
      {
        const gboolean wanted = key <= query && key >= 1 && key < 3;
        g_assert_cmpint (hl_mask_is_visible (&mask, 4, 4, query, key), ==, wanted);
        g_assert_cmpint (hl_mask_is_visible (&turned, 4, 4, key, query), ==, wanted);
      }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/held/words", test_words);
  g_test_add_func ("/held/not-words", test_not_words);
  g_test_add_func ("/held/two-lists", test_two_lists);
  g_test_add_func ("/held/one-string", test_one_string);
  g_test_add_func ("/held/scores", test_scores);
  g_test_add_func ("/held/guessed", test_guessed);
  g_test_add_func ("/held/scattered", test_scattered);
  g_test_add_func ("/held/version", test_version);
  g_test_add_func ("/held/left", test_left);
  g_test_add_func ("/held/contradicted", test_contradicted);
  g_test_add_func ("/held/far", test_far);
  g_test_add_func ("/held/part", test_part);
  g_test_add_func ("/held/mask", test_mask);
  return g_test_run ();
}
