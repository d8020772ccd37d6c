/* SPDX-License-Identifier: MIT */
/* What the files of HlHeadGrid share. */
#pragma once

#include "app/heads/hl-head-grid-layout.h"
#include "app/heads/hl-head-grid.h"

G_BEGIN_DECLS

struct _HlHeadGrid
{
  GtkWidget parent_instance;

  HlViewState *state;
  gulong notify_id;
  GtkAdjustment *adjustments[2];
  GtkScrollablePolicy policies[2];
  HlHeadGridLayout layout;
  int hovered_layer;
  int hovered_head;
};

void     hl_head_grid_init_pointer  (HlHeadGrid *self);
void     hl_head_grid_set_hovered   (HlHeadGrid *self,
                                     int         layer,
                                     int         head);
gboolean hl_head_grid_query_tooltip (GtkWidget  *widget,
                                     int         x,
                                     int         y,
                                     gboolean    keyboard,
                                     GtkTooltip *tooltip);

G_END_DECLS
