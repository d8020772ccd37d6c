/* SPDX-License-Identifier: MIT */
/* Linear layers over weights that stay in the mapped file. */
#include "core/model/layer/hl-linear.h"

#include "core/base/block/hl-block.h"
#include "core/compute/hl-matmul.h"
#include "core/model/adapter/hl-low-rank-tensor.h"

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

/* Finds the tensors and checks their shapes; reads the bias only. */
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
  if (has_bias)
    {
      g_autofree char *bias = g_strconcat (name, ".bias", NULL);
      self->bias = hl_weights_get_vector (weights, bias, n_out, error);
    }
  return !has_bias || self->bias != NULL;
}

/* One with a single feature that comes out, whose weights are a matrix of one row, or a vector, as some GGUF files have it. */
gboolean
hl_linear_load_row (HlLinear   *self,
                    HlWeights  *weights,
                    const char *name,
                    gsize       n_in,
                    GError    **error)
{
  const guint64 dims[2] = { 1, n_in };
  g_autofree char *weight = g_strconcat (name, ".weight", NULL);
  g_autoptr (HlTensor) found = hl_weights_find (weights, (const char *const[]){ weight, NULL }, error);

  if (found == NULL)
    return FALSE;
  const gboolean bare = hl_tensor_get_shape (found)->rank == 1;
  self->n_in = n_in;
  self->n_out = 1;
  self->tensor = hl_weights_get (weights, weight, bare ? 1 : 2, bare ? dims + 1 : dims, error);
  return self->tensor != NULL;
}

/* A row of a tensor of biases. */
static float *
read_bias (HlWeights  *weights,
           const char *name,
           guint       part,
           guint       n_parts,
           gsize       n_out,
           GError    **error)
{
  const guint64 dims[2] = { n_parts, n_out }, start[2] = { part, 0 }, count[2] = { 1, n_out };
  g_autoptr (HlTensor) tensor = hl_weights_get (weights, name, 2, dims, error);
  g_autofree float *numbers = g_new (float, n_out);

  if (tensor == NULL || !hl_tensor_read_f32 (tensor, start, count, numbers, NULL, error))
    return NULL;
  return g_steal_pointer (&numbers);
}

/* One of several layers whose weights are in one tensor, [n_parts, n_out, n_in]. Such tensors may be called so without `.weight`, and
 * their biases with `_bias`. */
gboolean
hl_linear_load_part (HlLinear   *self,
                     HlWeights  *weights,
                     const char *name,
                     guint       part,
                     guint       n_parts,
                     gsize       n_in,
                     gsize       n_out,
                     gboolean    transposed,
                     gboolean    has_bias,
                     GError    **error)
{
  const guint64 dims[3] = { n_parts, transposed ? n_in : n_out, transposed ? n_out : n_in };
  const gboolean bare = hl_weights_has (weights, name);
  g_autofree char *weight = g_strconcat (name, bare ? "" : ".weight", NULL);

  self->n_in = n_in;
  self->n_out = n_out;
  self->transposed = transposed;
  self->first = part * n_in * n_out;
  self->tensor = hl_weights_get (weights, weight, 3, dims, error);
  if (self->tensor == NULL)
    return FALSE;
  if (has_bias)
    {
      g_autofree char *bias = g_strconcat (name, bare ? "_bias" : ".bias", NULL);
      self->bias = read_bias (weights, bias, part, n_parts, n_out, error);
    }
  return !has_bias || self->bias != NULL;
}

/* The panels, made by the first thread that asks for them. */
static const float *
get_panels (const HlLinear *self,
            const HlFactor *weights)
{
  if (g_once_init_enter (&self->kept->panels))
    g_once_init_leave (&self->kept->panels, hl_factor_new_panels (weights, self->n_out, self->n_in));
  return self->kept->panels;
}

/* Lets it keep its weights a second time, in float32, once it turns out that it is used more than once. Short texts
 * are then done in two thirds of the time. */
void
hl_linear_keep_panels (HlLinear *self)
{
  if (self->kept == NULL)
    self->kept = g_new0 (HlKeptPanels, 1);
}

/* A matrix of [n_out, n_in], or one of several, or with the axes the other way. */
static HlFactor
make_factor (HlTensor *tensor,
             gsize     first,
             gsize     stride,
             gboolean  transposed)
{
  const HlDType dtype = hl_tensor_get_dtype (tensor);
  /* Rows of blocks are widened where they lie only when they are those of the features that come out. */
  const gboolean across = transposed && hl_dtype_get_block (dtype) > 1;
  const guint8 *data = across ? NULL : hl_tensor_get_data (tensor);

  return (HlFactor){
    .data = data != NULL ? data + hl_dtype_get_row_size (dtype, first) : NULL,
    .tensor = tensor,
    .first = first,
    .dtype = dtype,
    .stride = stride,
    .transposed = !transposed,
  };
}

/* Rows whose small products are at hand at a time. */
#define LOW_RANK_ROWS 128

/* Adds what an adapter does: two products with small matrices cost less than to add these to the large one. Where what goes in is
 * what comes out of the change, as in a head that is an embedding's table, both are used the other way, B before A. */
static void
add_low_rank (const HlLinear  *self,
              const HlLowRank *change,
              gsize            n_rows,
              const float     *input,
              gsize            input_stride,
              float           *output,
              gsize            output_stride,
              HlScratch       *scratch)
{
  const gsize rank = hl_tensor_get_shape (change->down)->dims[0];
  const gsize band = MIN (n_rows, LOW_RANK_ROWS);
  const gboolean turned = change->transposed != self->transposed;
  const HlFactor down = turned ? make_factor (change->up, 0, rank, TRUE)
                               : make_factor (change->down, 0, self->n_in, FALSE);
  const HlFactor up = turned ? make_factor (change->down, 0, self->n_out, TRUE)
                             : make_factor (change->up, 0, rank, FALSE);
  g_autofree float *fewer = g_new (float, MAX (band * rank, 1));
  g_autofree float *more = g_new (float, MAX (band * self->n_out, 1));

  for (gsize first = 0; first < n_rows && rank > 0; first += band)
    {
      const gsize n = MIN (band, n_rows - first);

      hl_matmul (n, rank, self->n_in, input + first * input_stride, input_stride, &down, fewer, rank, scratch);
      hl_matmul (n, self->n_out, rank, fewer, rank, &up, more, self->n_out, scratch);
      for (gsize row = 0; row < n; row++)
        for (gsize i = 0; i < self->n_out; i++)
          output[(first + row) * output_stride + i] += change->scale * more[row * self->n_out + i];
    }
}

/* The product only: the bias is left to what comes next, which goes over the numbers anyway. */
void
hl_linear_apply (const HlLinear *self,
                 gsize           n_rows,
                 const float    *input,
                 gsize           input_stride,
                 float          *output,
                 gsize           output_stride,
                 HlScratch      *scratch)
{
  const gsize stride = self->transposed ? self->n_out : self->n_in;
  const HlLowRank *change = NULL;
  HlFactor weights = make_factor (self->tensor, self->first, stride, self->transposed);

  /* Making panels costs more than they save once, so whoever computes only once does without. */
  if (self->kept != NULL && g_atomic_int_add (&self->kept->n_uses, 1) > 0)
    weights.panels = get_panels (self, &weights);
  else if (HL_IS_LOW_RANK_TENSOR (self->tensor))
    change = hl_low_rank_tensor_get_change (HL_LOW_RANK_TENSOR (self->tensor));
  /* Where lengths are changed too, the sum is made as it is read. */
  if (change != NULL && change->magnitude != NULL)
    change = NULL;
  if (change != NULL)
    weights =
      make_factor (hl_low_rank_tensor_get_base (HL_LOW_RANK_TENSOR (self->tensor)), 0, stride, self->transposed);
  hl_matmul (n_rows, self->n_out, self->n_in, input, input_stride, &weights, output, output_stride, scratch);
  if (change != NULL)
    add_low_rank (self, change, n_rows, input, input_stride, output, output_stride, scratch);
}

void
hl_linear_clear (HlLinear *self)
{
  g_clear_object (&self->tensor);
  g_clear_pointer (&self->bias, g_free);
  if (self->kept != NULL)
    g_free (self->kept->panels);
  g_clear_pointer (&self->kept, g_free);
}
