/* SPDX-License-Identifier: MIT */
/* Embeddings that layers have of their own, and what they add of them. */
#include "core/model/layer/hl-layer-input.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/base/hl-error.h"
#include "core/model/layer/hl-norm-load.h"

#define MAX_SIZE (1 << 16)

/* Finds the tensors that all layers share; leaves it empty when config.json has none. */
gboolean
hl_layer_inputs_load (HlLayerInputs      *self,
                      HlWeights          *weights,
                      HlModelConfig      *config,
                      const HlInputNames *names,
                      guint               n_layers,
                      gsize               width,
                      float               epsilon,
                      GError            **error)
{
  guint64 size, n_words;

  if (names->words == NULL)
    return TRUE;
  if (!hl_model_config_read_size (config, "hidden_size_per_layer_input", 0, &size, error) ||
      !hl_model_config_read_size (config, "vocab_size_per_layer_input|vocab_size", HL_CONFIG_REQUIRED, &n_words, error))
    return FALSE;
  if (size == 0)
    return TRUE;
  if (size > MAX_SIZE || n_words == 0)
    {
      g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("“%s” in config.json is not %s"), "hidden_size_per_layer_input",
                   _ ("a size"));
      return FALSE;
    }
  const guint64 dims[2] = { n_words, n_layers * size };
  g_autofree char *words = g_strconcat (names->words, ".weight", NULL);
  self->size = size;
  self->norm.epsilon = epsilon;
  self->words = hl_weights_get (weights, words, 2, dims, error);
  return self->words != NULL &&
         hl_linear_load (&self->projection, weights, names->projection, width, n_layers * size, FALSE, FALSE, error) &&
         hl_norm_load (&self->norm, weights, names->norm, size, FALSE, error);
}

/* Makes [n, layers, size] of tokens and of what they are @embedded as, [n, width]. */
gboolean
hl_layer_inputs_make (const HlLayerInputs *self,
                      guint                n_layers,
                      gsize                n,
                      const guint32       *ids,
                      const float         *embedded,
                      float               *target,
                      GError             **error)
{
  const gsize all = n_layers * self->size, width = self->projection.n_in;
  const guint64 n_words = hl_tensor_get_shape (self->words)->dims[0];
  const float scale = 1 / sqrtf ((float) width), word_scale = sqrtf ((float) self->size);
  g_autofree float *words = g_new (float, all);
  g_auto (HlScratch) scratch = { 0 };

  hl_linear_apply (&self->projection, n, embedded, width, target, all, &scratch);
  for (gsize i = 0; i < n * all; i++)
    target[i] *= scale;
  hl_norm_apply (&self->norm, n * n_layers, self->size, target, self->size, target, self->size);
  for (gsize i = 0; i < n; i++)
    {
      const guint64 start[2] = { ids[i], 0 }, count[2] = { 1, all };

      if (ids[i] >= n_words)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("token %u has no embedding of the layers"), ids[i]);
          return FALSE;
        }
      if (!hl_tensor_read_f32 (self->words, start, count, words, NULL, error))
        return FALSE;
      for (gsize k = 0; k < all; k++)
        target[i * all + k] = (target[i * all + k] + words[k] * word_scale) * (float) G_SQRT2 / 2;
    }
  return TRUE;
}

void
hl_layer_inputs_clear (HlLayerInputs *self)
{
  g_clear_object (&self->words);
  hl_linear_clear (&self->projection);
  hl_norm_clear (&self->norm);
}

/* Finds the tensors of a layer, whose names begin with @path. */
gboolean
hl_layer_input_load (HlLayerInput       *self,
                     HlWeights          *weights,
                     const HlInputNames *names,
                     const char         *path,
                     gsize               size,
                     gsize               width,
                     float               epsilon,
                     GError            **error)
{
  g_autofree char *gate = g_strconcat (path, names->gate, NULL);
  g_autofree char *out = g_strconcat (path, names->out, NULL);
  g_autofree char *norm = g_strconcat (path, names->after, NULL);

  self->norm.epsilon = epsilon;
  return hl_linear_load (&self->gate, weights, gate, width, size, FALSE, FALSE, error) &&
         hl_linear_load (&self->out, weights, out, size, width, FALSE, FALSE, error) &&
         hl_norm_load (&self->norm, weights, norm, width, FALSE, error);
}

/* Gives what is added to rows [n_rows, width], before its norm: of @own, the embeddings of this layer, row after row and over again behind
 * the last of @n_own. @room is for [n_rows, size]. */
void
hl_layer_input_apply (const HlLayerInput *self,
                      HlActivation        activation,
                      gsize               n_rows,
                      const float        *input,
                      const float        *own,
                      gsize               n_own,
                      gsize               own_stride,
                      float              *room,
                      float              *result,
                      HlScratch          *scratch)
{
  const gsize size = self->gate.n_out;

  hl_linear_apply (&self->gate, n_rows, input, self->gate.n_in, room, size, scratch);
  hl_activation_apply (activation, n_rows, size, NULL, room, size);
  for (gsize i = 0; i < n_rows; i++)
    for (gsize k = 0; k < size; k++)
      room[i * size + k] *= own[i % n_own * own_stride + k];
  hl_linear_apply (&self->out, n_rows, room, size, result, self->out.n_out, scratch);
}

void
hl_layer_input_clear (HlLayerInput *self)
{
  hl_linear_clear (&self->gate);
  hl_linear_clear (&self->out);
  hl_norm_clear (&self->norm);
}
