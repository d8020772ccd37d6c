/* SPDX-License-Identifier: MIT */
/* Which attention of a model a block is. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlBlockKind:
 * @HL_BLOCK_ATTENTION: the self-attention of a model that has one kind of attention
 * @HL_BLOCK_ENCODER: the encoder's self-attention
 * @HL_BLOCK_DECODER: the decoder's self-attention
 * @HL_BLOCK_CROSS: decoder queries, encoder keys
 */
typedef enum {
  HL_BLOCK_ATTENTION,
  HL_BLOCK_ENCODER,
  HL_BLOCK_DECODER,
  HL_BLOCK_CROSS,
} HlBlockKind;

const char *hl_block_kind_get_name  (HlBlockKind  kind);
const char *hl_block_kind_get_label (HlBlockKind  kind);
gboolean    hl_block_kind_from_name (const char  *name,
                                     HlBlockKind *kind);

G_END_DECLS
