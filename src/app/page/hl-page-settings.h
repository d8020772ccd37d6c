/* SPDX-License-Identifier: MIT */
/* How files are looked at that are opened next. */
#pragma once

#include "view/hl-view-state.h"

#include <gio/gio.h>

G_BEGIN_DECLS

void hl_page_settings_set_up  (HlViewState *state,
                               HlViewState *before,
                               GSettings   *settings,
                               gboolean     is_saved,
                               gboolean     is_of_session_file);
void hl_page_settings_release (HlViewState *state,
                               GSettings   *settings);

G_END_DECLS
