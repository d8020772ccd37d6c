/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-activation.h"
#include "core/compute/hl-norm.h"
#include "core/compute/hl-scratch.h"
#include "core/model/checkpoint/hl-model-config.h"
#include "core/model/checkpoint/hl-weights.h"

G_BEGIN_DECLS

/**
 * HlConvolution:
 *
 * A convolution over neighbouring tokens of what goes into the first layer, which is added to what comes out of it, with an activation before
 * and a norm behind, as the larger models of DeBERTa-v2 have it.
 */
typedef struct _HlConvolution HlConvolution;

HlConvolution *hl_convolution_load  (HlWeights            *weights,
                                     HlModelConfig        *config,
                                     const char           *name,
                                     const char           *norm_name,
                                     gsize                 width,
                                     float                 epsilon,
                                     GError              **error);
void           hl_convolution_free  (HlConvolution        *self);
void           hl_convolution_apply (const HlConvolution  *self,
                                     gsize                 n,
                                     const float          *input,
                                     float                *stream,
                                     HlScratch            *scratch);

G_END_DECLS
