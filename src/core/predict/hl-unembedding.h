/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/model/hl-model.h"

G_BEGIN_DECLS

#define HL_TYPE_UNEMBEDDING (hl_unembedding_get_type ())
/**
 * HlUnembedding:
 *
 * What a model predicts tokens with: the head behind its last layer. Its large matrices stay in the mapped file. Immutable; threads may
 * share one.
 */
G_DECLARE_FINAL_TYPE (HlUnembedding, hl_unembedding, HL, UNEMBEDDING, GObject)

HlUnembedding  *hl_unembedding_load          (HlModel       *model,
                                              GError       **error);
HlModel        *hl_unembedding_get_model     (HlUnembedding *self);
HlAttentionKind hl_unembedding_get_attention (HlUnembedding *self);
gsize           hl_unembedding_get_n_tokens  (HlUnembedding *self);
gsize           hl_unembedding_get_width     (HlUnembedding *self);
gboolean        hl_unembedding_tells_classes (HlUnembedding *self);
gboolean        hl_unembedding_is_masked     (HlUnembedding *self);
gboolean        hl_unembedding_is_linear     (HlUnembedding *self);
float           hl_unembedding_get_softcap   (HlUnembedding *self);
void            hl_unembedding_norm          (HlUnembedding *self,
                                              const float   *stream,
                                              gsize          n,
                                              float         *states);
gboolean        hl_unembedding_logits        (HlUnembedding *self,
                                              const float   *states,
                                              gsize          n,
                                              float         *logits,
                                              GError       **error);
gboolean        hl_unembedding_read_row      (HlUnembedding *self,
                                              guint32        token,
                                              float         *row,
                                              float         *bias,
                                              GError       **error);
gboolean        hl_unembedding_read_row_at   (HlUnembedding *self,
                                              guint32        token,
                                              const float   *state,
                                              float         *row,
                                              float         *bias,
                                              GError       **error);

G_END_DECLS
