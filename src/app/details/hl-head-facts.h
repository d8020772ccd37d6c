/* SPDX-License-Identifier: MIT */
/* What there is to tell of a map that is shown: a question, and once it was read the answer. */
#pragma once

#include "draw/model-view/hl-thumbnail.h"
#include "view/hl-view-state.h"

G_BEGIN_DECLS

/* How many of its pairs are told, and of the heads that are like it. */
#define HL_HEAD_FACTS_PAIRS 8
#define HL_HEAD_FACTS_ALIKE 5

/**
 * HlStrongPair:
 * @query: index in the attention that is shown
 * @key: likewise
 * @weight: not a NaN; below zero where numbers have a sign
 *
 * A cell that is stronger than most.
 */
typedef struct
{
  gsize query;
  gsize key;
  float weight;
} HlStrongPair;

/**
 * HlAlikeHead:
 * @layer: its layer
 * @head: which head of it
 * @likeness: 1 minus the Jensen–Shannon divergence of their rows, 0 to 1: 1 is the same
 *
 * A head and how like it another is.
 */
typedef struct
{
  guint layer;
  guint head;
  double likeness;
} HlAlikeHead;

#define HL_TYPE_HEAD_FACTS (hl_head_facts_get_type ())
G_DECLARE_FINAL_TYPE (HlHeadFacts, hl_head_facts, HL, HEAD_FACTS, GObject)

HlHeadFacts        *hl_head_facts_new              (HlViewState            *state,
                                                    guint                   layer,
                                                    guint                   head,
                                                    const HlThumbnailStyle *style);
gboolean            hl_head_facts_is_same_question (HlHeadFacts            *self,
                                                    HlHeadFacts            *other);
gboolean            hl_head_facts_read             (HlHeadFacts            *self,
                                                    GCancellable           *cancellable,
                                                    GError                **error);
gboolean            hl_head_facts_read_alike       (HlHeadFacts            *self,
                                                    GCancellable           *cancellable,
                                                    GError                **error);

const HlShown      *hl_head_facts_get_shown        (HlHeadFacts            *self);
guint               hl_head_facts_get_layer        (HlHeadFacts            *self);
guint               hl_head_facts_get_head         (HlHeadFacts            *self);
gboolean            hl_head_facts_is_of_model      (HlHeadFacts            *self);
HlHeadNumberSet     hl_head_facts_get_told         (HlHeadFacts            *self);
const HlThumbnail  *hl_head_facts_get_picture      (HlHeadFacts            *self);
float               hl_head_facts_get_max          (HlHeadFacts            *self);
double              hl_head_facts_get_number       (HlHeadFacts            *self,
                                                    HlHeadStat              stat);
const HlStrongPair *hl_head_facts_get_pairs        (HlHeadFacts            *self,
                                                    guint                  *n);
const HlAlikeHead  *hl_head_facts_get_alike        (HlHeadFacts            *self,
                                                    guint                  *n,
                                                    gsize                  *n_compared);

G_END_DECLS
