/* SPDX-License-Identifier: MIT */
/* What is derived of maps: against NumPy's numbers and against the plainest loops, by parts, pooled and in bands; what attends to what in it. */
#include "test-attentions.h"
#include "test-dumps.h"

#include "core/base/hl-error.h"
#include "core/source/derive/hl-combine-source.h"
#include "core/source/derive/hl-filter-source.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"

#include <json-glib/json-glib.h>
#include <math.h>

static HlAttention *
load_attention (const char *name,
                const char *attention_name)
{
  g_autoptr (GFile) file = test_get_file ("fixtures", name);
  g_autoptr (GError) error = NULL;
  g_autoptr (HlDocument) document = hl_document_load (file, NULL, NULL, &error);
  HlAttentionKind kind;

  g_assert_no_error (error);
  g_autoptr (HlExample) example = hl_document_get_example (document, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (hl_attention_kind_from_name (attention_name, &kind));
  return g_object_ref (hl_example_find_attention (example, kind));
}

static int
get_nick (GType       type,
          JsonObject *object,
          const char *member)
{
  g_autoptr (GEnumClass) klass = g_type_class_ref (type);

  return g_enum_get_value_by_nick (klass, json_object_get_string_member (object, member))->value;
}

/* The numbers of a list, or all. */
static void
read_set (JsonObject *object,
          const char *member,
          guint       n,
          guint64    *bits)
{
  JsonNode *node = json_object_get_member (object, member);

  for (guint i = 0; JSON_NODE_HOLDS_NULL (node) && i < n; i++)
    hl_bits_add (bits, i);
  for (guint i = 0; !JSON_NODE_HOLDS_NULL (node) && i < json_array_get_length (json_node_get_array (node)); i++)
    hl_bits_add (bits, (guint) json_array_get_int_element (json_node_get_array (node), i));
}

static void
check_numpy (JsonObject *one)
{
  g_autoptr (HlAttention) attention =
    load_attention (json_object_get_string_member (one, "file"), json_object_get_string_member (one, "block"));
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlAttention) shown = NULL;
  g_autoptr (HlAttentionSource) made = NULL;
  g_autoptr (GError) error = NULL;
  JsonArray *shape = json_object_get_array_member (one, "shape");
  JsonArray *expected = json_object_get_array_member (one, "map");
  const guint layer = (guint) json_object_get_int_member (one, "layer");
  const guint head = (guint) json_object_get_int_member (one, "head");
  HlLens lens = {
    .combine = get_nick (HL_TYPE_COMBINE, one, "combine"),
    .combine_over = get_nick (HL_TYPE_COMBINE_OVER, one, "over"),
    .direction = get_nick (HL_TYPE_DIRECTION, one, "direction"),
  };

  read_set (one, "heads", hl_attention_get_max_heads (attention), lens.heads.bits);
  read_set (one, "layers", hl_attention_get_n_layers (attention), lens.layers.bits);
  hl_lens_apply (&lens, attention, source, &shown, &made);
  g_test_message ("%s: %s", json_object_get_string_member (one, "file"), hl_attention_source_get_quantity (made));
  g_assert_cmpint (hl_attention_get_n_layers (shown), ==, json_array_get_int_element (shape, 0));
  g_assert_cmpint (hl_attention_get_n_heads (shown, layer), ==, json_array_get_int_element (shape, 1));
  g_assert_cmpint (hl_attention_get_n (shown, HL_QUERIES), ==, json_array_get_int_element (shape, 2));
  g_assert_cmpint (hl_attention_get_n (shown, HL_KEYS), ==, json_array_get_int_element (shape, 3));
  g_assert_cmpint (hl_attention_source_get_n_layers (made), ==, json_array_get_int_element (shape, 0));

  g_autofree float *map = hl_attention_source_read_head (made, layer, head, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < json_array_get_length (expected); i++)
    if (json_array_get_null_element (expected, i))
      g_assert_true (isnan (map[i]));
    else
      g_assert_cmpfloat_with_epsilon (map[i], json_array_get_double_element (expected, i), 1e-6);
}

static void
test_numpy (void)
{
  g_autoptr (GFile) file = test_get_file ("fixtures", "lens.json");
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();

  g_assert_true (json_parser_load_from_file (parser, g_file_peek_path (file), NULL));
  JsonArray *cases = json_node_get_array (json_parser_get_root (parser));
  g_assert_cmpuint (json_array_get_length (cases), >=, 12);
  for (guint i = 0; i < json_array_get_length (cases); i++)
    check_numpy (json_array_get_object_element (cases, i));
}

/* An attention whose maps are too large for one band, and its numbers. */
enum
{
  N_LAYERS = 3,
  N_HEADS = 4,
  N = 1100,
};

typedef struct
{
  float *weights;
  HlAttention *attention;
  HlAttentionSource *source;
} Large;

static void
large_init (Large *self)
{
  self->weights = test_make_weights (7, N_LAYERS * N_HEADS, N, N);
  self->attention = test_make_attention (N_LAYERS, N_HEADS, N, N, self->weights);
  self->source = hl_attention_make_source (self->attention);
}

static void
large_clear (Large *self)
{
  g_object_unref (self->source);
  g_object_unref (self->attention);
  g_free (self->weights);
}

static double
get (const Large *self,
     guint        layer,
     guint        head,
     gsize        query,
     gsize        key)
{
  return self->weights[((layer * N_HEADS + head) * (gsize) N + query) * N + key];
}

static HlAttentionSource *
apply (const Large  *self,
       const HlLens *lens)
{
  g_autoptr (HlAttention) shown = NULL;
  HlAttentionSource *made;

  hl_lens_apply (lens, self->attention, self->source, &shown, &made);
  return made;
}

/* Heads 1 and 3 of layers 0 and 2, as the most straightforward code has it. */
static double
get_combined (const Large  *self,
              const HlLens *lens,
              gsize         query,
              gsize         key)
{
  double sum = 0, max = 0;

  for (guint layer = 0; layer < N_LAYERS; layer += 2)
    for (guint head = 1; head < N_HEADS; head += 2)
      {
        sum += get (self, layer, head, query, key);
        max = MAX (max, get (self, layer, head, query, key));
      }
  return lens->combine == HL_COMBINE_MEAN ? sum / 4 : max;
}

static double
get_derived (const Large  *self,
             const HlLens *lens,
             gsize         query,
             gsize         key)
{
  if (lens->direction == HL_DIRECTION_TRANSPOSED)
    return get_combined (self, lens, key, query);
  if (lens->direction == HL_DIRECTION_ASYMMETRY)
    return get_combined (self, lens, query, key) - get_combined (self, lens, key, query);
  return get_combined (self, lens, query, key);
}

static void
check_parts (const Large  *large,
             const HlLens *lens)
{
  g_autoptr (HlAttentionSource) made = apply (large, lens);
  g_autoptr (GError) error = NULL;
  const HlAttentionRequest whole = { .n_queries = N, .n_keys = N, .n_rows = N, .n_columns = N };
  const HlAttentionRequest part = {
    .first_query = 5, .n_queries = 700, .first_key = 33, .n_keys = 1001, .n_rows = 700, .n_columns = 1001
  };
  const HlAttentionRequest *const requests[] = { &whole, &part };

  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      const HlAttentionRequest *request = requests[i];
      g_autofree float *map = g_new (float, request->n_rows * request->n_columns);
      g_assert_true (hl_attention_source_read (made, request, map, NULL, &error));
      g_assert_no_error (error);
      for (gsize query = 0; query < request->n_queries; query++)
        for (gsize key = 0; key < request->n_keys; key++)
          g_assert_cmpfloat_with_epsilon (map[query * request->n_keys + key],
                                          get_derived (large, lens, request->first_query + query,
                                                       request->first_key + key),
                                          1e-6);
    }
}

/* Bins of 7 × 13, of 1089 rows and 1001 columns that they do not divide. */
static void
check_pooled (const Large  *large,
              const HlLens *lens,
              HlPooling     pooling)
{
  enum
  {
    ROWS = 7,
    COLUMNS = 13
  };
  g_autoptr (HlAttentionSource) made = apply (large, lens);
  g_autoptr (GError) error = NULL;
  const HlAttentionRequest request = { .first_query = 11,
                                       .n_queries = N - 11,
                                       .first_key = 99,
                                       .n_keys = 1001,
                                       .n_rows = ROWS,
                                       .n_columns = COLUMNS,
                                       .pooling = pooling };
  float map[ROWS * COLUMNS];

  g_assert_true (hl_attention_source_read (made, &request, map, NULL, &error));
  g_assert_no_error (error);
  for (gsize row = 0; row < ROWS; row++)
    for (gsize column = 0; column < COLUMNS; column++)
      {
        double sum = 0, farthest = 0, opposite = 0;
        gsize n = 0;
        for (gsize query = row * request.n_queries / ROWS; query < (row + 1) * request.n_queries / ROWS; query++)
          for (gsize key = column * 1001 / COLUMNS; key < (column + 1) * 1001 / COLUMNS; key++, n++)
            {
              const double value = get_derived (large, lens, 11 + query, 99 + key);
              sum += value;
              opposite = MIN (opposite, value);
              farthest = MAX (farthest, value);
            }
        const double expected = pooling == HL_POOLING_MEAN ? sum / (double) n
                                : -opposite > farthest     ? opposite
                                                           : farthest;
        /* On the diagonal of an asymmetry either of two is as far from zero as the other. */
        const gboolean is_tie = pooling == HL_POOLING_MAX && fabs (opposite + farthest) < 1e-6;
        const double got = map[row * COLUMNS + column];
        g_assert_cmpfloat_with_epsilon (is_tie ? fabs (got) : got, is_tie ? fabs (expected) : expected, 1e-6);
      }
}

/* Of every row, against those of the row as it is read. */
static void
check_extremes (const Large  *large,
                const HlLens *lens)
{
  g_autoptr (HlAttentionSource) made = apply (large, lens);
  g_autofree HlRowExtremes *extremes = g_new (HlRowExtremes, 900);
  g_autofree float *map = g_new (float, 900 * 1001);
  const HlAttentionRequest request = {
    .first_query = 20, .n_queries = 900, .first_key = 99, .n_keys = 1001, .n_rows = 900, .n_columns = 1001
  };
  const HlAttentionRequest pooled = {
    .first_query = 20, .n_queries = 900, .first_key = 99, .n_keys = 1001, .n_rows = 70, .n_columns = 33
  };
  float alone[70 * 33], on_the_way[70 * 33];

  g_assert_true (hl_attention_source_read (made, &request, map, NULL, NULL));
  g_assert_true (hl_attention_source_read (made, &pooled, alone, NULL, NULL));
  g_assert_true (hl_attention_source_examine (made, &pooled, on_the_way, extremes, NULL, NULL));
  g_assert_cmpmem (on_the_way, sizeof on_the_way, alone, sizeof alone);
  for (gsize i = 0; i < 900; i++)
    {
      const HlRowExtremes expected = hl_row_extremes_find (map + i * 1001, 1001);
      g_assert_cmpfloat (extremes[i].min, ==, expected.min);
      g_assert_cmpfloat (extremes[i].min_positive, ==, expected.min_positive);
      g_assert_cmpfloat (extremes[i].max, ==, expected.max);
      g_assert_cmpuint (extremes[i].n_nan, ==, expected.n_nan);
    }
}

static void
test_loops (void)
{
  HlLens lens = { .combine_over = HL_COMBINE_OVER_ALL };
  Large large;

  large_init (&large);
  hl_head_set_add (&lens.heads, 1);
  hl_head_set_add (&lens.heads, 3);
  hl_layer_set_add (&lens.layers, 0);
  hl_layer_set_add (&lens.layers, 2);
  for (lens.combine = HL_COMBINE_MEAN; lens.combine <= HL_COMBINE_MAX; lens.combine++)
    for (lens.direction = HL_DIRECTION_AS_IS; lens.direction <= HL_DIRECTION_ASYMMETRY; lens.direction++)
      {
        check_parts (&large, &lens);
        check_pooled (&large, &lens, HL_POOLING_MAX);
        check_pooled (&large, &lens, HL_POOLING_MEAN);
        check_extremes (&large, &lens);
      }
  large_clear (&large);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  HlLens lens = { .combine = HL_COMBINE_MEAN, .direction = HL_DIRECTION_ASYMMETRY };
  Large large;

  large_init (&large);
  g_autoptr (HlAttentionSource) made = apply (&large, &lens);
  g_cancellable_cancel (cancellable);
  g_assert_null (hl_attention_source_read_head (made, 0, 0, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  large_clear (&large);
}

static void
test_nothing (void)
{
  g_autoptr (HlAttention) attention = load_attention ("causal.h5", "attention");
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlAttention) shown = NULL;
  g_autoptr (HlAttentionSource) made = NULL;
  const HlLens lens = { 0 };

  hl_lens_apply (&lens, attention, source, &shown, &made);
  g_assert_true (shown == attention);
  g_assert_true (made == source);
  g_assert_false (hl_attention_source_is_signed (made));
}

/* A − Aᵀ is of the same tokens. As many of either side may be left, and be spelt alike, without being the same. */
static void
test_hidden_apart (void)
{
  static const char *const tokens[] = { "la", "la", "la", "la", NULL };
  g_autofree float *weights = test_make_weights (3, 1, 4, 4);
  g_autoptr (HlAttention)
    attention = test_make_attention_full (1, 1, 4, 4, weights, tokens, tokens, 4, 0, (HlMask){ FALSE, 0 });
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlTokenSet) first = hl_token_set_change (NULL, 0, 1, TRUE);
  g_autoptr (HlTokenSet) last = hl_token_set_change (NULL, 3, 1, TRUE);
  const HlLens same = { .hidden = { first, first }, .direction = HL_DIRECTION_ASYMMETRY };
  const HlLens apart = { .hidden = { last, first }, .direction = HL_DIRECTION_ASYMMETRY };
  g_autoptr (HlAttention) shown = NULL;
  g_autoptr (HlAttentionSource) made = NULL;

  hl_lens_apply (&same, attention, source, &shown, &made);
  g_assert_true (hl_attention_source_is_signed (made));
  g_clear_object (&shown);
  g_clear_object (&made);
  hl_lens_apply (&apart, attention, source, &shown, &made);
  g_assert_false (hl_lens_has_asymmetry (shown));
  g_assert_false (hl_attention_source_is_signed (made));
}

/* Layers of 3, 1 and 4 heads: each layer combines those that it has. */
static void
test_heads_differ (void)
{
  g_autoptr (HlAttention) attention = load_attention ("heads-differ.json", "attention");
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlAttention) shown = NULL;
  g_autoptr (HlAttentionSource) made = NULL;
  g_autoptr (GError) error = NULL;
  const gsize n = hl_attention_get_n (attention, HL_QUERIES) * hl_attention_get_n (attention, HL_KEYS);
  HlLens lens = { .combine = HL_COMBINE_MEAN };

  hl_head_set_add (&lens.heads, 0);
  hl_head_set_add (&lens.heads, 2);
  hl_lens_apply (&lens, attention, source, &shown, &made);
  for (guint layer = 0; layer < 3; layer++)
    {
      const gboolean has_both = hl_attention_get_n_heads (attention, layer) > 2;
      g_autofree float *first = hl_attention_source_read_head (source, layer, 0, NULL, &error);
      g_autofree float *third = has_both ? hl_attention_source_read_head (source, layer, 2, NULL, &error) : NULL;
      g_autofree float *mean = hl_attention_source_read_head (made, layer, 0, NULL, &error);
      g_assert_cmpuint (hl_attention_get_n_heads (shown, layer), ==, 1);
      for (gsize i = 0; i < n; i++)
        g_assert_cmpfloat_with_epsilon (mean[i], has_both ? ((double) first[i] + third[i]) / 2 : first[i], 1e-7);
    }

  /* Of head 3 alone two layers have nothing, which is no number. */
  lens.heads = (HlHeadSet){ { 8 } };
  g_clear_object (&shown);
  g_clear_object (&made);
  hl_lens_apply (&lens, attention, source, &shown, &made);
  g_autofree float *none = hl_attention_source_read_head (made, 1, 0, NULL, &error);
  for (gsize i = 0; i < n; i++)
    g_assert_true (isnan (none[i]));

  /* Over layers, head 3 is that of the one layer that has it. */
  lens.combine_over = HL_COMBINE_OVER_LAYERS;
  lens.layers = (HlLayerSet){ { 7 } };
  g_clear_object (&shown);
  g_clear_object (&made);
  hl_lens_apply (&lens, attention, source, &shown, &made);
  g_assert_cmpuint (hl_attention_get_n_layers (shown), ==, 1);
  g_assert_cmpuint (hl_attention_get_n_heads (shown, 0), ==, 4);
  g_autofree float *of_one = hl_attention_source_read_head (made, 0, 3, NULL, &error);
  g_autofree float *itself = hl_attention_source_read_head (source, 2, 3, NULL, &error);
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat (of_one[i], ==, itself[i]);
}

/* What goes through all layers is refused where one of them, from the first on, has none of the heads; the heads and layers that a map is not made of
 * are not named. */
static void
test_heads_lack (void)
{
  static const struct
  {
    HlLens lens;
    const char *quantity;
  } cases[] = {
    { { .combine = HL_COMBINE_MEAN, .combine_over = HL_COMBINE_OVER_ALL, .heads = { { 8 } }, .layers = { { 7 } } },
      "mean of head 3 of layer 2 · attention weight" },
    { { .combine = HL_COMBINE_MEAN, .combine_over = HL_COMBINE_OVER_ALL, .heads = { { 10 } }, .layers = { { 7 } } },
      "mean of heads 1, 3 of layers 0, 2 · attention weight" },
    { { .combine = HL_COMBINE_MAX, .combine_over = HL_COMBINE_OVER_LAYERS, .layers = { { 9 } } },
      "maximum of layer 0 · attention weight" },
    { { .combine = HL_COMBINE_MEAN, .combine_over = HL_COMBINE_OVER_LAYERS, .layers = { { 8 } } },
      "mean of no layer · attention weight" },
    { { .combine = HL_COMBINE_MEAN, .heads = { { 24 } } }, "mean of head 3 · attention weight" },
    { { .combine = HL_COMBINE_MEAN, .heads = { { 16 } } }, "mean of no head · attention weight" },
  };
  g_autoptr (HlAttention) attention = load_attention ("heads-differ.json", "attention");
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);

  for (guint quantity = HL_QUANTITY_ROLLOUT; quantity <= HL_QUANTITY_FLOW; quantity++)
    {
      g_autoptr (GError) error = NULL;
      HlLens lens = { .quantity = quantity, .heads = { { 10 } } };

      g_assert_false (hl_lens_check (&lens, attention, &error));
      g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
      g_assert_cmpstr (error->message, ==,
                       "follows attention through all layers, and layer 1 has none of the heads that are chosen");
      lens.first_layer = 2;
      g_assert_true (hl_lens_check (&lens, attention, NULL));
      lens = (HlLens){ .quantity = quantity, .heads = { { 9 } } };
      g_assert_true (hl_lens_check (&lens, attention, NULL));
    }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlAttention) shown = NULL;
      g_autoptr (HlAttentionSource) made = NULL;

      hl_lens_apply (&cases[i].lens, attention, source, &shown, &made);
      g_assert_cmpstr (hl_attention_source_get_quantity (made), ==, cases[i].quantity);
    }
}

static void
test_quantity (void)
{
  static const struct
  {
    HlLens lens;
    const char *quantity;
  } cases[] = {
    { { .combine = HL_COMBINE_MEAN, .heads = { { 5 } } }, "mean of heads 0, 2 · attention weight" },
    { { .combine = HL_COMBINE_MAX, .heads = { { 7 } } }, "maximum of all 3 heads · attention weight" },
    { { .combine = HL_COMBINE_MEAN, .heads = { { 2 } } }, "mean of head 1 · attention weight" },
    { { .combine = HL_COMBINE_MEAN, .combine_over = HL_COMBINE_OVER_LAYERS, .layers = { { 2 } } },
      "mean of layer 1 · attention weight" },
    { { .combine = HL_COMBINE_MAX, .combine_over = HL_COMBINE_OVER_ALL, .heads = { { 3 } }, .layers = { { 3 } } },
      "maximum of heads 0, 1 of all 2 layers · attention weight" },
    { { .direction = HL_DIRECTION_TRANSPOSED }, "attention weight, transposed: rows are keys" },
    { { .direction = HL_DIRECTION_ASYMMETRY }, "asymmetry A − Aᵀ, A: attention weight" },
  };
  g_autofree float *weights = test_make_weights (3, 6, 4, 4);
  g_autoptr (HlAttention) attention = test_make_attention (2, 3, 4, 4, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (HlAttention) shown = NULL;
      g_autoptr (HlAttentionSource) made = NULL;
      hl_lens_apply (&cases[i].lens, attention, source, &shown, &made);
      g_assert_cmpstr (hl_attention_source_get_quantity (made), ==, cases[i].quantity);
      g_assert_true (hl_attention_source_is_signed (made) == (cases[i].lens.direction == HL_DIRECTION_ASYMMETRY));
      g_assert_null (hl_attention_get_weights (shown, 0));
      g_assert_null (hl_attention_get_projection (shown, HL_QUERIES, 0));
      g_assert_true (hl_lens_equal (&cases[i].lens, &cases[i].lens));
      for (guint j = 0; j < i; j++)
        g_assert_false (hl_lens_equal (&cases[i].lens, &cases[j].lens));
    }
}

/* Rows become keys, with their tokens and their padding; whatever mask there is, it hides the same pairs. */
static void
test_transposed_attention (void)
{
  static const char *const query_tokens[] = { "a", "b", "c", NULL };
  static const char *const key_tokens[] = { "u", "v", "w", "x", "y", NULL };
  const HlMask masks[] = {
    { FALSE, 0 },
    { TRUE, 0 },
    { TRUE, 2 },
    { FALSE, 2 },
    { .causal = TRUE, .chunk = 2 },
    { .chunk = 2 },
    { .causal = TRUE, .window = 2, .chunk = 3 },
  };
  g_autofree float *weights = test_make_weights (5, 1, 3, 5);
  const HlLens lens = { .direction = HL_DIRECTION_TRANSPOSED };

  for (guint i = 0; i < G_N_ELEMENTS (masks); i++)
    {
      g_autoptr (HlAttention)
        attention = test_make_attention_full (1, 1, 3, 5, weights, query_tokens, key_tokens, 3, 0, masks[i]);
      g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
      g_autoptr (HlAttention) shown = NULL;
      g_autoptr (HlAttentionSource) made = NULL;

      hl_lens_apply (&lens, attention, source, &shown, &made);
      g_assert_true (hl_attention_is_transposed (shown));
      g_assert_cmpuint (hl_attention_get_n (shown, HL_QUERIES), ==, 5);
      g_assert_cmpstr (hl_attention_get_tokens (shown, HL_QUERIES)[4], ==, "y");
      g_assert_cmpstr (hl_attention_get_tokens (shown, HL_KEYS)[2], ==, "c");
      g_assert_cmpuint (hl_attention_get_n_used (shown, HL_QUERIES), ==, hl_attention_get_n_used (attention, HL_KEYS));
      for (gsize query = 0; query < 3; query++)
        for (gsize key = 0; key < 5; key++)
          g_assert_true (hl_mask_is_visible (&masks[i], 3, 5, query, key) ==
                         hl_mask_is_visible (&hl_attention_get_rule (shown, 0)->mask, 5, 3, key, query));
    }
}

/* A query sees keys of its own chunk only; the last query stands at the last key. */
static void
test_chunks (void)
{
  const HlMask causal = { .causal = TRUE, .chunk = 2 }, both = { .chunk = 2 };
  const gsize causal_runs[][2] = { { 2, 3 }, { 2, 4 }, { 4, 5 } }, runs[][2] = { { 0, 2 }, { 0, 2 }, { 2, 4 } };

  g_assert_true (hl_mask_hides (&causal) && hl_mask_hides (&both));
  for (gsize query = 0; query < 3; query++)
    {
      gsize first, end;

      hl_mask_get_visible (&causal, 3, 5, query, &first, &end);
      g_assert_cmpuint (first, ==, causal_runs[query][0]);
      g_assert_cmpuint (end, ==, causal_runs[query][1]);
      hl_mask_get_visible (&both, 3, 5, query, &first, &end);
      g_assert_cmpuint (first, ==, runs[query][0]);
      g_assert_cmpuint (end, ==, runs[query][1]);
    }
}

/* Of what has a sign, what is near zero goes, and the strongest of either sign stay. */
static void
test_filter_signed (void)
{
  static const float weights[] = { 0.5f, 0.3f, 0.2f, /**/ 0.9f, 0.05f, 0.05f, /**/ 0.1f, 0.6f, 0.3f };
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, 3, 3, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlAttention) shown = NULL;
  g_autoptr (HlAttentionSource) made = NULL;
  const HlLens lens = { .direction = HL_DIRECTION_ASYMMETRY };

  hl_lens_apply (&lens, attention, source, &shown, &made);
  g_autoptr (HlAttentionSource) by_threshold = hl_filter_source_new (made, 0.2, 1);
  g_autoptr (HlAttentionSource) by_mass = hl_filter_source_new (made, 0, 0.5);
  g_autofree float *kept = hl_attention_source_read_head (by_threshold, 0, 0, NULL, NULL);
  g_autofree float *strongest = hl_attention_source_read_head (by_mass, 0, 0, NULL, NULL);
  /* 0, −0.6, 0.1 / 0.6, 0, −0.55 / −0.1, 0.55, 0 */
  static const float expected_kept[] = { 0, -0.6f, 0, 0.6f, 0, -0.55f, 0, 0.55f, 0 };
  static const float expected_strongest[] = { 0, -0.6f, 0, 0.6f, 0, 0, 0, 0.55f, 0 };
  for (guint i = 0; i < 9; i++)
    {
      g_assert_cmpfloat_with_epsilon (kept[i], expected_kept[i], 1e-6);
      g_assert_cmpfloat_with_epsilon (strongest[i], expected_strongest[i], 1e-6);
    }
  g_assert_true (hl_attention_source_is_signed (by_mass));
}

static void
assert_time (HlAttention *attention,
             HlSide       side,
             gsize        index,
             const char  *expected)
{
  g_autofree char *time = hl_attention_dup_time (attention, side, index);

  g_assert_cmpstr (time, ==, expected);
}

/* Two heads over a picture of 1 × 2 patches and three words of which one is of two pieces; each said at a time. */
static HlAttention *
make_seen_and_heard (void)
{
  static const char *const queries[] = { "time", "fl", "##ies", NULL }, *const keys[] = { "[CLS]", "a", "b", NULL };
  static const float starts[] = { 0, 0.5f, 0.75f }, ends[] = { 0.5f, 0.75f, 1.25f };
  const HlShape shape = { 4, { 1, 2, 3, 3 } };
  const float weights[18] = { 1, 0, 0, 0.5f, 0.5f, 0, 0.25f, 0.5f, 0.25f, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  const HlPictureGrid grid = { .first_token = 1, .n_rows = 1, .n_columns = 2, .stride = 2, .box = { 0, 0, 8, 4 } };
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, weights);
  const HlLayerTensor layer = {
    .tensor = tensor, .layer_axis = 0, .batch_axis = -1, .head_axis = 1, .row_axis = 2, .column_axis = 3
  };
  g_autoptr (GError) error = NULL;
  HlImage *image = hl_image_new (4, 8, &error);
  g_autoptr (HlPicture) picture = hl_picture_new (&image, 1, &grid, 1, 3, &error);
  g_assert_no_error (error);
  g_autoptr (HlTokenTimes)
    times = hl_token_times_new (3, g_memdup2 (starts, sizeof starts), g_memdup2 (ends, sizeof ends));
  HlAttention *attention = hl_attention_new (&(HlAttentionInit){ .kind = HL_ATTENTION_CROSS,
                                                                 .weights = &layer,
                                                                 .n_layers = 1,
                                                                 .tokens = { queries, keys },
                                                                 .n_used = { 3, 3 },
                                                                 .pictures = { NULL, picture },
                                                                 .times = { times, NULL } });

  hl_image_unref (image);
  return attention;
}

/* What is derived still is of a sound and of a picture: a word is said while its pieces are. */
static void
test_times_and_patches (void)
{
  g_autoptr (HlAttention) attention = make_seen_and_heard ();
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  const HlLens lenses[] = {
    { .words = TRUE },
    { .words = TRUE, .combine = HL_COMBINE_MEAN },
    { .words = TRUE, .direction = HL_DIRECTION_TRANSPOSED },
    { .words = TRUE, .hide_special = TRUE },
  };

  assert_time (attention, HL_QUERIES, 1, "0.50–0.75 s");
  assert_time (attention, HL_KEYS, 1, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (lenses); i++)
    {
      g_autoptr (HlAttention) shown = NULL;
      g_autoptr (HlAttentionSource) made = NULL;
      const HlSide heard = lenses[i].direction == HL_DIRECTION_TRANSPOSED ? HL_KEYS : HL_QUERIES;
      const gsize first = lenses[i].hide_special ? 0 : 1;
      HlPicturePatch patch;
      HlLens lens = lenses[i];
      hl_head_set_add (&lens.heads, 0);
      hl_head_set_add (&lens.heads, 1);
      hl_layer_set_add (&lens.layers, 0);
      hl_lens_apply (&lens, attention, source, &shown, &made);
      g_assert_cmpuint (hl_attention_get_n (shown, heard), ==, 2);
      assert_time (shown, heard, 0, "0.00–0.50 s");
      assert_time (shown, heard, 1, "0.50–1.25 s");
      assert_time (shown, hl_side_get_other (heard), 0, NULL);
      g_assert_cmpuint (hl_attention_get_n (shown, hl_side_get_other (heard)), ==, first + 2);
      g_assert_true (hl_attention_find_patch (shown, hl_side_get_other (heard), first + 1, &patch));
      g_assert_cmpuint (patch.column, ==, 1);
      g_assert_cmpstr (hl_attention_get_texts (shown, hl_side_get_other (heard))[first + 1], ==,
                       hl_attention_get_texts (attention, HL_KEYS)[2]);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lens/numpy", test_numpy);
  g_test_add_func ("/lens/loops", test_loops);
  g_test_add_func ("/lens/times-and-patches", test_times_and_patches);
  g_test_add_func ("/lens/cancelled", test_cancelled);
  g_test_add_func ("/lens/nothing", test_nothing);
  g_test_add_func ("/lens/hidden-apart", test_hidden_apart);
  g_test_add_func ("/lens/heads-differ", test_heads_differ);
  g_test_add_func ("/lens/heads-lack", test_heads_lack);
  g_test_add_func ("/lens/quantity", test_quantity);
  g_test_add_func ("/lens/transposed-block", test_transposed_attention);
  g_test_add_func ("/lens/chunks", test_chunks);
  g_test_add_func ("/lens/filter-signed", test_filter_signed);
  return g_test_run ();
}
