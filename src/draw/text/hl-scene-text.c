/* SPDX-License-Identifier: MIT */
/*
 * Lines of text of a scene: shaped once and kept, since the overlay writes the same labels again with every movement of
 * the pointer. An object serves one thread, the one that first draws with it.
 */
#include "draw/text/hl-scene-text.h"

#include <pango/pangocairo.h>
#include <string.h>

#include "core/base/hl-utf8.h"
#include "core/base/text/hl-text-hash.h"
#include "draw/text/hl-export-context.h"
#include "draw/text/hl-paper-text.h"
#include "draw/text/hl-text-cuts.h"

/* Two screens of labels and numbers; past that everything is shaped anew. */
#define MAX_LINES 2048

#define FAMILY "Sans"

typedef struct
{
  PangoFontDescription *font;
  char *family;
  double height;
  double baseline;
} Face;

typedef struct
{
  PangoLayout *layout;
  const Face *face;
  double width;
  double baseline;
} Line;

struct _HlSceneText
{
  PangoContext *context;
  PangoAttrList *attributes;
  GHashTable *faces;
  GHashTable *lines;
};

static void
face_free (Face *face)
{
  pango_font_description_free (face->font);
  g_free (face->family);
  g_free (face);
}

static void
line_free (Line *line)
{
  g_object_unref (line->layout);
  g_free (line);
}

HlSceneText *
hl_scene_text_new (void)
{
  HlSceneText *self = g_new0 (HlSceneText, 1);

  self->faces = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) face_free);
  self->lines = g_hash_table_new_full (hl_text_hash, g_str_equal, g_free, (GDestroyNotify) line_free);
  return self;
}

void
hl_scene_text_free (HlSceneText *self)
{
  g_hash_table_unref (self->lines);
  g_hash_table_unref (self->faces);
  g_clear_pointer (&self->attributes, pango_attr_list_unref);
  g_clear_object (&self->context);
  g_free (self);
}

static PangoContext *
ensure_context (HlSceneText *self)
{
  if (self->context == NULL)
    {
      /* Sizes must not depend on the scale of the surface, else a figure would not be laid out as the screen is. */
      cairo_font_options_t *options = cairo_font_options_create ();

      cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
      cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
      cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
      self->context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
      pango_cairo_context_set_font_options (self->context, options);
      pango_context_set_round_glyph_positions (self->context, FALSE);
      cairo_font_options_destroy (options);
      /* Numbers stand under one another only if all digits are as wide. */
      self->attributes = pango_attr_list_new ();
      pango_attr_list_insert (self->attributes, pango_attr_font_features_new ("tnum=1"));
    }
  return self->context;
}

static void
measure (PangoLayout *layout,
         Line        *line)
{
  PangoRectangle logical;

  pango_layout_get_extents (layout, NULL, &logical);
  line->width = logical.width / (double) PANGO_SCALE;
  line->baseline = pango_layout_get_baseline (layout) / (double) PANGO_SCALE;
}

/* Pango could put the ellipsis itself, but does not tell what is left of the text, and SVG needs to know. */
static void
ellipsise (PangoLayout *layout,
           const char  *text,
           double       max_width,
           Line        *line)
{
  gsize n_cuts;
  g_autofree gsize *cuts = hl_text_cuts_find (text, &n_cuts);
  gsize low = 0;
  gsize high = n_cuts;

  for (;;)
    {
      const gsize middle = low + (high - low) / 2;
      g_autofree char *cut = g_strdup_printf ("%.*s…", (int) cuts[MIN (middle, n_cuts - 1)], text);

      pango_layout_set_text (layout, cut, -1);
      measure (layout, line);
      if (high - low <= 1 && (line->width <= max_width || middle == 0))
        return;
      if (line->width <= max_width)
        low = middle;
      else
        high = middle;
    }
}

static PangoLayout *
create_layout (HlSceneText *self,
               const Face  *face,
               const char  *text)
{
  PangoLayout *layout = pango_layout_new (self->context);

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_font_description (layout, face->font);
  pango_layout_set_attributes (layout, self->attributes);
  pango_layout_set_text (layout, text, -1);
  return layout;
}

/* Few sizes are used, and finding out what family a font really is takes as long as writing with it. */
static const Face *
get_face (HlSceneText       *self,
          const HlTextStyle *style)
{
  const gpointer key = GINT_TO_POINTER ((int) (style->size * 64) * 2 + (style->bold ? 1 : 0));
  Face *face = g_hash_table_lookup (self->faces, key);
  PangoFont *loaded;

  if (face != NULL)
    return face;
  face = g_new0 (Face, 1);
  face->font = pango_font_description_new ();
  pango_font_description_set_family_static (face->font, FAMILY);
  pango_font_description_set_absolute_size (face->font, style->size * PANGO_SCALE);
  pango_font_description_set_weight (face->font, style->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  loaded = pango_context_load_font (ensure_context (self), face->font);
  if (loaded != NULL)
    {
      PangoFontDescription *described = pango_font_describe (loaded);
      face->family = g_strdup (pango_font_description_get_family (described));
      pango_font_description_free (described);
      g_object_unref (loaded);
    }
  /* Letters of other fonts stand on the same line. */
  g_autoptr (PangoLayout) layout = create_layout (self, face, "x");
  PangoRectangle logical;
  pango_layout_get_extents (layout, NULL, &logical);
  face->height = logical.height / (double) PANGO_SCALE;
  face->baseline = pango_layout_get_baseline (layout) / (double) PANGO_SCALE;
  g_hash_table_insert (self->faces, key, face);
  return face;
}

static const Line *
get_line (HlSceneText       *self,
          const char        *text,
          const HlTextStyle *style)
{
  g_autofree char *key =
    g_strdup_printf ("%d %d %d %s", (int) (style->size * 64), style->bold, (int) (style->max_width * 4), text);
  Line *line = g_hash_table_lookup (self->lines, key);

  if (line != NULL)
    return line;
  if (g_hash_table_size (self->lines) >= MAX_LINES)
    g_hash_table_remove_all (self->lines);

  line = g_new0 (Line, 1);
  line->face = get_face (self, style);
  /* PDF takes no text that has others. */
  g_autofree char *characters = hl_utf8_replace_noncharacters (text);
  line->layout = create_layout (self, line->face, characters);
  measure (line->layout, line);
  if (style->max_width > 0 && line->width > style->max_width)
    ellipsise (line->layout, characters, style->max_width, line);
  g_hash_table_insert (self->lines, g_steal_pointer (&key), line);
  return line;
}

double
hl_scene_text_get_width (HlSceneText       *self,
                         const char        *text,
                         const HlTextStyle *style)
{
  g_return_val_if_fail (text != NULL, 0);

  return get_line (self, text, style)->width;
}

static gboolean
runs_from_right (PangoLayout *layout)
{
  return pango_layout_line_get_resolved_direction (pango_layout_get_line_readonly (layout, 0)) == PANGO_DIRECTION_RTL;
}

/* Writes a line. */
void
hl_scene_text_draw (HlSceneText       *self,
                    cairo_t           *cr,
                    HlTextMode         mode,
                    const char        *text,
                    const HlTextStyle *style,
                    const HlColour    *colour,
                    double             x,
                    double             y,
                    double             align)
{
  g_return_if_fail (text != NULL);

  if (*text == '\0')
    return;

  const Line *line = get_line (self, text, style);
  const double left = x - align * line->width;
  const double top = y - line->face->height / 2 + line->face->baseline - line->baseline;
  HlExportContext *export = hl_export_context_get (cr);

  if (export != NULL && hl_cairo_is_vector (cr) && !hl_export_context_take_text (export))
    return;
  if (export != NULL && export->svg_text != NULL && mode == HL_TEXT_GLYPHS)
    {
      hl_svg_text_add (export->svg_text, cr, pango_layout_get_text (line->layout),
                       line->face->family != NULL ? line->face->family : FAMILY, style->size, style->bold,
                       runs_from_right (line->layout), colour, left, top + line->baseline, line->width, line->baseline,
                       align);
      return;
    }

  hl_cairo_set_colour (cr, colour, 1);
  cairo_move_to (cr, left, top);
  if (hl_cairo_is_vector (cr))
    hl_paper_text_draw (cr, line->layout, mode, left, top + line->baseline);
  else
    pango_cairo_show_layout (cr, line->layout);
  cairo_new_path (cr);
}
