/* SPDX-License-Identifier: MIT */
/* Lines of text for SVG and PDF. */
#include "draw/text/hl-paper-text.h"

#include <hb-ot.h>
#include <pango/pangocairo.h>

/* On paper, letters that are images have so many pixels in a unit; of itself, cairo scales them down to one. */
#define FINENESS 4

/* Emoji: their letters are images or layers of colours, and have no outline. */
static gboolean
has_colours (PangoFont *font)
{
  hb_font_t *shaper = font != NULL ? pango_font_get_hb_font (font) : NULL;
  hb_face_t *face = shaper != NULL ? hb_font_get_face (shaper) : NULL;

  return face != NULL && (hb_ot_color_has_png (face) || hb_ot_color_has_layers (face) || hb_ot_color_has_svg (face));
}

static void
paint_fine (cairo_t          *cr,
            PangoFont        *font,
            PangoGlyphString *glyphs,
            double            x,
            double            baseline)
{
  PangoRectangle ink;

  pango_glyph_string_extents (glyphs, font, &ink, NULL);
  pango_extents_to_pixels (&ink, NULL);
  if (ink.width <= 0 || ink.height <= 0)
    return;
  g_autoptr (cairo_surface_t)
    image = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, ink.width * FINENESS, ink.height * FINENESS);
  g_autoptr (cairo_t) fine = cairo_create (image);
  cairo_scale (fine, FINENESS, FINENESS);
  cairo_move_to (fine, -ink.x, -ink.y);
  pango_cairo_show_glyph_string (fine, font, glyphs);

  cairo_save (cr);
  cairo_translate (cr, x + ink.x, baseline + ink.y);
  cairo_scale (cr, 1.0 / FINENESS, 1.0 / FINENESS);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_paint (cr);
  cairo_restore (cr);
}

/* Writes a line, one stretch of letters of the same font after the other. Letters that have no shape, as emoji in
 * colours, are images in either mode. */
void
hl_paper_text_draw (cairo_t     *cr,
                    PangoLayout *layout,
                    HlTextMode   mode,
                    double       x,
                    double       baseline)
{
  const char *text = pango_layout_get_text (layout);

  for (GSList *item = pango_layout_get_line_readonly (layout, 0)->runs; item != NULL; item = item->next)
    {
      PangoGlyphItem *run = item->data;
      PangoFont *font = run->item->analysis.font;

      cairo_move_to (cr, x, baseline);
      if (has_colours (font))
        paint_fine (cr, font, run->glyphs, x, baseline);
      else if (mode == HL_TEXT_OUTLINES)
        {
          pango_cairo_glyph_string_path (cr, font, run->glyphs);
          cairo_fill (cr);
        }
      else
        pango_cairo_show_glyph_item (cr, text, run);
      x += pango_glyph_string_get_width (run->glyphs) / (double) PANGO_SCALE;
    }
}
