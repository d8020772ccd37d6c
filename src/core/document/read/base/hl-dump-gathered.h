/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-layer-tensor.h"
#include "core/document/read/base/hl-dump-context.h"

G_BEGIN_DECLS

char **hl_dump_name_gathered (const HlDumpContext *context,
                              const HlLayerTensor *layers,
                              guint                n_layers,
                              char               **tokens,
                              GError             **error);

G_END_DECLS
