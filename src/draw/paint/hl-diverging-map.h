/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/paint/hl-colour.h"

G_BEGIN_DECLS

guint32 hl_diverging_map_lookup (gboolean dark,
                                 double   t);
void    hl_diverging_map_fill_row (gboolean     dark,
                                   const float *positions,
                                   gsize        n,
                                   guint32     *pixels);
HlColour hl_diverging_map_get_end (gboolean dark,
                                   gboolean negative);

G_END_DECLS
