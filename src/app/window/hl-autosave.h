/* SPDX-License-Identifier: MIT */
/* What is open is kept as it changes, and is offered by the next program if this one does not end by itself. */
#pragma once

#include "app/window/hl-window.h"

G_BEGIN_DECLS

void hl_autosave_start   (void);
void hl_autosave_follow  (HlWindow *window);
void hl_autosave_restore (HlWindow *window);
void hl_autosave_drop    (void);
void hl_autosave_end     (void);

G_END_DECLS
