/* SPDX-License-Identifier: MIT */
/* The words of a head view: labels of tokens, titles of columns, letters of sentences. */
#pragma once

#include "draw/head-view/hl-head-view-layout.h"
#include "draw/paint/hl-cairo.h"
#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

double hl_head_view_measure_titles  (HlScene                *scene,
                                     const HlShown          *shown);
void   hl_head_view_draw_text       (HlScene                *scene,
                                     cairo_t                *cr,
                                     const HlHeadViewLayout *layout,
                                     const char             *text,
                                     const HlTextStyle      *style,
                                     const HlColour         *colour,
                                     double                  x,
                                     double                  y,
                                     double                  align);
void   hl_head_view_draw_label      (HlScene                *scene,
                                     const HlSceneFrame     *frame,
                                     cairo_t                *cr,
                                     HlSide                  side,
                                     gsize                   row);
void   hl_head_view_draw_titles     (HlScene                *scene,
                                     const HlSceneFrame     *frame,
                                     cairo_t                *cr);
void   hl_head_view_draw_scale      (HlScene                *scene,
                                     const HlSceneFrame     *frame,
                                     cairo_t                *cr,
                                     double                  strongest);
void   hl_head_view_draw_sentences  (HlScene                *scene,
                                     const HlSceneFrame     *frame,
                                     cairo_t                *cr);

G_END_DECLS
