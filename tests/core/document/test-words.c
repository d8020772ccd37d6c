/* SPDX-License-Identifier: MIT */
/* Maps between words, and with tokens hidden: against NumPy's, against plain loops, in parts, pooled, masked. */
#include "core/document/tokens/hl-token-words.h"
#include "core/source/derive/hl-cumulative-source.h"
#include "core/source/derive/hl-group-source.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"

#include "test-attentions.h"
#include "test-dumps.h"

#include <json-glib/json-glib.h>
#include <math.h>

static HlAttention *
load_attention (const char *name,
                const char *attention_name)
{
  g_autofree char *path = g_build_filename ("fixtures", "words", NULL);
  g_autoptr (GFile) file = test_get_file (path, name);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  HlAttentionKind kind;

  g_assert_no_error (error);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (hl_attention_kind_from_name (attention_name, &kind));
  return g_object_ref (hl_example_find_attention (example, kind));
}

static void
assert_strings (const char *const *given,
                JsonArray         *wanted)
{
  g_assert_cmpuint (g_strv_length ((char **) given), ==, json_array_get_length (wanted));
  for (guint i = 0; given[i] != NULL; i++)
    g_assert_cmpstr (given[i], ==, json_array_get_string_element (wanted, i));
}

/* tests/fixtures/make-words.py wrote what is expected. */
static void
check_case (JsonObject *one)
{
  g_autoptr (HlAttention) attention =
    load_attention (json_object_get_string_member (one, "file"), json_object_get_string_member (one, "block"));
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlAttentionSource) shown = NULL;
  g_autoptr (HlAttention) shown_attention = NULL;
  HlTokenSet *hidden[2];
  g_autoptr (GError) error = NULL;
  JsonArray *layers = json_object_get_array_member (one, "weights");
  const gboolean words = json_object_get_boolean_member (one, "words");

  g_assert_true (hl_token_sets_parse (json_object_get_string_member (one, "hidden"), hidden));
  g_autoptr (HlTokenSet) queries = hidden[HL_QUERIES];
  g_autoptr (HlTokenSet) keys = hidden[HL_KEYS];
  const HlLens lens = {
    .words = words,
    .hide_special = json_object_get_boolean_member (one, "hide_special"),
    .hide_first = json_object_get_boolean_member (one, "hide_first"),
    .hidden = { queries, keys },
    .renormalise = json_object_get_boolean_member (one, "renormalise"),
  };
  hl_lens_apply (&lens, attention, source, &shown_attention, &shown);
  assert_strings (words ? hl_attention_get_texts (shown_attention, HL_QUERIES)
                        : hl_attention_get_tokens (shown_attention, HL_QUERIES),
                  json_object_get_array_member (one, "queries"));
  assert_strings (words ? hl_attention_get_texts (shown_attention, HL_KEYS)
                        : hl_attention_get_tokens (shown_attention, HL_KEYS),
                  json_object_get_array_member (one, "keys"));

  for (guint layer = 0; layer < json_array_get_length (layers); layer++)
    {
      JsonArray *heads = json_array_get_array_element (layers, layer);
      for (guint head = 0; head < json_array_get_length (heads); head++)
        {
          JsonArray *rows = json_array_get_array_element (heads, head);
          g_autofree float *weights = hl_attention_source_read_head (shown, layer, head, NULL, &error);
          const gsize n_keys = hl_attention_get_n (shown_attention, HL_KEYS);

          g_assert_no_error (error);
          g_assert_cmpuint (json_array_get_length (rows), ==, hl_attention_get_n (shown_attention, HL_QUERIES));
          for (guint i = 0; i < json_array_get_length (rows); i++)
            for (guint j = 0; j < n_keys; j++)
              g_assert_cmpfloat_with_epsilon (weights[i * n_keys + j],
                                              json_array_get_double_element (json_array_get_array_element (rows, i), j),
                                              1e-6);
        }
    }
}

static void
test_numpy (void)
{
  g_autofree char *path = g_build_filename ("fixtures", "words", NULL);
  g_autoptr (GFile) file = test_get_file (path, "expected.json");
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();

  g_assert_true (json_parser_load_from_file (parser, g_file_peek_path (file), NULL));
  JsonArray *cases = json_node_get_array (json_parser_get_root (parser));
  g_assert_cmpuint (json_array_get_length (cases), >, 30);
  for (guint i = 0; i < json_array_get_length (cases); i++)
    {
      g_test_message ("case %u", i);
      check_case (json_array_get_object_element (cases, i));
    }
}

/* Spans of random lengths with random gaps. */
static HlTokenMap *
make_map (GRand *rand,
          gsize  n)
{
  g_auto (GStrv) tokens = g_new0 (char *, n + 1);
  g_autofree guint8 *hidden = g_new0 (guint8, n);

  for (gsize i = 0; i < n; i++)
    {
      tokens[i] = g_strdup (g_rand_int_range (rand, 0, 3) == 0 ? "##s" : "word");
      hidden[i] = i > 0 && i + 1 < n && g_rand_int_range (rand, 0, 5) == 0;
    }
  g_free (tokens[n - 1]);
  tokens[n - 1] = g_strdup ("end");
  g_autoptr (HlTokenMap) words = hl_token_words_make_map ((const char *const *) tokens, n, 0, n);
  return hl_token_map_hide (words, hidden);
}

/* The same by the definition, in double. */
static void
group_plainly (const float      *weights,
               gsize             n_keys,
               const HlTokenMap *queries,
               const HlTokenMap *keys,
               gboolean          renormalise,
               double           *target)
{
  const gsize n = hl_token_map_get_n (keys);

  for (gsize i = 0; i < hl_token_map_get_n (queries); i++)
    {
      const HlTokenSpan query = hl_token_map_get_spans (queries)[i];
      double total = 0;
      for (gsize j = 0; j < n; j++)
        {
          const HlTokenSpan key = hl_token_map_get_spans (keys)[j];
          double sum = 0;
          for (gsize q = query.first; q < query.first + query.n; q++)
            for (gsize k = key.first; k < key.first + key.n; k++)
              sum += weights[q * n_keys + k];
          target[i * n + j] = sum / query.n;
          total += target[i * n + j];
        }
      for (gsize j = 0; renormalise && total > 0 && j < n; j++)
        target[i * n + j] /= total;
    }
}

/* Any part of any map, whatever is asked of it; rows sum to 1 where they must. */
static void
test_properties (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);

  for (guint round = 0; round < 60; round++)
    {
      const gsize n_queries = g_rand_int_range (rand, 2, 40), n_keys = g_rand_int_range (rand, 2, 40);
      const gboolean renormalise = round % 2;
      g_autofree float *weights = test_make_weights (round, 1, n_queries, n_keys);
      g_autoptr (HlAttention) attention = test_make_attention (1, 1, n_queries, n_keys, weights);
      g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
      g_autoptr (HlTokenMap) queries = make_map (rand, n_queries);
      g_autoptr (HlTokenMap) keys = round % 3 == 0 ? hl_token_map_new_each (n_keys) : make_map (rand, n_keys);
      g_autoptr (HlAttentionSource) grouped = hl_group_source_new (source, queries, keys, renormalise);
      const gsize n_rows = hl_token_map_get_n (queries), n_columns = hl_token_map_get_n (keys);
      g_autofree double *wanted = g_new (double, n_rows *n_columns);
      g_autoptr (GError) error = NULL;
      HlAttentionRequest request = { 0 };

      group_plainly (weights, n_keys, queries, keys, renormalise, wanted);
      request.first_query = (gsize) g_rand_int_range (rand, 0, (int) n_rows);
      request.n_queries = request.n_rows = (gsize) g_rand_int_range (rand, 1, (int) (n_rows - request.first_query) + 1);
      request.first_key = (gsize) g_rand_int_range (rand, 0, (int) n_columns);
      request.n_keys = request.n_columns =
        (gsize) g_rand_int_range (rand, 1, (int) (n_columns - request.first_key) + 1);
      g_autofree float *part = g_new (float, request.n_queries *request.n_keys);
      g_assert_true (hl_attention_source_read (grouped, &request, part, NULL, &error));
      g_assert_no_error (error);
      for (gsize i = 0; i < request.n_queries; i++)
        for (gsize j = 0; j < request.n_keys; j++)
          g_assert_cmpfloat_with_epsilon (part[i * request.n_keys + j],
                                          wanted[(request.first_query + i) * n_columns + request.first_key + j], 1e-6);

      /* Every key is in a word, or rows were renormalised. */
      g_autofree float *whole = hl_attention_source_read_head (grouped, 0, 0, NULL, &error);
      g_assert_no_error (error);
      for (gsize i = 0; i < n_rows && (renormalise || round % 3 == 0); i++)
        {
          double sum = 0;
          for (gsize j = 0; j < n_columns; j++)
            sum += whole[i * n_columns + j];
          g_assert_cmpfloat_with_epsilon (sum, 1, 1e-5);
        }
    }
}

/* More numbers than are held at a time, and pooled. */
static void
test_large (void)
{
  enum
  {
    N = 1500,
    BINS = 37
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autofree float *weights = test_make_weights (9, 1, N, N);
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, N, N, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlTokenMap) map = make_map (rand, N);
  g_autoptr (HlAttentionSource) grouped = hl_group_source_new (source, map, map, TRUE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  const gsize n = hl_token_map_get_n (map);
  g_autofree double *wanted = g_new (double, n *n);
  g_autofree float *whole = hl_attention_source_read_head (grouped, 0, 0, NULL, &error);
  g_autofree float *pooled = g_new (float, BINS *BINS);
  const HlAttentionRequest request = { .n_queries = n, .n_keys = n, .n_rows = BINS, .n_columns = BINS };

  g_assert_no_error (error);
  group_plainly (weights, N, map, map, TRUE, wanted);
  for (gsize i = 0; i < n * n; i++)
    g_assert_cmpfloat_with_epsilon (whole[i], wanted[i], 1e-6);
  g_assert_true (hl_attention_source_read (grouped, &request, pooled, NULL, &error));
  for (gsize i = 0; i < BINS; i++)
    for (gsize j = 0; j < BINS; j++)
      {
        float largest = 0;
        for (gsize q = i * n / BINS; q < (i + 1) * n / BINS; q++)
          for (gsize k = j * n / BINS; k < (j + 1) * n / BINS; k++)
            largest = MAX (largest, whole[q * n + k]);
        g_assert_cmpfloat (pooled[i * BINS + j], ==, largest);
      }

  g_cancellable_cancel (cancellable);
  g_assert_null (hl_attention_source_read_head (grouped, 0, 0, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_odd_numbers (void)
{
  static const float weights[] = { 0, 0, 0, 0.5f, NAN, 0.25f, 1, 0, 0, 0.5f, 0.25f, INFINITY };
  static const guint8 first[] = { 1, 0, 0 };
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, 4, 3, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlTokenMap) each = hl_token_map_new_each (3);
  g_autoptr (HlTokenMap) queries = hl_token_map_new_each (4);
  g_autoptr (HlTokenMap) keys = hl_token_map_hide (each, first);
  g_autoptr (HlAttentionSource) grouped = hl_group_source_new (source, queries, keys, TRUE);
  g_autoptr (GError) error = NULL;
  g_autofree float *shown = hl_attention_source_read_head (grouped, 0, 0, NULL, &error);

  g_assert_no_error (error);
  /* A row that was all zeros, and one whose whole weight is hidden: zeros, never NaN. */
  g_assert_cmpfloat (shown[0], ==, 0);
  g_assert_cmpfloat (shown[1], ==, 0);
  g_assert_true (isnan (shown[2]));
  g_assert_cmpfloat (shown[3], ==, 1);
  g_assert_cmpfloat (shown[4], ==, 0);
  g_assert_cmpfloat (shown[5], ==, 0);
  /* What is infinite takes nothing from the others. */
  g_assert_cmpfloat (shown[6], ==, 1);
  g_assert_cmpfloat (shown[7], ==, INFINITY);
  g_assert_cmpstr (hl_attention_source_get_quantity (grouped), ==, "attention weight, rows renormalised");
}

/* The rule of the mask says of words what the weights are; or it says nothing. */
static void
test_masks (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);

  for (guint round = 0; round < 40; round++)
    {
      const gsize n_keys = g_rand_int_range (rand, 3, 30);
      const gsize n_queries = round % 2 ? n_keys : (gsize) g_rand_int_range (rand, 2, (int) n_keys + 1);
      const HlMask causal = { .causal = TRUE };
      g_autofree float *weights = g_new0 (float, n_queries *n_keys);
      g_autoptr (HlTokenMap) keys = make_map (rand, n_keys);
      g_autoptr (HlTokenMap) queries = round % 4 == 1 ? hl_token_map_ref (keys) : make_map (rand, n_queries);

      for (gsize i = 0; i < n_queries; i++)
        for (gsize j = 0; j < n_keys; j++)
          weights[i * n_keys + j] = hl_mask_is_visible (&causal, n_queries, n_keys, i, j);
      g_autoptr (HlAttention)
        attention = test_make_attention_full (1, 1, n_queries, n_keys, weights, NULL, NULL, n_keys, 0, causal);
      g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
      g_autoptr (HlAttentionSource) grouped = hl_group_source_new (source, queries, keys, FALSE);
      g_autofree float *shown = hl_attention_source_read_head (grouped, 0, 0, NULL, NULL);
      const HlMask *mask = hl_attention_source_get_mask (grouped, 0);
      const gsize n_rows = hl_token_map_get_n (queries), n_columns = hl_token_map_get_n (keys);

      g_assert_true (round % 4 != 1 || mask->causal);
      for (gsize i = 0; mask->causal && i < n_rows; i++)
        for (gsize j = 0; j < n_columns; j++)
          g_assert_cmpint (shown[i * n_columns + j] > 0, ==, hl_mask_is_visible (mask, n_rows, n_columns, i, j));
    }
}

/* Whatever a rule hides is hidden of words and of what is left, be it by the rule that is left or cell by cell. */
static void
test_marks (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);

  for (guint round = 0; round < 200; round++)
    {
      const gsize n_keys = g_rand_int_range (rand, 3, 30), n_queries = g_rand_int_range (rand, 2, 30);
      const HlMask mask = {
        .causal = round % 2,
        .window = round % 3 == 0 ? g_rand_int_range (rand, 1, 6) : 0,
        .chunk = round % 5 == 0 ? g_rand_int_range (rand, 1, 6) : 0,
        .shift = round % 7 == 0 ? g_rand_int_range (rand, -3, 4) : 0,
        .first_key = round % 4 == 0 ? g_rand_int_range (rand, 0, (int) n_keys) : 0,
        .end_key = round % 6 == 0 ? g_rand_int_range (rand, 1, (int) n_keys + 1) : 0,
      };
      g_autofree float *weights = g_new0 (float, n_queries *n_keys);
      g_autoptr (HlTokenMap) keys = make_map (rand, n_keys);
      g_autoptr (HlTokenMap) queries = make_map (rand, n_queries);
      g_autoptr (HlAttention)
        attention = test_make_attention_full (1, 1, n_queries, n_keys, weights, NULL, NULL, n_keys, 0, mask);
      g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
      g_autoptr (HlAttentionSource) grouped = hl_group_source_new (source, queries, keys, round % 8 == 1);
      const gsize n_rows = hl_token_map_get_n (queries), n_columns = hl_token_map_get_n (keys);
      const HlMask *left = hl_attention_source_get_mask (grouped, 0);
      HlAttentionRequest request = { .n_queries = n_rows, .n_rows = n_rows, .marks_masked = TRUE };

      request.first_key = (gsize) g_rand_int_range (rand, 0, (int) n_columns);
      request.n_keys = request.n_columns = n_columns - request.first_key;
      g_autofree float *marked = g_new (float, n_rows *request.n_keys);
      g_assert_true (hl_attention_source_read (grouped, &request, marked, NULL, NULL));
      for (gsize i = 0; i < n_rows; i++)
        for (gsize j = request.first_key; j < n_columns; j++)
          {
            const HlTokenSpan query = hl_token_map_get_spans (queries)[i], key = hl_token_map_get_spans (keys)[j];
            gboolean is_seen = FALSE;

            for (gsize q = query.first; q < query.first + query.n; q++)
              for (gsize k = key.first; k < key.first + key.n; k++)
                is_seen |= hl_mask_is_visible (&mask, n_queries, n_keys, q, k);
            g_assert_cmpint (is_seen, ==,
                             hl_mask_is_visible (left, n_rows, n_columns, i, j) &&
                               !hl_weight_is_masked (left, marked[i * request.n_keys + j - request.first_key]));
          }
    }
}

static void
test_lens (void)
{
  g_autoptr (HlAttention) attention = load_attention ("bert.h5", "attention");
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlTokenSet) all = hl_token_set_change (NULL, 0, 17, TRUE);
  const HlLens words = { .words = TRUE, .hide_special = TRUE, .direction = HL_DIRECTION_TRANSPOSED };
  const HlLens nothing = { .hidden = { all, all }, .renormalise = TRUE };
  g_autoptr (HlAttention) shown_attention = NULL;
  g_autoptr (HlAttentionSource) shown = NULL;

  hl_lens_apply (&words, attention, source, &shown_attention, &shown);
  g_assert_cmpuint (hl_attention_get_n (shown_attention, HL_QUERIES), ==, 9);
  g_assert_cmpuint (hl_attention_get_n_used (shown_attention, HL_QUERIES), ==, 9);
  /* "she" begins the second text. */
  g_assert_cmpuint (hl_attention_get_sentence_b_start (shown_attention), ==, 5);
  g_assert_cmpstr (hl_attention_get_texts (shown_attention, HL_QUERIES)[1], ==, "unbelievable");
  g_assert_cmpuint (hl_attention_get_position (shown_attention, HL_QUERIES, 1), ==, 2);
  g_assert_cmpuint (hl_attention_get_position (shown_attention, HL_KEYS, 2), ==, 5);
  g_assert_true (hl_attention_is_transposed (shown_attention));
  g_clear_object (&shown_attention);
  g_clear_object (&shown);

  /* The last token stays: without any, nothing could be seen or brought back. */
  hl_lens_apply (&nothing, attention, source, &shown_attention, &shown);
  g_assert_true (shown_attention == attention);
  g_assert_true (shown == source);
}

/* Of every row, the sum of what is no greater, by its total. */
static void
test_cumulative (void)
{
  enum
  {
    N = 23,
    BINS = 5
  };
  g_autofree float *weights = test_make_weights (7, 1, N, N);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 4; i++)
    weights[3 * N + i] = 0.125f;
  for (guint i = 0; i < N; i++)
    weights[5 * N + i] = 0;
  weights[6 * N + 2] = NAN;
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, N, N, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlAttentionSource) cumulative = hl_cumulative_source_new (source);
  g_autofree float *shown = hl_attention_source_read_head (cumulative, 0, 0, NULL, &error);
  g_assert_no_error (error);
  for (gsize query = 0; query < N; query++)
    for (gsize key = 0; key < N; key++)
      {
        const float weight = weights[query * N + key];
        double total = 0, held = 0;
        for (gsize other = 0; other < N; other++)
          if (!isnan (weights[query * N + other]))
            {
              total += weights[query * N + other];
              held += weights[query * N + other] <= weight ? weights[query * N + other] : 0;
            }
        if (isnan (weight))
          g_assert_true (isnan (shown[query * N + key]));
        else
          g_assert_cmpfloat_with_epsilon (shown[query * N + key], total > 0 ? held / total : 0, 1e-6);
      }

  /* A part of rows, pooled: the places are those in whole rows. */
  const HlAttentionRequest request = {
    .first_query = 7, .n_queries = 10, .first_key = 2, .n_keys = 15, .n_rows = BINS, .n_columns = BINS
  };
  float pooled[BINS * BINS];
  g_assert_true (hl_attention_source_read (cumulative, &request, pooled, NULL, &error));
  for (gsize i = 0; i < BINS; i++)
    for (gsize j = 0; j < BINS; j++)
      {
        float largest = 0;
        for (gsize q = 7 + i * 2; q < 7 + (i + 1) * 2; q++)
          for (gsize k = 2 + j * 3; k < 2 + (j + 1) * 3; k++)
            largest = MAX (largest, shown[q * N + k]);
        g_assert_cmpfloat (pooled[i * BINS + j], ==, largest);
      }
}

static void
test_sets (void)
{
  static const char *const bad[] = {
    "x", "1,", ",", "-1", "1-", "2-1", "q", "k", "qk1", "1 2", "99999999999999", "1.5"
  };
  HlTokenSet *sets[2];
  gsize n;

  g_assert_true (hl_token_sets_parse ("5,0, 4-6,q9,k2-3", sets));
  g_autoptr (HlTokenSet) queries = sets[HL_QUERIES];
  g_autoptr (HlTokenSet) keys = sets[HL_KEYS];
  g_autofree char *text = hl_token_sets_format (sets);
  g_assert_cmpstr (text, ==, "q0,q4-6,q9,k0,k2-6");
  g_assert_true (hl_token_set_contains (queries, 9));
  g_assert_false (hl_token_set_contains (keys, 9));
  g_assert_false (hl_token_set_contains (NULL, 0));
  g_assert_true (hl_token_set_contains (keys, 6));
  g_assert_false (hl_token_set_contains (keys, 7));
  g_assert_cmpuint (hl_token_set_get_spans (keys, &n)[1].first, ==, 2);
  g_assert_cmpuint (n, ==, 2);

  g_autoptr (HlTokenSet) less = hl_token_set_change (keys, 3, 2, FALSE);
  g_autofree char *less_text = hl_token_sets_format ((HlTokenSet *const[]){ less, less });
  g_assert_cmpstr (less_text, ==, "0,2,5-6");
  g_autoptr (HlTokenSet) more = hl_token_set_change (less, 3, 2, TRUE);
  g_assert_true (hl_token_set_equal (more, keys));
  g_assert_null (hl_token_set_change (less, 0, 7, FALSE));

  g_autoptr (HlTokenSet) sorted = hl_token_set_new_sorted ((const gsize[]){ 0, 2, 2, 5, 6 }, 5);
  g_assert_true (hl_token_set_equal (sorted, less));
  g_assert_null (hl_token_set_new_sorted (NULL, 0));
  g_autoptr (HlTokenSet) inner = hl_token_set_change (NULL, 1, 4, TRUE);
  g_autoptr (HlTokenSet) both = hl_token_set_unite (queries, inner);
  g_autoptr (HlTokenSet) turned = hl_token_set_unite (inner, queries);
  g_autofree char *both_text = hl_token_sets_format ((HlTokenSet *const[]){ both, turned });
  g_assert_cmpstr (both_text, ==, "0-6,9");
  g_autoptr (HlTokenSet) alone = hl_token_set_unite (NULL, less);
  g_assert_true (hl_token_set_equal (alone, less));
  g_assert_null (hl_token_set_unite (NULL, NULL));

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      HlTokenSet *none[2];
      g_test_message ("“%s”", bad[i]);
      g_assert_false (hl_token_sets_parse (bad[i], none));
    }
  g_assert_true (hl_token_sets_parse ("", sets));
  g_assert_null (sets[HL_QUERIES]);
  g_assert_null (sets[HL_KEYS]);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/words/numpy", test_numpy);
  g_test_add_func ("/words/properties", test_properties);
  g_test_add_func ("/words/large", test_large);
  g_test_add_func ("/words/odd-numbers", test_odd_numbers);
  g_test_add_func ("/words/masks", test_masks);
  g_test_add_func ("/words/marks", test_marks);
  g_test_add_func ("/words/lens", test_lens);
  g_test_add_func ("/words/sets", test_sets);
  g_test_add_func ("/words/cumulative", test_cumulative);

  return g_test_run ();
}
