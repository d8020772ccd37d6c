/* SPDX-License-Identifier: MIT */
/* Learned sinks as one key more: against the most straightforward code, under masks, in parts, in words, and what numbers make of them. */
#include "test-attentions.h"
#include "test-dumps.h"

#include "core/analysis/hl-examine.h"
#include "core/analysis/hl-head-stats.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/derive/hl-sink-source.h"
#include "core/source/make/hl-source-factory.h"

#include <math.h>

enum
{
  N_LAYERS = 2,
  N_HEADS = 3,
};

static const char *const tokens[] = { "[CLS]", "play", "##ing", "well", "now", NULL };

typedef struct
{
  gsize n;
  HlMask mask;
  float *weights;
  HlAttention *attention;
  HlAttentionSource *source;
} Model;

/* Layer 1 has sinks, layer 0 has none. */
static void
model_open (Model             *self,
            const char *const *names,
            HlMask             mask)
{
  const HlShape shape = { 4, { N_LAYERS, N_HEADS, self->n, self->n } };
  static const float sinks[N_HEADS] = { 0, 1, 2 };
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, self->weights);
  HlLayerTensor layers[N_LAYERS];
  HlAttentionRule rules[N_LAYERS] = { { .mask = mask }, { .mask = mask, .sinks = sinks } };

  for (guint layer = 0; layer < N_LAYERS; layer++)
    layers[layer] = (HlLayerTensor){ .tensor = tensor,
                                     .layer_axis = 0,
                                     .layer = layer,
                                     .batch_axis = -1,
                                     .head_axis = 1,
                                     .row_axis = 2,
                                     .column_axis = 3 };
  const HlAttentionInit init = { .kind = HL_ATTENTION_SELF,
                                 .weights = layers,
                                 .n_layers = N_LAYERS,
                                 .tokens = { names, names },
                                 .n_used = { G_MAXSIZE, G_MAXSIZE },
                                 .sentence_b_start = 3,
                                 .rules = rules };
  self->attention = hl_attention_new (&init);
  self->source = hl_attention_make_source (self->attention);
}

static void
model_close (Model *self)
{
  g_object_unref (self->source);
  g_object_unref (self->attention);
}

static void
model_init (Model             *self,
            gsize              n,
            const char *const *names,
            HlMask             mask)
{
  self->n = n;
  self->mask = mask;
  self->weights = test_make_weights (11, N_LAYERS * N_HEADS, n, n);
  for (gsize i = 0; i < N_LAYERS * N_HEADS * n; i++)
    {
      const gsize head = i / n, query = i % n;
      float *row = self->weights + i * n;
      double sum = 0;

      for (gsize key = 0; key < n; key++)
        {
          row[key] = hl_mask_is_visible (&mask, n, n, query, key) ? row[key] : 0;
          sum += row[key];
        }
      for (gsize key = 0; sum > 0 && key < n; key++)
        row[key] = (float) (row[key] / sum * (head < N_HEADS ? 1 : 0.5 / (1 + (double) (head - N_HEADS))));
    }
  model_open (self, names, mask);
}

static void
model_clear (Model *self)
{
  model_close (self);
  g_free (self->weights);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Model, model_clear)

static HlAttentionSource *
apply (const Model  *self,
       HlLens        lens,
       HlAttention **shown)
{
  g_autoptr (HlAttention) made = NULL;
  HlAttentionSource *source;

  lens.sinks = TRUE;
  hl_lens_apply (&lens, self->attention, self->source, shown != NULL ? shown : &made, &source);
  return source;
}

static double
get (const Model *self,
     guint        layer,
     guint        head,
     gsize        query,
     gsize        key)
{
  return self->weights[((layer * N_HEADS + head) * self->n + query) * self->n + key];
}

/* Key 0 is the sink. */
static double
get_expected (const Model *self,
              guint        layer,
              guint        head,
              gsize        query,
              gsize        key)
{
  double rest = layer == 1;

  if (key > 0)
    return get (self, layer, head, query, key - 1);
  for (gsize i = 0; layer == 1 && i < self->n; i++)
    rest -= get (self, layer, head, query, i);
  return rest;
}

static void
check_part (const Model       *self,
            HlAttentionSource *source,
            HlAttentionRequest request)
{
  g_autofree float *found = g_new (float, request.n_queries *request.n_keys);
  const HlMask *mask = hl_attention_source_get_mask (source, request.layer);
  g_autoptr (GError) error = NULL;

  request.n_rows = request.n_queries;
  request.n_columns = request.n_keys;
  request.marks_masked = TRUE;
  g_assert_true (hl_attention_source_read (source, &request, found, NULL, &error));
  g_assert_no_error (error);
  for (gsize i = 0; i < request.n_queries; i++)
    for (gsize j = 0; j < request.n_keys; j++)
      {
        const gsize query = request.first_query + i, key = request.first_key + j;
        const float weight = found[i * request.n_keys + j];
        const gboolean is_masked = !hl_mask_is_visible (mask, self->n, self->n + 1, query, key) ||
                                   hl_weight_is_masked (mask, weight);

        g_assert_cmpfloat_with_epsilon (weight, get_expected (self, request.layer, request.head, query, key), 1e-5);
        g_assert_true (is_masked == (key > 0 && !hl_mask_is_visible (&self->mask, self->n, self->n, query, key - 1)));
      }
}

/* Whatever hides tokens, the sink is seen, and what is hidden stays so. */
static void
test_masks (void)
{
  const HlMask masks[] = {
    { FALSE },
    { .causal = TRUE },
    { .causal = TRUE, .window = 3 },
    { .window = 3 },
    { .causal = TRUE, .chunk = 4 },
    { .first_key = 2, .end_key = 9 },
    { .causal = TRUE, .first_key = 1, .end_key = 10 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (masks); i++)
    {
      g_auto (Model) self = { 0 };
      model_init (&self, 11, NULL, masks[i]);
      g_autoptr (HlAttentionSource) source = apply (&self, (HlLens){ 0 }, NULL);

      g_assert_cmpuint (hl_attention_source_get_n (source, HL_QUERIES), ==, 11);
      g_assert_cmpuint (hl_attention_source_get_n (source, HL_KEYS), ==, 12);
      for (guint layer = 0; layer < N_LAYERS; layer++)
        {
          check_part (&self, source, (HlAttentionRequest){ layer, 1, 0, 11, 0, 12 });
          check_part (&self, source, (HlAttentionRequest){ layer, 2, 3, 5, 0, 1 });
          check_part (&self, source, (HlAttentionRequest){ layer, 2, 3, 5, 1, 4 });
          check_part (&self, source, (HlAttentionRequest){ layer, 0, 10, 1, 7, 5 });
        }
    }
}

/* What is not 0 where the mask hides it stays what it is, whether one asks for what is masked or not. */
static void
test_contradicted (void)
{
  g_auto (Model) self = { 0 };
  HlAttentionRequest request = { 1, 2, 0, 11, 0, 12, .n_rows = 11, .n_columns = 12 };
  float found[2][11 * 12];
  g_autoptr (GError) error = NULL;

  model_init (&self, 11, NULL, (HlMask){ FALSE });
  model_close (&self);
  model_open (&self, NULL, (HlMask){ .window = 3 });
  g_autoptr (HlAttentionSource) source = apply (&self, (HlLens){ 0 }, NULL);
  for (guint marks = 0; marks < 2; marks++)
    {
      request.marks_masked = marks;
      g_assert_true (hl_attention_source_read (source, &request, found[marks], NULL, &error));
      g_assert_no_error (error);
    }
  g_assert_cmpmem (found[0], sizeof found[0], found[1], sizeof found[1]);
}

/* More than is read at a time; pooled, the first column is the greater of the sink and the first tokens. */
static void
test_bands (void)
{
  g_auto (Model) self = { 0 };
  model_init (&self, 1100, NULL, (HlMask){ .causal = TRUE });
  g_autoptr (HlAttentionSource) source = apply (&self, (HlLens){ 0 }, NULL);
  g_autoptr (GError) error = NULL;
  const HlAttentionRequest pooled = { 1, 2, 0, 1100, 0, 1101, 10, 3 };
  float found[30];

  check_part (&self, source, (HlAttentionRequest){ 1, 2, 0, 1100, 0, 1101 });
  g_assert_true (hl_attention_source_read (source, &pooled, found, NULL, &error));
  for (guint row = 0; row < 10; row++)
    {
      double greatest = 0;
      for (gsize query = row * 110; query < (row + 1) * 110; query++)
        for (gsize key = 0; key < 367; key++)
          greatest = MAX (greatest, get_expected (&self, 1, 2, query, key));
      g_assert_cmpfloat_with_epsilon (found[row * 3], greatest, 1e-5);
    }
}

static void
test_tokens (void)
{
  g_auto (Model) self = { 0 };
  g_autoptr (HlAttention) shown = NULL;
  model_init (&self, 5, tokens, (HlMask){ .causal = TRUE });
  g_autoptr (HlAttentionSource) source = apply (&self, (HlLens){ 0 }, &shown);

  g_assert_true (hl_sink_is_in (self.attention));
  g_assert_cmpstr (hl_attention_get_tokens (shown, HL_KEYS)[0], ==, HL_SINK_TOKEN);
  g_assert_cmpstr (hl_attention_get_texts (shown, HL_KEYS)[3], ==, "##ing");
  g_assert_cmpstr (hl_attention_get_tokens (shown, HL_QUERIES)[0], ==, "[CLS]");
  g_assert_true (hl_sink_is_at (shown, HL_KEYS, 0));
  g_assert_false (hl_sink_is_at (shown, HL_KEYS, 1));
  g_assert_false (hl_sink_is_at (shown, HL_QUERIES, 0));
  g_assert_cmpuint (hl_attention_get_position (shown, HL_KEYS, 3), ==, 2);
  g_assert_cmpuint (hl_attention_get_n_used (shown, HL_KEYS), ==, 6);
  g_assert_cmpuint (hl_attention_get_sentence_b_start (shown), ==, 4);
}

/* Of "playing" and "now": the mean of two queries, the sum of two keys; the first row without its special token, renormalised with the sink. */
static void
test_words (void)
{
  const HlLens lens = { .words = TRUE, .hide_special = TRUE, .renormalise = TRUE };
  g_auto (Model) self = { 0 };
  g_autoptr (HlAttention) shown = NULL;
  g_autoptr (GError) error = NULL;
  model_init (&self, 5, tokens, (HlMask){ .causal = TRUE });
  g_autoptr (HlAttentionSource) source = apply (&self, lens, &shown);

  g_assert_cmpuint (hl_attention_get_n (shown, HL_QUERIES), ==, 3);
  g_assert_cmpuint (hl_attention_get_n (shown, HL_KEYS), ==, 4);
  g_assert_true (hl_sink_is_at (shown, HL_KEYS, 0));
  g_assert_cmpstr (hl_attention_get_texts (shown, HL_KEYS)[1], ==, "playing");
  g_assert_cmpuint (hl_attention_get_position (shown, HL_KEYS, 2), ==, 3);
  g_assert_cmpuint (hl_attention_get_sentence_b_start (shown), ==, 2);
  g_assert_true (hl_attention_source_get_mask (source, 1)->causal);
  for (guint head = 0; head < N_HEADS; head++)
    {
      g_autofree float *map = hl_attention_source_read_head (source, 1, head, NULL, &error);
      const double sink = (get_expected (&self, 1, head, 1, 0) + get_expected (&self, 1, head, 2, 0)) / 2;
      double playing = 0;

      g_assert_no_error (error);
      for (gsize query = 1; query <= 2; query++)
        for (gsize key = 1; key <= 2; key++)
          playing += get (&self, 1, head, query, key) / 2;
      g_assert_cmpfloat_with_epsilon (map[0], sink / (sink + playing), 1e-5);
      g_assert_cmpfloat_with_epsilon (map[1], playing / (sink + playing), 1e-5);
      g_assert_cmpfloat_with_epsilon (map[8] + map[9] + map[10] + map[11], 1, 1e-5);
    }
}

/* What else is made of maps has the sink as well; where queries must be keys, and of what is no weight, there is none. */
static void
test_derived (void)
{
  g_auto (Model) self = { 0 };
  g_autoptr (HlAttention) turned = NULL;
  g_autoptr (GError) error = NULL;
  model_init (&self, 5, tokens, (HlMask){ .causal = TRUE, .window = 2 });
  g_autoptr (HlAttentionSource) mean = apply (&self, (HlLens){ .combine = HL_COMBINE_MEAN, .heads = { { 5 } } }, NULL);
  g_autofree float *map = hl_attention_source_read_head (mean, 1, 0, NULL, &error);
  g_assert_cmpfloat_with_epsilon (map[6], (get_expected (&self, 1, 0, 1, 0) + get_expected (&self, 1, 2, 1, 0)) / 2,
                                  1e-5);

  g_autoptr (HlAttentionSource) keys = apply (&self, (HlLens){ .direction = HL_DIRECTION_TRANSPOSED }, &turned);
  g_autofree float *transposed = hl_attention_source_read_head (keys, 1, 1, NULL, &error);
  g_assert_true (hl_sink_is_at (turned, HL_QUERIES, 0));
  g_assert_cmpfloat_with_epsilon (transposed[3], get_expected (&self, 1, 1, 3, 0), 1e-5);

  g_autoptr (HlAttentionSource) asymmetry = apply (&self, (HlLens){ .direction = HL_DIRECTION_ASYMMETRY }, NULL);
  g_assert_cmpuint (hl_attention_source_get_n (asymmetry, HL_KEYS), ==, 5);
  g_autoptr (HlAttentionSource) residual = apply (&self, (HlLens){ .quantity = HL_QUANTITY_RESIDUAL }, NULL);
  g_assert_cmpuint (hl_attention_source_get_n (residual, HL_KEYS), ==, 5);
}

/* The entropy is that of the tokens and the sink, the distance that of the tokens alone. */
static void
test_numbers (void)
{
  const HlHeadNumberSet wanted = HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_ENTROPY) | HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_SINK) |
                                 HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_DISTANCE);
  g_auto (Model) self = { 0 };
  g_autoptr (GError) error = NULL;
  model_init (&self, 7, NULL, (HlMask){ FALSE });

  for (guint head = 0; head < N_HEADS; head++)
    {
      HlHeadStats stats;
      double entropy = 0, sink = 0, distance = 0;

      for (gsize query = 0; query < 7; query++)
        {
          for (gsize key = 0; key < 8; key++)
            {
              const double weight = get_expected (&self, 1, head, query, key);
              entropy -= weight > 0 ? weight * log (weight) / 7 : 0;
            }
          sink += get_expected (&self, 1, head, query, 0) / 7;
          for (gsize key = 0; key < 7; key++)
            distance += get (&self, 1, head, query, key) / (1 - get_expected (&self, 1, head, query, 0)) *
                        fabs ((double) query - (double) key) / 7;
        }
      g_assert_true (hl_head_stats_compute (self.attention, self.source, 1, head, 0, 7, wanted, &stats, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_ENTROPY], entropy, 1e-5);
      g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_SINK], sink, 1e-5);
      g_assert_cmpfloat_with_epsilon (stats.values[HL_HEAD_STAT_DISTANCE], distance, 1e-5);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sink/masks", test_masks);
  g_test_add_func ("/sink/contradicted", test_contradicted);
  g_test_add_func ("/sink/bands", test_bands);
  g_test_add_func ("/sink/tokens", test_tokens);
  g_test_add_func ("/sink/words", test_words);
  g_test_add_func ("/sink/derived", test_derived);
  g_test_add_func ("/sink/numbers", test_numbers);
  return g_test_run ();
}
