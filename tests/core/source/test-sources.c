/* SPDX-License-Identifier: MIT */
/* Attention sources: what they answer, against the plainest code that can answer the same. */
#include "core/compute/hl-attend.h"
#include "core/source/derive/hl-filter-source.h"
#include "core/source/make/hl-dump-source.h"
#include "core/source/make/hl-qk-source.h"
#include "core/source/make/hl-source-factory.h"

#include "test-attentions.h"

#include <math.h>
#include <string.h>

/* A tensor that is not in memory, and counts how often it is read. */
#define TEST_TYPE_FAR_TENSOR (test_far_tensor_get_type ())
G_DECLARE_FINAL_TYPE (TestFarTensor, test_far_tensor, TEST, FAR_TENSOR, HlTensor)

struct _TestFarTensor
{
  HlTensor parent_instance;
  HlTensor *near;
  int n_reads;
};

G_DEFINE_FINAL_TYPE (TestFarTensor, test_far_tensor, HL_TYPE_TENSOR)

static gboolean
far_read (HlTensor      *tensor,
          const guint64 *start,
          const guint64 *count,
          float         *target,
          GCancellable  *cancellable,
          GError       **error)
{
  TestFarTensor *self = TEST_FAR_TENSOR (tensor);

  g_atomic_int_inc (&self->n_reads);
  return hl_tensor_read_f32 (self->near, start, count, target, cancellable, error);
}

static void
far_finalize (GObject *object)
{
  g_clear_object (&TEST_FAR_TENSOR (object)->near);
  G_OBJECT_CLASS (test_far_tensor_parent_class)->finalize (object);
}

static void
test_far_tensor_class_init (TestFarTensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = far_finalize;
  HL_TENSOR_CLASS (klass)->read_f32 = far_read;
}

static void
test_far_tensor_init (TestFarTensor *self)
{
}

static TestFarTensor *
far_tensor_new (HlTensor *near)
{
  TestFarTensor *self = g_object_new (TEST_TYPE_FAR_TENSOR, NULL);

  self->near = g_object_ref (near);
  hl_tensor_set_layout (HL_TENSOR (self), HL_DTYPE_F32, hl_tensor_get_shape (near));
  return self;
}

static void
assert_near (const float *a,
             const float *b,
             gsize        n,
             double       tolerance)
{
  for (gsize i = 0; i < n; i++)
    if (isnan (a[i]) || isnan (b[i]))
      g_assert_true (isnan (a[i]) && isnan (b[i]));
    else
      g_assert_cmpfloat (fabsf (a[i] - b[i]), <=, tolerance);
}

static void
test_dump_rows (void)
{
  g_autofree float *weights = test_make_weights (1, 3 * 4, 7, 9);
  g_autoptr (HlAttention) attention = test_make_attention (3, 4, 7, 9, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (GError) error = NULL;
  float part[3 * 5];
  const HlAttentionRequest request = {
    .layer = 2, .head = 1, .first_query = 4, .n_queries = 3, .first_key = 2, .n_keys = 5, .n_rows = 3, .n_columns = 5
  };

  g_assert_true (HL_IS_DUMP_SOURCE (source));
  g_assert_true (hl_attention_source_read (source, &request, part, NULL, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    for (guint j = 0; j < 5; j++)
      g_assert_cmpfloat (part[i * 5 + j], ==, weights[((2 * 4 + 1) * 7 + 4 + i) * 9 + 2 + j]);

  g_clear_object (&attention);
  g_assert_finalize_object (g_steal_pointer (&source));
}

static void
test_dump_cache (void)
{
  enum
  {
    N = 1200,
    HEADS = 12
  }; /* 5.8 MB a head: one fits */
  const HlShape shape = { 3, { HEADS, N, N } };
  g_autofree float *weights = test_make_weights (2, 1, HEADS * N, N);
  g_autoptr (HlTensor) near = test_make_tensor (&shape, weights);
  g_autoptr (TestFarTensor) far = far_tensor_new (near);
  const HlLayerTensor layer = { HL_TENSOR (far), -1, 0, -1, 0, 0, 1, 2 };
  const HlAttentionInit init = { .weights = &layer, .n_layers = 1, .n_used = { N, N } };
  g_autoptr (HlAttention) attention = hl_attention_new (&init);
  g_autoptr (HlAttentionSource) source = hl_dump_source_new (attention);
  g_autoptr (GError) error = NULL;
  float row[N];
  HlAttentionRequest request = { .n_queries = 1, .n_keys = N, .n_rows = 1, .n_columns = N };

  for (guint i = 0; i < 5; i++)
    {
      request.first_query = i * 7;
      g_assert_true (hl_attention_source_read (source, &request, row, NULL, &error));
      assert_near (row, weights + i * 7 * N, N, 0);
    }
  g_assert_cmpint (far->n_reads, ==, 1);

  for (request.head = 0; request.head < HEADS; request.head++)
    g_assert_true (hl_attention_source_read (source, &request, row, NULL, &error));
  g_assert_cmpint (far->n_reads, ==, HEADS);
  request.head = HEADS - 1; /* kept */
  g_assert_true (hl_attention_source_read (source, &request, row, NULL, &error));
  g_assert_cmpint (far->n_reads, ==, HEADS);
  request.head = 0; /* had to go */
  g_assert_true (hl_attention_source_read (source, &request, row, NULL, &error));
  g_assert_cmpint (far->n_reads, ==, HEADS + 1);
}

static void
test_dump_cancel (void)
{
  g_autofree float *weights = test_make_weights (3, 1, 4, 4);
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, 4, 4, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (hl_attention_source_read_head (source, 0, 0, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* What a mask hides is 0, also where the file has no number; what a query sees stays none. */
static void
test_dump_hidden (void)
{
  enum
  {
    N = 9
  };
  const HlMask mask = { .causal = TRUE, .window = 4 };
  g_autofree float *weights = test_make_weights (5, 1, N, N);
  g_autofree float *expected = g_memdup2 (weights, N * N * sizeof (float));
  float part[3 * 4];

  weights[7 * N + 5] = expected[7 * N + 5] = NAN;
  for (gsize i = 0; i < N; i++)
    for (gsize j = 0; j < N; j++)
      if (j > i || j + 4 <= i)
        {
          weights[i * N + j] = NAN;
          expected[i * N + j] = 0;
        }
  g_autoptr (HlAttention) attention = test_make_attention_full (1, 1, N, N, weights, NULL, NULL, N, 0, mask);
  g_autoptr (HlAttentionSource) source = hl_dump_source_new (attention);
  g_autofree float *map = hl_attention_source_read_head (source, 0, 0, NULL, NULL);
  assert_near (map, expected, N * N, 0);

  /* Parts of rows that begin and end before, in and behind what is seen. */
  for (gsize query = 0; query + 3 <= N; query++)
    for (gsize key = 0; key + 4 <= N; key++)
      {
        const HlAttentionRequest request = {
          .first_query = query, .n_queries = 3, .first_key = key, .n_keys = 4, .n_rows = 3, .n_columns = 4
        };
        g_assert_true (hl_attention_source_read (source, &request, part, NULL, NULL));
        for (gsize i = 0; i < 3; i++)
          assert_near (part + i * 4, expected + (query + i) * N + key, 4, 0);
      }
}

static void
test_turned_axes (void)
{
  /* [key, query, head] in the file; the same maps must come out. */
  g_autofree float *weights = test_make_weights (4, 3, 5, 6);
  g_autofree float *turned = g_new (float, 3 * 5 * 6);
  const HlShape shape = { 3, { 6, 5, 3 } };

  for (guint h = 0; h < 3; h++)
    for (guint i = 0; i < 5; i++)
      for (guint j = 0; j < 6; j++)
        turned[(j * 5 + i) * 3 + h] = weights[(h * 5 + i) * 6 + j];
  g_autoptr (HlTensor) tensor = test_make_tensor (&shape, turned);
  const HlLayerTensor layer = { tensor, -1, 0, -1, 0, 2, 1, 0 };
  const HlAttentionInit init = { .weights = &layer, .n_layers = 1, .n_used = { 5, 6 } };
  g_autoptr (HlAttention) attention = hl_attention_new (&init);
  g_autoptr (HlAttentionSource) source = hl_dump_source_new (attention);

  g_assert_cmpuint (hl_attention_source_get_n_heads (source, 0), ==, 3);
  g_assert_cmpuint (hl_attention_source_get_n (source, HL_QUERIES), ==, 5);
  g_assert_cmpuint (hl_attention_source_get_n (source, HL_KEYS), ==, 6);
  for (guint h = 0; h < 3; h++)
    {
      g_autofree float *map = hl_attention_source_read_head (source, 0, h, NULL, NULL);
      assert_near (map, weights + h * 30, 30, 0);
    }
}

static float
pool_naively (const float *map,
              gsize        n_all_keys,
              gsize        q0,
              gsize        q1,
              gsize        k0,
              gsize        k1,
              HlPooling    pooling)
{
  double sum = 0, greatest = -INFINITY;
  guint n = 0;

  for (gsize q = q0; q < q1; q++)
    for (gsize k = k0; k < k1; k++)
      {
        const float weight = map[q * n_all_keys + k];
        if (isnan (weight))
          continue;
        sum += weight;
        greatest = MAX (greatest, weight);
        n++;
      }
  return n == 0 ? NAN : (float) (pooling == HL_POOLING_MAX ? greatest : sum / n);
}

static void
test_pooling (void)
{
  static const struct
  {
    gsize n_queries, n_keys, first_query, take_queries, first_key, take_keys, n_rows, n_columns;
  } cases[] = {
    { 1, 1, 0, 1, 0, 1, 1, 1 },           { 10, 10, 0, 10, 0, 10, 1, 1 },  { 10, 13, 0, 10, 0, 13, 3, 4 },
    { 37, 41, 5, 30, 2, 39, 30, 7 },      { 37, 41, 5, 30, 2, 39, 7, 39 }, { 64, 64, 0, 64, 0, 64, 63, 63 },
    { 900, 700, 3, 890, 1, 699, 1, 500 },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    for (HlPooling pooling = HL_POOLING_MAX; pooling <= HL_POOLING_MEAN; pooling++)
      {
        g_autofree float *map = test_make_weights (c, 1, cases[c].n_queries, cases[c].n_keys);
        /* Some cells are no numbers; in small cases whole pools are. */
        for (gsize i = 0; i < cases[c].n_queries * cases[c].n_keys; i += 5)
          map[i] = NAN;
        g_autoptr (HlAttention) attention = test_make_attention (1, 1, cases[c].n_queries, cases[c].n_keys, map);
        g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
        const HlAttentionRequest request = { .first_query = cases[c].first_query,
                                             .n_queries = cases[c].take_queries,
                                             .first_key = cases[c].first_key,
                                             .n_keys = cases[c].take_keys,
                                             .n_rows = cases[c].n_rows,
                                             .n_columns = cases[c].n_columns,
                                             .pooling = pooling };
        g_autofree float *pooled = g_new (float, request.n_rows *request.n_columns);
        g_autoptr (GError) error = NULL;

        g_assert_true (hl_attention_source_read (source, &request, pooled, NULL, &error));
        for (gsize r = 0; r < request.n_rows; r++)
          for (gsize k = 0; k < request.n_columns; k++)
            {
              const float expected =
                pool_naively (map, cases[c].n_keys, request.first_query + r * request.n_queries / request.n_rows,
                              request.first_query + (r + 1) * request.n_queries / request.n_rows,
                              request.first_key + k * request.n_keys / request.n_columns,
                              request.first_key + (k + 1) * request.n_keys / request.n_columns, pooling);
              assert_near (&pooled[r * request.n_columns + k], &expected, 1, pooling == HL_POOLING_MAX ? 0 : 1e-7);
            }
      }
}

static void
test_filter_threshold (void)
{
  const float weights[] = { 0.5f, 0.3f, 0.2f, 0.0f, 0.1f, 0.05f, NAN, 0.85f };
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, 2, 4, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlAttentionSource) filtered = hl_filter_source_new (source, 0.2f, 1);
  g_autofree float *map = hl_attention_source_read_head (filtered, 0, 0, NULL, NULL);
  const float expected[] = { 0.5f, 0.3f, 0.2f, 0, 0, 0, NAN, 0.85f };

  assert_near (map, expected, 8, 0);
}

static void
test_filter_top_mass (void)
{
  const float weights[] = { 0.5f,  0.3f,  0.15f, 0.05f, /* 90 %: three */
                            0.25f, 0.25f, 0.25f, 0.25f, /* equal weights stay together */
                            0.05f, 0.9f,  0.03f, 0.02f, /* one is enough */
                            0,     0,     0,     0 };
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, 4, 4, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autoptr (HlAttentionSource) filtered = hl_filter_source_new (source, 0, 0.9);
  g_autofree float *map = hl_attention_source_read_head (filtered, 0, 0, NULL, NULL);
  const float expected[] = { 0.5f, 0.3f, 0.15f, 0, 0.25f, 0.25f, 0.25f, 0.25f, 0, 0.9f, 0, 0, 0, 0, 0, 0 };
  float column[4];
  const HlAttentionRequest request = { .n_queries = 4, .first_key = 2, .n_keys = 1, .n_rows = 4, .n_columns = 1 };

  assert_near (map, expected, 16, 0);

  /* What a column shows does not depend on which columns were asked for. */
  g_assert_true (hl_attention_source_read (filtered, &request, column, NULL, NULL));
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat (column[i], ==, expected[i * 4 + 2]);
}

/* The fewest keys that hold the share: dropping the weakest that stayed must miss it. */
static void
test_filter_top_mass_is_least (void)
{
  g_autofree float *weights = test_make_weights (9, 1, 50, 60);
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, 50, 60, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);

  for (double share = 0.1; share < 1; share += 0.2)
    {
      g_autoptr (HlAttentionSource) filtered = hl_filter_source_new (source, 0, share);
      g_autofree float *map = hl_attention_source_read_head (filtered, 0, 0, NULL, NULL);
      for (guint i = 0; i < 50; i++)
        {
          double kept = 0, least = INFINITY;
          for (guint j = 0; j < 60; j++)
            {
              const float weight = map[i * 60 + j];
              g_assert_true (weight == 0 || weight == weights[i * 60 + j]);
              kept += weight;
              if (weight > 0)
                least = MIN (least, weight);
            }
          g_assert_cmpfloat (kept, >=, share - 1e-5);
          g_assert_cmpfloat (kept - least, <, share + 1e-5);
        }
    }
}

/* However small the share is, the strongest keys stay, also where the share of a row is too small to be told from 0. */
static void
test_filter_top_mass_near_zero (void)
{
  const float weights[] = {
    0.3f, 0.5f, 0.15f, 0.05f, 0.25f, 0.25f, 0.25f, 0.25f, 0, 0, 0, 0, 1e-30f, 2e-30f, 0, 3e-30f
  };
  const float expected[] = { 0, 0.5f, 0, 0, 0.25f, 0.25f, 0.25f, 0.25f, 0, 0, 0, 0, 0, 0, 0, 3e-30f };
  const double shares[] = { 0, 1e-320, 1e-9 };
  g_autoptr (HlAttention) attention = test_make_attention (1, 1, 4, 4, weights);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);

  for (gsize i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      g_autoptr (HlAttentionSource) filtered = hl_filter_source_new (source, 0, shares[i]);
      g_autofree float *map = hl_attention_source_read_head (filtered, 0, 0, NULL, NULL);
      assert_near (map, expected, 16, 0);
    }
}

typedef struct
{
  guint n_heads;
  guint n_key_heads;
  gsize n_queries;
  gsize n_keys;
  gsize n_features;
  double scale;
  double softcap;
  HlMask mask;
  double bias; /* the greatest that is added to a score; 0 for none */
} QkCase;

static HlAttention *
make_qk_attention (const QkCase *c,
                   float       **q,
                   float       **k,
                   float       **bias)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (77);
  const HlShape q_shape = { 3, { c->n_heads, c->n_queries, c->n_features } };
  const HlShape k_shape = { 3, { c->n_key_heads, c->n_keys, c->n_features } };
  const gsize n_q = c->n_heads * c->n_queries * c->n_features;
  const gsize n_k = c->n_key_heads * c->n_keys * c->n_features;

  *q = g_new (float, n_q);
  *k = g_new (float, n_k);
  for (gsize i = 0; i < n_q; i++)
    (*q)[i] = (float) g_rand_double_range (rand, -2, 2);
  for (gsize i = 0; i < n_k; i++)
    (*k)[i] = (float) g_rand_double_range (rand, -2, 2);
  g_autoptr (HlTensor) q_tensor = test_make_tensor (&q_shape, *q);
  g_autoptr (HlTensor) k_tensor = test_make_tensor (&k_shape, *k);
  const HlLayerTensor queries = { q_tensor, -1, 0, -1, 0, 0, 1, 2 };
  const HlLayerTensor keys = { k_tensor, -1, 0, -1, 0, 0, 1, 2 };
  const gsize n_bias = c->n_heads * (c->n_queries + c->n_keys - 1);
  float *numbers = g_new (float, n_bias);
  for (gsize i = 0; i < n_bias; i++)
    numbers[i] = (float) (c->bias * g_rand_double_range (rand, -1, 1));
  *bias = g_memdup2 (numbers, n_bias * sizeof (float));
  g_autoptr (GBytes) bias_bytes = g_bytes_new_take (numbers, n_bias * sizeof (float));
  const HlAttentionInit init = { .projections = { &queries, &keys },
                                 .n_layers = 1,
                                 .n_used = { c->n_queries, c->n_keys },
                                 .rule = { c->scale, c->softcap, c->mask, c->bias > 0 ? numbers : NULL },
                                 .bias = bias_bytes };
  return hl_attention_new (&init);
}

/* As models build it, cell by cell. */
static gboolean
is_hidden (const HlMask *mask,
           gint64        position,
           gint64        row,
           gint64        key)
{
  const gint64 window = mask->window > 0 ? (gint64) mask->window : G_MAXINT64;

  return mask->causal ? key > position || position - key >= window : ABS (row - key) >= window;
}

static void
test_qk (void)
{
  const QkCase cases[] = {
    { 2, 2, 5, 5, 8, 1 / sqrt (8), 0, { FALSE, 0 } },
    { 4, 2, 9, 9, 16, 0.25, 0, { TRUE, 0 } },
    { 6, 1, 33, 33, 7, 0.5, 0, { TRUE, 4 } },
    { 3, 3, 12, 20, 5, 1, 0, { FALSE, 0 } },
    { 2, 1, 3, 11, 4, 0.7, 0, { TRUE, 0 } },
    { 1, 1, 40, 40, 64, 1, 5, { TRUE, 10 } },
    { 1, 1, 1, 1, 1, 1, 0, { TRUE, 1 } },
    { 1, 1, 6, 3, 4, 1, 0, { TRUE, 0 } },
    { 2, 2, 257, 300, 32, 1 / sqrt (32), 0, { FALSE, 0 } },
    { 2, 2, 31, 31, 8, 0.4, 0, { FALSE, 5 } },
    { 1, 1, 9, 9, 4, 1, 0, { FALSE, 1 } },
    { 3, 1, 20, 20, 8, 0.6, 0, { FALSE, 0 }, 3 },
    { 2, 2, 17, 17, 8, 0.6, 2, { TRUE, 6 }, 1 },
    { 2, 1, 7, 19, 8, 0.6, 0, { TRUE, 0 }, 2 },
    { 2, 2, 19, 7, 8, 0.6, 0, { FALSE, 0 }, 2 },
    { 1, 1, 50, 50, 16, 3, 20, { FALSE, 12 } },
    /* More rows, keys and features than are worked on at a time, and shared by threads. */
    { 1, 1, 203, 311, 64, 0.125, 0, { TRUE, 90 }, 1 },
    { 2, 1, 60, 700, 300, 0.05, 0, { FALSE, 0 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const QkCase *c = &cases[i];
      g_autofree float *q = NULL;
      g_autofree float *k = NULL;
      g_autofree float *bias = NULL;
      g_autoptr (HlAttention) attention = make_qk_attention (c, &q, &k, &bias);
      g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);

      g_assert_true (HL_IS_QK_SOURCE (source));
      g_assert_cmpuint (hl_attention_source_get_n (source, HL_KEYS), ==, c->n_keys);
      for (guint head = 0; head < c->n_heads; head++)
        {
          g_autoptr (GError) error = NULL;
          g_autofree float *map = hl_attention_source_read_head (source, 0, head, NULL, &error);
          const float *k_head = k + head / (c->n_heads / c->n_key_heads) * c->n_keys * c->n_features;
          g_autofree double *scores = g_new (double, c->n_keys);

          g_assert_no_error (error);
          for (gsize row = 0; row < c->n_queries; row++)
            {
              const float *q_row = q + (head * c->n_queries + row) * c->n_features;
              const gint64 position = (gint64) row + (gint64) c->n_keys - (gint64) c->n_queries;
              double greatest = -INFINITY, sum = 0, total = 0;
              for (gsize key = 0; key < c->n_keys; key++)
                {
                  double dot = 0;
                  for (gsize f = 0; f < c->n_features; f++)
                    dot += (double) q_row[f] * k_head[key * c->n_features + f];
                  dot *= c->scale;
                  if (c->softcap > 0)
                    dot = c->softcap * tanh (dot / c->softcap);
                  dot += bias[head * (c->n_queries + c->n_keys - 1) + key + c->n_queries - 1 - row];
                  if (is_hidden (&c->mask, position, (gint64) row, (gint64) key))
                    dot = -INFINITY;
                  scores[key] = dot;
                  greatest = MAX (greatest, dot);
                }
              for (gsize key = 0; key < c->n_keys; key++)
                sum += scores[key] = greatest == -INFINITY ? 0 : exp (scores[key] - greatest);
              for (gsize key = 0; key < c->n_keys; key++)
                {
                  const double expected = sum > 0 ? scores[key] / sum : 0;
                  const float weight = map[row * c->n_keys + key];
                  g_assert_cmpfloat_with_epsilon (weight, expected, 1e-6);
                  if (expected == 0)
                    g_assert_cmpfloat (weight, ==, 0);
                  total += weight;
                }
              g_assert_cmpfloat_with_epsilon (total, sum > 0 ? 1 : 0, 1e-5);
            }
        }
    }
}

/* A part that was asked for alone is the same as that part of the whole, to the last bit, whether the whole was made before or not. */
static void
test_qk_part (void)
{
  const QkCase cases[] = {
    { 2, 1, 30, 30, 8, 0.4, 0, { TRUE, 0 } },
    { 2, 2, 120, 150, 24, 0.4, 9, { TRUE, 50 }, 2 },
    { 2, 1, 3, 70, 64, 3, 0, { FALSE, 0 } },
    { 2, 2, 40, 9, 5, 3, 0, { TRUE, 0 }, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint made_before = 0; made_before < 2; made_before++)
      {
        const QkCase *c = &cases[i];
        g_autofree float *q = NULL;
        g_autofree float *k = NULL;
        g_autofree float *bias = NULL;
        g_autoptr (HlAttention) attention = make_qk_attention (c, &q, &k, &bias);
        g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
        g_autoptr (HlAttentionSource) fresh = hl_attention_make_source (attention);
        g_autofree float *map = hl_attention_source_read_head (source, 0, 1, NULL, NULL);

        for (gsize n_keys = 1; n_keys <= c->n_keys; n_keys += 4)
          for (gsize first_key = 0; first_key + n_keys <= c->n_keys; first_key += 11)
            {
              const gsize first_query = first_key % c->n_queries;
              const HlAttentionRequest request = { .head = 1,
                                                   .first_query = first_query,
                                                   .n_queries = c->n_queries - first_query,
                                                   .first_key = first_key,
                                                   .n_keys = n_keys,
                                                   .n_rows = c->n_queries - first_query,
                                                   .n_columns = n_keys };
              g_autofree float *part = g_new (float, request.n_rows *n_keys);

              g_assert_true (hl_attention_source_read (made_before ? source : fresh, &request, part, NULL, NULL));
              for (gsize row = 0; row < request.n_rows; row++)
                assert_near (part + row * n_keys, map + (first_query + row) * c->n_keys + first_key, n_keys, 0);
            }
      }
}

/* Pooled on the way, it is what pooling of the whole gives. */
static void
test_qk_pooled (void)
{
  const QkCase c = { 2, 1, 230, 310, 64, 0.3, 0, { TRUE, 120 }, 1 };
  const gsize sizes[][2] = { { 1, 1 }, { 1, 250 }, { 7, 250 }, { 200, 3 }, { 101, 63 } };
  g_autofree float *q = NULL;
  g_autofree float *k = NULL;
  g_autofree float *bias = NULL;
  g_autoptr (HlAttention) attention = make_qk_attention (&c, &q, &k, &bias);
  g_autoptr (HlAttentionSource) source = hl_attention_make_source (attention);
  g_autofree float *map = hl_attention_source_read_head (source, 0, 1, NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (HlPooling pooling = HL_POOLING_MAX; pooling <= HL_POOLING_MEAN; pooling++)
      {
        const gsize n_rows = sizes[i][0], n_columns = sizes[i][1];
        const HlAttentionRequest request = { .head = 1,
                                             .first_query = 20,
                                             .n_queries = 203,
                                             .first_key = 41,
                                             .n_keys = 250,
                                             .n_rows = n_rows,
                                             .n_columns = n_columns,
                                             .pooling = pooling };
        g_autofree float *pooled = g_new (float, n_rows *n_columns);

        g_assert_true (hl_attention_source_read (source, &request, pooled, NULL, NULL));
        for (gsize r = 0; r < n_rows; r++)
          for (gsize column = 0; column < n_columns; column++)
            {
              const float expected = pool_naively (map, c.n_keys, 20 + r * 203 / n_rows, 20 + (r + 1) * 203 / n_rows,
                                                   41 + column * 250 / n_columns, 41 + (column + 1) * 250 / n_columns,
                                                   pooling);
              assert_near (&pooled[r * n_columns + column], &expected, 1, pooling == HL_POOLING_MAX ? 0 : 1e-7);
            }
      }
}

/* Of queries and keys, and of weights in a file. */
static void
test_extremes (void)
{
  const QkCase c = { 1, 1, 130, 90, 16, 0.5, 0, { TRUE, 30 } };
  g_autofree float *q = NULL;
  g_autofree float *k = NULL;
  g_autofree float *bias = NULL;
  g_autoptr (HlAttention) computed = make_qk_attention (&c, &q, &k, &bias);
  g_autoptr (HlAttentionSource) computing = hl_attention_make_source (computed);
  g_autofree float *map = hl_attention_source_read_head (computing, 0, 0, NULL, NULL);
  map[50 * c.n_keys + 3] = NAN;
  map[51 * c.n_keys + 3] = INFINITY;
  g_autoptr (HlAttention) stored = test_make_attention (1, 1, c.n_queries, c.n_keys, map);
  g_autoptr (HlAttentionSource) reading = hl_attention_make_source (stored);
  HlAttentionSource *sources[] = { computing, reading };

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      g_autofree float *rows = hl_attention_source_read_head (sources[i], 0, 0, NULL, NULL);
      const HlAttentionRequest request = {
        .first_query = 10, .n_queries = 120, .first_key = 2, .n_keys = 80, .n_rows = 1, .n_columns = 1
      };
      HlRowExtremes extremes[120];

      const HlAttentionRequest pooled = {
        .first_query = 10, .n_queries = 120, .first_key = 2, .n_keys = 80, .n_rows = 11, .n_columns = 9
      };
      HlRowExtremes on_the_way[120];
      float answer[11 * 9], answer_alone[11 * 9];

      g_assert_true (hl_attention_source_examine (sources[i], &pooled, answer, on_the_way, NULL, NULL));
      g_assert_true (hl_attention_source_read (sources[i], &pooled, answer_alone, NULL, NULL));
      g_assert_cmpmem (answer, sizeof answer, answer_alone, sizeof answer_alone);
      g_assert_true (hl_attention_source_examine (sources[i], &request, NULL, extremes, NULL, NULL));
      g_assert_cmpmem (on_the_way, sizeof on_the_way, extremes, sizeof extremes);
      for (gsize row = 0; row < 120; row++)
        {
          HlRowExtremes expected = { INFINITY, INFINITY, -INFINITY, 0 };

          for (gsize key = 2; key < 82; key++)
            {
              const float weight = rows[(10 + row) * c.n_keys + key];
              expected.n_nan += isnan (weight);
              if (weight > 0)
                expected.min_positive = MIN (expected.min_positive, weight);
              if (!isfinite (weight))
                continue;
              expected.min = MIN (expected.min, weight);
              expected.max = MAX (expected.max, weight);
            }
          g_assert_cmpfloat (extremes[row].min, ==, expected.min);
          g_assert_cmpfloat (extremes[row].min_positive, ==, expected.min_positive);
          g_assert_cmpfloat (extremes[row].max, ==, expected.max);
          g_assert_cmpuint (extremes[row].n_nan, ==, expected.n_nan);
        }
    }
}

static void
test_softmax (void)
{
  float none[] = { -INFINITY, -INFINITY };
  float large[] = { 1000, 1000, -INFINITY, 990 };
  float broken[] = { NAN, 1 };

  hl_attend_softmax (none, 2);
  g_assert_cmpfloat (none[0], ==, 0);
  g_assert_cmpfloat (none[1], ==, 0);
  hl_attend_softmax (large, 4);
  g_assert_cmpfloat_with_epsilon (large[0], 0.4999886f, 1e-6);
  g_assert_cmpfloat (large[2], ==, 0);
  hl_attend_softmax (broken, 2);
  g_assert_true (isnan (broken[0])); /* what is broken is seen to be broken */
  hl_attend_softmax (NULL, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/source/dump/rows", test_dump_rows);
  g_test_add_func ("/source/dump/cache", test_dump_cache);
  g_test_add_func ("/source/dump/cancel", test_dump_cancel);
  g_test_add_func ("/source/dump/hidden", test_dump_hidden);
  g_test_add_func ("/source/dump/turned-axes", test_turned_axes);
  g_test_add_func ("/source/pooling", test_pooling);
  g_test_add_func ("/source/filter/threshold", test_filter_threshold);
  g_test_add_func ("/source/filter/top-mass", test_filter_top_mass);
  g_test_add_func ("/source/filter/top-mass-is-least", test_filter_top_mass_is_least);
  g_test_add_func ("/source/filter/top-mass-near-zero", test_filter_top_mass_near_zero);
  g_test_add_func ("/source/qk/reference", test_qk);
  g_test_add_func ("/source/qk/part", test_qk_part);
  g_test_add_func ("/source/qk/pooled", test_qk_pooled);
  g_test_add_func ("/source/extremes", test_extremes);
  g_test_add_func ("/source/qk/softmax", test_softmax);
  return g_test_run ();
}
