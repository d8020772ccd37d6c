/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

float *hl_line_strength_make_relative (const float *weights,
                                       gsize        n_rows,
                                       gsize        n_columns);

float *hl_line_strength_make_scaled   (const float *weights,
                                       gsize        n,
                                       float        greatest);
float  hl_line_strength_find_greatest (const float *weights,
                                       gsize        n);

G_END_DECLS
