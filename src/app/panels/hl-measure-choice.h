/* SPDX-License-Identifier: MIT */
/* A choice among numbers of heads, in groups. */
#pragma once

#include "core/analysis/hl-head-numbers.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void          hl_measure_choice_fill   (GtkDropDown  *choice,
                                        const char   *none,
                                        gboolean      compares);
void          hl_measure_choice_select (GtkDropDown  *choice,
                                        HlHeadMeasure measure);
HlHeadMeasure hl_measure_choice_get    (GtkDropDown  *choice);

G_END_DECLS
