/* SPDX-License-Identifier: MIT */
/* The lines of a head view that are in focus: those of a token, of several, or the one between two. */
#pragma once

#include "draw/head-view/hl-head-view-data.h"
#include "draw/head-view/hl-head-view-layout.h"
#include "draw/paint/hl-cairo.h"

G_BEGIN_DECLS

float    hl_head_view_find_strongest (const HlHeadViewData   *data,
                                      const HlFocus          *focus);
void     hl_head_view_draw_focus     (const HlHeadViewData   *data,
                                      const HlHeadViewLayout *layout,
                                      const HlFocus          *focus,
                                      guint                   head,
                                      double                  scale,
                                      gboolean                dark,
                                      gboolean                as_strokes,
                                      cairo_t                *cr);
gboolean hl_head_view_pick_line      (const HlHeadViewData   *data,
                                      const HlHeadViewLayout *layout,
                                      const HlFocus          *focus,
                                      double                  x,
                                      double                  y,
                                      HlPick                 *pick);

G_END_DECLS
