/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-derived-source.h"
#include "core/source/quantity/hl-quantity.h"

G_BEGIN_DECLS

#define HL_TYPE_LAYER_NORM_SOURCE (hl_layer_norm_source_get_type ())
/**
 * HlLayerNormSource:
 *
 * How much of what the chosen heads of a layer add to a query comes from a key: ‖Σ_h A_h[i,j] f_h(x_j)‖₂ (Kobayashi et al. 2020,
 * section 4.3). One map a layer.
 */
G_DECLARE_FINAL_TYPE (HlLayerNormSource, hl_layer_norm_source, HL, LAYER_NORM_SOURCE, HlDerivedSource)

HlAttentionSource *hl_layer_norm_source_new (const HlQuantityParts *parts,
                                             const HlHeadSet       *heads);

G_END_DECLS
