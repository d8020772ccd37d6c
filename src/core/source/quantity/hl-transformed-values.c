/* SPDX-License-Identifier: MIT */
/* Values after the output projection, and how long they are. */
#include "core/source/quantity/hl-transformed-values.h"

#include <math.h>

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"
#include "core/compute/hl-matmul.h"
#include "core/source/quantity/hl-output-products.h"

/* Keys whose vectors are held at a time while they are measured. */
#define BAND_NUMBERS ((gsize) 1 << 18)

/**
 * hl_transformed_values_are_known:
 * @attention: an attention
 *
 * Returns: whether it has values of its keys and the output projection, in all layers
 */
gboolean
hl_transformed_values_are_known (HlAttention *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  for (guint layer = 0; layer < hl_attention_get_n_layers (attention); layer++)
    {
      const HlLayerTensor *values = hl_attention_get_values (attention, layer);

      if (values == NULL || hl_layer_tensor_get_n_rows (values) != hl_attention_get_n (attention, HL_KEYS) ||
          hl_attention_get_output (attention, layer) == NULL)
        return FALSE;
    }
  return TRUE;
}

/* Several heads may share their values. */
static guint64
get_value_head (HlAttention *attention,
                guint        layer,
                guint        head)
{
  return (guint64) head * hl_layer_tensor_get_n_heads (hl_attention_get_values (attention, layer)) /
         hl_attention_get_n_heads (attention, layer);
}

/**
 * hl_transformed_values_init:
 * @self: (out caller-allocates): all zeros before
 * @attention: an attention of which hl_transformed_values_are_known()
 * @layer: a layer
 * @head: a head of it
 * @cancellable: (nullable): stops it
 * @error: what reading says, or too little memory
 *
 * Reads what the values of that head are multiplied by. Clear it, also after an error: use `g_auto`.
 *
 * Returns: whether it is there
 */
gboolean
hl_transformed_values_init (HlTransformedValues *self,
                            HlAttention         *attention,
                            guint                layer,
                            guint                head,
                            GCancellable        *cancellable,
                            GError             **error)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), FALSE);

  const HlLayerTensor *output = hl_attention_get_output (attention, layer);
  g_return_val_if_fail (output != NULL && hl_attention_get_values (attention, layer) != NULL, FALSE);

  self->values = hl_attention_get_values (attention, layer);
  self->value_head = get_value_head (attention, layer, head);
  self->head_size = hl_layer_tensor_get_n_rows (output);
  self->width = hl_layer_tensor_get_n_columns (output);
  self->rows = g_try_malloc_n (self->head_size * self->width, sizeof (float));
  if (self->rows == NULL)
    return hl_error_set_no_memory (error);
  return hl_layer_tensor_read (output, head, 0, self->head_size, 0, self->width, self->rows, cancellable, error);
}

/**
 * hl_transformed_values_read:
 * @self: the vectors of a head
 * @first_key: the first key
 * @n_keys: how many
 * @target: (out caller-allocates): [n_keys, width]
 * @cancellable: (nullable): stops it
 * @error: what reading says
 *
 * Returns: whether @target was filled
 */
gboolean
hl_transformed_values_read (HlTransformedValues *self,
                            gsize                first_key,
                            gsize                n_keys,
                            float               *target,
                            GCancellable        *cancellable,
                            GError             **error)
{
  const HlFactor rows = { .data = self->rows, .dtype = HL_DTYPE_F32, .stride = self->width };
  float *numbers = hl_scratch_get (&self->numbers, n_keys * self->head_size);

  if (!hl_layer_tensor_read (self->values, self->value_head, first_key, n_keys, 0, self->head_size, numbers,
                             cancellable, error))
    return FALSE;
  hl_matmul (n_keys, self->width, self->head_size, numbers, self->head_size, &rows, target, self->width,
             &self->products);
  return TRUE;
}

void
hl_transformed_values_clear (HlTransformedValues *self)
{
  g_clear_pointer (&self->rows, g_free);
  hl_scratch_clear (&self->products);
  hl_scratch_clear (&self->numbers);
}

HL_KERNEL static void
measure (const float *vectors,
         gsize        n,
         gsize        width,
         float       *norms)
{
  for (gsize i = 0; i < n; i++)
    {
      const float *vector = vectors + i * width;
      double sum = 0;

#pragma omp simd reduction(+ : sum)
      for (gsize k = 0; k < width; k++)
        sum += (double) vector[k] * vector[k];
      norms[i] = (float) sqrt (sum);
    }
}

/* √(v · products · vᵀ) of the values v of a head. */
HL_KERNEL static void
measure_values (const float  *values,
                gsize         n,
                gsize         size,
                const double *products,
                float        *norms)
{
  for (gsize i = 0; i < n; i++)
    {
      const float *value = values + i * size;
      double sums[HL_OUTPUT_PRODUCTS_MAX_SIZE] = { 0 };
      double sum = 0;

      for (gsize row = 0; row < size; row++)
        {
          const double *factors = products + row * size;
          const double factor = value[row];

#pragma omp simd
          for (gsize k = 0; k < size; k++)
            sums[k] += factor * factors[k];
        }
#pragma omp simd reduction(+ : sum)
      for (gsize k = 0; k < size; k++)
        sum += sums[k] * value[k];
      /* What is 0 may be rounded to less. */
      norms[i] = (float) sqrt (sum < 0 ? 0 : sum);
    }
}

static gboolean
measure_by_products (HlAttention  *attention,
                     guint         layer,
                     guint         head,
                     float        *norms,
                     GCancellable *cancellable,
                     GError      **error)
{
  const HlLayerTensor *output = hl_attention_get_output (attention, layer);
  const HlLayerTensor *values = hl_attention_get_values (attention, layer);
  const gsize n = hl_attention_get_n (attention, HL_KEYS), size = hl_layer_tensor_get_n_rows (output);
  const gsize band = CLAMP (BAND_NUMBERS / MAX (size, 1), 1, MAX (n, 1));
  const double *products = hl_output_products_get (output, head, cancellable, error);
  g_autofree float *rows = g_try_malloc_n (band * size, sizeof (float));

  if (products == NULL)
    return FALSE;
  if (rows == NULL)
    return hl_error_set_no_memory (error);
  for (gsize key = 0; key < n; key += band)
    {
      const gsize n_band = MIN (band, n - key);

      if (!hl_layer_tensor_read (values, get_value_head (attention, layer, head), key, n_band, 0, size, rows,
                                 cancellable, error))
        return FALSE;
      measure_values (rows, n_band, size, products, norms + key);
    }
  return TRUE;
}

static gboolean
measure_vectors (HlAttention  *attention,
                 guint         layer,
                 guint         head,
                 float        *norms,
                 GCancellable *cancellable,
                 GError      **error)
{
  g_auto (HlTransformedValues) values = { 0 };
  const gsize n = hl_attention_get_n (attention, HL_KEYS);

  if (!hl_transformed_values_init (&values, attention, layer, head, cancellable, error))
    return FALSE;

  const gsize band = CLAMP (BAND_NUMBERS / values.width, 1, n);
  g_autofree float *vectors = g_try_malloc_n (band * values.width, sizeof (float));
  if (vectors == NULL)
    return hl_error_set_no_memory (error);
  for (gsize key = 0; key < n; key += band)
    {
      const gsize n_band = MIN (band, n - key);

      if (!hl_transformed_values_read (&values, key, n_band, vectors, cancellable, error))
        return FALSE;
      measure (vectors, n_band, values.width, norms + key);
    }
  return TRUE;
}

/**
 * hl_transformed_values_measure:
 * @attention: an attention of which hl_transformed_values_are_known()
 * @layer: a layer
 * @head: a head of it
 * @cancellable: (nullable): stops it
 * @error: what reading says, or too little memory
 *
 * Returns: (transfer full) (nullable): [n_keys], how long each is: ‖f(x_j)‖₂; free with g_free()
 */
float *
hl_transformed_values_measure (HlAttention  *attention,
                               guint         layer,
                               guint         head,
                               GCancellable *cancellable,
                               GError      **error)
{
  const gsize n = hl_attention_get_n (attention, HL_KEYS);
  g_autofree float *norms = g_try_malloc_n (n, sizeof (float));

  if (norms == NULL)
    {
      hl_error_set_no_memory (error);
      return NULL;
    }
  const gboolean by_products = hl_output_products_are_worth_it (hl_attention_get_output (attention, layer));
  if (!(by_products ? measure_by_products : measure_vectors) (attention, layer, head, norms, cancellable, error))
    return NULL;
  return g_steal_pointer (&norms);
}
