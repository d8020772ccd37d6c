/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-stack.h"

G_BEGIN_DECLS

HlAttentionRule
         hl_stack_get_rule (const HlStack   *self,
                            guint            layer,
                            gboolean         cross,
                            const float     *bias,
                            gsize            n_distances);
double   hl_stack_measure_bias
                           (const HlStack   *self,
                            gsize            n_distances);
gboolean hl_stack_new_bias (const HlStack   *self,
                            gsize            n_distances,
                            gsize            n_keys,
                            float          **numbers,
                            gsize           *n_numbers,
                            GError         **error);

G_END_DECLS
