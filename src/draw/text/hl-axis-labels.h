/* SPDX-License-Identifier: MIT */
#pragma once

#include "draw/text/hl-scene-text.h"

G_BEGIN_DECLS

gsize  hl_axis_labels_get_stride (double             step,
                                  double             spacing);
double hl_axis_labels_measure    (HlSceneText       *text,
                                  const char *const *tokens,
                                  gsize              n,
                                  const HlTextStyle *style);

G_END_DECLS
