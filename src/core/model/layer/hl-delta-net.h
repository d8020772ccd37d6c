/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-activation.h"
#include "core/model/checkpoint/hl-model-config.h"
#include "core/model/family/hl-family.h"
#include "core/model/layer/hl-linear.h"

G_BEGIN_DECLS

/**
 * HlDeltaNet:
 *
 * A gated delta net (Yang et al. 2024): what some layers have in place of attention. Each head keeps a matrix of key size × value size; a
 * token lets it fade, takes off what the matrix has for its key, adds its own value there, and reads it with its query. There are no
 * weights of tokens by tokens.
 */
typedef struct _HlDeltaNet HlDeltaNet;

/**
 * HlDeltaState:
 *
 * What a delta net keeps of the tokens that it has seen.
 */
typedef struct _HlDeltaState HlDeltaState;

HlDeltaNet   *hl_delta_net_load     (HlWeights         *weights,
                                     HlModelConfig     *config,
                                     const HlDeltaNames *names,
                                     const char        *path,
                                     gsize              width,
                                     HlActivation       activation,
                                     float              epsilon,
                                     GError           **error);
void          hl_delta_net_free     (HlDeltaNet        *self);
gsize         hl_delta_net_get_products (const HlDeltaNet *self);
gsize         hl_delta_net_get_width (const HlDeltaNet *self);
gsize         hl_delta_net_get_state_size
                                    (const HlDeltaNet  *self);
void          hl_delta_net_project  (const HlDeltaNet  *self,
                                     gsize              n_rows,
                                     const float       *input,
                                     float             *products,
                                     HlScratch         *scratch);
void          hl_delta_net_run      (const HlDeltaNet  *self,
                                     HlDeltaState      *state,
                                     gsize              n,
                                     const float       *products,
                                     float             *output);
const HlLinear *
              hl_delta_net_get_output (const HlDeltaNet *self);
HlDeltaState *hl_delta_state_new    (const HlDeltaNet  *net);
void          hl_delta_state_copy   (HlDeltaState      *self,
                                     const HlDeltaState *other,
                                     const HlDeltaNet  *net);
void          hl_delta_state_reset  (HlDeltaState      *self,
                                     const HlDeltaNet  *net);
void          hl_delta_state_free   (HlDeltaState      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlDeltaNet, hl_delta_net_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlDeltaState, hl_delta_state_free)

G_END_DECLS
