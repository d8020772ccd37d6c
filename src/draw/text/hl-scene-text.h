/* SPDX-License-Identifier: MIT */
#pragma once

#include <math.h>

#include "draw/paint/hl-cairo.h"

G_BEGIN_DECLS

typedef enum {
  HL_TEXT_GLYPHS,   /* text is text where the surface knows text (PDF), pixels otherwise */
  HL_TEXT_OUTLINES, /* text becomes shapes, which look the same where the font is missing */
} HlTextMode;

/* How a line of text looks. */
typedef struct
{
  double   size;      /* of the font, logical pixels */
  gboolean bold;      /* whether it is bold */
  double   max_width; /* longer text ends in an ellipsis; 0 for no limit */
} HlTextStyle;

/**
 * hl_text_size:
 * @wanted: the size that would fit, logical pixels
 * @smallest: the smallest that is legible
 * @largest: the largest
 *
 * Whole and half pixels only: of every size of a font, Pango and cairo keep about two megabytes for good.
 *
 * Returns: a size for #HlTextStyle
 */
static inline double
hl_text_size (double wanted,
              double smallest,
              double largest)
{
  return CLAMP (floor (wanted * 2) / 2, smallest, largest);
}

typedef struct _HlSceneText HlSceneText;

HlSceneText *hl_scene_text_new        (void);
void         hl_scene_text_free       (HlSceneText       *self);
double       hl_scene_text_get_width  (HlSceneText       *self,
                                       const char        *text,
                                       const HlTextStyle *style);
void         hl_scene_text_draw       (HlSceneText       *self,
                                       cairo_t           *cr,
                                       HlTextMode         mode,
                                       const char        *text,
                                       const HlTextStyle *style,
                                       const HlColour    *colour,
                                       double             x,
                                       double             y,
                                       double             align);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HlSceneText, hl_scene_text_free)

G_END_DECLS
