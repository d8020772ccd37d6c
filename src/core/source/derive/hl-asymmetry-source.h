/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-derived-source.h"

G_BEGIN_DECLS

#define HL_TYPE_ASYMMETRY_SOURCE (hl_asymmetry_source_get_type ())
G_DECLARE_FINAL_TYPE (HlAsymmetrySource, hl_asymmetry_source, HL, ASYMMETRY_SOURCE, HlDerivedSource)

HlAttentionSource *hl_asymmetry_source_new (HlAttentionSource *source);

G_END_DECLS
