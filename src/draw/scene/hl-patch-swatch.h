/* SPDX-License-Identifier: MIT */
/* What a token stands for that is a part of an image, as a small picture beside its name. */
#pragma once

#include <cairo.h>

#include "core/document/attention/hl-attention.h"

G_BEGIN_DECLS

/* From a swatch to the name beside it, logical pixels. */
#define HL_PATCH_SWATCH_GAP 4

/* As large as letters of that size. */
#define HL_PATCH_SWATCH_SIZE(size) (1.25 * (size))

double   hl_patch_swatch_get_room (HlAttention *attention,
                                   HlSide       side,
                                   double       size);
gboolean hl_patch_swatch_is_there (HlAttention *attention,
                                   HlSide       side,
                                   gsize        token,
                                   double       size);
cairo_surface_t *hl_patch_swatch_create (HlAttention *attention,
                                         HlSide       side,
                                         gsize        token,
                                         double       size,
                                         double       scale);
gboolean hl_patch_swatch_draw     (HlAttention *attention,
                                   HlSide       side,
                                   gsize        token,
                                   double       x,
                                   double       y,
                                   double       size,
                                   double       scale,
                                   cairo_t     *cr);

G_END_DECLS
