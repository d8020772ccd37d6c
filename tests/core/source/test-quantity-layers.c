/* SPDX-License-Identifier: MIT */
/* Quantities of vectors, and of what goes through layers: worked examples, what must always hold, and the plainest code. */
#include "test-attentions.h"

#include "core/base/hl-error.h"
#include "core/source/derive/hl-combine-source.h"
#include "core/source/derive/hl-lens.h"
#include "core/source/make/hl-source-factory.h"
#include "core/source/quantity/hl-max-flow.h"
#include "core/source/quantity/hl-mixing.h"
#include "core/source/quantity/hl-quantity.h"

#include <math.h>

/* A source that counts how often somebody asks what is masked, and how many heads there are. */
#define TEST_TYPE_COUNTER (test_counter_get_type ())
G_DECLARE_FINAL_TYPE (TestCounter, test_counter, TEST, COUNTER, HlDerivedSource)

struct _TestCounter
{
  HlDerivedSource parent_instance;

  guint n_asked;
};

static void test_counter_iface_init (HlAttentionSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestCounter,
                               test_counter,
                               HL_TYPE_DERIVED_SOURCE,
                               G_IMPLEMENT_INTERFACE (HL_TYPE_ATTENTION_SOURCE, test_counter_iface_init))

static const HlMask *
get_counted_mask (HlAttentionSource *source,
                  guint              layer)
{
  static const HlMask masks[] = {
    { .causal = TRUE, .shift = 1, .first_key = 1 }, { .causal = TRUE }, { .window = 2 }, { .causal = TRUE }
  };

  TEST_COUNTER (source)->n_asked++;
  return &masks[MIN (layer, 3)];
}

static guint
get_counted_heads (HlAttentionSource *source,
                   guint              layer)
{
  TEST_COUNTER (source)->n_asked++;
  return 1;
}

static gboolean
read_counted_rows (HlAttentionSource        *source,
                   const HlAttentionRequest *request,
                   float                    *target,
                   GCancellable             *cancellable,
                   GError                  **error)
{
  HlAttentionSource *origin = hl_derived_source_get_origin (HL_DERIVED_SOURCE (source));

  return hl_attention_source_read (origin, request, target, cancellable, error);
}

static void
test_counter_iface_init (HlAttentionSourceInterface *iface)
{
  iface->get_mask = get_counted_mask;
  iface->get_n_heads = get_counted_heads;
  iface->read_rows = read_counted_rows;
}

static void
test_counter_class_init (TestCounterClass *klass)
{
}

static void
test_counter_init (TestCounter *self)
{
}

/* Everything an attention of these tests may have. */
typedef struct
{
  guint n_layers;
  guint n_heads;
  guint n_value_heads;
  gsize n;
  gsize head_size;
  gsize width;
  const float *weights;     /* [layers, heads, n, n] */
  const float *values;      /* [layers, value heads, n, head size] */
  const float *output;      /* [layers, heads, head size, width] */
  const float *value_norms; /* [layers, heads, n] */
  gboolean causal;
  gsize first_key; /* keys before it, and from @end_key on, are padding */
  gsize end_key;
  const float *stream;      /* [layers, n, width] */
  const float *output_norm; /* [layers, width] */
} Parts;

/* Rows and columns, and heads before them if @rank is 3, after the layers. */
static HlLayerTensor *
make_layers (const float *numbers,
             guint        n_layers,
             guint        rank,
             gsize        n_heads,
             gsize        n_rows,
             gsize        n_columns)
{
  if (numbers == NULL)
    return NULL;
  HlShape shape = { rank + 1, { n_layers, n_heads, n_rows, n_columns } };
  if (rank == 2)
    {
      shape.dims[1] = n_rows;
      shape.dims[2] = n_columns;
    }
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, numbers);
  HlLayerTensor *layers = g_new (HlLayerTensor, n_layers);
  for (guint i = 0; i < n_layers; i++)
    layers[i] = (HlLayerTensor){ .tensor = g_object_ref (tensor),
                                 .layer_axis = 0,
                                 .layer = i,
                                 .batch_axis = -1,
                                 .head_axis = rank == 3 ? 1 : -1,
                                 .row_axis = (int) rank - 1,
                                 .column_axis = (int) rank };
  return layers;
}

static void
free_layers (HlLayerTensor *layers,
             guint          n_layers)
{
  for (guint i = 0; layers != NULL && i < n_layers; i++)
    g_object_unref (layers[i].tensor);
  g_free (layers);
}

static HlAttention *
make_attention (const Parts *parts)
{
  const guint n_layers = parts->n_layers;
  HlLayerTensor *weights = make_layers (parts->weights, n_layers, 3, parts->n_heads, parts->n, parts->n);
  HlLayerTensor *values = make_layers (parts->values, n_layers, 3, parts->n_value_heads, parts->n, parts->head_size);
  HlLayerTensor *output = make_layers (parts->output, n_layers, 3, parts->n_heads, parts->head_size, parts->width);
  HlLayerTensor *norms = make_layers (parts->value_norms, n_layers, 2, 0, parts->n_heads, parts->n);
  HlLayerTensor *stream = make_layers (parts->stream, n_layers, 2, 0, parts->n, parts->width);
  const HlShape shape = { 2, { n_layers, parts->width } };
  g_autoptr (HlTensor) output_norm = parts->output_norm != NULL ? test_make_tensor (&shape, parts->output_norm) : NULL;
  const HlAttentionInit init = {
    .kind = HL_ATTENTION_SELF,
    .weights = weights,
    .stream = stream,
    .output_norm = output_norm,
    .values = values,
    .output = output,
    .value_norms = norms,
    .n_layers = n_layers,
    .n_used = { parts->n, parts->n },
    .rule = { .scale = 1,
              .mask = { .causal = parts->causal, .first_key = parts->first_key, .end_key = parts->end_key } },
  };
  HlAttention *attention = hl_attention_new (&init);

  free_layers (weights, n_layers);
  free_layers (values, n_layers);
  free_layers (output, n_layers);
  free_layers (norms, n_layers);
  free_layers (stream, n_layers);
  return attention;
}

/* All heads, unless @lens says which. */
static HlAttentionSource *
make_source (HlAttention  *attention,
             const HlLens *lens)
{
  g_autoptr (HlAttentionSource) weights = hl_attention_make_source (attention);
  g_autoptr (HlAttention) shown = NULL;
  HlAttentionSource *source = NULL;
  HlLens whole = *lens;

  for (guint head = 0; hl_head_set_count (&lens->heads) == 0 && head < hl_attention_get_max_heads (attention); head++)
    hl_head_set_add (&whole.heads, head);
  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    hl_layer_set_add (&whole.layers, layer);
  hl_lens_apply (&whole, attention, weights, &shown, &source);
  for (guint layer = 0; layer < hl_attention_get_n_layers (shown); layer++)
    g_assert_cmpuint (hl_attention_get_n_heads (shown, layer), ==, hl_attention_source_get_n_heads (source, layer));
  return source;
}

static float *
read_map (HlAttention *attention,
          HlLens       lens,
          guint        layer,
          guint        head)
{
  g_autoptr (HlAttentionSource) source = make_source (attention, &lens);
  g_autoptr (GError) error = NULL;
  float *map = hl_attention_source_read_head (source, layer, head, NULL, &error);

  g_assert_no_error (error);
  return map;
}

static void
assert_numbers (const float  *found,
                const double *expected,
                gsize         n,
                double        tolerance)
{
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (found[i], expected[i], tolerance);
}

/* The two heads of quantities.md, of one query: what is given is f, so that W_O is the unit matrix. */
static void
test_norm (void)
{
  const float weights[] = { .8f, .2f, .8f, .2f, .5f, .5f, .5f, .5f };
  const float values[] = { .1f, 0, 0, 3, 0, .2f, 0, -1.2f };
  const float output[] = { 1, 0, 0, 1, 1, 0, 0, 1 };
  const Parts parts = { 1, 2, 2, 2, 2, 2, weights, values, output };
  const HlLens lens = { .quantity = HL_QUANTITY_NORM };
  const HlLens sum = { .quantity = HL_QUANTITY_NORM, .combine = HL_COMBINE_SUM };
  const HlLens mean = { .quantity = HL_QUANTITY_NORM, .combine = HL_COMBINE_MEAN };
  const double expected[][2] = { { .08, .6 }, { .1, .6 } };
  g_autoptr (HlAttention) attention = make_attention (&parts);

  for (guint head = 0; head < 2; head++)
    {
      g_autofree float *map = read_map (attention, lens, 0, head);
      assert_numbers (map, expected[head], 2, 1e-7);
    }
  g_autofree float *layer = read_map (attention, sum, 0, 0);
  assert_numbers (layer, (const double[]){ .1280625, 0 }, 2, 1e-7);
  g_autofree float *of_mean = read_map (attention, mean, 0, 0);
  assert_numbers (of_mean, (const double[]){ .09, .6 }, 2, 1e-7);

  g_autoptr (HlAttentionSource) source = make_source (attention, &sum);
  g_assert_cmpstr (hl_attention_source_get_quantity (source), ==,
                   "norm of the sum over all 2 heads of attention weight × projected value");
}

/* Lengths alone are enough for a head, and not for a sum of heads. */
static void
test_value_norms (void)
{
  const float weights[] = { .6f, .4f, .5f, .5f, .25f, .75f, 1, 0 };
  const float norms[] = { 2, 3, .5f, 4 };
  const Parts parts = { 1, 2, 0, 2, 0, 0, weights, NULL, NULL, norms };
  const HlLens sum = { .quantity = HL_QUANTITY_NORM, .combine = HL_COMBINE_SUM };
  g_autoptr (HlAttention) attention = make_attention (&parts);
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_quantity_check (HL_QUANTITY_NORM, attention, NULL));
  g_autofree float *first = read_map (attention, (HlLens){ .quantity = HL_QUANTITY_NORM }, 0, 0);
  assert_numbers (first, (const double[]){ 1.2, 1.2, 1, 1.5 }, 4, 1e-6);
  g_autofree float *second = read_map (attention, (HlLens){ .quantity = HL_QUANTITY_NORM }, 0, 1);
  assert_numbers (second, (const double[]){ .125, 3, .5, 0 }, 4, 1e-6);

  g_assert_false (hl_lens_check (&sum, attention, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_MISSING);
  g_assert_cmpstr (error->message, ==, "needs values and the output projection, which this attention does not have");
}

/* Σ_h A f_h of one query and key, as the plainest code has it. */
static double
measure_sum (const Parts *parts,
             const guint *heads,
             guint        n_heads,
             gsize        query,
             gsize        key)
{
  double all = 0;

  for (gsize column = 0; column < parts->width; column++)
    {
      double sum = 0;
      for (guint i = 0; i < n_heads; i++)
        {
          const guint value_head = heads[i] * parts->n_value_heads / parts->n_heads;
          double f = 0;
          for (gsize k = 0; k < parts->head_size; k++)
            f += (double) parts->values[(value_head * parts->n + key) * parts->head_size + k] *
                 parts->output[(heads[i] * parts->head_size + k) * parts->width + column];
          sum += parts->weights[(heads[i] * parts->n + query) * parts->n + key] * f;
        }
      all += sum * sum;
    }
  return sqrt (all);
}

/* Heads that share values, single, summed and some of them summed, in every part of a map; a sum is no longer than its parts together. */
static void
test_norm_of_parts (void)
{
  const gsize n = 37, head_size = 3, width = 7;
  g_autofree float *weights = test_make_weights (5, 4, n, n);
  g_autofree float *values = test_make_weights (6, 2, n, head_size);
  g_autofree float *output = test_make_weights (7, 4, head_size, width);
  const Parts parts = { 1, 4, 2, n, head_size, width, weights, values, output };
  const guint all[] = { 0, 1, 2, 3 }, some[] = { 1, 3 };
  HlLens sum = { .quantity = HL_QUANTITY_NORM, .combine = HL_COMBINE_SUM };

  for (gsize i = 0; i < 4 * head_size * width; i++)
    output[i] = i % 3 == 0 ? -output[i] : output[i];
  g_autoptr (HlAttention) attention = make_attention (&parts);
  g_autofree float *layer = read_map (attention, sum, 0, 0);
  hl_head_set_add (&sum.heads, 1);
  hl_head_set_add (&sum.heads, 3);
  g_autofree float *two = read_map (attention, sum, 0, 0);
  g_autofree float *heads[4] = { NULL };
  for (guint head = 0; head < 4; head++)
    heads[head] = read_map (attention, (HlLens){ .quantity = HL_QUANTITY_NORM }, 0, head);

  for (gsize query = 0; query < n; query++)
    for (gsize key = 0; key < n; key++)
      {
        double together = 0;
        for (guint head = 0; head < 4; head++)
          {
            const double expected = measure_sum (&parts, &head, 1, query, key);
            g_assert_cmpfloat_with_epsilon (heads[head][query * n + key], expected, 1e-6);
            together += expected;
          }
        g_assert_cmpfloat_with_epsilon (layer[query * n + key], measure_sum (&parts, all, 4, query, key), 1e-6);
        g_assert_cmpfloat_with_epsilon (two[query * n + key], measure_sum (&parts, some, 2, query, key), 1e-6);
        g_assert_cmpfloat (layer[query * n + key], <=, together + 1e-6);
      }
  g_autoptr (HlAttentionSource) source = make_source (attention, &sum);
  g_assert_cmpstr (hl_attention_source_get_quantity (source), ==,
                   "norm of the sum over heads 1, 3 of attention weight × projected value");
  const HlAttentionRequest request = {
    .first_query = 7, .n_queries = 20, .first_key = 11, .n_keys = 13, .n_rows = 20, .n_columns = 13
  };
  g_autofree float *part = g_new (float, 20 * 13);
  g_assert_true (hl_attention_source_read (source, &request, part, NULL, NULL));
  for (gsize i = 0; i < 20 * 13; i++)
    g_assert_cmpfloat (part[i], ==, two[(7 + i / 13) * n + 11 + i % 13]);
  for (guint head = 0; head < 4; head++)
    g_free (g_steal_pointer (&heads[head]));
}

/* The two layers of quantities.md. */
static const float example[] = { 1, 0, .5f, .5f, 0, 1, 1, 0 };

static void
test_example (void)
{
  const Parts parts = { .n_layers = 2, .n_heads = 1, .n = 2, .weights = example };
  g_autoptr (HlAttention) attention = make_attention (&parts);
  static const struct
  {
    HlQuantity quantity;
    guint first_layer;
    guint layer;
    double expected[4];
  } cases[] = {
    { HL_QUANTITY_RESIDUAL, 0, 0, { 1, 0, .25, .75 } }, { HL_QUANTITY_RESIDUAL, 0, 1, { .5, .5, .5, .5 } },
    { HL_QUANTITY_ROLLOUT, 0, 0, { 1, 0, .25, .75 } },  { HL_QUANTITY_ROLLOUT, 0, 1, { .625, .375, .625, .375 } },
    { HL_QUANTITY_ROLLOUT, 1, 0, { 1, 0, 0, 1 } },      { HL_QUANTITY_ROLLOUT, 1, 1, { .5, .5, .5, .5 } },
    { HL_QUANTITY_FLOW, 0, 0, { 1, 0, .25, .75 } },     { HL_QUANTITY_FLOW, 0, 1, { .6, .4, .6, .4 } },
    { HL_QUANTITY_FLOW, 1, 0, { 1, 0, 0, 1 } },         { HL_QUANTITY_FLOW, 1, 1, { .5, .5, .5, .5 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const HlLens lens = { .quantity = cases[i].quantity, .first_layer = cases[i].first_layer };
      g_autofree float *map = read_map (attention, lens, cases[i].layer, 0);

      assert_numbers (map, cases[i].expected, 4, 1e-7);
    }
  const HlLens lens = { .quantity = HL_QUANTITY_ROLLOUT, .first_layer = 1 };
  g_autoptr (HlAttentionSource) source = make_source (attention, &lens);
  g_assert_cmpstr (hl_attention_source_get_quantity (source), ==,
                   "rollout from layer 1 on · mean of head 0 · attention weight");
}

enum
{
  N = 300, /* so that a map is more than one block */
  N_LAYERS = 3,
  N_HEADS = 2,
};

/* Weights of N_LAYERS × N_HEADS maps; zero above the diagonal of those that are causal. */
static float *
make_weights (gboolean causal)
{
  float *weights = test_make_weights (23, N_LAYERS * N_HEADS, N, N);

  for (gsize row = 0; causal && row < N_LAYERS * N_HEADS * N; row++)
    {
      float sum = 0;
      for (gsize key = 0; key <= row % N; key++)
        sum += weights[row * N + key];
      for (gsize key = 0; key < N; key++)
        weights[row * N + key] = key <= row % N ? weights[row * N + key] / sum : 0;
    }
  return weights;
}

/* R_l of the mean of some heads, from a layer on, as the plainest code has it. */
static double *
make_rollout (const float *weights,
              const guint *heads,
              guint        n_heads,
              guint        first_layer,
              guint        last_layer)
{
  double *rollout = g_new0 (double, N *N);

  for (gsize i = 0; i < N; i++)
    rollout[i * N + i] = 1;
  for (guint layer = first_layer; layer <= last_layer; layer++)
    {
      g_autofree double *residual = g_new0 (double, N *N);
      double *product = g_new0 (double, N *N);

      for (gsize i = 0; i < N * N; i++)
        {
          for (guint head = 0; head < n_heads; head++)
            residual[i] += weights[(layer * N_HEADS + heads[head]) * N * N + i] / (double) n_heads;
          residual[i] = (residual[i] + (i % N == i / N)) / 2;
        }
      for (gsize i = 0; i < N; i++)
        for (gsize k = 0; k < N; k++)
          for (gsize j = 0; j < N; j++)
            product[i * N + j] += residual[i * N + k] * rollout[k * N + j];
      g_free (rollout);
      rollout = product;
    }
  return rollout;
}

static void
test_rollout (gconstpointer data)
{
  const gboolean causal = GPOINTER_TO_INT (data);
  g_autofree float *weights = make_weights (causal);
  const Parts parts = { .n_layers = N_LAYERS, .n_heads = N_HEADS, .n = N, .weights = weights, .causal = causal };
  static const struct
  {
    guint n_heads;
    guint heads[2];
    guint first_layer;
    guint layer;
  } cases[] = { { 2, { 0, 1 }, 0, 2 }, { 1, { 1 }, 0, 1 }, { 2, { 0, 1 }, 1, 2 } };
  g_autoptr (HlAttention) attention = make_attention (&parts);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      HlLens lens = { .quantity = HL_QUANTITY_ROLLOUT, .first_layer = cases[i].first_layer };
      for (guint head = 0; head < cases[i].n_heads; head++)
        hl_head_set_add (&lens.heads, cases[i].heads[head]);
      g_autofree double *expected =
        make_rollout (weights, cases[i].heads, cases[i].n_heads, cases[i].first_layer, cases[i].layer);
      g_autofree float *map = read_map (attention, lens, cases[i].layer, 0);

      assert_numbers (map, expected, N * N, 1e-6);
      for (gsize row = 0; row < N; row++)
        {
          double sum = 0;
          for (gsize key = 0; key < N; key++)
            {
              sum += map[row * N + key];
              if (causal && key > row)
                g_assert_cmpfloat (map[row * N + key], ==, 0);
            }
          g_assert_cmpfloat_with_epsilon (sum, 1, 1e-5);
        }
    }
}

/* A layer after a later one, some rows and keys, pooled, and what is cancelled. */
static void
test_rollout_of_parts (void)
{
  g_autofree float *weights = make_weights (FALSE);
  const Parts parts = { .n_layers = N_LAYERS, .n_heads = N_HEADS, .n = N, .weights = weights };
  const HlLens lens = { .quantity = HL_QUANTITY_ROLLOUT };
  g_autoptr (HlAttention) attention = make_attention (&parts);
  g_autoptr (HlAttentionSource) source = make_source (attention, &lens);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autofree float *part = g_new (float, 10 * 20);

  g_cancellable_cancel (cancellable);
  g_assert_null (hl_attention_source_read_head (source, 2, 0, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  for (guint i = 0; i < N_LAYERS; i++)
    {
      const guint layer = N_LAYERS - 1 - i;
      const HlAttentionRequest request = { .layer = layer,
                                           .first_query = 130,
                                           .n_queries = 10,
                                           .first_key = 40,
                                           .n_keys = 200,
                                           .n_rows = 10,
                                           .n_columns = 20,
                                           .pooling = HL_POOLING_MEAN };
      g_autofree double *expected = make_rollout (weights, (const guint[]){ 0, 1 }, 2, 0, layer);

      g_assert_true (hl_attention_source_read (source, &request, part, NULL, NULL));
      for (gsize row = 0; row < 10; row++)
        for (gsize column = 0; column < 20; column++)
          {
            double mean = 0;
            for (gsize key = 0; key < 10; key++)
              mean += expected[(130 + row) * N + 40 + column * 10 + key] / 10;
            g_assert_cmpfloat_with_epsilon (part[row * 20 + column], mean, 1e-6);
          }
    }
}

/* Combined over layers, and of rows that are not numbers, or infinite. */
static void
test_rollout_of_layers (void)
{
  const float odd[] = { 1, NAN, .5f, .5f, 0, 1, NAN, NAN };
  const float infinite[] = { .5f, INFINITY, .5f, .5f, 0, 1, 1, 0 };
  const Parts parts = { .n_layers = 2, .n_heads = 1, .n = 2, .weights = example };
  const Parts odd_parts = { .n_layers = 2, .n_heads = 1, .n = 2, .weights = odd };
  const Parts infinite_parts = { .n_layers = 2, .n_heads = 1, .n = 2, .weights = infinite };
  const HlLens lens = { .quantity = HL_QUANTITY_ROLLOUT,
                        .combine = HL_COMBINE_SUM,
                        .combine_over = HL_COMBINE_OVER_ALL };
  g_autoptr (HlAttention) attention = make_attention (&parts);
  g_autoptr (HlAttention) odd_attention = make_attention (&odd_parts);
  g_autoptr (HlAttention) infinite_attention = make_attention (&infinite_parts);

  g_autofree float *sum = read_map (attention, lens, 0, 0);
  assert_numbers (sum, (const double[]){ 1.625, .375, .875, 1.125 }, 4, 1e-7);
  g_autofree float *map = read_map (odd_attention, (HlLens){ .quantity = HL_QUANTITY_ROLLOUT }, 1, 0);
  g_assert_cmpfloat_with_epsilon (map[0], .625, 1e-7);
  g_assert_cmpfloat_with_epsilon (map[1], .375, 1e-7);
  g_assert_true (isnan (map[2]) && isnan (map[3]));
  for (HlQuantity quantity = HL_QUANTITY_ROLLOUT; quantity <= HL_QUANTITY_FLOW; quantity++)
    {
      g_autofree float *finite = read_map (infinite_attention, (HlLens){ .quantity = quantity }, 0, 0);
      assert_numbers (finite, (const double[]){ 1, 0, .25, .75 }, 4, 1e-4);
    }
}

/* Where it is not known what a token keeps of itself, nothing is known of it, nor of what takes something in of it; of all others as before. What is
 * hidden is 0 all the same. */
static void
test_lost (void)
{
  static const float weights[] = { 1, 0,   0, NAN, NAN, NAN, .25f, .25f, .5f, 1, 0,    0,    .5f, .5f,
                                   0, .5f, 0, .5f, 1,   0,   0,    1,    0,   0, .25f, .25f, .5f };
  static const char *const lost[] = { "-x-", "-x-", "-xx" };
  const Parts parts = { .n_layers = 3, .n_heads = 1, .n = 3, .weights = weights, .causal = TRUE };
  g_autoptr (HlAttention) attention = make_attention (&parts);

  for (HlQuantity quantity = HL_QUANTITY_ROLLOUT; quantity <= HL_QUANTITY_FLOW; quantity++)
    for (guint layer = 3; layer-- > 0;)
      for (guint from = 0; from < 2; from++)
        {
          g_autofree float *map = read_map (attention, (HlLens){ .quantity = quantity, .first_layer = from }, layer, 0);

          for (guint row = 0; row < 3; row++)
            if (from == 0 && lost[layer][row] == 'x')
              {
                g_assert_true (isnan (map[row * 3]) && isnan (map[row * 3 + row]));
                g_assert_true (row == 2 || map[row * 3 + 2] == 0);
              }
            else
              g_assert_cmpfloat_with_epsilon (map[row * 3] + map[row * 3 + 1] + map[row * 3 + 2], 1, 1e-4);
        }
}

/* The greatest flow from one node to another, a path at a time along the fewest edges, in a matrix of all nodes. */
static double
flow_plainly (const double *capacities,
              gsize         n,
              guint         n_levels,
              gsize         source,
              gsize         sink)
{
  const gsize n_nodes = (n_levels + 1) * n;
  g_autofree double *left = g_new0 (double, n_nodes *n_nodes);
  g_autofree gsize *from = g_new (gsize, n_nodes);
  g_autofree gsize *queue = g_new (gsize, n_nodes);
  double flow = 0;

  for (guint level = 0; level < n_levels; level++)
    for (gsize i = 0; i < n; i++)
      for (gsize j = 0; j < n; j++)
        left[((level + 1) * n + i) * n_nodes + level * n + j] = capacities[(level * n + i) * n + j];
  for (;;)
    {
      gsize n_queued = 1;
      double amount = INFINITY;

      for (gsize node = 0; node < n_nodes; node++)
        from[node] = n_nodes;
      queue[0] = n_levels * n + source;
      from[queue[0]] = queue[0];
      for (gsize i = 0; i < n_queued; i++)
        for (gsize node = 0; node < n_nodes; node++)
          if (from[node] == n_nodes && left[queue[i] * n_nodes + node] > 1e-12)
            {
              from[node] = queue[i];
              queue[n_queued++] = node;
            }
      if (from[sink] == n_nodes)
        return flow;
      for (gsize node = sink; node != queue[0]; node = from[node])
        amount = MIN (amount, left[from[node] * n_nodes + node]);
      for (gsize node = sink; node != queue[0]; node = from[node])
        {
          left[from[node] * n_nodes + node] -= amount;
          left[node * n_nodes + from[node]] += amount;
        }
      flow += amount;
    }
}

/* Small networks by chance, many edges of which are missing so that flow has to be undone. */
static void
test_max_flow (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  /* The example: Ã of both layers, and the flow from a token of the upper one before it is divided by its sum. */
  const gint32 unit = HL_FLOW_UNIT;
  const gint32 residuals[] = { unit, 0, unit / 4, unit / 4 * 3, unit / 2, unit / 2, unit / 2, unit / 2 };
  g_autoptr (HlMaxFlow) example_network = hl_max_flow_new (residuals, 2, 2);

  for (gsize source = 0; source < 2; source++)
    {
      g_assert_cmpint (hl_max_flow_measure (example_network, source, 0), ==, unit / 4 * 3);
      g_assert_cmpint (hl_max_flow_measure (example_network, source, 1), ==, unit / 2);
    }
  for (guint round = 0; round < 400; round++)
    {
      const gsize n = (gsize) g_rand_int_range (random, 1, 7);
      const guint n_levels = (guint) g_rand_int_range (random, 1, 6);
      const gsize n_edges = n_levels * n * n;
      const double density = g_rand_double_range (random, .2, 1);
      g_autofree gint32 *capacities = g_new (gint32, n_edges);
      g_autofree double *plain = g_new (double, n_edges);

      for (gsize i = 0; i < n_edges; i++)
        {
          capacities[i] = g_rand_double (random) < density ? g_rand_int_range (random, 0, HL_FLOW_UNIT) : 0;
          plain[i] = (double) capacities[i] / HL_FLOW_UNIT;
        }
      g_autoptr (HlMaxFlow) network = hl_max_flow_new (capacities, n, n_levels);
      for (gsize source = 0; source < n; source++)
        for (gsize sink = 0; sink < n; sink++)
          g_assert_cmpfloat_with_epsilon ((double) hl_max_flow_measure (network, source, sink) / HL_FLOW_UNIT,
                                          flow_plainly (plain, n, n_levels, source, sink), 1e-9);
    }
}

/* Nodes of more than one word of bits. */
static void
test_wide_flow (void)
{
  const gsize n = 70;
  g_autofree float *weights = test_make_weights (3, 2, n, n);
  const Parts parts = { .n_layers = 2, .n_heads = 1, .n = n, .weights = weights };
  g_autoptr (HlAttention) attention = make_attention (&parts);
  g_autofree float *first = read_map (attention, (HlLens){ .quantity = HL_QUANTITY_RESIDUAL }, 0, 0);
  g_autofree float *second = read_map (attention, (HlLens){ .quantity = HL_QUANTITY_RESIDUAL }, 1, 0);
  g_autofree float *flow = read_map (attention, (HlLens){ .quantity = HL_QUANTITY_FLOW }, 1, 0);
  g_autofree double *raw = g_new (double, n);

  /* Of two layers, every way from query to key is its own: Σ_k min (Ã_1[i,k], Ã_0[k,j]). */
  for (gsize query = 0; query < n; query++)
    {
      double sum = 0, found = 0;
      for (gsize key = 0; key < n; key++)
        {
          raw[key] = 0;
          for (gsize k = 0; k < n; k++)
            raw[key] += MIN (second[query * n + k], first[k * n + key]);
          sum += raw[key];
        }
      for (gsize key = 0; key < n; key++)
        {
          g_assert_cmpfloat_with_epsilon (flow[query * n + key], raw[key] / sum, 1e-7);
          found += flow[query * n + key];
        }
      g_assert_cmpfloat_with_epsilon (found, 1, 1e-6);
    }
}

/* Rows are kept; of a later first layer there are fewer levels; too many tokens are refused. */
static void
test_flow_of_parts (void)
{
  const gsize n = 9;
  g_autofree float *weights = test_make_weights (29, 8, n, n);
  const Parts parts = { .n_layers = 4, .n_heads = 2, .n = n, .weights = weights };
  const HlLens lens = { .quantity = HL_QUANTITY_FLOW, .first_layer = 1 };
  g_autoptr (HlAttention) attention = make_attention (&parts);
  g_autoptr (HlAttentionSource) source = make_source (attention, &lens);
  g_autofree double *capacities = g_new (double, 3 * n * n);
  g_autofree float *map = hl_attention_source_read_head (source, 3, 0, NULL, NULL);
  float part[6];

  for (guint layer = 0; layer < 3; layer++)
    for (gsize i = 0; i < n * n; i++)
      capacities[layer * n * n + i] =
        ((weights[(layer + 1) * 2 * n * n + i] + weights[((layer + 1) * 2 + 1) * n * n + i]) / 2. + (i / n == i % n)) /
        2;
  for (gsize query = 0; query < n; query++)
    {
      double row[9], sum = 0;
      for (gsize key = 0; key < n; key++)
        sum += row[key] = flow_plainly (capacities, n, 3, query, key);
      for (gsize key = 0; key < n; key++)
        g_assert_cmpfloat_with_epsilon (map[query * n + key], row[key] / sum, 1e-6);
    }
  const HlAttentionRequest request = {
    .layer = 3, .first_query = 4, .n_queries = 2, .first_key = 5, .n_keys = 3, .n_rows = 2, .n_columns = 3
  };
  g_assert_true (hl_attention_source_read (source, &request, part, NULL, NULL));
  for (gsize i = 0; i < 6; i++)
    g_assert_cmpfloat (part[i], ==, map[(4 + i / 3) * n + 5 + i % 3]);
}

typedef struct
{
  HlAttentionSource *source;
  HlAttentionRequest request;
  GCancellable *cancellable;
  float *target;
  gint has_begun;
} FlowReader;

static gpointer
read_flow (gpointer data)
{
  FlowReader *self = data;
  GError *error = NULL;

  g_atomic_int_set (&self->has_begun, TRUE);
  hl_attention_source_read (self->source, &self->request, self->target, self->cancellable, &error);
  return error;
}

/* Rows are made side by side: one that is there, and one of fewer layers, do not wait for all those of the last layer. */
static void
test_flow_in_threads (void)
{
  const gsize n = 150;
  const guint n_layers = 8;
  g_autofree float *weights = test_make_weights (31, n_layers, n, n);
  const Parts parts = { .n_layers = n_layers, .n_heads = 1, .n = n, .weights = weights };
  const HlLens lens = { .quantity = HL_QUANTITY_FLOW };
  g_autoptr (HlAttention) attention = make_attention (&parts);
  g_autoptr (HlAttentionSource) source = make_source (attention, &lens);
  g_autoptr (HlAttentionSource) alone = make_source (attention, &lens);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree float *all = g_new (float, n *n), *kept = g_new (float, n), *row = g_new (float, n);
  HlAttentionRequest request = { .layer = 2, .n_queries = 1, .n_keys = n, .n_rows = 1, .n_columns = n };
  FlowReader reader = { source, request, cancellable, all, FALSE };

  g_assert_true (hl_attention_source_read (source, &request, kept, NULL, NULL));
  reader.request.layer = n_layers - 1;
  reader.request.n_queries = reader.request.n_rows = n;
  GThread *thread = g_thread_new ("flow", read_flow, &reader);
  while (!g_atomic_int_get (&reader.has_begun))
    g_thread_yield ();
  for (guint i = 0; i < 5; i++)
    {
      g_usleep (10000);
      g_assert_true (hl_attention_source_read (source, &request, row, NULL, NULL));
      g_assert_cmpmem (row, n * sizeof *row, kept, n * sizeof *kept);
    }
  request.first_query = 1;
  g_assert_true (hl_attention_source_read (source, &request, row, NULL, NULL));
  g_cancellable_cancel (cancellable);
  g_autoptr (GError) error = g_thread_join (thread);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (hl_attention_source_read (alone, &request, kept, NULL, NULL));
  g_assert_cmpmem (row, n * sizeof *row, kept, n * sizeof *kept);
}

static void
test_limit (void)
{
  const gsize n = 1025;
  g_autofree float *weights = g_new0 (float, n *n);
  const Parts parts = { .n_layers = 1, .n_heads = 1, .n = n, .weights = weights };
  g_autoptr (HlAttention) attention = make_attention (&parts);
  g_autoptr (GError) error = NULL;

  g_assert_true (hl_quantity_check (HL_QUANTITY_ROLLOUT, attention, NULL));
  g_assert_false (hl_quantity_check (HL_QUANTITY_FLOW, attention, &error));
  g_assert_error (error, HL_ERROR, HL_ERROR_TOO_LARGE);
  g_assert_cmpstr (error->message, ==, "is made for at most 1024 tokens, and there are 1025");
}

/* The query of quantities.md: half of each value comes from itself, or all of the other; and without a norm behind attention, where nothing is
 * centred: ‖(0, 1.5, 0)‖ / (1.5 + ‖(1.125, 0, −1)‖). */
static void
test_mixing (void)
{
  const float weights[] = { .5f, .5f, 0, 1 };
  const float values[] = { .25f, 0, 0, 0, 3, 0 };
  const float output[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  const float stream[] = { 1, 0, -1, 2, 2, 2 };
  const float gamma[] = { 1, 1, 1 };
  Parts parts = { 1, 1, 1, 2, 3, 3, weights, values, output, .stream = stream, .output_norm = gamma };
  const double expected[] = { .44892, 1.5 / (1.5 + sqrt (1.125 * 1.125 + 1)) };

  for (guint i = 0; i < 2; i++)
    {
      if (i == 1)
        parts.output_norm = NULL;
      g_autoptr (HlAttention) attention = make_attention (&parts);
      g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
      g_autoptr (GError) error = NULL;
      double ratios[2];

      g_assert_true (hl_mixing_can (attention));
      g_assert_true (hl_mixing_measure (attention, source, 0, ratios, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpfloat_with_epsilon (ratios[0], expected[i], 1e-5);
      g_assert_cmpfloat (ratios[1], ==, 0);
    }
  parts.stream = NULL;
  g_autoptr (HlAttention) without = make_attention (&parts);
  g_assert_false (hl_mixing_can (without));
}

/* Cell by cell, of what has no way of its own to be summed. */
static void
test_sum (void)
{
  const float weights[] = { 1, 0, .25f, .75f, .5f, .5f, 0, 1 };
  const Parts parts = { .n_layers = 1, .n_heads = 2, .n = 2, .weights = weights };
  const HlLens lens = { .combine = HL_COMBINE_SUM };
  g_autoptr (HlAttention) attention = make_attention (&parts);
  g_autoptr (HlAttentionSource) source = make_source (attention, &lens);
  g_autofree float *map = hl_attention_source_read_head (source, 0, 0, NULL, NULL);

  assert_numbers (map, (const double[]){ 1.5, .5, .25, 1.75 }, 4, 1e-7);
  g_assert_cmpstr (hl_attention_source_get_quantity (source), ==, "sum of all 2 heads · attention weight");
}

/* "x" where a token has something of another, "-" where that is masked. */
static void
assert_seen (HlAttentionSource *source,
             guint              layer,
             const char        *wanted)
{
  const gsize n = hl_attention_source_get_n (source, HL_KEYS);
  const HlMask *mask = hl_attention_source_get_mask (source, layer);
  const HlAttentionRequest request = {
    .layer = layer, .n_queries = n, .n_keys = n, .n_rows = n, .n_columns = n, .marks_masked = TRUE
  };
  g_autofree float *map = g_new (float, n *n);
  g_autofree char *found = g_strnfill (n * n, 'x');

  g_assert_true (hl_attention_source_read (source, &request, map, NULL, NULL));
  for (gsize i = 0; i < n * n; i++)
    if (hl_weight_is_masked (mask, map[i]) || !hl_mask_is_visible (mask, n, n, i / n, i % n))
      found[i] = '-';
  g_assert_cmpstr (found, ==, wanted);
}

/* Real tokens have nothing of padding, at the end or at the beginning, and are as without it; padding keeps itself, which is seen. */
static void
test_padding (void)
{
  const float end[] = { .5f, .5f, 0, .25f, .75f, 0, 0, 0, 0, .5f, .5f, 0, .25f, .75f, 0, .5f, .5f, 0 };
  const float begin[] = { 0, 0, 0, 0, 1, 0, 0, .25f, .75f, 0, 0, 0, 0, 1, 0, 0, .25f, .75f };
  const float real[] = { .5f, .5f, .25f, .75f, .5f, .5f, .25f, .75f };
  const Parts right = { .n_layers = 2, .n_heads = 1, .n = 3, .weights = end, .end_key = 2 };
  const Parts left = { .n_layers = 2, .n_heads = 1, .n = 3, .weights = begin, .causal = TRUE, .first_key = 1 };
  const Parts none = { .n_layers = 2, .n_heads = 1, .n = 2, .weights = real };
  const double last[] = { .25, .25, .5 };
  const double own[] = { 1, 0, 0 };
  g_autoptr (HlAttention) padded = make_attention (&right);
  g_autoptr (HlAttention) led = make_attention (&left);
  g_autoptr (HlAttention) unpadded = make_attention (&none);

  for (HlQuantity quantity = HL_QUANTITY_RESIDUAL; quantity <= HL_QUANTITY_FLOW; quantity++)
    {
      const HlLens lens = { .quantity = quantity };
      g_autoptr (HlAttentionSource) source = make_source (padded, &lens);
      g_autoptr (HlAttentionSource) causal = make_source (led, &lens);

      assert_seen (source, 0, "xx-xx-xxx");
      assert_seen (source, 1, "xx-xx-xxx");
      assert_seen (causal, 1, "x---x--xx");
      for (guint layer = 0; layer < 2; layer++)
        {
          g_autofree float *map = read_map (padded, lens, layer, 0);
          g_autofree float *alone = read_map (unpadded, lens, layer, 0);
          for (guint i = 0; i < 4; i++)
            g_assert_cmpfloat (map[i / 2 * 3 + i % 2], ==, alone[i]);
          g_assert_cmpfloat (map[2] + map[5], ==, 0);
        }
      g_autofree float *first = read_map (led, lens, 1, 0);
      assert_numbers (first, own, 3, 1e-7);
    }
  g_autofree float *residual = read_map (padded, (HlLens){ .quantity = HL_QUANTITY_RESIDUAL }, 1, 0);
  assert_numbers (residual + 6, last, 3, 1e-7);
}

/* What each layer mixes follows from the layer before it: of thousands, none is looked at for each of the others. */
static void
test_masks_of_layers (void)
{
  enum
  {
    N_MANY = 200
  };
  g_autofree float *weights = g_new (float, N_MANY * 4);
  const Parts parts = { .n_layers = N_MANY, .n_heads = 1, .n = 2, .weights = weights };

  for (guint i = 0; i < N_MANY * 4; i++)
    weights[i] = .5f;
  g_autoptr (HlAttention) attention = make_attention (&parts);
  g_autoptr (HlAttentionSource) stored = hl_attention_make_source (attention);
  g_autoptr (HlAttentionSource) all = hl_derived_source_derive (g_object_new (TEST_TYPE_COUNTER, NULL), stored);
  const HlHeadSet heads = { { 1 } };
  const HlLayerSet layers = { { 1 } };
  g_autoptr (HlAttentionSource)
    mean = hl_combine_source_new (all, HL_COMBINE_MEAN, HL_COMBINE_OVER_HEADS, &heads, &layers);
  for (guint layer = 0; layer < N_MANY; layer++)
    {
      g_autofree float *map = hl_attention_source_read_head (mean, layer, 0, NULL, NULL);
      g_assert_nonnull (map);
      g_assert_cmpfloat (map[0], ==, .5f);
    }
  g_assert_cmpuint (TEST_COUNTER (all)->n_asked, <=, 20 * N_MANY);
  for (HlQuantity quantity = HL_QUANTITY_ROLLOUT; quantity <= HL_QUANTITY_FLOW; quantity++)
    {
      g_autoptr (HlAttentionSource) counter = hl_derived_source_derive (g_object_new (TEST_TYPE_COUNTER, NULL), stored);
      const HlQuantityParts given = { attention, counter, 0 };
      g_autoptr (HlAttentionSource) source = hl_quantity_get (quantity)->make (&given);

      for (guint layer = 0; layer < N_MANY; layer++)
        {
          const HlMask *mask = hl_attention_source_get_mask (source, layer);
          g_assert_cmpint (mask->causal, ==, layer == 0);
          g_assert_cmpint (mask->shift, ==, layer == 0);
          g_assert_cmpint (mask->scattered, ==, layer == 0);
          g_assert_cmpuint (mask->window + mask->first_key + mask->end_key, ==, 0);
        }
      for (guint layer = 0; layer < N_MANY; layer++)
        {
          g_autofree float *map = hl_attention_source_read_head (source, layer, 0, NULL, NULL);
          g_assert_nonnull (map);
        }
      g_assert_cmpuint (TEST_COUNTER (counter)->n_asked, <=, 20 * N_MANY);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quantity-layers/padding", test_padding);
  g_test_add_func ("/quantity-layers/masks-of-layers", test_masks_of_layers);
  g_test_add_func ("/quantity-layers/norm", test_norm);
  g_test_add_func ("/quantity-layers/value-norms", test_value_norms);
  g_test_add_func ("/quantity-layers/norm-of-parts", test_norm_of_parts);
  g_test_add_func ("/quantity-layers/example", test_example);
  g_test_add_data_func ("/quantity-layers/rollout", GINT_TO_POINTER (FALSE), test_rollout);
  g_test_add_data_func ("/quantity-layers/causal-rollout", GINT_TO_POINTER (TRUE), test_rollout);
  g_test_add_func ("/quantity-layers/rollout-of-parts", test_rollout_of_parts);
  g_test_add_func ("/quantity-layers/rollout-of-layers", test_rollout_of_layers);
  g_test_add_func ("/quantity-layers/lost", test_lost);
  g_test_add_func ("/quantity-layers/max-flow", test_max_flow);
  g_test_add_func ("/quantity-layers/wide-flow", test_wide_flow);
  g_test_add_func ("/quantity-layers/flow-of-parts", test_flow_of_parts);
  g_test_add_func ("/quantity-layers/flow-in-threads", test_flow_in_threads);
  g_test_add_func ("/quantity-layers/limit", test_limit);
  g_test_add_func ("/quantity-layers/mixing", test_mixing);
  g_test_add_func ("/quantity-layers/sum", test_sum);
  return g_test_run ();
}
