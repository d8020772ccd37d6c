/* SPDX-License-Identifier: MIT */
/* What is dropped on a window: files are opened, and an image is seen by the side that it falls on. */
#pragma once

#include "app/window/hl-window.h"

G_BEGIN_DECLS

void hl_window_drop_init (HlWindow *window);

G_END_DECLS
