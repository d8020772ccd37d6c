/* SPDX-License-Identifier: MIT */
/*
 * Draws the lines of a head view as strokes, for files of vectors.
 */
#include "draw/lines/hl-line-raster.h"

/* Strokes between two looks at the cancellable: about 10 ms of them. */
#define BATCH 256

/* cairo takes what is fainter for nothing at all, whatever it draws to. */
#define LEAST_ALPHA (256.0 / 65535.0)

static void
stroke_line (cairo_t              *cr,
             const HlLineGeometry *geometry,
             gsize                 query,
             gsize                 key,
             HlColour              colour,
             double                opacity)
{
  cairo_set_source_rgba (cr, colour.r, colour.g, colour.b, opacity);
  cairo_move_to (cr, geometry->x_query, geometry->y_query[query]);
  cairo_line_to (cr, geometry->x_key, geometry->y_key[key]);
  cairo_stroke (cr);
}

/**
 * hl_line_raster_stroke:
 * @cr: a context
 * @geometry: where lines run, in user units
 * @layers: (array length=n_layers): the heads, the lowest first
 * @n_layers: how many
 * @min_alpha: the opacity below which a line is left out. Those below 1 / 256 are left out in any
 *   case: cairo, which keeps opacities in 16 bits, takes them for nothing
 * @n_left_out: (out) (optional): how many lines of an opacity over 0 were left out
 * @cancellable: (nullable): to stop early
 * @error: return location for an error
 *
 * Strokes the lines of all layers, each by itself: in the order of layers, within a layer by query,
 * then key, which does not matter to the picture. Line (i, j) ends in a butt at either side.
 *
 * Returns: %FALSE if it was cancelled (%G_IO_ERROR_CANCELLED)
 */
gboolean
hl_line_raster_stroke (cairo_t              *cr,
                       const HlLineGeometry *geometry,
                       const HlLineLayer    *layers,
                       gsize                 n_layers,
                       double                min_alpha,
                       gsize                *n_left_out,
                       GCancellable         *cancellable,
                       GError              **error)
{
  gsize left_out = 0, drawn = 0;
  gboolean cancelled = FALSE;

  g_return_val_if_fail (cr != NULL, FALSE);
  g_return_val_if_fail (geometry != NULL && geometry->line_width > 0.0, FALSE);
  g_return_val_if_fail (n_layers == 0 || layers != NULL, FALSE);

  cairo_save (cr);
  cairo_set_operator (cr, CAIRO_OPERATOR_OVER);
  cairo_set_line_width (cr, geometry->line_width);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  cairo_set_dash (cr, NULL, 0, 0.0);
  cairo_new_path (cr);

  for (gsize layer = 0; layer < n_layers && !cancelled; layer++)
    {
      HlColour colour = layers[layer].colour;

      for (gsize i = 0; i < geometry->n_queries && !cancelled; i++)
        {
          const float *weights = layers[layer].weights + i * layers[layer].row_stride;

          for (gsize j = 0; j < geometry->n_keys && !cancelled; j++)
            {
              double opacity = (double) weights[j] * colour.a;

              if (!(opacity > 0.0)) /* NaN too */
                continue;
              if (opacity < MAX (min_alpha, LEAST_ALPHA))
                {
                  left_out++;
                  continue;
                }
              stroke_line (cr, geometry, i, j, colour, MIN (opacity, 1.0));
              if (++drawn % BATCH == 0)
                cancelled = g_cancellable_is_cancelled (cancellable);
            }
        }
    }
  cairo_restore (cr);

  if (n_left_out != NULL)
    *n_left_out = left_out;

  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}
