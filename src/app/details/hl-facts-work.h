/* SPDX-License-Identifier: MIT */
/* Has what there is to tell of a head read by workers: one head after another, the newest alone. */
#pragma once

#include "app/details/hl-head-facts.h"

G_BEGIN_DECLS

#define HL_TYPE_FACTS_WORK (hl_facts_work_get_type ())
G_DECLARE_FINAL_TYPE (HlFactsWork, hl_facts_work, HL, FACTS_WORK, GObject)

HlFactsWork *hl_facts_work_new         (void);
void         hl_facts_work_ask         (HlFactsWork *self,
                                        HlHeadFacts *facts);
gboolean     hl_facts_work_goes_on     (HlFactsWork *self,
                                        HlHeadFacts *question);
void         hl_facts_work_stop        (HlFactsWork *self);
HlHeadFacts *hl_facts_work_get_awaited (HlFactsWork *self);

G_END_DECLS
