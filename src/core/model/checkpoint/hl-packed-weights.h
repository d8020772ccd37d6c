/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/checkpoint/hl-model-config.h"
#include "core/model/checkpoint/hl-weights.h"

G_BEGIN_DECLS

gboolean hl_packed_weights_join (HlWeights      *weights,
                                 HlModelConfig  *config,
                                 GError        **error);

G_END_DECLS
