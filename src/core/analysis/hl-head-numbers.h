/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/hl-head-changes.h"
#include "core/analysis/hl-head-distances.h"
#include "core/analysis/hl-head-stats.h"
#include "core/analysis/hl-pair-ranking.h"
#include "core/analysis/number/hl-head-spread.h"

G_BEGIN_DECLS

#define HL_HEAD_NUMBER_MEASURE(NAME, id) HL_HEAD_MEASURE_##NAME,

/**
 * HlHeadMeasure:
 * @HL_HEAD_MEASURE_NONE: none
 * @HL_HEAD_MEASURE_PAIR: the weight between given words
 * @HL_HEAD_MEASURE_CHANGE: how far it is from the head it is compared with: #HlHeadChange, its divergence
 * @HL_N_HEAD_MEASURES: how many there are
 *
 * By which number heads are sorted or coloured. From %HL_HEAD_MEASURE_STATS on they are those of #HlHeadStat.
 */
typedef enum {
  HL_HEAD_MEASURE_NONE,
  HL_HEAD_NUMBERS (HL_HEAD_NUMBER_MEASURE)
  HL_HEAD_MEASURE_PAIR,
  HL_HEAD_MEASURE_CHANGE,
  HL_N_HEAD_MEASURES,
} HlHeadMeasure;

/**
 * HL_HEAD_MEASURE_STATS:
 *
 * The measure that is the first of #HlHeadStat; the others follow.
 */
#define HL_HEAD_MEASURE_STATS (HL_HEAD_MEASURE_NONE + 1)

#define HL_TYPE_HEAD_MEASURE (hl_head_measure_get_type ())
GType       hl_head_measure_get_type  (void);
const char *hl_head_measure_get_label (HlHeadMeasure measure);
gboolean    hl_head_measure_is_stat   (HlHeadMeasure measure);
HlHeadNumberSet hl_head_measure_get_set (HlHeadMeasure measure);

/**
 * HlHeadNumbers:
 *
 * What is known of the heads of an attention: their statistics, perhaps not yet of all, how they link pairs of words, and how far they are from others.
 * Immutable: what becomes known makes a new one.
 */
typedef struct _HlHeadNumbers HlHeadNumbers;

HlHeadNumbers     *hl_head_numbers_new          (HlAttention         *attention,
                                                 gsize                first_query,
                                                 gsize                n_queries);
HlHeadNumbers     *hl_head_numbers_add_stats    (HlHeadNumbers       *self,
                                                 guint                first,
                                                 guint                n,
                                                 HlHeadNumberSet      set,
                                                 const HlHeadStats   *stats);
HlHeadNumbers     *hl_head_numbers_give         (HlHeadNumbers       *self,
                                                 HlHeadStat           stat,
                                                 const double        *values);
HlHeadNumbers     *hl_head_numbers_set_texts    (HlHeadNumbers       *self,
                                                 guint                n_texts,
                                                 const HlHeadSpread  *spreads,
                                                 const HlHeadStats   *values);
guint              hl_head_numbers_get_n_texts  (const HlHeadNumbers *self);
char              *hl_head_numbers_dup_label    (const HlHeadNumbers *self,
                                                 HlHeadMeasure        measure);
const HlHeadSpread *hl_head_numbers_get_spread  (const HlHeadNumbers *self,
                                                 HlHeadMeasure        measure,
                                                 guint                index);
HlHeadNumbers     *hl_head_numbers_give_annotated (HlHeadNumbers    *self,
                                                 HlHeadStat           stat,
                                                 guint                n_texts,
                                                 const double        *values);
HlHeadNumbers     *hl_head_numbers_name_relation (HlHeadNumbers      *self,
                                                 const char          *relation);
HlHeadNumbers     *hl_head_numbers_give_shares  (HlHeadNumbers       *self,
                                                 HlHeadStat           stat,
                                                 const double        *shares);
double             hl_head_numbers_get_share    (const HlHeadNumbers *self,
                                                 HlHeadStat           stat,
                                                 guint                index,
                                                 guint                word);
HlHeadNumbers     *hl_head_numbers_give_distances (HlHeadNumbers    *self,
                                                 HlHeadDistances     *distances);
HlHeadDistances   *hl_head_numbers_get_distances (const HlHeadNumbers *self);
HlHeadNumbers     *hl_head_numbers_forget_maps  (HlHeadNumbers       *self);
HlHeadNumbers     *hl_head_numbers_set_ranking  (HlHeadNumbers       *self,
                                                 HlPairRanking       *ranking);
HlHeadNumbers     *hl_head_numbers_set_changes  (HlHeadNumbers       *self,
                                                 HlComparison        *compared,
                                                 const GArray        *changes);
HlHeadNumbers     *hl_head_numbers_ref          (HlHeadNumbers       *self);
void               hl_head_numbers_unref        (HlHeadNumbers       *self);
gboolean           hl_head_numbers_is_of        (const HlHeadNumbers *self,
                                                 HlAttention         *attention,
                                                 gsize                first_query,
                                                 gsize                n_queries);
HlAttention       *hl_head_numbers_get_attention (const HlHeadNumbers *self);
guint              hl_head_numbers_get_n        (const HlHeadNumbers *self);
guint              hl_head_numbers_get_n_known  (const HlHeadNumbers *self,
                                                 HlHeadNumberSet      set);
HlHeadNumberSet    hl_head_numbers_find_next    (const HlHeadNumbers *self,
                                                 HlHeadNumberSet      wanted,
                                                 guint               *first,
                                                 guint               *n);
guint              hl_head_numbers_get_layer    (const HlHeadNumbers *self,
                                                 guint                index);
guint              hl_head_numbers_get_head     (const HlHeadNumbers *self,
                                                 guint                index);
guint              hl_head_numbers_get_index    (const HlHeadNumbers *self,
                                                 guint                layer,
                                                 guint                head);
HlHeadNumberSet    hl_head_numbers_get_set      (const HlHeadNumbers *self,
                                                 guint                index);
gsize              hl_head_numbers_get_n_unknown (const HlHeadNumbers *self,
                                                 guint                index);
HlPairRanking     *hl_head_numbers_get_ranking  (const HlHeadNumbers *self);
HlComparison      *hl_head_numbers_get_compared (const HlHeadNumbers *self);
gboolean           hl_head_numbers_complete     (HlHeadNumbers      **self,
                                                 const HlHeadNumberRequest *request,
                                                 HlHeadNumberSet      wanted,
                                                 HlProgress          *progress,
                                                 GCancellable        *cancellable,
                                                 GError             **error);
gboolean           hl_head_numbers_knows        (const HlHeadNumbers *self,
                                                 HlHeadMeasure        measure);
double             hl_head_numbers_get          (const HlHeadNumbers *self,
                                                 HlHeadMeasure        measure,
                                                 guint                index);
guint             *hl_head_numbers_sort         (const HlHeadNumbers *self,
                                                 HlHeadMeasure        measure);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlHeadNumbers, hl_head_numbers_unref)

G_END_DECLS
