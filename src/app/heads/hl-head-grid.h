/* SPDX-License-Identifier: MIT */
/* The cells of the picker: a row per layer, a column per head, drawn as one widget. */
#pragma once

#include "view/hl-view-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HL_TYPE_HEAD_GRID (hl_head_grid_get_type ())
G_DECLARE_FINAL_TYPE (HlHeadGrid, hl_head_grid, HL, HEAD_GRID, GtkWidget)

HlViewState *hl_head_grid_get_view_state (HlHeadGrid      *self);
void         hl_head_grid_set_view_state (HlHeadGrid      *self,
                                          HlViewState     *state);
gboolean     hl_head_grid_find_cell      (HlHeadGrid      *self,
                                          double           x,
                                          double           y,
                                          guint           *layer,
                                          guint           *head);
gboolean     hl_head_grid_get_cell_area  (HlHeadGrid      *self,
                                          guint            layer,
                                          guint            head,
                                          graphene_rect_t *area);
void         hl_head_grid_move           (HlViewState     *state,
                                          int              layers,
                                          int              heads);

char        *hl_head_grid_dup_legend     (HlHeadGrid      *self,
                                          char           **least,
                                          char           **greatest);
gboolean     hl_head_grid_has_pictures   (HlHeadGrid      *self);
gboolean     hl_head_grid_get_is_small   (HlHeadGrid      *self);
GdkTexture  *hl_head_grid_make_ramp      (HlHeadGrid      *self,
                                          guint            n,
                                          guint            height);
char        *hl_head_grid_dup_part       (HlHeadGrid      *self);

G_END_DECLS
