/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/layer/hl-feed-forward.h"
#include "core/model/layer/hl-router.h"

G_BEGIN_DECLS

/**
 * HlExperts:
 *
 * A mixture of experts (Shazeer et al. 2017): many feed-forward layers, of which each token goes through those that a router chooses for
 * it. What it comes to has all biases in it. Immutable.
 */
typedef struct _HlExperts HlExperts;

HlExperts *hl_experts_load  (HlWeights           *weights,
                             HlModelConfig       *config,
                             const HlFamily      *family,
                             const HlExpertNames *names,
                             const char          *layer,
                             gsize                width,
                             HlActivation         activation,
                             gboolean             keep_panels,
                             GError             **error);
void       hl_experts_free  (HlExperts           *self);
gsize      hl_experts_get_room
                            (const HlExperts     *self);
void       hl_experts_apply (const HlExperts     *self,
                             gsize                n_rows,
                             const float         *input,
                             float               *result,
                             HlScratch           *room,
                             HlScratch           *scratch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlExperts, hl_experts_free)

G_END_DECLS
