/* SPDX-License-Identifier: MIT */
/* What numbers of heads are called beside maps of these. */
#pragma once

#include "core/analysis/hl-head-numbers.h"
#include "view/shown/hl-shown.h"

G_BEGIN_DECLS

gboolean hl_number_text_is_of_maps    (HlHeadMeasure  measure);
gboolean hl_number_text_is_share      (const HlShown *shown,
                                       HlHeadMeasure  measure);
gboolean hl_number_text_is_of_weights (const HlShown *shown,
                                       HlHeadMeasure  measure);
char    *hl_number_text_new           (const HlShown *shown,
                                       HlHeadMeasure  measure,
                                       const char    *label);

G_END_DECLS
