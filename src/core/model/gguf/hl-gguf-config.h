/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/archive/gguf/hl-gguf-archive.h"
#include "core/model/checkpoint/hl-model-config.h"

G_BEGIN_DECLS

HlModelConfig *hl_gguf_config_new (HlGgufArchive  *archive,
                                   const char     *architecture,
                                   const char     *type,
                                   GError        **error);

G_END_DECLS
