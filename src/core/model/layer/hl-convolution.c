/* SPDX-License-Identifier: MIT */
#include "core/model/layer/hl-convolution.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/hl-error.h"
#include "core/model/family/hl-activation-name.h"
#include "core/model/layer/hl-linear.h"
#include "core/model/layer/hl-norm-load.h"

#define MAX_TAPS 64

struct _HlConvolution
{
  gsize n_taps;
  gsize width;
  HlLinear linear; /* of a token's features and its neighbours', [feature, tap] */
  HlActivation activation;
  HlNorm norm;
};

/* [out, in, taps] in one piece are the rows of a product with a token's neighbourhood. */
static gboolean
load_weights (HlConvolution *self,
              HlWeights     *weights,
              const char    *name,
              GError       **error)
{
  const gsize width = self->width;
  const guint64 start[3] = { 0 }, dims[3] = { width, width, self->n_taps };
  const HlShape rows = { 2, { width, width * self->n_taps } };
  g_autofree char *weight = g_strconcat (name, ".weight", NULL);
  g_autofree char *bias = g_strconcat (name, ".bias", NULL);
  g_autoptr (HlTensor) tensor = hl_weights_get (weights, weight, 3, dims, error);
  gsize size;

  if (tensor == NULL)
    return FALSE;
  if (!g_size_checked_mul (&size, width * self->n_taps, width * sizeof (float)))
    return hl_error_set_no_memory (error);
  g_autofree float *numbers = g_try_malloc (size);
  if (numbers == NULL)
    return hl_error_set_no_memory (error);
  if (!hl_tensor_read_f32 (tensor, start, dims, numbers, NULL, error))
    return FALSE;
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_steal_pointer (&numbers), size);
  self->linear.n_in = width * self->n_taps;
  self->linear.n_out = width;
  self->linear.tensor = hl_tensor_new_for_bytes (HL_DTYPE_F32, &rows, NULL, FALSE, bytes, 0, error);
  self->linear.bias = hl_weights_get_vector (weights, bias, width, error);
  return self->linear.tensor != NULL && self->linear.bias != NULL;
}

HlConvolution *
hl_convolution_load (HlWeights     *weights,
                     HlModelConfig *config,
                     const char    *name,
                     const char    *norm_name,
                     gsize          width,
                     float          epsilon,
                     GError       **error)
{
  HlConvolution *self = g_new0 (HlConvolution, 1);
  g_autofree char *activation = NULL;
  guint64 n_taps, n_groups;

  self->norm = (HlNorm){ .centre = TRUE, .epsilon = epsilon };
  self->width = width;
  if (hl_model_config_read_size (config, "conv_kernel_size", HL_CONFIG_REQUIRED, &n_taps, error) &&
      hl_model_config_read_size (config, "conv_groups", 1, &n_groups, error) &&
      hl_model_config_read_string (config, "conv_act", "tanh", &activation, error) &&
      hl_activation_find (activation, &self->activation, error))
    {
      self->n_taps = n_taps;
      if (n_taps % 2 == 0 || n_taps > MAX_TAPS || n_groups != 1)
        g_set_error (error, HL_ERROR, HL_ERROR_UNSUPPORTED, _ ("models with “%s” in config.json are not known"),
                     n_groups != 1 ? "conv_groups" : "conv_kernel_size");
      else if (load_weights (self, weights, name, error) &&
               hl_norm_load (&self->norm, weights, norm_name, width, TRUE, error))
        return self;
    }
  hl_convolution_free (self);
  return NULL;
}

void
hl_convolution_free (HlConvolution *self)
{
  hl_linear_clear (&self->linear);
  hl_norm_clear (&self->norm);
  g_free (self);
}

/* Adds to @stream, [n, width], what neighbours in @input give, and norms the sum. Beyond both ends there are zeros. */
void
hl_convolution_apply (const HlConvolution *self,
                      gsize                n,
                      const float         *input,
                      float               *stream,
                      HlScratch           *scratch)
{
  const gsize width = self->width, n_taps = self->n_taps, reach = n_taps / 2;
  g_autofree float *neighbours = g_new (float, n * self->linear.n_in);
  g_autofree float *result = g_new (float, n *width);

  for (gsize i = 0; i < n; i++)
    for (gsize tap = 0; tap < n_taps; tap++)
      {
        const gboolean is_there = i + tap >= reach && i + tap - reach < n;
        const float *row = is_there ? input + (i + tap - reach) * width : NULL;

        for (gsize k = 0; k < width; k++)
          neighbours[i * self->linear.n_in + k * n_taps + tap] = row != NULL ? row[k] : 0;
      }
  hl_linear_apply (&self->linear, n, neighbours, self->linear.n_in, result, width, scratch);
  hl_activation_apply (self->activation, n, width, self->linear.bias, result, width);
  hl_norm_add_apply (&self->norm, n, width, result, NULL, stream);
}
