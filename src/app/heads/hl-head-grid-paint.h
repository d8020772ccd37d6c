/* SPDX-License-Identifier: MIT */
/* How the cells of the picker look. */
#pragma once

#include "app/heads/hl-head-grid-layout.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

void hl_head_grid_paint (GtkWidget              *widget,
                         GtkSnapshot            *snapshot,
                         HlViewState            *state,
                         const HlHeadGridLayout *layout,
                         int                     hovered_layer,
                         int                     hovered_head);

G_END_DECLS
