/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-activation.h"
#include "core/compute/hl-norm.h"
#include "core/model/checkpoint/hl-model-config.h"
#include "core/model/family/hl-family.h"
#include "core/model/layer/hl-linear.h"

G_BEGIN_DECLS

/**
 * HlLayerInputs:
 * @words: (nullable): [tokens, layers · size], the embeddings that layers have of their own; %NULL in models without
 * @projection: what makes as many numbers of the embeddings of the model
 * @norm: the norm of those of a layer
 * @size: numbers of a layer
 *
 * Embeddings of tokens for each layer (Gemma 3n and 4).
 */
typedef struct
{
  HlTensor *words;
  HlLinear  projection;
  HlNorm    norm;
  gsize     size;
} HlLayerInputs;

/**
 * HlLayerInput:
 * @gate: (nullable): the product whose activation its embeddings are multiplied by; without a tensor in models without
 * @out: what takes them to the model's width
 * @norm: the norm of that
 *
 * What a layer adds of its own embeddings behind its feed-forward.
 */
typedef struct
{
  HlLinear gate;
  HlLinear out;
  HlNorm   norm;
} HlLayerInput;

gboolean hl_layer_inputs_load  (HlLayerInputs       *self,
                                HlWeights           *weights,
                                HlModelConfig       *config,
                                const HlInputNames  *names,
                                guint                n_layers,
                                gsize                width,
                                float                epsilon,
                                GError             **error);
gboolean hl_layer_inputs_make  (const HlLayerInputs *self,
                                guint                n_layers,
                                gsize                n,
                                const guint32       *ids,
                                const float         *embedded,
                                float               *target,
                                GError             **error);
void     hl_layer_inputs_clear (HlLayerInputs       *self);
gboolean hl_layer_input_load   (HlLayerInput        *self,
                                HlWeights           *weights,
                                const HlInputNames  *names,
                                const char          *path,
                                gsize                size,
                                gsize                width,
                                float                epsilon,
                                GError             **error);
void     hl_layer_input_apply  (const HlLayerInput  *self,
                                HlActivation         activation,
                                gsize                n_rows,
                                const float         *input,
                                const float         *own,
                                gsize                n_own,
                                gsize                own_stride,
                                float               *room,
                                float               *result,
                                HlScratch           *scratch);
void     hl_layer_input_clear  (HlLayerInput        *self);

G_END_DECLS
