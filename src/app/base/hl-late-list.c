/* SPDX-License-Identifier: MIT */
/*
 * GTK makes the rows of a drop-down's list with its model, ten widgets a row: they were a quarter of all widgets of the
 * window, and nobody sees one before a list drops down.
 */
#include "app/base/hl-late-list.h"

#define ROWS "hl-late-rows"

/* The button is pressed in before the list comes up. */
static void
on_button_state (GtkWidget    *button,
                 GtkStateFlags before,
                 GtkDropDown  *drop_down)
{
  if (!(gtk_widget_get_state_flags (button) & GTK_STATE_FLAG_CHECKED))
    return;
  g_signal_handlers_disconnect_by_func (button, on_button_state, drop_down);
  gtk_drop_down_set_list_factory (drop_down, g_object_get_data (G_OBJECT (drop_down), ROWS));
}

/* To be called before the drop-down gets its model. Rows will be made by @rows; %NULL: as what is chosen is. */
void
hl_late_list_hold (GtkDropDown        *drop_down,
                   GtkListItemFactory *rows)
{
  g_return_if_fail (GTK_IS_DROP_DOWN (drop_down));
  g_return_if_fail (rows == NULL || GTK_IS_LIST_ITEM_FACTORY (rows));

  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (drop_down));
  g_autoptr (GtkListItemFactory) nothing = gtk_signal_list_item_factory_new ();

  g_object_set_data_full (G_OBJECT (drop_down), ROWS, rows != NULL ? g_object_ref (rows) : NULL, g_object_unref);
  gtk_drop_down_set_list_factory (drop_down, nothing);
  g_signal_handlers_disconnect_by_func (button, on_button_state, drop_down);
  g_signal_connect (button, "state-flags-changed", G_CALLBACK (on_button_state), drop_down);
}
