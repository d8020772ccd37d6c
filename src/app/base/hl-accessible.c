/* SPDX-License-Identifier: MIT */
/* What a screen reader is told where GTK tells it amiss. */
#include "app/base/hl-accessible.h"

#include <adwaita.h>

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
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    hl_accessible_name_buttons (child);
}
