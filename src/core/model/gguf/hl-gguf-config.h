/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/gguf/hl-gguf-archive.h"
#include "core/model/checkpoint/hl-model-config.h"
#include "core/model/checkpoint/hl-weights.h"
#include "core/model/gguf/hl-gguf-architecture.h"

G_BEGIN_DECLS

HlModelConfig *hl_gguf_config_new (HlGgufArchive             *archive,
                                   HlWeights                 *weights,
                                   const HlGgufArchitecture  *architecture,
                                   const HlFamily            *family,
                                   const char                *type,
                                   guint                      n_layers,
                                   GError                   **error);

G_END_DECLS
