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

/**
 * HlSeenKeys:
 * @first: the first key that some query sees
 * @n: how many keys from there to the last
 *
 * The keys of which something can come: those around them are padding.
 */
typedef struct
{
  gsize first;
  gsize n;
} HlSeenKeys;

gboolean           hl_residual_source_can   (HlAttention              *attention);
HlAttentionSource *hl_residual_source_new   (HlAttentionSource        *weights);
HlSeenKeys        *hl_residual_list_seen    (HlAttentionSource        *weights);
void               hl_residual_mix_masks    (HlAttentionSource        *weights,
                                             const HlSeenKeys         *seen,
                                             HlMask                   *masks);
void               hl_residual_mark_padding (HlSeenKeys                seen,
                                             const HlAttentionRequest *request,
                                             float                    *target);
void               hl_residual_lose_row     (const HlMask             *mask,
                                             gsize                     n,
                                             gsize                     query,
                                             gsize                     first_key,
                                             gsize                     n_keys,
                                             float                    *row);

G_END_DECLS
