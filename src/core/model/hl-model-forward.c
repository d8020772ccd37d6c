/* SPDX-License-Identifier: MIT */
/* A model at work: what a kind of attention in it follows, and the pass over all layers. */
#include "core/model/hl-model-private.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

/**
 * hl_model_get_stack: (skip)
 * @self: a model
 * @attention: a kind of attention
 *
 * Returns: (nullable): the stack that has it
 */
HlStack *
hl_model_get_stack (HlModel        *self,
                    HlAttentionKind attention)
{
  return attention == HL_ATTENTION_DECODER || attention == HL_ATTENTION_CROSS ? self->decoder : self->stack;
}

/**
 * hl_model_make_rules:
 * @self: a model
 * @attention: one of its kinds of attention
 * @n_queries: tokens that ask; in self-attention also those that are asked
 * @bias: (out) (transfer full) (nullable): what biases of the rules point into
 *
 * Returns: (transfer full): a rule for each layer; free with g_free()
 */
HlAttentionRule *
hl_model_make_rules (HlModel        *self,
                     HlAttentionKind attention,
                     gsize           n_queries,
                     GBytes        **bias)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_get_stack (self, attention) != NULL, NULL);

  const HlStack *stack = hl_model_get_stack (self, attention);
  const gboolean cross = attention == HL_ATTENTION_CROSS;
  float *numbers = cross ? NULL : hl_stack_new_bias (stack, n_queries);
  HlAttentionRule *rules = g_new (HlAttentionRule, stack->n_layers);

  for (guint layer = 0; layer < stack->n_layers; layer++)
    rules[layer] = hl_stack_get_rule (stack, layer, cross, numbers);
  *bias = numbers != NULL
            ? g_bytes_new_take (numbers, stack->n_heads * (2 * n_queries - 1) * sizeof (float))
            : NULL;
  return rules;
}

/**
 * hl_model_read_output_rows:
 * @self: a model
 * @attention: one of its kinds of attention
 * @layer: a layer
 * @head: a query head
 * @target: (out caller-allocates): [head_size, width]
 * @error: an error of reading the weights
 *
 * Reads the rows of a layer's output projection that a head's result is multiplied by: W_O^h of Kobayashi et al. 2020. The bias belongs to
 * no head and is left out.
 *
 * Returns: whether @target is filled
 */
gboolean
hl_model_read_output_rows (HlModel        *self,
                           HlAttentionKind attention,
                           guint           layer,
                           guint           head,
                           float          *target,
                           GError        **error)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && hl_model_get_stack (self, attention) != NULL, FALSE);

  const HlStack *stack = hl_model_get_stack (self, attention);
  g_return_val_if_fail (layer < stack->n_layers && head < stack->n_heads, FALSE);

  const HlLayer *weights = &stack->layers[(guint64) layer * stack->n_own_layers / stack->n_layers];
  const HlLinear *output = attention == HL_ATTENTION_CROSS ? &weights->cross.output
                                                   : &weights->attention.output;
  /* Usually stored as [out, in]: then the rows are columns there. */
  const HlLayerTensor rows = {
    .tensor = output->tensor,
    .layer_axis = -1,
    .batch_axis = -1,
    .head_axis = -1,
    .row_axis = output->transposed ? 0 : 1,
    .column_axis = output->transposed ? 1 : 0,
  };
  return hl_layer_tensor_read (&rows, 0, head * stack->head_size, stack->head_size, 0, stack->width,
                               target, NULL, error);
}

/**
 * hl_model_check_input:
 * @self: a model
 * @input: what it is to be run on
 * @error: as hl_model_forward() for an input that is wrong
 *
 * Returns: whether it can be run on that
 */
gboolean
hl_model_check_input (HlModel            *self,
                      const HlModelInput *input,
                      GError            **error)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  const HlStackRun first = { .ids = input->ids,
                             .segments = input->segments,
                             .n_tokens = input->n_ids };
  const HlStackRun second = { .ids = input->decoder_ids, .n_tokens = input->n_decoder_ids };

  return hl_stack_check_run (self->stack, &first, error) &&
         (self->decoder == NULL || input->decoder_ids == NULL ||
          hl_stack_check_run (self->decoder, &second, error));
}

static gboolean
run_stacks (HlModel            *self,
            const HlModelInput *input,
            HlLayerFunc         func,
            gpointer            data,
            HlProgress         *progress,
            GCancellable       *cancellable,
            GError            **error)
{
  const gboolean two = self->decoder != NULL && input->decoder_ids != NULL;
  g_autofree float *memory = NULL;
  const HlStackRun first = {
    .weights = self->weights,
    .ids = input->ids,
    .segments = input->segments,
    .n_tokens = input->n_ids,
    .attention = self->decoder != NULL ? HL_ATTENTION_ENCODER : HL_ATTENTION_SELF,
    .func = func,
    .data = data,
    .progress = progress,
    .progress_begin = 0,
    .progress_end = two ? 0.5 : 1,
  };

  if (!hl_stack_run (self->stack, &first, two ? &memory : NULL, cancellable, error))
    return FALSE;
  const HlStackRun second = {
    .weights = self->weights,
    .ids = input->decoder_ids,
    .n_tokens = input->n_decoder_ids,
    .memory = memory,
    .n_memory = input->n_ids,
    .attention = HL_ATTENTION_DECODER,
    .func = func,
    .data = data,
    .progress = progress,
    .progress_begin = 0.5,
    .progress_end = 1,
  };
  return !two || hl_stack_run (self->decoder, &second, NULL, cancellable, error);
}

/**
 * hl_model_forward:
 * @self: a model
 * @input: what it is run on
 * @func: told of every layer of every kind of attention, as it is done; on this thread
 * @data: for @func
 * @progress: (nullable): told how far it is
 * @cancellable: (nullable): stops it between layers
 * @error: %HL_ERROR_VALUE for a token that the weights do not have or weights that are NaN, %HL_ERROR_TOO_LARGE for
 *   a text that is too long, %HL_ERROR_TRUNCATED for weights that somebody shortens meanwhile, or %G_IO_ERROR_CANCELLED
 *
 * Computes queries, keys and values of every layer. No map of tokens by tokens is kept. Blocks.
 *
 * Returns: whether all layers are done
 */
gboolean
hl_model_forward (HlModel            *self,
                  const HlModelInput *input,
                  HlLayerFunc         func,
                  gpointer            data,
                  HlProgress         *progress,
                  GCancellable       *cancellable,
                  GError            **error)
{
  g_autoptr (GError) local_error = NULL;

  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);
  g_return_val_if_fail (input != NULL && func != NULL, FALSE);

  if (run_stacks (self, input, func, data, progress, cancellable, &local_error))
    return TRUE;
  /* Of files that somebody writes anew, everything else that is wrong is a consequence. */
  if (local_error->domain == HL_ERROR && !hl_weights_check (self->weights, error))
    return FALSE;
  /* Only what cannot be computed is worth reading all weights for, to say which of them is to blame. */
  if (g_error_matches (local_error, HL_ERROR, HL_ERROR_CORRUPT))
    {
      g_autofree char *name = hl_weights_find_bad (self->weights, cancellable);
      if (name != NULL)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("tensor “%s” holds NaN or infinity"),
                       name);
          return FALSE;
        }
    }
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}
