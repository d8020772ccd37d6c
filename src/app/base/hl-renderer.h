/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean hl_renderer_has_graphics_card (const char *root);
void     hl_renderer_choose            (void);

G_END_DECLS
