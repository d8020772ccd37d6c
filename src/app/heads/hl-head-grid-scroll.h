/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void hl_head_grid_scroll_configure (GtkAdjustment *adjustment,
                                    double         content,
                                    double         page,
                                    double         step);
void hl_head_grid_scroll_reveal    (GtkAdjustment *adjustment,
                                    double         header,
                                    double         start,
                                    double         size);

G_END_DECLS
