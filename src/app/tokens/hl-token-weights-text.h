/* SPDX-License-Identifier: MIT */
/* What people are told of the weights of a token: names, numbers, and all of it as a table. Translated. */
#pragma once

#include "app/tokens/hl-token-weights.h"

G_BEGIN_DECLS

const char *hl_token_weights_get_token            (HlTokenWeights      *self,
                                                   gsize                index);
const char *hl_token_weights_get_text             (HlTokenWeights      *self,
                                                   gsize                index);
char       *hl_token_weights_dup_spelling         (HlTokenWeights      *self,
                                                   gsize                index);
const char *hl_token_weights_get_subject_text     (HlTokenWeights      *self);
char       *hl_token_weights_dup_subject_spelling (HlTokenWeights      *self);
gsize       hl_token_weights_get_subject_position (HlTokenWeights      *self);
gsize       hl_token_weights_get_position         (HlTokenWeights      *self,
                                                   gsize                index);
char       *hl_token_weights_dup_place            (HlTokenWeights      *self,
                                                   gsize                index);
gboolean    hl_token_weights_is_of_sink           (HlTokenWeights      *self);

char       *hl_token_weights_describe_heads       (HlTokenWeights      *self);
char       *hl_token_weights_describe_sum         (HlTokenWeights      *self);
char       *hl_token_weights_describe_row         (HlTokenWeights      *self,
                                                   const HlTokenWeight *row);
char       *hl_token_weights_describe_side        (const HlTokenWeight *row,
                                                   guint                which);
char       *hl_token_weights_to_text              (HlTokenWeights      *self);

G_END_DECLS
