/* SPDX-License-Identifier: MIT */
/* Linear layers over weights that stay in the mapped file. */
#include "core/model/hl-linear.h"

#include "core/compute/hl-matmul.h"

#include <stdint.h>

/**
 * hl_weights_get_vector:
 * @self: weights
 * @name: a tensor of one axis
 * @size: how long it has to be
 * @error: as hl_weights_get()
 *
 * Returns: (transfer full) (nullable) (array length=size): its numbers
 */
float *
hl_weights_get_vector (HlWeights  *self,
                       const char *name,
                       gsize       size,
                       GError    **error)
{
  const guint64 start = 0, count = size;
  g_autoptr (HlTensor) tensor = hl_weights_get (self, name, 1, &count, error);
  g_autofree float *numbers = NULL;

  if (tensor == NULL)
    return NULL;
  numbers = g_new (float, MAX (size, 1));
  if (!hl_tensor_read_f32 (tensor, &start, &count, numbers, NULL, error))
    return NULL;
  return g_steal_pointer (&numbers);
}

/**
 * hl_linear_load:
 * @self: where to
 * @weights: the model's weights
 * @name: what its tensors are called, without `.weight` and `.bias`
 * @n_in: features that go in
 * @n_out: features that come out
 * @transposed: whether weights are stored as [n_in, n_out]
 * @has_bias: whether there is a bias
 * @error: as hl_weights_get()
 *
 * Finds the tensors and checks their shapes; reads the bias only.
 *
 * Returns: whether @self is usable
 */
gboolean
hl_linear_load (HlLinear   *self,
                HlWeights  *weights,
                const char *name,
                gsize       n_in,
                gsize       n_out,
                gboolean    transposed,
                gboolean    has_bias,
                GError    **error)
{
  const guint64 dims[2] = { transposed ? n_in : n_out, transposed ? n_out : n_in };
  g_autofree char *weight = g_strconcat (name, ".weight", NULL);

  self->n_in = n_in;
  self->n_out = n_out;
  self->transposed = transposed;
  self->tensor = hl_weights_get (weights, weight, 2, dims, error);
  if (self->tensor == NULL)
    return FALSE;
  const void *data = hl_tensor_get_data (self->tensor);
  if (hl_tensor_get_dtype (self->tensor) == HL_DTYPE_F32 && (uintptr_t) data % sizeof (float) == 0)
    self->data = data;
  if (has_bias)
    {
      g_autofree char *bias = g_strconcat (name, ".bias", NULL);
      self->bias = hl_weights_get_vector (weights, bias, n_out, error);
    }
  return !has_bias || self->bias != NULL;
}

/* The weights as float32, in the file or in the scratch. */
static const float *
get_weights (const HlLinear *self,
             HlScratch      *scratch)
{
  const HlShape *shape = hl_tensor_get_shape (self->tensor);
  const gsize n_columns = shape->dims[1];
  const HlDType dtype = hl_tensor_get_dtype (self->tensor);
  const gsize size = hl_dtype_get_size (dtype);
  const guint8 *bytes = hl_tensor_get_data (self->tensor);
  float *numbers;

  if (self->data != NULL)
    return self->data;
  numbers = hl_scratch_get (scratch, shape->dims[0] * n_columns);
#pragma omp parallel for
  for (gsize row = 0; row < shape->dims[0]; row++)
    hl_dtype_convert_to_f32 (dtype, FALSE, bytes + row * n_columns * size, size, numbers + row * n_columns, n_columns);
  return numbers;
}

/**
 * hl_linear_apply:
 * @self: a linear layer
 * @n_rows: how many rows
 * @input: [n_rows, n_in]
 * @input_stride: numbers from one row to the next
 * @output: (out caller-allocates): [n_rows, n_out]
 * @output_stride: likewise
 * @scratch: memory for widened weights
 *
 * The product only: the bias is left to what comes next, which goes over the numbers anyway.
 */
void
hl_linear_apply (const HlLinear *self,
                 gsize           n_rows,
                 const float    *input,
                 gsize           input_stride,
                 float          *output,
                 gsize           output_stride,
                 HlScratch      *scratch)
{
  hl_matmul (!self->transposed, n_rows, self->n_out, self->n_in, 1, input, input_stride, get_weights (self, scratch),
             self->transposed ? self->n_out : self->n_in, 0, output, output_stride);
}

/**
 * hl_linear_clear:
 * @self: a linear layer, possibly of zeros
 *
 * Frees what it has.
 */
void
hl_linear_clear (HlLinear *self)
{
  g_clear_object (&self->tensor);
  g_clear_pointer (&self->bias, g_free);
}

/**
 * hl_scratch_get:
 * @self: a scratch
 * @size: how many numbers are needed
 *
 * Returns: (transfer none): room for them, until the next call
 */
float *
hl_scratch_get (HlScratch *self,
                gsize      size)
{
  if (size > self->size)
    {
      g_free (self->numbers);
      self->numbers = g_new (float, size);
      self->size = size;
    }
  return self->numbers;
}

/**
 * hl_scratch_clear:
 * @self: a scratch
 *
 * Frees its memory.
 */
void
hl_scratch_clear (HlScratch *self)
{
  g_clear_pointer (&self->numbers, g_free);
  self->size = 0;
}
