/* SPDX-License-Identifier: MIT */
/* What a model was run on, kept by the document that came of it. */
#include "core/model/hl-model-call.h"

struct _HlModelCall
{
  GObject parent_instance;

  HlModel *model;
  HlModelInput input; /* owns its numbers */
};

G_DEFINE_FINAL_TYPE (HlModelCall, hl_model_call, G_TYPE_OBJECT)

static void
hl_model_call_finalize (GObject *object)
{
  HlModelCall *self = HL_MODEL_CALL (object);

  g_free ((guint32 *) self->input.ids);
  g_clear_pointer (&self->input.pixels, hl_pixels_unref);
  g_free ((guint32 *) self->input.segments);
  g_free ((guint32 *) self->input.decoder_ids);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (hl_model_call_parent_class)->finalize (object);
}

static void
hl_model_call_class_init (HlModelCallClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hl_model_call_finalize;
}

static void
hl_model_call_init (HlModelCall *self)
{
}

/**
 * hl_model_call_new:
 * @model: a model
 * @input: what it is run on; copied
 *
 * Returns: (transfer full): both
 */
HlModelCall *
hl_model_call_new (HlModel            *model,
                   const HlModelInput *input)
{
  g_return_val_if_fail (HL_IS_MODEL (model), NULL);
  g_return_val_if_fail (input != NULL, NULL);

  HlModelCall *self = g_object_new (HL_TYPE_MODEL_CALL, NULL);
  const gsize size = sizeof (guint32);

  self->model = g_object_ref (model);
  self->input = (HlModelInput){
    .ids = input->ids != NULL ? g_memdup2 (input->ids, input->n_ids * size) : NULL,
    .pixels = input->pixels != NULL ? hl_pixels_ref (input->pixels) : NULL,
    .segments = input->segments != NULL ? g_memdup2 (input->segments, input->n_ids * size) : NULL,
    .n_ids = input->n_ids,
    .decoder_ids = input->decoder_ids != NULL ? g_memdup2 (input->decoder_ids, input->n_decoder_ids * size) : NULL,
    .n_decoder_ids = input->n_decoder_ids,
  };
  return self;
}

/**
 * hl_model_call_of:
 * @document: a document
 *
 * Returns: (transfer none) (nullable): the model and the tokens that the document came of; %NULL when it came from a file
 */
HlModelCall *
hl_model_call_of (HlDocument *document)
{
  g_return_val_if_fail (HL_IS_DOCUMENT (document), NULL);

  GObject *maker = hl_document_get_maker (document);
  return maker != NULL && HL_IS_MODEL_CALL (maker) ? HL_MODEL_CALL (maker) : NULL;
}

/**
 * hl_model_call_get_model:
 * @self: a call
 *
 * Returns: (transfer none): the model
 */
HlModel *
hl_model_call_get_model (HlModelCall *self)
{
  g_return_val_if_fail (HL_IS_MODEL_CALL (self), NULL);

  return self->model;
}

/**
 * hl_model_call_get_input:
 * @self: a call
 *
 * Returns: (transfer none): what the model was run on
 */
const HlModelInput *
hl_model_call_get_input (HlModelCall *self)
{
  g_return_val_if_fail (HL_IS_MODEL_CALL (self), NULL);

  return &self->input;
}

/**
 * hl_model_call_has:
 * @self: a call
 * @attention: a kind of attention
 *
 * Returns: whether running it again makes such attention
 */
gboolean
hl_model_call_has (HlModelCall    *self,
                   HlAttentionKind attention)
{
  g_return_val_if_fail (HL_IS_MODEL_CALL (self), FALSE);

  switch (attention)
    {
    case HL_ATTENTION_SELF:
      return !hl_model_has_decoder (self->model);
    case HL_ATTENTION_ENCODER:
      return hl_model_has_decoder (self->model);
    case HL_ATTENTION_DECODER:
    case HL_ATTENTION_CROSS:
      return hl_model_has_decoder (self->model) && self->input.decoder_ids != NULL;
    default:
      return FALSE;
    }
}
