/* SPDX-License-Identifier: MIT */
/* Small helpers between our types and cairo's. */
#pragma once

#include <cairo.h>
#include <math.h>

#include "draw/paint/hl-colour.h"

G_BEGIN_DECLS

G_DEFINE_AUTOPTR_CLEANUP_FUNC (cairo_t, cairo_destroy)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (cairo_surface_t, cairo_surface_destroy)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (cairo_pattern_t, cairo_pattern_destroy)

/**
 * hl_cairo_set_colour: (skip)
 * @cr: a context
 * @colour: a colour
 * @alpha: 0 to 1, multiplies the colour's own
 */
static inline void
hl_cairo_set_colour (cairo_t        *cr,
                     const HlColour *colour,
                     double          alpha)
{
  cairo_set_source_rgba (cr, colour->r, colour->g, colour->b, colour->a * alpha);
}

/**
 * hl_cairo_is_vector: (skip)
 * @cr: a context
 *
 * Returns: whether what is drawn stays shapes (SVG, PDF) rather than pixels
 */
static inline gboolean
hl_cairo_is_vector (cairo_t *cr)
{
  const cairo_surface_type_t type = cairo_surface_get_type (cairo_get_target (cr));

  return type == CAIRO_SURFACE_TYPE_SVG || type == CAIRO_SURFACE_TYPE_PDF;
}

/**
 * hl_cairo_rounded_rectangle: (skip)
 * @cr: a context
 * @x: left
 * @y: top
 * @width: width
 * @height: height
 * @radius: of the corners; at most half of a side is used
 *
 * Adds a rectangle with round corners to the path.
 */
static inline void
hl_cairo_rounded_rectangle (cairo_t *cr,
                            double   x,
                            double   y,
                            double   width,
                            double   height,
                            double   radius)
{
  const double r = MIN (radius, MIN (width, height) / 2);

  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - r, y + r, r, -G_PI_2, 0);
  cairo_arc (cr, x + width - r, y + height - r, r, 0, G_PI_2);
  cairo_arc (cr, x + r, y + height - r, r, G_PI_2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 3 * G_PI_2);
  cairo_close_path (cr);
}

/**
 * hl_cairo_snap: (skip)
 * @value: a coordinate in logical pixels
 * @scale: device pixels a logical pixel
 *
 * Returns: the nearest coordinate that lies between two device pixels, where fills have sharp edges
 */
static inline double
hl_cairo_snap (double value,
               double scale)
{
  return round (value * scale) / scale;
}

G_END_DECLS
