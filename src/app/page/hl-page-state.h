/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/session/hl-session.h"

#include <gio/gio.h>

G_BEGIN_DECLS

void hl_page_state_set_up  (HlSession   *session,
                            HlViewState *before,
                            GSettings   *settings,
                            gboolean     is_saved);
void hl_page_state_release (HlViewState *state,
                            GSettings   *settings);

G_END_DECLS
