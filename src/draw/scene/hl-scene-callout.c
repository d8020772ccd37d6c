/* SPDX-License-Identifier: MIT */
/* How scenes point at something: outlines, emphasised labels, panels, and bubbles with a line of text. */
#include "draw/scene/hl-scene-callout.h"

#include "draw/scene/hl-scene-write.h"

#define BUBBLE_SIZE 12
#define BUBBLE_HEIGHT 26
#define BUBBLE_PAD 9
#define BUBBLE_RADIUS 7
/* From what it is about to the bubble beside it. */
#define BUBBLE_DISTANCE 12
/* From the viewport's edges, at least. */
#define EDGE 4

/**
 * hl_callout_outline: (skip)
 * @cr: where to
 * @box: what it is around
 * @strength: 0 to 1
 *
 * Draws what is readable on every colour of every map: a dark line with a light one beside it.
 */
void
hl_callout_outline (cairo_t                 *cr,
                    const cairo_rectangle_t *box,
                    double                   strength)
{
  cairo_set_line_width (cr, 1);
  cairo_set_source_rgba (cr, 1, 1, 1, 0.85 * strength);
  cairo_rectangle (cr, box->x - 0.5, box->y - 0.5, box->width + 1, box->height + 1);
  cairo_stroke (cr);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.75 * strength);
  cairo_rectangle (cr, box->x - 1.5, box->y - 1.5, box->width + 3, box->height + 3);
  cairo_stroke (cr);
}

/**
 * hl_callout_emphasis: (skip)
 * @cr: where to; has the accent's colour afterwards
 * @theme: whose colours
 * @box: room of a label
 *
 * Draws what is behind a label that stands out: a box in the accent's colour.
 */
void
hl_callout_emphasis (cairo_t                 *cr,
                     const HlTheme           *theme,
                     const cairo_rectangle_t *box)
{
  hl_cairo_set_colour (cr, &theme->background, 1);
  hl_cairo_rounded_rectangle (cr, box->x, box->y, box->width, box->height, 4);
  cairo_fill (cr);
  hl_cairo_set_colour (cr, &theme->accent, 0.18);
  hl_cairo_rounded_rectangle (cr, box->x, box->y, box->width, box->height, 4);
  cairo_fill (cr);
  hl_cairo_set_colour (cr, &theme->accent, 1);
  cairo_set_line_width (cr, 1.5);
  hl_cairo_rounded_rectangle (cr, box->x + 0.75, box->y + 0.75, box->width - 1.5, box->height - 1.5, 3.5);
  cairo_stroke (cr);
}

/**
 * hl_callout_panel: (skip)
 * @cr: where to
 * @theme: whose colours
 * @box: its room, between device pixels
 * @radius: of its corners
 *
 * Draws a sheet over the picture.
 */
void
hl_callout_panel (cairo_t                 *cr,
                  const HlTheme           *theme,
                  const cairo_rectangle_t *box,
                  double                   radius)
{
  hl_cairo_set_colour (cr, &theme->background, 1);
  hl_cairo_rounded_rectangle (cr, box->x, box->y, box->width, box->height, radius);
  cairo_fill (cr);
  hl_cairo_set_colour (cr, &theme->muted, 0.6);
  cairo_set_line_width (cr, 1);
  hl_cairo_rounded_rectangle (cr, box->x + 0.5, box->y + 0.5, box->width - 1, box->height - 1, radius - 0.5);
  cairo_stroke (cr);
}

/**
 * hl_scene_draw_bubble: (skip)
 * @self: a scene
 * @cr: where to
 * @text: valid UTF-8
 * @box: what it is about, in pixels of the viewport
 * @place: where the bubble is, seen from there
 *
 * Draws a line of text about something, beside it and inside the viewport.
 */
void
hl_scene_draw_bubble (HlScene                 *self,
                      cairo_t                 *cr,
                      const char              *text,
                      const cairo_rectangle_t *box,
                      const HlBubblePlace     *place)
{
  const HlTheme *theme = hl_theme_get (hl_view_state_get_options (hl_scene_get_state (self))->dark);
  double page_width, page_height, scale;

  hl_scene_get_viewport (self, &page_width, &page_height, &scale);
  const HlTextStyle style = { .size = BUBBLE_SIZE, .max_width = MAX (page_width - 32, 24) };
  const double width = ceil (hl_scene_measure_text (self, text, &style)) + 2 * BUBBLE_PAD;
  double x = box->x + box->width + BUBBLE_DISTANCE;
  double y = box->y + box->height + place->gap;
  if (place->flips && x + width > page_width - EDGE)
    x = box->x - BUBBLE_DISTANCE - width;
  if (y + BUBBLE_HEIGHT > page_height - EDGE)
    y = box->y - place->gap - BUBBLE_HEIGHT;
  x = hl_cairo_snap (CLAMP (x, EDGE, MAX (EDGE, page_width - width - EDGE)), scale);
  y = hl_cairo_snap (MAX (y, EDGE), scale);

  hl_callout_panel (cr, theme, &(cairo_rectangle_t){ x, y, width, BUBBLE_HEIGHT }, BUBBLE_RADIUS);
  hl_scene_write (self, cr, text, &style, &theme->foreground, x + BUBBLE_PAD, y + BUBBLE_HEIGHT / 2.0, 0);
}
