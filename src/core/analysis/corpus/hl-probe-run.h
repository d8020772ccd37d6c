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
#define HL_PROBE_NUMBERS \
  (HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_DEPENDENCY) | HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_COREFERENCE))

HlProbe *hl_probe_run_model    (HlModel         *model,
                                const HlConllu  *sentences,
                                HlProgress      *progress,
                                HlCorpusDerive   derive,
                                gpointer         data,
                                GCancellable    *cancellable,
                                GError         **error);
HlProbe *hl_probe_run_document (HlDocument      *document,
                                const HlConllu  *sentences,
                                HlProgress      *progress,
                                HlCorpusDerive   derive,
                                gpointer         data,
                                GCancellable    *cancellable,
                                GError         **error);
HlHeadNumbers *hl_probe_give   (const HlProbe   *probe,
                                guint            relation,
                                HlHeadNumbers   *numbers);

G_END_DECLS
