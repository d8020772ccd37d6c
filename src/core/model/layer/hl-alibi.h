/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

float *hl_alibi_new_slopes (guint  n_heads,
                            double max,
                            double factor);

G_END_DECLS
