/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint32 hl_diverging_map_lookup (gboolean dark,
                                 double   t);

G_END_DECLS
