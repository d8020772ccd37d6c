/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/compute/hl-attend.h"
#include "core/document/attention/hl-attention-rule.h"

G_BEGIN_DECLS

HlSoftmaxNorm hl_attend_rule_finish_row  (const HlAttentionRule *rule,
                                          guint                  head,
                                          gsize                  n_queries,
                                          gsize                  n_keys,
                                          gsize                  query,
                                          float                 *row);
void          hl_attend_rule_finish_part (const HlAttentionRule *rule,
                                          guint                  head,
                                          gsize                  n_queries,
                                          gsize                  n_keys,
                                          gsize                  query,
                                          gsize                  first_key,
                                          gsize                  end_key,
                                          HlSoftmaxNorm          norm,
                                          float                 *row);

G_END_DECLS
