/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * HlAttentionKind:
 * @HL_ATTENTION_SELF: the self-attention of a model that has one kind of attention
 * @HL_ATTENTION_ENCODER: the encoder's self-attention
 * @HL_ATTENTION_DECODER: the decoder's self-attention
 * @HL_ATTENTION_CROSS: decoder queries, encoder keys
 */
typedef enum {
  HL_ATTENTION_SELF,
  HL_ATTENTION_ENCODER,
  HL_ATTENTION_DECODER,
  HL_ATTENTION_CROSS,
} HlAttentionKind;

const char *hl_attention_kind_get_name  (HlAttentionKind  kind);
const char *hl_attention_kind_get_label (HlAttentionKind  kind);
gboolean    hl_attention_kind_from_name (const char      *name,
                                         HlAttentionKind *kind);

G_END_DECLS
