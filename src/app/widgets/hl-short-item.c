/* SPDX-License-Identifier: MIT */
#include "app/widgets/hl-short-item.h"

typedef struct
{
  int min_chars;
  int max_chars;
} Width;

static void
on_setup (GtkSignalListItemFactory *factory,
          GtkListItem              *item,
          const Width              *width)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), width->min_chars);
  gtk_label_set_max_width_chars (GTK_LABEL (label), width->max_chars);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory,
         GtkListItem              *item)
{
  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)),
                       gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

static void
width_free (gpointer  width,
            GClosure *closure)
{
  g_free (width);
}

/* Of a list of strings: what can be chosen is not cut. -1 for as many characters as there are. */
void
hl_short_item_set_up (GtkDropDown *list,
                      int          min_chars,
                      int          max_chars)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  Width *width = g_new (Width, 1);

  *width = (Width){ min_chars, max_chars };
  if (gtk_drop_down_get_list_factory (list) == NULL)
    gtk_drop_down_set_list_factory (list, gtk_drop_down_get_factory (list));
  g_signal_connect_data (factory, "setup", G_CALLBACK (on_setup), width, width_free, 0);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  gtk_drop_down_set_factory (list, factory);
}
