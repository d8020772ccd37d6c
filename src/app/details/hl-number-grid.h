/* SPDX-License-Identifier: MIT */
/* The numbers of a head, each with its name. */
#pragma once

#include "app/details/hl-head-facts.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_NUMBER_GRID (hl_number_grid_get_type ())
G_DECLARE_FINAL_TYPE (HlNumberGrid, hl_number_grid, HL, NUMBER_GRID, GtkGrid)

void hl_number_grid_set_facts (HlNumberGrid *self,
                               HlHeadFacts  *facts);

G_END_DECLS
