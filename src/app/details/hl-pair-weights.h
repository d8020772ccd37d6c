/* SPDX-License-Identifier: MIT */
/* The weight of a pair in all heads: a question, and once it was read the answer. */
#pragma once

#include "view/hl-view-state.h"

G_BEGIN_DECLS

#define HL_TYPE_PAIR_WEIGHTS (hl_pair_weights_get_type ())
G_DECLARE_FINAL_TYPE (HlPairWeights, hl_pair_weights, HL, PAIR_WEIGHTS, GObject)

HlPairWeights *hl_pair_weights_new              (HlViewState   *state);
gboolean       hl_pair_weights_is_same_question (HlPairWeights *self,
                                                 HlPairWeights *other);
gboolean       hl_pair_weights_read             (HlPairWeights *self,
                                                 GCancellable  *cancellable,
                                                 GError       **error);
guint          hl_pair_weights_get_n_layers     (HlPairWeights *self);
guint          hl_pair_weights_get_n_heads      (HlPairWeights *self,
                                                 guint          layer);
guint          hl_pair_weights_get_max_heads    (HlPairWeights *self);
float          hl_pair_weights_get              (HlPairWeights *self,
                                                 guint          layer,
                                                 guint          head);
gboolean       hl_pair_weights_is_signed        (HlPairWeights *self);
gboolean       hl_pair_weights_find_strongest   (HlPairWeights *self,
                                                 guint         *layer,
                                                 guint         *head);

G_END_DECLS
