/* SPDX-License-Identifier: MIT */
/* Which source answers for a block. */
#include "core/source/make/hl-source-factory.h"

#include "core/source/make/hl-dump-source.h"
#include "core/source/make/hl-qk-source.h"
#include "core/source/make/hl-softmax-source.h"

/**
 * hl_attention_source_new_for_block:
 * @block: a block of a document
 *
 * Does not read anything yet.
 *
 * Returns: (transfer full): the block's weights: those in the file, or the softmax of its scores, or else softmax(Q·Kᵀ)
 */
HlAttentionSource *
hl_attention_source_new_for_block (HlBlock *block)
{
  g_return_val_if_fail (HL_IS_BLOCK (block), NULL);

  if (hl_block_get_weights (block, 0) == NULL)
    return hl_qk_source_new (block);
  g_autoptr (HlAttentionSource) stored = hl_dump_source_new (block);
  return hl_block_has_scores (block) ? hl_softmax_source_new (stored) : g_steal_pointer (&stored);
}
