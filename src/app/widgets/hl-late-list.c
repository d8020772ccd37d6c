/* SPDX-License-Identifier: MIT */
/*
 * GTK makes the rows of a drop-down's list with its model, ten widgets a row: they were a quarter of all widgets of the
 * window, and nobody sees one before a list drops down. That it does where it can be seen is looked after here, too.
 */
#include "app/widgets/hl-late-list.h"

#define ROWS "hl-late-rows"

/* A panel that is scrolled takes no longer to come to rest. */
#define MAX_WAIT (G_USEC_PER_SEC / 2)

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

/* Whether nothing of it has been scrolled away. */
static gboolean
is_in_view (GtkWidget *widget)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  graphene_rect_t bounds;

  return viewport == NULL || !gtk_widget_compute_bounds (widget, viewport, &bounds) ||
         (bounds.origin.y >= 0 && bounds.origin.y + bounds.size.height <= (float) gtk_widget_get_height (viewport));
}

static gboolean
open_in_view (GtkWidget     *drop_down,
              GdkFrameClock *clock,
              gpointer       data)
{
  const gint64 *since = data;

  if (!is_in_view (drop_down) && gdk_frame_clock_get_frame_time (clock) < *since + MAX_WAIT)
    return G_SOURCE_CONTINUE;
  gtk_widget_activate (drop_down);
  return G_SOURCE_REMOVE;
}

/* A list that drops down from where nobody sees it, below the window's edge, finds no monitor that it could be on. */
static gboolean
on_mnemonic (GtkWidget *drop_down,
             gboolean   is_one_of_several,
             gpointer   data)
{
  if (is_one_of_several || is_in_view (drop_down))
    return FALSE;
  const gint64 now = gdk_frame_clock_get_frame_time (gtk_widget_get_frame_clock (drop_down));
  gtk_widget_grab_focus (drop_down);
  gtk_widget_add_tick_callback (drop_down, open_in_view, g_memdup2 (&now, sizeof now), g_free);
  return TRUE;
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
  g_signal_handlers_disconnect_by_func (drop_down, on_mnemonic, NULL);
  g_signal_connect (drop_down, "mnemonic-activate", G_CALLBACK (on_mnemonic), NULL);
}
