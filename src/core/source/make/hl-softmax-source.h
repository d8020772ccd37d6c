/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-derived-source.h"

G_BEGIN_DECLS

#define HL_TYPE_SOFTMAX_SOURCE (hl_softmax_source_get_type ())
/**
 * HlSoftmaxSource:
 *
 * The softmax over keys of another source, whose numbers are scores.
 */
G_DECLARE_FINAL_TYPE (HlSoftmaxSource, hl_softmax_source, HL, SOFTMAX_SOURCE, HlDerivedSource)

HlAttentionSource *hl_softmax_source_new (HlAttentionSource *scores);

G_END_DECLS
