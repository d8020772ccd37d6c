/* SPDX-License-Identifier: MIT */
#pragma once

#include "view/hl-view-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_NUMBER_CHOOSER (hl_number_chooser_get_type ())
G_DECLARE_FINAL_TYPE (HlNumberChooser, hl_number_chooser, HL, NUMBER_CHOOSER, GtkWidget)

HlHeadNumberSet hl_number_chooser_get_chosen     (void);
void            hl_number_chooser_set_view_state (HlNumberChooser *self,
                                                  HlViewState     *state);

G_END_DECLS
