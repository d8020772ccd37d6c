/* SPDX-License-Identifier: MIT */
/* The heads of a comparison, those that changed most first. Computed when it is looked at. */
#pragma once


#include "view/hl-sides.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_CHANGE_LIST (hl_change_list_get_type ())
G_DECLARE_FINAL_TYPE (HlChangeList, hl_change_list, HL, CHANGE_LIST, AdwBin)

void hl_change_list_set_sides (HlChangeList *self,
                               HlSides      *sides);

G_END_DECLS
