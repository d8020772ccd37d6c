/* SPDX-License-Identifier: MIT */
/* What scenes write alike: lines of text on a ground. */
#pragma once

#include "draw/scene/hl-scene.h"

G_BEGIN_DECLS

double hl_scene_measure_text     (HlScene           *self,
                                  const char        *text,
                                  const HlTextStyle *style);
void   hl_scene_write            (HlScene           *self,
                                  cairo_t           *cr,
                                  const char        *text,
                                  const HlTextStyle *style,
                                  const HlColour    *colour,
                                  double             x,
                                  double             y,
                                  double             align);
void   hl_scene_write_upwards    (HlScene           *self,
                                  cairo_t           *cr,
                                  const char        *text,
                                  const HlTextStyle *style,
                                  const HlColour    *colour,
                                  double             x,
                                  double             y,
                                  double             align);
void   hl_scene_paint_background (HlScene           *self,
                                  cairo_t           *cr);

G_END_DECLS
