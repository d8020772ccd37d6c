/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-derived-source.h"

G_BEGIN_DECLS

#define HL_TYPE_RESIDUAL_SOURCE (hl_residual_source_get_type ())
/**
 * HlResidualSource:
 *
 * Weights with the residual connection: à = rownorm (A + I) (Abnar and Zuidema 2020, section 3).
 */
G_DECLARE_FINAL_TYPE (HlResidualSource, hl_residual_source, HL, RESIDUAL_SOURCE, HlDerivedSource)

gboolean           hl_residual_source_can (HlAttention       *attention);
HlAttentionSource *hl_residual_source_new (HlAttentionSource *weights);
HlMask             hl_residual_mix_masks  (HlAttentionSource *weights,
                                           guint              layer);
void               hl_residual_mark_padding (HlAttentionSource        *weights,
                                             guint                     first_layer,
                                             const HlAttentionRequest *request,
                                             float                    *target);

G_END_DECLS
