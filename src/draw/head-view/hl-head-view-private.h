/* SPDX-License-Identifier: MIT */
/* What the parts of a head view share: its object. */
#pragma once

#include "draw/head-view/hl-head-view-layout.h"
#include "draw/head-view/hl-head-view-picture.h"
#include "draw/head-view/hl-head-view-scene.h"
#include "draw/paint/hl-theme.h"
#include "draw/scene/hl-label-room.h"

G_BEGIN_DECLS

struct _HlHeadViewScene
{
  HlScene parent_instance;

  HlLabelRoom room;

  HlHeadViewRaster *raster;
};

HlHeadViewLayout      hl_head_view_scene_get_layout (HlHeadViewScene *self);
const HlHeadViewData *hl_head_view_scene_get_data   (HlHeadViewScene *self);

double hl_head_view_scene_measure_titles (HlHeadViewScene *self);
void hl_head_view_scene_draw_text    (HlHeadViewScene        *self,
                                      cairo_t                *cr,
                                      const HlHeadViewLayout *layout,
                                      const char             *text,
                                      const HlTextStyle      *style,
                                      const HlColour         *colour,
                                      double                  x,
                                      double                  y,
                                      double                  align);
void hl_head_view_scene_draw_label   (HlHeadViewScene        *self,
                                      cairo_t                *cr,
                                      const HlHeadViewLayout *layout,
                                      HlPickKind              side,
                                      gsize                   row);
void hl_head_view_scene_draw_swatch  (HlHeadViewScene        *self,
                                      cairo_t                *cr,
                                      const HlHeadViewLayout *layout,
                                      guint                   head);
gboolean *hl_head_view_scene_make_covered (HlHeadViewScene   *self,
                                           const HlHeadViewLayout *layout,
                                           HlPickKind              side);
void hl_head_view_scene_draw_backdrop (HlScene *scene,
                                       cairo_t *cr);
void hl_head_view_scene_draw_overlay  (HlScene *scene,
                                       cairo_t *cr);

G_END_DECLS
