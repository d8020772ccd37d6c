/* SPDX-License-Identifier: MIT */
/* How strong lines are among one another. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

float hl_line_strength_find_greatest  (const float        *weights,
                                       gsize               n);
void  hl_line_strength_keep_strongest (const float *const *maps,
                                       guint               n_maps,
                                       gsize               n,
                                       float *const       *kept);

G_END_DECLS
