/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/analysis/corpus/hl-conllu.h"
#include "core/analysis/corpus/hl-probe.h"
#include "core/analysis/hl-head-numbers.h"
#include "core/base/hl-progress.h"
#include "core/document/hl-document.h"
#include "core/model/hl-model.h"

G_BEGIN_DECLS

/**
 * HL_PROBE_NUMBERS:
 *
 * The numbers of heads that annotated sentences tell, a #HlHeadNumberSet.
 */
#define HL_PROBE_NUMBERS \
  (HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_DEPENDENCY) | HL_HEAD_NUMBER_BIT (HL_HEAD_STAT_COREFERENCE))

/**
 * HlProbeFunc:
 * @so_far: counts of the texts that are done, to be freed
 * @data: what was given along
 *
 * Told now and then, on the thread that waits for the result.
 */
typedef void (*HlProbeFunc) (HlProbe  *so_far,
                             gpointer  data);

HlProbe *hl_probe_run_model    (HlModel         *model,
                                const HlConllu  *sentences,
                                HlProgress      *progress,
                                HlProbeFunc      func,
                                gpointer         data,
                                GCancellable    *cancellable,
                                GError         **error);
HlProbe *hl_probe_run_document (HlDocument      *document,
                                const HlConllu  *sentences,
                                HlProgress      *progress,
                                HlProbeFunc      func,
                                gpointer         data,
                                GCancellable    *cancellable,
                                GError         **error);
HlHeadNumbers *hl_probe_give   (const HlProbe   *probe,
                                guint            relation,
                                HlHeadNumbers   *numbers);

G_END_DECLS
