/* SPDX-License-Identifier: MIT */
/*
 * Text that stays text in SVG. Cairo's SVG surface turns every glyph into a shape, which cannot be searched, copied
 * or edited. So a mark is drawn in place of each text, a rectangle in a colour that nothing else has, and in
 * what cairo wrote the marks become <text> elements: at their place in the order of painting, inside the clips and
 * groups that were in force.
 */
#include "draw/text/hl-svg-text.h"

#include "core/base/hl-limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of the text is in the green of its mark; red and blue are the same in all marks, and in nothing else. */
#define MARK_RED 0.123457
#define MARK_BLUE 0.654319
#define MARK_STEPS HL_LIMIT_FIGURE_TEXTS

struct _HlSvgText
{
  GPtrArray *elements;
};

HlSvgText *
hl_svg_text_new (void)
{
  HlSvgText *self = g_new0 (HlSvgText, 1);

  self->elements = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
hl_svg_text_free (HlSvgText *self)
{
  g_ptr_array_unref (self->elements);
  g_free (self);
}

static void
append_number (GString *text,
               double   number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  /* Adding 0 makes −0 plain. */
  g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%.6g", round (number * 1e4) / 1e4 + 0.0));
}

static void
append_attribute (GString    *text,
                  const char *name,
                  double      number)
{
  g_string_append_printf (text, " %s=\"", name);
  append_number (text, number);
  g_string_append_c (text, '"');
}

/* XML knows no other control characters than these three, not even escaped. */
static char *
escape (const char *text)
{
  g_autoptr (GString) plain = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      const gunichar c = g_utf8_get_char (p);
      if ((c >= 0x20 && c != 0xFFFE && c != 0xFFFF) || c == '\t')
        g_string_append_unichar (plain, c);
      else
        g_string_append (plain, "\xEF\xBF\xBD");
    }
  return g_markup_escape_text (plain->str, -1);
}

/* Draws the mark of a text; there are at most MARK_STEPS. */
void
hl_svg_text_add (HlSvgText      *self,
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
                 double          align)
{
  GString *element = g_string_new ("<text xml:space=\"preserve\"");
  g_autofree char *escaped = escape (text);
  g_autofree char *escaped_family = g_markup_escape_text (family, -1);
  cairo_matrix_t m;
  double dx, dy;

  g_return_if_fail (self->elements->len < MARK_STEPS);

  cairo_get_matrix (cr, &m);
  cairo_surface_get_device_offset (cairo_get_group_target (cr), &dx, &dy);
  m.x0 += dx;
  m.y0 += dy;

  g_string_append_printf (element, " font-family=\"'%s', sans-serif\"", escaped_family);
  append_attribute (element, "font-size", size);
  if (bold)
    g_string_append (element, " font-weight=\"bold\"");
  g_string_append_printf (element, " fill=\"#%02x%02x%02x\"", (guint) lround (colour->r * 255),
                          (guint) lround (colour->g * 255), (guint) lround (colour->b * 255));
  if (colour->a < 1)
    append_attribute (element, "fill-opacity", colour->a);

  /* Text that runs from the right starts there. */
  const double anchor_x = x + align * width;
  if (from_right)
    g_string_append (element, " direction=\"rtl\"");
  if (align > 0 && align < 1)
    g_string_append (element, " text-anchor=\"middle\"");
  else if ((align > 0) != from_right)
    g_string_append (element, " text-anchor=\"end\"");
  if (m.xx == 1 && m.yy == 1 && m.xy == 0 && m.yx == 0)
    {
      append_attribute (element, "x", anchor_x + m.x0);
      append_attribute (element, "y", y + m.y0);
    }
  else
    {
      const double numbers[] = { m.xx, m.yx, m.xy, m.yy, m.x0, m.y0 };
      append_attribute (element, "x", anchor_x);
      append_attribute (element, "y", y);
      g_string_append (element, " transform=\"matrix(");
      for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
        {
          if (i > 0)
            g_string_append_c (element, ' ');
          append_number (element, numbers[i]);
        }
      g_string_append (element, ")\"");
    }
  g_string_append_printf (element, ">%s</text>", escaped);

  cairo_save (cr);
  cairo_set_source_rgb (cr, MARK_RED, self->elements->len / (double) MARK_STEPS, MARK_BLUE);
  cairo_rectangle (cr, x, y - height, MAX (width, 0.5), height * 1.3);
  cairo_fill (cr);
  cairo_restore (cr);
  g_ptr_array_add (self->elements, g_string_free (element, FALSE));
}

/* Reads `rgb(R%,G%,B%)` with or without blanks, as different versions of cairo write it. */
static gboolean
parse_mark (const char *text,
            gsize      *number)
{
  const char *p = text + strlen ("rgb(");
  double part[3];

  for (guint i = 0; i < 3; i++)
    {
      char *end;
      part[i] = g_ascii_strtod (p, &end);
      if (end == p || *end != '%')
        return FALSE;
      p = end + 1;
      while (*p == ',' || *p == ' ')
        p++;
    }
  if (fabs (part[0] / 100 - MARK_RED) > 5e-7 || fabs (part[2] / 100 - MARK_BLUE) > 5e-7)
    return FALSE;
  *number = (gsize) lround (part[1] / 100 * MARK_STEPS);
  return TRUE;
}

/*
 * Cairo names elements by a number that counts all surfaces of the process: the same figure would be another file each
 * time. Numbers from 1 in the order in which they come take their place.
 */
static GString *
renumber (const char *svg,
          gsize       size)
{
  static const char *const names[] = { "surface", "image" };
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GString *result = g_string_sized_new (size);

  for (const char *p = svg; *p != '\0';)
    {
      const char before = *p++;
      const char *end = p;

      g_string_append_c (result, before);
      if (before != '"' && before != '#')
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (names); i++)
        if (g_str_has_prefix (p, names[i]))
          end = p + strlen (names[i]);
      if (end == p || !g_ascii_isdigit (*end))
        continue;
      while (g_ascii_isdigit (*end))
        end++;

      g_autofree char *id = g_strndup (p, end - p);
      gpointer number = g_hash_table_lookup (numbers, id);
      if (number == NULL)
        {
          number = GUINT_TO_POINTER (g_hash_table_size (numbers) + 1);
          g_hash_table_insert (numbers, g_steal_pointer (&id), number);
        }
      g_string_append_printf (result, "e%u", GPOINTER_TO_UINT (number));
      p = end;
    }
  return result;
}

/* Puts the texts where their marks are. Texts whose mark was clipped away entirely are not in the result. Images are
 * told not to be smoothed, which cairo's SVG surface has no way to say: those of heatmaps are made of cells. */
GString *
hl_svg_text_insert (HlSvgText  *self,
                    const char *svg,
                    gsize       size)
{
  GString *result = g_string_sized_new (size + self->elements->len * 64);
  GString *plain = renumber (svg, size);
  const char *copied = plain->str;
  const char *p = plain->str;

  while ((p = strstr (p, "rgb(")) != NULL)
    {
      gsize number;

      if (parse_mark (p, &number) && number < self->elements->len)
        {
          const char *begin = p;
          while (begin > copied && *begin != '<')
            begin--;
          const char *end = strchr (p, '>');
          g_assert (end != NULL && *begin == '<');
          g_string_append_len (result, copied, begin - copied);
          g_string_append (result, g_ptr_array_index (self->elements, number));
          copied = end + 1;
          p = end;
        }
      p++;
    }
  g_string_append (result, copied);
  g_string_free (plain, TRUE);
  g_string_replace (result, "<image ", "<image style=\"image-rendering:pixelated\" ", 0);
  return result;
}
