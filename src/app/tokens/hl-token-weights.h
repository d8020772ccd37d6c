/* SPDX-License-Identifier: MIT */
/* What one token attends to, or what attends to it: a question, and once it was read the answer. */
#pragma once

#include "core/base/hl-side.h"
#include "view/pick/hl-focus.h"
#include "view/hl-view-state.h"

G_BEGIN_DECLS

/**
 * HlTokenWeight:
 * @index: the listed token's index in the attention
 * @mean: its weight, the mean of the heads; may be NaN
 * @is_masked: whether the query cannot see the key
 * @is_filtered: whether the filters keep it out of the picture, in every head
 * @sides: while two sides are compared, the weight on each; NaN where a side does not have it, or where it is masked
 *
 * One listed token. Side by side, @mean is the larger of @sides; in a difference it is that.
 */
typedef struct
{
  gsize index;
  float mean;
  gboolean is_masked;
  gboolean is_filtered;
  float sides[2];
} HlTokenWeight;

/* Up to so many heads the weight of each head is kept besides the mean. */
#define HL_TOKEN_WEIGHTS_MAX_PARTS 16

#define HL_TYPE_TOKEN_WEIGHTS (hl_token_weights_get_type ())
G_DECLARE_FINAL_TYPE (HlTokenWeights, hl_token_weights, HL, TOKEN_WEIGHTS, GObject)

HlTokenWeights      *hl_token_weights_new              (HlViewState         *state);
gboolean             hl_token_weights_is_same_question (HlTokenWeights      *self,
                                                        HlTokenWeights      *other);
gboolean             hl_token_weights_read             (HlTokenWeights      *self,
                                                        GCancellable        *cancellable,
                                                        GError             **error);

HlAttention         *hl_token_weights_get_attention    (HlTokenWeights      *self);
HlSide               hl_token_weights_get_side         (HlTokenWeights      *self);
gsize                hl_token_weights_get_subject      (HlTokenWeights      *self);
char                *hl_token_weights_describe_gathered (HlTokenWeights     *self);
guint                hl_token_weights_get_n_heads      (HlTokenWeights      *self);
const HlShownHead   *hl_token_weights_get_head         (HlTokenWeights      *self,
                                                        guint                nth);
const char          *hl_token_weights_get_head_name    (HlTokenWeights      *self);
gboolean             hl_token_weights_is_in_layer      (HlTokenWeights      *self,
                                                        guint               *layer);
gboolean             hl_token_weights_is_signed        (HlTokenWeights      *self);
gboolean             hl_token_weights_lists_keys       (HlTokenWeights      *self);
guint                hl_token_weights_get_n_rows       (HlTokenWeights      *self);
const HlTokenWeight *hl_token_weights_get_row          (HlTokenWeights      *self,
                                                        guint                position);
guint                hl_token_weights_get_nth_in_text  (HlTokenWeights      *self,
                                                        guint                nth);
const float         *hl_token_weights_get_parts        (HlTokenWeights      *self,
                                                        guint                position);
gboolean             hl_token_weights_find             (HlTokenWeights      *self,
                                                        gsize                index,
                                                        guint               *position);
double               hl_token_weights_get_sum          (HlTokenWeights      *self);
double               hl_token_weights_get_whole        (HlTokenWeights      *self);

gsize                hl_token_weights_get_sentence_b   (HlTokenWeights      *self);
gboolean             hl_token_weights_has_sides        (HlTokenWeights      *self);
gboolean             hl_token_weights_is_difference    (HlTokenWeights      *self);
HlTokenWeights      *hl_token_weights_get_answer       (HlTokenWeights      *self,
                                                        guint                which);
double               hl_token_weights_get_side_whole   (HlTokenWeights      *self);
gboolean             hl_token_weights_to_common        (HlTokenWeights      *self,
                                                        HlSide               side,
                                                        gsize                index,
                                                        gsize               *common);
gboolean             hl_token_weights_to_side          (HlTokenWeights      *self,
                                                        guint                which,
                                                        gsize                index,
                                                        gsize               *own);
gboolean             hl_token_weights_find_marked      (HlTokenWeights      *self,
                                                        const HlPick        *pick,
                                                        gsize               *marked);
gboolean             hl_token_weights_get_pair         (HlTokenWeights      *self,
                                                        const HlTokenWeight *row,
                                                        HlPick              *pair);

G_END_DECLS
