/* SPDX-License-Identifier: MIT */
/* Which source answers for an attention. */
#include "core/source/make/hl-source-factory.h"

#include "core/source/make/hl-dump-source.h"
#include "core/source/make/hl-qk-source.h"
#include "core/source/make/hl-softmax-source.h"

/**
 * hl_attention_source_new_for_attention:
 * @attention: an attention of a document
 *
 * Does not read anything yet.
 *
 * Returns: (transfer full): the attention's weights: those in the file, or the softmax of its scores, or else softmax(Q·Kᵀ)
 */
HlAttentionSource *
hl_attention_source_new_for_attention (HlAttention *attention)
{
  g_return_val_if_fail (HL_IS_ATTENTION (attention), NULL);

  if (hl_attention_get_weights (attention, 0) == NULL)
    return hl_qk_source_new (attention);
  g_autoptr (HlAttentionSource) stored = hl_dump_source_new (attention);
  return hl_attention_has_scores (attention) ? hl_softmax_source_new (stored) : g_steal_pointer (&stored);
}
