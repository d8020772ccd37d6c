/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/document/attention/hl-attention.h"
#include "core/document/tokens/hl-annotation.h"
#include "core/source/hl-attention-source.h"

G_BEGIN_DECLS

/**
 * HlProbeSide:
 * @HL_PROBE_DEPENDENT: the dependent attends: of all words, it attends most to its head
 * @HL_PROBE_HEAD: the head attends: of all words, it is the head that attends most to the dependent
 *
 * Who attends, where an attention head is held against dependencies.
 */
typedef enum
{
  HL_PROBE_DEPENDENT,
  HL_PROBE_HEAD,
} HlProbeSide;

/**
 * HL_N_PROBE_SIDES:
 *
 * How many there are.
 */
#define HL_N_PROBE_SIDES (HL_PROBE_HEAD + 1)

/**
 * HlProbeTasks:
 * @HL_PROBE_DEPENDENCIES: which word depends on which
 * @HL_PROBE_COREFERENCE: which mentions name the same
 *
 * What a text is held against.
 */
typedef enum
{
  HL_PROBE_DEPENDENCIES = 1 << 0,
  HL_PROBE_COREFERENCE = 1 << 1,
} HlProbeTasks;

/**
 * HL_PROBE_ALL:
 *
 * The row of #HlProbe that is of all relations together.
 */
#define HL_PROBE_ALL 0

/**
 * HlProbe:
 *
 * How often attention heads find the head of a word, and an antecedent of a mention, counted over texts (Clark et al. 2019, sections 4.2 and 4.3).
 * Counts are whole numbers: neither the order of texts nor threads show in them.
 */
typedef struct _HlProbe HlProbe;

HlProbe *hl_probe_new (void);
void hl_probe_free (HlProbe *self);
void hl_probe_set_kind (HlProbe *self, HlAttentionKind kind);
gboolean hl_probe_is_of (const HlProbe *self, HlAttention *attention);
gboolean hl_probe_add (HlProbe *self,
                       HlAttentionSource *source,
                       const HlAnnotation *annotation,
                       const HlTokenSpan *runs,
                       HlProbeTasks tasks,
                       GCancellable *cancellable,
                       GError **error);
gboolean hl_probe_merge (HlProbe *self, const HlProbe *other, GError **error);
HlProbe *hl_probe_copy (const HlProbe *self);
gsize hl_probe_get_size (const HlProbe *self);
guint hl_probe_get_n_texts (const HlProbe *self);
guint hl_probe_get_n_texts_of (const HlProbe *self, HlProbeTasks task);
guint hl_probe_get_n_layers (const HlProbe *self);
guint hl_probe_get_n_heads (const HlProbe *self, guint layer);
guint hl_probe_get_n_relations (const HlProbe *self);
const char *hl_probe_get_relation (const HlProbe *self, guint relation);
gboolean hl_probe_find_relation (const HlProbe *self, const char *name, guint *relation);
guint64 hl_probe_get_n (const HlProbe *self, guint relation);
guint64 hl_probe_get_n_left_out (const HlProbe *self);
double hl_probe_get_accuracy (const HlProbe *self, guint relation, HlProbeSide side, guint head);
double hl_probe_get_better (const HlProbe *self, guint relation, guint head);
gboolean hl_probe_find_best (const HlProbe *self, guint relation, HlProbeSide *side, guint *head);
double hl_probe_get_baseline (const HlProbe *self, guint relation, int *offset);
guint64 hl_probe_get_n_mentions (const HlProbe *self);
double hl_probe_get_coreference (const HlProbe *self, guint head);
gboolean hl_probe_find_best_coreference (const HlProbe *self, guint *head);
double hl_probe_get_nearest (const HlProbe *self);
double hl_probe_get_same_word (const HlProbe *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlProbe, hl_probe_free)

G_END_DECLS
