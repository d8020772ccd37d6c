/* SPDX-License-Identifier: MIT */
/* The picker of layers and heads in the sidebar. */
#pragma once

#include "view/hl-view-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_HEAD_PICKER (hl_head_picker_get_type ())
G_DECLARE_FINAL_TYPE (HlHeadPicker, hl_head_picker, HL, HEAD_PICKER, GtkWidget)

void hl_head_picker_set_view_state (HlHeadPicker *self,
                                    HlViewState  *state);

G_END_DECLS
