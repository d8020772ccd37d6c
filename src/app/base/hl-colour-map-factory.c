/* SPDX-License-Identifier: MIT */
/* Rows of a list of colour maps: a swatch and the name. */
#include "app/base/hl-colour-map-factory.h"

#include "draw/paint/hl-colour-map.h"

#define SWATCH_WIDTH 48
#define SWATCH_HEIGHT 12

/* The whole map from left to right, pixel by pixel. */
static void
draw_swatch (GtkDrawingArea *area,
             cairo_t        *cr,
             int             width,
             int             height,
             gpointer        user_data)
{
  const HlColourMap map = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (area), "map"));
  const gboolean dark = GPOINTER_TO_INT (user_data);

  for (int x = 0; x < width; x++)
    {
      const guint32 pixel = hl_colour_map_lookup (map, dark, (x + 0.5) / width);
      cairo_set_source_rgb (cr, (pixel >> 16 & 0xff) / 255.0, (pixel >> 8 & 0xff) / 255.0,
                            (pixel & 0xff) / 255.0);
      cairo_rectangle (cr, x, 0, 1, height);
      cairo_fill (cr);
    }
}

static void
on_setup (GtkSignalListItemFactory *factory,
          GtkListItem              *item,
          gpointer                  user_data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *swatch = gtk_drawing_area_new ();
  GtkWidget *name = gtk_label_new (NULL);

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), SWATCH_WIDTH);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (swatch), SWATCH_HEIGHT);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw_swatch, user_data, NULL);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_widget_set_overflow (swatch, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (swatch, "hl-swatch");
  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), name);
  gtk_list_item_set_child (item, box);
}

static void
on_bind (GtkSignalListItemFactory *factory,
         GtkListItem              *item)
{
  GtkWidget *swatch = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkStringObject *name = gtk_list_item_get_item (item);

  g_object_set_data (G_OBJECT (swatch), "map",
                     GUINT_TO_POINTER (gtk_list_item_get_position (item)));
  gtk_widget_queue_draw (swatch);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_next_sibling (swatch)),
                       gtk_string_object_get_string (name));
}

/**
 * hl_colour_map_factory_new:
 * @dark: whether pictures are light on dark
 *
 * Makes rows for a model of #GtkStringObject that holds the names of the colour maps in the order of #HlColourMap.
 *
 * Returns: (transfer full): a factory
 */
GtkListItemFactory *
hl_colour_map_factory_new (gboolean dark)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GINT_TO_POINTER (!!dark));
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  return factory;
}
