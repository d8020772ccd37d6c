/* SPDX-License-Identifier: MIT */
/* What a screen reader is told where GTK tells it amiss. */
#include "app/base/hl-accessible.h"

static void
name_drop_down (GtkWidget *drop_down)
{
  g_autoptr (GList) labels = gtk_widget_list_mnemonic_labels (drop_down);

  if (labels != NULL)
    gtk_accessible_update_relation (GTK_ACCESSIBLE (gtk_widget_get_first_child (drop_down)),
                                    GTK_ACCESSIBLE_RELATION_LABELLED_BY, labels->data, NULL, -1);
}

/* The part of a split button that opens its menu. */
GtkMenuButton *
hl_accessible_find_menu_part (AdwSplitButton *button)
{
  g_return_val_if_fail (ADW_IS_SPLIT_BUTTON (button), NULL);

  GtkWidget *part = gtk_widget_get_first_child (GTK_WIDGET (button));

  while (!GTK_IS_MENU_BUTTON (part))
    part = gtk_widget_get_next_sibling (part);
  return GTK_MENU_BUTTON (part);
}

/* Has a button with a mnemonic be called by its label as it is seen. GTK (4.8) puts the label with its underline before
 * that, “_Export… Export…”. A split button without a label is called by its tooltip. */
void
hl_accessible_name_buttons (GtkWidget *root)
{
  g_return_if_fail (GTK_IS_WIDGET (root));

  if (GTK_IS_BUTTON (root) && gtk_button_get_label (GTK_BUTTON (root)) != NULL &&
      gtk_button_get_use_underline (GTK_BUTTON (root)))
    gtk_accessible_reset_property (GTK_ACCESSIBLE (root), GTK_ACCESSIBLE_PROPERTY_LABEL);
  if (ADW_IS_SPLIT_BUTTON (root) && adw_split_button_get_label (ADW_SPLIT_BUTTON (root)) == NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_first_child (root)), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    gtk_widget_get_tooltip_text (root), -1);
  /* What has the keyboard of a drop-down is the button in it, which is called by its class. */
  if (GTK_IS_DROP_DOWN (root))
    name_drop_down (root);
  if (ADW_IS_SPLIT_BUTTON (root))
    gtk_accessible_update_property (GTK_ACCESSIBLE (hl_accessible_find_menu_part (ADW_SPLIT_BUTTON (root))),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    adw_split_button_get_dropdown_tooltip (ADW_SPLIT_BUTTON (root)), -1);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    hl_accessible_name_buttons (child);
}
