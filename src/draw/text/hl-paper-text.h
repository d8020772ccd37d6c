/* SPDX-License-Identifier: MIT */
/* Lines of text for SVG and PDF. */
#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include "draw/text/hl-scene-text.h"

G_BEGIN_DECLS

void hl_paper_text_draw (cairo_t     *cr,
                         PangoLayout *layout,
                         HlTextMode   mode,
                         double       x,
                         double       baseline);

G_END_DECLS
