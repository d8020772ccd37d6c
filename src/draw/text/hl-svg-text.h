/* SPDX-License-Identifier: MIT */
#pragma once

#include <cairo.h>
#include <glib.h>

#include "draw/paint/hl-colour.h"

G_BEGIN_DECLS

typedef struct _HlSvgText HlSvgText;

HlSvgText *hl_svg_text_new    (void);
void       hl_svg_text_free   (HlSvgText      *self);
void       hl_svg_text_add    (HlSvgText      *self,
                               cairo_t        *cr,
                               const char     *text,
                               const char     *family,
                               double          size,
                               gboolean        bold,
                               gboolean        from_right,
                               const HlColour *colour,
                               double          x,
                               double          y,
                               double          width,
                               double          height,
                               double          align);
GString   *hl_svg_text_insert (HlSvgText      *self,
                               const char     *svg,
                               gsize           size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlSvgText, hl_svg_text_free)

G_END_DECLS
