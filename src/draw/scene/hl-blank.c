/* SPDX-License-Identifier: MIT */
#include "draw/scene/hl-blank.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "draw/scene/hl-scene-write.h"

#define LEGEND_SIZE 10.5
#define LEGEND_GAP 8
#define STRIPE 4

/* Over what the context is clipped to, of that box; stripes are so far apart. Through a strength below 1 the image is still seen. */
void
hl_blank_draw (HlBlank                  blank,
               const HlTheme           *theme,
               cairo_t                 *cr,
               const cairo_rectangle_t *box,
               double                   distance,
               double                   strength)
{
  cairo_save (cr);
  cairo_rectangle (cr, box->x, box->y, box->width, box->height);
  cairo_clip (cr);
  hl_cairo_set_colour (cr, blank == HL_BLANK_MASKED ? &theme->masked : &theme->background, strength);
  cairo_paint (cr);
  hl_cairo_set_colour (cr, blank == HL_BLANK_MASKED ? &theme->hatch : &theme->muted, 1);
  cairo_set_line_width (cr, 0.8);
  for (double offset = -box->height; offset < box->width; offset += distance)
    {
      cairo_move_to (cr, box->x + offset, box->y + box->height);
      cairo_line_to (cr, box->x + offset + box->height, box->y);
      if (blank == HL_BLANK_NAN)
        {
          cairo_move_to (cr, box->x + offset, box->y);
          cairo_line_to (cr, box->x + offset + box->height, box->y + box->height);
        }
    }
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* A square with its upper left corner there, and its name; returns what both take. */
double
hl_blank_draw_legend (HlBlank             blank,
                      HlScene            *scene,
                      const HlSceneFrame *frame,
                      cairo_t            *cr,
                      double              x,
                      double              y)
{
  /* In a difference, what is no number is mostly what has none to be subtracted from. */
  const char *name = blank == HL_BLANK_MASKED           ? _ ("masked")
                     : frame->shown->comparison != NULL ? _ ("not in both")
                                                        : _ ("NaN");
  const HlTextStyle style = { .size = LEGEND_SIZE };
  const cairo_rectangle_t box = { x, y, HL_BLANK_SWATCH, HL_BLANK_SWATCH };

  hl_blank_draw (blank, frame->theme, cr, &box, STRIPE, 1);
  hl_cairo_set_colour (cr, &frame->theme->grid, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, x - 0.5, y - 0.5, HL_BLANK_SWATCH + 1, HL_BLANK_SWATCH + 1);
  cairo_stroke (cr);
  hl_scene_write (scene, cr, name, &style, &frame->theme->muted, x + HL_BLANK_SWATCH + LEGEND_GAP,
                  y + HL_BLANK_SWATCH / 2.0, 0);
  return HL_BLANK_SWATCH + LEGEND_GAP + hl_scene_measure_text (scene, name, &style);
}
