/* SPDX-License-Identifier: MIT */
/* What scenes write alike: lines of text on a ground. */
#include "draw/scene/hl-scene-write.h"

#include "draw/paint/hl-theme.h"

/**
 * hl_scene_measure_text: (skip)
 * @self: a scene
 * @text: valid UTF-8
 * @style: how it looks
 *
 * Returns: logical pixels that it takes
 */
double
hl_scene_measure_text (HlScene           *self,
                       const char        *text,
                       const HlTextStyle *style)
{
  return hl_scene_text_get_width (hl_scene_get_text (self), text, style);
}

/**
 * hl_scene_write: (skip)
 * @self: a scene
 * @cr: where to
 * @text: valid UTF-8
 * @style: how it looks
 * @colour: its colour
 * @x: where its left edge (@align 0), middle (0.5) or right edge (1) is
 * @y: the middle of the line
 * @align: 0 to 1
 *
 * Writes a line in the text mode of the scene; hl_scene_text_draw() says more.
 */
void
hl_scene_write (HlScene           *self,
                cairo_t           *cr,
                const char        *text,
                const HlTextStyle *style,
                const HlColour    *colour,
                double             x,
                double             y,
                double             align)
{
  hl_scene_text_draw (hl_scene_get_text (self), cr, hl_scene_get_text_mode (self), text, style, colour, x, y, align);
}

/**
 * hl_scene_write_upwards: (skip)
 * @self: a scene
 * @cr: where to
 * @text: valid UTF-8
 * @style: how it looks
 * @colour: its colour
 * @x: the middle of the line
 * @y: where its lower end (@align 0), middle (0.5) or upper end (1) is
 * @align: 0 to 1
 *
 * Writes a line that is read from below.
 */
void
hl_scene_write_upwards (HlScene           *self,
                        cairo_t           *cr,
                        const char        *text,
                        const HlTextStyle *style,
                        const HlColour    *colour,
                        double             x,
                        double             y,
                        double             align)
{
  cairo_save (cr);
  cairo_translate (cr, x, y);
  cairo_rotate (cr, -G_PI_2);
  hl_scene_write (self, cr, text, style, colour, 0, 0, align);
  cairo_restore (cr);
}

/**
 * hl_scene_paint_background: (skip)
 * @self: a scene
 * @cr: where to
 *
 * Covers the viewport with the theme's colour, unless the scene is seen through.
 */
void
hl_scene_paint_background (HlScene *self,
                           cairo_t *cr)
{
  double width, height;

  if (!hl_scene_get_paints_background (self))
    return;
  hl_scene_get_viewport (self, &width, &height, NULL);
  hl_cairo_set_colour (cr, &hl_theme_get (hl_view_state_get_options (hl_scene_get_state (self))->dark)->background, 1);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_fill (cr);
}
