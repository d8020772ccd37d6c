/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/checkpoint/hl-weights.h"
#include "core/model/family/hl-family.h"
#include "core/model/gguf/hl-gguf-architecture.h"

G_BEGIN_DECLS

HlFamily *hl_gguf_names_apply (const HlFamily           *family,
                               const HlGgufArchitecture *architecture,
                               HlWeights                *weights,
                               guint                     n_layers);

G_END_DECLS
