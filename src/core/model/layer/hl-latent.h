/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-norm.h"
#include "core/model/layer/hl-layer-shape.h"
#include "core/model/layer/hl-linear.h"

G_BEGIN_DECLS

/**
 * HlLatent:
 *
 * Queries, keys and values that are made by way of fewer features (multi-head latent attention, DeepSeek-AI 2024, 2.1). A part of each key,
 * which is turned by position, all heads share. Immutable.
 */
typedef struct _HlLatent HlLatent;

gboolean  hl_latent_read_shape (HlLayerShape        *shape,
                                HlModelConfig       *config,
                                GError             **error);
HlLatent *hl_latent_load       (HlWeights           *weights,
                                HlModelConfig       *config,
                                const HlLatentNames *names,
                                const char          *layer,
                                const HlLayerShape  *shape,
                                gsize                width,
                                GError             **error);
void      hl_latent_free       (HlLatent            *self);
gsize     hl_latent_get_room   (const HlLatent      *self,
                                const HlLayerShape  *shape);
void      hl_latent_apply      (const HlLatent      *self,
                                const HlLayerShape  *shape,
                                gsize                n_rows,
                                const float         *input,
                                float               *target,
                                HlScratch           *room,
                                HlScratch           *scratch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlLatent, hl_latent_free)

G_END_DECLS
