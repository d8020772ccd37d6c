/* SPDX-License-Identifier: MIT */
/* How much of what a layer makes of a token comes from others (Kobayashi et al. 2021, section 4). */
#include "core/source/quantity/hl-mixing.h"

#include <math.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/compute/hl-matmul.h"
#include "core/source/quantity/hl-residual-source.h"
#include "core/source/quantity/hl-transformed-values.h"

/* Queries that are worked on at a time. */
#define BAND_QUERIES 128

/* What one layer is made of, in memory. */
typedef struct
{
  gsize n;
  gsize n_heads;
  gsize n_value_heads;
  gsize head_size;
  gsize width;
  float *values;  /* [value heads, n, head_size] */
  float *output;  /* [heads · head_size, width] */
  float *norm;    /* [width], or NULL */
  float *weights; /* [BAND_QUERIES, n] */
  float *results; /* [2 · BAND_QUERIES, heads · head_size]: of other tokens, then of the token itself */
  float *added;   /* [2 · BAND_QUERIES, width]: likewise, after the output projection */
  float *stream;  /* [BAND_QUERIES, width] */
  HlScratch scratch;
} Layer;

static void
layer_clear (Layer *self)
{
  g_free (self->values);
  g_free (self->output);
  g_free (self->norm);
  g_free (self->weights);
  g_free (self->results);
  g_free (self->added);
  g_free (self->stream);
  hl_scratch_clear (&self->scratch);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Layer, layer_clear)

static gboolean
layer_init (Layer        *self,
            HlAttention  *attention,
            guint         layer,
            GCancellable *cancellable,
            GError      **error)
{
  const HlLayerTensor *values = hl_attention_get_values (attention, layer);
  const HlLayerTensor *output = hl_attention_get_output (attention, layer);
  HlTensor *norm = hl_attention_get_output_norm (attention);
  gboolean done = TRUE;

  self->n = hl_attention_get_n (attention, HL_KEYS);
  self->n_heads = hl_attention_get_n_heads (attention, layer);
  self->n_value_heads = hl_layer_tensor_get_n_heads (values);
  self->head_size = hl_layer_tensor_get_n_rows (output);
  self->width = hl_layer_tensor_get_n_columns (output);

  const gsize all = self->n_heads * self->head_size;
  self->values = g_try_malloc_n (self->n_value_heads * self->n * self->head_size, sizeof (float));
  self->output = g_try_malloc_n (all * self->width, sizeof (float));
  self->norm = norm != NULL ? g_try_malloc_n (self->width, sizeof (float)) : NULL;
  self->weights = g_try_malloc_n (BAND_QUERIES * self->n, sizeof (float));
  self->results = g_try_malloc_n (2 * BAND_QUERIES * all, sizeof (float));
  self->added = g_try_malloc_n (2 * BAND_QUERIES * self->width, sizeof (float));
  self->stream = g_try_malloc_n (BAND_QUERIES * self->width, sizeof (float));
  if (self->values == NULL || self->output == NULL || (norm != NULL && self->norm == NULL) || self->weights == NULL ||
      self->results == NULL || self->added == NULL || self->stream == NULL)
    return hl_error_set_no_memory (error);
  for (gsize head = 0; done && head < self->n_value_heads; head++)
    done = hl_layer_tensor_read (values, head, 0, self->n, 0, self->head_size,
                                 self->values + head * self->n * self->head_size, cancellable, error);
  for (gsize head = 0; done && head < self->n_heads; head++)
    done = hl_layer_tensor_read (output, head, 0, self->head_size, 0, self->width,
                                 self->output + head * self->head_size * self->width, cancellable, error);
  const guint64 start[2] = { layer, 0 }, count[2] = { 1, self->width };
  return done && (norm == NULL || hl_tensor_read_f32 (norm, start, count, self->norm, cancellable, error));
}

/* The results of a head for some queries, of others and of themselves, beside those of the other heads. */
static void
apply_weights (Layer *self,
               gsize  head,
               gsize  first,
               gsize  n_queries)
{
  const gsize size = self->head_size, all = self->n_heads * size;
  const float *values = self->values + head * self->n_value_heads / self->n_heads * self->n * size;
  const HlFactor factor = { .data = values, .dtype = HL_DTYPE_F32, .stride = size };
  float *others = self->results + head * size, *own = others + n_queries * all;

  for (gsize i = 0; i < n_queries; i++)
    {
      float *row = self->weights + i * self->n;

      /* Some files have no number where a query cannot see. */
      for (gsize key = 0; key < self->n; key++)
        row[key] = isnan (row[key]) ? 0 : row[key];
      for (gsize k = 0; k < size; k++)
        own[i * all + k] = row[first + i] * values[(first + i) * size + k];
      row[first + i] = 0;
    }
  hl_matmul (n_queries, size, self->n, self->weights, self->n, &factor, others, all, &self->scratch);
}

/* How long a sum is once the norm behind attention has centred and weighted it. What that divides by is the same for all parts. */
static double
measure (const Layer *self,
         const float *sum,
         const float *stream)
{
  double mean = 0, square = 0;

  for (gsize i = 0; self->norm != NULL && i < self->width; i++)
    mean += (double) sum[i] + (stream != NULL ? stream[i] : 0);
  mean /= (double) self->width;
  for (gsize i = 0; i < self->width; i++)
    {
      const double part = ((double) sum[i] + (stream != NULL ? stream[i] : 0) - mean) *
                          (self->norm != NULL ? self->norm[i] : 1);
      square += part * part;
    }
  return sqrt (square);
}

/**
 * hl_mixing_is_sum:
 * @attention: an attention of a document
 *
 * Returns: whether what the heads give is added to the stream as it is, so that what stands behind attention is a sum over tokens
 */
gboolean
hl_mixing_is_sum (HlAttention *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    if (hl_attention_get_finish (attention, layer) & HL_FINISH_RESULT_NORM)
      return FALSE;
  return TRUE;
}

/**
 * hl_mixing_can:
 * @attention: an attention of a document
 *
 * Returns: whether hl_mixing_measure() has what it needs: queries and keys that are the same tokens, values, the output projection and what
 *   the result is added to as it is
 */
gboolean
hl_mixing_can (HlAttention *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  const HlLayerTensor *stream = hl_attention_get_stream (attention, 0);
  return stream != NULL && hl_mixing_is_sum (attention) && hl_residual_source_can (attention) &&
         hl_transformed_values_are_known (attention) &&
         hl_layer_tensor_get_n_columns (stream) ==
           hl_layer_tensor_get_n_columns (hl_attention_get_output (attention, 0)) &&
         hl_layer_tensor_get_n_rows (stream) == hl_attention_get_n (attention, HL_QUERIES);
}

/**
 * hl_mixing_measure:
 * @attention: an attention of which hl_mixing_can()
 * @weights: its weights
 * @layer: a layer
 * @ratios: (out caller-allocates): [n_queries], 0 to 1; NaN where nothing comes from anywhere, and of a layer without attention
 * @cancellable: (nullable): stops it
 * @error: what reading says, or too little memory
 *
 * Measures how much of a token behind attention, the stream and, where one stands there, the layer norm comes from other tokens:
 * ‖Σ_{j≠i} s_ij‖ / (‖Σ_{j≠i} s_ij‖ + ‖s_ii‖) with s_ij = Σ_h A_h[i,j] f_h(x_j) + δ_ij x_i, each centred and times γ by the norm. What the norm divides by
 * cancels, and with it ε and the bias of the output projection. Of all heads together: a layer has one number a query.
 *
 * Returns: whether @ratios was filled
 */
gboolean
hl_mixing_measure (HlAttention       *attention,
                   HlAttentionSource *weights,
                   guint              layer,
                   double            *ratios,
                   GCancellable      *cancellable,
                   GError           **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);
  g_return_val_if_fail (hl_mixing_can (attention), FALSE);

  const HlLayerTensor *stream = hl_attention_get_stream (attention, layer);
  g_auto (Layer) self = { 0 };

  if (hl_attention_get_n_heads (attention, layer) == 0)
    {
      for (gsize query = 0; query < hl_attention_get_n (attention, HL_QUERIES); query++)
        ratios[query] = NAN;
      return TRUE;
    }
  if (!layer_init (&self, attention, layer, cancellable, error))
    return FALSE;
  const gsize all = self.n_heads * self.head_size;
  const HlFactor output = { .data = self.output, .dtype = HL_DTYPE_F32, .stride = self.width };
  for (gsize first = 0; first < self.n; first += BAND_QUERIES)
    {
      const gsize n = MIN (BAND_QUERIES, self.n - first);

      for (gsize head = 0; head < self.n_heads; head++)
        {
          const HlAttentionRequest request = { .layer = layer,
                                               .head = (guint) head,
                                               .first_query = first,
                                               .n_queries = n,
                                               .n_keys = self.n,
                                               .n_rows = n,
                                               .n_columns = self.n };
          if (!hl_attention_source_read (weights, &request, self.weights, cancellable, error))
            return FALSE;
          apply_weights (&self, head, first, n);
        }
      if (!hl_layer_tensor_read (stream, 0, first, n, 0, self.width, self.stream, cancellable, error))
        return FALSE;
      hl_matmul (2 * n, self.width, all, self.results, all, &output, self.added, self.width, &self.scratch);
      for (gsize i = 0; i < n; i++)
        {
          const double others = measure (&self, self.added + i * self.width, NULL);
          const double own = measure (&self, self.added + (n + i) * self.width, self.stream + i * self.width);
          ratios[first + i] = others / (others + own);
        }
    }
  return TRUE;
}
