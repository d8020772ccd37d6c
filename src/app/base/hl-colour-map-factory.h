/* SPDX-License-Identifier: MIT */
/* Rows of a list of colour maps: a swatch and the name. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkListItemFactory *hl_colour_map_factory_new (gboolean dark);

G_END_DECLS
