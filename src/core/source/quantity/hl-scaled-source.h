/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/source/hl-derived-source.h"

G_BEGIN_DECLS

/**
 * HlKeyFactorsFunc:
 * @attention: an attention
 * @layer: a layer
 * @head: a head of it
 * @cancellable: (nullable): stops it
 * @error: why there are none
 *
 * Called from any thread, also from several at once.
 *
 * Returns: (transfer full) (nullable): [n_keys], what the weights of each key are multiplied by; free with g_free()
 */
typedef float *(*HlKeyFactorsFunc) (HlAttention  *attention,
                                    guint         layer,
                                    guint         head,
                                    GCancellable *cancellable,
                                    GError      **error);

#define HL_TYPE_SCALED_SOURCE (hl_scaled_source_get_type ())
/**
 * HlScaledSource:
 *
 * The weights of another source, each multiplied by a number of its key, which is made once a head and kept.
 */
G_DECLARE_FINAL_TYPE (HlScaledSource, hl_scaled_source, HL, SCALED_SOURCE, HlDerivedSource)

HlAttentionSource *hl_scaled_source_new (HlAttention       *attention,
                                         HlAttentionSource *weights,
                                         HlKeyFactorsFunc   func,
                                         const char        *quantity);

G_END_DECLS
