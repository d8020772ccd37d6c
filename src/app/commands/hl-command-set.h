/* SPDX-License-Identifier: MIT */
/* What the table of commands makes: keys, the actions of a window, and the window of shortcuts. */
#pragma once

#include "app/window/hl-window.h"

G_BEGIN_DECLS

void hl_command_set_install_keys (GtkApplication *application);
void hl_command_set_attach       (HlWindow       *window);

G_END_DECLS
