/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/experiment/hl-ablation.h"
#include "core/experiment/hl-attribution.h"

G_BEGIN_DECLS

/* Of the name of a token in a sentence. */
#define HL_EXPERIMENT_MAX_LETTERS 60

char *hl_probability_format       (double                   probability);
char *hl_ablation_describe_intact (HlAblation              *ablation);
char *hl_ablation_describe        (HlAblation              *ablation,
                                   const HlHeadEdit        *edits,
                                   gsize                    n_edits,
                                   const HlAblationEffect  *effect);
char *hl_attribution_describe     (const HlAttribution     *attribution,
                                   HlModel                 *model);
char *hl_attribution_name_item    (const HlAttributionItem *item);
char *hl_attribution_explain      (const HlAttribution     *attribution);

G_END_DECLS
