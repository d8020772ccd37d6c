/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/adapter/hl-adapter.h"
#include "core/model/checkpoint/hl-model-config.h"
#include "core/model/family/hl-family.h"

G_BEGIN_DECLS

gboolean hl_adapt (const HlFamily *family,
                   HlModelConfig  *config,
                   HlWeights      *weights,
                   HlAdapter      *adapter,
                   GError        **error);

G_END_DECLS
