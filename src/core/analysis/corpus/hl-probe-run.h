/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/corpus/hl-corpus-numbers.h"
#include "core/analysis/corpus/hl-probe.h"

G_BEGIN_DECLS

/**
 * HL_PROBE_NUMBERS:
 *
 * The numbers of heads that annotated sentences tell, a #HlHeadNumberSet.
 */
#define HL_PROBE_NUMBERS (HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_DEPENDENCY) | HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_COREFERENCE))

/**
 * HlProbeFunc:
 * @so_far: (transfer full): counts of the texts that are done
 * @data: what was given along
 *
 * Told now and then, and once more where it ends too soon, in one thread or another, and of one after the other.
 */
typedef void (*HlProbeFunc) (HlProbe *so_far, gpointer data);

HlProbe *hl_probe_run_model (HlModel *model,
                             const HlConllu *sentences,
                             HlProgress *progress,
                             HlCorpusDerive derive,
                             HlProbeFunc func,
                             gpointer data,
                             GCancellable *cancellable,
                             GError **error);
HlProbe *hl_probe_run_document (HlDocument *document,
                                const guint *examples,
                                guint n,
                                const HlConllu *sentences,
                                HlProgress *progress,
                                HlCorpusDerive derive,
                                HlProbeFunc func,
                                gpointer data,
                                GCancellable *cancellable,
                                GError **error);
HlHeadNumbers *hl_probe_give (const HlProbe *probe, guint relation, HlAttention *attention, HlHeadNumbers *numbers);

G_END_DECLS
