/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-attend-rule.h"
#include "core/compute/hl-scratch.h"

G_BEGIN_DECLS

void hl_attend_output (const HlAttentionRule *rule,
                       guint                  n_heads,
                       guint                  n_key_heads,
                       gsize                  n_queries,
                       gsize                  n_keys,
                       gsize                  n_features,
                       const float           *queries,
                       const float           *keys,
                       const float           *values,
                       float                 *output,
                       HlScratch             *scratch);

G_END_DECLS
