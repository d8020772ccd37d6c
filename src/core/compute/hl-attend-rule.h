/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/hl-attention-rule.h"

G_BEGIN_DECLS

void hl_attend_rule_finish_row (const HlAttentionRule *rule,
                                guint                  head,
                                gsize                  n_queries,
                                gsize                  n_keys,
                                gsize                  query,
                                float                 *row);

G_END_DECLS
