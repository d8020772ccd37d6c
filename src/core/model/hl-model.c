/* SPDX-License-Identifier: MIT */
/* A model: a folder's configuration and weights, made into stacks of layers that can be run on token numbers. */
#include "core/model/hl-model.h"

#include "core/base/hl-error.h"

#include <glib/gi18n-lib.h>

struct _HlModel
{
  GObject parent_instance;

  char *name;
  const HlFamily *family;
  HlWeights *weights;
  HlStack *stack;
  HlStack *decoder;
};

G_DEFINE_FINAL_TYPE (HlModel, hl_model, G_TYPE_OBJECT)

static void
hl_model_finalize (GObject *object)
{
  HlModel *self = HL_MODEL (object);

  g_clear_pointer (&self->decoder, hl_stack_free);
  g_clear_pointer (&self->stack, hl_stack_free);
  g_clear_pointer (&self->weights, hl_weights_free);
  g_free (self->name);
  G_OBJECT_CLASS (hl_model_parent_class)->finalize (object);
}

static void
hl_model_class_init (HlModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_model_finalize;
}

static void
hl_model_init (HlModel *self)
{
}

/**
 * hl_model_load:
 * @folder: a folder with `config.json` and `model.safetensors`, or shards and their index
 * @error: any of #HlError; %HL_ERROR_UNSUPPORTED for a model of a family that is not known
 *
 * Maps a model. The configuration, the headers of the weights and the shapes of all tensors that are needed are checked;
 * the weights themselves are read when they are used.
 *
 * Returns: (transfer full) (nullable): the model, which can be run from any thread, also from several at once
 */
HlModel *
hl_model_load (GFile   *folder,
               GError **error)
{
  g_return_val_if_fail (G_IS_FILE (folder), NULL);

  g_autoptr (HlModelConfig) config = hl_model_config_load (folder, error);
  g_autofree char *type = config != NULL ? hl_model_config_dup_type (config, error) : NULL;
  const HlFamily *family = type != NULL ? hl_family_find (type, error) : NULL;
  if (family == NULL)
    return NULL;

  g_autoptr (HlModel) self = g_object_new (HL_TYPE_MODEL, NULL);
  self->family = family;
  self->name = g_file_get_basename (folder);
  self->weights = hl_weights_open (folder, error);
  if (self->weights == NULL ||
      !hl_weights_set_prefix (self->weights, family->prefixes, family->stack.layer, error))
    return NULL;
  const gboolean two = family->decoder.layer != NULL;
  self->stack = hl_stack_load (family, two ? HL_STACK_ENCODER : HL_STACK_WHOLE, config, self->weights, error);
  if (self->stack == NULL)
    return NULL;
  if (two)
    self->decoder = hl_stack_load (family, HL_STACK_DECODER, config, self->weights, error);
  return !two || self->decoder != NULL ? g_steal_pointer (&self) : NULL;
}

/**
 * hl_model_get_name:
 * @self: a model
 *
 * Returns: the name of its folder
 */
const char *
hl_model_get_name (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  return self->name;
}

/**
 * hl_model_get_family:
 * @self: a model
 *
 * Returns: the name of its family, such as `BERT`
 */
const char *
hl_model_get_family (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), NULL);

  return self->family->label;
}

/**
 * hl_model_has_decoder:
 * @self: a model
 *
 * Returns: whether it is an encoder–decoder model
 */
gboolean
hl_model_has_decoder (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  return self->decoder != NULL;
}

static HlStack *
get_stack (HlModel    *self,
           HlBlockKind block)
{
  return block == HL_BLOCK_DECODER || block == HL_BLOCK_CROSS ? self->decoder : self->stack;
}

/**
 * hl_model_get_n_layers:
 * @self: a model
 * @block: one of its kinds of attention
 *
 * Returns: how many layers have it
 */
guint
hl_model_get_n_layers (HlModel    *self,
                       HlBlockKind block)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && get_stack (self, block) != NULL, 0);

  return get_stack (self, block)->n_layers;
}

/**
 * hl_model_get_n_heads:
 * @self: a model
 * @block: one of its kinds of attention
 *
 * Returns: the query heads of a layer
 */
guint
hl_model_get_n_heads (HlModel    *self,
                      HlBlockKind block)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && get_stack (self, block) != NULL, 0);

  return get_stack (self, block)->n_heads;
}

/**
 * hl_model_get_n_key_heads:
 * @self: a model
 * @block: one of its kinds of attention
 *
 * Returns: the heads of keys and values of a layer
 */
guint
hl_model_get_n_key_heads (HlModel    *self,
                          HlBlockKind block)
{
  g_return_val_if_fail (HL_IS_MODEL (self) && get_stack (self, block) != NULL, 0);

  return get_stack (self, block)->n_key_heads;
}

/**
 * hl_model_get_head_size:
 * @self: a model
 *
 * Returns: features of a head
 */
gsize
hl_model_get_head_size (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), 0);

  return self->stack->head_size;
}

/**
 * hl_model_get_max_length:
 * @self: a model
 *
 * Returns: the tokens of the longest text that it takes or was made for; 0 when nothing limits them
 */
gsize
hl_model_get_max_length (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), 0);

  return self->stack->max_length;
}

/**
 * hl_model_get_n_segments:
 * @self: a model
 *
 * Returns: how many texts it tells apart; 0 when it does not
 */
gsize
hl_model_get_n_segments (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), 0);

  return self->stack->n_segments;
}

/**
 * hl_model_is_causal:
 * @self: a model
 *
 * Returns: whether a token of its only stack sees none that follow it
 */
gboolean
hl_model_is_causal (HlModel *self)
{
  g_return_val_if_fail (HL_IS_MODEL (self), FALSE);

  return self->stack->causal;
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
    .ids = input->ids,
    .segments = input->segments,
    .n_tokens = input->n_ids,
    .block = self->decoder != NULL ? HL_BLOCK_ENCODER : HL_BLOCK_ATTENTION,
    .func = func,
    .data = data,
    .progress = progress,
    .progress_begin = 0,
    .progress_end = two ? 0.5 : 1,
  };

  if (!hl_stack_run (self->stack, &first, two ? &memory : NULL, cancellable, error))
    return FALSE;
  const HlStackRun second = {
    .ids = input->decoder_ids,
    .n_tokens = input->n_decoder_ids,
    .memory = memory,
    .n_memory = input->n_ids,
    .block = HL_BLOCK_DECODER,
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
 *   a text that is too long, or %G_IO_ERROR_CANCELLED
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
  /* Only what cannot be computed is worth reading all weights for, to say which of them is to blame. */
  if (g_error_matches (local_error, HL_ERROR, HL_ERROR_CORRUPT))
    {
      g_autofree char *name = hl_weights_find_bad (self->weights, cancellable);
      if (name != NULL)
        {
          g_set_error (error, HL_ERROR, HL_ERROR_VALUE, _ ("tensor “%s” holds NaN or infinity"), name);
          return FALSE;
        }
    }
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}
