/* SPDX-License-Identifier: MIT */
/* The rows of an output projection times one another, W_O·W_Oᵀ: with it ‖v·W_O‖² is v·(W_O·W_Oᵀ)·vᵀ, a product of a head's size and not of the
 * model's width. Over many texts the projection is the same, so that it is made once and kept with the tensor. */
#include "core/source/quantity/hl-output-products.h"

#include "core/base/hl-error.h"
#include "core/base/hl-kernel.h"

typedef struct
{
  guint64 n;
  double *products[]; /* of each head of each layer in the tensor; atomic, NULL until somebody asks */
} Kept;

static void
kept_free (gpointer data)
{
  Kept *self = data;

  for (guint64 i = 0; i < self->n; i++)
    g_free (self->products[i]);
  g_free (self);
}

static Kept *
find_kept (const HlLayerTensor *output)
{
  const HlShape *shape = hl_tensor_get_shape (output->tensor);
  const guint64 n_layers = output->layer_axis >= 0 ? shape->dims[output->layer_axis] : 1;
  const GQuark quark = g_quark_from_static_string ("hl-output-products");
  Kept *kept = g_object_get_qdata (G_OBJECT (output->tensor), quark);

  if (kept != NULL)
    return kept;
  const guint64 n = n_layers * hl_layer_tensor_get_n_heads (output);
  kept = g_malloc0 (sizeof *kept + n * sizeof *kept->products);
  kept->n = n;
  if (g_object_replace_qdata (G_OBJECT (output->tensor), quark, NULL, kept, kept_free, NULL))
    return kept;
  /* Another thread was first. What it set is never replaced. */
  kept_free (kept);
  return g_object_get_qdata (G_OBJECT (output->tensor), quark);
}

HL_KERNEL static void
multiply (const float *rows,
          gsize        n_rows,
          gsize        width,
          double      *products)
{
  for (gsize i = 0; i < n_rows; i++)
    for (gsize j = 0; j <= i; j++)
      {
        const float *a = rows + i * width;
        const float *b = rows + j * width;
        double sum = 0;

#pragma omp simd reduction(+ : sum)
        for (gsize k = 0; k < width; k++)
          sum += (double) a[k] * b[k];
        products[i * n_rows + j] = products[j * n_rows + i] = sum;
      }
}

static double *
make (const HlLayerTensor *output,
      guint                head,
      GCancellable        *cancellable,
      GError             **error)
{
  const gsize n_rows = hl_layer_tensor_get_n_rows (output), width = hl_layer_tensor_get_n_columns (output);
  g_autofree float *rows = g_try_malloc_n (n_rows * width, sizeof (float));
  double *products = g_try_malloc_n (n_rows * n_rows, sizeof (double));

  if (rows == NULL || products == NULL)
    hl_error_set_no_memory (error);
  else if (hl_layer_tensor_read (output, head, 0, n_rows, 0, width, rows, cancellable, error))
    {
      multiply (rows, n_rows, width, products);
      return products;
    }
  g_free (products);
  return NULL;
}

/**
 * hl_output_products_are_worth_it:
 * @output: the output projection of a layer
 *
 * Returns: whether lengths are found sooner with its products than without
 */
gboolean
hl_output_products_are_worth_it (const HlLayerTensor *output)
{
  return output->batch_axis < 0 && hl_layer_tensor_get_n_rows (output) <= HL_OUTPUT_PRODUCTS_MAX_SIZE;
}

/**
 * hl_output_products_get:
 * @output: the output projection of a layer of which hl_output_products_are_worth_it()
 * @head: a head of it
 * @cancellable: (nullable): stops it
 * @error: what reading says, or too little memory
 *
 * Returns: (transfer none) (nullable): [head size, head size], as long as the tensor of @output lives
 */
const double *
hl_output_products_get (const HlLayerTensor *output,
                        guint                head,
                        GCancellable        *cancellable,
                        GError             **error)
{
  Kept *kept = find_kept (output);
  const guint64 layer = output->layer_axis >= 0 ? output->layer : 0;
  const guint64 index = layer * hl_layer_tensor_get_n_heads (output) + head;

  g_return_val_if_fail (index < kept->n, NULL);

  double *products = g_atomic_pointer_get (&kept->products[index]);
  if (products != NULL)
    return products;
  products = make (output, head, cancellable, error);
  if (products == NULL || g_atomic_pointer_compare_and_exchange (&kept->products[index], NULL, products))
    return products;
  g_free (products);
  return g_atomic_pointer_get (&kept->products[index]);
}
