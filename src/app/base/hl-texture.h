/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GdkTexture *hl_texture_new_for_surface (cairo_surface_t *surface);

G_END_DECLS
