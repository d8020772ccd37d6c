/* SPDX-License-Identifier: MIT */
/* What stands at the top of a window: its title, its buttons and menus and, where there is room, the views. */
#pragma once

#include "app/widgets/hl-adaptive.h"
#include "view/hl-view-state.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define HL_TYPE_HEADER (hl_header_get_type ())
G_DECLARE_FINAL_TYPE (HlHeader, hl_header, HL, HEADER, AdwBin)

void hl_header_set_adaptive     (HlHeader    *self,
                                 HlAdaptive  *adaptive);
void hl_header_set_titles       (HlHeader    *self,
                                 const char  *title,
                                 const char  *subtitle);
void hl_header_set_has_document (HlHeader    *self,
                                 gboolean     has_document);
void hl_header_set_view_state   (HlHeader    *self,
                                 HlViewState *state);

G_END_DECLS
